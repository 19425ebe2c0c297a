"""Pickles of values that have no other form, made by the program whose values they are."""

from __future__ import annotations

import io
import pickle
import sys
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final, NoReturn

from stepwell.errors import VariableError

PROTOCOL: Final = 4
"""What every Python that sandboxes have can read."""


class _OfThisProgramError(Exception):
    """A class or function of `__main__` or of a function's inside: a sandbox has none of those."""


class _Pickler(pickle.Pickler):
    def reducer_override(self, value: object) -> Any:
        if isinstance(value, (type, FunctionType)) and (
            value.__module__ == "__main__" or "<locals>" in value.__qualname__
        ):
            raise _OfThisProgramError(value.__qualname__)
        return NotImplemented


def pickled(name: str, value: object) -> tuple[bytes, bool]:
    """The pickle of a variable's value, and whether it needs cloudpickle to be read.

    Raises VariableError naming the variable, its type and the other ways.
    """
    buffer = io.BytesIO()
    try:
        _Pickler(buffer, PROTOCOL).dump(value)
    except Exception as error:
        return _by_value(name, value, error), True
    return buffer.getvalue(), False


def cloudpickle_sources() -> dict[str, bytes]:
    """The modules of this program's cloudpickle: content by path within the package's folder."""
    package = _cloudpickle()
    assert package is not None
    assert package.__file__ is not None
    folder = Path(package.__file__).parent
    return {each.name: each.read_bytes() for each in sorted(folder.glob("*.py"))}


def _by_value(name: str, value: object, reason: Exception) -> bytes:
    cloudpickle = _cloudpickle()
    if cloudpickle is None:
        _refuse(name, value, reason, installed=False)
    try:
        data: bytes = cloudpickle.dumps(value, protocol=PROTOCOL)
    except Exception as error:
        _refuse(name, value, error, installed=True)
    return data


def _refuse(name: str, value: object, reason: Exception, *, installed: bool) -> NoReturn:
    kind = type(value)
    if isinstance(reason, _OfThisProgramError):
        why = f"it needs {reason} of this program, which a sandbox doesn't have"
    else:
        why = f"it can't be pickled ({type(reason).__name__}: {reason})"
    ways = (
        "send what it is made of as plain values, or make it in a step"
        if installed
        else "install cloudpickle here (pip install 'stepwell[pickle]') to send it by value, send "
        "what it is made of as plain values, or make it in a step"
    )
    raise VariableError(
        f"the variable {name!r} is of type {kind.__module__}.{kind.__qualname__}, and {why}: {ways}"
    ) from reason


def _cloudpickle() -> ModuleType | None:
    try:
        import cloudpickle
    except ImportError:
        return None
    module: ModuleType = cloudpickle
    return module


def python_version() -> tuple[int, int]:
    """The version whose code pickles by value hold."""
    return sys.version_info[:2]
