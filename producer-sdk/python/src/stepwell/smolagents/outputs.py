"""What an agent gets to see of a step: its output, its prints, its figures, and what the session
could not keep.
"""

from __future__ import annotations

import base64
import binascii
import io
from collections.abc import Iterable, Mapping
from typing import Any

import PIL.Image

from stepwell import ExecutionResult
from stepwell.adapting import joined
from stepwell.smolagents.preludes import DELIVERED_TYPE
from stepwell.smolagents.texts import literal

_IMAGE_TYPES = ("image/png", "image/jpeg")
_PLAIN = frozenset(
    f"builtins.{name}"
    for name in ("bool", "bytes", "complex", "dict", "float", "int", "list", "set", "str", "tuple")
)
# What a step's own text is that is no more than a literal of this size is read back as a value.
_LITERAL_CHARACTERS = 60_000


def output_of(result: ExecutionResult) -> Any:
    """The value of the step's last expression: an image, a plain value, or the text of anything
    else.
    """
    value = result.value
    if value is None:
        return None
    image = image_of(value.mime)
    if image is not None:
        return image
    if value.type in _PLAIN and len(value.text) < _LITERAL_CHARACTERS:
        try:
            return literal(value.text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            pass  # such as 'nan', or a list of something that is not plain
    return value.text


def images_of(result: ExecutionResult) -> list[PIL.Image.Image]:
    """The images that the step showed, in order; what is no readable image is left out."""
    images = (image_of(shown.mime) for shown in result.displays)
    return [image for image in images if image is not None]


def image_of(mime: Mapping[str, str]) -> PIL.Image.Image | None:
    """The image among a value's forms. Its bytes come from a sandbox: what Pillow refuses is no
    image.
    """
    for media_type in _IMAGE_TYPES:
        if media_type in mime:
            try:
                image = PIL.Image.open(
                    io.BytesIO(base64.b64decode(mime[media_type], validate=True)),
                    formats=("PNG", "JPEG"),
                )
                image.load()
                return image
            except (
                binascii.Error,
                OSError,
                ValueError,
                SyntaxError,
                PIL.Image.DecompressionBombError,
            ):
                return None
    return None


def logs_of(result: ExecutionResult, own_types: Iterable[str] = ()) -> str:
    """What the step printed, and notes on what else came of it."""
    notes = "\n".join(_notes(result, {DELIVERED_TYPE, *own_types}))
    return joined(joined(result.stdout, result.stderr), notes)


def _notes(result: ExecutionResult, own_types: set[str]) -> Iterable[str]:
    number = 0
    for shown in result.displays:
        if own_types.isdisjoint(shown.mime):
            image = image_of(shown.mime)
            if image is None:
                yield f"[shown] {shown.text}"
            else:
                number += 1
                yield f"[image {number}: {image.width} x {image.height} pixels]"
    cut = result.truncation
    if cut is not None and (cut.stdout_bytes or cut.stderr_bytes):
        yield f"[output cut: {cut.stdout_bytes + cut.stderr_bytes} bytes left out]"
    yield from _notes_on_state(result)


def _notes_on_state(result: ExecutionResult) -> Iterable[str]:
    if result.state is None:
        return
    for lost in result.state.lost:
        hint = f"; {lost.hint}" if lost.hint else ""
        yield (
            f"[not kept for the next step: {lost.path or lost.name} ({lost.type}): "
            f"{lost.reason}{hint}]"
        )
    if not result.state.saved and result.outcome.name in ("COMPLETED", "FAILED"):
        yield (
            "[nothing that this step changed is kept: the next one finds what the step before left]"
        )
