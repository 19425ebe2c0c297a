"""Things that are in the middle of something: generator expressions, and exceptions with the way they came."""
import types

from stepwell_runner import refusals
from stepwell_runner.lost import LostValue

_NAME = "<genexpr>"
_ITERATED = ".0"
_LONGEST_WAY = 100


def reduce_generator(pickler, value: types.GeneratorType):
    """A generator expression of one loop: all it has besides its code is the iterator that it goes through."""
    frame = value.gi_frame
    if frame is None:
        return (ended_generator, ())
    code = value.gi_code
    if not (code.co_name == _NAME and code.co_varnames[:1] == (_ITERATED,) and _has_one_loop(code)):
        refusals.refuse("cannot pickle 'generator' object")
    if code.co_freevars or code.co_cellvars or value.gi_running or frame.f_globals is not pickler.namespace:
        refusals.refuse("cannot pickle 'generator' object")
    iterated = frame.f_locals[_ITERATED]
    if isinstance(iterated, types.GeneratorType) and iterated.gi_running:
        refusals.refuse("cannot pickle 'generator' object")
    made_of = types.FunctionType(code, pickler.namespace, code.co_name)
    return (resumed_generator, (made_of, iterated))


def _has_one_loop(code: types.CodeType) -> bool:
    import opcode

    loops = {opcode.opmap[name] for name in ("FOR_ITER", "SEND") if name in opcode.opmap}
    return sum(operation in loops for operation in code.co_code[::2]) == 1


def resumed_generator(function: object, iterated: object) -> object:
    """Goes on where the other one was."""
    for part in (function, iterated):
        if isinstance(part, LostValue):
            return part
    return function(iterated)


def ended_generator() -> object:
    """One that has nothing more to yield."""
    made = (nothing for nothing in ())
    list(made)
    return made


def way_of(traceback: types.TracebackType | None) -> "list[tuple[str, str, int]]":
    """The way of an exception: file, function and line of each frame that it left."""
    found = []
    while traceback is not None and len(found) < _LONGEST_WAY:
        code = traceback.tb_frame.f_code
        found.append((code.co_filename, code.co_qualname, traceback.tb_lineno))
        traceback = traceback.tb_next
    return found


def traceback_of(way: "list[tuple[str, str, int]]") -> types.TracebackType | None:
    """A traceback that shows this way; its frames are empty."""
    made = None
    for file_name, qualified_name, line in reversed(way):
        code = compile("raise ValueError", file_name, "exec", 0, True)
        name = qualified_name.rpartition(".")[2]
        code = code.replace(co_name=name, co_qualname=qualified_name, co_firstlineno=line)
        try:
            exec(code, {"__name__": "__main__"})
        except ValueError as error:
            step = error.__traceback__.tb_next
            made = types.TracebackType(made, step.tb_frame, step.tb_lasti, line)
    return made
