"""The module ``stepwell_step``, which steps can import, and what pyplot's ``show`` is in a step.

Both functions belong to the module, so that a variable of the session that holds one is kept by its name and is the
next step's own function there.
"""
import sys
import types

import _frozen_importlib

from stepwell_runner.displays import Displays

NAME = "stepwell_step"
PYPLOT = "matplotlib.pyplot"

# Of the one step that this process runs.
_displays: Displays | None = None


def display(*objects, mime=None):
    """Shows objects, each with its text and its richer forms, or forms given by their media types."""
    if objects and mime is not None:
        raise TypeError("display() takes objects or mime, not both")
    if _displays is None or _displays.silent():
        return
    if mime is not None:
        _displays.forms(mime)
    for value in objects:
        _displays.object(value)


def show(*args, **kwargs):
    """Shows every figure that pyplot has open, in the order of their numbers, and closes it."""
    # A step that has this function from an earlier one has not imported pyplot yet, which opens the session's figures.
    __import__(PYPLOT)
    helpers = sys.modules["matplotlib._pylab_helpers"]
    for number in sorted(helpers.Gcf.figs):
        manager = helpers.Gcf.figs[number]
        if _displays is not None and not _displays.silent():
            _displays.figure(manager.canvas.figure)
        helpers.Gcf.destroy(manager)


class _Finder:
    """Gives step code the module, however it has treated the table of modules."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        return _module.__spec__ if name == NAME else None

    @staticmethod
    def create_module(spec):
        return _module

    @staticmethod
    def exec_module(module):
        return None


def _make() -> types.ModuleType:
    module = types.ModuleType(NAME)
    module.__spec__ = _frozen_importlib.ModuleSpec(NAME, _Finder)
    module.__loader__ = _Finder
    module.__all__ = ["display"]
    for function in (display, show):
        function.__module__ = NAME
        setattr(module, function.__name__, function)
    return module


_module = _make()


def begin(displays: Displays) -> None:
    """Makes the module importable, for the step that shows things here."""
    global _displays
    _displays = displays
    sys.meta_path.insert(0, _Finder)
    if PYPLOT in sys.modules:
        hook_pyplot()


def hook_pyplot() -> None:
    """Called once pyplot is imported: without a window its own ``show`` shows nothing, and warns."""
    sys.modules[PYPLOT].show = show


def end() -> None:
    """The source has ended. Functions of the module are found by name again, to be kept."""
    assert _displays is not None
    _displays.close()
    sys.modules[NAME] = _module
