"""Reads the pickle of a namespace when something in it fails, and loses no more than what fails.

Slow, since it is the unpickler written in Python, and what had been made before the failure is made again.
"""
import io
import pickle

from stepwell_runner import lost
from stepwell_runner.lost import LostValue
from stepwell_runner.unpickling import OWN


def load(data: bytes, buffers: list) -> list[object]:
    """A component's values, with LostValue in the place of what failed."""
    return _Salvager(io.BytesIO(data), buffers=buffers).load()


class _Salvager(pickle._Unpickler):
    dispatch = dict(pickle._Unpickler.dispatch)

    def find_class(self, module: str, name: str) -> object:
        own = OWN.get(module)
        if own is not None:
            return own[name]
        try:
            return super().find_class(module, name)
        except Exception as error:  # noqa: BLE001 - importing runs the module's code
            return lost.lost_class(f"{module}.{name} can't be found: {type(error).__name__}: {error}")


def _reason(error: BaseException) -> str:
    return f"it can't be made again: {type(error).__name__}: {error}"


def _guard_making(opcode: bytes, pops: int) -> None:
    """For operations that take so many values off the stack and put what they make there."""
    original = pickle._Unpickler.dispatch[opcode[0]]

    def load(self: _Salvager) -> None:
        depth = len(self.stack)
        try:
            original(self)
        except Exception as error:  # noqa: BLE001 - any value's own code
            del self.stack[depth - pops :]
            self.append(LostValue(_reason(error)))

    _Salvager.dispatch[opcode[0]] = load


def _guard_filling(opcode: bytes) -> None:
    """For operations that take a state off the stack and give it to the value below, which they leave there."""
    original = pickle._Unpickler.dispatch[opcode[0]]

    def load(self: _Salvager) -> None:
        depth = len(self.stack)
        try:
            original(self)
        except Exception as error:  # noqa: BLE001 - any value's own code
            del self.stack[depth - 2 :]
            self.append(LostValue(_reason(error)))

    _Salvager.dispatch[opcode[0]] = load


_guard_making(pickle.REDUCE, 2)
_guard_making(pickle.NEWOBJ, 2)
_guard_making(pickle.NEWOBJ_EX, 3)
_guard_filling(pickle.BUILD)
