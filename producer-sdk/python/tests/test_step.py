from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from stepwell import FileInput, InvalidMessageError, Limits, Step
from stepwell.names import StepKind

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def test_factories_say_what_runs() -> None:
    assert Step.python("1").kind is StepKind.PYTHON
    assert Step.shell("ls").source == "ls"
    assert Step.argv(["ls", "-l"]).arguments == ("ls", "-l")


def test_options_reach_the_request() -> None:
    step = Step.python(
        "x",
        prelude="y = 1",
        stdin="in",
        profile="data",
        wall_time=1.5,
        memory_bytes=1 << 20,
        output_bytes=0,
        state_bytes=5,
        environment={"A": "b"},
        deadline=EPOCH + timedelta(milliseconds=1234.9),
        files={"a/b": b"1"},
        artifacts=["out/*"],
        strict_state=True,
    )
    request = step.request("r", "s", "team.results")
    assert request.limits == Limits(1500, 1 << 20, 0, 5)
    assert request.deadline_ms == 1234
    assert request.files == (FileInput("a/b", b"1"),)
    assert (request.artifacts, request.strict_state) == (("out/*",), True)
    assert (request.prelude, request.stdin, request.profile) == ("y = 1", "in", "data")
    assert (request.session_id, request.reply_to, request.key) == ("s", "team.results", "s")


def test_replace_changes_what_it_names_and_keeps_the_rest() -> None:
    step = Step.python("x", wall_time=1, profile="data")
    changed = step.replace(memory_bytes=1 << 20)
    assert changed.limits == Limits(1000, 1 << 20)
    assert changed.profile == "data"
    assert step.limits == Limits(1000)
    assert changed.replace(wall_time=None).limits == Limits(None, 1 << 20)
    assert step.replace() is step


@pytest.mark.parametrize(("seconds", "ms"), [(0.0001, 1), (0.001, 1), (1.0005, 1001), (2.3, 2300)])
def test_wall_time_is_rounded_up_to_milliseconds(seconds: float, ms: int) -> None:
    assert Step.python("x", wall_time=seconds).limits.wall_time_ms == ms


def test_wrong_options_are_refused_by_name() -> None:
    with pytest.raises(TypeError, match="no option walltime"):
        Step.python("x", walltime=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"Step\.shell"):
        Step.argv("ls -l")
    with pytest.raises(TypeError, match="one string"):
        Step.python("x", artifacts="out.csv")
    with pytest.raises(TypeError, match=r"'a'.*bytes"):
        Step.python("x", files={"a": "text"})  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="time zone"):
        Step.python("x", deadline=datetime(2030, 1, 1)).request("r", None)
    with pytest.raises(ValueError, match="wall_time"):
        Step.python("x", wall_time=0)
    with pytest.raises(InvalidMessageError, match=r"limits\.memoryBytes"):
        Step.python("x", memory_bytes=5)
    with pytest.raises(TypeError, match="Python source"):
        Step.of(b"x")  # type: ignore[arg-type]


def test_a_profile_is_filled_in_only_where_there_is_none() -> None:
    assert Step.python("x").in_profile("data").profile == "data"
    assert Step.python("x", profile="own").in_profile("data").profile == "own"
    assert Step.python("x").in_profile(None).profile is None
