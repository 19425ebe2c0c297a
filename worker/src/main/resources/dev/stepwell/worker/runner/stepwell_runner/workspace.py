"""The workspace: makes the session's files before a step, and tells what became of them after it.

Both is the supervisor's work, so that step code can't forge it. When files are made, no code of the step's runs; when
they are looked at again, everything else in the sandbox is dead. What the step left is hostile all the same: no link is
followed, nothing but folders and regular files is ever opened, and nothing is read that has no room.
"""
import posix

from stepwell_runner import file_entries
from stepwell_runner.file_entries import FOLLOWS, Entry
from stepwell_runner.file_watch import FileWatch
from stepwell_runner.folders import FOLDER_FLAGS, Folders
from stepwell_runner.frames import ChannelError, number

FOLDER = "/workspace"
PLACES = "/run/stepwell"
_EXTENTS_OPEN = 32
_NEW_FILE = posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_NOFOLLOW | posix.O_CLOEXEC
_EXTENT_FLAGS = posix.O_RDONLY | posix.O_NOFOLLOW | posix.O_CLOEXEC


class State:
    """An entry as it was seen; immutable. Two that are equal are the same thing, untouched."""

    __slots__ = ("kind", "mode", "mtime_ns", "size", "ctime_ns", "inode", "target")

    def __init__(self, kind: bytes, status: posix.stat_result, target: bytes = b"") -> None:
        self.kind = kind
        self.mode = status.st_mode & 0o777
        # Whoever sets a file's time can set one that no field holds.
        self.mtime_ns = max(-(1 << 63), min(status.st_mtime_ns, (1 << 63) - 1))
        self.size = status.st_size if kind == b"f" else 0
        self.ctime_ns = status.st_ctime_ns
        self.inode = status.st_ino
        self.target = target

    def same(self, other: "State | None") -> bool:
        """Whether nothing tells the two apart."""
        return other is not None and all([getattr(self, name) == getattr(other, name) for name in self.__slots__])


class Extents:
    """The files that hold the contents; a few are kept open. Owned by the supervisor."""

    def __init__(self, names: list[bytes]) -> None:
        self._names = names
        self._open: dict[int, int] = {}

    def descriptor(self, position: int) -> int:
        """The open extent, good until the next call."""
        if position not in self._open:
            if len(self._open) == _EXTENTS_OPEN:
                self.close()
            self._open[position] = posix.open(PLACES.encode() + b"/" + self._names[position], _EXTENT_FLAGS)
        return self._open[position]

    def close(self) -> None:
        """Closes them all."""
        while self._open:
            posix.close(self._open.popitem()[1])


class Workspace:
    """The files of one step. Owned by the supervisor's thread.

    ``before`` is what was there when the step began, ``runs`` what each file then consisted of.
    """

    def __init__(self, fields: dict[str, list[bytes]]) -> None:
        self._listing_left = number(fields, "treeBytes")
        self._data_left = number(fields, "treeDataBytes")
        self.reports = number(fields, "reportsFiles") == 1
        self.file_bytes = number(fields, "fileBytes")
        self.files = number(fields, "files")
        self.new_bytes = number(fields, "newBytes")
        self.strict = number(fields, "strict") == 1
        self.extents = Extents(fields.get("extent", []))
        self.before: dict[bytes, State] = {}
        self.runs: dict[bytes, list[tuple[int, int, int]]] = {}
        self.root = -1
        self.watch: FileWatch | None = None
        self._listing = bytearray()
        self._making = None
        self._wanted = 0
        try:
            self.root = posix.open(FOLDER, FOLDER_FLAGS)
        except OSError as error:
            if self._listing_left:
                raise ChannelError(f"the workspace can't be made: {error}") from None

    def take(self, data: bytes) -> bytes:
        """Takes its part of what the worker sends, and makes files of it. Returns what is not its own."""
        if not self._listing_left and not self._data_left:
            return data
        try:
            return self._take(data)
        except (OSError, ValueError, IndexError) as error:
            raise ChannelError(f"the workspace can't be made: {type(error).__name__}: {error}") from None

    def _take(self, data: bytes) -> bytes:
        if self._listing_left:
            mine, data = data[: self._listing_left], data[self._listing_left :]
            self._listing += mine
            self._listing_left -= len(mine)
            if self._listing_left:
                return b""
            self._making = self._make()
            self._wanted = next(self._making, 0)
        while data and self._data_left:
            if not self._wanted or self._making is None:
                raise ValueError("content of no file")
            mine, data = data[: self._wanted], data[self._wanted :]
            self._data_left -= len(mine)
            try:
                self._wanted = self._making.send(mine)
            except StopIteration:
                self._wanted = 0
        if not self._data_left and self._wanted:
            raise ValueError("a file without its content")
        return data

    def _make(self):
        """Makes everything. Yields how many bytes it is waiting for, and is sent at most so many."""
        folders, made = Folders(self.root), []
        for entry in file_entries.read_listing(bytes(self._listing)):
            parent, name = folders.enter(entry.path)
            if entry.kind == b"f":
                yield from self._make_file(parent, name, entry)
            elif entry.kind == b"l":
                posix.symlink(entry.target, name, dir_fd=parent)
                self.before[entry.path] = State(b"l", posix.lstat(name, dir_fd=parent), entry.target)
            else:
                posix.mkdir(name, 0o700, dir_fd=parent)
                made.append(entry)
        self._listing.clear()
        if self.reports:
            # From here on: how the files were made is no news.
            self.watch = FileWatch()
            self.watch.add(FOLDER.encode(), b"")
        # Deepest first: what is made in a folder changes its time, and a closed one can't be entered.
        for entry in reversed(made):
            self._finish_folder(folders, entry)
        folders.close()
        self.extents.close()

    def _make_file(self, parent: int, name: bytes, entry: Entry):
        descriptor = posix.open(name, _NEW_FILE, 0o600, dir_fd=parent)
        try:
            for extent, offset, length in entry.runs:
                if extent != FOLLOWS:
                    self._copy(descriptor, extent, offset, length)
                    continue
                while length:
                    data = yield length
                    length -= len(data)
                    _write_all(descriptor, data)
            posix.fchmod(descriptor, entry.mode)
            posix.utime(descriptor, ns=(entry.mtime_ns, entry.mtime_ns))
            status = posix.fstat(descriptor)
            if status.st_size != entry.size:
                raise ValueError(f"a file has {status.st_size} bytes instead of {entry.size}")
            self.before[entry.path] = State(b"f", status)
            self.runs[entry.path] = entry.runs
        finally:
            posix.close(descriptor)

    def _copy(self, descriptor: int, extent: int, offset: int, length: int) -> None:
        source = self.extents.descriptor(extent)
        while length:
            copied = posix.sendfile(descriptor, source, offset, length)
            if not copied:
                raise ValueError("an extent is shorter than its pieces")
            offset += copied
            length -= copied

    def _finish_folder(self, folders: Folders, entry: Entry) -> None:
        parent, name = folders.enter(entry.path)
        if self.watch is not None:
            self.watch.add(FOLDER.encode() + b"/" + entry.path, entry.path + b"/")
        descriptor = posix.open(name, FOLDER_FLAGS, dir_fd=parent)
        try:
            posix.fchmod(descriptor, entry.mode)
            posix.utime(descriptor, ns=(entry.mtime_ns, entry.mtime_ns))
            self.before[entry.path] = State(b"d", posix.fstat(descriptor))
        finally:
            posix.close(descriptor)


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[posix.write(descriptor, view) :]
