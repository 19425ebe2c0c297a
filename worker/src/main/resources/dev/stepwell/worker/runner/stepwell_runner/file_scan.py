"""Looks at what a step left in its workspace, once nobody else is alive in the sandbox.

However many entries there are, no more are held than the worker takes, and those the session had before.
"""
import posix
from _stat import S_IFDIR, S_IFLNK, S_IFMT, S_IFREG
from os import fsencode

from stepwell_runner.file_entries import MAX_DEPTH, MAX_PATH_BYTES
from stepwell_runner.folders import FOLDER_FLAGS
from stepwell_runner.workspace import State

_OWNERS = 0o700
_KINDS = {0o010000: "fifo", 0o140000: "socket", 0o020000: "character device", 0o060000: "block device"}
# What is told one by one of what can't be kept.
_TOLD = 200
# A look at the channel costs as much as a look at a file.
_LOOK_EVERY = 256


class Refusals:
    """What can't be kept, and how much of it there is. Owned by the supervisor."""

    def __init__(self) -> None:
        self.told: list[tuple[bytes, str, str]] = []
        self.count = 0

    def add(self, path: bytes, kind: str, reason: str, count: int = 1) -> None:
        """Adds entries; the path is that of the first."""
        self.count += count
        if len(self.told) < _TOLD:
            self.told.append((path, kind, reason))


class FileScan:
    """Finds what is there. ``found`` has parents before what is in them. Owned by the supervisor."""

    def __init__(self, before: dict[bytes, State], most_new: int, look) -> None:
        self.found: dict[bytes, State] = {}
        self.refusals = Refusals()
        self._before = before
        self._room = most_new
        self._look = look
        self._steps = 0

    def run(self, root: int) -> None:
        """Walks the whole folder."""
        if posix.fstat(root).st_mode & _OWNERS != _OWNERS:
            posix.fchmod(root, _OWNERS)
        self._walk(root, b"", 1)

    def step(self) -> None:
        """Counts a piece of work, and looks now and then whether it is still wanted."""
        self._steps += 1
        if self._steps % _LOOK_EVERY == 0:
            self._look()

    def _walk(self, folder: int, prefix: bytes, depth: int) -> None:
        for name in self._names(folder, prefix):
            self.step()
            path = prefix + name
            status = posix.lstat(name, dir_fd=folder)
            reason = _unfit(path, depth)
            if reason:
                self.refusals.add(path, _kind(status), reason)
            elif S_IFMT(status.st_mode) == S_IFDIR:
                self.found[path] = State(b"d", status)
                self._enter(folder, name, path, status, depth)
            elif S_IFMT(status.st_mode) == S_IFREG:
                self.found[path] = State(b"f", status)
            elif S_IFMT(status.st_mode) == S_IFLNK:
                self._take_link(folder, name, path, status)
            else:
                self.refusals.add(path, _kind(status), "only folders, files and links are kept")

    def _enter(self, folder: int, name: bytes, path: bytes, status: posix.stat_result, depth: int) -> None:
        if status.st_mode & _OWNERS != _OWNERS:
            # Its own mode is already noted. It is no link, and nobody is left who could make it one.
            posix.chmod(name, _OWNERS, dir_fd=folder)
        child = posix.open(name, FOLDER_FLAGS, dir_fd=folder)
        try:
            self._walk(child, path + b"/", depth + 1)
        finally:
            posix.close(child)

    def _take_link(self, folder: int, name: bytes, path: bytes, status: posix.stat_result) -> None:
        target = posix.readlink(name, dir_fd=folder)
        if not _is_utf8(target):
            self.refusals.add(path, "link", "its text is no UTF-8")
        elif len(target) > MAX_PATH_BYTES:
            self.refusals.add(path, "link", f"its text is longer than {MAX_PATH_BYTES} bytes")
        else:
            self.found[path] = State(b"l", status, target)

    def _names(self, folder: int, prefix: bytes) -> list[bytes]:
        """The names in a folder, as far as there is room for them; what the session had before always has."""
        names, beyond = [], 0
        first = b""
        with posix.scandir(folder) as entries:
            for entry in entries:
                self.step()
                name = fsencode(entry.name)
                if prefix + name not in self._before:
                    if not self._room:
                        first = first or name
                        beyond += 1
                        continue
                    self._room -= 1
                names.append(name)
        if beyond:
            self.refusals.add(prefix + first, "entry", "the workspace has too many entries", beyond)
        names.sort()
        return names


def _unfit(path: bytes, depth: int) -> str:
    if depth > MAX_DEPTH:
        return f"it is deeper than {MAX_DEPTH} folders"
    if len(path) > MAX_PATH_BYTES:
        return f"its path is longer than {MAX_PATH_BYTES} bytes"
    return "" if _is_utf8(path) else "its name is no UTF-8"


def _kind(status: posix.stat_result) -> str:
    kind = S_IFMT(status.st_mode)
    return {S_IFDIR: "folder", S_IFREG: "file", S_IFLNK: "link"}.get(kind) or _KINDS.get(kind, "entry")


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
        return True
    except UnicodeDecodeError:
        return False
