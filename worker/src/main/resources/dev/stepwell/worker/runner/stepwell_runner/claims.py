"""What the step's process says, as the supervisor takes it: frames in one fixed order, and nothing else."""
from stepwell_runner import frames

# After each of a phase's types comes the phase named beside it. What the step's code writes into the pipe on its own
# is a claim like any other, but it can't be out of turn: "started" is believed only before the code runs.
_NEXT = {
    "warming": {b"R": "idle"},
    "idle": {},
    "restoring": {b"A": "running", b"V": "done"},
    "running": {b"V": "saving"},
    "saving": {b"T": "saving", b"S": "done"},
    "done": {},
}


class Claims:
    """Cuts the step's process's bytes into frames and checks their turn. Owned by the supervisor."""

    def __init__(self) -> None:
        self.phase = "warming"
        self.state_bytes_left = 0
        self._data = bytearray()

    def step_sent(self, state_bytes: int) -> None:
        """From here on the step's process restores, and may leave a snapshot of so many bytes."""
        self.phase = "restoring"
        self.state_bytes_left = state_bytes

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
            whole.append((kind, bytes(self._data[frames.HEADER_BYTES : end])))
            del self._data[:end]
            self.phase = _NEXT[self.phase][kind]
            if kind == b"T":
                self.state_bytes_left -= size
        return whole

    def _check(self, kind: bytes, size: int) -> None:
        if kind not in _NEXT[self.phase]:
            raise frames.ChannelError(f"{kind!r} is out of turn while {self.phase}")
        if kind == b"T" and size > self.state_bytes_left:
            raise frames.ChannelError("the snapshot is larger than the step may leave")
