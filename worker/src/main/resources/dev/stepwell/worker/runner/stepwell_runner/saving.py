"""Saves a session: what is bound by now, divided into components, compared with what was loaded, within the caps."""
import gc
import types

from stepwell_runner import classes, losses, lost, patches
from stepwell_runner.caps import Caps, fit
from stepwell_runner.drafts import Draft, Drafts
from stepwell_runner.loader import Loader
from stepwell_runner.losses import Loss
from stepwell_runner.packing import Plan
from stepwell_runner.pickling import Pickling
from stepwell_runner.products import Comparison, Product, Stored
from stepwell_runner.table import Component, Table

# The interpreter makes these; a session's module has them before it has anything.
_OWN_NAMES = frozenset(("__builtins__", "__name__", "__package__", "__loader__", "__spec__"))
_PLAIN_NUMBERS = frozenset((int, float, complex, bool, type(None)))
_PLAIN_TEXTS = frozenset((str, bytes))
_PLAIN_LENGTH = 100
_PLAIN_BITS = 512


class Saving:
    """One save of one session."""

    def __init__(self, loader: Loader, step: int, caps: Caps, codes: list[types.CodeType]) -> None:
        self._loader = loader
        self._codes = codes
        self._old = loader.table
        self._step = step
        self._caps = caps
        self._namespace = loader.namespace
        self._shared = Pickling(loader.main, loader.objects)
        self._drafts = Drafts(self._shared, caps.state_bytes)
        self._bindings: dict[str, object] = {}
        self._patched: dict[str, dict[str, str]] = {}
        self.lost: list[Loss] = []
        self.kept = 0

    def save(self, table: Table, libraries: dict[str, object], sources: dict[str, object]) -> Plan:
        """Fills a table that has everything but variables, and plans what to send."""
        collecting = gc.isenabled()
        gc.disable()
        try:
            # Threads of the step may be at work still.
            with self._loader.lock:
                return self._save(table, libraries, sources)
        finally:
            if collecting:
                gc.enable()

    def _save(self, table: Table, libraries: dict[str, object], sources: dict[str, object]) -> Plan:
        names = [name for name in list(self._namespace) if name not in _OWN_NAMES]
        if "__doc__" in names and self._namespace["__doc__"] is None:
            names.remove("__doc__")
        others = self._bind_plain(names)
        carried = self._carried(names)
        table.patches = self._patched = self._patches()
        others = self._leave_salvaged(others, carried)
        self._make_drafts(others, carried)
        self._drop_unneeded(carried)
        comparison = Comparison(self._loader)
        try:
            products = [comparison.product(draft) for draft in self._drafts.all]
            extras = self._extras(comparison, libraries)
            texts = {name: _stored(comparison, known) for name, known in sources.items()}
            self.lost += self._drafts.lost
            numbered = self._number(products, table)
            table.bindings, table.components = self._in_order(names, numbered, carried), carried
            return self._fit(table, numbered, extras, texts)
        finally:
            comparison.close()

    def _bind_plain(self, names: list[str]) -> list[str]:
        """Binds the names of plain values. Returns the others."""
        others = []
        first: dict[int, str] = {}
        namespace, bindings = self._namespace, self._bindings
        for name in names:
            value = namespace[name]
            cls = type(value)
            if cls in _PLAIN_NUMBERS:
                plain = cls is not int or -(1 << _PLAIN_BITS) < value < 1 << _PLAIN_BITS
            else:
                plain = cls in _PLAIN_TEXTS and len(value) <= _PLAIN_LENGTH
            if plain:
                known = first.setdefault(id(value), name)
                bindings[name] = (value,) if known is name else [known]
            else:
                others.append(name)
        return others

    def _carried(self, names: list[str]) -> dict[int, tuple]:
        """The components that were not loaded, without the names that are bound to something else now."""
        loaded, bindings = self._loader.loaded, self._old.bindings
        carried = {number: parts for number, parts in self._old.components.items() if number not in loaded}
        for name in names:
            number = bindings.get(name)
            if type(number) is int and number in carried:
                component = Component(carried[number])
                kept = tuple([None if known == name else known for known in component.names])
                carried[number] = component.replaced(kept, component.told)
        for number, reason in self._loader.failed.items():
            if number in carried:
                self._tell_failed(carried, number, reason)
        return {number: parts for number, parts in carried.items() if parts[1] or any(parts[0])}

    def _tell_failed(self, carried: dict[int, tuple], number: int, reason: str) -> None:
        component = Component(carried[number])
        if component.told != reason:
            for name in component.names:
                if name is not None:
                    self.lost.append(losses.of_unread_name(name, reason))
            carried[number] = component.replaced(component.names, reason)

    def _leave_salvaged(self, names: list[str], carried: dict[int, tuple]) -> list[str]:
        """Leaves components of which parts could not be loaded as they were, unless the step changed the other parts.

        Returns the names that are to be saved.
        """
        for number, loaded in self._loader.loaded.items():
            if not loaded.problem:
                continue
            reason = f"parts of it can't be made again: {loaded.problem}"
            bound = {name: value for name, value in zip(loaded.component.names, loaded.values) if name is not None}
            there = {name: value for name, value in bound.items() if lost.lost_reason(value) is None}
            same = all(self._namespace.get(name) is value for name, value in there.items())
            if same and loaded.remains == self._loader.remains(loaded):
                carried[number] = tuple(loaded.component)
                self._tell_failed(carried, number, reason)
                names = [name for name in names if name not in there]
            else:
                self.lost += [losses.of_unread_name(name, reason) for name in bound if name in self._namespace]
        return names

    def _patches(self) -> dict[str, dict[str, str]]:
        """The session's functions in modules, by their keys; those of modules that this step did not touch, too."""
        found = patches.not_taken_up(self._old.patches)
        for module_name, name, value in patches.find(self._loader, self._old.patches, self._codes):
            key = self._shared.keys.get(id(value)) or self._enter(f"{module_name}.{name}", value)
            found.setdefault(module_name, {})[name] = key
        return found

    def _enter(self, name: str, value: object) -> str:
        key = f"{name}#{self._step}"
        while key in self._loader.objects or key in self._loader.homes:
            key += "'"
        self._shared.enter(key, value)
        return key

    def _make_drafts(self, names: list[str], carried: dict[int, tuple]) -> None:
        drafts = self._old_groups(names)
        taken = {name for draft in drafts for name in draft.names}
        by_key = {key: draft for draft in drafts for key in draft.keys}
        for name in names:
            value = self._namespace[name]
            key = self._shared.keys.get(id(value)) if isinstance(value, (type, types.FunctionType)) else None
            if key is None and _is_by_value(value, self._namespace):
                key = self._enter(name, value)
            if key is None and name not in taken:
                drafts.append(Draft([name], []))
            elif key is not None and key in by_key:
                if name not in by_key[key].names:
                    by_key[key].names.append(name)
                    by_key[key].origin = None
            elif key is not None:
                by_key[key] = Draft([name], [key])
                drafts.append(by_key[key])
        for draft in drafts:
            self._drafts.add(draft)
        self._add_nameless(carried)
        self._drafts.join()

    def _old_groups(self, names: list[str]) -> list[Draft]:
        """The loaded components all of whose names are still bound to what they were bound to."""
        drafts = []
        others = set(names)
        for number, loaded in self._loader.loaded.items():
            component = loaded.component
            bound = [(name, known) for name, known in zip(component.names, loaded.identities) if name is not None]
            # Were it another value that has come to be where the old one was, they would only be pickled together.
            if bound and all(name in others and id(self._namespace[name]) == known for name, known in bound):
                named = {known for _, known in bound}
                keys = [key for key in component.keys if id(self._shared.objects.get(key)) in named]
                same = len(bound) == len(component.names) and len(keys) == len(component.keys)
                drafts.append(Draft([name for name, _ in bound], keys, number if same else None))
        return drafts

    def _add_nameless(self, carried: dict[int, tuple]) -> None:
        """Keeps functions and classes that no name is bound to any more, but that others refer to."""
        needed = {key for parts in carried.values() for key in parts[2]}
        needed |= {key for names in self._patches_keys() for key in names}
        homes = self._loader.homes
        done: set[str] = set()
        while True:
            wanted = sorted((needed | self._drafts.needed_keys()) - self._drafts.held_keys() - done)
            wanted = [key for key in wanted if key in self._shared.objects and homes.get(key) not in carried]
            if not wanted:
                return
            for key in wanted:
                done.add(key)
                number = homes.get(key)
                loaded = self._loader.loaded.get(number) if number is not None else None
                alone = loaded is not None and loaded.component.keys == (key,) and not loaded.component.names
                self._drafts.add(Draft([], [key], number if alone else None))

    def _drop_unneeded(self, carried: dict[int, tuple]) -> None:
        """Lets go of nameless functions and classes that were not loaded, once nothing refers to them any more."""
        nameless = [number for number, parts in carried.items() if not any(parts[0])]
        while nameless:
            needed = {key for number, parts in carried.items() for key in parts[2] if key not in parts[1]}
            needed |= self._drafts.needed_keys().union(*self._patches_keys())
            unneeded = [number for number in nameless if needed.isdisjoint(carried[number][1])]
            if not unneeded:
                return
            for number in unneeded:
                del carried[number]
            nameless = [number for number in nameless if number in carried]

    def _patches_keys(self) -> list[list[str]]:
        return [list(names.values()) for names in self._patched.values()]

    def _number(self, products: list[Product], table: Table) -> dict[int, Product]:
        """Gives each product its component's number: the one it had, or the next."""
        table.next_id = self._old.next_id
        numbered: dict[int, Product] = {}
        for product in products:
            number = product.origin
            if number is None:
                number = table.next_id
                table.next_id += 1
            numbered[number] = product
        return numbered

    def _in_order(self, names: list[str], products: dict[int, Product], carried: dict[int, tuple]) -> dict[str, object]:
        """All bindings, old names first and each where it was, as a live namespace has them."""
        for number, product in products.items():
            self._bindings |= dict.fromkeys(product.names, number)
        unloaded = {name: number for number, parts in carried.items() for name in parts[0] if name is not None}
        if not unloaded:
            return {name: self._bindings[name] for name in names if name in self._bindings}
        ordered: dict[str, object] = {}
        for name in self._old.bindings:
            if name in unloaded:
                ordered[name] = unloaded[name]
            elif name in self._bindings and name not in self._loader.bound_by_step:
                ordered[name] = self._bindings[name]
        for name in names:
            if name in self._bindings:
                ordered.setdefault(name, self._bindings[name])
        return ordered

    def _extras(self, comparison: Comparison, libraries: dict[str, object]) -> dict[str, Stored]:
        """Libraries' settings as streams."""
        extras = {}
        for name, data in libraries.items():
            span = self._old.libraries.get(name)
            if data is span:
                extras[name] = Stored(span, None, [])
            else:
                extras[name] = comparison.stream(data, span, self._loader.read(span) if span is not None else b"")
        return extras

    def _notes(self, table: Table) -> dict[str, str]:
        """Why names are missing, those that were missing before among them."""
        notes = {name: why for name, why in self._old.notes.items() if name not in table.bindings}
        for loss in self.lost:
            if loss.name not in table.bindings:
                notes[loss.name] = f"{loss.path} is {loss.type}: {loss.reason}"
        return notes

    def _fit(self, table: Table, products: dict[int, Product], libraries: dict[str, Stored], sources: dict) -> Plan:
        notes, packs = self._notes(table), self._old.packs
        plan, dropped = fit(self._loader.pieces, table, products, packs, libraries, sources, notes, self._caps)
        for name, reason in dropped.items():
            self.lost.append(losses.of_name(name, self._namespace.get(name), reason))
        self.kept = len(table.bindings)
        return plan


def _stored(comparison: Comparison, known: object) -> Stored:
    return comparison.stream(known.encode(), None, b"") if isinstance(known, str) else Stored(known, None, [])


def _is_by_value(value: object, namespace: dict) -> bool:
    """Whether it is a function or class that the session made."""
    if isinstance(value, types.FunctionType):
        return value.__globals__ is namespace or not classes.is_importable(value)
    if not isinstance(value, type) or lost.lost_reason(value) is not None:
        return False
    return value.__module__ != "builtins" and not classes.is_importable(value)
