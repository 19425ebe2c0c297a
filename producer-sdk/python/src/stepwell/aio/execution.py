"""A request that was sent from a loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from typing import NoReturn

from stepwell.aio.handover import Handover
from stepwell.core import ClientCore, refuse_pickling
from stepwell.errors import StepwellError
from stepwell.messages import ExecutionResult


class AsyncExecution:
    """A request that was sent, and its answer once there is one; for its loop only.

    It can be awaited, any number of times, as `await execution` or `await execution.result()`. It
    counts as in flight until it is answered or abandoned, whether or not anybody waits for it.
    """

    def __init__(
        self, core: ClientCore, handover: Handover, request_id: str, session_id: str | None
    ) -> None:
        self._core = core
        self._handover = handover
        self._request_id = request_id
        self._session_id = session_id
        self._answer: ExecutionResult | StepwellError | None = None
        self._settled = False
        self._waiters: set[asyncio.Future[None]] = set()
        self._callbacks: list[Callable[[AsyncExecution], object]] = []

    @property
    def request_id(self) -> str:
        """The request's id, as it is in logs and in the result."""
        return self._request_id

    @property
    def session_id(self) -> str | None:
        """The session that the step belongs to, or None for a one-shot."""
        return self._session_id

    async def result(self, timeout: float | None = None) -> ExecutionResult:
        """Waits for the answer: the result, whatever its outcome is.

        `timeout` is in seconds; None for the client's answer timeout. Raises NoAnswerError if there
        is none in time, after which it may be awaited again; another StepwellError if there will be
        none. Where the task that waits is cancelled, the step is not: `run` does that.
        """
        if not self._settled:
            wait = self._core.options.answer_timeout if timeout is None else timeout
            if not await self._settled_within(wait):
                raise self._core.no_answer(self._request_id, wait)
        answer = self._answer
        if isinstance(answer, ExecutionResult):
            return answer
        assert answer is not None
        raise answer

    def __await__(self) -> Generator[None, None, ExecutionResult]:
        return self.result().__await__()

    @property
    def answer_timeout(self) -> float:
        """How many seconds an answer is awaited where nothing else is said."""
        return self._core.options.answer_timeout

    def done(self) -> bool:
        """Whether there is an answer, or a reason why there will be none."""
        return self._settled

    def answer(self) -> ExecutionResult | StepwellError:
        """The result, or why there will be none; raises NoAnswerError while there is neither."""
        if self._answer is None:
            raise self._core.no_answer(self._request_id, 0)
        return self._answer

    def cancel(self) -> None:
        """Asks for the step to be ended early, without waiting for the wish to arrive.

        The answer, which is awaited as ever, is CANCELLED only if the wish came in time.
        """
        if not self.done():
            self._core.cancel(self._request_id, self._session_id)

    def abandon(self) -> None:
        """Gives up waiting, so that the request no longer counts as in flight.

        The step is not cancelled; its answer is ignored, and `result` raises NoAnswerError.
        """
        self._core.abandon(self._request_id)

    def add_done_callback(self, callback: Callable[[AsyncExecution], object]) -> None:
        """Has a function called with this, in the loop, once it is done; at once if it is."""
        if self._settled:
            callback(self)
        else:
            self._callbacks.append(callback)

    def settle(self, answer: ExecutionResult | StepwellError) -> None:
        """Takes the answer, from any thread. For the client only."""
        self._handover.call(lambda: self._settle(answer))

    def _settle(self, answer: ExecutionResult | StepwellError) -> None:
        self._answer = answer
        self._settled = True
        for waiter in self._waiters:
            _wake(waiter)
        callbacks, self._callbacks = self._callbacks, []
        loop = asyncio.get_running_loop()
        for callback in callbacks:
            loop.call_soon(callback, self)

    async def _settled_within(self, timeout: float) -> bool:
        """Waits without a task of its own, which `asyncio.wait_for` would make."""
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[None] = loop.create_future()
        self._waiters.add(waiter)
        timer = loop.call_later(timeout, _wake, waiter)
        try:
            await waiter
        finally:
            timer.cancel()
            self._waiters.discard(waiter)
        return self._settled

    def __repr__(self) -> str:
        state = "done" if self.done() else "without an answer"
        return f"<AsyncExecution {self._request_id} {state}>"

    def __reduce__(self) -> NoReturn:
        refuse_pickling(self)


def _wake(waiter: asyncio.Future[None]) -> None:
    if not waiter.done():
        waiter.set_result(None)
