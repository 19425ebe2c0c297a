from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import EntryPoint, entry_points

import pytest

pytest.importorskip("smolagents")

from smolagents import CodeAgent
from smolagents.monitoring import AgentLogger, LogLevel

from adapters import smol_tools
from adapters.live import LiveAnswers
from adapters.scripted import ScriptedModel
from stepwell.smolagents import StepwellExecutor, ToolRefusedError
from stepwell.testing import FakeStepwell

QUIET = AgentLogger(LogLevel.OFF)

STEPS = (
    "sides = [area(w, 2) for w in widths]\nprint('sides', sides)",
    "print('so far')\nsides['no']",
    "final_answer(sum(sides))",
)


def test_agent_uses_a_tool_fails_recovers_and_answers() -> None:
    live = LiveAnswers()
    model = ScriptedModel(*STEPS)
    executor = StepwellExecutor([], QUIET, client=FakeStepwell(live))
    with CodeAgent([smol_tools.area], model, executor=executor, verbosity_level=0) as agent:
        assert agent.run("go", additional_args={"widths": [1, 2, 3]}) == 12.0
        first, second, third = agent.memory.steps[1:4]
        assert "sides [2.0, 4.0, 6.0]" in first.observations
        assert second.observations == "Execution logs:\nso far\n"
        assert "TypeError" in second.error.message
        assert third.is_final_answer
    assert len(live.requests) == 3
    assert [request.prelude is None for request in live.requests] == [False, True, True]


def test_second_run_sends_nothing_again() -> None:
    live = LiveAnswers()
    executor = StepwellExecutor([], QUIET, client=FakeStepwell(live))
    model = ScriptedModel(*STEPS, "final_answer(len(sides))")
    agent = CodeAgent([smol_tools.area], model, executor=executor, verbosity_level=0)
    agent.run("go", additional_args={"widths": [1, 2, 3]})
    assert agent.run("again", reset=False) == 3
    assert len(live.requests) == 4
    assert live.requests[-1].prelude is None


def test_refused_tool_fails_the_run_before_any_step() -> None:
    live = LiveAnswers()
    executor = StepwellExecutor([], QUIET, client=FakeStepwell(live))
    agent = CodeAgent([smol_tools.Changing("k")], ScriptedModel("1"), executor=executor)
    with pytest.raises(ToolRefusedError, match="keyed"):
        agent.run("go")
    assert live.requests == []


def test_agents_side_by_side_do_not_meet() -> None:
    client = FakeStepwell(LiveAnswers())

    def run(number: int) -> object:
        executor = StepwellExecutor([], QUIET, client=client)
        model = ScriptedModel("mine = start", "mine += 1", "final_answer(mine)")
        with CodeAgent([], model, executor=executor, verbosity_level=0) as agent:
            return agent.run("go", additional_args={"start": number * 10})

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(run, range(20))) == [number * 10 + 1 for number in range(20)]


def test_entry_point_makes_an_executor(monkeypatch: pytest.MonkeyPatch) -> None:
    (found,) = entry_points(group="smolagents.executors", name="stepwell")
    assert isinstance(found, EntryPoint)
    factory = found.load()
    executor = factory(["numpy"], QUIET, client=FakeStepwell(LiveAnswers()), timeout=5)
    assert isinstance(executor, StepwellExecutor)
    assert executor.installed_packages == ["numpy"]
