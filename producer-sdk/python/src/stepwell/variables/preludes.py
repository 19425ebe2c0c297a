"""The source that binds variables in a step's namespace and leaves nothing else there."""

from __future__ import annotations

import base64
import json
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib import resources

from stepwell.variables import pickles


class PackKind(Enum):
    """How a value was made bytes."""

    PORTABLE = "portable"
    PICKLE = "pickle"
    CLOUDPICKLE = "cloudpickle"


@dataclass(frozen=True, slots=True)
class Packed:
    """A variable whose value is bytes, here or in files of the workspace."""

    name: str
    kind: PackKind
    content: bytes | None
    paths: tuple[str, ...]
    classes: tuple[str, ...]
    """The names of the dataclasses that its instances are of, as the namespace may have them."""


def prelude(
    plain: Sequence[tuple[str, str]],
    packed: Sequence[Packed],
    files: Sequence[str],
    workspace: str,
) -> str:
    """Binds plain variables by their source, and the others by what a function returns."""
    lines = [f"{name} = {source}" for name, source in plain]
    if packed:
        lines.extend(_packed(packed, files, workspace))
    return "\n".join(lines) + "\n" if lines else ""


def dataclass_names(content: bytes) -> tuple[str, ...]:
    """The top-level names of the dataclasses in a portable value."""
    header = json.loads(content[8 : 8 + int.from_bytes(content[4:8], "big")])
    return tuple(sorted({name for name in _class_names(header["value"]) if name.isidentifier()}))


def module_source(name: str) -> str:
    """A module of this package as text, to be run within a function."""
    text = resources.files("stepwell.variables").joinpath(f"{name}.py").read_text("utf-8")
    return textwrap.indent(text, "    ")


def _class_names(node: object) -> Iterator[str]:
    pending = [node]
    while pending:
        current = pending.pop()
        if isinstance(current, dict):
            if current.get("t") == "dataclass":
                yield current["name"]
            pending.extend(current.values())
        elif isinstance(current, list):
            pending.extend(current)


def _packed(packed: Sequence[Packed], files: Sequence[str], workspace: str) -> Iterator[str]:
    names = sorted({name for each in packed for name in each.classes})
    yield "__stepwell_classes__ = {}"
    for name in names:
        yield f"try:\n    __stepwell_classes__[{name!r}] = {name}\nexcept NameError:\n    pass"
    yield "def __stepwell_variables__(found):"
    yield _body(packed, files, workspace)
    targets = ", ".join(each.name for each in packed)
    yield f"{targets}, = __stepwell_variables__(__stepwell_classes__)"
    for name in names:
        yield f"if {name!r} in __stepwell_classes__:\n    {name} = __stepwell_classes__[{name!r}]"
    yield "del __stepwell_classes__, __stepwell_variables__"


def _body(packed: Sequence[Packed], files: Sequence[str], workspace: str) -> str:
    parts = [_READING]
    kinds = {each.kind for each in packed}
    if PackKind.PORTABLE in kinds:
        parts += [_portable_load(), _INSTANCES]
    if kinds - {PackKind.PORTABLE}:
        parts.append(_PICKLES)
    parts.append(f"    workspace = {workspace!r}\n    values = []\n    try:\n")
    if PackKind.CLOUDPICKLE in kinds:
        parts.append(f"        bring_cloudpickle(workspace, {pickles.python_version()!r})\n")
    parts += [f"        values.append({_value(each)})\n" for each in packed]
    parts.append(f"    finally:\n        clean(workspace, {list(files)!r})\n    return values")
    return "".join(parts)


def _value(each: Packed) -> str:
    if each.content is None:
        content = f"read(workspace, {list(each.paths)!r})"
    else:
        content = f"base64.b64decode({base64.b64encode(each.content).decode('ascii')!r})"
    if each.kind is PackKind.PORTABLE:
        return f"load({content}, instance)"
    return f"unpickled({each.name!r}, {content})"


@cache
def _portable_load() -> str:
    return module_source("portable_load") + "\n"


_READING = """\
    import base64
    import os

    def read(workspace, paths):
        parts = []
        for path in paths:
            with open(os.path.join(workspace, path), "rb") as part:
                parts.append(part.read())
        return b"".join(parts)

    def clean(workspace, paths):
        folders = set()
        for path in paths:
            file = os.path.join(workspace, path)
            if os.path.exists(file):
                os.remove(file)
            while os.path.dirname(path):
                path = os.path.dirname(path)
                folders.add(path)
        for folder in sorted(folders, key=len, reverse=True):
            try:
                os.rmdir(os.path.join(workspace, folder))
            except OSError:
                pass

"""

_INSTANCES = """\
    import dataclasses

    def of_module(node):
        try:
            kind = __import__(node["module"], fromlist=["*"])
            for part in node["name"].split("."):
                kind = getattr(kind, part)
        except (ImportError, AttributeError):
            return None
        return kind

    def instance(node, fields):
        name = node["name"].rpartition(".")[2]
        for kind in (found.get(name), of_module(node)):
            if isinstance(kind, type) and dataclasses.is_dataclass(kind):
                if [field.name for field in dataclasses.fields(kind)] == list(fields):
                    break
        else:
            kind = dataclasses.make_dataclass(name, list(fields), frozen=node["frozen"])
            kind.__module__ = instance.__module__
            found.setdefault(name, kind)
        made = object.__new__(kind)
        for field, value in fields.items():
            object.__setattr__(made, field, value)
        return made

"""

_PICKLES = """\
    import pickle
    import sys

    def unpickled(name, content):
        try:
            return pickle.loads(content)
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(
                f"the variable {name!r} needs the module {error.name!r}, which this sandbox lacks: "
                "use a profile that has it, or send what the variable is made of as plain values",
                name=error.name,
            ) from None

    def bring_cloudpickle(workspace, version):
        if sys.version_info[:2] != version:
            raise RuntimeError(
                "functions or classes were sent by value from Python %d.%d, and this sandbox has "
                "Python %d.%d: use a profile with the same version, or define them in a step"
                % (*version, *sys.version_info[:2])
            )
        folder = os.path.join(workspace, ".stepwell/variables")
        sys.path.insert(0, folder)
        try:
            import cloudpickle
        finally:
            sys.path.remove(folder)

"""
