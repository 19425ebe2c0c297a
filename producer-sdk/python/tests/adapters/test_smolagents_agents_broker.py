"""Limits, figures and whole agents in real sandboxes."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

pytest.importorskip("smolagents")

from smolagents import CodeAgent
from smolagents.monitoring import AgentLogger, LogLevel

from adapters import smol_tools
from adapters.scripted import ScriptedModel
from stepwell import SessionUnknownError, Stepwell
from stepwell.smolagents import (
    StepMemoryLimitError,
    StepTimeLimitError,
    StepwellExecutor,
    attach_figures,
)

pytestmark = pytest.mark.broker
QUIET = AgentLogger(LogLevel.OFF)


@pytest.fixture
def executor(client: Stepwell, data_profile: str) -> Iterator[StepwellExecutor]:
    with StepwellExecutor(["numpy", "pillow"], QUIET, client=client, profile=data_profile) as made:
        yield made


# Limits and failures.


def test_limits_are_told_apart_and_leave_the_session_usable(client: Stepwell) -> None:
    with StepwellExecutor([], QUIET, client=client, timeout=2, memory=200 << 20) as executor:
        executor.send_variables({"n": 1})
        with pytest.raises(StepTimeLimitError):
            executor("print('before', flush=True)\nn = 2\nwhile True: pass")
        assert executor.state == {"_print_outputs": "before\n"}
        with pytest.raises(StepMemoryLimitError):
            executor("x = bytearray(1 << 30)")
        assert executor("n").output == 1


def test_what_cannot_be_kept_is_told(executor: StepwellExecutor) -> None:
    logs = executor("import threading\nt = threading.Thread(target=print)\nt.start()\nn = 1").logs
    assert "not kept for the next step: t" in logs
    assert executor("n").output == 1


def test_figures_are_seen(client: Stepwell, data_profile: str) -> None:
    plot = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\nprint('drawn')"
    executor = StepwellExecutor([], QUIET, client=client, profile=data_profile)
    model = ScriptedModel(plot, "final_answer('seen')")
    callbacks = [attach_figures]
    with CodeAgent(
        [], model, executor=executor, verbosity_level=0, step_callbacks=callbacks
    ) as agent:
        assert agent.run("go") == "seen"
        first = agent.memory.steps[1]
    assert "[image 1: " in first.observations
    assert [image.format for image in first.observations_images] == ["PNG"]


# Whole agents.


def test_agent_uses_a_tool_fails_recovers_and_answers(client: Stepwell) -> None:
    model = ScriptedModel(
        "sides = [area(w, 2) for w in widths]\nprint('sides', sides)",
        "print('so far')\nsides['no']",
        "final_answer(sum(sides))",
    )
    executor = StepwellExecutor([], QUIET, client=client)
    with CodeAgent([smol_tools.area], model, executor=executor, verbosity_level=0) as agent:
        assert agent.run("go", additional_args={"widths": [1, 2, 3]}) == 12.0
        first, second, third = agent.memory.steps[1:4]
    assert "sides [2.0, 4.0, 6.0]" in first.observations
    assert second.observations == "Execution logs:\nso far\n"
    assert "TypeError" in second.error.message
    assert third.is_final_answer
    with pytest.raises(SessionUnknownError):
        client.session(executor.session.id).history()


def test_two_agents_side_by_side_never_meet(client: Stepwell) -> None:
    def run(number: int) -> object:
        executor = StepwellExecutor([], QUIET, client=client)
        model = ScriptedModel("mine = start", "final_answer(mine + area(1, 1))")
        with CodeAgent([smol_tools.area], model, executor=executor, verbosity_level=0) as agent:
            return agent.run("go", additional_args={"start": number})

    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(run, range(100))) == [number + 1 for number in range(100)]
