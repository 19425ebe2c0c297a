"""Variables as a prelude and files that bring them into a step."""

from __future__ import annotations

import hashlib
import keyword
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from stepwell.errors import VariableError
from stepwell.messages import FileInput
from stepwell.names import StepKind
from stepwell.step import Step
from stepwell.variables import pickles, preludes
from stepwell.variables.literals import literal
from stepwell.variables.portable_dump import Unportable, dump

FOLDER: Final = ".stepwell/variables"
"""Where large values travel, in the workspace. The prelude removes them."""

MAX_INLINE_BYTES: Final = 8 << 10
"""Larger values travel in files."""

PART_BYTES: Final = 4 << 20
"""So large a file's parts are at most, for each to fit into a message of the default size."""


@dataclass(frozen=True, slots=True)
class Variables:
    """What brings variables into a step: a prelude for it, and files for its workspace."""

    prelude: str = ""
    """Python source that binds them; empty where there are none."""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """What the prelude reads and removes: content by path. Empty where all is small."""

    def __bool__(self) -> bool:
        return bool(self.prelude)

    def into(self, step: Step) -> Step:
        """A copy of a Python step that these variables ride along with, before its own prelude.

        Raises VariableError for another kind of step, which has no variables.
        """
        if not self:
            return step
        if step.kind is not StepKind.PYTHON:
            raise VariableError(
                f"variables go into Python steps, and this is one of kind {step.kind.name}"
            )
        prelude = self.prelude if step.prelude is None else f"{self.prelude}\n{step.prelude}"
        files = (*step.files, *(FileInput(path, content) for path, content in self.files.items()))
        return step.replace(prelude=prelude, files=files)


def encode(
    variables: Mapping[str, object],
    *,
    allow_pickle: bool = True,
    workspace: str = "/workspace",
) -> Variables:
    """What brings variables into a sandbox.

    Values that go without a pickle: None, bool, int, float, complex, str, bytes, bytearray, list,
    tuple, dict, set, frozenset, range, dates and times, Decimal, Fraction, Path, UUID, numpy arrays
    and scalars, PIL images, pandas data frames, series, indexes and timestamps, and instances of
    dataclasses, which become instances of the sandbox's class of that name if it has one with the
    same fields, else of one made of these fields, without methods.

    All else is pickled here, unless `allow_pickle` is False; with cloudpickle installed that holds
    for functions and classes of `__main__`, too. `workspace` is where the step finds its files.

    Raises VariableError naming the variable, its type and the other ways.
    """
    plain: list[tuple[str, str]] = []
    packed: list[preludes.Packed] = []
    files: dict[str, bytes] = {}
    for name, value in variables.items():
        _check_name(name)
        source = literal(value)
        if source is not None:
            plain.append((name, source))
        else:
            packed.append(_packed(name, value, allow_pickle, files))
    if any(each.kind is preludes.PackKind.CLOUDPICKLE for each in packed):
        for path, content in pickles.cloudpickle_sources().items():
            files[f"{FOLDER}/cloudpickle/{path}"] = content
    return Variables(preludes.prelude(plain, packed, list(files), workspace), files)


def _packed(
    name: str, value: object, allow_pickle: bool, files: dict[str, bytes]
) -> preludes.Packed:
    kind, content = _bytes_of(name, value, allow_pickle)
    classes = preludes.dataclass_names(content) if kind is preludes.PackKind.PORTABLE else ()
    if len(content) <= MAX_INLINE_BYTES:
        return preludes.Packed(name, kind, content, (), classes)
    digest = hashlib.sha256(content).hexdigest()[:24]
    paths = []
    for number, start in enumerate(range(0, len(content), PART_BYTES)):
        path = f"{FOLDER}/{digest}-{number}"
        files[path] = content[start : start + PART_BYTES]
        paths.append(path)
    return preludes.Packed(name, kind, None, tuple(paths), classes)


def _bytes_of(name: str, value: object, allow_pickle: bool) -> tuple[preludes.PackKind, bytes]:
    try:
        return preludes.PackKind.PORTABLE, dump(value)
    except Unportable as error:
        if not allow_pickle:
            raise VariableError(
                f"the variable {name!r} is of type {type(value).__module__}."
                f"{type(value).__qualname__}, and has no form without a pickle (it is or holds "
                f"{error}): allow_pickle=True, or send what it is made of as plain values"
            ) from None
    content, by_value = pickles.pickled(name, value)
    return (preludes.PackKind.CLOUDPICKLE if by_value else preludes.PackKind.PICKLE), content


def _check_name(name: str) -> None:
    if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name):
        raise VariableError(f"{name!r} is no name that a variable can have")
    if unicodedata.normalize("NFKC", name) != name:
        # Python takes such names in a form of their own, and a look-up by text would miss them.
        raise VariableError(f"{name!r} is a name that Python would change: normalise it (NFKC)")
