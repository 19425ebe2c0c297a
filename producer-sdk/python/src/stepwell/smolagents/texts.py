"""Source as text: found where it was written, moved sideways, and changed in one place."""

from __future__ import annotations

import ast
import functools
import linecache
import threading
import types
from collections.abc import Iterator

Definition = ast.ClassDef | ast.FunctionDef

_parsing = threading.Lock()
_TRIES = 20


def parse(text: str) -> ast.Module:
    """What `ast.parse` returns, also where other threads parse at the same time.

    CPython 3.11 counts how deep a tree is for all threads together, and raises SystemError where
    another one comes between. The lock keeps this package's threads apart, trying again all others.
    """
    for _ in range(_TRIES):
        try:
            with _parsing:
                return ast.parse(text)
        except SystemError as error:
            problem = error
    raise problem


def literal(text: str) -> object:
    """What a literal means, as of `ast.literal_eval`, which see for what it raises."""
    (statement,) = parse(text).body
    if not isinstance(statement, ast.Expr):
        raise ValueError("this is a statement")
    return ast.literal_eval(statement.value)


def written(code: types.CodeType, depth: int) -> str | None:
    """The source of a function, or of a class around it, at the line where its code says that it
    is.

    Args:
        code: the function's.
        depth: 0 for the function itself, 1 for the class that it is a method of.

    Returns:
        its lines without indentation; None where the file is not there, or is another by now.
    """
    lines = linecache.getlines(code.co_filename)
    try:
        tree = _parse_file("".join(lines))
    except (SyntaxError, ValueError, RecursionError):
        return None
    for path in _paths(tree, ()):
        node = path[-1]
        if (
            isinstance(node, ast.FunctionDef)
            and node.name == code.co_name
            and _first_line(node) == code.co_firstlineno
        ):
            around = path[-1 - depth] if len(path) > depth else None
            return (
                _lines_of(around, lines)
                if isinstance(around, (ast.ClassDef, ast.FunctionDef))
                else None
            )
    return None


def indent(text: str) -> str:
    """Indents statements by four spaces, and leaves the insides of texts over several lines as they
    are.
    """
    inside = _inside_texts(parse(text))
    lines = text.split("\n")
    return "\n".join(
        "    " + line if line and number not in inside else line
        for number, line in enumerate(lines, 1)
    )


def replace(text: str, node: ast.expr, new: str) -> str:
    """Puts other text in an expression's place. Columns of syntax trees count bytes of UTF-8."""
    lines = [line.encode() for line in text.split("\n")]
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    tail = lines[last][node.end_col_offset or 0 :]
    joined = lines[first][: node.col_offset] + new.encode() + tail
    return "\n".join(line.decode() for line in [*lines[:first], joined, *lines[last + 1 :]])


# Tools of one file come together. Nobody changes the trees.
_parse_file = functools.lru_cache(maxsize=8)(parse)


def _paths(node: ast.AST, around: tuple[ast.AST, ...]) -> Iterator[tuple[ast.AST, ...]]:
    """Every node with all that it is in."""
    for child in ast.iter_child_nodes(node):
        path = (*around, child)
        yield path
        yield from _paths(child, path)


def _first_line(node: Definition) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def _lines_of(node: Definition, lines: list[str]) -> str:
    inside = _inside_texts(node)
    numbers = range(_first_line(node), (node.end_lineno or node.lineno) + 1)
    kept = [
        lines[number - 1] if number in inside else lines[number - 1][node.col_offset :]
        for number in numbers
    ]
    return "".join(line if line.endswith("\n") else line + "\n" for line in kept).rstrip()


def _inside_texts(tree: ast.AST) -> set[int]:
    """The lines that begin within a text."""
    inside: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and not isinstance(node.value, (str, bytes)):
            continue
        if isinstance(node, (ast.Constant, ast.JoinedStr)):
            inside.update(range(node.lineno + 1, (node.end_lineno or node.lineno) + 1))
    return inside
