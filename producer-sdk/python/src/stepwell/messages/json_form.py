"""Messages as JSON values: a dataclass is an object whose fields are its own, in camelCase."""

from __future__ import annotations

import base64
import dataclasses
from collections.abc import Mapping
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def whole(message: DataclassInstance) -> dict[str, object]:
    """With null where there is no value."""
    return {wire: _value(getattr(message, name), nulls=True) for name, wire, _ in _fields(message)}


def without_nulls(message: DataclassInstance) -> dict[str, object]:
    """Without the fields that have no value."""
    return {
        wire: _value(value, nulls=False)
        for name, wire, _ in _fields(message)
        if (value := getattr(message, name)) is not None
    }


def without_defaults(message: DataclassInstance) -> dict[str, object]:
    """Without the fields that say what their absence says."""
    return {
        wire: _value(value, nulls=False)
        for name, wire, default in _fields(message)
        if (value := getattr(message, name)) != default
    }


def _value(value: object, nulls: bool) -> object:
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, tuple):
        return [_value(each, nulls) for each in value]
    if isinstance(value, Mapping):
        return dict(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return whole(value) if nulls else without_nulls(value)
    return value


def _fields(message: DataclassInstance) -> tuple[tuple[str, str, object], ...]:
    return _fields_of(type(message))


@cache
def _fields_of(kind: type[DataclassInstance]) -> tuple[tuple[str, str, object], ...]:
    """Name, name on the wire, default."""
    return tuple(
        (each.name, _camel(each.name), _default(each)) for each in dataclasses.fields(kind)
    )


def _default(field: dataclasses.Field[object]) -> object:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(other.capitalize() for other in others)
