"""Tells the worker every difference between the workspace a step was given and the one it left, and nothing else."""
import posix

from stepwell_runner import file_entries
from stepwell_runner.file_entries import FOLLOWS
from stepwell_runner.file_scan import FileScan
from stepwell_runner.folders import Folders
from stepwell_runner.frames import PIECE_BYTES
from stepwell_runner.workspace import State, Workspace

_FILE_FLAGS = posix.O_RDONLY | posix.O_NOFOLLOW | posix.O_NONBLOCK | posix.O_CLOEXEC
_ENTRIES_BYTES = 1 << 18
_READABLE = 0o400


class Unkept(Exception):
    """The workspace can't be told as a whole."""


class FileReport:
    """One look at one workspace. Owned by the supervisor.

    ``send`` sends a frame; ``look`` is called now and then, and raises when nobody wants to know any more.
    """

    def __init__(self, workspace: Workspace, send, look) -> None:
        self._workspace = workspace
        self._before = workspace.before
        self._send = send
        self._look = look
        self._scan = FileScan(workspace.before, workspace.files, look)
        self._refusals = self._scan.refusals
        self._entries = bytearray()
        self._folders = Folders(workspace.root)

    def run(self) -> int:
        """Tells it all. Returns how many entries were refused."""
        # Also when nothing has changed: the worker then knows that this has begun.
        self._send(b"W", b"")
        if self._workspace.root < 0:
            raise Unkept("there is no workspace")
        self._scan.run(self._workspace.root)
        kept = self._fitting()
        changed = self._within_new_bytes(kept)
        if self._workspace.strict and self._refusals.count:
            path, kind, reason = self._refusals.told[0]
            shown = path.decode(errors="backslashreplace")
            raise Unkept(f"{self._refusals.count} entries can't be kept, such as the {kind} {shown}: {reason}")
        self._tell_removed(kept)
        for path in changed:
            self._tell(path, kept[path])
        for refusal in self._refusals.told:
            self._add(file_entries.refused(*refusal))
        self._flush()
        return self._refusals.count

    def _fitting(self) -> dict[bytes, State]:
        """What is there, without what is over the caps: what the session had before comes first."""
        found = self._scan.found
        files, size = 0, 0
        fitting: set[bytes] = set()
        for known in (True, False):
            for path, state in found.items():
                if (path in self._before) != known:
                    continue
                parent = path.rpartition(b"/")[0]
                if parent and parent not in fitting:
                    self._refuse(path, state, "the folder that it is in can't be kept")
                elif files >= self._workspace.files:
                    self._refuse(path, state, f"the workspace has more than {self._workspace.files} entries")
                elif size + state.size > self._workspace.file_bytes:
                    self._refuse(path, state, f"the files take more than {self._workspace.file_bytes} bytes")
                else:
                    files += 1
                    size += state.size
                    fitting.add(path)
        return {path: state for path, state in found.items() if path in fitting}

    def _within_new_bytes(self, kept: dict[bytes, State]) -> list[bytes]:
        """What has changed. Files whose content is more than may be new are taken out of what is kept."""
        written = self._workspace.watch.written() if self._workspace.watch is not None else set()
        left, changed = self._workspace.new_bytes, []
        for path, state in list(kept.items()):
            self._scan.step()
            suspect = state.kind == b"f" and state.size and (written is None or path in written)
            if state.same(self._before.get(path)) and not (suspect and self._differs(path, state)):
                continue
            if state.size > left:
                self._refuse(path, state, f"the files hold more than {self._workspace.new_bytes} new bytes")
                del kept[path]
                continue
            left -= state.size
            changed.append(path)
        return changed

    def _refuse(self, path: bytes, state: State, reason: str) -> None:
        kinds = {b"d": "folder", b"f": "file", b"l": "link"}
        self._refusals.add(path, kinds[state.kind], reason)

    def _tell_removed(self, kept: dict[bytes, State]) -> None:
        for path in self._before:
            parent = path.rpartition(b"/")[0]
            # With a folder goes all that was in it, whatever is in its place.
            gone_with_parent = parent and (parent not in kept or kept[parent].kind != b"d")
            if path not in kept and not gone_with_parent:
                self._add(file_entries.removed(path))

    def _tell(self, path: bytes, state: State) -> None:
        if state.kind == b"d":
            self._add(file_entries.folder(path, state.mode, state.mtime_ns))
        elif state.kind == b"l":
            self._add(file_entries.link(path, state.target))
        else:
            pieces = 0
            for piece in self._content(path, state):
                self._send(b"C", piece)
                pieces += 1
            self._add(file_entries.file(path, state.mode, state.mtime_ns, state.size, pieces))

    def _content(self, path: bytes, state: State):
        """A file's content, piece by piece."""
        folder, name = self._folders.enter(path)
        if not state.mode & _READABLE:
            posix.chmod(name, state.mode | _READABLE, dir_fd=folder)
        descriptor = posix.open(name, _FILE_FLAGS, dir_fd=folder)
        try:
            for at in range(0, state.size, PIECE_BYTES):
                self._look()
                yield _read(descriptor, at, min(PIECE_BYTES, state.size - at))
        finally:
            posix.close(descriptor)

    def _differs(self, path: bytes, state: State) -> bool:
        """Whether a file that looks untouched has another content than it was made with."""
        runs = self._workspace.runs[path]
        if any([extent == FOLLOWS for extent, _, _ in runs]):
            # There is nothing left to compare it with.
            return True
        for piece, (extent, offset, length) in zip(self._content(path, state), self._made_of(runs)):
            # Both are cut at the same places of the file.
            if _read(self._workspace.extents.descriptor(extent), offset, length) != piece:
                return True
        return False

    @staticmethod
    def _made_of(runs: list[tuple[int, int, int]]):
        for extent, offset, length in runs:
            for at in range(0, length, PIECE_BYTES):
                yield extent, offset + at, min(PIECE_BYTES, length - at)

    def _add(self, entry: bytes) -> None:
        self._entries += entry
        if len(self._entries) >= _ENTRIES_BYTES:
            self._flush()

    def _flush(self) -> None:
        if self._entries:
            self._send(b"W", bytes(self._entries))
            self._entries.clear()


def _read(descriptor: int, at: int, size: int) -> bytes:
    data = posix.pread(descriptor, size, at)
    if len(data) != size:
        raise Unkept("a file has become shorter while it was read")
    return data
