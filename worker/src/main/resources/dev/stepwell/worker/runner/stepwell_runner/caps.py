"""Keeps a session within what its step may leave: as many components as fit, the small ones first."""
from stepwell_runner.packing import Packing, Plan
from stepwell_runner.pieces import Pieces
from stepwell_runner.products import Product, Stored
from stepwell_runner.sink import TooLarge
from stepwell_runner.table import Table, entry_bytes, span_bytes


# Later steps are told of so many missing names why they are.
_NOTES = 100


class Caps:
    """What one step may leave; immutable."""

    def __init__(self, state_bytes: int, new_bytes: int, components: int, manifest_bytes: int) -> None:
        self.state_bytes = state_bytes
        self.new_bytes = new_bytes
        self.components = components
        self.manifest_bytes = manifest_bytes

    def excess(self, plan: Plan, components: int) -> str | None:
        """What a plan has too much of."""
        if plan.live_bytes > self.state_bytes:
            return f"the session's state is limited to {self.state_bytes} bytes"
        if plan.new_bytes() > self.new_bytes:
            return f"what a step adds to the state is limited to {self.new_bytes} bytes"
        if len(plan.body) > self.manifest_bytes:
            return f"the table of variables is limited to {self.manifest_bytes} bytes"
        if components > self.components:
            return f"the session's state is limited to {self.components} components"
        return None


def fit(
    pieces: Pieces,
    table: Table,
    products: dict[int, Product],
    old_packs: list[int],
    libraries: dict[str, Stored],
    sources: dict[str, Stored],
    notes: dict[str, str],
    caps: Caps,
) -> "tuple[Plan, dict[str, str]]":
    """Fills the table with what fits, and plans it. Returns the reasons why names are left out, too."""
    bindings, carried = table.bindings, table.components
    sizes = None
    dropped: dict[int, str] = {}
    lost: dict[str, str] = {}
    while True:
        kept = {number: product for number, product in products.items() if number not in dropped}
        table.components = {number: parts for number, parts in carried.items() if number not in dropped}
        table.bindings = {
            name: bound
            for name, bound in bindings.items()
            if name not in lost and not (type(bound) is int and bound in dropped)
        }
        files = {file for product in kept.values() for file in product.files}
        files.update(file for parts in table.components.values() for file in parts[5])
        table.libraries, table.sources = {}, {}
        table.notes = dict(list((notes | lost).items())[:_NOTES])
        extras: "list[tuple[dict[str, object], str, Stored]]"
        extras = [(table.libraries, name, stored) for name, stored in libraries.items()]
        extras += [(table.sources, name, stored) for name, stored in sources.items() if name in files]
        packing = Packing(pieces, table, old_packs)
        for stored in [part for product in kept.values() for part in (product.stream, *product.buffers)]:
            packing.add(stored)
        for _, _, stored in extras:
            packing.add(stored)
        plan = packing.finish(kept, extras)
        why = caps.excess(plan, len(table.components))
        if why is None:
            return plan, lost
        if sizes is None:
            sizes = _sizes(carried, products)
        victims = _victims(sizes, dropped, plan, caps, products, len(table.components))
        if victims:
            for number in victims:
                dropped[number] = why
                names = products[number].names if number in products else carried[number][0]
                lost |= {name: f"over the cap: it takes {sizes[number]} bytes, and {why}" for name in names if name}
        else:
            _drop_plain(table.bindings, lost, why)


def _sizes(carried: dict[int, tuple], products: dict[int, Product]) -> dict[int, int]:
    sizes = {
        number: span_bytes(parts[6]) + sum(map(span_bytes, parts[7])) + entry_bytes(parts)
        for number, parts in carried.items()
    }
    for number, product in products.items():
        words = len(product.words) + sum(len(name) for name in product.names)
        sizes[number] = product.size + words + 64
    return sizes


def _victims(
    sizes: dict[int, int], dropped: dict[int, str], plan: Plan, caps: Caps, products: dict[int, Product], count: int
) -> list[int]:
    """The largest components, as many as there is too much of, but at least one if there is one."""
    left = {number: size for number, size in sizes.items() if number not in dropped}
    excess = plan.live_bytes - caps.state_bytes
    if excess <= 0 and plan.new_bytes() > caps.new_bytes:
        excess = plan.new_bytes() - caps.new_bytes
        left = {number: products[number].new_bytes() for number in left if number in products}
        left = {number: size for number, size in left.items() if size}
    elif excess <= 0:
        excess = len(plan.body) - caps.manifest_bytes
        many = count - caps.components
        if excess <= 0 < many:
            return sorted(left, key=lambda number: (left[number], number))[-many:]
    victims: list[int] = []
    for number in sorted(left, key=lambda number: (-left[number], number)):
        if victims and excess <= 0:
            break
        victims.append(number)
        excess -= left[number]
    return victims


def _drop_plain(bindings: dict[str, object], lost: dict[str, str], why: str) -> None:
    names = [name for name, bound in bindings.items() if type(bound) is tuple]
    if not names:
        raise TooLarge(f"even without variables, {why}")
    size = {name: len(repr(bindings[name])) for name in names}
    for name in sorted(names, key=lambda name: (-size[name], name))[: max(1, len(names) // 8)]:
        lost[name] = f"over the cap: {why}"
        for other, bound in bindings.items():
            if type(bound) is list and bound[0] == name:
                lost[other] = lost[name]
