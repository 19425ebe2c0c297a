"""Walks down into a folder without ever following a link: every step is taken from the folder above, by descriptor."""
import posix

FOLDER_FLAGS = posix.O_RDONLY | posix.O_DIRECTORY | posix.O_NOFOLLOW | posix.O_CLOEXEC


class Folders:
    """Holds the folder that is being worked in open, and those above it. Owned by one thread."""

    def __init__(self, root: int) -> None:
        self._open: list[tuple[bytes, int]] = [(b"", root)]

    def enter(self, path: bytes) -> tuple[int, bytes]:
        """Opens the folder that holds a path. Returns its descriptor, good until the next call, and the last part."""
        *above, name = path.split(b"/")
        depth = 1
        while depth < len(self._open) and depth <= len(above) and self._open[depth][0] == above[depth - 1]:
            depth += 1
        self._leave(depth)
        for part in above[depth - 1 :]:
            self._open.append((part, posix.open(part, FOLDER_FLAGS, dir_fd=self._open[-1][1])))
        return self._open[-1][1], name

    def close(self) -> None:
        """Closes all but the root."""
        self._leave(1)

    def _leave(self, depth: int) -> None:
        while len(self._open) > depth:
            posix.close(self._open.pop()[1])
