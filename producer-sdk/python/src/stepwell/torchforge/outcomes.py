"""What an execution came to, as values of the coder."""

from __future__ import annotations

import re
from dataclasses import dataclass

from stepwell import ExecutionResult, Outcome, StepwellError
from stepwell.adapting import joined

# The line that ends a script's traceback where it came to a limit that its own interpreter noticed.
_LIMITS = (
    (re.compile(r"MemoryError\b"), Outcome.OUT_OF_MEMORY),
    (re.compile(r"BlockingIOError: \[Errno 11\]"), Outcome.LIMIT_EXCEEDED),
    (re.compile(r"RuntimeError: can't start new thread\s*\Z"), Outcome.LIMIT_EXCEEDED),
    (re.compile(r"OSError: \[Errno 28\]"), Outcome.LIMIT_EXCEEDED),
)
# A read that would block raises BlockingIOError as well: it is a limit where a process was started.
_STARTS_PROCESS = re.compile(r"^[ \t][^\n]*(fork|spawn)", re.MULTILINE)


class CoderSetupError(StepwellError):
    """The coder can't run anything, such as for a profile that the workers don't have; the message
    has the way out.
    """


class CoderClosedError(StepwellError):
    """The coder was used before `setup` or after `close`."""


@dataclass(frozen=True, slots=True)
class CoderResult:
    """What one execution came to."""

    stdout: str
    stderr: str
    """What it wrote there, its traceback included; where it was ended, the last line says by what.
    """
    exit_code: int | None
    """The exit code of its process, 1 after an exception; None where something ended it."""
    outcome: Outcome
    """How it ended: COMPLETED, FAILED, EXITED, TIMED_OUT, OUT_OF_MEMORY, LIMIT_EXCEEDED, CRASHED or
    CANCELLED."""
    result: ExecutionResult
    """All that the worker said: timings, usage, the sandbox."""

    @property
    def succeeded(self) -> bool:
        """Whether the code ran to its end."""
        return self.outcome is Outcome.COMPLETED


def coder_result(result: ExecutionResult) -> CoderResult:
    """The coder's view of an answer to code that ran."""
    stderr = result.stderr
    outcome = result.outcome
    if result.exception is not None:
        stderr = joined(stderr, result.exception.traceback)
    elif outcome is Outcome.EXITED:
        outcome = _outcome_of_script(result)
    if result.error is not None:
        stderr = joined(stderr, f"[{outcome.name}] {result.error.message}\n")
    elif outcome in (Outcome.OUT_OF_MEMORY, Outcome.LIMIT_EXCEEDED):
        stderr = joined(stderr, f"[{outcome.name}] the script came to a limit of its sandbox\n")
    exit_code = result.exit_code
    if exit_code is None and outcome in (Outcome.COMPLETED, Outcome.FAILED):
        exit_code = 0 if outcome is Outcome.COMPLETED else 1
    return CoderResult(result.stdout, stderr, exit_code, outcome, result)


def _outcome_of_script(result: ExecutionResult) -> Outcome:
    """What a script's own interpreter means by its exit code: it ends with 1 after an exception,
    and says which.
    """
    if result.exit_code == 0:
        return Outcome.COMPLETED
    raised = _last_raised(result.stderr)
    is_traceback = "Traceback (most recent call last)" in result.stderr or "SyntaxError" in raised
    if result.exit_code != 1 or not is_traceback:
        return Outcome.EXITED
    outcome = next((outcome for sign, outcome in _LIMITS if sign.match(raised)), Outcome.FAILED)
    if raised.startswith("BlockingIOError") and not _STARTS_PROCESS.search(result.stderr):
        return Outcome.FAILED
    return outcome


def _last_raised(stderr: str) -> str:
    """The last line that is no part of a traceback's frames. That need not be the last of all: the
    processes of a fork bomb write their tracebacks at once, and a line of another may come later.
    """
    lines = (line for line in reversed(stderr.splitlines()) if line.strip())
    return next((line for line in lines if not line.startswith((" ", "\t", "Traceback ("))), "")
