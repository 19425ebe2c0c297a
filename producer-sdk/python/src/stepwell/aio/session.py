"""Sessions and looks at their states, from a loop."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from stepwell import plans
from stepwell.aio.execution import AsyncExecution
from stepwell.aio.files import AsyncSessionFiles, AsyncWorkspaceFiles
from stepwell.messages import End, ExecutionResult, HistoryEntry, Reset, checks
from stepwell.step import Step, StepOptions
from stepwell.variables.encoding import Variables, encode
from stepwell.variables.looks import get_variable
from stepwell.variables.riding import Riding

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from stepwell.aio.client import AsyncStepwell


class AsyncSession:
    """A line of steps that share state; what `Session` is, with `await`. For one loop."""

    def __init__(self, client: AsyncStepwell, session_id: str, profile: str | None = None) -> None:
        checks.identifier("sessionId", session_id)
        checks.name("profile", profile)
        self._client = client
        self._id = session_id
        self._profile = profile
        self._riding = Riding()

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
        return await self._client._result_of(await self.submit(step_or_source, **options))

    async def submit(
        self, step_or_source: Step | str, **options: Unpack[StepOptions]
    ) -> AsyncExecution:
        """Sends the session's next step; waits and raises as `Stepwell.submit` does."""
        step = Step.of(step_or_source, **options).in_profile(self._profile)
        step, boarded = self._riding.board(step)
        try:
            execution = await self._client._submit_step(step, self._id, None)
        except BaseException:
            self._riding.alight(boarded)
            raise
        if boarded:
            execution.add_done_callback(lambda each: self._riding.arrive(boarded, each.answer()))
        return execution

    async def put_variables(
        self, variables: Mapping[str, object], *, allow_pickle: bool = True
    ) -> None:
        """Has variables ride along with the next Python step; see `Session.put_variables`."""
        encoded = encode(variables, allow_pickle=allow_pickle)
        if sum(map(len, encoded.files.values())) > self._client._core.options.riding_bytes:
            await self.files.put(encoded.files)
            encoded = Variables(encoded.prelude)
        self._riding.put(encoded)

    async def get_variable(
        self, name: str, *, allow_pickle: bool = False, **options: Unpack[StepOptions]
    ) -> object:
        """The value of a variable; see `Session.get_variable`."""
        view = await self.latest()
        return await view.get_variable(name, allow_pickle=allow_pickle, **options)

    async def fork(
        self,
        step: int | None = None,
        *,
        name: str | None = None,
        reseed: bool = False,
        profile: str | None = None,
    ) -> AsyncSession:
        """A new session that starts with the state after a step; see `Session.fork`."""
        view = await self._locate(step)
        return await view.fork(name=name, reseed=reseed, profile=profile)

    async def forks(
        self,
        step: int | None,
        count: int,
        *,
        name: str | None = None,
        reseed: bool = False,
        profile: str | None = None,
    ) -> list[AsyncSession]:
        """Several new sessions that start with the state after a step; see `Session.forks`."""
        view = await self._locate(step)
        return await view.forks(count, name=name, reseed=reseed, profile=profile)

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
        return AsyncSessionView(self._client, located.reference, located.step, self._profile)

    def __repr__(self) -> str:
        return f"<AsyncSession {self._id}>"


class AsyncSessionView:
    """A session as one of its steps left it; what `SessionView` is, with `await`."""

    def __init__(
        self, client: AsyncStepwell, reference: str, step: int, profile: str | None = None
    ) -> None:
        self._client = client
        self._reference = reference
        self._step = step
        self._profile = profile

    @property
    def step(self) -> int:
        """The number of the step that left this state; see `SessionView.step`."""
        return self._step

    async def run(
        self, step_or_source: Step | str, **options: Unpack[StepOptions]
    ) -> ExecutionResult:
        """Runs a step on this state and waits for its result; it leaves nothing."""
        return await self._client._result_of(await self.submit(step_or_source, **options))

    async def submit(
        self, step_or_source: Step | str, **options: Unpack[StepOptions]
    ) -> AsyncExecution:
        """Sends a step to be run on this state; it leaves nothing."""
        step = Step.of(step_or_source, **options).in_profile(self._profile)
        return await self._client._submit_step(step, None, self._reference)

    async def get_variable(
        self, name: str, *, allow_pickle: bool = False, **options: Unpack[StepOptions]
    ) -> object:
        """The value of a variable in this state; see `Session.get_variable`."""
        if self._profile is not None:
            options.setdefault("profile", self._profile)
        plan = get_variable(self._reference, name, allow_pickle=allow_pickle, **options)
        return await self._client._carry_out(plan)

    async def fork(
        self, *, name: str | None = None, reseed: bool = False, profile: str | None = None
    ) -> AsyncSession:
        """A new session that starts with this state; see `Session.fork`."""
        ids = [plans.new_session_id() if name is None else name]
        return (await self._make(ids, reseed, profile))[0]

    async def forks(
        self,
        count: int,
        *,
        name: str | None = None,
        reseed: bool = False,
        profile: str | None = None,
    ) -> list[AsyncSession]:
        """Several new sessions that start with this state; see `Session.forks`."""
        return await self._make(plans.fork_ids(name, count), reseed, profile)

    @property
    def files(self) -> AsyncWorkspaceFiles:
        """The workspace as that step left it. Nothing is sent."""
        return AsyncWorkspaceFiles(self._client, None, self._reference)

    async def _make(self, ids: list[str], reseed: bool, profile: str | None) -> list[AsyncSession]:
        client = self._client
        profile = self._profile if profile is None else profile
        plan = plans.forks(
            self._reference, ids, reseed, lambda each: AsyncSession(client, each, profile)
        )
        return await client._carry_out(plan)

    def __repr__(self) -> str:
        return f"<AsyncSessionView of step {self._step}>"
