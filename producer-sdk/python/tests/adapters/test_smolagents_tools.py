"""Tools on their way into a session: what they bring along, and those that are refused."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("smolagents")

from smolagents import CodeAgent, Tool
from smolagents.default_tools import FinalAnswerTool, PythonInterpreterTool
from smolagents.monitoring import AgentLogger, LogLevel
from smolagents.utils import AgentError

from adapters import smol_tools
from adapters.live import LiveAnswers
from adapters.scripted import ScriptedModel
from stepwell.smolagents import MissingPackagesError, StepwellExecutor, ToolRefusedError
from stepwell.testing import FakeStepwell

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


def test_arguments_of_constructors_are_kept(executor: StepwellExecutor) -> None:
    plain = smol_tools.Keyed("SECRET", extra={"deep": (1, 2)})
    changed = smol_tools.Keyed("before")
    changed.key = "after"
    executor.send_tools({"plain": plain, "changed": changed, "held": smol_tools.Connected("c")})
    code = "plain('x'), plain.extra, changed('x'), held('x')"
    assert executor(code).output == ("SECRET:x", {"deep": (1, 2)}, "after:x", "c:x")


def test_argument_that_is_not_known_is_named_or_given(live: LiveAnswers) -> None:
    executor = answering(live)
    with pytest.raises(ToolRefusedError, match=r"(?s)'changing'.*argument 'key'.*tool_arguments"):
        executor.send_tools({"changing": smol_tools.Changing("abc")})
    assert live.requests == []
    executor = answering(live, tool_arguments={"changing": {"key": "abc"}})
    executor.send_tools({"changing": smol_tools.Changing("abc")})
    assert executor("changing('x')").output == "ABC:x"


def test_argument_that_is_changed_before_it_is_kept_is_not_known(live: LiveAnswers) -> None:
    with pytest.raises(ToolRefusedError, match="argument 'key'"):
        answering(live).send_tools({"rebinding": smol_tools.Rebinding("k")})


def test_argument_that_cannot_travel_is_named(live: LiveAnswers) -> None:
    executor = answering(live)
    with pytest.raises(ToolRefusedError, match=r"(?s)'keyed'.*'extra'.*lock"):
        executor.send_tools({"keyed": smol_tools.Keyed("k", extra=threading.Lock())})
    assert live.requests == []


class MCPAdaptTool(Tool):  # type: ignore[misc]
    name = "remote"
    description = "d"
    inputs: dict[str, Any] = {}
    output_type = "string"

    def forward(self) -> str:
        return ""


class SpaceToolWrapper(MCPAdaptTool):
    pass


@pytest.mark.parametrize(
    ("tool", "reason"),
    [
        (MCPAdaptTool(), "MCP server"),
        (SpaceToolWrapper(), "Space on the Hub"),
        (PythonInterpreterTool(), "can't"),
        (lambda: 1, "not a smolagents Tool"),
    ],
)
def test_tool_that_lives_here_is_refused_before_any_step(
    live: LiveAnswers, tool: object, reason: str
) -> None:
    executor = answering(live)
    with pytest.raises(ToolRefusedError, match=reason) as caught:
        executor.send_tools({"remote": tool, "final_answer": FinalAnswerTool()})
    assert isinstance(caught.value, AgentError)
    assert live.requests == []


def test_managed_agent_is_refused_before_any_step(live: LiveAnswers) -> None:
    inner = CodeAgent([], ScriptedModel(), name="inner", description="d")
    executor = answering(live)
    outer = CodeAgent([], ScriptedModel("1"), managed_agents=[inner], executor=executor)
    with pytest.raises(ToolRefusedError, match="Managed agent 'inner'"):
        outer.run("go")
    assert live.requests == []


def test_missing_packages_are_named_with_the_way_out(live: LiveAnswers) -> None:
    executor = StepwellExecutor(
        ["numpy", "numpy.linalg", "PIL", "queue", "*", "sklearn_nowhere>=2"],
        QUIET,
        client=FakeStepwell(live),
    )
    executor.send_tools({"needs": smol_tools.WithRequirement()})
    for _ in range(2):
        with pytest.raises(MissingPackagesError) as caught:
            executor("print('never')")
        assert caught.value.packages == ("sklearn_nowhere", "no_such_package_anywhere")
        assert "--pip no_such_package_anywhere,sklearn_nowhere" in str(caught.value)
        assert caught.value.state == {"_print_outputs": ""}
