"""What the step's process says, as the supervisor takes it: frames in one fixed order, and nothing else."""
from stepwell_runner import frames

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# After each of a phase's types comes the phase named beside it. What the step's code writes into the pipe on its own
# is a claim like any other, but it can't be out of turn: "started" is believed only before the code runs.
_NEXT = {
    "warming": {b"R": "idle"},
    "idle": {},
    "restoring": {b"N": "restoring", b"A": "running", b"V": "done"},
    "running": {b"N": "running", b"G": "running", b"V": "saving"},
    "saving": {b"N": "saving", b"T": "saving", b"M": "saving", b"S": "done"},
    "done": {},
}
# What a step may show: 4 MiB of forms, 1 MiB of texts, and what ties them together.
_DISPLAY_BYTES = 6 << 20
# What a small frame counts as, so that there are never many.
_DISPLAY_COST = 1 << 12


class Claims:
    """Cuts the step's process's bytes into frames and checks their turn. Owned by the supervisor."""

    def __init__(self) -> None:
        self.phase = "warming"
        self._left = {b"T": 0, b"M": 0}
        self._unknown: set[int] = set()
        self._data = bytearray()

    def step_sent(self, new_bytes: int, manifest_bytes: int) -> None:
        """From here on the step's process restores, and may leave so many bytes of new pieces and of a body."""
        self.phase = "restoring"
        self._left = {b"T": new_bytes, b"M": manifest_bytes, b"G": _DISPLAY_BYTES}

    def may_ask(self, indexes: set[int]) -> None:
        """These pieces of the session may be asked for, each once."""
        self._unknown = indexes

    def take(self, data: bytes) -> "Iterator[tuple[bytes, bytes]]":
        """Adds bytes, and yields the frames that are whole now. Raises ChannelError at the first that is out of order."""
        self._data += data
        while len(self._data) >= frames.HEADER_BYTES:
            kind, size = frames.parse_header(self._data)
            self._check(kind, size)
            end = frames.HEADER_BYTES + size
            if len(self._data) < end:
                break
            payload = bytes(self._data[frames.HEADER_BYTES : end])
            del self._data[:end]
            if kind == b"N":
                self._check_need(payload)
            self.phase = _NEXT[self.phase][kind]
            if kind in self._left:
                self._left[kind] -= self._cost(kind, size)
            yield kind, payload

    def _check(self, kind: bytes, size: int) -> None:
        if kind not in _NEXT[self.phase]:
            raise frames.ChannelError(f"{kind!r} is out of turn while {self.phase}")
        cost = self._cost(kind, size)
        if cost > self._left.get(kind, cost):
            raise frames.ChannelError(f"{kind!r} of more bytes than a step may leave or show")
        if kind == b"G" and not size:
            raise frames.ChannelError("a part of a display without flags")
        if kind == b"T" and not 0 < size <= frames.PIECE_BYTES:
            raise frames.ChannelError(f"a piece of {size} bytes")

    def _cost(self, kind: bytes, size: int) -> int:
        return max(size, _DISPLAY_COST) if kind == b"G" else size

    def _check_need(self, payload: bytes) -> None:
        asked = [int.from_bytes(payload[at : at + 4], "big") for at in range(0, len(payload), 4)]
        if not asked or len(payload) % 4:
            raise frames.ChannelError(f"a need of {len(payload)} bytes")
        for index in asked:
            if index not in self._unknown:
                raise frames.ChannelError(f"a need of piece {index}, which is not there or was given before")
            self._unknown.discard(index)
