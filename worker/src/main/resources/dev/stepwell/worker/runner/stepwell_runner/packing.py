"""Stores a session: decides which pieces the new table has, and in what order.

A piece that is still referred to keeps its position, so that the components which refer to it stay as they are. New
pieces take the positions of those that are gone.
"""
from stepwell_runner.frames import PIECE_BYTES
from stepwell_runner.pieces import Pieces
from stepwell_runner.products import Product, Stored
from stepwell_runner.table import Table, positions, runs

# What a step gets without asking.
_EAGER_BYTES = 1 << 18


class Plan:
    """A body, its pieces, and what is to be said of them."""

    def __init__(self) -> None:
        self.body = b""
        self.new: list[bytes | memoryview] = []
        # For each piece of the new table: its index in the old one, or -1 minus its number among the new ones.
        self.refs: list[int] = []
        self.eager: list[int] = []
        self.live_bytes = 0

    def new_bytes(self) -> int:
        """How much has to be stored."""
        return sum(map(len, self.new))


class Packing:
    """Fills one table. Made for one attempt at a plan."""

    def __init__(self, pieces: Pieces, table: Table, old_packs: list[int]) -> None:
        self._pieces = pieces
        self._table = table
        self._packs = set(old_packs)
        self._at_hand = set(eager(old_packs, pieces.sizes))
        # Spans in the making: positions below zero are new pieces.
        self._pending: list[tuple[Stored, object]] = []
        self._new: list[bytes | memoryview] = []
        self._new_packs: list[int] = []
        self._shorts: list[tuple[Stored, bytes]] = []
        self._spans: dict[int, tuple[list[int], int, int]] = {}

    def add(self, stored: Stored) -> None:
        """Takes up what is to be stored."""
        if stored.short is not None:
            self._shorts.append((stored, stored.short))
        elif stored.span is None:
            indexes, length = [], 0
            for part in stored.parts:
                if isinstance(part, int):
                    indexes.append(part)
                    length += self._pieces.sizes[part]
                else:
                    indexes.append(self._add_piece(part))
                    length += len(part)
            self._spans[id(stored)] = (indexes, 0, length)

    def finish(self, products: "dict[int, Product]", extras: "list[tuple[dict[str, object], str, Stored]]") -> Plan:
        """Completes the table with its components, given by number, and other streams; and makes the plan."""
        self._absorb_packs([product.stream for product in products.values()] + [stored for _, _, stored in extras])
        self._pack()
        used = self._used(products, extras)
        moved, plan = self._place(used)
        if moved:
            self._move_carried(moved)
        packs = {moved.get(pack, pack) for pack in self._packs & used}
        self._table.packs = sorted(packs.union(moved[pack] for pack in self._new_packs))
        for number, product in products.items():
            buffers = tuple([self._span(buffer, moved) for buffer in product.buffers])
            head = (product.names, product.keys, product.needs, product.words, product.packages, product.files)
            self._table.components[number] = (*head, self._span(product.stream, moved), buffers, "")
        for into, name, stored in extras:
            into[name] = self._span(stored, moved)
        plan.new = self._new
        plan.body = self._table.encode()
        sizes = [self._pieces.sizes[ref] if ref >= 0 else len(self._new[-1 - ref]) for ref in plan.refs]
        plan.live_bytes = len(plan.body) + sum(sizes)
        plan.eager = eager(self._table.packs, sizes)
        return plan

    def _add_piece(self, part: "bytes | memoryview") -> int:
        self._new.append(part)
        return -len(self._new)

    def _absorb_packs(self, streams: list[Stored]) -> None:
        """Takes small or sparse packs apart, so that there are never many."""
        if not self._shorts:
            return
        users: dict[int, list[int]] = {}
        for number, parts in self._table.components.items():
            span = parts[6]
            if type(span) is tuple and span[0][0] in self._packs:
                users.setdefault(span[0][0], []).append(number)
        others: dict[int, list[Stored]] = {}
        for stored in streams:
            if type(stored.span) is tuple and stored.span[0][0] in self._packs:
                others.setdefault(stored.span[0][0], []).append(stored)
        total = sum(len(data) for _, data in self._shorts)
        live = {}
        for pack in users.keys() | others.keys():
            live[pack] = sum(self._table.components[number][6][2] for number in users.get(pack, ()))
            live[pack] += sum(stored.span[2] for stored in others.get(pack, ()))
        for pack in sorted(live, key=lambda pack: (live[pack], pack)):
            sparse = live[pack] * 2 < self._pieces.sizes[pack]
            at_hand = pack in self._at_hand or self._pieces.has(pack)
            if at_hand and (live[pack] <= 2 * total or sparse) and total + live[pack] <= PIECE_BYTES:
                total += live[pack]
                self._absorb(pack, users.get(pack, []), others.get(pack, []))

    def _absorb(self, pack: int, numbers: list[int], others: list[Stored]) -> None:
        self._pieces.require([pack])
        data = self._pieces.read([pack])
        for stored in others:
            _, offset, length = stored.span
            stored.span, stored.short = None, data[offset : offset + length]
            self._shorts.append((stored, stored.short))
        for number in numbers:
            parts = self._table.components[number]
            _, offset, length = parts[6]
            stored = Stored(None, data[offset : offset + length], [])
            self._shorts.append((stored, stored.short or b""))
            self._pending.append((stored, number))

    def _pack(self) -> None:
        pack, waiting, size = [], [], 0
        for stored, data in self._shorts + [(None, b"")]:
            if stored is None or size + len(data) > PIECE_BYTES:
                if pack:
                    position = self._add_piece(b"".join(pack))
                    self._new_packs.append(position)
                    for known, offset, length in waiting:
                        self._spans[id(known)] = ([position], offset, length)
                pack, waiting, size = [], [], 0
            if stored is not None:
                waiting.append((stored, size, len(data)))
                pack.append(data)
                size += len(data)

    def _used(self, products: "dict[int, Product]", extras: list) -> set[int]:
        """The old positions that the new table needs."""
        absorbed = {number for _, number in self._pending}
        used: set[int] = set()
        for number, parts in self._table.components.items():
            if type(parts[6]) is tuple and number not in absorbed:
                used.update(positions(parts[6]))
            for span in parts[7]:
                used.update(positions(span))
        stored = [part for product in products.values() for part in (product.stream, *product.buffers)]
        for part in stored + [part for _, _, part in extras]:
            indexes = positions(part.span) if part.span is not None else self._spans[id(part)][0]
            used.update(index for index in indexes if index >= 0)
        return used

    def _place(self, used: set[int]) -> "tuple[dict[int, int], Plan]":
        """Gives every piece a position. Returns those of new and moved ones."""
        plan = Plan()
        size = len(used) + len(self._new)
        free = iter([index for index in range(size) if index not in used])
        moved = {-1 - number: next(free) for number in range(len(self._new))}
        for index in sorted(used):
            if index >= size:
                moved[index] = next(free)
        plan.refs = [0] * size
        for index in used:
            plan.refs[moved.get(index, index)] = index
        for number in range(len(self._new)):
            plan.refs[moved[-1 - number]] = -1 - number
        return moved, plan

    def _move_carried(self, moved: dict[int, int]) -> None:
        components = self._table.components
        for stored, number in self._pending:
            parts = components[number]
            components[number] = (*parts[:6], self._span(stored, moved), *parts[7:])
        absorbed = {number for _, number in self._pending}
        if all(index < 0 for index in moved):
            return
        for number, parts in components.items():
            if (type(parts[6]) is tuple and number not in absorbed) or parts[7]:
                stream = parts[6] if number in absorbed else _moved(parts[6], moved)
                components[number] = (*parts[:6], stream, tuple([_moved(span, moved) for span in parts[7]]), parts[8])

    def _span(self, stored: Stored, moved: dict[int, int]) -> "bytes | tuple":
        if stored.span is not None:
            return _moved(stored.span, moved)
        indexes, offset, length = self._spans[id(stored)]
        return (runs([moved.get(index, index) for index in indexes]), offset, length)


def eager(packs: list[int], sizes: list[int]) -> list[int]:
    """Packs that many steps want, the small ones first: they are at hand without asking."""
    found, left = [], _EAGER_BYTES
    for size, position in sorted((sizes[position], position) for position in packs):
        left -= size
        if left >= 0:
            found.append(position)
    return sorted(found)


def _moved(span: "bytes | tuple", moved: dict[int, int]) -> "bytes | tuple":
    if isinstance(span, bytes):
        return span
    return (runs([moved.get(index, index) for index in positions(span)]), span[1], span[2])
