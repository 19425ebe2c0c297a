"""Compiles the runner for the interpreter that runs this (``python -c``), and answers with one ``C`` frame.

Standard input holds a 4-byte length and that many bytes of fields: a module's name and its source, ``loader`` among
them. An interpreter that can't run the runner answers with its version alone, so this file must be readable to any
Python 3.
"""
import marshal
import os
import sys

# What the runner imports beyond pure Python: a cut-down Python may lack some of it.
_NEEDED = ("_ast", "_ctypes", "_io", "_pickle", "_signal", "_thread", "binascii", "resource", "select", "time")


def _fields(data):
    at = 0
    while at < len(data):
        end = at + 1 + data[at]
        size = int.from_bytes(data[end : end + 4], "big")
        yield data[at + 1 : end].decode(), data[end + 4 : end + 4 + size]
        at = end + 4 + size


def _missing():
    for name in _NEEDED:
        try:
            __import__(name)
        except ImportError:
            yield name


def _compile(data):
    import importlib.util

    # Docstrings and assertions are left out: every sandbox reads this program once.
    codes = {}
    for name, source in _fields(data):
        path = "/stepwell/%s.py" % name.replace(".", "/")
        codes[name] = compile(source, path, "exec", dont_inherit=True, optimize=2)
    loader = codes.pop("loader")
    modules = {name: marshal.dumps(code) for name, code in codes.items()}
    return importlib.util.MAGIC_NUMBER + marshal.dumps((loader, modules))


def _main():
    stream = sys.stdin.buffer
    data = stream.read(int.from_bytes(stream.read(4), "big"))
    answer = [("python", sys.version.split()[0].encode()), ("implementation", sys.implementation.name.encode())]
    if sys.version_info >= (3, 11) and sys.implementation.name == "cpython":
        missing = sorted(_missing())
        answer += [("missing", name.encode()) for name in missing]
        if not missing:
            answer.append(("code", _compile(data)))
    payload = b"".join(
        bytes([len(name)]) + name.encode() + len(value).to_bytes(4, "big") + value for name, value in answer
    )
    os.write(1, b"C" + len(payload).to_bytes(4, "big"))
    sent = 0
    while sent < len(payload):
        sent += os.write(1, payload[sent : sent + 65536])


_main()
