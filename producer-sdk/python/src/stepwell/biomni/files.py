"""Files of a playground as file objects: read at once when opened, written back when closed or
flushed.
"""

from __future__ import annotations

import io
from typing import Any

from stepwell import EntryKind, FileMissingError, FileRefusedError, SessionUnknownError
from stepwell.biomni.errors import PlaygroundPathError

_ACCESS = "rwax"


class PlaygroundFile(io.BytesIO):
    """The bytes of one file of a workspace, in memory.

    What was written goes to the workspace at `flush` and at `close`, as a whole. Not for several
    threads at once.
    """

    def __init__(self, files: Any, path: str, mode: str, content: bytes) -> None:
        super().__init__(content)
        self._files = files
        self._mode = mode
        self._append = "a" in mode
        self._dirty = "w" in mode or "x" in mode
        self.name = path
        if self._append:
            self.seek(0, io.SEEK_END)

    @property
    def mode(self) -> str:
        """How it was opened."""
        return self._mode

    def readable(self) -> bool:
        """Whether its mode allows to read."""
        return "r" in self._mode or "+" in self._mode

    def writable(self) -> bool:
        """Whether its mode allows to write."""
        return self._mode[0] in "wax" or "+" in self._mode

    def read(self, size: int | None = -1, /) -> bytes:
        """As of any binary file."""
        self._check(self.readable(), "not readable")
        return super().read(size)

    def read1(self, size: int | None = -1, /) -> bytes:
        """As of any binary file."""
        self._check(self.readable(), "not readable")
        return super().read1(-1 if size is None else size)

    def readinto(self, buffer: Any, /) -> int:
        """As of any binary file."""
        self._check(self.readable(), "not readable")
        return super().readinto(buffer)

    def readline(self, size: int | None = -1, /) -> bytes:
        """As of any binary file."""
        self._check(self.readable(), "not readable")
        return super().readline(size)

    def write(self, data: Any, /) -> int:
        """As of any binary file; opened to append, it writes at the end, wherever it was."""
        self._check(self.writable(), "not writable")
        if self._append:
            self.seek(0, io.SEEK_END)
        self._dirty = True
        return super().write(data)

    def writelines(self, lines: Any, /) -> None:
        """As of any binary file."""
        for line in lines:
            self.write(line)

    def truncate(self, size: int | None = None, /) -> int:
        """As of any binary file."""
        self._check(self.writable(), "not writable")
        self._dirty = True
        return super().truncate(size)

    def flush(self) -> None:
        """Brings what was written into the workspace."""
        super().flush()
        if self._dirty:
            put_file(self._files, self.name, self.getvalue())
            self._dirty = False

    def close(self) -> None:
        """Brings what was written into the workspace. Calling it again does nothing."""
        if not self.closed:
            try:
                self.flush()
            finally:
                super().close()

    def __del__(self) -> None:
        # A file that nobody closed has not been written: unlike a local one it would do so over the
        # network, at any time.
        self._dirty = False

    def _check(self, allowed: bool, problem: str) -> None:
        if self.closed:
            raise ValueError("I/O operation on closed file")
        if not allowed:
            raise io.UnsupportedOperation(problem)


def open_file(
    files: Any, path: str, mode: str, encoding: str | None, errors: str | None, newline: str | None
) -> Any:
    """A file of a workspace, opened as ``open`` does: text unless the mode has ``b``."""
    access, binary = _parsed(mode, encoding, errors, newline)
    name = checked_path(path)
    content = _content(files, name, path, access)
    raw = PlaygroundFile(files, name, access, content)
    if binary:
        return raw
    text = io.TextIOWrapper(
        raw, encoding=encoding or "utf-8", errors=errors, newline=newline, write_through=True
    )
    text.mode = mode  # type: ignore[misc]
    return text


def checked_path(path: str) -> str:
    """A path as the workspace has it. Raises PlaygroundPathError for those that leave it by their
    text.
    """
    if not isinstance(path, str):
        path = str(path)
    if path.startswith(("/", "\\")) or "\0" in path:
        raise PlaygroundPathError(path, "it is absolute" if path[0] in "/\\" else "it has a NUL")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise PlaygroundPathError(path, "it has '..'")
    if not parts:
        raise PlaygroundPathError(path, "it names no file")
    return "/".join(parts)


def put_file(files: Any, path: str, content: bytes) -> None:
    """Puts a file, never through a link: the worker refuses where a folder on the way is none."""
    _refuse_links(files, path)
    try:
        files.put(path, content)
    except FileRefusedError as error:
        _refuse_links(files, path)
        raise PlaygroundPathError(path, str(error)) from error


def _parsed(
    mode: str, encoding: str | None, errors: str | None, newline: str | None
) -> tuple[str, bool]:
    kinds = sorted(set(mode) - set("bt+"))
    if (
        len(kinds) != 1
        or kinds[0] not in _ACCESS
        or len(set(mode)) != len(mode)
        or {"b", "t"} <= set(mode)
    ):
        raise ValueError(f"invalid mode: {mode!r}")
    binary = "b" in mode
    if binary and (encoding or errors or newline):
        raise ValueError("binary mode takes no encoding, errors or newline")
    return kinds[0] + ("+" if "+" in mode else ""), binary


def _content(files: Any, name: str, path: str, access: str) -> bytes:
    if access[0] == "w":
        _refuse_links(files, name)
        return b""
    try:
        content: bytes = files.get(name)
    except (FileMissingError, SessionUnknownError):
        _refuse_links(files, name)
        if access[0] == "r":
            raise FileNotFoundError(2, "No such file in the playground", path) from None
        return b""
    except FileRefusedError as error:
        _refuse_links(files, name)
        raise PlaygroundPathError(path, str(error)) from error
    if access[0] == "x":
        raise FileExistsError(17, "File exists in the playground", path)
    return content


def _refuse_links(files: Any, path: str) -> None:
    """Names what is in a path's way: a link anywhere, a file where a folder has to be, a folder
    where a file has to be.
    """
    parts = path.split("/")
    try:
        kinds = {entry.path: entry.kind for entry in files.list(parts[0])}
    except SessionUnknownError:
        return  # nothing was ever put there
    for count in range(1, len(parts) + 1):
        way = "/".join(parts[:count])
        kind = kinds.get(way)
        if kind is EntryKind.LINK:
            raise PlaygroundPathError(path, f"{way!r} is a symbolic link, which is not followed")
        if kind is EntryKind.FILE and way != path:
            raise PlaygroundPathError(path, f"{way!r} is a file, not a folder")
        if kind is EntryKind.FOLDER and way == path:
            raise PlaygroundPathError(path, "it is a folder")
