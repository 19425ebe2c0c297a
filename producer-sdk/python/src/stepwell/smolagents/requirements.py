"""What tools and agents want to import, checked in the sandbox: it has no network, so nothing is
installed.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator

from stepwell.smolagents import texts

# Where the name of a distribution is not the name of its module.
_DISTRIBUTIONS = {
    "bs4": "beautifulsoup4",
    "cv2": "opencv-python-headless",
    "dateutil": "python-dateutil",
    "dotenv": "python-dotenv",
    "fitz": "pymupdf",
    "PIL": "pillow",
    "sklearn": "scikit-learn",
    "skimage": "scikit-image",
    "wikipediaapi": "wikipedia-api",
    "yaml": "pyyaml",
}


def wanted(names: Iterable[str]) -> list[str]:
    """The packages among an agent's imports that a sandbox has to have, in order, each once.

    ``*`` and modules of Python itself want nothing, ``matplotlib.pyplot`` wants ``matplotlib``, and
    a version in a name such as ``numpy>=2`` is not looked at.
    """
    found: dict[str, None] = {}
    for name in names:
        top = re.split(r"[\s\[<>=!~;@.]", name.strip(), maxsplit=1)[0]
        if top and top != "*" and top not in sys.stdlib_module_names:
            found[top] = None
    return list(found)


def distribution(name: str) -> str:
    """The name to install a module by."""
    return _DISTRIBUTIONS.get(name, name)


def candidates(name: str) -> tuple[str, ...]:
    """The modules that a wanted name may mean: people write ``pillow`` as well as ``PIL``."""
    modules = [
        module
        for module, known in _DISTRIBUTIONS.items()
        if known == name.lower().replace("_", "-")
    ]
    return (name, *modules, name.replace("-", "_"))


def way_out(missing: Iterable[str]) -> str:
    """What to do where a profile lacks packages."""
    packages = ",".join(sorted({distribution(name) for name in missing}))
    return (
        "Sandboxes have no network, so nothing can be installed while code runs. Make an image "
        "that has them, "
        f"such as by 'bin/stepwell images build NAME --base data --pip {packages}', "
        "and name its profile: StepwellExecutor(..., profile=NAME)"
    )


def shell_way_out(line: str) -> str:
    """What to do instead of a notebook's command such as ``!pip install x``."""
    words = line.lstrip("!% ").split()
    if "install" in words:
        asked = [word for word in words[words.index("install") + 1 :] if not word.startswith("-")]
        return way_out(wanted(asked) or ["PACKAGE"])
    return "Run programs by Python's subprocess module; there is no notebook behind this session"


def imports(text: str) -> frozenset[str]:
    """The top-level modules that a source imports and that don't come with Python.

    Imports in a ``try`` that handles their failing are left out: the source can do without.
    """
    found: set[str] = set()
    for node in _unguarded(texts.parse(text)):
        if isinstance(node, ast.Import):
            found.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return frozenset(found - set(sys.stdlib_module_names))


def _unguarded(tree: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.Try) and any(
            _handles_import_error(handler) for handler in child.handlers
        ):
            for part in (*child.handlers, *child.orelse, *child.finalbody):
                yield from _unguarded(part)
        else:
            yield child
            yield from _unguarded(child)


def _handles_import_error(handler: ast.ExceptHandler) -> bool:
    names = (
        {node.id for node in ast.walk(handler.type) if isinstance(node, ast.Name)}
        if handler.type
        else {"Exception"}
    )
    return not names.isdisjoint(
        {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}
    )
