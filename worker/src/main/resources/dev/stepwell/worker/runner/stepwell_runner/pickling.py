"""Pickles values of a session: by value what the session made, by name what can be imported."""
import sys
import types

import _pickle

from stepwell_runner import by_value, refusals
from stepwell_runner.lost import LostValue
from stepwell_runner.reach import words_of

_UNDECIDED = object()
# Below this a buffer stays in the pickle: on its own it would cost a mapping.
_BUFFER_BYTES = 1 << 16


class Pickling:
    """What all picklers of one save have in common."""

    def __init__(self, main: types.ModuleType, objects: dict[str, object]) -> None:
        self.main = main
        self.namespace = vars(main)
        self.objects = objects
        self.keys = {id(value): key for key, value in objects.items()}
        self._foreign_globals: dict[int, by_value.ForeignGlobals] = {}

    def enter(self, key: str, value: object) -> None:
        """From here on others refer to this function or class by the key."""
        self.objects[key] = value
        self.keys[id(value)] = key

    def foreign_globals(self, namespace: dict) -> "by_value.ForeignGlobals":
        """The one stand-in for a globals dict that is no module's."""
        known = self._foreign_globals.get(id(namespace))
        if known is None:
            known = self._foreign_globals[id(namespace)] = by_value.ForeignGlobals(namespace)
        return known


class SnapshotPickler(_pickle.Pickler):
    """Pickles one component; owned by the thread that saves.

    Strict, it raises for the first value that can't be kept. Tolerant, it puts a LostValue in its place and lists it
    in ``losses``, at the price of making every reduction itself.
    """

    def __init__(self, sink: object, shared: Pickling, own_keys: "frozenset[str] | set[str]", tolerant: bool) -> None:
        super().__init__(sink, 5, buffer_callback=self._take_buffer)
        self.main = shared.main
        self.namespace = shared.namespace
        self.foreign_globals = shared.foreign_globals
        self.files: set[str] = set()
        self.words: set[str] = set()
        self.packages: set[str] = set()
        self.needs: set[str] = set()
        self.by_value: set[int] = set()
        self.buffers: list[memoryview] = []
        self.losses: dict[int, tuple[object, str]] = {}
        self._keys = shared.keys
        self._own_keys = own_keys
        self._tolerant = tolerant
        self._reducers: dict[type, object] = {}

    def reducer_override(self, value: object):
        """Called for whatever is none of the plain built-in types."""
        cls = type(value)
        reducer = self._reducers.get(cls, _UNDECIDED)
        if reducer is _UNDECIDED:
            reducer = self._reducers[cls] = self._choose(cls)
        if not self._tolerant:
            return NotImplemented if reducer is None else reducer(self, value)
        try:
            return self._reduce_now(value, reducer)
        except Exception as error:  # noqa: BLE001 - code of the step may raise anything
            reason = refusals.reason(error)
            self.losses[id(value)] = (value, reason)
            return (LostValue, (f"{cls.__module__}.{cls.__qualname__}: {reason}",))

    def take_by_value(self, value: object) -> "tuple[str | None, bool]":
        """The key of a function or class that can't be imported, and whether another component holds it."""
        key = self._keys.get(id(value))
        if key is not None and key not in self._own_keys:
            self.needs.add(key)
            return key, True
        self.by_value.add(id(value))
        return key, False

    def take_code(self, code: types.CodeType) -> None:
        """Notes what a function's code refers to, and where it comes from."""
        self.files.add(code.co_filename)
        self.words |= words_of(code)

    def imports(self, value: object) -> None:
        """Notes that loading needs the package of a function or class."""
        module_name = getattr(value, "__module__", None)
        if isinstance(module_name, str):
            self.packages.add(module_name.partition(".")[0])

    def _take_buffer(self, buffer: "_pickle.PickleBuffer") -> bool:
        memory = buffer.raw()
        if memory.nbytes < _BUFFER_BYTES:
            return True
        self.buffers.append(memory)
        return False

    def _choose(self, cls: type):
        self.imports(cls)
        refusal = refusals.of_type(cls)
        if refusal is not None:
            return lambda pickler, value: refusals.refuse(refusal)
        if cls is types.BuiltinFunctionType:
            return _builtin_function
        return by_value.reducer_for(cls)

    def _reduce_now(self, value: object, reducer):
        reduced = NotImplemented if reducer is None else reducer(self, value)
        if reduced is not NotImplemented:
            return reduced
        if isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType)):
            by_name(value)
            return NotImplemented
        reduced = value.__reduce_ex__(5)
        if isinstance(reduced, str):
            by_name(value, reduced)
            return reduced
        if not (isinstance(reduced, tuple) and 2 <= len(reduced) <= 6 and callable(reduced[0])):
            refusals.refuse("its __reduce__ returned no reduction")
        return reduced


def _builtin_function(pickler: SnapshotPickler, value: types.BuiltinFunctionType):
    pickler.imports(value)
    return NotImplemented


def by_name(value: object, name: str | None = None) -> None:
    """Raises unless importing the value by its name gives this very value."""
    if name is None:
        name = getattr(value, "__qualname__", None) or value.__name__
    module_name = getattr(value, "__module__", None)
    if module_name is None:
        bound_to = getattr(value, "__self__", None)
        if bound_to is not None and not isinstance(bound_to, types.ModuleType):
            return
        module_name = getattr(bound_to, "__name__", "builtins")
    found: object = sys.modules.get(module_name)
    for part in name.split("."):
        found = getattr(found, part)
    if found is not value:
        refusals.refuse(f"it is not what {module_name}.{name} names")
