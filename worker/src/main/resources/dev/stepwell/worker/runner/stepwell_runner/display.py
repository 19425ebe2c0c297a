"""What a value looks like: its text, its type, and richer forms that it offers itself."""
import sys

from stepwell_runner import frames

TEXT_BYTES = 64 << 10
TYPE_BYTES = 1 << 10
# All forms of a step's value together: a verdict has to fit into one frame.
_VALUE_FORMS_BYTES = 768 << 10
_MIME_METHODS = (
    ("_repr_html_", "text/html"),
    ("_repr_markdown_", "text/markdown"),
    ("_repr_latex_", "text/latex"),
    ("_repr_svg_", "image/svg+xml"),
    ("_repr_json_", "application/json"),
    ("_repr_png_", "image/png"),
    ("_repr_jpeg_", "image/jpeg"),
)
_PNG = "image/png"


def describe(value: object) -> "list[tuple[str, str | bytes | int]]":
    """The verdict's fields for a value. Runs code of the value's class; whatever that raises is the step's."""
    fields: "list[tuple[str, str | bytes | int]]" = [("value.text", text_of(value)), ("value.type", type_of(value))]
    left = _VALUE_FORMS_BYTES
    for mime, form in forms_of(value, _VALUE_FORMS_BYTES):
        if len(form) <= left:
            left -= len(form)
            fields.append((f"value.mime.{mime}", form))
    return fields


def text_of(value: object) -> bytes:
    """What ``repr`` makes of a value, cut."""
    return frames.cut(repr(value), TEXT_BYTES)


def type_of(value: object) -> bytes:
    """The name of a value's class."""
    cls = type(value)
    return frames.cut(f"{cls.__module__}.{cls.__qualname__}", TYPE_BYTES)


def forms_of(value: object, limit_bytes: int) -> "list[tuple[str, bytes]]":
    """The richer forms that a value has, by media type. A text beyond the limit is cut to just above it."""
    found = []
    for method, mime in _MIME_METHODS:
        if hasattr(type(value), method):
            form = _form(value, method, limit_bytes)
            if form is not None:
                found.append((mime, form))
    if is_figure(value) and all(mime != _PNG for mime, _ in found):
        try:
            found.append((_PNG, base64(png_of(value))))
        except Exception:  # noqa: BLE001 - a form that fails is a form it doesn't have
            return found
    return found


def is_figure(value: object) -> bool:
    """Whether a value is a figure of matplotlib's."""
    module = sys.modules.get("matplotlib.figure")
    return module is not None and isinstance(value, module.Figure)


def png_of(figure) -> bytes:
    """A figure, drawn without a window, with all that reaches over its edges. Raises what drawing raises."""
    import io

    into = io.BytesIO()
    figure.savefig(into, format="png", bbox_inches="tight")
    return into.getvalue()


def base64(data: "bytes | bytearray | memoryview") -> bytes:
    """Binary data as it is told."""
    import binascii

    return binascii.b2a_base64(data, newline=False)


def json_text(data: object) -> str:
    """Data as JSON."""
    import json

    return json.dumps(data)


def _form(value: object, method: str, limit_bytes: int) -> bytes | None:
    """One richer form: text as UTF-8, binary as Base64, data as JSON. None where the value has none after all."""
    try:
        form = getattr(value, method)()
        if isinstance(form, tuple):
            form = form[0]
        if isinstance(form, (dict, list)):
            form = json_text(form)
        if isinstance(form, bytes):
            return base64(form)
        return frames.cut(form, limit_bytes + 1) if isinstance(form, str) else None
    except Exception:  # noqa: BLE001 - a form that fails is a form it doesn't have
        return None
