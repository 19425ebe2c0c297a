from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import TypeVar

import pytest

from stepwell import (
    AsyncStepwell,
    ClientClosedError,
    FileMissingError,
    NoAnswerError,
    Outcome,
    SessionExistsError,
    TooManyInFlightError,
)
from stepwell.aio.handover import Handover
from stepwell.messages import ExecutionRequest
from stepwell.testing import FakeAsyncStepwell, completed, timed_out

T = TypeVar("T")


def in_loop(main: Callable[[], Awaitable[T]]) -> T:
    async def run() -> T:
        return await main()

    return asyncio.run(run())


def never(_: ExecutionRequest) -> None:
    """Leaves every step without an answer."""


def test_steps_run_side_by_side_and_in_order() -> None:
    async def main() -> None:
        async with FakeAsyncStepwell(lambda request: request.source or "") as stepwell:
            results = await asyncio.gather(*(stepwell.run(str(each)) for each in range(200)))
            assert [result.stdout for result in results] == [str(each) for each in range(200)]
            session = stepwell.new_session(profile="data")
            execution = await session.submit("x")
            assert (await execution).step == 1
            assert (await execution.result()).step == 1
            assert execution.done()

    in_loop(main)


def test_sessions_have_the_surface_of_the_blocking_ones() -> None:
    async def main() -> None:
        async with FakeAsyncStepwell("ok") as stepwell:
            session = stepwell.new_session()
            await session.run("a", files={"a": b"1"})
            await session.files.put({"d/b": b"22", "big": b"x" * 2_000_000})
            await session.files.put("c", b"333")
            assert [each.path for each in await session.files.list(pattern="**")] == [
                "a",
                "big",
                "c",
                "d/b",
            ]
            assert len(await session.files.get("big")) == 2_000_000
            assert await session.files.get("c", offset=1, length=1) == b"3"
            await session.files.remove(["d"])
            with pytest.raises(FileMissingError):
                await session.files.get("d/b")
            fork = await session.fork(1, name="f")
            assert [each.path for each in await fork.files.list()] == ["a"]
            assert len(await session.forks(None, 3)) == 3
            with pytest.raises(SessionExistsError):
                await session.fork(name="f")
            assert (await (await session.at(1)).run("b")).step is None
            assert (await session.latest()).step == len(await session.history())
            await session.reset()
            await session.end()

    in_loop(main)


def test_variables_ride_along_with_the_next_step() -> None:
    answers = iter([timed_out(), completed(), completed()])

    async def main() -> None:
        async with FakeAsyncStepwell(lambda _: next(answers)) as stepwell:
            session = stepwell.new_session()
            await session.put_variables({"x": 1})
            for _ in range(3):
                await session.run("z")
                await asyncio.sleep(0)
            preludes = [each.prelude for each in stepwell.requests]
            assert preludes == ["x = 1\n", "x = 1\n", None]

    in_loop(main)


def test_a_cancelled_task_cancels_its_step() -> None:
    async def main() -> None:
        async with FakeAsyncStepwell(never) as stepwell:
            task = asyncio.create_task(stepwell.new_session().run("x"))
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert stepwell.cancels == [stepwell.requests[0].request_id]
            assert stepwell._core.pending._by_request == {}

    in_loop(main)


def test_a_cancelled_wait_for_an_execution_cancels_nothing() -> None:
    async def main() -> None:
        async with FakeAsyncStepwell(never) as stepwell:
            execution = await stepwell.submit("x")
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(execution.result(), 0.01)
            assert stepwell.cancels == []
            with pytest.raises(NoAnswerError):
                await execution.result(0.01)
            execution.cancel()
            assert (await execution).outcome is Outcome.CANCELLED

    in_loop(main)


def test_requests_in_flight_are_bounded_and_wait_their_turn() -> None:
    async def main() -> None:
        async with FakeAsyncStepwell(never, max_in_flight=1, submit_timeout=0.05) as stepwell:
            first = await stepwell.submit("x")
            with pytest.raises(TooManyInFlightError):
                await stepwell.submit("x")
            waits = asyncio.create_task(stepwell.submit("y"))
            await asyncio.sleep(0)
            first.abandon()
            second = await waits
            gives_up = asyncio.create_task(stepwell.submit("z"))
            await asyncio.sleep(0)
            gives_up.cancel()
            await asyncio.gather(gives_up, return_exceptions=True)
            second.abandon()
            (await stepwell.submit("w")).abandon()

    in_loop(main)


def test_callbacks_run_in_the_loop() -> None:
    async def main() -> None:
        async with FakeAsyncStepwell() as stepwell:
            threads: list[threading.Thread] = []
            execution = await stepwell.submit("x")
            execution.add_done_callback(lambda _: threads.append(threading.current_thread()))
            await execution
            execution.add_done_callback(lambda _: threads.append(threading.current_thread()))
            await asyncio.sleep(0)
            assert threads == [threading.current_thread()] * 2

    in_loop(main)


def test_close_fails_what_has_no_answer() -> None:
    async def main() -> None:
        stepwell = FakeAsyncStepwell(never)
        execution = await stepwell.submit("x")
        await stepwell.close()
        with pytest.raises(ClientClosedError):
            await execution
        with pytest.raises(ClientClosedError):
            await stepwell.run("x")

    in_loop(main)


def test_another_loop_is_refused() -> None:
    stepwell = FakeAsyncStepwell()

    async def use(client: AsyncStepwell) -> None:
        await client.run("x")

    asyncio.run(use(stepwell))
    with pytest.raises(RuntimeError, match="another event loop"):
        asyncio.run(use(stepwell))


def test_answers_that_come_together_wake_the_loop_once() -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        wakes = 0
        original = loop.call_soon_threadsafe

        def counting(*arguments: object) -> object:
            nonlocal wakes
            wakes += 1
            return original(*arguments)  # type: ignore[arg-type]

        loop.call_soon_threadsafe = counting  # type: ignore[method-assign, assignment]
        handover = Handover(loop)
        called: list[int] = []

        def deliver() -> None:
            for number in range(100):
                handover.call(lambda number=number: called.append(number))  # type: ignore[misc]

        thread = threading.Thread(target=deliver)
        thread.start()
        thread.join()
        await asyncio.sleep(0.01)
        assert called == list(range(100))
        assert wakes == 1

    in_loop(main)
