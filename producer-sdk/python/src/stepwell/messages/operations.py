"""What a session can be asked for without running code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from stepwell.messages import checks, paths
from stepwell.messages.paths import FileInput

MAX_ENTRIES: Final = 1000
"""The most entries in one answer, and the most files or paths in one request."""

MAX_CONTENT_BYTES: Final = 512 << 10
"""The most bytes of a file's content in one answer."""


@dataclass(frozen=True, slots=True)
class Fork:
    """Makes the session of the request out of the state that a reference names."""

    base: str
    reseed: bool

    def __post_init__(self) -> None:
        _require_reference(self.base)


@dataclass(frozen=True, slots=True)
class Locate:
    """Asks for the reference of the state after a step; without one, of the newest."""

    step: int | None = None

    def __post_init__(self) -> None:
        checks.optional_integer("operation.step", self.step, 1)


@dataclass(frozen=True, slots=True)
class History:
    """Asks for the session's steps, newest first."""

    limit: int
    before_step: int | None = None

    def __post_init__(self) -> None:
        checks.integer("operation.limit", self.limit, 1, MAX_ENTRIES)
        checks.optional_integer("operation.beforeStep", self.before_step, 1)


@dataclass(frozen=True, slots=True)
class Reset:
    """Drops the session's variables and files."""


@dataclass(frozen=True, slots=True)
class End:
    """Ends the session for good."""


@dataclass(frozen=True, slots=True)
class PutFiles:
    """Puts files into the workspace, all or none."""

    files: tuple[FileInput, ...]

    def __post_init__(self) -> None:
        paths.check_files("operation.files", self.files, MAX_ENTRIES)


@dataclass(frozen=True, slots=True)
class GetFile:
    """Asks for a range of a file."""

    path: str
    offset: int
    length: int
    base: str | None = None

    def __post_init__(self) -> None:
        paths.check_path("operation.path", self.path)
        checks.integer("operation.offset", self.offset, 0)
        checks.integer("operation.length", self.length, 1, MAX_CONTENT_BYTES)
        checks.reference("operation.base", self.base)


@dataclass(frozen=True, slots=True)
class ListFiles:
    """Asks for what is in the workspace, in the order of the paths' bytes."""

    prefix: str
    after: str | None
    limit: int
    base: str | None = None

    def __post_init__(self) -> None:
        paths.check_text("operation.prefix", self.prefix)
        paths.check_text("operation.after", self.after)
        checks.integer("operation.limit", self.limit, 1, MAX_ENTRIES)
        checks.reference("operation.base", self.base)


@dataclass(frozen=True, slots=True)
class RemoveFiles:
    """Removes files, links, and folders with all that is in them; all or none."""

    paths: tuple[str, ...]

    def __post_init__(self) -> None:
        paths.check_paths("operation.paths", self.paths, MAX_ENTRIES)


SessionOperation = (
    Fork | Locate | History | Reset | End | PutFiles | GetFile | ListFiles | RemoveFiles
)
"""Any of the operations. All but Fork and PutFiles need a session that there is."""


def reads_reference(operation: SessionOperation) -> bool:
    """Whether it reads a state by its reference, so that no session need be named."""
    return isinstance(operation, (GetFile, ListFiles)) and operation.base is not None


def _require_reference(base: str | None) -> None:
    if base is None:
        raise checks.invalid("operation.base", "is missing")
    checks.reference("operation.base", base)
