"""The rules for paths of workspace files, and for the files that are put at them.

A path is relative to `/workspace`, with a slash between its parts, none of which is empty, `.` or
`..`. It has at most `MAX_BYTES` bytes as UTF-8, each part at most `MAX_PART_BYTES`, and no NUL.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from stepwell.messages import checks

MAX_BYTES: Final = 4096
MAX_PART_BYTES: Final = 255
MAX_PARTS: Final = 64
"""How deep a file may be put: how deep sandboxes nest folders."""

DEFAULT_MODE: Final = 0o644
MAX_MODE: Final = 0o777


@dataclass(frozen=True, slots=True)
class FileInput:
    """A file to be put into a workspace.

    Folders on the way to it come to be by themselves; what else is at its path goes. The request
    that carries it checks it.
    """

    path: str
    """Where, relative to `/workspace`, at most 64 parts deep."""
    content: bytes
    """What is in it; any size, including none, that fits into the message."""
    mode: int | None = None
    """Its permission bits, 0 to 0o777; None for 0o644."""


def check_path(field: str, path: str) -> None:
    """Accepts a path that keeps the rules, else raises InvalidMessageError naming the field."""
    if not isinstance(path, str):
        raise checks.invalid(field, f"must be a string, and is of type {type(path).__name__}")
    problem = _problem(path)
    if problem is not None:
        raise checks.invalid(field, problem)


def check_text(field: str, text: str | None) -> None:
    """Accepts text that paths may begin with, or be compared to: empty, or ending in a part."""
    if text is None:
        return
    checks.text(field, text)
    checks.no_nul(field, text)
    if len(text.encode()) > MAX_BYTES:
        raise checks.invalid(field, f"has more than {MAX_BYTES} bytes")


def check_paths(field: str, paths: Sequence[str], most: int) -> None:
    """Accepts at least one and at most `most` paths that keep the rules."""
    if isinstance(paths, str):
        raise checks.invalid(field, "must be several paths, and is one string")
    checks.count(field, len(paths), most)
    for index, path in enumerate(paths):
        check_path(f"{field}[{index}]", path)


def check_files(field: str, files: Sequence[FileInput], most: int) -> None:
    """Accepts files of which none is in the way of another."""
    checks.count(field, len(files), most)
    paths: set[str] = set()
    folders: set[str] = set()
    for index, file in enumerate(files):
        where = f"{field}[{index}].path"
        check_path(where, file.path)
        parts = file.path.split("/")
        if len(parts) > MAX_PARTS:
            raise checks.invalid(where, f"has {len(parts)} parts, more than {MAX_PARTS}")
        folders.update("/".join(parts[:depth]) for depth in range(1, len(parts)))
        if file.path in paths:
            raise checks.invalid(where, "is the path of an earlier file too")
        paths.add(file.path)
        _check_content(f"{field}[{index}]", file)
    for index, file in enumerate(files):
        if file.path in folders:
            raise checks.invalid(
                f"{field}[{index}].path", "is a folder on the way to another of these files"
            )


def _check_content(field: str, file: FileInput) -> None:
    if not isinstance(file.content, bytes):
        raise checks.invalid(
            f"{field}.content",
            f"must be bytes, and is of type {type(file.content).__name__}: "
            "encode text, such as text.encode()",
        )
    if file.mode is not None:
        checks.integer(f"{field}.mode", file.mode, 0, MAX_MODE)


def _problem(path: str) -> str | None:
    if not path:
        return "is empty"
    if "\0" in path:
        return "holds a NUL character, which no path can"
    if checks.first_broken_surrogate(path) >= 0:
        return "holds half a surrogate pair, so it is no UTF-8"
    if len(path.encode()) > MAX_BYTES:
        return f"has more than {MAX_BYTES} bytes"
    for part in path.split("/"):
        if part in ("", ".", ".."):
            return (
                f"has the part '{part}': it must be relative to the workspace, with no empty part, "
                "'.' or '..'"
            )
        if len(part.encode()) > MAX_PART_BYTES:
            return f"has a part of more than {MAX_PART_BYTES} bytes"
    return None
