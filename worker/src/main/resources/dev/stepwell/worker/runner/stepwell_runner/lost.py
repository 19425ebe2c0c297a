"""What stands where a value could not be kept."""

# True while a snapshot is read: an unpickler fills what it has made, and must be able to fill this, too.
loading = False


class LostValue:
    """Stands in a kept container for a value that was not kept. Any use raises RuntimeError with the reason."""

    __slots__ = ("_why",)

    def __init__(self, why: str) -> None:
        object.__setattr__(self, "_why", why)

    def __repr__(self) -> str:
        return f"<lost: {reason_of(self)}>"

    def __reduce__(self):
        return (LostValue, (reason_of(self),))

    def __setstate__(self, state: object) -> None:
        """Swallows what the lost value would have been filled with."""

    def __getattr__(self, name: str):
        if loading and name in ("append", "extend", "add", "update"):
            return lambda *values: None
        if name[:2] == "__":
            # What Python itself asks any object for.
            raise AttributeError(name)
        return _refuse(self)

    def __setattr__(self, name: str, value: object) -> None:
        _refuse(self)

    def __setitem__(self, key: object, value: object) -> None:
        _refuse(self)


def _refuse(self: LostValue, *arguments: object, **named: object):
    if not loading:
        raise RuntimeError(f"this value was not kept between steps: {reason_of(self)}")


for _name in ("call", "iter", "next", "len", "bool", "getitem", "delitem", "contains", "enter", "exit", "await"):
    setattr(LostValue, f"__{_name}__", _refuse)
for _name in ("add", "radd", "sub", "mul", "truediv", "lt", "gt", "le", "ge", "int", "float", "index"):
    setattr(LostValue, f"__{_name}__", _refuse)


def reason_of(value: LostValue) -> str:
    """Why it was lost."""
    return object.__getattribute__(value, "_why")


def lost_class(why: str) -> type:
    """A class whose every instance is a lost value: for a class that can't be found any more."""

    def make(cls: type, *arguments: object, **named: object) -> LostValue:
        value = object.__new__(LostValue)
        object.__setattr__(value, "_why", why)
        return value

    return type("LostValue", (LostValue,), {"__slots__": (), "__new__": make, "lost_because": why})


def lost_reason(value: object) -> str | None:
    """Why the value is lost, or None if it is not."""
    if isinstance(value, LostValue):
        return reason_of(value)
    if isinstance(value, type) and issubclass(value, LostValue):
        return getattr(value, "lost_because", "its class was not kept")
    return None
