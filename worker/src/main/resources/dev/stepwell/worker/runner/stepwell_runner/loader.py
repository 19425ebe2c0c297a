"""Loads components: at the start of a step those that its code can reach, later those that it reaches after all."""
import gc
import io
import sys
import types

from _thread import RLock

from stepwell_runner import lost, rebuild
from stepwell_runner.frames import ChannelError
from stepwell_runner.hiding import Hiding
from stepwell_runner.pieces import Pieces
from stepwell_runner.pickling import Pickling, SnapshotPickler
from stepwell_runner.reach import reachable
from stepwell_runner.sink import Sink
from stepwell_runner.table import Component, Table, positions, span_bytes
from stepwell_runner.unpickling import SnapshotUnpickler

# Rough, and the same everywhere: what is loaded must not depend on how busy a machine is.
_CHEAP_US = 2000
_COMPONENT_US, _BYTES_PER_US, _BUFFER_US, _IMPORT_US = 8, 40, 30, 20_000


class Loaded:
    """What a component was made from, and into."""

    def __init__(self, component: Component, stream: bytes, mappings: list) -> None:
        self.component = component
        self.stream = stream
        self.mappings = mappings
        # What names were bound to. Not the values themselves: what the step gives up has to be gone.
        self.identities: list[int] = []
        # The values, only while it is loaded or where parts of it could not be made.
        self.values: list[object] = []
        # Why parts of it could not be made, and what the others looked like, pickled.
        self.problem = ""
        self.remains = b""


class Loader:
    """Owned by the session. Any thread of the step may come here by using a name."""

    def __init__(self, table: Table, pieces: Pieces, main: types.ModuleType, hiding: Hiding) -> None:
        self._hiding = hiding
        self.table = table
        self.pieces = pieces
        self.main = main
        self.namespace = vars(main)
        self.homes = table.homes()
        self.loaded: dict[int, Loaded] = {}
        # By component: why it can't be loaded.
        self.failed: dict[int, str] = {}
        # By name: why its value is not there, where others of its component are.
        self.missing: dict[str, str] = {}
        # Names that were loaded when the step's code had begun, and those that the code has bound since.
        self.loaded_late: set[str] = set()
        self.bound_by_step: set[str] = set()
        self.objects: dict[str, object] = {}
        self.lock = RLock()

    def bind_plain(self) -> None:
        """Binds the names that need no loading."""
        namespace, bindings = self.namespace, self.table.bindings
        for name, bound in bindings.items():
            if type(bound) is tuple:
                namespace[name] = bound[0]
            elif type(bound) is list:
                namespace[name] = bindings[bound[0]][0]

    def reach(self, words: set[str]) -> set[int]:
        """The components to load for code with these words: all of them if that costs next to nothing."""
        cost = 0
        for parts in self.table.components.values():
            cost += _cost_us(Component(parts))
            if cost > _CHEAP_US:
                return reachable(self.table, self.homes, words)
        return set(self.table.components)

    def load(self, numbers: "set[int]") -> None:
        """Loads components, with what they refer to, in the order of their names."""
        with self.lock:
            wanted = [number for number in self._with_needs(numbers) if number not in self.loaded]
            if not wanted:
                return
            self._require_or_fail(wanted)
            collecting = gc.isenabled()
            gc.disable()
            try:
                for number in wanted:
                    self._load_one(number)
            finally:
                if collecting:
                    gc.enable()

    def restore_order(self) -> None:
        """Puts all names into the order in which a live namespace would have them."""
        names = [name for name in self.table.bindings if name in self.namespace]
        if [name for name in self.namespace if name in self.table.bindings] != names:
            for name in names:
                self.namespace[name] = self.namespace.pop(name)

    def has_unloaded(self) -> bool:
        """Whether a name may still have to be loaded."""
        return len(self.loaded) + len(self.failed) < len(self.table.components)

    def find(self, name: str) -> object:
        """The value of a name that the namespace does not have yet. Raises KeyError if the session has none either."""
        number = self.table.bindings.get(name)
        if type(number) is not int or number in self.failed:
            raise KeyError(name)
        with self.lock:
            if number in self.loaded:
                # Another thread was faster, or the step has deleted it since.
                return self.namespace[name]
            self.load({number})
            return self.namespace[name]

    def object(self, key: str) -> object:
        """The function or class of a key."""
        if key not in self.objects:
            number = self.homes.get(key)
            if number is not None and number not in self.failed and number not in self.loaded:
                self._load_one(number)
            if key not in self.objects:
                name = key.partition("#")[0]
                reason = self.failed.get(number) if number is not None else self.table.notes.get(name)
                return lost.lost_class(f"{name} was not kept: {reason or 'nothing was left of it'}")
        return self.objects[key]

    def _with_needs(self, numbers: "set[int]") -> list[int]:
        found: set[int] = set()
        pending = list(numbers)
        while pending:
            number = pending.pop()
            if number not in found and number not in self.failed:
                found.add(number)
                needs = Component(self.table.components[number]).needs
                pending += [self.homes[key] for key in needs if key in self.homes]
        if len(found) == 1:
            return list(found)
        order = {bound: None for bound in self.table.bindings.values() if type(bound) is int and bound in found}
        return list(order) + sorted(found - order.keys())

    def _require_or_fail(self, numbers: list[int]) -> None:
        """Asks for everything at once. Where that can't be had, for each, to lose no more than has to be."""
        try:
            self._require(numbers)
        except (ChannelError, OSError):
            for number in numbers:
                try:
                    self._require([number])
                except (ChannelError, OSError) as error:
                    self.failed[number] = f"it can't be loaded: {error}"

    def _require(self, numbers: list[int]) -> None:
        needed: list[int] = []
        for number in numbers:
            component = Component(self.table.components[number])
            needed += positions(component.stream)
            for span in component.buffers:
                needed += positions(span)
        self.pieces.require(needed)

    def read(self, span: "bytes | tuple") -> bytes:
        """The bytes that a span stands for; its pieces are asked for if need be."""
        if isinstance(span, bytes):
            return span
        indexes = positions(span)
        self.pieces.require(indexes)
        _, offset, length = span
        data = self.pieces.read(indexes)
        return data if length == len(data) else data[offset : offset + length]

    def _load_one(self, number: int) -> None:
        if number in self.loaded or number in self.failed:
            return
        component = Component(self.table.components[number])
        rebuild.begin(self.main, self.object, self.objects)
        was_loading, lost.loading = lost.loading, True
        try:
            self._require([number])
            buffers, mappings = self._map(component)
            loaded = self.loaded[number] = Loaded(component, self.read(component.stream), mappings)
            loaded.values = self._unpickle(loaded, buffers)
        except Exception as error:  # noqa: BLE001 - the values' own code, or memory that is full
            self.loaded.pop(number, None)
            self.failed[number] = f"it can't be loaded: {type(error).__name__}: {error}"
            return
        finally:
            lost.loading = was_loading
        self._bind(number, loaded)

    def _map(self, component: Component) -> tuple[list, list]:
        if not component.buffers:
            return [], []
        mapping = self._hiding.module("mapping")
        pairs = [mapping.map_pieces(self.pieces, positions(span)) for span in component.buffers]
        return [memory for memory, _ in pairs], [known for _, known in pairs]

    def _unpickle(self, loaded: Loaded, buffers: list) -> list[object]:
        try:
            return SnapshotUnpickler(io.BytesIO(loaded.stream), buffers=buffers).load()
        except Exception as error:  # noqa: BLE001 - any value's own code; the others are fine
            loaded.problem = f"{type(error).__name__}: {error}"
            return self._hiding.module("salvage").load(loaded.stream, buffers)

    def _bind(self, number: int, loaded: Loaded) -> None:
        component = loaded.component
        reasons = [lost.lost_reason(value) for value in loaded.values]
        names = len(component.names)
        for key, value, reason in zip(component.keys, loaded.values[names:], reasons[names:]):
            if reason is None:
                self.objects[key] = value
            else:
                self.objects.pop(key, None)
        if reasons and all(reason is not None for reason in reasons):
            del self.loaded[number]
            self.failed[number] = reasons[0]
            return
        if loaded.problem:
            loaded.remains = self.remains(loaded)
        for name, value, reason in zip(component.names, loaded.values, reasons):
            if name is not None and reason is not None:
                self.missing[name] = reason
            elif name is not None:
                self.loaded_late.add(name)
                # What the step has bound in the meantime is newer.
                self.namespace.setdefault(name, value)
        loaded.identities = [id(value) for value in loaded.values]
        if not loaded.problem:
            loaded.values = []


    def remains(self, loaded: Loaded) -> bytes:
        """What is there of a component that could not be made whole, pickled: to see whether the step changes it."""
        sink = Sink(sys.maxsize)
        keys = frozenset(loaded.component.keys)
        SnapshotPickler(sink, Pickling(self.main, self.objects), keys, True).dump(loaded.values)
        return sink.data()


def _cost_us(component: Component) -> int:
    cost = _COMPONENT_US + span_bytes(component.stream) // _BYTES_PER_US + _BUFFER_US * len(component.buffers)
    if component.packages:
        modules = sys.modules
        cost += _IMPORT_US * sum(package not in modules for package in component.packages.split())
    return cost
