"""What a sandbox's interpreter is started with (``python -c``): reads the compiled runner and runs it.

It reads from the descriptor itself, not from ``sys.stdin``, whose buffer would swallow the frames that follow.
"""
import _frozen_importlib_external
import marshal
import posix
import sys


def _read(size):
    pieces = []
    while size:
        piece = posix.read(0, size)
        if not piece:
            posix._exit(3)
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


_program = _read(int.from_bytes(_read(4), "big"))
if _program[:4] != _frozen_importlib_external.MAGIC_NUMBER:
    sys.stderr.write("the runner was compiled for another Python than this %s\n" % sys.version.split()[0])
    sys.stderr.flush()
    posix._exit(4)
_loader, _modules = marshal.loads(_program[4:])
exec(_loader, {"__name__": "stepwell_loader", "MODULES": _modules})
