"""Many steps, some at once, with a bar that shows how far they are.

    from stepwell.progress import run_all

    for result in run_all(stepwell, sources, concurrency=16):
        print(result.outcome)

The bar is tqdm's where that is installed (`pip install 'stepwell[progress]'`), else one line of
text on a terminal's standard error.
"""

from __future__ import annotations

import asyncio
import queue
import sys
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sized
from typing import Protocol, TextIO

from stepwell.aio import AsyncExecution, AsyncSession, AsyncSessionView, AsyncStepwell
from stepwell.client import Stepwell
from stepwell.execution import Execution
from stepwell.messages import ExecutionResult
from stepwell.session import Session, SessionView
from stepwell.step import Step

Target = Stepwell | Session | SessionView | Callable[[], Session]
"""What runs the steps: a client, as one-shots; a session, one after the other; a view, side by side
on its state; or what makes a session for each step, such as `stepwell.new_session`."""

AsyncTarget = AsyncStepwell | AsyncSession | AsyncSessionView | Callable[[], AsyncSession]
"""The same for asyncio."""

Progress = bool | Callable[[int, int | None], object]
"""True for a bar, False for none, or what is called with how many are done and how many there are
in all, or None where that isn't known."""


def run_all(
    target: Target,
    steps: Iterable[Step | str],
    *,
    concurrency: int = 16,
    progress: Progress = True,
) -> Iterator[ExecutionResult]:
    """Runs steps, at most `concurrency` at once, and yields their results in the steps' order.

    Steps are taken from the iterable as there is room for them. A step that didn't complete is a
    result like any other. The first request without an answer ends it with its StepwellError; then,
    or where the iteration is left early, the steps that are under way are cancelled.
    """
    _check(concurrency)
    waiting: deque[Execution] = deque()
    finished: queue.SimpleQueue[None] = queue.SimpleQueue()
    remaining = iter(steps)
    running, more = 0, True
    with _Meter(progress, _length(steps)) as meter:
        try:
            while True:
                while more and running < concurrency:
                    step = next(remaining, None)
                    if step is None:
                        more = False
                        break
                    execution = _submit(target, step)
                    execution.add_done_callback(lambda _: finished.put(None))
                    waiting.append(execution)
                    running += 1
                while waiting and waiting[0].done():
                    yield waiting.popleft().result()
                if running:
                    _wait(finished, waiting)
                    running -= 1
                    meter.advance()
                elif not more:
                    return
        finally:
            for execution in waiting:
                _drop(execution)


async def run_all_async(
    target: AsyncTarget,
    steps: Iterable[Step | str],
    *,
    concurrency: int = 16,
    progress: Progress = True,
) -> AsyncIterator[ExecutionResult]:
    """What `run_all` is, for asyncio. Leave it early only within `contextlib.aclosing`."""
    _check(concurrency)
    waiting: deque[AsyncExecution] = deque()
    room = asyncio.Semaphore(concurrency)
    with _Meter(progress, _length(steps)) as meter:

        def finished(_: AsyncExecution) -> None:
            room.release()
            meter.advance()

        try:
            for step in steps:
                await _room_or_head(room, waiting)
                while waiting and waiting[0].done():
                    yield await waiting.popleft()
                execution = await _submit_async(target, step)
                execution.add_done_callback(finished)
                waiting.append(execution)
            while waiting:
                execution = waiting[0]
                result = await execution
                waiting.popleft()
                yield result
        finally:
            for execution in waiting:
                _drop(execution)


def _submit(target: Target, step: Step | str) -> Execution:
    if isinstance(target, (Stepwell, Session, SessionView)):
        return target.submit(step)
    return target().submit(step)


def _submit_async(target: AsyncTarget, step: Step | str) -> Awaitable[AsyncExecution]:
    if isinstance(target, (AsyncStepwell, AsyncSession, AsyncSessionView)):
        return target.submit(step)
    return target().submit(step)


def _wait(finished: queue.SimpleQueue[None], waiting: deque[Execution]) -> None:
    """Waits for any of the steps; raises NoAnswerError of the first where none ends in time."""
    try:
        finished.get(timeout=waiting[0].answer_timeout if waiting else None)
    except queue.Empty:
        waiting[0].result(0)


async def _room_or_head(room: asyncio.Semaphore, waiting: deque[AsyncExecution]) -> None:
    """Takes room for a step; raises NoAnswerError of the first where none ends in time."""
    if not waiting:
        await room.acquire()
        return
    try:
        await asyncio.wait_for(room.acquire(), waiting[0].answer_timeout)
    except asyncio.TimeoutError:
        await waiting[0].result(0)


def _drop(execution: Execution | AsyncExecution) -> None:
    if not execution.done():
        execution.cancel()
        execution.abandon()


def _check(concurrency: int) -> None:
    if concurrency < 1:
        raise ValueError(f"concurrency is {concurrency}, must be at least 1")


def _length(steps: Iterable[Step | str]) -> int | None:
    return len(steps) if isinstance(steps, Sized) else None


class _Bar(Protocol):
    def update(self) -> object: ...
    def close(self) -> object: ...


class _Meter:
    """Counts what is done and tells it on."""

    def __init__(self, progress: Progress, total: int | None) -> None:
        self._total = total
        self._done = 0
        self._tell = progress if callable(progress) else None
        self._bar = _bar(total) if progress is True else None

    def advance(self) -> None:
        self._done += 1
        if self._tell is not None:
            self._tell(self._done, self._total)
        if self._bar is not None:
            self._bar.update()

    def __enter__(self) -> _Meter:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()


def _bar(total: int | None) -> _Bar:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return LineBar(total, sys.stderr)
    bar: _Bar = tqdm(total=total, unit="step")
    return bar


class LineBar:
    """One line of text that is written anew; nothing where the stream is no terminal."""

    _INTERVAL_SECONDS = 0.1

    def __init__(self, total: int | None, stream: TextIO) -> None:
        self._of = "" if total is None else f"/{total}"
        self._stream = stream
        self._shown = stream.isatty()
        self._done = 0
        self._started = time.monotonic()
        self._last = 0.0

    def update(self) -> None:
        """One more is done."""
        self._done += 1
        now = time.monotonic()
        if now - self._last >= self._INTERVAL_SECONDS:
            self._last = now
            self._write(now)

    def close(self) -> None:
        """Ends the line."""
        self._write(time.monotonic())
        if self._shown:
            self._stream.write("\n")

    def _write(self, now: float) -> None:
        if self._shown:
            rate = self._done / max(0.001, now - self._started)
            self._stream.write(f"\r{self._done}{self._of} steps, {rate:.1f} a second ")
            self._stream.flush()
