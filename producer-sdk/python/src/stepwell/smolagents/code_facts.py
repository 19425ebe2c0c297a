"""What can be said of a step's code without running it."""

from __future__ import annotations

import ast
import re

from stepwell.smolagents import texts

_SHELL_LINE = re.compile(r"^\s*[!%]\s*\w.*$", re.MULTILINE)


def shell_line(code: str) -> str | None:
    """The first notebook command in code that is no Python, such as ``!pip install x``; None where
    there is none.
    """
    match = _SHELL_LINE.search(code)
    return match.group(0).strip() if match and _tree(code) is None else None


def bound_names(code: str) -> frozenset[str]:
    """The names that code may give another meaning to; none for code that is no Python."""
    names: set[str] = set()
    for node in ast.walk(_tree(code) or ast.Module([], [])):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.alias):
            names.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.ExceptHandler) and node.name:
            names.add(node.name)
    return frozenset(names)


def _tree(code: str) -> ast.Module | None:
    try:
        return texts.parse(code)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
