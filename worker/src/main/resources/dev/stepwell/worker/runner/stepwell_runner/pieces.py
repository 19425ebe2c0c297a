"""The pieces of the session's variables that a step was given: where each is, and how to read or map it.

A piece lies in an extent: a file that the worker has put into the sandbox, or a file in memory for what came through
the channel. It starts at a page, so that neighbours in one extent are mapped, or read, as one.
"""
from posix import MFD_CLOEXEC, O_CLOEXEC, O_RDONLY, memfd_create, pread, pwrite
from posix import open as open_file

from stepwell_runner.frames import ChannelError
from stepwell_runner.step_process import PLACES, Claimant

_PAGE = 4096


class Pieces:
    """Owned by whoever holds the session's lock."""

    def __init__(self, sizes: bytes, claimant: Claimant) -> None:
        self.sizes = [int.from_bytes(sizes[at : at + 4], "big") for at in range(0, len(sizes), 4)]
        self._claimant = claimant
        # By index: an open extent, and the offset in it.
        self._places: dict[int, tuple[int, int]] = {}
        self._extents: dict[bytes, int] = {}
        # By open extent: how its file's path ends.
        self.names: dict[int, bytes] = {}
        self._gone: dict[int, str] = {}

    def take(self, placed: list[bytes]) -> None:
        """Takes note of where pieces are."""
        for place in placed:
            self._take_place(place)

    def require(self, indexes: list[int]) -> None:
        """Makes pieces readable, asking once for all that are not."""
        missing = sorted({index for index in indexes if index not in self._places})
        if not missing:
            return
        for index in missing:
            if index in self._gone:
                # Nobody may ask for a piece twice.
                raise ChannelError(self._gone[index])
        fields, data = self._claimant.ask(missing)
        if "gone" in fields:
            why = f"pieces of the session are gone: {fields['gone'][0].decode('utf-8', 'replace')}"
            self._gone.update(dict.fromkeys(missing, why))
            raise ChannelError(why)
        self.take(fields.get("placed", []))
        if data:
            self._take_bytes(missing, data)
        if any(index not in self._places for index in missing):
            raise ChannelError("pieces of the session were not delivered")

    def has(self, index: int) -> bool:
        """Whether a piece can be read without asking."""
        return index in self._places

    def read(self, indexes: list[int]) -> bytes:
        """The bytes of required pieces, one after the other."""
        parts = []
        for extent, offset, size in self.stretches(indexes):
            while size:
                part = pread(extent, size, offset)
                if not part:
                    raise ChannelError("an extent is shorter than its pieces")
                parts.append(part)
                offset += len(part)
                size -= len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def stretches(self, indexes: list[int]) -> list[tuple[int, int, int]]:
        """Where required pieces are, as few stretches of bytes: extent, offset, size."""
        found: list[tuple[int, int, int]] = []
        for index in indexes:
            extent, offset = self._places[index]
            size = self.sizes[index]
            if found and found[-1][0] == extent and found[-1][1] + found[-1][2] == offset:
                found[-1] = (extent, found[-1][1], found[-1][2] + size)
            else:
                found.append((extent, offset, size))
        return found

    def _take_place(self, place: bytes) -> None:
        name = place[12:]
        extent = self._extents.get(name)
        if extent is None:
            path = f"{PLACES}/{name.decode('ascii')}"
            extent = self._extents[name] = open_file(path, O_RDONLY | O_CLOEXEC)
            self.names[extent] = b"/" + name
        self._places[int.from_bytes(place[:4], "big")] = (extent, int.from_bytes(place[4:12], "big"))

    def _take_bytes(self, indexes: list[int], data: bytes) -> None:
        name = f"pieces-{len(self.names)}"
        extent = memfd_create(name, MFD_CLOEXEC)
        self.names[extent] = b":" + name.encode()
        view = memoryview(data)
        offset = 0
        for index in indexes:
            size = self.sizes[index]
            if len(view) < size:
                raise ChannelError("fewer bytes than the pieces have")
            pwrite(extent, view[:size], offset)
            self._places[index] = (extent, offset)
            view = view[size:]
            offset += -(-size // _PAGE) * _PAGE
