"""Results to answer steps with. Ids, session and step number are filled in by the fake."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from stepwell.messages import ExceptionReport, ExecutionResult, ResultError, Value
from stepwell.names import ErrorCode, Outcome

WORKER: str = "fake-worker"
_UNSAID: str = "-"


def completed(
    stdout: str = "",
    *,
    stderr: str = "",
    value: Value | None = None,
    displays: Sequence[Value] = (),
) -> ExecutionResult:
    """The result of a step that ran to its end."""
    return dataclasses.replace(
        _ended(Outcome.COMPLETED),
        exit_code=0,
        stdout=stdout,
        stderr=stderr,
        value=value,
        displays=tuple(displays),
    )


def value(what: object, **mime: str) -> Value:
    """A value as a sandbox would describe it, with richer forms such as `text_html="<b>1</b>"`."""
    kind = type(what)
    forms = {name.replace("_", "/", 1): form for name, form in mime.items()}
    return Value(repr(what), f"{kind.__module__}.{kind.__qualname__}", forms)


def failed(
    name: str = "ValueError",
    message: str = "",
    *,
    line: int | None = 1,
    stdout: str = "",
    stderr: str = "",
) -> ExecutionResult:
    """The result of a step that an exception left."""
    where = "" if line is None else f'  File "/session/step.py", line {line}, in <module>\n'
    traceback = f"Traceback (most recent call last):\n{where}{name}: {message}\n"
    return dataclasses.replace(
        _ended(Outcome.FAILED),
        exit_code=1,
        stdout=stdout,
        stderr=stderr,
        exception=ExceptionReport(name, message, traceback, line),
    )


def exited(exit_code: int, *, stdout: str = "", stderr: str = "") -> ExecutionResult:
    """The result of a step that ended itself."""
    return dataclasses.replace(
        _ended(Outcome.EXITED), exit_code=exit_code, stdout=stdout, stderr=stderr
    )


def timed_out(*, stdout: str = "") -> ExecutionResult:
    """The result of a step that ran into its wall-clock limit."""
    return dataclasses.replace(
        _ended(Outcome.TIMED_OUT, ErrorCode.TIME_LIMIT, "the step ran into its wall-clock limit"),
        signal="SIGKILL",
        stdout=stdout,
    )


def cancelled() -> ExecutionResult:
    """The result of a step that was cancelled."""
    return _ended(Outcome.CANCELLED, ErrorCode.CANCELLED, "a client asked for it")


def rejected(code: ErrorCode, message: str, field: str | None = None) -> ExecutionResult:
    """The result of a request that was not run, for a reason in it."""
    return _ended(Outcome.REJECTED, code, message, field, retry_safe=True)


def infrastructure(
    code: ErrorCode = ErrorCode.SANDBOX_LOST,
    message: str = "the sandbox was lost while the code ran",
    *,
    retry_safe: bool = False,
) -> ExecutionResult:
    """The result of a request that Stepwell failed at."""
    return _ended(Outcome.INFRASTRUCTURE, code, message, retry_safe=retry_safe)


def _ended(
    outcome: Outcome,
    code: ErrorCode | None = None,
    message: str = "",
    field: str | None = None,
    *,
    retry_safe: bool = False,
) -> ExecutionResult:
    error = None if code is None else ResultError(code, message, field, retry_safe)
    return ExecutionResult(request_id=_UNSAID, outcome=outcome, error=error, worker_id=WORKER)
