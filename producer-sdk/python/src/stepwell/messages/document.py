"""One JSON object as bytes: strict and bounded to read, compact to write."""

from __future__ import annotations

import json
from typing import Final, NoReturn

from stepwell.errors import InvalidMessageError
from stepwell.messages.fields import FieldReader
from stepwell.names import ErrorCode

MAX_DEPTH: Final = 32
"""How deep objects and arrays may be nested; the deepest message that there is has four."""

DEFAULT_MAX_MESSAGE_BYTES: Final = 8 << 20
"""What workers accept by default, in bytes."""


def parse(message: bytes, version: int, max_bytes: int) -> FieldReader:
    """The fields of a message.

    Raises InvalidMessageError for more than `max_bytes`, for what is no JSON object in UTF-8, and
    for other versions than `version`.
    """
    if len(message) > max_bytes:
        raise InvalidMessageError(
            ErrorCode.MESSAGE_TOO_LARGE,
            None,
            f"message has {len(message)} bytes, more than the {max_bytes} that are accepted: "
            "send less, or in parts",
        )
    fields = FieldReader("", _parse_object(message))
    fields.require_version(version)
    return fields


def write(content: dict[str, object]) -> bytes:
    """The bytes of an object. The same object gives the same bytes."""
    return _ENCODER.encode(content).encode()


def _parse_object(message: bytes) -> dict[str, object]:
    try:
        root = _DECODER.decode(message.decode())
    except UnicodeDecodeError as error:
        raise _not_json(f"message is no UTF-8: {error}") from None
    except RecursionError:
        raise _not_json("message is nested too deeply") from None
    except ValueError as error:
        raise _not_json(f"message is no JSON: {error}") from None
    if not isinstance(root, dict):
        raise _not_json("message is no JSON object")
    _check_depth(root)
    return root


def _check_depth(root: object) -> None:
    """Goes down level by level; the parser itself only stops at the interpreter's own limit."""
    level = [root]
    for _ in range(MAX_DEPTH):
        below: list[object] = []
        for container in level:
            if isinstance(container, dict):
                below.extend(each for each in container.values() if isinstance(each, (dict, list)))
            elif isinstance(container, list):
                below.extend(each for each in container if isinstance(each, (dict, list)))
        if not below:
            return
        level = below
    raise _not_json(f"message is nested deeper than {MAX_DEPTH}")


def _without_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    content = dict(pairs)
    if len(content) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the field {twice[:40]!r} is there twice")
    return content


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _not_json(problem: str) -> InvalidMessageError:
    return InvalidMessageError(ErrorCode.NOT_JSON, None, problem)


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_without_duplicates, parse_constant=_no_constant
)
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)
