"""What adapters to other frameworks have in common. Not for programs: it may change."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, Final

from stepwell.errors import StepwellError
from stepwell.names import Outcome

if TYPE_CHECKING:
    from stepwell.aio.execution import AsyncExecution
    from stepwell.execution import Execution
    from stepwell.messages import ExecutionResult
    from stepwell.session import Session
    from stepwell.step import Step

# How often a step is sent that certainly has not run.
TRIES: Final = 3
# The longest time limit that a profile allows unless its configuration says more.
_LONGEST_STEP_SECONDS: Final = 600.0
# How long a step may wait for its turn, on top of its own time.
_WAITING_SECONDS: Final = 300.0


def address(bootstrap: str | None) -> str:
    """Kafka's address: as given, or as the environment has it. Raises ValueError where neither
    says.
    """
    found = bootstrap or os.environ.get("STEPWELL_BOOTSTRAP")
    if not found:
        raise ValueError("say where Kafka is: bootstrap='host:port', or set STEPWELL_BOOTSTRAP")
    return found


def run(session: Session, step: Step) -> ExecutionResult:
    """Runs a step, and once more where it certainly has not run; who is interrupted cancels it."""
    result = _run_once(session, step)
    for _ in range(TRIES - 1):
        if not has_certainly_not_run(result):
            break
        result = _run_once(session, step)
    return result


def has_certainly_not_run(result: ExecutionResult) -> bool:
    """Whether Stepwell failed before the step's code began, so that it may be sent again."""
    error = result.error
    return result.outcome is Outcome.INFRASTRUCTURE and error is not None and error.retry_safe


def patience(step: Step) -> float:
    """How many seconds an answer to a step is worth waiting for."""
    limit = step.limits.wall_time_ms
    return (_LONGEST_STEP_SECONDS if limit is None else limit / 1000) + _WAITING_SECONDS


def joined(text: str, more: str) -> str:
    """Two texts, the second on a line of its own."""
    return text + ("\n" if text and more and not text.endswith("\n") else "") + more


def _run_once(session: Session, step: Step) -> ExecutionResult:
    execution = session.submit(step)
    try:
        return execution.result(patience(step))
    except BaseException:
        give_up(execution)
        raise


def give_up(execution: Execution | AsyncExecution) -> None:
    """Cancels a step that nobody waits for any more, as far as that can still be done."""
    with contextlib.suppress(StepwellError):
        execution.cancel()
    execution.abandon()
