"""How values are taken apart that plain pickle takes by name, takes wrongly, or doesn't take.

A reducer gets the pickler and a value, and returns what ``__reduce__`` would, or NotImplemented to leave the value to
pickle itself.
"""
import builtins
import gc
import io
import marshal
import sys
import types

from stepwell_runner import arrays, classes, rebuild, refusals, resources, suspended
from stepwell_runner.table import PIN

_STREAMS = ("stdin", "stdout", "stderr", "__stdin__", "__stdout__", "__stderr__")
_FILES_FOLDER = "/workspace/"
_LAZY_ANNOTATIONS = sys.version_info >= (3, 14)


class ForeignGlobals:
    """Stands for a globals dict that is neither the session's nor a module's."""

    def __init__(self, namespace: dict) -> None:
        self._namespace = namespace

    def __reduce__(self):
        state = {name: value for name, value in self._namespace.items() if name != "__builtins__"}
        known = self._namespace.get("__builtins__")
        if type(known) is dict and known is not vars(builtins):
            state["__builtins__"] = known
        return (rebuild.new_globals, (), state, None, None, rebuild.fill_globals)


def reducer_for(cls: type):
    """The reducer for values of a class, or None for those that pickle itself takes well."""
    known = _BY_TYPE.get(cls) or _BY_NAME.get(f"{cls.__module__}.{cls.__qualname__}")
    if known is not None:
        return known
    if issubclass(cls, type):
        return classes.reduce_class
    if issubclass(cls, BaseException):
        return _exception
    if issubclass(cls, types.ModuleType):
        return _module
    if issubclass(cls, _LOCAL):
        return _thread_local
    if issubclass(cls, io.IOBase):
        return _file
    if classes.is_awkward(cls):
        return classes.reduce_instance
    return None


def _function(pickler, value: types.FunctionType):
    if value.__globals__ is not pickler.namespace and classes.is_importable(value):
        pickler.imports(value)
        return NotImplemented
    key, elsewhere = pickler.take_by_value(value)
    if elsewhere:
        return (rebuild.reference, (key,))
    pickler.take_code(value.__code__)
    state = {
        "__qualname__": value.__qualname__,
        "__module__": value.__module__,
        "__doc__": value.__doc__,
        "__defaults__": value.__defaults__,
        "__kwdefaults__": value.__kwdefaults__,
        "__dict__": vars(value),
        "__type_params__": getattr(value, "__type_params__", None),
    }
    if _LAZY_ANNOTATIONS:
        state["__annotate__"] = value.__annotate__
    else:
        state["__annotations__"] = value.__annotations__
    state = {name: part for name, part in state.items() if part}
    made_of = (value.__code__, _globals(pickler, value.__globals__), value.__name__, value.__closure__, key)
    return (rebuild.function, made_of, state, None, None, rebuild.fill_function)


class Call:
    """Pickles as a call of a rebuilding function."""

    def __init__(self, function, *arguments: object) -> None:
        self._reduced = (function, arguments)

    def __reduce__(self):
        return self._reduced


_MAIN_GLOBALS = Call(rebuild.main_globals)


def _globals(pickler, namespace: dict) -> object:
    if namespace is pickler.namespace:
        return _MAIN_GLOBALS
    name = namespace.get("__name__")
    module = sys.modules.get(name) if isinstance(name, str) else None
    if module is not None and vars(module) is namespace:
        pickler.packages.add(name.partition(".")[0])
        return Call(rebuild.module_globals, name)
    return pickler.foreign_globals(namespace)


def _code(pickler, value: types.CodeType):
    # Of this version of marshal the bytes don't depend on how often something is referred to.
    return (rebuild.code, (marshal.dumps(value, 2), PIN))


def _cell(pickler, value: types.CellType):
    try:
        state = (value.cell_contents,)
    except ValueError:
        state = ()
    return (rebuild.cell, (), state, None, None, rebuild.fill_cell)


def _method(pickler, value: types.MethodType):
    if isinstance(value.__func__, types.FunctionType):
        return (rebuild.method, (value.__func__, value.__self__))
    return NotImplemented


def _module(pickler, value: types.ModuleType):
    if value is pickler.main:
        pickler.words.add("__main__")
        return (rebuild.main_module, ())
    name = value.__name__
    if getattr(value, "__spec__", None) is None and sys.modules.get(name) is not value:
        pickler.by_value.add(id(value))
        state = {key: part for key, part in vars(value).items() if key != "__builtins__"}
        return (rebuild.new_module, (name,), state, None, None, rebuild.fill_module)
    pickler.packages.add(name.partition(".")[0])
    return (rebuild.module, (name,))


def _exception(pickler, value: BaseException):
    cls = type(value)
    way = suspended.way_of(value.__traceback__)
    rest = (vars(value), value.__cause__, value.__context__, value.__suppress_context__, way)
    if cls.__reduce__ is not BaseException.__reduce__ and not cls.__module__ == "__main__":
        # It has more than its arguments, as OSError has a file name, and knows how to say so.
        made_of = value.__reduce__()
        return (made_of[0], made_of[1], rest, None, None, rebuild.fill_exception)
    return (rebuild.exception, (cls, value.args), rest, None, None, rebuild.fill_exception)


def _lock(pickler, value):
    return (rebuild.lock, ())


def _reentrant_lock(pickler, value):
    return (rebuild.reentrant_lock, ())


def _property(pickler, value: property):
    return (rebuild.property_, (value.fget, value.fset, value.fdel, value.__doc__))


def _static_method(pickler, value: staticmethod):
    return (rebuild.static_method, (value.__func__,))


def _class_method(pickler, value: classmethod):
    return (rebuild.class_method, (value.__func__,))


def _mapping_proxy(pickler, value: types.MappingProxyType):
    return (rebuild.mapping_proxy, (gc.get_referents(value)[0],))


def _weak_reference(pickler, value):
    target = value()
    return (rebuild.dead_reference, ()) if target is None else (rebuild.weak_reference, (target,))


def _weak_mapping(pickler, value):
    return (type(value), (), None, None, iter(list(value.items())))


def _weak_set(pickler, value):
    return (type(value), (list(value),))


def _cached_function(pickler, value):
    if classes.is_importable(value):
        return NotImplemented
    made_of = (value.__wrapped__, value.cache_parameters())
    return (rebuild.cached, made_of, vars(value), None, None, rebuild.fill_attributes)


def _context_variable(pickler, value):
    import contextvars

    nothing = object()
    current = value.get(nothing)
    try:
        default = (contextvars.Context().run(value.get),)
    except LookupError:
        default = ()
    is_set = current is not nothing and (not default or current is not default[0])
    return (rebuild.context_variable, (value.name, default, (current,) if is_set else ()))


def _thread_local(pickler, value):
    return (rebuild.thread_local, (type(value),), vars(value), None, None, rebuild.fill_attributes)


def _file(pickler, value: io.IOBase):
    for name in _STREAMS:
        if value is getattr(sys, name, None):
            return (rebuild.stream, (name,))
    if isinstance(value, (io.StringIO, io.BytesIO)):
        return NotImplemented
    path = getattr(value, "name", None)
    if value.closed or not isinstance(path, str):
        refusals.refuse("an open file's descriptor ends with its step")
    import os

    path = os.path.abspath(path)
    if not path.startswith(_FILES_FOLDER):
        refusals.refuse(f"the file {path} ends with its step")
    if value.writable():
        value.flush()
    # Opened to be made anew, it has been made: it must not be emptied again.
    mode = value.mode.replace("w", "r+").replace("x", "r+").replace("++", "+")
    return (rebuild.file, (path, mode, value.tell(), getattr(value, "encoding", None)))


def _type_variable(pickler, value):
    if classes.is_importable(value, value.__name__):
        return NotImplemented
    named = {}
    arguments = (value.__name__, *getattr(value, "__constraints__", ()))
    for name in ("bound", "covariant", "contravariant", "infer_variance"):
        part = getattr(value, f"__{name}__", None)
        if part:
            named[name] = part
    return (rebuild.type_variable, (type(value), arguments, named, value.__module__))


def _new_type(pickler, value):
    if classes.is_importable(value):
        return NotImplemented
    return (rebuild.new_type, (value.__name__, value.__supertype__, value.__module__))


def _singleton(name: str):
    """For marks that their module compares by identity."""
    module, _, attribute = name.rpartition(".")
    return lambda pickler, value: (rebuild.attribute, (module, attribute))


def _field_kind(pickler, value):
    return (rebuild.attribute, ("dataclasses", value.name))


_LOCAL = sys.modules["_thread"]._local
_BY_TYPE = {
    types.FunctionType: _function,
    types.CodeType: _code,
    types.CellType: _cell,
    types.MethodType: _method,
    types.ModuleType: _module,
    types.MappingProxyType: _mapping_proxy,
    types.GeneratorType: suspended.reduce_generator,
    type: classes.reduce_class,
    property: _property,
    staticmethod: _static_method,
    classmethod: _class_method,
    _LOCAL: _thread_local,
    sys.modules["_thread"].LockType: _lock,
    sys.modules["_thread"].RLock: _reentrant_lock,
    sys.modules["_weakref"].ref: _weak_reference,
}
_BY_NAME = {
    "numpy.ndarray": arrays.reduce_array,
    "numpy.memmap": arrays.reduce_file_array,
    "sqlite3.Connection": resources.reduce_database,
    "socket.socket": resources.reduce_socket,
    "functools._lru_cache_wrapper": _cached_function,
    "_contextvars.ContextVar": _context_variable,
    "weakref.WeakKeyDictionary": _weak_mapping,
    "weakref.WeakValueDictionary": _weak_mapping,
    "_weakrefset.WeakSet": _weak_set,
    "typing.TypeVar": _type_variable,
    "typing.ParamSpec": _type_variable,
    "typing.TypeVarTuple": _type_variable,
    "typing.NewType": _new_type,
    "dataclasses._FIELD_BASE": _field_kind,
    "dataclasses._MISSING_TYPE": _singleton("dataclasses.MISSING"),
    "dataclasses._KW_ONLY_TYPE": _singleton("dataclasses.KW_ONLY"),
    "dataclasses._HAS_DEFAULT_FACTORY_CLASS": _singleton("dataclasses._HAS_DEFAULT_FACTORY"),
}
