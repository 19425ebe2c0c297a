"""Client for Stepwell, which runs the code that models write.

    from stepwell import Stepwell

    with Stepwell.connect("localhost:9092") as stepwell:
        session = stepwell.new_session()
        session.run("x = 41")
        print(session.run("print(x + 1)").or_throw().stdout)

How a step ended is a value, `ExecutionResult`, whatever became of it; errors are about requests
that have no answer, unless `or_throw` is asked to make them of outcomes too. What runs no code has
no outcome to show: where it can't be done, that is an error. `stepwell.errors` pictures them all.
"""

import logging

from stepwell.aio import (
    AsyncExecution,
    AsyncSession,
    AsyncSessionFiles,
    AsyncSessionView,
    AsyncStepwell,
    AsyncWorkspaceFiles,
)
from stepwell.client import Stepwell
from stepwell.errors import (
    BrokerUnreachableError,
    ClientClosedError,
    ClientForkedError,
    FileMissingError,
    FileRefusedError,
    InfrastructureError,
    InvalidMessageError,
    MessageTooLargeError,
    NoAnswerError,
    RequestRejectedError,
    SessionExistsError,
    SessionUnknownError,
    StateUnavailableError,
    StepCancelledError,
    StepError,
    StepFailedError,
    StepLimitError,
    StepTimedOutError,
    StepwellError,
    TooManyInFlightError,
    TopicMissingError,
    UnreadableResultError,
    VariableError,
    VariableNotPortableError,
)
from stepwell.execution import Execution
from stepwell.files import SessionFiles, WorkspaceFiles
from stepwell.messages import (
    Artifact,
    ExceptionReport,
    ExecutionResult,
    FileInput,
    HistoryEntry,
    Limits,
    LostValue,
    ResultError,
    StateReport,
    Timings,
    Truncation,
    Usage,
    Value,
    WorkspaceEntry,
)
from stepwell.names import ArtifactProblem, EntryKind, ErrorCode, Outcome, StepKind
from stepwell.session import Session, SessionView
from stepwell.step import Step, StepOptions

__version__ = "0.1.0.dev0"

__all__ = [
    "Artifact",
    "ArtifactProblem",
    "AsyncExecution",
    "AsyncSession",
    "AsyncSessionFiles",
    "AsyncSessionView",
    "AsyncStepwell",
    "AsyncWorkspaceFiles",
    "BrokerUnreachableError",
    "ClientClosedError",
    "ClientForkedError",
    "EntryKind",
    "ErrorCode",
    "ExceptionReport",
    "Execution",
    "ExecutionResult",
    "FileInput",
    "FileMissingError",
    "FileRefusedError",
    "HistoryEntry",
    "InfrastructureError",
    "InvalidMessageError",
    "Limits",
    "LostValue",
    "MessageTooLargeError",
    "NoAnswerError",
    "Outcome",
    "RequestRejectedError",
    "ResultError",
    "Session",
    "SessionExistsError",
    "SessionFiles",
    "SessionUnknownError",
    "SessionView",
    "StateReport",
    "StateUnavailableError",
    "Step",
    "StepCancelledError",
    "StepError",
    "StepFailedError",
    "StepKind",
    "StepLimitError",
    "StepOptions",
    "StepTimedOutError",
    "Stepwell",
    "StepwellError",
    "Timings",
    "TooManyInFlightError",
    "TopicMissingError",
    "Truncation",
    "UnreadableResultError",
    "Usage",
    "Value",
    "VariableError",
    "VariableNotPortableError",
    "WorkspaceEntry",
    "WorkspaceFiles",
]

# Without handlers of the program's own, what the Kafka library logs is nobody's to see.
logging.getLogger("stepwell").addHandler(logging.NullHandler())
