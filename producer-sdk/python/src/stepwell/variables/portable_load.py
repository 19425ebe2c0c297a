# The portable format, read. The text of this file also runs in sandboxes, within a function: so it
# imports nothing of this package, has no string of several lines, and uses no name by which code
# could look at every variable, lest the whole session be loaded for it.
# ruff: noqa: D100, D103, C901
import json
from collections.abc import Callable
from typing import Any

MAGIC = b"SWV1"
_SIMPLE_DTYPE = r"[<>|=]?[?biufcMmSUV]\d*(\[\d*[a-zA-Z]+\])?"


def load(data: bytes, instance: Callable[[Any, Any], Any] | None = None) -> Any:
    # The value that `dump` wrote. Runs nothing that the data says, unless `instance` does: it gets
    # a dataclass's description and fields and makes the instance; without it, that is a dict.
    if data[:4] != MAGIC:
        raise ValueError("this is no portable value")
    start = 8 + int.from_bytes(data[4:8], "big")
    header = json.loads(data[8:start])
    blobs = []
    for size in header["blobs"]:
        if size < 0 or start + size > len(data):
            raise ValueError("a portable value is cut short")
        blobs.append(data[start : start + size])
        start += size
    return _value(header["value"], blobs, instance)


def _value(node: Any, blobs: Any, instance: Any) -> Any:
    if isinstance(node, list):
        return [_value(each, blobs, instance) for each in node]
    if not isinstance(node, dict):
        return node
    tag = node["t"]
    content: Any = node.get("v")

    def inner(each: Any) -> Any:
        return _value(each, blobs, instance)

    if tag == "map":
        return {key: inner(each) for key, each in content.items()}
    if tag == "dict":
        return {inner(key): inner(each) for key, each in content}
    if tag == "tuple":
        return tuple(inner(each) for each in content)
    if tag == "set":
        return {inner(each) for each in content}
    if tag == "frozenset":
        return frozenset(inner(each) for each in content)
    if tag == "bytes":
        return bytes(blobs[content])
    if tag == "bytearray":
        return bytearray(blobs[content])
    if tag == "dataclass":
        fields = {name: inner(each) for name, each in content.items()}
        return fields if instance is None else instance(node, fields)
    if tag in ("ndarray", "objects", "npscalar"):
        return _array(tag, node, blobs, inner)
    if tag in ("frame", "series", "index", "timestamp", "pdtimedelta", "nat", "na"):
        return _pandas(tag, node, inner)
    return _scalar(tag, content, blobs)


def _scalar(tag: str, content: Any, blobs: Any) -> Any:
    import datetime
    import decimal
    import fractions
    import io
    import pathlib
    import uuid

    if tag == "complex":
        return complex(content[0], content[1])
    if tag == "range":
        return range(content[0], content[1], content[2])
    if tag == "datetime":
        return datetime.datetime.fromisoformat(content[0]).replace(fold=content[1])
    if tag == "zoned":
        import zoneinfo

        zone = zoneinfo.ZoneInfo(content[2])
        return datetime.datetime.fromisoformat(content[0]).replace(tzinfo=zone, fold=content[1])
    if tag == "date":
        return datetime.date.fromisoformat(content)
    if tag == "time":
        return datetime.time.fromisoformat(content)
    if tag == "timedelta":
        return datetime.timedelta(content[0], content[1], content[2])
    if tag == "decimal":
        return decimal.Decimal(content)
    if tag == "fraction":
        return fractions.Fraction(content[0], content[1])
    if tag == "path":
        return pathlib.Path(content)
    if tag == "uuid":
        return uuid.UUID(content)
    if tag == "image":
        from PIL import Image

        image = Image.open(io.BytesIO(blobs[content]), formats=["PNG"])
        return image.copy()
    raise ValueError("a portable value has the unknown tag " + repr(tag)[:40])


def _array(tag: str, node: Any, blobs: Any, inner: Any) -> Any:
    import re

    import numpy

    shape = tuple(node["shape"])
    if tag == "objects":
        array = numpy.empty(len(node["v"]), dtype=object)
        for position, each in enumerate(node["v"]):
            array[position] = inner(each)
        return array.reshape(shape)
    if not re.fullmatch(_SIMPLE_DTYPE, node["dtype"]):
        raise ValueError("a portable array has the data type " + repr(node["dtype"])[:40])
    kind = numpy.dtype(node["dtype"])
    if kind.itemsize == 0:
        array = numpy.zeros(shape, kind)
    else:
        array = numpy.frombuffer(blobs[node["v"]], dtype=kind).reshape(shape).copy()
    return array[()] if tag == "npscalar" else array


def _pandas(tag: str, node: Any, inner: Any) -> Any:
    import pandas

    if tag == "nat":
        return pandas.NaT
    if tag == "na":
        return pandas.NA
    if tag == "timestamp":
        moment = pandas.Timestamp(node["v"])
        return moment if node["tz"] is None else moment.tz_localize("UTC").tz_convert(node["tz"])
    if tag == "pdtimedelta":
        return pandas.Timedelta(node["v"], unit="ns")
    if tag == "index":
        return _index(node, inner)
    index = inner(node["index"])
    if tag == "series":
        series = _column(node["v"], inner)
        series.index = index
        series.name = inner(node["name"])
        return series
    columns = [_column(each, inner) for each in node["v"]]
    frame = pandas.DataFrame(dict(enumerate(columns))) if columns else pandas.DataFrame(index=index)
    if columns:
        frame.index = index
    frame.columns = inner(node["columns"])
    return frame


def _index(node: Any, inner: Any) -> Any:
    import pandas

    names = inner(node["names"])
    if node["kind"] == "range":
        start, stop, step = node["v"]
        return pandas.RangeIndex(start, stop, step, name=names[0])
    parts = [_column(each, inner) for each in node["v"]]
    if node["kind"] == "multi":
        return pandas.MultiIndex.from_arrays(parts, names=names)
    return pandas.Index(parts[0], name=names[0])


def _column(node: Any, inner: Any) -> Any:
    import pandas

    kind = node["kind"]
    values = inner(node["v"])
    if kind == "moments":
        return pandas.Series(values.view(node["dtype"]))
    if kind == "zoned":
        zoned = pandas.Series(values.view(node["dtype"])).dt.tz_localize("UTC")
        return zoned.dt.tz_convert(node["tz"])
    if kind == "category":
        categories = _index(node["categories"], inner)
        return pandas.Series(
            pandas.Categorical.from_codes(values, categories, ordered=node["ordered"])
        )
    if kind == "objects":
        return pandas.Series(values, dtype=object)
    if kind == "masked":
        name = node["dtype"]
        if name == "str" and int(pandas.__version__.split(".")[0]) < 3:
            name = object
        return pandas.Series(values, dtype=name)
    return pandas.Series(values)
