"""What the step's process says, as the supervisor takes it: frames in one fixed order, and nothing else."""
from stepwell_runner import frames

# After each of a phase's types comes the phase named beside it. What the step's code writes into the pipe on its own
# is a claim like any other, but it can't be out of turn: "started" is believed only before the code runs.
_NEXT = {
    "warming": {b"R": "idle"},
    "idle": {},
    "restoring": {b"N": "restoring", b"A": "running", b"V": "done"},
    "running": {b"N": "running", b"V": "saving"},
    "saving": {b"N": "saving", b"T": "saving", b"M": "saving", b"S": "done"},
    "done": {},
}


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
        self._left = {b"T": new_bytes, b"M": manifest_bytes}

    def may_ask(self, indexes: set[int]) -> None:
        """These pieces of the session may be asked for, each once."""
        self._unknown = indexes

    def take(self, data: bytes) -> list[tuple[bytes, bytes]]:
        """Adds bytes, and returns the frames that are whole now. Raises ChannelError for anything out of order."""
        self._data += data
        whole = []
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
            whole.append((kind, payload))
            self.phase = _NEXT[self.phase][kind]
            if kind in self._left:
                self._left[kind] -= size
        return whole

    def _check(self, kind: bytes, size: int) -> None:
        if kind not in _NEXT[self.phase]:
            raise frames.ChannelError(f"{kind!r} is out of turn while {self.phase}")
        if size > self._left.get(kind, size):
            raise frames.ChannelError("the snapshot is larger than the step may leave")
        if kind == b"T" and not 0 < size <= frames.PIECE_BYTES:
            raise frames.ChannelError(f"a piece of {size} bytes")

    def _check_need(self, payload: bytes) -> None:
        asked = [int.from_bytes(payload[at : at + 4], "big") for at in range(0, len(payload), 4)]
        if not asked or len(payload) % 4:
            raise frames.ChannelError(f"a need of {len(payload)} bytes")
        for index in asked:
            if index not in self._unknown:
                raise frames.ChannelError(f"a need of piece {index}, which is not there or was given before")
            self._unknown.discard(index)
