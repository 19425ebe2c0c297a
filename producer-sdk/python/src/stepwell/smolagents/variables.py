"""Variables as parts of a prelude: those that changed since they were last sent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from stepwell.smolagents.preludes import Part
from stepwell.variables import encode


class SentVariables:
    """Knows what variables were when they were sent. Owned by one executor, which guards it."""

    def __init__(self) -> None:
        self._digests: dict[str, str] = {}
        self._count = 0

    def part(self, variables: Mapping[str, Any]) -> Part | None:
        """What brings those that are not as they were when last sent; None where all are.

        Raises VariableError naming one that can't travel; then nothing is noted.
        """
        parts = {name: _part(name, {name: value}) for name, value in variables.items()}
        digests = {name: part.digest() for name, part in parts.items()}
        changed = [name for name, digest in digests.items() if self._digests.get(name) != digest]
        if not changed:
            return None
        self._digests.update(digests)
        self._count += 1
        # Together they share the source that reads them.
        return _part(f"{self._count}", {name: variables[name] for name in changed})

    def forget(self, names: Iterable[str]) -> None:
        """Notes that the session doesn't have these any more."""
        for name in names:
            self._digests.pop(name, None)


def _part(key: str, variables: Mapping[str, Any]) -> Part:
    encoded = encode(variables, allow_pickle=True)
    return Part(f"variables {key}", encoded.prelude, frozenset(variables), encoded.files)
