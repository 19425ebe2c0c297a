"""What has to be in a session before an agent's next step, and rides along with it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

# The last statement of every prelude shows this: a result that has it tells that the prelude ran to
# its end.
DELIVERED_TYPE = "application/vnd.stepwell.prelude+json"
_DELIVERED = f"""
import stepwell_step as _stepwell_step
_stepwell_step.display(mime={{{DELIVERED_TYPE!r}: 'true'}})
del _stepwell_step
"""


@dataclass(frozen=True, slots=True)
class Part:
    """One thing to define in the session.

    Attributes:
        key: what it is, such as ``tool search``; a part replaces the one before with its key.
        text: the source that defines it.
        names: the names that it leaves in the session.
        files: what the source reads, by path in the workspace.
    """

    key: str
    text: str
    names: frozenset[str] = frozenset()
    files: Mapping[str, bytes] = field(default_factory=dict)

    def digest(self) -> str:
        """Tells parts apart that define something else."""
        state = hashlib.sha256(self.text.encode())
        for path, content in sorted(self.files.items()):
            state.update(f"\0{path}\0{len(content)}\0".encode())
            state.update(content)
        return state.hexdigest()


class Preludes:
    """Knows what a session has and what it lacks. Owned by one executor, which guards it."""

    def __init__(self) -> None:
        self._waiting: dict[str, Part] = {}
        self._there: dict[str, tuple[str, frozenset[str]]] = {}

    def put(self, part: Part) -> None:
        """Has a part ride along with the next step, unless the session has it as it is."""
        known = self._there.get(part.key)
        if known is not None and known[0] == part.digest():
            self._waiting.pop(part.key, None)
        else:
            self._waiting[part.key] = part

    def waiting(self) -> tuple[Part, ...]:
        """What rides along with the next step, in the order in which it came."""
        return tuple(self._waiting.values())

    def delivered(self, parts: Iterable[Part]) -> None:
        """Notes that a step has brought these, and that the session keeps them."""
        for part in parts:
            self._there[part.key] = (part.digest(), part.names)
            if self._waiting.get(part.key) is part:
                del self._waiting[part.key]

    def forget(self, names: Iterable[str], kind: str = "") -> None:
        """Notes that the session means something else by these names now: what defined them is sent
        again when put again.

        Args:
            names: the names.
            kind: only parts whose key begins with this.
        """
        changed = set(names)
        self._there = {
            key: known
            for key, known in self._there.items()
            if not key.startswith(kind) or changed.isdisjoint(known[1])
        }


def prelude_of(parts: Iterable[Part]) -> str | None:
    """The source of some parts, which shows at its end that it came there; None for no parts."""
    texts = [part.text for part in parts]
    return "\n".join(texts) + _DELIVERED if texts else None


def files_of(parts: Iterable[Part]) -> dict[str, bytes]:
    """The files of some parts."""
    return {path: content for part in parts for path, content in part.files.items()}
