import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from stepwell import ErrorCode, InfrastructureError, Outcome, StepKind
from stepwell.messages import ExecutionRequest, ExecutionResult
from stepwell.testing import (
    FakeAsyncStepwell,
    completed,
    exited,
    failed,
    infrastructure,
    rejected,
    timed_out,
)
from stepwell.torchforge import CoderClosedError, CoderSetupError, SandboxedPythonCoder
from stepwell.torchforge.coder import profile_name


def with_coder(
    answer: Any, use: Callable[[SandboxedPythonCoder], Awaitable[Any]], **options: Any
) -> Any:
    async def run() -> Any:
        client = FakeAsyncStepwell(answer)
        coder = SandboxedPythonCoder(client=client, **options)
        async with coder:
            return await use(coder), client.requests

    return asyncio.run(run())


def answering(**by_code: ExecutionResult | str) -> Callable[[ExecutionRequest], Any]:
    def answer(request: ExecutionRequest) -> Any:
        if request.kind is StepKind.PYTHON:
            return "" if request.source == "pass" else by_code[request.source or ""]
        assert request.argv == ("python3", ".stepwell/script.py")
        return by_code[request.files[0].content.decode()]

    return answer


def test_execute_returns_both_outputs() -> None:
    async def use(coder: SandboxedPythonCoder) -> Any:
        return await coder.execute("code"), coder.last_result

    ((both, last), requests) = with_coder(answering(code=completed("out", stderr="err")), use)
    assert both == ("out", "err")
    assert (last.exit_code, last.outcome, last.succeeded) == (0, Outcome.COMPLETED, True)
    assert [request.session_id is None for request in requests] == [True, False]


@pytest.mark.parametrize(
    ("stderr", "exit_code", "outcome"),
    [
        ("Traceback (most recent call last):\n  x\nValueError: no\n", 1, Outcome.FAILED),
        ('  File "s.py", line 1\n    a b\nSyntaxError: invalid syntax\n', 1, Outcome.FAILED),
        ("Traceback (most recent call last):\n  x\nMemoryError\n", 1, Outcome.OUT_OF_MEMORY),
        (
            "Traceback (most recent call last):\n    os.fork()\nBlockingIOError: [Errno 11] no\n",
            1,
            Outcome.LIMIT_EXCEEDED,
        ),
        (
            "Traceback (most recent call last):\n    read()\nBlockingIOError: [Errno 11] no\n",
            1,
            Outcome.FAILED,
        ),
        (  # two processes of a fork bomb, of which the first ended the step
            "Traceback (most recent call last):\nTraceback (most recent call last):\n"
            "    os.fork()\n"
            'BlockingIOError: [Errno 11] no\n  File "/workspace/.stepwell/script.py", line 2\n',
            1,
            Outcome.LIMIT_EXCEEDED,
        ),
        (  # a refusal that the script took, before what it failed of
            "Traceback (most recent call last):\n    os.fork()\nBlockingIOError: [Errno 11] no\n"
            "Traceback (most recent call last):\n    int(x)\nValueError: no number\n",
            1,
            Outcome.FAILED,
        ),
        ("", 3, Outcome.EXITED),
        ("just a word\n", 1, Outcome.EXITED),
    ],
)
def test_outcome_of_a_script_is_told(stderr: str, exit_code: int, outcome: Outcome) -> None:
    async def use(coder: SandboxedPythonCoder) -> Any:
        return await coder.run("code")

    result, _ = with_coder(answering(code=exited(exit_code, stderr=stderr)), use)
    assert (result.outcome, result.exit_code) == (outcome, exit_code)
    assert result.stderr.startswith(stderr)
    assert (outcome.name in result.stderr) == (
        outcome in (Outcome.OUT_OF_MEMORY, Outcome.LIMIT_EXCEEDED)
    )


def test_time_limit_is_told_and_the_next_execution_works() -> None:
    async def use(coder: SandboxedPythonCoder) -> Any:
        slow = await coder.run("slow")
        return slow, await coder.execute("quick")

    (slow, quick), _ = with_coder(answering(slow=timed_out(stdout="half"), quick="done"), use)
    assert (slow.outcome, slow.exit_code, slow.stdout) == (Outcome.TIMED_OUT, None, "half")
    assert slow.stderr.startswith("[TIMED_OUT] ")
    assert quick == ("done", "")


def test_state_runs_python_steps_and_puts_tracebacks_into_stderr() -> None:
    async def use(coder: SandboxedPythonCoder) -> Any:
        return await coder.run("code")

    result, requests = with_coder(answering(code=failed("KeyError", "'a'")), use, state=True)
    assert result.stderr.endswith("KeyError: 'a'\n")
    assert result.exit_code == 1
    assert requests[-1].kind is StepKind.PYTHON


def test_recreate_begins_another_session_of_the_name() -> None:
    async def use(coder: SandboxedPythonCoder) -> Any:
        await coder.execute("code")
        await coder.recreate()
        await coder.execute("code")

    _, requests = with_coder(answering(code=""), use, container_name="mine")
    first, second = (request.session_id for request in requests[1:])
    assert first != second
    assert first.startswith("mine-") and second.startswith("mine-")


def test_cancelling_who_waits_cancels_the_step() -> None:
    async def run() -> None:
        client = FakeAsyncStepwell(lambda request: "" if request.source == "pass" else None)
        async with SandboxedPythonCoder(client=client) as coder:
            waiting = asyncio.create_task(coder.execute("code"))
            while len(client.requests) < 2:
                await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            assert client.cancels == [client.requests[1].request_id]

    asyncio.run(run())


def test_infrastructure_is_raised_after_safe_tries() -> None:
    answers = [infrastructure(retry_safe=True), "back", infrastructure()]

    async def use(coder: SandboxedPythonCoder) -> Any:
        assert await coder.execute("code") == ("back", "")
        with pytest.raises(InfrastructureError):
            await coder.execute("code")
        return coder.last_result

    last, requests = with_coder(
        lambda request: "" if request.source == "pass" else answers.pop(0), use
    )
    assert last is None
    assert len(requests) == 4


def test_unknown_profile_is_told_at_setup_with_the_way_out() -> None:
    async def use(coder: SandboxedPythonCoder) -> None:
        raise AssertionError

    unknown = rejected(ErrorCode.UNKNOWN_PROFILE, "no such profile")
    with pytest.raises(CoderSetupError, match="images import FILE.sqsh --as python-image"):
        with_coder(lambda _: unknown, use, sqsh_image_path="/images/python-image.sqsh")


def test_use_before_setup_and_after_close_is_refused() -> None:
    async def run() -> None:
        coder = SandboxedPythonCoder(client=FakeAsyncStepwell())
        with pytest.raises(CoderClosedError):
            await coder.execute("1")
        await coder.setup()
        await coder.close()
        await coder.close()
        with pytest.raises(CoderClosedError):
            await coder.execute("1")

    asyncio.run(run())


@pytest.mark.parametrize(
    ("image", "profile"),
    [
        (None, None),
        ("docker://python:3.10", "python-3-10"),
        ("docker://ghcr.io/team/py_torch:2", "py_torch-2"),
        ("python-image.sqsh", "python-image"),
    ],
)
def test_image_stands_for_a_profile(image: str | None, profile: str | None) -> None:
    assert profile_name(image) == profile


def test_options_out_of_range_are_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STEPWELL_BOOTSTRAP", raising=False)
    for options in ({"timeout": 0}, {"container_name": "a b"}, {"docker_image": "docker://"}):
        with pytest.raises(ValueError):
            SandboxedPythonCoder("host:1", **options)
    with pytest.raises(ValueError, match="STEPWELL_BOOTSTRAP"):
        SandboxedPythonCoder()


MANY_PROCESSES = """
import os, time
while os.fork() != 0: pass
time.sleep(60)
"""


@pytest.mark.broker
def test_coder_in_real_sandboxes(bootstrap: str) -> None:
    async def run() -> None:
        async with SandboxedPythonCoder(bootstrap, timeout=5, container_name="test") as coder:
            assert await coder.execute('print("hello world")') == ("hello world\n", "")
            _, stderr = await coder.execute('"hello world" source')
            assert "SyntaxError" in stderr
            for code, outcome in (
                ("while True: pass", Outcome.TIMED_OUT),
                ("x = bytearray(10 ** 11)", Outcome.OUT_OF_MEMORY),
                (MANY_PROCESSES, Outcome.LIMIT_EXCEEDED),
                ("import os; os.abort()", Outcome.CRASHED),
                ("import sys; sys.exit(3)", Outcome.EXITED),
                ("1 / 0", Outcome.FAILED),
            ):
                result = await coder.run(code)
                assert (code, result.outcome) == (code, outcome)
                assert await coder.execute("print(1)") == ("1\n", "")
            bomb = await coder.run("import os\nwhile True: os.fork()")
            assert bomb.outcome in (Outcome.LIMIT_EXCEEDED, Outcome.TIMED_OUT)
            assert bomb.outcome.name in bomb.stderr
            await coder.execute("open('kept', 'w').write('x'); gone = 1")
            assert await coder.execute("print(open('kept').read())") == ("x\n", "")
            assert "NameError" in (await coder.execute("gone"))[1]
            await coder.recreate()
            assert "FileNotFoundError" in (await coder.execute("open('kept')"))[1]

    asyncio.run(run())


@pytest.mark.broker
def test_coders_side_by_side_leave_the_loop_free(bootstrap: str) -> None:
    async def run() -> None:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                await asyncio.sleep(0.01)
                ticks += 1

        ticking = asyncio.create_task(tick())
        coders = [SandboxedPythonCoder(bootstrap, state=True) for _ in range(4)]
        await asyncio.gather(*(coder.setup() for coder in coders))
        for number in range(3):
            outs = await asyncio.gather(
                *(coder.execute(f"n = 1{at}{number}\nprint(n)") for at, coder in enumerate(coders))
            )
            assert [out for out, _ in outs] == [f"1{at}{number}\n" for at in range(4)]
        await asyncio.gather(*(coder.close() for coder in coders))
        ticking.cancel()
        assert ticks > 0

    asyncio.run(run())
