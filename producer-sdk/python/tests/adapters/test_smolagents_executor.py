import threading
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("smolagents")

from smolagents.default_tools import FinalAnswerTool
from smolagents.monitoring import AgentLogger, LogLevel

from adapters import smol_tools
from adapters.live import LiveAnswers
from stepwell import ErrorCode, ExecutionResult, LostValue, Outcome, StateReport
from stepwell.messages import End, ExecutionRequest
from stepwell.smolagents import (
    ExecutorClosedError,
    ExecutorFailedError,
    RequestRefusedError,
    StepError,
    StepTimeLimitError,
    StepwellExecutor,
    VariableRefusedError,
)
from stepwell.testing import FakeStepwell, infrastructure, rejected, timed_out

QUIET = AgentLogger(LogLevel.OFF)


@pytest.fixture
def live() -> LiveAnswers:
    return LiveAnswers()


@pytest.fixture
def executor(live: LiveAnswers) -> Iterator[StepwellExecutor]:
    with FakeStepwell(live) as client, StepwellExecutor([], QUIET, client=client) as made:
        yield made


def answering(answer: Any, **options: Any) -> StepwellExecutor:
    return StepwellExecutor([], QUIET, client=FakeStepwell(answer), **options)


def test_making_it_runs_no_step(live: LiveAnswers, executor: StepwellExecutor) -> None:
    assert live.requests == []
    assert executor.installed_packages == []


def test_nothing_to_send_sends_nothing(live: LiveAnswers, executor: StepwellExecutor) -> None:
    executor.send_tools({})
    executor.send_variables({})
    executor("1")
    assert [request.prelude for request in live.requests] == [None]


def test_tools_and_variables_ride_along_once(live: LiveAnswers, executor: StepwellExecutor) -> None:
    for _ in range(2):
        executor.send_variables({"n": 2, "seen": [1]})
        executor.send_tools({"area": smol_tools.area, "keyed": smol_tools.Keyed("k")})
        executor("seen.append(n)")
    assert executor("seen, area(2, 3), keyed('x')").output == ([1, 2, 2], 6.0, "k:x")
    assert [request.prelude is None for request in live.requests] == [False, True, True]


def test_only_what_changed_is_sent_again(live: LiveAnswers, executor: StepwellExecutor) -> None:
    executor.send_variables({"a": 1, "b": 2})
    executor("a = 10; b = 20")
    executor.send_variables({"a": 1, "b": 3})
    assert executor("a, b").output == (10, 3)
    executor.send_tools({"keyed": smol_tools.Keyed("old")})
    executor("1")
    executor.send_tools({"keyed": smol_tools.Keyed("new")})
    assert executor("keyed('x')").output == "new:x"
    assert "class _StepwellTool" not in (live.requests[-1].prelude or "")


def test_tool_that_code_has_overwritten_is_sent_again(executor: StepwellExecutor) -> None:
    executor.send_tools({"area": smol_tools.area})
    executor("area = 5")
    executor.send_tools({"area": smol_tools.area})
    assert executor("area(1, 2)").output == 2.0


def test_prelude_waits_until_a_step_has_kept_it(
    live: LiveAnswers, executor: StepwellExecutor
) -> None:
    executor.send_variables({"n": 1})
    live.lose = [Outcome.TIMED_OUT]
    with pytest.raises(StepTimeLimitError):
        executor("while True: pass")
    assert executor("n").output == 1
    executor("n")
    assert [request.prelude is None for request in live.requests] == [False, False, True]


def test_prelude_counts_as_kept_though_the_code_failed(
    live: LiveAnswers, executor: StepwellExecutor
) -> None:
    executor.send_variables({"n": 1})
    with pytest.raises(StepError, match="ZeroDivisionError"):
        executor("1 / 0")
    assert executor("n").output == 1
    assert live.requests[-1].prelude is None


def test_lost_tool_is_sent_again(live: LiveAnswers) -> None:
    def losing(request: ExecutionRequest) -> ExecutionResult:
        import dataclasses

        result = live(request)
        lost = (LostValue("area", "area.lock", "lock", "no", None),)
        return dataclasses.replace(result, state=StateReport(saved=True, lost=lost))

    executor = answering(losing)
    executor.send_tools({"area": smol_tools.area})
    logs = executor("1").logs
    assert "not kept for the next step: area.lock (lock): no" in logs
    executor("2")
    assert "def area" in (live.requests[-1].prelude or "")
    assert "class _StepwellTool" not in (live.requests[-1].prelude or "")


def test_notebook_commands_are_refused_without_a_step(live: LiveAnswers) -> None:
    executor = answering(live)
    with pytest.raises(StepError, match="images build NAME --base data --pip six"):
        executor("!pip install -q six\nimport six")
    with pytest.raises(StepError, match="subprocess"):
        executor("%ls /")
    assert live.requests == []
    assert executor("10\\\n% 3").output == 1


def test_prints_before_an_error_are_kept(executor: StepwellExecutor) -> None:
    with pytest.raises(StepError) as caught:
        executor("print('before'); 1 / 0")
    assert executor.state == {"_print_outputs": "before\n"} == caught.value.state


def test_final_answer_ends_the_step(executor: StepwellExecutor) -> None:
    executor.send_tools({"final_answer": FinalAnswerTool()})
    output = executor(
        "try:\n    final_answer({'a': (1, b'x')})\nexcept Exception:\n    pass\nn = 1"
    )
    assert (output.output, output.is_final_answer) == ({"a": (1, b"x")}, True)
    with pytest.raises(StepError, match="NameError"):
        executor("n")


def test_first_final_answer_stands_though_it_was_swallowed(executor: StepwellExecutor) -> None:
    executor.send_tools({"final_answer": FinalAnswerTool()})
    output = executor("try:\n    final_answer(1)\nexcept:\n    pass\nfinal_answer(2)")
    assert (output.output, output.is_final_answer) == (1, True)


def test_none_is_an_answer(executor: StepwellExecutor) -> None:
    executor.send_tools({"final_answer": FinalAnswerTool()})
    output = executor("final_answer(None)")
    assert (output.output, output.is_final_answer) == (None, True)


def test_custom_final_answers(executor: StepwellExecutor) -> None:
    executor.send_tools({"final_answer": smol_tools.PlusOne()})
    assert executor("final_answer(41)").output == 42
    executor.send_tools({"final_answer": smol_tools.TwoInputs()})
    assert executor("final_answer(first='a', second='b')").output == "a/b"


def test_answer_without_safe_form_is_an_error_of_the_code(executor: StepwellExecutor) -> None:
    executor.send_tools({"final_answer": FinalAnswerTool()})
    with pytest.raises(StepError, match="can't carry this answer: it is or holds builtins.object"):
        executor("final_answer(object())")


def test_time_limit_says_so_and_keeps_prints() -> None:
    executor = answering(lambda _: timed_out(stdout="half\n"), timeout=2)
    with pytest.raises(StepTimeLimitError, match="time limit"):
        executor("while True: pass")
    assert executor.state == {"_print_outputs": "half\n"}


def test_infrastructure_is_told_apart_and_tried_again_where_that_is_safe() -> None:
    tries: list[ExecutionRequest] = []

    def answer(request: ExecutionRequest) -> Any:
        tries.append(request)
        return infrastructure(retry_safe=True) if len(tries) < 3 else "back\n"

    assert answering(answer)("1").logs == "back\n"
    assert len({request.request_id for request in tries}) == 3
    client = FakeStepwell(lambda _: infrastructure())
    with pytest.raises(ExecutorFailedError, match="no fault of the code"):
        StepwellExecutor([], QUIET, client=client)("1")
    assert len(client.requests) == 1


def test_rejection_is_told_apart() -> None:
    executor = answering(lambda _: rejected(ErrorCode.UNKNOWN_PROFILE, "no profile x"))
    with pytest.raises(RequestRefusedError, match="no profile x"):
        executor("1")


def test_variable_that_cannot_travel_is_named(live: LiveAnswers) -> None:
    executor = answering(live)
    with pytest.raises(VariableRefusedError, match="'lock'"):
        executor.send_variables({"fine": 1, "lock": threading.Lock()})
    assert executor("'fine' in globals()").output is False


def test_cleanup_ends_the_session_once_and_the_executor(live: LiveAnswers) -> None:
    client = FakeStepwell(live)
    executor = StepwellExecutor([], QUIET, client=client)
    executor("1")
    executor.cleanup()
    executor.delete()
    assert [type(each.operation) for each in client.operations] == [End]
    assert client.run("1").outcome is Outcome.COMPLETED
    with pytest.raises(ExecutorClosedError):
        executor("1")


def test_named_session_outlives_the_executor(live: LiveAnswers) -> None:
    client = FakeStepwell(live)
    with StepwellExecutor([], QUIET, client=client, session_id="mine") as executor:
        executor("n = 1")
    with StepwellExecutor([], QUIET, client=client, session_id="mine", keep_session=False) as again:
        assert again("n").output == 1
    assert len(client.operations) == 1


def test_options_reach_the_step(live: LiveAnswers) -> None:
    executor = answering(live, profile="data", timeout=1.5, memory=1 << 28, environment={"A": "b"})
    executor("1")
    request = live.requests[0]
    assert (request.profile, request.limits.wall_time_ms) == ("data", 1500)
    assert (request.limits.memory_bytes, request.environment) == (1 << 28, {"A": "b"})
    with pytest.raises(ValueError, match="wall_time"):
        answering(live, timeout=0)


def test_where_kafka_is_has_to_be_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STEPWELL_BOOTSTRAP", raising=False)
    with pytest.raises(ValueError, match="STEPWELL_BOOTSTRAP"):
        StepwellExecutor([], QUIET)
    with pytest.raises(ValueError, match="not both"):
        StepwellExecutor([], QUIET, client=FakeStepwell(), bootstrap="host:1")
