"""What a step's value looks like: its text, its type, and richer forms that it offers itself."""
from stepwell_runner import frames

_TEXT_BYTES = 64 << 10
# All forms together: a verdict has to fit into one frame.
_MIME_BYTES = 768 << 10
_MIME_METHODS = (
    ("_repr_html_", "text/html"),
    ("_repr_markdown_", "text/markdown"),
    ("_repr_latex_", "text/latex"),
    ("_repr_svg_", "image/svg+xml"),
    ("_repr_json_", "application/json"),
    ("_repr_png_", "image/png"),
    ("_repr_jpeg_", "image/jpeg"),
)


def describe(value: object) -> "list[tuple[str, str | bytes | int]]":
    """The verdict's fields for a value. Runs code of the value's class; whatever that raises is the step's."""
    cls = type(value)
    fields: "list[tuple[str, str | bytes | int]]" = [
        ("value.text", frames.cut(repr(value), _TEXT_BYTES)),
        ("value.type", frames.cut(f"{cls.__module__}.{cls.__qualname__}", _TEXT_BYTES)),
    ]
    left = _MIME_BYTES
    for method, mime in _MIME_METHODS:
        if hasattr(cls, method):
            form = _form(value, method)
            if form is not None and len(form) <= left:
                left -= len(form)
                fields.append((f"value.mime.{mime}", form))
    return fields


def _form(value: object, method: str) -> bytes | None:
    """One richer form: text as UTF-8, binary as Base64, data as JSON. None where the value has none after all."""
    try:
        form = getattr(value, method)()
        if isinstance(form, tuple):
            form = form[0]
        if isinstance(form, (dict, list)):
            import json

            form = json.dumps(form)
        if isinstance(form, bytes):
            import binascii

            return binascii.b2a_base64(form, newline=False)
        return frames.cut(form, _MIME_BYTES + 1) if isinstance(form, str) else None
    except Exception:  # noqa: BLE001 - a form that fails is a form it doesn't have
        return None
