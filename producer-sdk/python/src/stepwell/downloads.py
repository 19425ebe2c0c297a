"""Reads files range by range.

The first answer says how large the file is and which state it is of; the other ranges are asked of
that state, some at once, so that the file is whole whatever becomes of the session meanwhile.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Final

from stepwell.core import unreadable
from stepwell.messages import Content, GetFile, WorkspaceEntry
from stepwell.messages.operations import MAX_CONTENT_BYTES
from stepwell.plans import Ask, Plan, expect

RANGES_AT_ONCE: Final = 8


def whole(
    path: str, session_id: str | None, base: str | None, write: Callable[[bytes], object]
) -> Plan[int]:
    """Writes a file range by range; returns how many bytes there were. Its hash is checked."""
    digest = hashlib.sha256()

    def take(content: bytes) -> None:
        digest.update(content)
        write(content)

    file = yield from _ranges(path, session_id, base, 0, None, take)
    if file.sha256 is not None and file.sha256 != digest.hexdigest():
        raise unreadable(
            f"the file {path} has the SHA-256 {file.sha256}, and what came has {digest.hexdigest()}"
        )
    return file.bytes


def part(
    path: str, session_id: str | None, base: str | None, offset: int, length: int | None
) -> Plan[bytes]:
    """Some bytes of a file; fewer than `length` only at its end."""
    if length is not None and length < 0:
        raise ValueError(f"length is {length}, must be at least 0")
    parts: list[bytes] = []
    yield from _ranges(path, session_id, base, offset, length, parts.append)
    return b"".join(parts)


def describe(path: str, session_id: str | None, base: str | None) -> Plan[tuple[str, int]]:
    """The reference of the state that a file is of, and the file's size."""
    (answer,) = yield [Ask(GetFile(path, 0, 1, base), session_id)]
    content = expect(answer, Content)
    return content.reference, content.file.bytes


def _ranges(
    path: str,
    session_id: str | None,
    base: str | None,
    offset: int,
    length: int | None,
    take: Callable[[bytes], object],
) -> Plan[WorkspaceEntry]:
    first_length = _bounded(length) or 1
    (answer,) = yield [Ask(GetFile(path, offset, first_length, base), session_id)]
    first = expect(answer, Content)
    end = first.file.bytes if length is None else min(first.file.bytes, offset + length)
    position = offset + _take(first, path, offset, min(offset + first_length, end), take)
    while position < end:
        starts = range(position, end, MAX_CONTENT_BYTES)[:RANGES_AT_ONCE]
        answers = yield [
            Ask(GetFile(path, start, MAX_CONTENT_BYTES, first.reference), None) for start in starts
        ]
        for start, each in zip(starts, answers, strict=True):
            stop = min(start + MAX_CONTENT_BYTES, end)
            position += _take(expect(each, Content), path, start, stop, take)
    return first.file


def _bounded(length: int | None) -> int:
    return MAX_CONTENT_BYTES if length is None else min(length, MAX_CONTENT_BYTES)


def _take(
    content: Content, path: str, start: int, stop: int, take: Callable[[bytes], object]
) -> int:
    """Takes the bytes from `start` to `stop` of an answer, which may have more than that."""
    wanted = max(0, stop - start)
    given = content.content[:wanted]
    if content.offset != start or len(given) != wanted:
        raise unreadable(
            f"of the file {path}, of {content.file.bytes} bytes, {wanted} were asked for from "
            f"{start} on, and {len(content.content)} came from {content.offset} on"
        )
    if given:
        take(given)
    return wanted
