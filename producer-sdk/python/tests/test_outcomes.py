from __future__ import annotations

import dataclasses

import pytest

from stepwell import errors
from stepwell.messages import ExecutionResult
from stepwell.names import ErrorCode, Outcome
from stepwell.testing import (
    cancelled,
    completed,
    exited,
    failed,
    infrastructure,
    rejected,
    timed_out,
)


def of_session(result: ExecutionResult, step: int | None = 4) -> ExecutionResult:
    return dataclasses.replace(result, request_id="r-4", session_id="agent", step=step)


def other(outcome: Outcome) -> ExecutionResult:
    return ExecutionResult(request_id="r-4", outcome=outcome, worker_id="w", signal="SIGSEGV")


@pytest.mark.parametrize("result", [completed("x"), exited(0)])
def test_good_results_come_back_themselves(result: ExecutionResult) -> None:
    assert result.or_throw() is result


@pytest.mark.parametrize(
    ("result", "kind"),
    [
        (failed(), errors.StepFailedError),
        (exited(3), errors.StepFailedError),
        (other(Outcome.CRASHED), errors.StepFailedError),
        (timed_out(), errors.StepTimedOutError),
        (other(Outcome.OUT_OF_MEMORY), errors.StepLimitError),
        (other(Outcome.LIMIT_EXCEEDED), errors.StepLimitError),
        (cancelled(), errors.StepCancelledError),
        (rejected(ErrorCode.UNKNOWN_PROFILE, "no"), errors.RequestRejectedError),
        (rejected(ErrorCode.SESSION_EXISTS, "no"), errors.SessionExistsError),
        (rejected(ErrorCode.SESSION_UNKNOWN, "no"), errors.SessionUnknownError),
        (rejected(ErrorCode.STEP_UNKNOWN, "no"), errors.StateUnavailableError),
        (rejected(ErrorCode.BASE_INVALID, "no"), errors.StateUnavailableError),
        (rejected(ErrorCode.FILE_NOT_FOUND, "no"), errors.FileMissingError),
        (rejected(ErrorCode.FILE_REFUSED, "no"), errors.FileRefusedError),
        (infrastructure(), errors.InfrastructureError),
    ],
)
def test_every_other_outcome_has_its_error(
    result: ExecutionResult, kind: type[errors.StepError]
) -> None:
    with pytest.raises(errors.StepError) as caught:
        result.or_throw()
    assert type(caught.value) is kind
    assert caught.value.result is result


def test_every_outcome_is_covered() -> None:
    for outcome in Outcome:
        result = other(outcome)
        if outcome is Outcome.COMPLETED:
            assert result.or_throw() is result
        else:
            with pytest.raises(errors.StepError):
                result.or_throw()


def test_messages_name_step_reason_and_line() -> None:
    with pytest.raises(errors.StepFailedError) as caught:
        of_session(failed("KeyError", "'paint'", line=2)).or_throw()
    assert str(caught.value) == "step 4 of session agent raised KeyError: 'paint' at line 2"
    with pytest.raises(errors.RequestRejectedError) as refused:
        of_session(rejected(ErrorCode.DEADLINE_PASSED, "too late"), None).or_throw()
    assert str(refused.value) == (
        "request r-4 of session agent was rejected: too late (DEADLINE_PASSED)"
    )


def test_infrastructure_errors_say_whether_a_retry_is_safe() -> None:
    for safe in (True, False):
        with pytest.raises(errors.InfrastructureError) as caught:
            infrastructure(retry_safe=safe).or_throw()
        assert caught.value.retry_safe is safe
        assert ("a retry is safe" in str(caught.value)) is safe


def test_all_errors_are_of_one_family() -> None:
    kinds = [
        kind
        for name in vars(errors)
        if name.endswith("Error") and isinstance(kind := getattr(errors, name), type)
    ]
    assert len(kinds) == 24
    for kind in kinds:
        assert issubclass(kind, errors.StepwellError)
        assert kind.__name__ in (errors.__doc__ or "")
