"""What keeps a caller from having what it asked for.

StepwellError
+-- StepError                   what a result says, as an exception
|   +-- StepFailedError             your code failed
|   +-- StepTimedOutError           your code took too long
|   +-- StepLimitError              your code took too much
|   +-- StepCancelledError          it was cancelled
|   +-- RequestRejectedError        the request was wrong
|   |   +-- SessionExistsError          a fork's name is taken
|   |   +-- SessionUnknownError         there is no such session
|   |   +-- StateUnavailableError       no state is retained of that step
|   |   +-- FileMissingError            no such file in the workspace
|   |   +-- FileRefusedError            a file that can't be read or put
|   +-- InfrastructureError         Stepwell failed; it says whether a retry is safe
+-- InvalidMessageError         a request that can't be sent as it is; a ValueError too
+-- VariableError               a variable that can't go into a sandbox
+-- VariableNotPortableError    a variable that can't come out of one safely
+-- NoAnswerError               not answered in time; it may still be
+-- BrokerUnreachableError      no connection
+-- TopicMissingError           connected, but Stepwell's topics are not there
+-- MessageTooLargeError        too many bytes
+-- TooManyInFlightError        too many requests without an answer
+-- UnreadableResultError       an answer that this client doesn't understand
+-- ClientClosedError           the client was closed
    +-- ClientForkedError           the client belongs to the parent process
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.names import ErrorCode

if TYPE_CHECKING:
    from stepwell.messages import ExecutionResult


class StepwellError(Exception):
    """Whatever keeps a caller from having what it asked for."""


class StepError(StepwellError):
    """A step that did not complete, as `ExecutionResult.or_throw` reports it."""

    def __init__(self, result: ExecutionResult, message: str) -> None:
        super().__init__(message)
        self.result = result
        """The result that says so, with all that the step had put out by then."""

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.result, str(self))


class StepFailedError(StepError):
    """The step's own code failed: it raised, exited with a code other than 0, or died."""


class StepTimedOutError(StepError):
    """The step's own code ran into its wall-clock limit."""


class StepLimitError(StepError):
    """The step's own code ran into a limit on memory, processes or disk."""


class StepCancelledError(StepError):
    """The step was cancelled before it ended."""


class RequestRejectedError(StepError):
    """The request was not run, for a reason that lies in the request."""


class SessionExistsError(RequestRejectedError):
    """A fork was to have the name of a session that there is already."""


class SessionUnknownError(RequestRejectedError):
    """There is no such session: it has had no step, has ended, or has expired."""


class StateUnavailableError(RequestRejectedError):
    """No state is retained of the step that was asked for, nor of one before it."""


class FileMissingError(RequestRejectedError):
    """The workspace has nothing at that path."""


class FileRefusedError(RequestRejectedError):
    """A file can't be read or put: no regular file, something in its way, or beyond the caps."""


class InfrastructureError(StepError):
    """Stepwell failed, and the step's code is not to blame."""

    @property
    def retry_safe(self) -> bool:
        """Whether the code has certainly not run, so that sending it again repeats no effect."""
        return self.result.error is not None and self.result.error.retry_safe


class InvalidMessageError(StepwellError, ValueError):
    """A message breaks the protocol; a request that does is not sent."""

    def __init__(self, code: ErrorCode, field: str | None, message: str) -> None:
        super().__init__(message)
        self.code = code
        """What rule it breaks."""
        self.field = field
        """The path of the field at fault, as the wire names it: `limits.wallTimeMs`."""

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.code, self.field, str(self))


class VariableError(StepwellError):
    """A variable can't be brought into a sandbox; the message names it, its type and the ways."""


class VariableNotPortableError(StepwellError):
    """A variable can't be brought out of a sandbox without unpickling what the sandbox wrote."""


class NoAnswerError(StepwellError):
    """No answer came within the time that the caller allowed.

    The request stands: its step may be waiting, running, or done. Whoever holds its `Execution`
    can wait again or cancel it.
    """

    def __init__(self, request_id: str, message: str) -> None:
        super().__init__(message)
        self.request_id = request_id
        """The id of the request that has no answer."""

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.request_id, str(self))


class BrokerUnreachableError(StepwellError):
    """There is no connection to Kafka, or it refuses this client.

    Where it happens after connecting, the message says whether the request may be published.
    """


class TopicMissingError(StepwellError):
    """Kafka is there, and a topic that Stepwell needs is not."""


class MessageTooLargeError(StepwellError):
    """A request has more bytes than may be sent. It was not sent."""

    def __init__(self, size: int, limit_bytes: int) -> None:
        super().__init__(
            f"the request has {size} bytes, more than the limit of {limit_bytes}: send less "
            "source, stdin or files, put files into the session beforehand with "
            "session.files.put, or "
            "raise max_request_bytes here and the limits of topic and workers"
        )
        self.bytes = size
        """The size of the request's message."""
        self.limit_bytes = limit_bytes
        """The limit that it broke."""

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.bytes, self.limit_bytes)


class TooManyInFlightError(StepwellError):
    """As many requests as are allowed had no answer yet, for too long. It was not sent."""


class UnreadableResultError(StepwellError):
    """The request was answered in a way that this client doesn't understand.

    Most likely the worker is newer than the client.
    """


class ClientClosedError(StepwellError):
    """The client was closed. A request that had no answer then may still run."""


class ClientForkedError(ClientClosedError):
    """The client was made by the parent of this process and can't be used here."""
