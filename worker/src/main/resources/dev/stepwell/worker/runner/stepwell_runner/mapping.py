"""Large buffers of the session: pieces mapped as one writable range of memory, and which the step has written.

The mapping is private: what is written stays in this process, and the kernel's page map tells which pages that is.
Where it can't be trusted, the memory is compared with the pieces that it was mapped from.
"""
import _ctypes
import mmap
from posix import O_RDONLY, close, ftruncate, memfd_create, pread, read
from posix import open as open_file

from _weakref import ref

from stepwell_runner.frames import PIECE_BYTES
from stepwell_runner.pieces import Pieces

_PAGE = mmap.PAGESIZE
_ENTRY_BYTES = 8
_MAP_FIXED = 0x10
_MAP_FAILED = -1
_RTLD_NOW = 2
# The highest byte of a page's entry says: present or swapped out, and not a page of a file. That is a private copy.
_WRITTEN = bytes([1 if state & 0xC0 and not state & 0x20 else 0 for state in range(256)])


class _Byte(_ctypes._SimpleCData):
    _type_ = "c"


class _Pointer(_ctypes._SimpleCData):
    _type_ = "P"


class _Size(_ctypes._SimpleCData):
    _type_ = "L"


class Mapping:
    """One buffer, as it was mapped. Does not keep it: memory that the step gave up must be free to go."""

    def __init__(self, memory: mmap.mmap, indexes: list[int], stretches: list[tuple[int, int, int]]) -> None:
        self.memory = ref(memory)
        self.address = address_of(memory)
        self.size = len(memory)
        self.indexes = indexes
        self.stretches = stretches


def address_of(buffer: object) -> int:
    """Where a writable buffer is."""
    return _ctypes.addressof(_Byte.from_buffer(buffer))


def map_pieces(pieces: Pieces, indexes: list[int]) -> "tuple[mmap.mmap, Mapping]":
    """Maps required pieces, all but the last of them whole, as one buffer."""
    stretches = pieces.stretches(indexes)
    flags, access = mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE
    if len(stretches) == 1:
        extent, offset, size = stretches[0]
        memory = mmap.mmap(extent, size, flags, access, offset=offset)
    else:
        memory = mmap.mmap(-1, sum(size for _, _, size in stretches), flags | mmap.MAP_ANONYMOUS, access)
        _map_over(memory, stretches)
    return memory, Mapping(memory, indexes, stretches)


def _map_over(memory: mmap.mmap, stretches: list[tuple[int, int, int]]) -> None:
    """Puts stretches of files in the place of fresh memory, which goes on owning the range."""
    library = _ctypes.dlsym(_ctypes.dlopen(None, _RTLD_NOW), "mmap")
    address = address_of(memory)
    access, flags = mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_PRIVATE | _MAP_FIXED
    for extent, offset, size in stretches:
        place = (_Pointer(address), _Size(size), access, flags, extent, _Size(offset))
        if _ctypes.call_function(library, place) == _MAP_FAILED:
            raise OSError(f"{size} bytes of an extent can't be mapped")
        address += size


class PageMap:
    """Tells which pages of this process are private copies. Made for one save."""

    def __init__(self) -> None:
        self._file = -1
        self._ranges: list[tuple[int, int, int, bytes]] | None = None
        try:
            self._file = open_file("/proc/self/pagemap", O_RDONLY)
            if not self._tells_the_truth():
                self.close()
        except (OSError, ValueError):
            self.close()

    def close(self) -> None:
        """Ends its use. A closed map knows nothing."""
        if self._file >= 0:
            close(self._file)
        self._file = -1

    def unwritten(self, mapping: Mapping, names: dict[int, bytes]) -> list[bool] | None:
        """For each piece of a mapping, whether it is as it was mapped. None where that can't be known from pages.

        ``names`` are those of the files behind extents.
        """
        if self._file < 0 or mapping.memory() is None or not self._is_in_place(mapping, names):
            return None
        pages = -(-mapping.size // _PAGE)
        written = self._written(mapping.address, pages)
        if written is None:
            return None
        each = PIECE_BYTES // _PAGE
        return [1 not in written[at : at + each] for at in range(0, pages, each)]

    def _written(self, address: int, pages: int) -> bytes | None:
        entries = pread(self._file, pages * _ENTRY_BYTES, address // _PAGE * _ENTRY_BYTES)
        if len(entries) != pages * _ENTRY_BYTES:
            return None
        return entries[7::8].translate(_WRITTEN)

    def _tells_the_truth(self) -> bool:
        """Some kernels have this file and nothing in it: asks for what is known."""
        extent = memfd_create("pagemap")
        try:
            ftruncate(extent, 2 * _PAGE)
            with mmap.mmap(-1, 2 * _PAGE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as probe:
                _map_over(probe, [(extent, 0, 2 * _PAGE)])
                probe[0] = 1
                untouched = probe[_PAGE]
                return untouched == 0 and self._written(address_of(probe), 2) == b"\1\0"
        finally:
            close(extent)

    def _is_in_place(self, mapping: Mapping, names: dict[int, bytes]) -> bool:
        """Whether step code has mapped nothing else over it."""
        address = mapping.address
        for extent, offset, size in mapping.stretches:
            if not self._maps(address, address + size, offset, names[extent]):
                return False
            address += size
        return True

    def _maps(self, start: int, end: int, offset: int, name: bytes) -> bool:
        if self._ranges is None:
            self._ranges = _ranges()
        at = start
        for first, last, from_offset, path in self._ranges:
            if first <= at < last:
                if not path.endswith(name) or from_offset + at - first != offset + at - start:
                    return False
                at = last
                if at >= end:
                    return True
        return False


def _ranges() -> list[tuple[int, int, int, bytes]]:
    """What this process has mapped from files, in the order of addresses: start, end, offset, path."""
    found = []
    maps = open_file("/proc/self/maps", O_RDONLY)
    try:
        parts = []
        while part := read(maps, 1 << 18):
            parts.append(part)
    finally:
        close(maps)
    for line in b"".join(parts).split(b"\n"):
        fields = line.split(None, 5)
        if len(fields) == 6:
            start, _, end = fields[0].partition(b"-")
            found.append((int(start, 16), int(end, 16), int(fields[2], 16), fields[5].removesuffix(b" (deleted)")))
    return found
