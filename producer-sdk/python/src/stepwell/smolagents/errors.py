"""What a step of an agent can fail by. All are smolagents' ``AgentError``; the classes say whose
fault it was.
"""

from __future__ import annotations

from typing import Any

from smolagents.utils import AgentError

from stepwell import ExecutionResult


class StepwellAgentError(AgentError):  # type: ignore[misc]
    """A step that has no value to give.

    Attributes:
        result: what the worker answered; None where nothing was sent, or nothing came back.
        state: ``{"_print_outputs": ...}``, what the step printed before, as smolagents looks for
            it.
    """

    def __init__(
        self, message: str, logger: Any, result: ExecutionResult | None = None, logs: str = ""
    ) -> None:
        super().__init__(message, logger)
        self.result = result
        self.state: dict[str, Any] = {"_print_outputs": logs}


class StepError(StepwellAgentError):
    """The step's own code failed, ended its process, or came to a limit: the model can mend it."""


class StepTimeLimitError(StepError):
    """The step ran into its time limit and was ended; the session's state is as it was before the
    step.
    """


class StepMemoryLimitError(StepError):
    """The step ran into its memory limit; the session's state is as it was before the step."""


class MissingPackagesError(StepwellAgentError):
    """The profile lacks packages that a tool or the agent needs; the message says how to get them
    there.

    Attributes:
        packages: their names, as a package index has them.
    """

    def __init__(
        self,
        message: str,
        logger: Any,
        packages: tuple[str, ...],
        result: ExecutionResult | None = None,
        logs: str = "",
    ) -> None:
        super().__init__(message, logger, result, logs)
        self.packages = packages


class ToolRefusedError(StepwellAgentError):
    """A tool can't be brought into a sandbox; the message names it, the reason and the way out.
    Nothing was run.
    """


class VariableRefusedError(StepwellAgentError):
    """A variable can't be brought into a sandbox; the message names it, the reason and the way out.
    Nothing was run.
    """


class RequestRefusedError(StepwellAgentError):
    """A worker did not accept the step, such as for a limit beyond the profile's; the code has not
    run.
    """


class ExecutorFailedError(StepwellAgentError):
    """Stepwell failed, not the code: no broker, no worker, no sandbox. The code may or may not have
    run.
    """


class ExecutorClosedError(StepwellAgentError):
    """The executor was used after ``cleanup()``."""
