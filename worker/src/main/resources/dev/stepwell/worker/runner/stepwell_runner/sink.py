"""Takes a pickle's bytes, up to a limit."""
from stepwell_runner.refusals import Unkeepable


class TooLarge(Unkeepable):
    """A pickle has outgrown what the step may leave."""


class Sink:
    """What a pickler writes to."""

    def __init__(self, limit_bytes: int) -> None:
        self._size = 0
        self._limit = limit_bytes
        self._parts: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._size += len(data)
        if self._size > self._limit:
            raise TooLarge(f"over the cap: its pickle is larger than {self._limit} bytes, all that the state may take")
        self._parts.append(bytes(data))
        return len(data)

    def data(self) -> bytes:
        """All of it."""
        return self._parts[0] if len(self._parts) == 1 else b"".join(self._parts)
