"""Sessions and looks at their states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from stepwell import plans
from stepwell.execution import Execution
from stepwell.files import SessionFiles, WorkspaceFiles
from stepwell.messages import End, ExecutionResult, HistoryEntry, Reset, checks
from stepwell.step import Step, StepOptions
from stepwell.variables.encoding import Variables, encode
from stepwell.variables.looks import get_variable
from stepwell.variables.riding import Riding

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from stepwell.client import Stepwell


class Session:
    """A line of steps that share state: each sees what those before it left; thread-safe.

    Its steps run one at a time, in the order in which they were sent. A session exists as soon as a
    step names it, lives on without this client, and may be used by several clients. It ends when it
    is ended, or when no step has carried it on for as long as the workers' configuration says.
    """

    def __init__(self, client: Stepwell, session_id: str, profile: str | None = None) -> None:
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

    def run(self, step_or_source: Step | str, **options: Unpack[StepOptions]) -> ExecutionResult:
        """Runs a step, or Python source, as the session's next step and waits for its result.

        Returns the result, whatever its outcome is. Raises NoAnswerError if there is none within
        the answer timeout, and what `Stepwell.submit` raises.
        """
        return self.submit(step_or_source, **options).result()

    def submit(self, step_or_source: Step | str, **options: Unpack[StepOptions]) -> Execution:
        """Sends the session's next step; waits and raises as `Stepwell.submit` does."""
        step = Step.of(step_or_source, **options).in_profile(self._profile)
        step, boarded = self._riding.board(step)
        try:
            execution = self._client._submit_step(step, self._id, None)
        except BaseException:
            self._riding.alight(boarded)
            raise
        if boarded:
            execution.add_done_callback(lambda each: self._riding.arrive(boarded, each.answer()))
        return execution

    def put_variables(self, variables: Mapping[str, object], *, allow_pickle: bool = True) -> None:
        """Has variables ride along with the next Python step that this object sends.

        No step is run for them, and their values are those of now. Where they are too large for a
        message, their bytes are put into the workspace at once, which counts as a step. Should that
        next step leave no state, for a time-out say, they ride along with the one after it.

        `stepwell.variables.encode` says which values go how. Raises VariableError naming the
        variable that can't, its type and the other ways.
        """
        encoded = encode(variables, allow_pickle=allow_pickle)
        if sum(map(len, encoded.files.values())) > self._client._core.options.riding_bytes:
            self.files.put(encoded.files)
            encoded = Variables(encoded.prelude)
        self._riding.put(encoded)

    def get_variable(
        self, name: str, *, allow_pickle: bool = False, **options: Unpack[StepOptions]
    ) -> object:
        """The value of a variable, as the steps sent before leave it.

        It is read by a look: no step is added to the session. The sandbox writes it in a format
        that is read here without running anything; a dataclass instance comes as a dict. `options`
        are those of the step that looks, such as `memory_bytes`. What still rides along with the
        next step isn't there yet.

        Raises VariableNotPortableError for a value that the format has no form for, unless
        `allow_pickle` is True: then it is unpickled here, which lets whatever ran in the sandbox
        run code here, with your rights. Raises StepFailedError for a name that there isn't.
        """
        return self.latest().get_variable(name, allow_pickle=allow_pickle, **options)

    def fork(
        self,
        step: int | None = None,
        *,
        name: str | None = None,
        reseed: bool = False,
        profile: str | None = None,
    ) -> Session:
        """A new session that starts with the state after a step of this one.

        No code runs and nothing is copied; the two have nothing to do with each other from then on.

        - `step`: its number, at least 1; where it left no state, the last one before it that did
          counts; None for the state that the steps sent before leave.
        - `name`: the fork's id, which no session may have yet; None for a random one.
        - `reseed`: True has the fork start with random streams of its own, False with those of what
          it forks, so that the same code draws the same numbers in every fork.
        - `profile`: that of the fork's steps that name none; None for this session's.

        Raises SessionUnknownError, SessionExistsError, StateUnavailableError, and another
        StepwellError if it could not be made or is not known to be.
        """
        return self._locate(step).fork(name=name, reseed=reseed, profile=profile)

    def forks(
        self,
        step: int | None,
        count: int,
        *,
        name: str | None = None,
        reseed: bool = False,
        profile: str | None = None,
    ) -> list[Session]:
        """Several new sessions that start with the state after a step, made side by side.

        With a `name` their ids are that with `-1`, `-2` and so on behind it. Raises as `fork` does
        where one could not be made; the others are then ended.
        """
        return self._locate(step).forks(count, name=name, reseed=reseed, profile=profile)

    def at(self, step: int) -> SessionView:
        """The session as a step left it, to be looked at and forked.

        Takes its turn among the session's steps. Where the step left no state, the last one before
        it that did counts. Raises SessionUnknownError, StateUnavailableError.
        """
        return self._locate(step)

    def latest(self) -> SessionView:
        """The session as the steps sent before leave it, to be looked at and forked."""
        return self._locate(None)

    def history(self) -> list[HistoryEntry]:
        """The steps that the session has had, newest first; a fork's go back into its source's.

        Steps that left no state may be missing, and so are those whose state has expired. Raises
        SessionUnknownError.
        """
        return self._client._carry_out(plans.history(self._id))

    def reset(self) -> None:
        """Drops the session's variables and files. Its steps count on; earlier ones can be forked.

        Raises SessionUnknownError.
        """
        self._client._carry_out(plans.apply(Reset(), self._id))

    def end(self) -> None:
        """Ends the session for good, wherever it is used: its state and history are forgotten.

        Its forks live on. A step sent later begins another session, which has nothing of this one.
        It is not called close, since nothing has to be closed: letting go of this object ends
        nothing. Raises SessionUnknownError.
        """
        self._client._carry_out(plans.apply(End(), self._id))

    @property
    def files(self) -> SessionFiles:
        """The session's workspace. Nothing is sent."""
        return SessionFiles(self._client, self._id)

    def _locate(self, step: int | None) -> SessionView:
        located = self._client._carry_out(plans.locate(self._id, step))
        return SessionView(self._client, located.reference, located.step, self._profile)

    def __repr__(self) -> str:
        return f"<Session {self._id}>"


class SessionView:
    """A session as one of its steps left it; immutable and thread-safe.

    What runs here sees that state and leaves nothing: the session goes on as if nobody had looked.
    It can be used for as long as the state is retained; after that everything here raises
    StateUnavailableError.
    """

    def __init__(
        self, client: Stepwell, reference: str, step: int, profile: str | None = None
    ) -> None:
        self._client = client
        self._reference = reference
        self._step = step
        self._profile = profile

    @property
    def step(self) -> int:
        """The number of the step that left this state.

        It is below the one that was asked for where that one left none.
        """
        return self._step

    def run(self, step_or_source: Step | str, **options: Unpack[StepOptions]) -> ExecutionResult:
        """Runs a step on this state and waits for its result, as `Stepwell.run` does."""
        return self.submit(step_or_source, **options).result()

    def submit(self, step_or_source: Step | str, **options: Unpack[StepOptions]) -> Execution:
        """Sends a step to be run on this state, as a one-shot.

        Any number of them run side by side, on any workers. Waits and raises as `Stepwell.submit`
        does.
        """
        step = Step.of(step_or_source, **options).in_profile(self._profile)
        return self._client._submit_step(step, None, self._reference)

    def get_variable(
        self, name: str, *, allow_pickle: bool = False, **options: Unpack[StepOptions]
    ) -> object:
        """The value of a variable in this state; see `Session.get_variable`."""
        if self._profile is not None:
            options.setdefault("profile", self._profile)
        plan = get_variable(self._reference, name, allow_pickle=allow_pickle, **options)
        return self._client._carry_out(plan)

    def fork(
        self, *, name: str | None = None, reseed: bool = False, profile: str | None = None
    ) -> Session:
        """A new session that starts with this state; see `Session.fork`."""
        ids = [plans.new_session_id() if name is None else name]
        return self._make(ids, reseed, profile)[0]

    def forks(
        self,
        count: int,
        *,
        name: str | None = None,
        reseed: bool = False,
        profile: str | None = None,
    ) -> list[Session]:
        """Several new sessions that start with this state; see `Session.forks`."""
        return self._make(plans.fork_ids(name, count), reseed, profile)

    @property
    def files(self) -> WorkspaceFiles:
        """The workspace as that step left it. Nothing is sent."""
        return WorkspaceFiles(self._client, None, self._reference)

    def _make(self, ids: list[str], reseed: bool, profile: str | None) -> list[Session]:
        profile = self._profile if profile is None else profile
        plan = plans.forks(
            self._reference, ids, reseed, lambda each: Session(self._client, each, profile)
        )
        return self._client._carry_out(plan)

    def __repr__(self) -> str:
        return f"<SessionView of step {self._step}>"
