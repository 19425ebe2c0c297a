"""Pickles a session's namespace: by value what the session made, by name what can be imported."""
import sys
import types

import _pickle

from stepwell_runner import by_value, refusals
from stepwell_runner.lost import LostValue

_UNDECIDED = object()


class SnapshotPickler(_pickle.Pickler):
    """One pickle of one namespace; owned by the thread that saves.

    Strict, it raises for the first value that can't be kept. Tolerant, it puts a LostValue in its place and lists it
    in ``losses``, at the price of making every reduction itself.
    """

    def __init__(self, sink: object, main: types.ModuleType, tolerant: bool) -> None:
        super().__init__(sink, 5)
        self.main = main
        self.namespace = vars(main)
        self.files: set[str] = set()
        self.losses: dict[int, tuple[object, str]] = {}
        self._tolerant = tolerant
        self._reducers: dict[type, object] = {}
        self._foreign_globals: dict[int, by_value.ForeignGlobals] = {}

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

    def _choose(self, cls: type):
        refusal = refusals.of_type(cls)
        if refusal is not None:
            return lambda pickler, value: refusals.refuse(refusal)
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

    def foreign_globals(self, namespace: dict) -> "by_value.ForeignGlobals":
        """The one stand-in for a globals dict that is no module's."""
        known = self._foreign_globals.get(id(namespace))
        if known is None:
            known = self._foreign_globals[id(namespace)] = by_value.ForeignGlobals(namespace)
        return known


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
