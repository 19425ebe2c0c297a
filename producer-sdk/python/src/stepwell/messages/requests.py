"""Requests as values. Making one checks it; whatever is wrong is named by the wire's field."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from stepwell.errors import InvalidMessageError
from stepwell.messages import checks, operations, paths
from stepwell.messages.operations import SessionOperation
from stepwell.messages.paths import FileInput
from stepwell.names import ErrorCode, StepKind

VERSION: Final = 1
MAX_FILES: Final = 1000
"""The most files that a request may bring, and the most patterns of files to bring back."""

_MAX_ARGUMENTS: Final = 4096
_MAX_VARIABLES: Final = 256
_MIN_MEMORY_BYTES: Final = 1 << 20
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}")


@dataclass(frozen=True, slots=True)
class Limits:
    """What a step asks for within its profile's bounds; None is the profile's default."""

    wall_time_ms: int | None = None
    """Wall-clock time of the step's own code, in milliseconds, at least 1."""
    memory_bytes: int | None = None
    """Private memory of the step's process, in bytes, at least 1 MiB."""
    output_bytes: int | None = None
    """Bytes kept of each of stdout and stderr, at least 0; the rest is counted."""
    state_bytes: int | None = None
    """Bytes of the snapshot that the step may leave, at least 0."""

    def __post_init__(self) -> None:
        checks.optional_integer("limits.wallTimeMs", self.wall_time_ms, 1)
        checks.optional_integer("limits.memoryBytes", self.memory_bytes, _MIN_MEMORY_BYTES)
        checks.optional_integer("limits.outputBytes", self.output_bytes, 0)
        checks.optional_integer("limits.stateBytes", self.state_bytes, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionRequest:
    """A request to run one step."""

    request_id: str
    """The publisher's name for this request, unique for ever."""
    session_id: str | None = None
    """The session whose state the step sees and leaves, or None for a one-shot."""
    kind: StepKind
    source: str | None = None
    """Python source or a shell command line; None for argv."""
    prelude: str | None = None
    """Python source that runs in the step's namespace before `source`; for Python steps only."""
    argv: tuple[str, ...] = ()
    stdin: str | None = None
    files: tuple[FileInput, ...] = ()
    """What is put into the workspace before the step runs."""
    artifacts: tuple[str, ...] = ()
    """Which files the result is to bring back: paths or patterns."""
    base: str | None = None
    """For a one-shot only: the reference of a state that it sees and leaves as it is."""
    strict_state: bool = False
    """Whether the step is to leave all of its state or none."""
    profile: str | None = None
    limits: Limits = Limits()
    environment: Mapping[str, str] = field(default_factory=dict)
    deadline_ms: int | None = None
    """When it must have started, in milliseconds since the epoch; None for any time."""
    reply_to: str | None = None
    """The topic for the result; None for the common one."""

    def __post_init__(self) -> None:
        checks.identifier("requestId", self.request_id)
        if self.session_id is not None:
            checks.identifier("sessionId", self.session_id)
        self._check_what_runs()
        checks.text("stdin", self.stdin)
        checks.name("profile", self.profile)
        checks.name("replyTo", self.reply_to)
        checks.optional_integer("deadlineMs", self.deadline_ms, 0)
        _check_environment(self.environment)
        if self.files:
            paths.check_files("files", self.files, MAX_FILES)
        if self.artifacts:
            paths.check_paths("artifacts", self.artifacts, MAX_FILES)
        if not isinstance(self.strict_state, bool):
            raise checks.invalid("strictState", "must be true or false")
        self._check_base()

    @property
    def key(self) -> str:
        """The Kafka key: what must stay in order has the same."""
        return self.request_id if self.session_id is None else self.session_id

    def _check_what_runs(self) -> None:
        self._check_prelude()
        if self.kind is StepKind.ARGV:
            if self.source is not None:
                raise checks.invalid("source", "must be absent when kind is ARGV")
            _check_arguments(self.argv)
            return
        if self.argv:
            raise checks.invalid("argv", f"must be absent when kind is {self.kind.name}")
        checks.text("source", self.source)
        if self.source is None or not self.source.strip():
            raise InvalidMessageError(
                ErrorCode.EMPTY_SOURCE, "source", "source is empty: there is nothing to run"
            )
        if self.kind is StepKind.SHELL:
            checks.no_nul("source", self.source)

    def _check_prelude(self) -> None:
        if self.prelude is None:
            return
        if self.kind is not StepKind.PYTHON:
            raise checks.invalid("prelude", f"must be absent when kind is {self.kind.name}")
        checks.text("prelude", self.prelude)
        if not self.prelude.strip():
            raise checks.invalid("prelude", "is blank: leave it out")

    def _check_base(self) -> None:
        checks.reference("base", self.base)
        if self.base is not None and self.session_id is not None:
            raise checks.invalid(
                "base",
                "must be absent for a step of a session, which starts from the session's state",
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRequest:
    """A request to do something to or about a session without running code."""

    request_id: str
    session_id: str | None = None
    """The session; None only where the operation reads a state by its reference."""
    operation: SessionOperation
    deadline_ms: int | None = None
    reply_to: str | None = None

    def __post_init__(self) -> None:
        checks.identifier("requestId", self.request_id)
        if self.session_id is not None or not operations.reads_reference(self.operation):
            checks.identifier("sessionId", self.session_id)
        checks.optional_integer("deadlineMs", self.deadline_ms, 0)
        checks.name("replyTo", self.reply_to)

    @property
    def key(self) -> str:
        """The Kafka key: what must stay in order has the same."""
        return self.request_id if self.session_id is None else self.session_id


Request = ExecutionRequest | SessionRequest
"""What a client publishes to the request topic."""


@dataclass(frozen=True, slots=True)
class CancelRequest:
    """The wish that a request be ended early."""

    request_id: str
    session_id: str | None = None

    def __post_init__(self) -> None:
        checks.identifier("requestId", self.request_id)
        if self.session_id is not None:
            checks.identifier("sessionId", self.session_id)

    @property
    def key(self) -> str:
        """The Kafka key, which is that of the request."""
        return self.request_id if self.session_id is None else self.session_id


def _check_arguments(argv: tuple[str, ...]) -> None:
    if not argv or not argv[0]:
        raise InvalidMessageError(
            ErrorCode.EMPTY_SOURCE, "argv", "argv is empty: there is nothing to run"
        )
    if len(argv) > _MAX_ARGUMENTS:
        raise checks.invalid("argv", f"has {len(argv)} elements, more than {_MAX_ARGUMENTS}")
    checks.texts("argv", argv)
    for index, argument in enumerate(argv):
        checks.no_nul(f"argv[{index}]", argument)


def _check_environment(environment: Mapping[str, str]) -> None:
    if len(environment) > _MAX_VARIABLES:
        raise checks.invalid(
            "environment", f"has {len(environment)} entries, more than {_MAX_VARIABLES}"
        )
    for name, value in environment.items():
        if not isinstance(name, str) or not _VARIABLE.fullmatch(name):
            raise checks.invalid(
                "environment", f"has the name {name!r}, which must match {_VARIABLE.pattern}"
            )
        where = f"environment.{name}"
        checks.text(where, value)
        if value is None:
            raise checks.invalid(where, "must be a string, and is None")
        checks.no_nul(where, value)
