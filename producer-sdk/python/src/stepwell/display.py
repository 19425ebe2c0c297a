"""Results as notebooks show them.

What a sandbox wrote is untrusted. Text is escaped. HTML, such as that of a data frame, goes into an
iframe of its own with an empty `sandbox` attribute: a browser then runs no script of it, sends no
form, and gives it an origin of its own, so that it reaches neither the notebook nor its server. A
content security policy within the frame lets it load nothing. Images are shown only if they are
PNG or JPEG by their first bytes; SVG, which can hold scripts, never.
"""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stepwell.messages import ExecutionResult, Value

_SIGNATURES: Final = {"image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8\xff"}
_POLICY: Final = (
    '<meta http-equiv="Content-Security-Policy" '
    "content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">"
)
_PRE: Final = '<pre style="margin:0;white-space:pre-wrap">'
_FRAME_STYLE: Final = "border:0;width:100%;height:20em;resize:vertical"


def figures(result: ExecutionResult) -> list[bytes]:
    """The PNG images among what the step showed, in that order, and its value's."""
    return [image for value in _values(result) if (image := _image(value, "image/png"))]


def mime_bundle(result: ExecutionResult) -> dict[str, str]:
    """The forms of a result by media type: `text/plain` and `text/html`."""
    return {"text/plain": _plain(result), "text/html": _html(result)}


def _values(result: ExecutionResult) -> Iterator[Value]:
    yield from result.displays
    if result.value is not None:
        yield result.value


def _plain(result: ExecutionResult) -> str:
    parts = [result.stdout, result.stderr, *(value.text for value in _values(result))]
    parts.append(_ending(result))
    return "\n".join(part.rstrip("\n") for part in parts if part)


def _html(result: ExecutionResult) -> str:
    parts = []
    if result.stdout:
        parts.append(_escaped(result.stdout))
    if result.stderr:
        parts.append(f'<div style="background:#fdd">{_escaped(result.stderr)}</div>')
    parts.extend(_value_html(value) for value in _values(result))
    ending = _ending(result)
    if ending:
        parts.append(f'<div style="color:#a00">{_escaped(ending)}</div>')
    return "\n".join(parts)


def _ending(result: ExecutionResult) -> str:
    """What went wrong; empty for a step that completed."""
    if result.exception is not None:
        return result.exception.traceback
    if result.error is not None:
        return f"{result.outcome.name}: {result.error.message}"
    if result.exit_code:
        return f"{result.outcome.name} with {result.exit_code}"
    return ""


def _value_html(value: Value) -> str:
    for media_type in _SIGNATURES:
        if _image(value, media_type):
            text = html.escape(value.text[:200], quote=True)
            return f'<img alt="{text}" src="data:{media_type};base64,{value.mime[media_type]}">'
    if "text/html" in value.mime:
        return framed(value.mime["text/html"])
    return _escaped(value.text)


def framed(content: str) -> str:
    """HTML of a stranger's as HTML that can be shown: in a frame that can do nothing."""
    document = html.escape(_POLICY + content, quote=True)
    return f'<iframe sandbox="" style="{_FRAME_STYLE}" srcdoc="{document}"></iframe>'


def _escaped(text: str) -> str:
    return f"{_PRE}{html.escape(text)}</pre>"


def _image(value: Value, media_type: str) -> bytes | None:
    """The bytes of an image if it is one by its first bytes; None else."""
    if media_type not in value.mime:
        return None
    try:
        data = value.data(media_type)
    except ValueError:
        return None
    if isinstance(data, bytes) and data.startswith(_SIGNATURES[media_type]):
        return data
    return None
