"""Divides a namespace into components: what shares a mutable object, or needs each other's classes, goes together."""
import types

from stepwell_runner import depth, losses, refusals, sets
from stepwell_runner.by_value import Call
from stepwell_runner.losses import Loss
from stepwell_runner.lost import LostValue
from stepwell_runner.pickling import Pickling, SnapshotPickler
from stepwell_runner.sink import Sink

# Of these it makes no difference whether two variables have the same one or equal ones: they can't change, or their
# pickle names them, or the runner made them for the pickle.
_INDIFFERENT = frozenset(
    (
        *(str, bytes, int, float, complex, bool, type(None), tuple, frozenset, range, slice, type(Ellipsis)),
        *(types.BuiltinFunctionType, types.CodeType, types.GenericAlias, types.WrapperDescriptorType),
        *(types.MethodDescriptorType, types.GetSetDescriptorType, types.MethodWrapperType, Call, LostValue),
    )
)
_INDIFFERENT_NAMES = frozenset(
    (
        *("re.Pattern", "decimal.Decimal", "fractions.Fraction", "uuid.UUID", "pathlib.PosixPath", "logging.Logger"),
        *("logging.RootLogger", "pathlib.PurePosixPath", "zoneinfo.ZoneInfo", "numpy.ufunc", "numpy.dtype"),
        *("datetime.date", "datetime.datetime", "datetime.time", "datetime.timedelta", "datetime.timezone"),
        *("_io.TextIOWrapper", "numpy.generic", "enum.Enum", "pandas.core.dtypes.base.ExtensionDtype"),
    )
)
_BY_VALUE_OR_NAME = (type, types.FunctionType, types.ModuleType)
_ATTEMPTS = 3


class Draft:
    """One component in the making."""

    def __init__(self, names: list[str], keys: list[str], origin: int | None = None) -> None:
        self.names = names
        self.keys = keys
        # The component it was loaded from, if it is the same variables and no others.
        self.origin = origin
        self.pickler: SnapshotPickler
        self.stream = b""


class Drafts:
    """All components that a save pickles. Made for one save."""

    def __init__(self, shared: Pickling, limit_bytes: int) -> None:
        self.all: list[Draft] = []
        self.lost: list[Loss] = []
        self._shared = shared
        self._limit = limit_bytes

    def add(self, draft: Draft) -> None:
        """Pickles a draft, or as much of it as can be kept."""
        try:
            self._run(draft, False)
        except Exception as error:  # noqa: BLE001 - why, and for which value, is what comes next
            self._add_what_can_be(draft, error)
        else:
            self.all.append(draft)

    def held_keys(self) -> set[str]:
        """The keys whose objects are in some draft."""
        return {key for draft in self.all for key in draft.keys}

    def needed_keys(self) -> set[str]:
        """The keys that some draft refers to."""
        return {key for draft in self.all for key in draft.pickler.needs}

    def join(self) -> None:
        """Merges drafts until none shares anything with another, and none needs another that needs it."""
        while len(self.all) > 1:
            groups = _sharing(self.all) or _needing_each_other(self.all)
            if not groups:
                return
            merged = {id(draft) for group in groups for draft in group}
            first = {id(group[0]): group for group in groups}
            before, self.all = self.all, []
            for draft in before:
                if id(draft) in first:
                    group = first[id(draft)]
                    names = [name for part in group for name in part.names]
                    self.add(Draft(names, [key for part in group for key in part.keys]))
                elif id(draft) not in merged:
                    self.all.append(draft)

    def _roots(self, draft: Draft) -> list[object]:
        namespace, objects = self._shared.namespace, self._shared.objects
        return [namespace[name] for name in draft.names] + [objects[key] for key in draft.keys]

    def _run(self, draft: Draft, tolerant: bool) -> None:
        def attempt(with_sets: "list[Call] | tuple[()]" = ()) -> None:
            sink = Sink(self._limit)
            draft.pickler = SnapshotPickler(sink, self._shared, frozenset(draft.keys), tolerant)
            draft.pickler.dump(self._roots(draft) + list(with_sets))
            draft.stream = sink.data()
            ways = sets.ways(draft.stream, draft.pickler.memo)
            if ways and not with_sets:
                attempt([Call(sets.order, *way) for way in ways])

        for left in range(_ATTEMPTS, 0, -1):
            try:
                return attempt()
            except RecursionError:
                return depth.run_deep(attempt)
            except RuntimeError as error:
                # A thread of the step is at work on it.
                if left == 1 or "during iteration" not in str(error):
                    raise

    def _add_what_can_be(self, draft: Draft, error: Exception) -> None:
        """Leaves a mark where a value can't be kept, and leaves out the names of which nothing would be left."""
        try:
            self._run(draft, True)
        except Exception as problem:  # noqa: BLE001 - whatever the values' code raises
            self._add_each(draft, problem)
            return
        values = self._values(draft)
        found = draft.pickler.losses
        self.lost += losses.locate(values, found)
        gone = [name for name, value in values.items() if id(value) in found]
        gone_keys = [key for key in draft.keys if id(self._shared.objects[key]) in found]
        if gone or gone_keys:
            draft.names = [name for name in draft.names if name not in gone]
            draft.keys = [key for key in draft.keys if key not in gone_keys]
            if not draft.names and not draft.keys:
                return
            self._run(draft, True)
        self.all.append(draft)

    def _add_each(self, draft: Draft, error: Exception) -> None:
        if len(draft.names) > 1:
            for name in draft.names:
                key = self._shared.keys.get(id(self._shared.namespace[name]))
                self.add(Draft([name], [key] if key in draft.keys else []))
            return
        for name, value in self._values(draft).items():
            self.lost.append(losses.of_name(name, value, refusals.reason(error)))

    def _values(self, draft: Draft) -> dict[str, object]:
        return {name: self._shared.namespace[name] for name in draft.names}


def _sharing(drafts: list[Draft]) -> list[list[Draft]]:
    """Groups of drafts that have pickled one and the same object by value."""
    # The largest table of objects is only looked into, never gone through.
    memos = sorted(((len(draft.stream), index) for index, draft in enumerate(drafts)))
    owners: dict[int, int] = {}
    union = _Union(len(drafts))
    for _, index in memos:
        memo = drafts[index].pickler.memo.copy()
        common = owners.keys() & memo.keys() if owners else ()
        for identity in common:
            other = owners[identity]
            if union.find(other) != union.find(index) and _matters(memo[identity][1], drafts[other], drafts[index]):
                union.join(other, index)
        if index != memos[-1][1]:
            owners |= dict.fromkeys(memo, index)
    return [[drafts[index] for index in group] for group in union.groups()]


def _matters(value: object, one: Draft, other: Draft) -> bool:
    cls = type(value)
    if cls in _INDIFFERENT:
        return False
    if isinstance(value, _BY_VALUE_OR_NAME):
        return id(value) in one.pickler.by_value and id(value) in other.pickler.by_value
    if any(f"{base.__module__}.{base.__qualname__}" in _INDIFFERENT_NAMES for base in cls.__mro__):
        return False
    if cls.__module__ == "typing":
        return cls.__name__ in ("TypeVar", "ParamSpec", "TypeVarTuple", "NewType")
    return not cls.__module__.startswith("pytz")


def _needing_each_other(drafts: list[Draft]) -> list[list[Draft]]:
    """Groups of drafts that refer to each other's functions and classes in a circle: neither could be made first."""
    homes = {key: index for index, draft in enumerate(drafts) for key in draft.keys}
    needs = [sorted({homes[key] for key in draft.pickler.needs if key in homes}) for draft in drafts]
    union = _Union(len(drafts))
    reached = [_reached(needs, index) if needs[index] else set() for index in range(len(drafts))]
    for index, targets in enumerate(reached):
        for target in targets:
            if target != index and index in reached[target]:
                union.join(index, target)
    return [[drafts[index] for index in group] for group in union.groups()]


def _reached(needs: list[list[int]], start: int) -> set[int]:
    found: set[int] = set()
    pending = list(needs[start])
    while pending:
        index = pending.pop()
        if index not in found:
            found.add(index)
            pending += needs[index]
    return found


class _Union:
    """Sets of indexes that grow together."""

    def __init__(self, size: int) -> None:
        self._parents = list(range(size))

    def find(self, index: int) -> int:
        while self._parents[index] != index:
            index = self._parents[index]
        return index

    def join(self, one: int, other: int) -> None:
        first, second = sorted((self.find(one), self.find(other)))
        self._parents[second] = first

    def groups(self) -> list[list[int]]:
        """Those of more than one, each in order."""
        found: dict[int, list[int]] = {}
        for index in range(len(self._parents)):
            found.setdefault(self.find(index), []).append(index)
        return [group for group in found.values() if len(group) > 1]
