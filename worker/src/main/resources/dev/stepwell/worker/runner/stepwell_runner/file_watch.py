"""Notices which files were open for writing.

A file in memory that is written to through a mapping keeps its times, so its times alone don't tell that it is as it
was. The kernel tells when what was open for writing is closed, at a process's end at the latest.
"""
import _ctypes
import posix
import sys

_RTLD_NOW = 2
_CLOSE_WRITE = 0x8
_OVERFLOW = 0x4000
_ONLY_FOLDER_ITSELF = 0x01000000 | 0x02000000
_NONBLOCK_CLOEXEC = 0o4000 | 0o2000000
_HEADER_BYTES = 16
_READ_BYTES = 1 << 16
# Events are the kernel's own structures.
_ORDER = sys.byteorder


class FileWatch:
    """Watches folders. Where the kernel refuses, everything counts as written to. Owned by the supervisor."""

    def __init__(self) -> None:
        library = _ctypes.dlopen(None, _RTLD_NOW)
        self._add = _ctypes.dlsym(library, "inotify_add_watch")
        # Negative where there are too many of them already.
        self._descriptor = _ctypes.call_function(_ctypes.dlsym(library, "inotify_init1"), (_NONBLOCK_CLOEXEC,))
        self._folders: dict[int, bytes] = {}
        self._blind = self._descriptor < 0

    def add(self, folder: bytes, prefix: bytes) -> None:
        """Watches the files of a folder, whose paths begin with a prefix."""
        if self._blind:
            return
        watch = _ctypes.call_function(self._add, (self._descriptor, folder, _CLOSE_WRITE | _ONLY_FOLDER_ITSELF))
        if watch < 0:
            self._blind = True
        else:
            self._folders[watch] = prefix

    def written(self) -> "set[bytes] | None":
        """The paths of files that were open for writing since; None if any may have been."""
        paths = set()
        while not self._blind:
            try:
                events = posix.read(self._descriptor, _READ_BYTES)
            except BlockingIOError:
                return paths
            self._take(events, paths)
        return None

    def _take(self, events: bytes, paths: set[bytes]) -> None:
        at = 0
        while at < len(events):
            watch = int.from_bytes(events[at : at + 4], _ORDER, signed=True)
            mask = int.from_bytes(events[at + 4 : at + 8], _ORDER)
            end = at + _HEADER_BYTES + int.from_bytes(events[at + 12 : at + 16], _ORDER)
            if mask & _OVERFLOW:
                self._blind = True
            elif watch in self._folders:
                paths.add(self._folders[watch] + events[at + _HEADER_BYTES : end].rstrip(b"\0"))
            at = end
