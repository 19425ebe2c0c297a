"""Makes again what a snapshot describes. Pickles name these functions: their names and arguments are its format.

What can refer to itself is made in two calls, first empty, then filled.
"""
import builtins
import marshal
import sys
import types

from stepwell_runner import suspended
from stepwell_runner.lost import LostValue, lost_reason
from stepwell_runner.table import PIN, PYTHON


class _Context:
    """Where things are made; set for the time of one restore."""

    main: types.ModuleType
    find: "Callable[[str], object]"
    objects: dict[str, object]


def begin(main: types.ModuleType, find: "Callable[[str], object]", objects: dict[str, object]) -> None:
    """Things are made for this main module from now on.

    ``find`` returns the function or class of a key; ``objects`` is where new ones are entered, before they are filled.
    """
    _Context.main = main
    _Context.find = staticmethod(find)
    _Context.objects = objects


def reference(key: str) -> object:
    return _Context.find(key)


def main_module() -> types.ModuleType:
    return _Context.main


def module(name: str) -> object:
    try:
        __import__(name)
        return sys.modules[name]
    except Exception as error:  # noqa: BLE001 - a module may fail in any way; the rest is still there
        return LostValue(f"module {name} can't be imported: {type(error).__name__}: {error}")


def attribute(module_name: str, name: str) -> object:
    return getattr(module(module_name), name)


def new_module(name: str) -> types.ModuleType:
    return types.ModuleType(name)


def fill_module(target: types.ModuleType, state: dict) -> None:
    vars(target).update(state)


def main_globals() -> dict:
    return vars(_Context.main)


def module_globals(name: str) -> object:
    found = module(name)
    return found if isinstance(found, LostValue) else vars(found)


def new_globals() -> dict:
    return {"__builtins__": builtins}


def fill_globals(target: dict, state: dict) -> None:
    target.update(state)


def code(data: bytes, pin: str) -> object:
    """Bytecode is only ever given to the interpreter version that made it."""
    if pin != PIN and not _is_same(pin):
        return LostValue(f"its code was compiled by {pin.partition(' ')[0]}, and this is {PYTHON}")
    return marshal.loads(data)


def _is_same(pin: str) -> bool:
    """Whether code of another release can be given to this interpreter: the same implementation and magic number."""
    python, _, magic = pin.partition(" ")
    return python.partition("-")[0] == sys.implementation.name and magic == PIN.partition(" ")[2]


def cell() -> types.CellType:
    return types.CellType()


def fill_cell(target: types.CellType, state: tuple) -> None:
    if state:
        target.cell_contents = state[0]


def function(
    code_object: object, function_globals: object, name: str, closure: tuple | None, key: str | None = None
) -> object:
    for part in (code_object, function_globals):
        if isinstance(part, LostValue):
            return part
    return _entered(key, types.FunctionType(code_object, function_globals, name, None, closure))


def _entered(key: str | None, made: object) -> object:
    """Others may refer to it while it is being filled."""
    if key is not None:
        _Context.objects[key] = made
    return made


def fill_function(target: object, state: dict) -> None:
    if isinstance(target, LostValue):
        return
    own = state.pop("__dict__", None)
    for name, value in state.items():
        setattr(target, name, value)
    if own:
        vars(target).update(own)


def method(function_object: object, instance: object) -> object:
    if isinstance(function_object, LostValue):
        return function_object
    return types.MethodType(function_object, instance)


def new_class(metaclass: type, name: str, bases: tuple, namespace: dict, key: str | None = None) -> object:
    """A class without its attributes. No code of the session runs: it ran when the class was first made."""
    for part in (metaclass, *bases):
        if lost_reason(part) is not None:
            return LostValue(lost_reason(part))
    masked = [base for base in _ancestors(bases) if _is_of_session(base) and "__init_subclass__" in vars(base)]
    hooks = [vars(base)["__init_subclass__"] for base in masked]
    for base in masked:
        type.__setattr__(base, "__init_subclass__", classmethod(lambda cls, **named: None))
    try:
        return _entered(key, _maker(metaclass)(metaclass, name, bases, namespace))
    finally:
        for base, hook in zip(masked, hooks):
            type.__setattr__(base, "__init_subclass__", hook)


def fill_class(target: type, state: dict) -> None:
    if isinstance(target, LostValue):
        return
    for name, value in state.items():
        type.__setattr__(target, name, value)


def enum_class(
    metaclass: type, name: str, bases: tuple, namespace: dict, members: dict, key: str | None = None
) -> object:
    """An enumeration, which is made whole: its members are made by its class's making."""
    body = metaclass.__prepare__(name, bases)
    for key, value in (namespace | members).items():
        body[key] = value
    return _entered(key, metaclass.__new__(metaclass, name, bases, body))


def typed_dict(metaclass: type, name: str, namespace: dict, total: bool, key: str | None = None) -> object:
    return _entered(key, metaclass(name, (), namespace, total=total))


def _ancestors(bases: tuple) -> list[type]:
    return [ancestor for base in bases for ancestor in base.__mro__]


def _is_of_session(cls: type) -> bool:
    return cls.__module__ == "__main__"


def _maker(metaclass: type):
    for ancestor in metaclass.__mro__:
        if not _is_of_session(ancestor) and "__new__" in vars(ancestor):
            return ancestor.__new__
    return type.__new__


def instance(cls: type) -> object:
    """An instance without its state, made past the class's own ``__new__``."""
    return cls if isinstance(cls, LostValue) else object.__new__(cls)


def fill_instance(target: object, state: tuple) -> None:
    if isinstance(target, LostValue):
        return
    attributes, slots = state
    if attributes:
        object.__getattribute__(target, "__dict__").update(attributes)
    for name, value in (slots or {}).items():
        object.__setattr__(target, name, value)


def exception(cls: type, arguments: tuple) -> BaseException:
    """An exception made past its own ``__init__``, whose arguments need not be the exception's."""
    made = cls.__new__(cls, *arguments)
    made.args = arguments
    return made


def fill_exception(target: BaseException, state: tuple) -> None:
    attributes, target.__cause__, target.__context__, target.__suppress_context__, way = state
    target.__traceback__ = suspended.traceback_of(way)
    vars(target).update(attributes)


def lock() -> object:
    import _thread

    return _thread.allocate_lock()


def reentrant_lock() -> object:
    import _thread

    return _thread.RLock()


def stream(name: str) -> object:
    return getattr(sys, name)


def file(path: str, mode: str, position: int, encoding: str | None) -> object:
    try:
        opened = open(path, mode) if "b" in mode else open(path, mode, encoding=encoding)
        opened.seek(position)
        return opened
    except OSError as error:
        return LostValue(f"file {path} can't be opened again: {error.strerror}")


def static_method(function_object: object) -> staticmethod:
    return staticmethod(function_object)


def class_method(function_object: object) -> classmethod:
    return classmethod(function_object)


def property_(*parts: object) -> property:
    return property(*parts)


def mapping_proxy(mapping: dict) -> types.MappingProxyType:
    return types.MappingProxyType(mapping)


def weak_reference(target: object) -> object:
    import weakref

    return weakref.ref(target)


class _Gone:
    """Nobody keeps one."""

    __slots__ = ("__weakref__",)


def dead_reference() -> object:
    import weakref

    return weakref.ref(_Gone())


def cached(function_object: object, parameters: dict) -> object:
    import functools

    if isinstance(function_object, LostValue):
        return function_object
    return functools.lru_cache(**parameters)(function_object)


def fill_attributes(target: object, state: dict) -> None:
    if not isinstance(target, LostValue):
        vars(target).update(state)


def context_variable(name: str, default: tuple, value: tuple) -> object:
    import contextvars

    variable = contextvars.ContextVar(name, default=default[0]) if default else contextvars.ContextVar(name)
    if value:
        variable.set(value[0])
    return variable


def thread_local(cls: type) -> object:
    return cls.__new__(cls)


def type_variable(cls: type, arguments: tuple, named: dict, module_name: str) -> object:
    made = cls(*arguments, **named)
    made.__module__ = module_name
    return made


def new_type(name: str, supertype: object, module_name: str) -> object:
    import typing

    made = typing.NewType(name, supertype)
    made.__module__ = module_name
    return made
