"""The body of a session's variables: which names there are, what each is bound to, and where its pickle is.

A **component** is what has to be pickled together: values that share a mutable object, or one function or class that
others refer to by its key. A plain value needs no component, it stands in the table itself. A **span** says where bytes
are: the bytes themselves if they are few, else runs of pieces, an offset into the first of them, and a length.
"""
import _frozen_importlib_external
import marshal
import sys
from operator import itemgetter

from stepwell_runner.frames import ChannelError

_MARK = b"SWV1"
# Plain data of this version of marshal is readable by every interpreter.
_MARSHAL_VERSION = 2
PYTHON = f"{sys.implementation.name}-{sys.version.split()[0]}"
# What code is compiled for: bytecode is given to no other interpreter.
PIN = f"{PYTHON} {_frozen_importlib_external.MAGIC_NUMBER.hex()}"
_SEPARATOR = " "


class Component(tuple):
    """One component, as it stands in the table."""

    __slots__ = ()

    # One for each of the first values in its pickle; None where the name is bound to something else by now.
    names: "property[tuple[str | None, ...]]" = property(itemgetter(0))
    # Of the functions and classes that follow, and may be referred to from other components.
    keys: "property[tuple[str, ...]]" = property(itemgetter(1))
    # Keys that its pickle refers to.
    needs: "property[tuple[str, ...]]" = property(itemgetter(2))
    # Identifiers in its code, separated by spaces: what that code may look up.
    words: "property[str]" = property(itemgetter(3))
    # Packages that loading it imports, separated by spaces.
    packages: "property[str]" = property(itemgetter(4))
    # Source files that its code comes from.
    files: "property[tuple[str, ...]]" = property(itemgetter(5))
    stream: "property[bytes | tuple]" = property(itemgetter(6))
    buffers: "property[tuple[tuple, ...]]" = property(itemgetter(7))
    # Why an earlier step could not load it, if that has been told.
    told: "property[str]" = property(itemgetter(8))

    def replaced(self, names: "tuple[str | None, ...]", told: str) -> tuple:
        """The same component under other names, as the table has it."""
        return (names, *self[1:8], told)


class Table:
    """All of it. Mutable; owned by the session."""

    def __init__(self) -> None:
        self.bindings: dict[str, object] = {}
        self.components: dict[int, tuple] = {}
        self.next_id = 1
        self.patches: dict[str, dict[str, str]] = {}
        self.sources: dict[str, object] = {}
        self.libraries: dict[str, object] = {}
        self.settings: dict[str, object] = {}
        self.notes: dict[str, str] = {}
        self.future_flags = 0
        # Positions of pieces that hold several short streams.
        self.packs: list[int] = []

    @classmethod
    def parse(cls, body: bytes) -> "Table":
        """Reads a body. Raises ChannelError for what is none."""
        if body[:4] != _MARK:
            raise ChannelError("these are no variables, or ones of an unknown format")
        table = cls()
        try:
            data = marshal.loads(memoryview(body)[4:])
            for name in vars(table):
                setattr(table, name, data[name])
        except (EOFError, KeyError, TypeError, ValueError) as error:
            raise ChannelError(f"the table of variables is damaged: {type(error).__name__}: {error}") from None
        return table

    def encode(self) -> bytes:
        """The body."""
        return _MARK + marshal.dumps(vars(self) | {"python": PYTHON}, _MARSHAL_VERSION)

    def component(self, number: int) -> Component:
        """A component by its number."""
        return Component(self.components[number])

    def homes(self) -> dict[str, int]:
        """Which component holds the object of a key."""
        return {key: number for number, parts in self.components.items() for key in parts[1]}


def entry_bytes(component: tuple) -> int:
    """What a component takes in the body."""
    return len(marshal.dumps(component, _MARSHAL_VERSION))


def span_bytes(span: "bytes | tuple") -> int:
    """How many bytes a span stands for."""
    return len(span) if isinstance(span, bytes) else span[2]


def positions(span: "bytes | tuple") -> list[int]:
    """The pieces that a span is in."""
    if isinstance(span, bytes):
        return []
    runs = span[0]
    return [first + step for at in range(0, len(runs), 2) for first in (runs[at],) for step in range(runs[at + 1])]


def runs(indexes: list[int]) -> tuple[int, ...]:
    """Positions as runs: first, count, first, count."""
    found: list[int] = []
    for index in indexes:
        if found and found[-2] + found[-1] == index:
            found[-1] += 1
        else:
            found += (index, 1)
    return tuple(found)


def join(words: "set[str]") -> str:
    """Words as a component stores them; always in the same order."""
    return _SEPARATOR.join(sorted(words))
