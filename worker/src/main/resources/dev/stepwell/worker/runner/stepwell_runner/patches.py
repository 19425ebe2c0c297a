"""What a session has put into modules: functions in the place of what was there, and figures that pyplot holds open."""
import opcode
import sys
import types

from stepwell_runner.loader import Loader
from stepwell_runner.reach import words_of

_PYPLOT = "matplotlib.pyplot"
# No attribute is called like this.
_FIGURE = "figure "


def find(
    loader: Loader, known: dict[str, dict[str, str]], codes: list[types.CodeType]
) -> "list[tuple[str, str, object]]":
    """Module, name and value of each patch.

    Looked for in modules that the session names or has patched before, and, by the attributes that its code stores, in
    all others.
    """
    namespace = loader.namespace
    looked_at: dict[str, types.ModuleType] = {}
    for value in namespace.values():
        if type(value) is types.ModuleType and sys.modules.get(value.__name__) is value and value is not loader.main:
            looked_at[value.__name__] = value
    for name in known:
        module = sys.modules.get(name)
        if type(module) is types.ModuleType:
            looked_at.setdefault(name, module)
    found = []
    for module_name, module in sorted(looked_at.items()):
        for name, value in vars(module).items():
            if type(value) is types.FunctionType and value.__globals__ is namespace:
                found.append((module_name, name, value))
    functions = [value.__code__ for value in namespace.values() if type(value) is types.FunctionType]
    for name in sorted(_stored(codes + functions)):
        for module_name, module in list(sys.modules.items()):
            value = getattr(module, "__dict__", {}).get(name) if module_name not in looked_at else None
            if type(value) is types.FunctionType and value.__globals__ is namespace and module is not loader.main:
                found.append((module_name, name, value))
    return found + _figures()


def _figures() -> "list[tuple[str, str, object]]":
    """The figures that are open, whether or not a variable has them."""
    helpers = sys.modules.get("matplotlib._pylab_helpers")
    if helpers is None or _PYPLOT not in sys.modules:
        return []
    managers = sorted(helpers.Gcf.figs.items(), key=lambda item: str(item[0]))
    return [(_PYPLOT, f"{_FIGURE}{number}", manager.canvas.figure) for number, manager in managers]


def _stored(codes: list[types.CodeType]) -> set[str]:
    """The attributes that code stores: the names in its operations, and all its words where it does so by a name."""
    store = opcode.opmap["STORE_ATTR"]
    found: set[str] = set()
    pending = list(codes)
    while pending:
        code = pending.pop()
        pending += [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
        operations, extended = code.co_code, 0
        for at in range(0, len(operations), 2) if store in operations[::2] else ():
            argument = operations[at + 1] | extended
            extended = argument << 8 if operations[at] == opcode.EXTENDED_ARG else 0
            if operations[at] == store and argument < len(code.co_names):
                found.add(code.co_names[argument])
        if "setattr" in code.co_names:
            found |= words_of(code)
    return found


def not_taken_up(known: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    """The patches of modules that the step has not imported."""
    return {name: dict(attributes) for name, attributes in known.items() if name not in sys.modules}


def apply(loader: Loader, module_name: str) -> None:
    """Patches an imported module again."""
    module = sys.modules.get(module_name)
    attributes = loader.table.patches.get(module_name, {})
    loader.load({loader.homes[key] for key in attributes.values() if key in loader.homes})
    for name, key in attributes.items():
        # A figure that was open when it was pickled opens itself.
        if module is not None and key in loader.objects and not name.startswith(_FIGURE):
            setattr(module, name, loader.objects[key])
