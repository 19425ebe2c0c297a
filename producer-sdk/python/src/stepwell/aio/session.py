"""Sessions and looks at their states, from a loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell import plans
from stepwell.aio.execution import AsyncExecution
from stepwell.aio.files import AsyncSessionFiles, AsyncWorkspaceFiles
from stepwell.messages import End, ExecutionResult, HistoryEntry, Reset, checks
from stepwell.step import Step, StepOptions

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from stepwell.aio.client import AsyncStepwell


class AsyncSession:
    """A line of steps that share state; what `Session` is, with `await`. For one loop."""

    def __init__(self, client: AsyncStepwell, session_id: str) -> None:
        checks.identifier("sessionId", session_id)
        self._client = client
        self._id = session_id

    @property
    def id(self) -> str:
        """The session's id, by which any client can go on with it."""
        return self._id

    async def run(
        self, step_or_source: Step | str, **options: Unpack[StepOptions]
    ) -> ExecutionResult:
        """Runs the session's next step and waits for its result, whatever its outcome is.

        Where the task is cancelled meanwhile, so is the step. Raises as `Session.run` does.
        """
        step = Step.of(step_or_source, **options)
        return await self._client._run_step(step, self._id, None)

    async def submit(
        self, step_or_source: Step | str, **options: Unpack[StepOptions]
    ) -> AsyncExecution:
        """Sends the session's next step; waits and raises as `Stepwell.submit` does."""
        step = Step.of(step_or_source, **options)
        return await self._client._submit_step(step, self._id, None)

    async def fork(
        self, step: int | None = None, *, name: str | None = None, reseed: bool = False
    ) -> AsyncSession:
        """A new session that starts with the state after a step; see `Session.fork`."""
        return await (await self._locate(step)).fork(name=name, reseed=reseed)

    async def forks(
        self, step: int | None, count: int, *, name: str | None = None, reseed: bool = False
    ) -> list[AsyncSession]:
        """Several new sessions that start with the state after a step; see `Session.forks`."""
        return await (await self._locate(step)).forks(count, name=name, reseed=reseed)

    async def at(self, step: int) -> AsyncSessionView:
        """The session as a step left it; see `Session.at`."""
        return await self._locate(step)

    async def latest(self) -> AsyncSessionView:
        """The session as the steps sent before leave it."""
        return await self._locate(None)

    async def history(self) -> list[HistoryEntry]:
        """The steps that the session has had, newest first; see `Session.history`."""
        return await self._client._carry_out(plans.history(self._id))

    async def reset(self) -> None:
        """Drops the session's variables and files; see `Session.reset`."""
        await self._client._carry_out(plans.apply(Reset(), self._id))

    async def end(self) -> None:
        """Ends the session for good; see `Session.end`."""
        await self._client._carry_out(plans.apply(End(), self._id))

    @property
    def files(self) -> AsyncSessionFiles:
        """The session's workspace. Nothing is sent."""
        return AsyncSessionFiles(self._client, self._id)

    async def _locate(self, step: int | None) -> AsyncSessionView:
        located = await self._client._carry_out(plans.locate(self._id, step))
        return AsyncSessionView(self._client, located.reference, located.step)

    def __repr__(self) -> str:
        return f"<AsyncSession {self._id}>"


class AsyncSessionView:
    """A session as one of its steps left it; what `SessionView` is, with `await`."""

    def __init__(self, client: AsyncStepwell, reference: str, step: int) -> None:
        self._client = client
        self._reference = reference
        self._step = step

    @property
    def step(self) -> int:
        """The number of the step that left this state; see `SessionView.step`."""
        return self._step

    async def run(
        self, step_or_source: Step | str, **options: Unpack[StepOptions]
    ) -> ExecutionResult:
        """Runs a step on this state and waits for its result; it leaves nothing."""
        step = Step.of(step_or_source, **options)
        return await self._client._run_step(step, None, self._reference)

    async def submit(
        self, step_or_source: Step | str, **options: Unpack[StepOptions]
    ) -> AsyncExecution:
        """Sends a step to be run on this state; it leaves nothing."""
        step = Step.of(step_or_source, **options)
        return await self._client._submit_step(step, None, self._reference)

    async def fork(self, *, name: str | None = None, reseed: bool = False) -> AsyncSession:
        """A new session that starts with this state; see `Session.fork`."""
        ids = [plans.new_session_id() if name is None else name]
        return (await self._make(ids, reseed))[0]

    async def forks(
        self, count: int, *, name: str | None = None, reseed: bool = False
    ) -> list[AsyncSession]:
        """Several new sessions that start with this state; see `Session.forks`."""
        return await self._make(plans.fork_ids(name, count), reseed)

    @property
    def files(self) -> AsyncWorkspaceFiles:
        """The workspace as that step left it. Nothing is sent."""
        return AsyncWorkspaceFiles(self._client, None, self._reference)

    async def _make(self, ids: list[str], reseed: bool) -> list[AsyncSession]:
        client = self._client
        plan = plans.forks(self._reference, ids, reseed, lambda each: AsyncSession(client, each))
        return await client._carry_out(plan)

    def __repr__(self) -> str:
        return f"<AsyncSessionView of step {self._step}>"
