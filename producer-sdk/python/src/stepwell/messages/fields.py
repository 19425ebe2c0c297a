"""The fields of one JSON object, by name and without any conversion.

Absent and null are the same. Every violation names the field by its path from the message's root.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from enum import Enum
from typing import Final, TypeVar

from stepwell.errors import InvalidMessageError
from stepwell.messages import checks
from stepwell.names import ErrorCode

T = TypeVar("T")
E = TypeVar("E", bound=Enum)

Json = object
"""What JSON can hold, before anybody has looked."""

_QUOTED_CHARACTERS: Final = 40
_MIN_LONG: Final = -(1 << 63)
_MAX_LONG: Final = (1 << 63) - 1


class FieldReader:
    """One object of a message that was parsed."""

    __slots__ = ("_object", "_path")

    def __init__(self, path: str, content: dict[str, object]) -> None:
        self._path = path
        self._object = content

    def require_version(self, version: int) -> None:
        """Refuses every version but one."""
        value = self._required("version", self._object.get("version"))
        if isinstance(value, bool) or not isinstance(value, int):
            raise _wrong_type("version", "an integer", value)
        if value != version:
            raise InvalidMessageError(
                ErrorCode.UNSUPPORTED_VERSION,
                "version",
                f"version is {_shortened(str(value))}, and {version} is what is spoken",
            )

    def text(self, name: str) -> str | None:
        """A string, or None."""
        value = self._object.get(name)
        return None if value is None else _as_text(self._path + name, value)

    def required_text(self, name: str) -> str:
        """A string."""
        return self._required(name, self.text(name))

    def integer(self, name: str) -> int | None:
        """An integer of 64 bits, or None."""
        value = self._object.get(name)
        return None if value is None else _as_integer(self._path + name, value)

    def required_integer(self, name: str) -> int:
        """An integer of 64 bits."""
        return self._required(name, self.integer(name))

    def number(self, name: str) -> float | None:
        """A number, or None."""
        value = self._object.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise _wrong_type(self._path + name, "a number", value)
        return float(value)

    def required_number(self, name: str) -> float:
        """A number."""
        return self._required(name, self.number(name))

    def flag(self, name: str) -> bool:
        """True or false; false where it is absent."""
        return self._object.get(name) is not None and self.required_flag(name)

    def required_flag(self, name: str) -> bool:
        """True or false."""
        value = self._required(name, self._object.get(name))
        if not isinstance(value, bool):
            raise _wrong_type(self._path + name, "true or false", value)
        return value

    def content(self, name: str) -> bytes | None:
        """Bytes from Base64, or None."""
        text = self.text(name)
        if text is None:
            return None
        try:
            return base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError) as error:
            raise checks.invalid(self._path + name, f"is no Base64: {error}") from None

    def required_content(self, name: str) -> bytes:
        """Bytes from Base64."""
        return self._required(name, self.content(name))

    def one_of(self, name: str, kind: type[E]) -> E | None:
        """A member of an enumeration by its name, or None."""
        value = self.text(name)
        if value is None:
            return None
        try:
            return kind[value]
        except KeyError:
            names = ", ".join(member.name for member in kind)
            raise checks.invalid(
                self._path + name, f"is '{_shortened(value)}', must be one of {names}"
            ) from None

    def required_one_of(self, name: str, kind: type[E]) -> E:
        """A member of an enumeration by its name."""
        return self._required(name, self.one_of(name, kind))

    def object(self, name: str) -> FieldReader | None:
        """An object, or None."""
        value = self._object.get(name)
        return None if value is None else _as_object(self._path + name, value)

    def required_object(self, name: str) -> FieldReader:
        """An object."""
        return self._required(name, self.object(name))

    def texts(self, name: str) -> tuple[str, ...]:
        """Strings; none where they are absent."""
        return self._elements(name, _as_text)

    def objects(self, name: str) -> tuple[FieldReader, ...]:
        """Objects; none where they are absent."""
        return self._elements(name, _as_object)

    def text_by_name(self, name: str) -> dict[str, str]:
        """An object of strings; empty where it is absent."""
        entries = self.object(name)
        if entries is None:
            return {}
        return {
            _as_text(entries._path + key, key): _as_text(entries._path + key, value)
            for key, value in entries._object.items()
        }

    def invalid(self, name: str, problem: str) -> InvalidMessageError:
        """The error of one of these fields."""
        return checks.invalid(self._path + name, problem)

    def _elements(self, name: str, convert: Callable[[str, Json], T]) -> tuple[T, ...]:
        value = self._object.get(name)
        if value is None:
            return ()
        if not isinstance(value, list):
            raise _wrong_type(self._path + name, "an array", value)
        return tuple(
            convert(f"{self._path}{name}[{index}]", element) for index, element in enumerate(value)
        )

    def _required(self, name: str, value: T | None) -> T:
        if value is None:
            raise checks.invalid(self._path + name, "is missing")
        return value


def _as_text(path: str, value: object) -> str:
    if not isinstance(value, str):
        raise _wrong_type(path, "a string", value)
    checks.text(path, value)
    return value


def _as_integer(path: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise _wrong_type(path, "an integer", value)
    if not _MIN_LONG <= value <= _MAX_LONG:
        raise checks.invalid(path, f"is {_shortened(str(value))}, which is beyond 64 bits")
    return value


def _as_object(path: str, value: object) -> FieldReader:
    if not isinstance(value, dict):
        raise _wrong_type(path, "an object", value)
    return FieldReader(path + ".", value)


def _wrong_type(path: str, expected: str, value: object) -> InvalidMessageError:
    return checks.invalid(path, f"must be {expected}, and is of type {type(value).__name__}")


def _shortened(value: str) -> str:
    return value if len(value) <= _QUOTED_CHARACTERS else value[:_QUOTED_CHARACTERS] + "..."
