"""What a step shows while it runs: sent at once, so that it survives whatever becomes of the step."""
import sys
from _thread import RLock

from stepwell_runner import display, frames
from stepwell_runner.step_process import Claimant

# What one step may show. docs/protocol.md names these limits.
MOST = 100
FORMS_BYTES = 4 << 20
# All texts and types together: no limit of its own to a reader, who sees each cut at 64 KiB.
_TEXTS_BYTES = 1 << 20
# What a form takes beside its own bytes and its type's.
_FORM_COST = 16
_LONGEST_TYPE = 200
# Flags of a part: a display that breaks off leaves nothing to the next one.
_FIRST, _LAST = 2, 1


class Displays:
    """The displays of one step. Any thread of the step's process may add one; one at a time is sent."""

    def __init__(self, claimant: Claimant) -> None:
        self._claimant = claimant
        self._lock = RLock()
        self._open = True
        self._count = 0
        self._forms_left = FORMS_BYTES
        self._texts_left = _TEXTS_BYTES

    def close(self) -> None:
        """The source has ended: what is shown from here on is shown to nobody."""
        with self._lock:
            self._open = False

    def silent(self) -> bool:
        """Whether nothing can be shown: the source has ended, or this is a process that it forked."""
        return not self._open or self._claimant.is_copy()

    def object(self, value: object) -> None:
        """Shows a value. Runs code of its class, and raises what its ``repr`` raises."""
        self._add(display.text_of(value), display.type_of(value), display.forms_of(value, FORMS_BYTES))

    def figure(self, figure) -> None:
        """Shows a figure. Raises what drawing it raises."""
        png = display.base64(display.png_of(figure))
        self._add(display.text_of(figure), display.type_of(figure), [("image/png", png)])

    def forms(self, given: "dict[str, object]") -> None:
        """Shows forms by their media types. Raises TypeError or ValueError for what is no form, and shows nothing then."""
        if not isinstance(given, dict):
            raise TypeError(f"mime must be a dict of forms by media type, and is of type {type(given).__name__}")
        forms = [(_checked_type(mime), _encoded(mime, form)) for mime, form in given.items()]
        text = dict(forms).get("text/plain", b"")
        self._add(frames.cut(text[: display.TEXT_BYTES + 4].decode(errors="ignore"), display.TEXT_BYTES), b"", forms)

    def _add(self, text: bytes, cls: bytes, forms: "list[tuple[str, bytes]]") -> None:
        with self._lock:
            if self.silent():
                return
            self._count += 1
            count = self._count
            if count <= MOST:
                self._send(self._within_limits(text, cls, forms))
        if count == MOST + 1:
            print(f"stepwell: a step can show {MOST} things, and all after these are left out", file=sys.stderr)

    def _within_limits(self, text: bytes, cls: bytes, forms: "list[tuple[str, bytes]]") -> bytes:
        text = frames.cut(text.decode(), max(0, self._texts_left))
        self._texts_left -= len(text)
        fields: "list[tuple[str, str | bytes | int]]" = [("text", text), ("type", cls)]
        for mime, form in forms:
            cost = len(form) + len(mime) + _FORM_COST
            if cost <= self._forms_left:
                self._forms_left -= cost
                fields.append((f"mime.{mime}", form))
        return frames.encode(fields)

    def _send(self, payload: bytes) -> None:
        size = frames.PIECE_BYTES - 1
        for at in range(0, len(payload), size):
            flags = (_FIRST if at == 0 else 0) | (_LAST if at + size >= len(payload) else 0)
            self._claimant.say(b"G", bytes((flags,)) + payload[at : at + size])


def _checked_type(mime: object) -> str:
    if not isinstance(mime, str):
        raise TypeError(f"a media type must be a string such as 'text/html', and is of type {type(mime).__name__}")
    if not (3 <= len(mime) <= _LONGEST_TYPE and "/" in mime and all("!" <= letter <= "~" for letter in mime)):
        raise ValueError(
            f"{mime[:_LONGEST_TYPE]!r} is no media type: 3 to {_LONGEST_TYPE} ASCII characters without spaces, a / among them"
        )
    return mime


def _encoded(mime: str, form: object) -> bytes:
    if isinstance(form, str):
        return frames.cut(form, FORMS_BYTES + 1)
    if isinstance(form, (bytes, bytearray, memoryview)):
        return display.base64(form)
    if isinstance(form, (dict, list)):
        return display.json_text(form).encode()
    raise TypeError(
        f"the form {mime!r} is of type {type(form).__name__}; it must be text, bytes, or a dict or list to be told as JSON"
    )
