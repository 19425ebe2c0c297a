"""The safety net: loads a variable when code looks it up that could not be seen to do so.

A global name that is not in the namespace is looked up in the builtins. While something is not loaded, these are a dict
that asks the loader before it gives up; the namespace stays an ordinary dict.
"""
import builtins
import sys
import types

from stepwell_runner.loader import Loader


# Stands in the namespace after all that was there when the step's code began.
_MARK = "\0"


class Builtins(dict):
    """The builtins, and behind them the variables that are not loaded yet."""

    __slots__ = ("loader",)

    def __missing__(self, name: str) -> object:
        return self.loader.find(name)


class _MainModule(types.ModuleType):
    """The session's main module: pickle, for one, looks for its attributes by name."""

    def __getattr__(self, name: str) -> object:
        loader = vars(self)["__builtins__"].loader
        try:
            return loader.find(name)
        except KeyError:
            raise AttributeError(f"module '__main__' has no attribute {name!r}") from None


_MainModule.__name__ = _MainModule.__qualname__ = "module"
_MainModule.__module__ = "builtins"


def place(loader: Loader) -> None:
    """Puts the net behind the namespace. Functions made from now on have it, too."""
    net = Builtins(vars(builtins))
    net.loader = loader
    loader.namespace["__builtins__"] = net
    loader.main.__class__ = _MainModule


def mark(loader: Loader) -> None:
    """The code is about to begin: what it binds, it binds after this, even where it had deleted the name."""
    loader.namespace[_MARK] = None


def remove(loader: Loader) -> None:
    """Takes net and mark away, if they are there, and notes which names came after the mark."""
    namespace = loader.namespace
    if type(loader.main) is _MainModule:
        loader.main.__class__ = types.ModuleType
        namespace["__builtins__"] = sys.modules.get("builtins", builtins)
    if _MARK in namespace:
        names = list(namespace)
        loader.bound_by_step.update(names[names.index(_MARK) + 1 :])
        loader.bound_by_step -= loader.loaded_late
        del namespace[_MARK]
