"""Turns classes and functions of this process into source that stands on its own.

A definition's source names things that it doesn't define: modules, helpers, constants of the file
it is in. They are looked up where the definition would find them, and written out before it:
imports as imports, plain constants as literals, helpers as source. What can't be written out raises
:class:`SourceError`, which names it and says why.
"""

from __future__ import annotations
import __future__

import ast
import builtins
import dis
import inspect
import logging
import re
import sys
import textwrap
import types
import typing
from collections.abc import Callable, Iterator, Mapping

from smolagents import Tool
from smolagents.utils import get_source

from stepwell.smolagents import texts

Definition = type | Callable[..., object]

_MISSING = object()
# A chain of helpers longer than this is a program of its own.
_DEFINITIONS_MAX = 200
# What stands for names that only annotations use: they mean nothing in the sandbox.
ANNOTATION = "_annotation"


class SourceError(Exception):
    """A definition can't be written out; the message names what and why."""


class Sources:
    """Collects definitions, each after those it needs. For one tool; not thread-safe."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._names: dict[str, object] = {}

    def add(self, definition: Definition, name: str | None = None) -> str:
        """Writes out a class or function, and what it needs. Returns the name under which it is
        then known.
        """
        name = name or definition.__name__
        if self._names.get(name, _MISSING) is definition:
            return name
        if name in self._names or len(self._names) >= _DEFINITIONS_MAX:
            raise SourceError(f"too many definitions, or two different ones, are called {name!r}")
        self._names[name] = definition
        text = _source(definition)
        if isinstance(definition, type):
            text = self._with_local_bases(text, definition)
        self._define_globals(text, definition)
        self._texts.append(text)
        return name

    def text(self) -> str:
        """All of it, in order, as lines that are not indented."""
        return "\n\n".join(self._texts) + "\n"

    def _with_local_bases(self, text: str, cls: type) -> str:
        """Replaces how the class names its bases, such as ``tools.Tool``, by the names that they
        have here.
        """
        node = texts.parse(text).body[0]
        assert isinstance(node, ast.ClassDef)
        bases = [base for base in node.bases if not isinstance(base, ast.Starred)]
        if len(bases) != len(cls.__bases__) or getattr(cls, "__orig_bases__", None):
            return text  # generic classes: their bases are expressions, looked up like any name
        for base, expression in reversed(list(zip(cls.__bases__, bases, strict=True))):
            text = texts.replace(text, expression, self._local_base(base))
        return text

    def _local_base(self, base: type) -> str:
        if base is Tool:
            self._names.setdefault("Tool", Tool)
            return "Tool"
        if issubclass(base, Tool):
            return self.add(base)
        self._define(base.__name__, base, own_module=None)
        return base.__name__

    def _define_globals(self, text: str, definition: Definition) -> None:
        """Defines what the source uses and doesn't define."""
        needed = set(_global_names(text, annotations=False))
        for name in sorted(needed):
            value = _look_up(name, definition)
            if value is _MISSING:
                if not hasattr(builtins, name):
                    raise SourceError(
                        f"it uses the name {name!r}, which is not defined where it was made"
                    )
            elif name not in self._names or self._names[name] is not value:
                self._define(name, value, own_module=getattr(definition, "__module__", None))
        for name in sorted(set(_global_names(text, annotations=True)) - needed):
            if name not in self._names and not hasattr(builtins, name):
                self._names[name] = None
                self._texts.append(f"{name} = {ANNOTATION}")

    def _define(self, name: str, value: object, own_module: str | None) -> None:
        if name in self._names and self._names[name] is not value:
            raise SourceError(f"the name {name!r} stands for two different things in it")
        if value is Tool:
            self._names[name] = value
            if name != "Tool":
                self._texts.append(f"{name} = Tool")
            return
        if isinstance(value, (type, types.FunctionType)) and _is_own(value, own_module):
            known = self.add(value)
            if known != name:
                self._texts.append(f"{name} = {known}")
            return
        self._names[name] = value
        self._texts.append(_statement(name, value))


def _source(definition: Definition) -> str:
    try:
        text = _text(definition)
    except Exception as error:
        raise SourceError(
            f"the source of {definition.__qualname__} can't be had: {error}"
        ) from error
    try:
        node = texts.parse(text).body[0]
    except (SyntaxError, IndexError) as error:
        raise SourceError(
            f"the source of {definition.__qualname__} can't be read: {error}"
        ) from error
    if not isinstance(node, (ast.ClassDef, ast.FunctionDef)):
        raise SourceError(f"{definition.__qualname__} is not defined by 'class' or 'def'")
    return _without_tool_decorator(text, node)


def _text(definition: Definition) -> str:
    own = definition.__dict__.get("__source__")
    if isinstance(own, str):
        return textwrap.dedent(own).strip()
    is_class = isinstance(definition, type)
    for function in _functions(definition):
        if not is_class or function.__qualname__.rpartition(".")[0] == definition.__qualname__:
            text = texts.written(function.__code__, 1 if is_class else 0)
            if text is not None:
                return text
    # A class without methods, or what a notebook keeps elsewhere.
    return str(get_source(definition))


def _without_tool_decorator(text: str, node: ast.ClassDef | ast.FunctionDef) -> str:
    """Blanks the lines of ``@tool``: what it does is done in the sandbox by other means."""
    lines = text.split("\n")
    for decorator in node.decorator_list:
        if ast.unparse(decorator).rpartition(".")[2] == "tool":
            for at in range(decorator.lineno - 1, decorator.end_lineno or decorator.lineno):
                lines[at] = ""
    return "\n".join(lines).lstrip("\n")


def _global_names(text: str, annotations: bool) -> Iterator[str]:
    """The names that a source looks up outside itself. Without annotations, those of annotations
    are left out.
    """
    flags = 0 if annotations else __future__.annotations.compiler_flag
    module = compile(text, "<definition>", "exec", flags, dont_inherit=True)
    defined = set(_stored(module))
    pending = [module]
    while pending:
        code = pending.pop()
        local = set(_stored(code))
        for instruction in dis.get_instructions(code):
            kind, name = instruction.opname, instruction.argval
            is_look_up = kind.startswith("LOAD") and ("GLOBAL" in kind or "NAME" in kind)
            if (
                is_look_up
                and isinstance(name, str)
                and name not in defined | local | {"__name__", "__build_class__"}
            ):
                yield name
        pending += [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]


def _stored(code: types.CodeType) -> Iterator[str]:
    for instruction in dis.get_instructions(code):
        if instruction.opname == "STORE_NAME":
            yield instruction.argval
    if "__module__" in code.co_names:
        yield from ("__module__", "__qualname__")


def _look_up(name: str, definition: Definition) -> object:
    """What a name means to a definition: in the functions around it, then in its file."""
    functions = list(_functions(definition))
    for function in functions:
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        if name in cells:
            try:
                return cells[name].cell_contents
            except ValueError:
                continue
    for function in functions:
        if name in function.__globals__:
            return function.__globals__[name]
    module = sys.modules.get(getattr(definition, "__module__", None) or "")
    return getattr(module, name, _MISSING)


def _functions(definition: Definition) -> Iterator[types.FunctionType]:
    members = vars(definition).values() if isinstance(definition, type) else (definition,)
    for member in members:
        for part in (member, getattr(member, "fget", None), getattr(member, "__func__", None)):
            function = inspect.unwrap(part) if callable(part) else None
            if isinstance(function, types.FunctionType):
                yield function


def _is_own(value: Definition, own_module: str | None) -> bool:
    """Whether a class or function has to be written out, for it can't be imported in a sandbox."""
    module = getattr(value, "__module__", None)
    return "<locals>" in value.__qualname__ or module in ("__main__", own_module)


def _statement(name: str, value: object) -> str:
    """One statement that makes the name mean the same in a sandbox."""
    for kinds, write in _WRITERS.items():
        if isinstance(value, kinds):
            return f"{name} = {write(value)}"
    if isinstance(value, types.ModuleType):
        return f"import {value.__name__} as {name}"
    if getattr(typing, name, _MISSING) is value:
        return f"from typing import {name}"
    where = getattr(value, "__module__", None)
    what = getattr(value, "__qualname__", None)
    is_named = isinstance(where, str) and isinstance(what, str) and "." not in what
    if is_named and getattr(sys.modules.get(str(where)), str(what), _MISSING) is value:
        return f"from {where} import {what} as {name}"
    literal = repr(value)
    if is_literal(value, literal):
        return f"{name} = {literal}"
    raise SourceError(
        f"it uses {name!r} from outside itself, a value of type {type(value).__qualname__} "
        "that can't be written as source"
    )


def is_literal(value: object, literal: str) -> bool:
    """Whether the text is a literal that means exactly this value."""
    try:
        meant = texts.literal(literal)
        return type(meant) is type(value) and repr(meant) == literal
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False


_WRITERS: Mapping[type, Callable[[typing.Any], str]] = {
    re.Pattern: lambda value: f"__import__('re').compile({value.pattern!r}, {value.flags})",
    logging.Logger: lambda value: f"__import__('logging').getLogger({value.name!r})",
}
