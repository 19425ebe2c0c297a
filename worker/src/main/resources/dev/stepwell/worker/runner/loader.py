"""Makes the runner's modules importable from memory, and starts the supervisor.

``MODULES`` maps a module's name to its marshalled code, so that a module costs nothing until it is imported: the
supervisor never loads what only the step's process needs.
"""
import _frozen_importlib
import builtins
import marshal
import sys

# A private copy: step code that rebinds builtins must not change what the runner calls.
_BUILTINS = dict(vars(builtins))


class _Importer:
    """Finds and loads the runner's modules."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name not in MODULES:
            return None
        return _frozen_importlib.ModuleSpec(name, _Importer, is_package="." not in name)

    @staticmethod
    def create_module(spec):
        return None

    @staticmethod
    def exec_module(module):
        namespace = vars(module)
        namespace["__builtins__"] = _BUILTINS
        exec(marshal.loads(MODULES[module.__name__]), namespace)


sys.meta_path.insert(0, _Importer)

from stepwell_runner import supervisor  # noqa: E402

supervisor.main()
