"""Takes the runner's modules out of the step's sight, and brings them back to save the session."""
import sys
from types import ModuleType

_PACKAGE = "stepwell_runner"


class Hiding:
    """Holds the runner's modules while they are hidden."""

    def __init__(self) -> None:
        self._modules: dict[str, ModuleType] = {}
        self._finder = None
        self._hidden = False

    def hide(self) -> None:
        """Step code that lists or clears the imported modules finds none of the runner's."""
        self._hidden = True
        for name in list(sys.modules):
            if name.partition(".")[0] == _PACKAGE:
                self._modules[name] = sys.modules.pop(name)
        for finder in sys.meta_path:
            if getattr(finder, "__module__", "") == "stepwell_loader":
                self._finder = finder
        if self._finder is not None and self._finder in sys.meta_path:
            sys.meta_path.remove(self._finder)

    def show(self) -> None:
        """Makes them importable again, whatever the step did to the tables of modules and finders."""
        self._hidden = False
        sys.modules.update(self._modules)
        if self._finder is not None:
            sys.meta_path.insert(0, self._finder)

    def module(self, name: str) -> ModuleType:
        """One of the runner's modules, imported now if need be, even while they are hidden."""
        full_name = f"{_PACKAGE}.{name}"
        known = self._modules.get(full_name) or sys.modules.get(full_name)
        if known is not None:
            return known
        hidden = self._hidden
        if hidden:
            self.show()
        try:
            __import__(full_name)
            return sys.modules[full_name]
        finally:
            if hidden:
                self.hide()
