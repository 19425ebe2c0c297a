"""Plain values as Python source that needs no name: what a reader of a prelude can read."""

from __future__ import annotations

import math
from typing import Final

MAX_CHARACTERS: Final = 4096
"""Longer values are written another way: to compile a literal costs more than to read a file."""

_MAX_DEPTH: Final = 20


class _NoLiteralError(Exception):
    pass


def literal(value: object) -> str | None:
    """The source of a value, or None for one that has none, or a long one."""
    try:
        source = _source(value, 0, [MAX_CHARACTERS])
    except _NoLiteralError:
        return None
    return source if len(source) <= MAX_CHARACTERS else None


def _source(value: object, depth: int, room: list[int]) -> str:
    """Stops as soon as it is clear that the source gets too long, or is nested too deeply."""
    if depth > _MAX_DEPTH:
        raise _NoLiteralError
    kind = type(value)
    if value is None or kind is bool:
        return _fits(repr(value), room)
    if isinstance(value, (list, tuple, dict, set)):
        return _collection(value, depth + 1, room)
    if isinstance(value, (str, bytes)) and len(value) > room[0]:
        raise _NoLiteralError
    if kind is str:
        return _fits(ascii(value), room)
    if kind is bytes:
        return _fits(repr(value), room)
    if isinstance(value, int) and kind is int and value.bit_length() <= 64:
        return _fits(repr(value), room)
    if isinstance(value, float) and kind is float and math.isfinite(value):
        return _fits(repr(value), room)
    raise _NoLiteralError


def _collection(
    value: list[object] | tuple[object, ...] | dict[object, object] | set[object],
    depth: int,
    room: list[int],
) -> str:
    kind = type(value)
    _fits("  ", room)
    if isinstance(value, dict) and kind is dict:
        pairs = [
            f"{_source(key, depth, room)}: {_source(each, depth, room)}"
            for key, each in value.items()
        ]
        return f"{{{', '.join(pairs)}}}"
    parts = [_source(each, depth, room) for each in value]
    if kind is list:
        return f"[{', '.join(parts)}]"
    if kind is tuple:
        return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
    if kind is set and parts:
        return f"{{{', '.join(parts)}}}"
    raise _NoLiteralError


def _fits(source: str, room: list[int]) -> str:
    room[0] -= len(source)
    if room[0] < 0:
        raise _NoLiteralError
    return source
