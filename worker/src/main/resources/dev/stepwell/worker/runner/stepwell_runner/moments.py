"""When a step came to each of its phases."""
from time import monotonic_ns


class Moments:
    """Owned by the supervisor. A phase's moment is the first at which it is marked."""

    def __init__(self) -> None:
        self._at: dict[str, int] = {}

    def mark(self, phase: str) -> None:
        """The phase begins now, unless it has begun."""
        self._at.setdefault(phase, monotonic_ns())

    def has(self, phase: str) -> bool:
        """Whether the phase has begun."""
        return phase in self._at

    def between_us(self, phase: str, later: str) -> int:
        """Microseconds from one phase to another; 0 where the first never was. A later one that never was is the end."""
        end = self._at.get(later, self._at.get("done", 0))
        return max(0, end - self._at.get(phase, end)) // 1000
