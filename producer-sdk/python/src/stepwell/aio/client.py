"""The asyncio client."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, NoReturn, TypeVar

from stepwell import plans
from stepwell.aio.execution import AsyncExecution
from stepwell.aio.handover import Handover
from stepwell.client import connected
from stepwell.core import ClientCore, refuse_pickling
from stepwell.errors import NoAnswerError, StepwellError
from stepwell.messages import ExecutionResult, Request
from stepwell.messages.document import DEFAULT_MAX_MESSAGE_BYTES
from stepwell.options import ClientOptions
from stepwell.plans import Answer, Ask, Plan
from stepwell.step import Step, StepOptions

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from stepwell.aio.session import AsyncSession

T = TypeVar("T")


class AsyncStepwell:
    """A connection to Stepwell for one event loop; the surface of `Stepwell` with `await`.

    Make one for a loop, with `await AsyncStepwell.connect(...)`, and use it as `async with`, or
    call `close`. It belongs to the loop that is running then; other threads must not use it.

    Cancelling a task that awaits `run` cancels its step too: the wish is sent, and nobody waits for
    what became of it. That holds for time limits such as `asyncio.timeout`.
    """

    def __init__(self, core: ClientCore) -> None:
        """For `connect` and for `stepwell.testing`; `core` is open."""
        self._core = core
        self._handover: Handover | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @classmethod
    async def connect(
        cls,
        bootstrap: str,
        *,
        topic_prefix: str = "stepwell",
        reply_topic: str | None = None,
        client_id: str = "stepwell-client",
        connect_timeout: float = 10.0,
        submit_timeout: float = 30.0,
        answer_timeout: float = 300.0,
        max_in_flight: int = 1024,
        max_request_bytes: int = DEFAULT_MAX_MESSAGE_BYTES,
        kafka: Mapping[str, object] | None = None,
    ) -> AsyncStepwell:
        """Connects; options and errors are those of `Stepwell.connect`."""
        options = ClientOptions(
            bootstrap=bootstrap,
            topic_prefix=topic_prefix,
            reply_topic=reply_topic,
            client_id=client_id,
            connect_timeout=connect_timeout,
            submit_timeout=submit_timeout,
            answer_timeout=answer_timeout,
            max_in_flight=max_in_flight,
            max_request_bytes=max_request_bytes,
            kafka=dict(kafka or {}),
        )
        loop = asyncio.get_running_loop()
        return cls(await loop.run_in_executor(None, connected, options))

    def session(self, session_id: str, *, profile: str | None = None) -> AsyncSession:
        """A session by its id; see `Stepwell.session`. Nothing is sent."""
        from stepwell.aio.session import AsyncSession

        return AsyncSession(self, session_id, profile)

    def new_session(self, *, profile: str | None = None) -> AsyncSession:
        """A session of a random id. Nothing is sent."""
        return self.session(plans.new_session_id(), profile=profile)

    async def run(
        self, step_or_source: Step | str, **options: Unpack[StepOptions]
    ) -> ExecutionResult:
        """Runs a step as a one-shot and waits for its result, whatever its outcome is.

        Where the task is cancelled meanwhile, so is the step. Raises NoAnswerError, and what
        `submit` raises.
        """
        return await self._result_of(await self.submit(step_or_source, **options))

    async def submit(
        self, step_or_source: Step | str, **options: Unpack[StepOptions]
    ) -> AsyncExecution:
        """Sends a step as a one-shot; waits and raises as `Stepwell.submit` does."""
        return await self._submit_step(Step.of(step_or_source, **options), None, None)

    async def close(self) -> None:
        """Ends the connection, within some 10 seconds. The second time there is nothing to do."""
        await asyncio.get_running_loop().run_in_executor(None, self._core.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    def __reduce__(self) -> NoReturn:
        refuse_pickling(self)

    async def _result_of(self, execution: AsyncExecution) -> ExecutionResult:
        """Waits for a step, and cancels it where this wait is cancelled."""
        try:
            return await execution.result()
        except asyncio.CancelledError:
            execution.cancel()
            execution.abandon()
            raise

    async def _submit_step(
        self, step: Step, session_id: str | None, base: str | None
    ) -> AsyncExecution:
        return await self._submit(self._core.step_request(step, session_id, base))

    async def _submit(self, request: Request) -> AsyncExecution:
        message = self._core.encoded(request)
        handover = self._handover_here()
        await self._take_place(handover)
        execution = AsyncExecution(self._core, handover, request.request_id, request.session_id)
        self._core.send(request, message, execution)
        return execution

    async def _take_place(self, handover: Handover) -> None:
        places = self._core.pending.places
        if places.take_now():
            return
        mine = asyncio.Event()

        def taken() -> None:
            handover.call(mine.set)

        places.take_later(taken)
        timeout = self._core.options.submit_timeout
        try:
            await asyncio.wait_for(mine.wait(), timeout)
        except asyncio.TimeoutError:
            if places.give_up(taken):
                raise places.too_many(timeout) from None
        except BaseException:
            if not places.give_up(taken):
                places.give_back()
            raise

    def _handover_here(self) -> Handover:
        loop = asyncio.get_running_loop()
        if self._handover is None:
            self._loop = loop
            self._handover = Handover(loop)
        elif loop is not self._loop:
            raise RuntimeError(
                "this client belongs to another event loop: connect in each loop, or use the "
                "blocking Stepwell, which is thread-safe"
            )
        return self._handover

    async def _carry_out(self, plan: Plan[T]) -> T:
        """Sends what a plan wants sent, until it has what it was made for."""
        try:
            asks = next(plan)
            while True:
                asks = plan.send(await self._ask(asks))
        except StopIteration as end:
            value: T = end.value
            return value
        finally:
            plan.close()

    async def _ask(self, asks: list[Ask]) -> list[Answer]:
        """Sends all, then waits for each. What can't be sent keeps the rest from being sent."""
        sent: list[AsyncExecution] = []
        answers: list[Answer] = []
        failure: StepwellError | None = None
        patience = self._core.options.answer_timeout
        try:
            try:
                for ask in asks:
                    request = self._core.work_request(ask.work, ask.session_id, ask.base)
                    sent.append(await self._submit(request))
            except StepwellError as error:
                failure = error
            for execution in sent:
                answers.append(await _awaited(execution, patience))
                # After one wait without an answer, the others are only looked at.
                patience = 0.0 if isinstance(answers[-1], NoAnswerError) else patience
        finally:
            for execution in sent:
                execution.abandon()
        if failure is not None:
            answers.extend([failure] * (len(asks) - len(answers)))
        return answers


async def _awaited(execution: AsyncExecution, timeout: float) -> Answer:
    try:
        return await execution.result(timeout)
    except StepwellError as error:
        return error
