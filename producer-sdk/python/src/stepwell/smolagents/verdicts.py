"""From an outcome to the error that an agent gets to see."""

from __future__ import annotations

import json
from typing import Any

from stepwell import ExecutionResult, Outcome
from stepwell.smolagents import errors, requirements

_MISSING_PACKAGES = "_StepwellMissingPackages"


def error_of(result: ExecutionResult, logger: Any, logs: str) -> errors.StepwellAgentError | None:
    """Why a step has no value, as an exception; None where it completed."""
    outcome = result.outcome
    if outcome is Outcome.COMPLETED:
        return None
    told = result.error.message if result.error is not None else outcome.name
    if outcome is Outcome.FAILED:
        return _failed(result, logger, logs)
    if outcome is Outcome.EXITED:
        message = (
            f"The code ended its own process with exit code {result.exit_code}. Don't "
            "exit: let the code run to its end"
        )
        return errors.StepError(message, logger, result, logs)
    if outcome is Outcome.TIMED_OUT:
        message = (
            "The code ran into its time limit and was ended; variables are as they were "
            f"before it. {told}"
        )
        return errors.StepTimeLimitError(message, logger, result, logs)
    if outcome is Outcome.OUT_OF_MEMORY:
        message = (
            "The code ran into its memory limit and was ended; variables are as they "
            f"were before it. {told}"
        )
        return errors.StepMemoryLimitError(message, logger, result, logs)
    if outcome is Outcome.REJECTED:
        return errors.RequestRefusedError(
            f"The code was not run, for the request was not accepted: {told}", logger, result, logs
        )
    if outcome is Outcome.INFRASTRUCTURE:
        message = f"Stepwell could not run the code, which is no fault of the code: {told}"
        return errors.ExecutorFailedError(message, logger, result, logs)
    return errors.StepError(
        f"The code was ended ({outcome.name}); variables are as they were before it. {told}",
        logger,
        result,
        logs,
    )


def _failed(result: ExecutionResult, logger: Any, logs: str) -> errors.StepwellAgentError:
    exception = result.exception
    if exception is None:
        return errors.StepError(
            "The code failed, and there is no telling how", logger, result, logs
        )
    if exception.name == _MISSING_PACKAGES:
        missing = _missing(exception.message)
        if missing:
            told = ", ".join(f"{package} (for {who})" for who, package in missing)
            packages = tuple(requirements.distribution(package) for _, package in missing)
            message = (
                f"The profile lacks packages: {told}. "
                f"{requirements.way_out(package for _, package in missing)}"
            )
            return errors.MissingPackagesError(message, logger, packages, result, logs)
    return errors.StepError(f"Code execution failed:\n{exception.traceback}", logger, result, logs)


def _missing(message: str) -> list[tuple[str, str]]:
    """What the check in the sandbox said; nothing where code only pretends to be the check."""
    try:
        told = json.loads(message)
        return [(str(who), str(package)) for who, package in told]
    except (ValueError, TypeError):
        return []
