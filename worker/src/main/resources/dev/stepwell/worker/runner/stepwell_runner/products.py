"""What a save has to store, held against what is stored already: only what differs becomes new pieces."""
from stepwell_runner.drafts import Draft
from stepwell_runner.frames import PIECE_BYTES
from stepwell_runner.loader import Loaded, Loader
from stepwell_runner.table import join, positions

# So few bytes stand in the table itself.
_INLINE_BYTES = 96
# Shorter streams share pieces.
_SHORT_BYTES = 1 << 15
_OWN_PACKAGES = frozenset(("__main__", "builtins", "stepwell_runner"))


class Stored:
    """Bytes on their way into the table. One of: a span that has them, inline, short, or parts: positions and bytes."""

    def __init__(
        self, span: "bytes | tuple | None", short: bytes | None, parts: "list[int | bytes | memoryview]"
    ) -> None:
        self.span = span
        self.short = short
        self.parts = parts

    def new_bytes(self) -> int:
        """How many bytes are not stored yet."""
        return len(self.short or b"") + sum(len(part) for part in self.parts if not isinstance(part, int))


class Product:
    """A component ready to be stored; immutable."""

    def __init__(self, draft: Draft, stream: Stored, buffers: list[Stored]) -> None:
        self.names = tuple(draft.names)
        self.keys = tuple(draft.keys)
        self.origin = draft.origin
        pickler = draft.pickler
        self.needs = tuple(sorted(pickler.needs))
        self.words = join(pickler.words)
        self.packages = join(pickler.packages - _OWN_PACKAGES)
        self.files = tuple(sorted(pickler.files))
        self.stream = stream
        self.buffers = buffers
        self.size = len(draft.stream) + sum(memory.nbytes for memory in pickler.buffers)

    def new_bytes(self) -> int:
        """How many bytes are not stored yet."""
        return self.stream.new_bytes() + sum(buffer.new_bytes() for buffer in self.buffers)


class Comparison:
    """Holds drafts against what was loaded. Made for one save."""

    def __init__(self, loader: Loader) -> None:
        self._pieces = loader.pieces
        self._loaded = loader.loaded
        self._mappings = {
            known.address: known for loaded in loader.loaded.values() for known in loaded.mappings if known.memory()
        }
        self._pages = None
        if self._mappings:
            from stepwell_runner.mapping import PageMap

            self._pages = PageMap()

    def close(self) -> None:
        """Ends its use."""
        if self._pages is not None:
            self._pages.close()

    def product(self, draft: Draft) -> Product:
        """A draft, and what of it is stored already."""
        old = self._loaded.get(draft.origin) if draft.origin is not None else None
        stream = self.stream(draft.stream, old.component.stream if old else None, old.stream if old else b"")
        buffers = [self._buffer(memory, old, index) for index, memory in enumerate(draft.pickler.buffers)]
        return Product(draft, stream, buffers)

    def stream(self, data: bytes, span: "bytes | tuple | None", old: bytes) -> Stored:
        """A stream, where an earlier one of the same thing has a span."""
        if span is not None and data == old:
            return Stored(span, None, [])
        if len(data) <= _INLINE_BYTES:
            return Stored(data, None, [])
        if len(data) <= _SHORT_BYTES:
            return Stored(None, data, [])
        known = positions(span) if span is not None and len(old) > _SHORT_BYTES else []
        view = memoryview(data)
        parts: list[int | bytes | memoryview] = []
        for index, at in enumerate(range(0, len(data), PIECE_BYTES)):
            part = view[at : at + PIECE_BYTES]
            is_old = index < len(known) and part == memoryview(old)[at : at + PIECE_BYTES]
            parts.append(known[index] if is_old else part)
        return Stored(None, None, parts)

    def _buffer(self, memory: memoryview, old: Loaded | None, index: int) -> Stored:
        known, unwritten = self._pieces_behind(memory, old, index)
        parts: list[int | bytes | memoryview] = []
        for number, at in enumerate(range(0, memory.nbytes, PIECE_BYTES)):
            part = memory[at : at + PIECE_BYTES]
            same = unwritten is not None and unwritten[number]
            if known is not None and (same or self._equals(part, known[number])):
                parts.append(known[number])
            else:
                parts.append(part)
        return Stored(None, None, parts)

    def _pieces_behind(
        self, memory: memoryview, old: Loaded | None, index: int
    ) -> "tuple[list[int] | None, list[bool] | None]":
        """The pieces that a buffer was mapped from, or else may be equal to; and which are certainly the same."""
        mapping = self._mappings.get(_address(memory)) if self._mappings else None
        if mapping is not None and mapping.memory() is not None and mapping.size == memory.nbytes:
            assert self._pages is not None
            return mapping.indexes, self._pages.unwritten(mapping, self._pieces.names)
        if old is not None and index < len(old.mappings) and old.mappings[index].size == memory.nbytes:
            return old.mappings[index].indexes, None
        return None, None

    def _equals(self, part: memoryview, index: int) -> bool:
        there = len(part) == self._pieces.sizes[index] and self._pieces.has(index)
        return there and bytes(part) == self._pieces.read([index])


def _address(memory: memoryview) -> int:
    if memory.readonly:
        # Only a library knows where its own memory is.
        interface = getattr(memory.obj, "__array_interface__", None)
        return interface["data"][0] if interface else -1
    from stepwell_runner.mapping import address_of

    return address_of(memory)
