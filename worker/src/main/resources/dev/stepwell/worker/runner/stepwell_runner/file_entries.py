"""How folders, files and links are written down on the channel: bytes alone, no I/O."""

MAX_PATH_BYTES = 4096
MAX_DEPTH = 64
# Stands for the bytes that follow a listing, where an extent's position would be.
FOLLOWS = 0xFFFFFFFF


class Entry:
    """One entry of a workspace. ``kind`` is its letter; what its kind hasn't got is 0 or empty."""

    __slots__ = ("kind", "path", "mode", "mtime_ns", "size", "runs", "target")

    def __init__(self, kind: bytes, path: bytes) -> None:
        self.kind = kind
        self.path = path
        self.mode = 0
        self.mtime_ns = 0
        self.size = 0
        # (extent's position, offset, length) each.
        self.runs: list[tuple[int, int, int]] = []
        self.target = b""


def read_listing(data: bytes):
    """Yields a listing's entries. Raises ValueError for one that nobody should make."""
    at = 0
    while at < len(data):
        entry = Entry(data[at : at + 1], b"")
        entry.path, at = _text(data, at + 1)
        _check(entry.path)
        if entry.kind == b"l":
            entry.target, at = _text(data, at)
        else:
            at = _read_node(data, at, entry)
        if at > len(data):
            raise ValueError("an entry reaches beyond its listing")
        yield entry


def _read_node(data: bytes, at: int, entry: Entry) -> int:
    if entry.kind not in (b"d", b"f"):
        raise ValueError(f"an entry of kind {entry.kind!r}")
    entry.mode = int.from_bytes(data[at : at + 2], "big") & 0o777
    entry.mtime_ns = int.from_bytes(data[at + 2 : at + 10], "big", signed=True)
    at += 10
    if entry.kind == b"d":
        return at
    entry.size = int.from_bytes(data[at : at + 8], "big")
    count = int.from_bytes(data[at + 8 : at + 12], "big")
    at += 12
    if at + count * 16 > len(data):
        raise ValueError("a file reaches beyond its listing")
    for at in range(at, at + count * 16, 16):
        extent, offset = int.from_bytes(data[at : at + 4], "big"), int.from_bytes(data[at + 4 : at + 12], "big")
        entry.runs.append((extent, offset, int.from_bytes(data[at + 12 : at + 16], "big")))
    return at + 16 if count else at


def _text(data: bytes, at: int) -> tuple[bytes, int]:
    end = at + 2 + int.from_bytes(data[at : at + 2], "big")
    return data[at + 2 : end], end


def _check(path: bytes) -> None:
    parts = path.split(b"/")
    if len(parts) > MAX_DEPTH or b"" in parts or b"." in parts or b".." in parts or b"\0" in path:
        raise ValueError("a path that leads out of the workspace")


def folder(path: bytes, mode: int, mtime_ns: int) -> bytes:
    """A folder that is new or changed."""
    return b"d" + _lengthened(path) + mode.to_bytes(2, "big") + mtime_ns.to_bytes(8, "big", signed=True)


def file(path: bytes, mode: int, mtime_ns: int, size: int, pieces: int) -> bytes:
    """A file that is new or changed, whose pieces have been told."""
    head = b"f" + _lengthened(path) + mode.to_bytes(2, "big") + mtime_ns.to_bytes(8, "big", signed=True)
    return head + size.to_bytes(8, "big") + pieces.to_bytes(4, "big")


def link(path: bytes, target: bytes) -> bytes:
    """A symbolic link that is new or changed."""
    return b"l" + _lengthened(path) + _lengthened(target)


def removed(path: bytes) -> bytes:
    """What was there, with all that was in it."""
    return b"x" + _lengthened(path)


def refused(path: bytes, kind: str, reason: str) -> bytes:
    """What can't be kept. A name that is no UTF-8 is told with its bytes written out."""
    shown = path[:MAX_PATH_BYTES].decode(errors="backslashreplace").encode()
    return b"!" + _lengthened(shown[: 4 * MAX_PATH_BYTES]) + _lengthened(kind.encode()) + _lengthened(reason.encode())


def _lengthened(text: bytes) -> bytes:
    return len(text).to_bytes(2, "big") + text
