"""The one answer to a request, as a value."""

from __future__ import annotations

import base64
import binascii
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from stepwell import outcomes
from stepwell.display import figures, mime_bundle
from stepwell.messages import checks
from stepwell.messages.answers import SessionAnswer
from stepwell.names import ArtifactProblem, ErrorCode, Outcome

VERSION: Final = 1

Bytes = bytes
"""The type, where a field has its name."""

_TEXT_SUFFIXES: Final = ("+json", "+xml")
_TEXT_TYPES: Final = ("application/json", "application/javascript", "application/xml")


@dataclass(frozen=True, slots=True)
class Truncation:
    """How many bytes of the output were left out, at its end."""

    stdout_bytes: int = 0
    stderr_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Value:
    """A value as its sandbox described it: the last expression's, or one that the step showed."""

    text: str
    """What `repr` made of it, cut at 64 KiB."""
    type: str
    """Its type, such as `builtins.int`."""
    mime: Mapping[str, str] = field(default_factory=dict)
    """Richer forms by media type: text as it is, binary as Base64."""

    def data(self, media_type: str) -> str | bytes | None:
        """One richer form: str for text, bytes for all else, None where there is none.

        The sandbox wrote it: treat HTML and the like as you would a stranger's. Raises ValueError
        where it says that it is binary and is no Base64.
        """
        form = self.mime.get(media_type)
        if form is None or is_text(media_type):
            return form
        try:
            return base64.b64decode(form, validate=True)
        except (binascii.Error, ValueError) as error:
            raise ValueError(f"the form {media_type} of the value is no Base64: {error}") from None


@dataclass(frozen=True, slots=True)
class ExceptionReport:
    """The exception that left the source."""

    name: str
    """The class, as a traceback names it."""
    message: str
    traceback: str
    """What Python prints, with the user's own lines."""
    line: int | None
    """The line of the source, from 1; None where there is none."""


@dataclass(frozen=True, slots=True)
class ResultError:
    """Why the step was not run, or not to its end."""

    code: ErrorCode
    message: str
    """For people: the input, the limit, the way out."""
    field: str | None = None
    """The path of the request's field at fault."""
    retry_safe: bool = False
    """True: the step's code has certainly not run, so sending it again repeats no effect."""


@dataclass(frozen=True, slots=True)
class LostValue:
    """Something that the step left and that could not be kept."""

    name: str
    """The variable; `*` for everything."""
    path: str
    """The way from the variable to the value."""
    type: str
    reason: str
    hint: str | None
    """What to do instead, or None."""


@dataclass(frozen=True, slots=True)
class StateReport:
    """A session's state after a step."""

    snapshot: str | None = None
    """The id of the session's newest snapshot; None while it has none."""
    saved: bool = False
    """Whether this step made it; False: the state is what the step before left."""
    bytes: int = 0
    """The size of the session's variables."""
    new_bytes: int = 0
    """How many bytes this step added to what is stored for the session."""
    kept: int = 0
    """How many top-level names it holds."""
    lost: tuple[LostValue, ...] = ()
    """What this step left that could not be kept."""
    files: int = 0
    """How many files, folders and links the workspace has."""
    file_bytes: int = 0
    """The size of those files."""

    def __post_init__(self) -> None:
        checks.sha256("state.snapshot", self.snapshot)


@dataclass(frozen=True, slots=True)
class Artifact:
    """A file that a request asked to have back, or why it can't be had.

    One without content and without problem was too large for the result and is in the session's
    workspace: `session.files.get(artifact.path)`.
    """

    path: str
    """The file's path; where nothing was found, the path or pattern that was asked for."""
    bytes: int
    sha256: str | None
    mode: int
    content: Bytes | None
    problem: ArtifactProblem | None = None
    """Why it can't be had, for programs; None where it can."""
    reason: str | None = None
    """The same for people."""

    def __post_init__(self) -> None:
        checks.sha256("artifacts.sha256", self.sha256)
        if self.problem is not None and self.content is not None:
            raise checks.invalid("artifacts.content", "must be absent where there is a problem")


@dataclass(frozen=True, slots=True)
class Timings:
    """Where the time went, in milliseconds, each from the end of the one before."""

    queued_ms: float = 0.0
    acquired_ms: float = 0.0
    restored_ms: float = 0.0
    ran_ms: float = 0.0
    saved_ms: float = 0.0
    committed_ms: float = 0.0

    def __post_init__(self) -> None:
        for name in self.__slots__:
            value = getattr(self, name)
            if not (0 <= value < math.inf):
                raise checks.invalid(f"timings.{name}", f"is {value}, must be at least 0")


@dataclass(frozen=True, slots=True)
class Usage:
    """What the step used, as seen from outside its process."""

    cpu_ms: float | None = None
    """Processor time in milliseconds; None where unknown."""
    peak_memory_bytes: int | None = None
    enforcement: str = "none"
    """How memory and processes were limited: `cgroup`, `rlimit`, `none`."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ExecutionResult:
    """The one answer to a request. How the step ended is `outcome`, whatever became of it."""

    request_id: str
    session_id: str | None = None
    """The session, or None for a one-shot."""
    step: int | None = None
    """The step's number in its session, from 1; None where there is none."""
    outcome: Outcome
    exit_code: int | None = None
    """The exit code of the step's process, 0 to 255; None where it didn't exit by itself."""
    signal: str | None = None
    """The signal that ended the step's process, such as `SIGKILL`; None for none."""
    stdout: str = ""
    stderr: str = ""
    truncation: Truncation = Truncation()
    value: Value | None = None
    """The last expression's; None where the source doesn't end in one, or it is None."""
    displays: tuple[Value, ...] = ()
    """What the step showed, in that order: figures, and what it passed to a display."""
    exception: ExceptionReport | None = None
    """The exception that left the source, or None."""
    error: ResultError | None = None
    """Why the step was not run, or not to its end; None for COMPLETED, FAILED, EXITED."""
    state: StateReport | None = None
    """The session's state after the step; None for a one-shot."""
    artifacts: tuple[Artifact, ...] = ()
    """The files that the request asked for, and behind them what was not found."""
    session: SessionAnswer | None = None
    """What a session operation answers."""
    timings: Timings = Timings()
    usage: Usage = Usage()
    worker_id: str
    sandbox_id: str | None = None
    """The sandbox that ran the step, and no other step; None where none did."""
    attempt: int = 1

    def __post_init__(self) -> None:
        checks.identifier("requestId", self.request_id)
        if self.session_id is not None:
            checks.identifier("sessionId", self.session_id)
        checks.optional_integer("step", self.step, 1)
        if self.exit_code is not None:
            checks.integer("exitCode", self.exit_code, 0, 255)
        checks.integer("attempt", self.attempt, 1)

    def or_throw(self) -> ExecutionResult:
        """Gives the result back if its step completed, or exited with 0; else raises.

        Raises StepFailedError for FAILED, EXITED with another code, and CRASHED; StepTimedOutError;
        StepLimitError for OUT_OF_MEMORY and LIMIT_EXCEEDED; StepCancelledError;
        RequestRejectedError or one of its kinds; InfrastructureError.
        """
        error = outcomes.error_of(self)
        if error is not None:
            raise error
        return self

    @property
    def figures(self) -> list[bytes]:
        """The images that the step showed, and its value's, as PNG."""
        return figures(self)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return mime_bundle(self)

    def _repr_html_(self) -> str:
        return mime_bundle(self)["text/html"]

    def __repr__(self) -> str:
        ended = f"{outcomes.name_of(self)}: {self.outcome.name}"
        return (
            f"<ExecutionResult {ended}{'' if self.value is None else f' {self.value.text[:80]}'}>"
        )


def is_text(media_type: str) -> bool:
    """Whether forms of a media type are text, and not Base64."""
    essence = media_type.partition(";")[0].strip().lower()
    return essence.startswith("text/") or essence in _TEXT_TYPES or essence.endswith(_TEXT_SUFFIXES)
