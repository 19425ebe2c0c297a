"""How classes that a session made are taken apart, and those of their instances that pickle would take wrongly."""
import sys
import types

from stepwell_runner import rebuild

# Made by the class's making, or of no meaning in another process.
_NOT_KEPT = ("__dict__", "__weakref__", "_abc_impl", "__slots__", "__module__", "__qualname__")
# What a class must have when it is made: slots shape its instances, and generic bases are checked.
_MADE_WITH = ("__slots__", "__orig_bases__")
_ANNOTATION_CACHE, _ANNOTATE = "__annotations_cache__", "__annotate_func__"
_SINGLETONS = {type(None): None, type(NotImplemented): NotImplemented, type(Ellipsis): Ellipsis}
# The flag of classes that are made while a program runs.
_HEAP_TYPE = 1 << 9
# Where a class of the session defines one of these, making and filling its instances as pickle does would run it
# with an instance that is not whole yet, or fail.
_AWKWARD = ("__new__", "__getattr__", "__getattribute__", "__setattr__")
# Where it defines one of these, it knows better itself.
_OWN_WAY = ("__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__getnewargs__", "__getnewargs_ex__")


def is_importable(value: object, name: str | None = None) -> bool:
    """Whether importing a value by its name, in another process, gives this value."""
    module_name = getattr(value, "__module__", None)
    if module_name is None or module_name == "__main__":
        return False
    found: object = sys.modules.get(module_name)
    for part in (name or value.__qualname__).split("."):
        found = getattr(found, part, None)
    return found is value


def reduce_class(pickler, value: type):
    """A class by value, unless it can be imported or another component has it."""
    if value in _SINGLETONS:
        return (type, (_SINGLETONS[value],))
    if value.__module__ == "builtins" or is_importable(value):
        pickler.imports(value)
        return NotImplemented
    key, elsewhere = pickler.take_by_value(value)
    if elsewhere:
        return (rebuild.reference, (key,))
    made_of, *filling = _reduce_by_value(value)
    return (made_of[0], (*made_of[1], key), *filling)


def _reduce_by_value(value: type) -> tuple:
    """The function that makes it with all arguments but the key, and what fills it."""
    enum = sys.modules.get("enum")
    if enum is not None and issubclass(value, enum.Enum):
        return _reduce_enum(value)
    if type(value).__name__ == "_TypedDictMeta":
        return _reduce_typed_dict(value)
    namespace = {"__module__": value.__module__, "__qualname__": value.__qualname__}
    attributes = dict(vars(value))
    for name in _MADE_WITH:
        if name in attributes:
            namespace[name] = attributes[name]
    state = _state(attributes)
    made_of = (type(value), value.__name__, value.__bases__, namespace)
    return ((rebuild.new_class, made_of), state, None, None, rebuild.fill_class)


def _state(attributes: dict) -> dict:
    state = {
        name: part
        for name, part in attributes.items()
        if name not in _NOT_KEPT and not isinstance(part, (types.GetSetDescriptorType, types.MemberDescriptorType))
    }
    if state.get("__doc__", "") is None:
        del state["__doc__"]
    state.pop(_ANNOTATION_CACHE, None)
    if _ANNOTATE in state:
        state["__annotate__"] = state.pop(_ANNOTATE)
    return state


def _reduce_enum(value: type):
    members = {name: member.value for name, member in value.__members__.items()}
    namespace = {name: part for name, part in vars(value).items() if name not in members and _is_own_part(name, part)}
    namespace["__module__"] = value.__module__
    namespace["__qualname__"] = value.__qualname__
    made_of = (type(value), value.__name__, value.__bases__, namespace, members)
    return ((rebuild.enum_class, made_of),)


def _is_own_part(name: str, part: object) -> bool:
    """Whether an enumeration's attribute was written into its body, and not put there by its making."""
    if isinstance(part, types.FunctionType):
        return part.__module__ != "enum"
    if isinstance(part, (classmethod, staticmethod)):
        return getattr(part.__func__, "__module__", None) != "enum"
    if name in ("__doc__", "__annotations__"):
        return True
    made = (types.BuiltinFunctionType, types.WrapperDescriptorType, types.MethodDescriptorType)
    return not name.startswith("_") and not isinstance(part, made)


def _reduce_typed_dict(value: type):
    namespace = {
        "__module__": value.__module__,
        "__qualname__": value.__qualname__,
        "__annotations__": value.__annotations__,
    }
    return ((rebuild.typed_dict, (type(value), value.__name__, namespace, value.__total__)),)


def is_awkward(cls: type) -> bool:
    """Whether instances must be made and filled past their class's own ways."""
    own = [ancestor for ancestor in cls.__mro__ if ancestor.__module__ == "__main__"]
    if not any(name in vars(ancestor) for ancestor in own for name in _AWKWARD):
        return False
    if any(name in vars(ancestor) for ancestor in cls.__mro__[:-1] for name in _OWN_WAY):
        return False
    return _solid_base(cls) is object


def _solid_base(cls: type) -> type:
    """The nearest ancestor that is made in C: it decides what an instance is made of."""
    for ancestor in cls.__mro__:
        if not ancestor.__flags__ & _HEAP_TYPE:
            return ancestor
    return object


def reduce_instance(pickler, value: object):
    """An instance's attributes, read past its class's own ``__getattribute__``."""
    attributes = None
    slots = {}
    for ancestor in type(value).__mro__:
        for name, part in vars(ancestor).items():
            if name == "__dict__" and isinstance(part, types.GetSetDescriptorType):
                attributes = part.__get__(value)
            elif isinstance(part, types.MemberDescriptorType):
                try:
                    slots[name] = part.__get__(value)
                except AttributeError:
                    continue
    made_of = (type(value),)
    return (rebuild.instance, made_of, (attributes, slots or None), None, None, rebuild.fill_instance)
