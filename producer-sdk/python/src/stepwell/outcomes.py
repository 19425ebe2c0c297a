"""Turns results into errors, for callers that expect their steps to complete."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from stepwell import errors
from stepwell.names import ErrorCode, Outcome

if TYPE_CHECKING:
    from stepwell.messages import ExecutionResult

_REJECTIONS: Final[dict[ErrorCode, type[errors.RequestRejectedError]]] = {
    ErrorCode.SESSION_EXISTS: errors.SessionExistsError,
    ErrorCode.SESSION_UNKNOWN: errors.SessionUnknownError,
    ErrorCode.STEP_UNKNOWN: errors.StateUnavailableError,
    ErrorCode.BASE_INVALID: errors.StateUnavailableError,
    ErrorCode.FILE_NOT_FOUND: errors.FileMissingError,
    ErrorCode.FILE_REFUSED: errors.FileRefusedError,
}


def error_of(result: ExecutionResult) -> errors.StepError | None:
    """The error that a result is to a caller who expected completion, or None for a good one."""
    outcome = result.outcome
    if outcome is Outcome.COMPLETED:
        return None
    if outcome is Outcome.EXITED:
        return _exited(result)
    if outcome is Outcome.FAILED:
        return errors.StepFailedError(result, _raised(result))
    if outcome is Outcome.CRASHED:
        return errors.StepFailedError(result, _sentence(result, f"died of {result.signal}"))
    if outcome is Outcome.TIMED_OUT:
        return errors.StepTimedOutError(result, _sentence(result, "ran out of time"))
    if outcome in (Outcome.OUT_OF_MEMORY, Outcome.LIMIT_EXCEEDED):
        return errors.StepLimitError(result, _sentence(result, "ran into a limit"))
    if outcome is Outcome.CANCELLED:
        return errors.StepCancelledError(result, _sentence(result, "was cancelled"))
    if outcome is Outcome.REJECTED:
        return _rejected(result)
    return errors.InfrastructureError(result, _failed_below(result))


def name_of(result: ExecutionResult) -> str:
    """What people call the step: its number and session, else its request."""
    if result.session_id is None:
        return f"request {result.request_id}"
    if result.step is None:
        return f"request {result.request_id} of session {result.session_id}"
    return f"step {result.step} of session {result.session_id}"


def _exited(result: ExecutionResult) -> errors.StepFailedError | None:
    """A step that ends itself with 0 says that all is well."""
    if result.exit_code == 0:
        return None
    return errors.StepFailedError(result, f"{name_of(result)} exited with {result.exit_code}")


def _rejected(result: ExecutionResult) -> errors.RequestRejectedError:
    kind = errors.RequestRejectedError
    if result.error is not None:
        kind = _REJECTIONS.get(result.error.code, kind)
    return kind(result, _sentence(result, "was rejected"))


def _raised(result: ExecutionResult) -> str:
    raised = result.exception
    if raised is None:
        return f"{name_of(result)} failed"
    line = "" if raised.line is None else f" at line {raised.line}"
    return f"{name_of(result)} raised {raised.name}: {raised.message}{line}"


def _failed_below(result: ExecutionResult) -> str:
    safe = result.error is not None and result.error.retry_safe
    ending = "its code has not run, a retry is safe" if safe else "its code may have run"
    return f"{_sentence(result, 'was not run to its end')}; {ending}"


def _sentence(result: ExecutionResult, what: str) -> str:
    if result.error is None:
        return f"{name_of(result)} {what}"
    return f"{name_of(result)} {what}: {result.error.message} ({result.error.code.name})"
