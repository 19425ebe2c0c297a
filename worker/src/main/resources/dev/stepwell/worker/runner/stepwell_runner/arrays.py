"""Arrays of numpy: a view is kept as a view, so that it goes on sharing memory with what it looks into."""
import os
import sys

from stepwell_runner import refusals
from stepwell_runner.lost import LostValue

_FILES_FOLDER = "/workspace/"
_SMALL_BYTES = 1 << 16
# NPY_ARRAY_WRITEABLE
_WRITEABLE = 0x400


def reduce_array(pickler, value):
    """A view as its owner, and where in it; an owner as numpy does it, with its memory out of band."""
    owner = _owner(value)
    if owner is value and value.dtype == object and value.base is None and value.ndim and _is_dense(value):
        return _reduce_objects(value)
    if owner is value and value.base is None and not _is_writeable(value) and _is_small(value):
        # Left to itself it would come back writeable, or so that it could never be made writeable again.
        made_of = value.__reduce__()
        return (*made_of[:3], None, None, fill_read_only)
    if owner is value or value.size == 0:
        return NotImplemented
    if not _is_dense(owner) or (value.dtype.hasobject and value.dtype != owner.dtype):
        return NotImplemented
    offset = _address(value) - _address(owner)
    return (array_view, (owner, offset, value.shape, value.strides, value.dtype, _is_writeable(value)))


def _reduce_objects(value):
    """Made with its memory, then filled: what is in it may refer to a view of it."""
    in_order = value.flags.c_contiguous
    items = (value if in_order else value.T).reshape(-1).tolist()
    made_of = (value.shape, value.dtype, "C" if in_order else "F")
    return (new_objects, made_of, (items, _is_writeable(value)), None, None, fill_objects)


def new_objects(shape: tuple, dtype, order: str):
    """An array for objects."""
    return sys.modules["numpy"].empty(shape, dtype, order)


def fill_objects(target, state: tuple) -> None:
    """Puts the objects into it, one by one: numpy would take lists among them for further dimensions."""
    items, writeable = state
    flat = (target if target.flags.c_contiguous else target.T).reshape(-1)
    for index, item in enumerate(items):
        flat[index] = item
    if not writeable:
        target.flags.writeable = False


def _is_writeable(value) -> bool:
    """Read past the attribute of that name, which warns of arrays that were broadcast."""
    return value.flags.num & _WRITEABLE != 0


def _is_dense(value) -> bool:
    return value.flags.c_contiguous or value.flags.f_contiguous


def _owner(value):
    """The array that has the memory; the value itself if no other array does."""
    array_type = sys.modules["numpy"].ndarray
    while True:
        base = value.base
        if type(base).__name__ == "DummyArray":
            # What as_strided puts between a view and its array.
            base = base.base
        if not isinstance(base, array_type):
            return value
        value = base


def _is_small(value) -> bool:
    return value.dtype.hasobject or value.nbytes < _SMALL_BYTES


def fill_read_only(target, state: tuple) -> None:
    """An array that nobody may write to, but that has its memory to itself."""
    target.__setstate__(state)
    target.flags.writeable = False


def _address(array) -> int:
    return array.__array_interface__["data"][0]


def array_view(owner, offset: int, shape: tuple, strides: tuple, dtype, writeable: bool):
    """A view into memory that is contiguous, in the order of C or of Fortran."""
    if isinstance(owner, LostValue):
        return owner
    numpy = sys.modules["numpy"]
    flat = numpy.asarray(owner if owner.flags.c_contiguous else owner.T).reshape(-1)
    if dtype.hasobject:
        first = flat[offset // dtype.itemsize :]
        view = numpy.lib.stride_tricks.as_strided(first, shape, strides)
    else:
        view = numpy.ndarray(shape, dtype, flat.view(numpy.uint8), offset, strides)
    if not writeable:
        view.flags.writeable = False
    return view


def reduce_file_array(pickler, value):
    """An array in a file, if the file stays: a slice of one is a view of it."""
    array_type = sys.modules["numpy"].memmap
    if isinstance(value.base, array_type):
        reduced = reduce_array(pickler, value)
        return reduced if reduced is NotImplemented else (file_array_view, reduced[1])
    path = value.filename
    if path is None or value.mode == "c":
        return NotImplemented
    path = os.path.abspath(path)
    if not path.startswith(_FILES_FOLDER):
        refusals.refuse(f"the file {path} ends with its step")
    value.flush()
    order = "C" if value.flags.c_contiguous else "F"
    return (file_array, (path, value.dtype, value.mode.replace("w+", "r+"), value.offset, value.shape, order))


def file_array_view(*arguments):
    """A slice of an array in a file."""
    view = array_view(*arguments)
    return view if isinstance(view, LostValue) else view.view(type(arguments[0]))


def file_array(path: str, dtype, mode: str, offset: int, shape: tuple, order: str):
    """An array in a file, opened again."""
    try:
        return sys.modules["numpy"].memmap(path, dtype, mode, offset, shape, order)
    except (OSError, ValueError) as error:
        return LostValue(f"the array in {path} can't be opened again: {error}")
