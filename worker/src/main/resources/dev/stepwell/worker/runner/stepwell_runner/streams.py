"""The standard streams of a step's process."""
import _io
import sys


def open_standard() -> None:
    """Opens the standard streams anew, on the pipes that are now behind their descriptors.

    The interpreter made its own for what was there before: it asked then whether one can seek in it. No text may be
    refused for its characters, and a line is told when it is whole.
    """
    raw = _io.FileIO(0, "r", closefd=False)
    sys.stdin = sys.__stdin__ = _text(raw, "<stdin>", _io.BufferedReader(raw), "surrogateescape")
    raw = _io.FileIO(1, "w", closefd=False)
    sys.stdout = sys.__stdout__ = _text(raw, "<stdout>", _io.BufferedWriter(raw), "backslashreplace")
    raw = _io.FileIO(2, "w", closefd=False)
    sys.stderr = sys.__stderr__ = _text(raw, "<stderr>", _io.BufferedWriter(raw), "backslashreplace")


def _text(raw: _io.FileIO, name: str, buffer: "_io._BufferedIOBase", errors: str) -> _io.TextIOWrapper:
    raw.name = name
    text = _io.TextIOWrapper(buffer, "utf-8", errors, line_buffering=name != "<stdin>")
    text.mode = "r" if name == "<stdin>" else "w"
    return text


def flush_all() -> None:
    """Passes on what is buffered in the standard streams, and in what the step put in their place."""
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        try:
            stream.flush()
        except Exception:  # noqa: BLE001 - closed, replaced or None: it is the step's
            continue
