# The portable format, written. The text of this file also runs in sandboxes, within a function: so
# it imports nothing of this package, has no string of several lines, and uses no name by which code
# could look at every variable, lest the whole session be loaded for it.
# ruff: noqa: D100, D101, D103, C901, N818
import json
from typing import Any

MAGIC = b"SWV1"
_DEEPEST = 100
_PLAIN = (type(None), bool, int, float, str)
_MASKED = [
    "Int8",
    "Int16",
    "Int32",
    "Int64",
    "UInt8",
    "UInt16",
    "UInt32",
    "UInt64",
    "Float32",
    "Float64",
    "boolean",
    "string",
    "str",
]


class Unportable(Exception):
    # A value that the format has no form for. Its argument is the type as text, or a reason.
    pass


def dump(value: Any) -> bytes:
    # The bytes that `load` reads; raises Unportable.
    blobs: list[bytes] = []
    node = _node(value, blobs, ())
    header = {"value": node, "blobs": [len(blob) for blob in blobs]}
    text = json.dumps(header, separators=(",", ":")).encode()
    return b"".join([MAGIC, len(text).to_bytes(4, "big"), text, *blobs])


def _node(value: Any, blobs: Any, around: Any) -> Any:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if id(value) in around:
        raise Unportable("a " + kind.__name__ + " that holds itself")
    if len(around) > _DEEPEST:
        raise Unportable("a " + kind.__name__ + " nested deeper than " + str(_DEEPEST))
    inside = (*around, id(value))

    def inner(each: Any) -> Any:
        return _node(each, blobs, inside)

    if kind is list:
        return [each if type(each) in _PLAIN else inner(each) for each in value]
    if kind is dict:
        if all(type(key) is str for key in value):
            return {"t": "map", "v": {key: inner(each) for key, each in value.items()}}
        return {"t": "dict", "v": [[inner(key), inner(each)] for key, each in value.items()]}
    if kind in (tuple, set, frozenset):
        return {"t": kind.__name__, "v": [inner(each) for each in value]}
    if kind in (bytes, bytearray):
        return {"t": kind.__name__, "v": _blob(bytes(value), blobs)}
    if kind is complex:
        return {"t": "complex", "v": [value.real, value.imag]}
    if kind is range:
        return {"t": "range", "v": [value.start, value.stop, value.step]}
    home = kind.__module__.split(".")[0]
    if home == "numpy":
        node = _numpy(value, blobs, inner)
    elif home == "pandas":
        node = _pandas(value, inner)
    elif home == "PIL":
        node = _image(value, blobs)
    else:
        node = _standard(value, kind, home)
    if node is None:
        node = _dataclass(value, kind, inner)
    if node is None:
        raise Unportable(kind.__module__ + "." + kind.__qualname__)
    return node


def _blob(content: bytes, blobs: Any) -> int:
    blobs.append(content)
    return len(blobs) - 1


def _standard(value: Any, kind: Any, home: str) -> Any:
    import datetime
    import decimal
    import fractions
    import pathlib
    import uuid

    if kind is datetime.datetime:
        return _moment(value)
    if kind is datetime.date:
        return {"t": "date", "v": value.isoformat()}
    if kind is datetime.time and value.tzinfo is None:
        return {"t": "time", "v": value.isoformat()}
    if kind is datetime.timedelta:
        return {"t": "timedelta", "v": [value.days, value.seconds, value.microseconds]}
    if kind is decimal.Decimal:
        return {"t": "decimal", "v": str(value)}
    if kind is fractions.Fraction:
        return {"t": "fraction", "v": [value.numerator, value.denominator]}
    if home == "pathlib" and isinstance(value, pathlib.PurePath):
        return {"t": "path", "v": str(value)}
    if kind is uuid.UUID:
        return {"t": "uuid", "v": value.hex}
    return None


def _moment(value: Any) -> Any:
    import datetime

    zone = value.tzinfo
    if zone is None or type(zone) is datetime.timezone:
        return {"t": "datetime", "v": [value.isoformat(), value.fold]}
    if type(zone).__module__.split(".")[0] in ("zoneinfo", "backports") and zone.key:
        return {"t": "zoned", "v": [value.replace(tzinfo=None).isoformat(), value.fold, zone.key]}
    return None


def _dataclass(value: Any, kind: Any, inner: Any) -> Any:
    import dataclasses

    if not dataclasses.is_dataclass(value):
        return None
    given = {
        field.name: inner(object.__getattribute__(value, field.name))
        for field in dataclasses.fields(value)
    }
    return {
        "t": "dataclass",
        "module": kind.__module__,
        "name": kind.__qualname__,
        "frozen": bool(kind.__dataclass_params__.frozen),
        "v": given,
    }


def _image(value: Any, blobs: Any) -> Any:
    import io

    from PIL import Image

    if not isinstance(value, Image.Image):
        return None
    content = io.BytesIO()
    try:
        value.save(content, format="PNG")
    except OSError:
        raise Unportable("a PIL image of mode " + value.mode) from None
    return {"t": "image", "v": _blob(content.getvalue(), blobs)}


def _numpy(value: Any, blobs: Any, inner: Any) -> Any:
    import numpy

    if type(value) is numpy.ndarray:
        kind = value.dtype
        shape = list(value.shape)
        if kind.kind == "O":
            return {"t": "objects", "shape": shape, "v": [inner(each) for each in value.ravel()]}
        tag = "ndarray"
    elif isinstance(value, numpy.generic):
        value = numpy.asarray(value)
        kind, shape, tag = value.dtype, [], "npscalar"
    else:
        return None
    if kind.names is not None or kind.kind not in "?biufcMmSUV":
        return None
    blob = _blob(numpy.ascontiguousarray(value).tobytes(), blobs)
    return {"t": tag, "dtype": kind.str, "shape": shape, "v": blob}


def _pandas(value: Any, inner: Any) -> Any:
    import pandas

    kind = type(value)
    if value is pandas.NaT:
        return {"t": "nat"}
    if value is pandas.NA:
        return {"t": "na"}
    if kind is pandas.Timestamp:
        zone = _zone(value.tz)
        naive = value if zone is None else value.tz_convert("UTC").tz_localize(None)
        return {"t": "timestamp", "v": naive.isoformat(), "tz": zone}
    if kind is pandas.Timedelta:
        # Before version 2 there is only one unit.
        exact = value.as_unit("ns") if hasattr(value, "as_unit") else value
        return {"t": "pdtimedelta", "v": int(exact.value)}
    if isinstance(value, pandas.Index):
        return {"t": "index", **_index(value, inner)}
    if kind is pandas.Series:
        column = _column(value, inner)
        return {"t": "series", "v": column, "index": inner(value.index), "name": inner(value.name)}
    if kind is pandas.DataFrame:
        columns = [_column(value.iloc[:, at], inner) for at in range(value.shape[1])]
        return {
            "t": "frame",
            "v": columns,
            "index": inner(value.index),
            "columns": inner(value.columns),
        }
    return None


def _index(index: Any, inner: Any) -> Any:
    import pandas

    names = [inner(name) for name in index.names]
    if isinstance(index, pandas.RangeIndex):
        return {"kind": "range", "names": names, "v": [index.start, index.stop, index.step]}
    if isinstance(index, pandas.MultiIndex):
        parts = [index.get_level_values(at) for at in range(index.nlevels)]
        return {"kind": "multi", "names": names, "v": [_column(each, inner) for each in parts]}
    return {"kind": "plain", "names": names, "v": [_column(index, inner)]}


def _column(values: Any, inner: Any) -> Any:
    import numpy
    import pandas

    kind = values.dtype
    name = str(kind)
    if isinstance(kind, numpy.dtype):
        if kind.kind in "Mm":
            return {"kind": "moments", "dtype": kind.str, "v": inner(values.to_numpy().view("i8"))}
        if kind.kind == "O":
            return {"kind": "objects", "v": [inner(each) for each in values]}
        return {"kind": "numbers", "v": inner(values.to_numpy())}
    if isinstance(kind, pandas.CategoricalDtype):
        codes = numpy.asarray(pandas.Categorical(values).codes, dtype="i8")
        return {
            "kind": "category",
            "v": inner(codes),
            "categories": _index(kind.categories, inner),
            "ordered": bool(kind.ordered),
        }
    if isinstance(kind, pandas.DatetimeTZDtype):
        naive = pandas.Series(values).dt.tz_convert("UTC").dt.tz_localize(None).to_numpy()
        return {
            "kind": "zoned",
            "dtype": naive.dtype.str,
            "tz": _zone(kind.tz),
            "v": inner(naive.view("i8")),
        }
    if name in _MASKED:
        missing = pandas.isna(values)
        known = [None if gone else inner(each) for each, gone in zip(values, missing)]  # noqa: B905
        return {"kind": "masked", "dtype": name, "v": known}
    raise Unportable("a pandas column of type " + name)


def _zone(zone: Any) -> str | None:
    import re

    if zone is None:
        return None
    name = str(zone)
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_+:/-]*", name):
        raise Unportable("the time zone " + name)
    return name
