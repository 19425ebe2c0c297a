"""How classes that a session made are taken apart, and those of their instances that pickle would take wrongly."""
import sys
import types

from stepwell_runner import rebuild

# Made by the class's making, or of no meaning in another process.
_NOT_KEPT = ("__dict__", "__weakref__", "_abc_impl", "__slots__", "__module__", "__qualname__")
_ANNOTATION_CACHE, _ANNOTATE = "__annotations_cache__", "__annotate_func__"
_SINGLETONS = {type(None): None, type(NotImplemented): NotImplemented, type(Ellipsis): Ellipsis}
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
    """A class by value, unless it can be imported."""
    if value in _SINGLETONS:
        return (type, (_SINGLETONS[value],))
    if value.__module__ == "builtins" or is_importable(value):
        return NotImplemented
    enum = sys.modules.get("enum")
    if enum is not None and issubclass(value, enum.Enum):
        return _reduce_enum(value)
    namespace = {"__module__": value.__module__, "__qualname__": value.__qualname__}
    attributes = dict(vars(value))
    if "__slots__" in attributes:
        namespace["__slots__"] = attributes["__slots__"]
    state = _state(attributes)
    made_of = (type(value), value.__name__, value.__bases__, namespace)
    return (rebuild.new_class, made_of, state, None, None, rebuild.fill_class)


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
    made_by_enum = {"__new__", "_generate_next_value_", *_NOT_KEPT, *members}
    namespace = {
        name: part
        for name, part in vars(value).items()
        if name not in made_by_enum and not (name.startswith("_") and name.endswith("_") and not callable(part))
    }
    original_new = vars(value).get("__new_member__") or vars(value).get("_new_member_")
    if isinstance(original_new, types.FunctionType) and original_new.__module__ == value.__module__:
        namespace["__new__"] = original_new
    for name in ("__new_member__", "_new_member_", "_use_args_", "_unhashable_values_", "_hashable_values_"):
        namespace.pop(name, None)
    namespace = {
        name: part
        for name, part in namespace.items()
        if not (isinstance(part, types.FunctionType) and part.__module__ == "enum") and not isinstance(part, (types.BuiltinFunctionType, types.WrapperDescriptorType, types.MethodDescriptorType))
    }
    namespace["__module__"] = value.__module__
    namespace["__qualname__"] = value.__qualname__
    made_of = (type(value), value.__name__, value.__bases__, namespace, members)
    return (rebuild.enum_class, made_of)


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


_HEAP_TYPE = 1 << 9


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
