"""How a tool of this process is made again in a sandbox, as it is here.

What a tool has in its attributes is what its constructor made of its arguments, and what happened
to it since. Where all of that can travel, the copy gets these attributes and no constructor runs.
Else, as for a tool that holds a connection, the copy is constructed anew, from the arguments that
the constructor has kept unchanged. Where neither is possible the tool is refused.
"""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from smolagents import Tool

from stepwell.smolagents import texts
from stepwell.variables import encode


class ArgumentError(Exception):
    """A tool's constructor arguments can't be known or can't travel."""

    def __init__(self, argument: str, reason: str) -> None:
        super().__init__(f"argument {argument!r}: {reason}")
        self.argument = argument


@dataclass(frozen=True, slots=True)
class Recreation:
    """What a copy is made of: its attributes, or the arguments of its constructor."""

    values: Mapping[str, object]
    by_constructor: bool


def recreation(tool: Tool, given: Mapping[str, object] | None) -> Recreation:
    """Finds out how a tool is made again. Raises ArgumentError where that can't be known.

    Args:
        tool: the tool; it is not changed.
        given: the arguments of its constructor where the caller knows them, else None.
    """
    if given is not None:
        _check_given(tool, given)
        return Recreation(dict(given), by_constructor=True)
    attributes = vars(tool)
    problems = {
        name: problem for name, value in attributes.items() if (problem := why_not_portable(value))
    }
    if not problems:
        return Recreation(dict(attributes), by_constructor=False)
    return Recreation(_arguments(tool, problems), by_constructor=True)


def why_not_portable(value: object) -> str | None:
    """Why a value can't travel to a sandbox; None where it can."""
    try:
        encode({"value": value}, allow_pickle=False)
        return None
    except Exception as error:  # whatever a value's own code raises
        reason = str(error)
    if type(value).__module__.partition(".")[0] not in sys.stdlib_module_names or callable(value):
        return f"a value of type {type(value).__qualname__} can't travel ({reason})"
    try:
        encode({"value": value}, allow_pickle=True)
        return None
    except Exception as error:
        return f"a value of type {type(value).__qualname__} can't travel ({error})"


def _check_given(tool: Tool, given: Mapping[str, object]) -> None:
    try:
        inspect.signature(type(tool)).bind(**given)
    except TypeError as error:
        raise ArgumentError(
            "*", f"the arguments given for it don't fit its constructor: {error}"
        ) from error
    for name, value in given.items():
        problem = why_not_portable(value)
        if problem:
            raise ArgumentError(name, problem)


def _arguments(tool: Tool, problems: Mapping[str, str]) -> dict[str, object]:
    constructor = inspect.unwrap(type(tool).__init__)
    kept = _kept_as_they_came(constructor)
    found: dict[str, object] = {}
    because = "; ".join(f"attribute {name!r}: {problem}" for name, problem in problems.items())
    for name, parameter in list(inspect.signature(constructor).parameters.items())[1:]:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        attribute = kept.get(name)
        if attribute is None or attribute not in vars(tool):
            raise ArgumentError(
                name,
                f"the tool doesn't keep it as it came, and can't be copied as it is ({because})",
            )
        value = vars(tool)[attribute]
        problem = why_not_portable(value)
        if problem:
            raise ArgumentError(name, problem)
        found[name] = value
    return found


def _kept_as_they_came(constructor: Callable[..., object]) -> dict[str, str]:
    """Which parameter is kept in which attribute: by ``self.key = key`` and nothing else."""
    try:
        tree = texts.parse(textwrap.dedent(inspect.getsource(constructor)))
    except (OSError, TypeError, SyntaxError):
        return {}
    kept: dict[str, str] = {}
    stores: Counter[str] = Counter()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Store):
            stores[ast.unparse(node)] += 1
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, ast.Name):
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            if isinstance(target, ast.Attribute) and ast.unparse(target.value) == "self":
                kept[node.value.id] = target.attr
    return {
        name: attribute
        for name, attribute in kept.items()
        if stores[f"self.{attribute}"] == 1 and not stores[name]
    }
