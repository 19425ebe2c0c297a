"""Against a real broker and a real worker."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import textwrap
import uuid
from pathlib import Path

import pytest

from stepwell import (
    AsyncStepwell,
    FileMissingError,
    Outcome,
    RequestRejectedError,
    SessionExistsError,
    SessionUnknownError,
    StateUnavailableError,
    Step,
    StepFailedError,
    StepTimedOutError,
    Stepwell,
    TopicMissingError,
    VariableNotPortableError,
)
from stepwell.messages import decode_request
from stepwell.names import ErrorCode
from stepwell.progress import run_all, run_all_async

pytestmark = pytest.mark.broker


def test_a_session_keeps_its_variables_and_every_step_its_own_sandbox(client: Stepwell) -> None:
    session = client.new_session()
    results = [session.run(source).or_throw() for source in ("x = 41", "x += 1", "print(x)\nx")]
    assert [result.step for result in results] == [1, 2, 3]
    assert results[-1].stdout == "42\n"
    assert results[-1].value is not None
    assert results[-1].value.text == "42"
    assert len({result.sandbox_id for result in results}) == 3
    assert results[0].state is not None
    assert results[0].state.saved


def test_one_shots_of_every_kind(client: Stepwell) -> None:
    assert client.run("print(6 * 7)").stdout == "42\n"
    assert client.run(Step.shell("cat; echo $A", stdin="in", environment={"A": "b"})).stdout == (
        "inb\n"
    )
    assert client.run(Step.argv(["printf", "%s|", "a b", ""])).stdout == "a b||"


def test_outcomes_are_values_and_or_throw_makes_errors_of_them(client: Stepwell) -> None:
    session = client.new_session()
    failed = session.run("before = 1\nraise KeyError('paint')")
    assert failed.outcome is Outcome.FAILED
    with pytest.raises(StepFailedError, match=r"step 1 .* raised KeyError: 'paint' at line 2"):
        failed.or_throw()
    assert session.run("raise SystemExit(3)").exit_code == 3
    timed_out = session.run("print('x', flush=True)\nwhile True: pass", wall_time=0.3)
    with pytest.raises(StepTimedOutError):
        timed_out.or_throw()
    assert timed_out.stdout == "x\n"
    assert session.run("before").value is not None
    rejected = session.run("1", profile="no-such-profile")
    with pytest.raises(RequestRejectedError) as caught:
        rejected.or_throw()
    assert caught.value.result.error is not None
    assert caught.value.result.error.code is ErrorCode.UNKNOWN_PROFILE


def test_preludes_run_before_the_source_in_the_same_step(client: Stepwell) -> None:
    result = client.run("print(y)", prelude="y = 5\nprint('first')").or_throw()
    assert result.stdout == "first\n5\n"


def test_files_travel_both_ways(client: Stepwell) -> None:
    session = client.new_session()
    large = bytes(range(256)) * 12_000
    session.files.put({"in/a.txt": b"hello", "in/large.bin": large})
    result = session.run(
        "import pathlib\npathlib.Path('out').mkdir()\n"
        "pathlib.Path('out/b.txt').write_text(open('in/a.txt').read().upper())",
        files={"in/c.txt": b"c"},
        artifacts=["out/*", "in/c.txt", "none"],
    ).or_throw()
    assert {each.path: each.content for each in result.artifacts} == {
        "in/c.txt": b"c",
        "out/b.txt": b"HELLO",
        "none": None,
    }
    assert session.files.get("in/large.bin") == large
    with session.files.open("in/large.bin") as file:
        file.seek(-10, 2)
        assert file.read() == large[-10:]
    assert (
        session.files.get("in/large.bin", offset=600_000, length=700_000)
        == (large[600_000:1_300_000])
    )
    assert [each.path for each in session.files.list(pattern="**/*.txt")] == [
        "in/a.txt",
        "in/c.txt",
        "out/b.txt",
    ]
    session.files.remove("in")
    with pytest.raises(FileMissingError):
        session.files.get("in/a.txt")


def test_files_that_take_several_messages(client: Stepwell) -> None:
    session = client.new_session()
    content = {f"f{number}": os.urandom(3 << 20) for number in range(5)}
    session.files.put(content)
    for path, expected in content.items():
        assert session.files.get(path) == expected


def test_forks_views_history_reset_and_end(client: Stepwell) -> None:
    session = client.new_session()
    session.run("x = 1").or_throw()
    session.run("x = 2").or_throw()
    assert session.at(1).run("x").or_throw().value is not None
    forks = session.forks(1, 3)
    values = [fork.run("x += 10\nx").or_throw().value for fork in forks]
    assert [value and value.text for value in values] == ["11"] * 3
    name = f"fork-{uuid.uuid4()}"
    assert session.fork(name=name).id == name
    with pytest.raises(SessionExistsError):
        session.fork(name=name)
    with pytest.raises(StateUnavailableError):
        session.at(99)
    assert [entry.step for entry in session.history()] == [2, 1]
    session.reset()
    assert session.run("x").outcome is Outcome.FAILED
    session.end()
    with pytest.raises(SessionUnknownError):
        session.history()


def test_a_cancel_ends_the_step(client: Stepwell) -> None:
    execution = client.submit("import time\nprint('up', flush=True)\ntime.sleep(60)")
    execution.cancel()
    assert execution.result().outcome is Outcome.CANCELLED


def test_keys_go_to_the_partitions_of_the_protocol(client: Stepwell, golden: Path) -> None:
    """A worker answers what came to another partition with WRONG_PARTITION."""
    for vector in json.loads((golden / "partitions.json").read_text("utf-8")):
        result = client.session(vector["key"]).run("1")
        assert result.outcome is Outcome.COMPLETED, vector


def test_golden_requests_are_accepted_by_a_worker(client: Stepwell, golden: Path) -> None:
    request = decode_request((golden / "request-shell.json").read_bytes())
    assert (
        client.session(f"golden-{uuid.uuid4()}")
        .run(Step.shell(getattr(request, "source", ""), stdin="b\na\nb\n"))
        .stdout
        == "      1 a\n      2 b\n"
    )


def test_two_clients_go_on_with_one_session(client: Stepwell, bootstrap: str) -> None:
    session = client.new_session()
    session.run("x = 1").or_throw()
    with Stepwell.connect(bootstrap) as other:
        assert other.session(session.id).run("x + 1").or_throw().value is not None


def test_large_results_come_whole(client: Stepwell) -> None:
    size = 3 << 20
    result = client.run(
        f"import stepwell_step\nstepwell_step.display(mime={{'text/plain': 'x' * {size}}})"
    ).or_throw()
    assert result.displays[0].mime["text/plain"] == "x" * size


def test_missing_topics_are_named(bootstrap: str) -> None:
    with pytest.raises(TopicMissingError, match=r"elsewhere\.requests.*stepwell topics"):
        Stepwell.connect(bootstrap, topic_prefix="elsewhere")


def test_nothing_is_logged_or_left_by_an_ordinary_program(bootstrap: str) -> None:
    script = f"""
        from stepwell import Stepwell
        with Stepwell.connect("{bootstrap}") as stepwell:
            print(stepwell.run("print(1)").or_throw().stdout, end="")
    """
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert (done.stdout, done.stderr) == ("1\n", "")


def test_a_forked_process_is_told_to_connect_itself(bootstrap: str) -> None:
    script = f"""
        import gc, multiprocessing
        from stepwell import ClientForkedError, Stepwell
        stepwell = Stepwell.connect("{bootstrap}")
        def child(found):
            global stepwell
            try:
                stepwell.run("1")
            except ClientForkedError:
                found.put(True)
            stepwell.close()
            stepwell = None
            gc.collect()
        context = multiprocessing.get_context("fork")
        found = context.Queue()
        process = context.Process(target=child, args=(found,))
        process.start()
        assert found.get(timeout=60)
        process.join(60)
        assert process.exitcode == 0
        print(stepwell.run("print(2)").or_throw().stdout, end="")
        stepwell.close()
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
    )
    assert (done.stdout, done.returncode) == ("2\n", 0), done.stderr


def test_variables_go_in_and_come_out(client: Stepwell) -> None:
    session = client.new_session()
    sent = {"n": 5, "names": ["a", "b"], "pair": (1, {2}), "raw": b"x" * 100_000}
    session.put_variables(sent)
    result = session.run("n += 1\nlen(raw)").or_throw()
    assert result.step == 1
    assert result.value is not None
    assert result.value.text == "100000"
    assert session.get_variable("n") == 6
    for name in ("names", "pair", "raw"):
        assert session.get_variable(name) == sent[name]
    assert session.latest().step == 1
    assert session.files.list() == []


def test_variables_larger_than_a_message_and_than_a_result(client: Stepwell) -> None:
    session = client.new_session()
    sent = os.urandom(14 << 20)
    session.put_variables({"raw": sent})
    assert session.run("len(raw)").or_throw().value is not None
    assert session.get_variable("raw") == sent


def test_nothing_of_a_sandbox_is_unpickled_unasked(client: Stepwell) -> None:
    session = client.new_session()
    session.run("class Odd:\n    pass\nodd = [Odd()]\nplain = ValueError('boom')").or_throw()
    with pytest.raises(
        VariableNotPortableError, match=r"'odd'.*list.*__main__\.Odd.*allow_pickle=True"
    ):
        session.get_variable("odd")
    with pytest.raises(VariableNotPortableError, match=r"str\(plain\)"):
        session.get_variable("plain")
    assert repr(session.get_variable("plain", allow_pickle=True)) == "ValueError('boom')"
    with pytest.raises(StepFailedError, match="NameError"):
        session.get_variable("missing")


def test_functions_and_classes_go_in_by_value(client: Stepwell) -> None:
    if sys.version_info[:2] != _sandbox_version(client):
        pytest.skip("the sandbox has another version of Python")
    offset = 41

    class Counter:
        def __init__(self) -> None:
            self.count = 0

        def next(self) -> int:
            self.count += 1
            return self.count

    session = client.new_session()
    session.put_variables({"add": lambda x: x + offset, "counter": Counter()})
    assert session.run("print(add(1), counter.next())").or_throw().stdout == "42 1\n"
    assert session.run("print(add(2), counter.next())").or_throw().stdout == "43 2\n"


def _sandbox_version(client: Stepwell) -> tuple[int, int]:
    out = client.run("import sys; print(*sys.version_info[:2])").or_throw().stdout
    major, minor = out.split()
    return int(major), int(minor)


def test_frames_and_arrays_go_in_and_come_out(client: Stepwell, data_profile: str) -> None:
    import numpy as np
    import pandas as pd

    session = client.new_session(profile=data_profile)
    frame = pd.DataFrame(
        {
            "n": [1, 2, 3],
            "t": ["x", "y", "z"],
            "m": pd.to_datetime(pd.Series(["2020-01-01", "2021-01-01", "2022-01-01"])).array,
        }
    )
    array = np.arange(12.0).reshape(3, 4)
    session.put_variables({"frame": frame, "array": array})
    result = session.run("frame['n'] *= 2\narray[0, 0] = 9\nframe").or_throw()
    assert result.value is not None
    assert "text/html" in result.value.mime
    copied = session.get_variable("frame")
    assert isinstance(copied, pd.DataFrame)
    assert copied["n"].tolist() == [2, 4, 6]
    assert copied["t"].tolist() == ["x", "y", "z"]
    assert copied["m"].dt.year.tolist() == [2020, 2021, 2022]
    back = session.get_variable("array")
    assert isinstance(back, np.ndarray)
    assert back[0, 0] == 9
    assert back.shape == (3, 4)


def test_figures_come_as_png(client: Stepwell, data_profile: str) -> None:
    session = client.new_session(profile=data_profile)
    result = session.run(
        "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\n"
        "figure, axes = plt.subplots()\nfigure"
    ).or_throw()
    assert len(result.displays) == 1
    assert len(result.figures) == 2
    assert all(image.startswith(b"\x89PNG") for image in result.figures)
    assert result._repr_html_().count("<img ") == 2


def test_displays_of_ones_own(client: Stepwell) -> None:
    result = client.run(
        "import stepwell_step\nstepwell_step.display(mime={'text/html': '<b>hi</b>'})\n"
        "stepwell_step.display(1, 'two')\nraise ValueError"
    )
    assert result.outcome is Outcome.FAILED
    assert [each.text for each in result.displays][1:] == ["1", "'two'"]
    assert result.displays[0].data("text/html") == "<b>hi</b>"


def test_many_sessions_in_one_loop(bootstrap: str) -> None:
    async def count(client: AsyncStepwell) -> int:
        session = client.new_session()
        await session.run("n = 0")
        for _ in range(3):
            (await session.run("n += 1")).or_throw()
        return int(str(await session.get_variable("n")))

    async def main() -> None:
        async with await AsyncStepwell.connect(bootstrap, answer_timeout=120) as client:
            assert await asyncio.gather(*(count(client) for _ in range(8))) == [3] * 8
            texts = [str(number) for number in range(20)]
            results = run_all_async(
                client, [f"print({each})" for each in texts], concurrency=5, progress=False
            )
            assert [result.stdout.strip() async for result in results] == texts

    asyncio.run(main())


def test_a_cancelled_task_cancels_its_step(bootstrap: str) -> None:
    async def main() -> None:
        async with await AsyncStepwell.connect(bootstrap, answer_timeout=120) as client:
            session = client.new_session()
            await session.run("x = 1")
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(session.run("import time\ntime.sleep(300)"), 1)
            assert (await session.run("x")).or_throw().value is not None

    asyncio.run(main())


def test_many_steps_keep_their_order(client: Stepwell) -> None:
    sources = [f"print({number})" for number in range(30)]
    results = run_all(client, sources, concurrency=8, progress=False)
    assert [result.stdout for result in results] == [f"{number}\n" for number in range(30)]
