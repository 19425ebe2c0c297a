"""The validation rules that several messages share. Every violation names its field."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from stepwell.errors import InvalidMessageError
from stepwell.names import ErrorCode

_ID: Final = re.compile(r"[\x21-\x7e]{1,128}")
_REFERENCE: Final = re.compile(r"[\x21-\x7e]{1,512}")
_NAME: Final = re.compile(r"[A-Za-z0-9._-]{1,249}")
_SHA_256: Final = re.compile(r"[0-9a-f]{64}")
_MAX_INTEGER: Final = (1 << 63) - 1


def invalid(field: str, problem: str) -> InvalidMessageError:
    """The error of a field that is missing, of a wrong type or out of range."""
    return InvalidMessageError(ErrorCode.INVALID_FIELD, field, f"{field} {problem}")


def identifier(field: str, value: str | None) -> None:
    """Accepts ids of requests and sessions."""
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise invalid(field, "must be 1 to 128 printable ASCII characters without spaces")


def name(field: str, value: str | None) -> None:
    """Accepts names of topics and profiles, and absence."""
    if value is not None and not (isinstance(value, str) and _NAME.fullmatch(value)):
        raise invalid(field, "must be 1 to 249 of the characters A-Z a-z 0-9 . _ -")


def reference(field: str, value: str | None) -> None:
    """Accepts what can be a reference to a state, and absence."""
    if value is not None and not (isinstance(value, str) and _REFERENCE.fullmatch(value)):
        raise invalid(field, "must be 1 to 512 printable ASCII characters without spaces")


def sha256(field: str, value: str | None) -> None:
    """Accepts a hash in hexadecimal, and absence."""
    if value is not None and not _SHA_256.fullmatch(value):
        raise invalid(field, "must be 64 hexadecimal digits in lower case")


def integer(field: str, value: int, minimum: int, maximum: int = _MAX_INTEGER) -> None:
    """Accepts an integer within its range, and no bool or float that looks like one."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise invalid(field, f"must be an integer, and is of type {type(value).__name__}")
    if value < minimum or value > maximum:
        upper = "" if maximum == _MAX_INTEGER else f" and at most {maximum}"
        raise invalid(field, f"is {value}, must be at least {minimum}{upper}")


def optional_integer(field: str, value: int | None, minimum: int) -> None:
    """Accepts an integer within its range, and absence."""
    if value is not None:
        integer(field, value, minimum)


def count(field: str, size: int, most: int) -> None:
    """Refuses lists that are empty or too long."""
    if size < 1 or size > most:
        raise invalid(field, f"has {size} elements, must have 1 to {most}")


def text(field: str, value: str | None) -> None:
    """Refuses what no UTF-8 can carry: half a surrogate pair. Absence is no fault."""
    if value is None:
        return
    if not isinstance(value, str):
        raise invalid(field, f"must be a string, and is of type {type(value).__name__}")
    broken = first_broken_surrogate(value)
    if broken >= 0:
        raise invalid(
            field, f"holds half a surrogate pair at character {broken}, so it is no UTF-8"
        )


def first_broken_surrogate(value: str) -> int:
    """The index of the first character that no UTF-8 can carry, or -1."""
    if value.isascii():
        return -1
    try:
        value.encode()
    except UnicodeEncodeError as error:
        return error.start
    return -1


def no_nul(field: str, value: str) -> None:
    """Refuses text that no argument or environment variable can carry."""
    if "\0" in value:
        raise invalid(field, "holds a NUL character, which no argument or variable can carry")


def texts(field: str, values: Sequence[str]) -> None:
    """Refuses what is no sequence of strings, and a string, which would be one of characters."""
    if isinstance(values, str):
        raise invalid(field, "must be several strings, and is one")
    for index, value in enumerate(values):
        text(f"{field}[{index}]", value)
        if value is None:
            raise invalid(f"{field}[{index}]", "must be a string, and is None")
