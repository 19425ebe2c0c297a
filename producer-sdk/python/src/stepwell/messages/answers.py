"""What session operations answer, as values."""

from __future__ import annotations

from dataclasses import dataclass

from stepwell.messages import checks
from stepwell.names import EntryKind, Outcome


@dataclass(frozen=True, slots=True)
class WorkspaceEntry:
    """What lies at a path of a workspace. Code in sandboxes made it: trust it no more than that."""

    path: str
    """Relative to `/workspace`."""
    kind: EntryKind
    mode: int
    """Its permission bits; 0o777 for a link."""
    bytes: int
    """The size of a file's content; else 0."""
    modified_ns: int
    """When it was last changed, in nanoseconds since the epoch, as its sandbox said."""
    sha256: str | None
    """Of a file's content; None where it is not known."""
    target: str | None
    """What a link says. It is a step's text, not to be followed."""

    def __post_init__(self) -> None:
        checks.integer("file.bytes", self.bytes, 0)
        checks.integer("file.mode", self.mode, 0, 0o777)
        checks.sha256("file.sha256", self.sha256)


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One step that a session has had."""

    step: int
    snapshot: str | None
    """The id of the snapshot that it left, or None for none."""
    request_id: str
    outcome: Outcome
    finished_at_ms: int
    """In milliseconds since the epoch, by the worker's clock."""
    bytes: int
    """The size of the variables after it."""
    retained: bool
    """Whether that state can still be had."""


@dataclass(frozen=True, slots=True)
class Located:
    """Where a state is."""

    reference: str
    step: int
    """The step that left it, at most the one asked for."""


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """Some of a session's steps, newest first."""

    steps: tuple[HistoryEntry, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class FilesPage:
    """Some of what is in a workspace, in the order of the paths' bytes."""

    reference: str
    files: tuple[WorkspaceEntry, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class Content:
    """A range of a file."""

    reference: str
    file: WorkspaceEntry
    offset: int
    content: bytes


SessionAnswer = Located | HistoryPage | FilesPage | Content
"""Any of the answers."""
