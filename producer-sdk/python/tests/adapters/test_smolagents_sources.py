import ast
import logging
import re
import textwrap
from pathlib import Path
from typing import Any, Optional

import numpy as np
import pytest

pytest.importorskip("smolagents")

import smolagents
from smolagents import Tool, tool

from stepwell.smolagents import texts
from stepwell.smolagents.requirements import imports
from stepwell.smolagents.sources import ANNOTATION, SourceError, Sources
from stepwell.smolagents.texts import indent
from stepwell.smolagents.tools import runtime

RATE = 3
PATTERN = re.compile("a+", re.IGNORECASE)
LOG = logging.getLogger("of.the.test")
UNWRITABLE = object()


def helper(value: int) -> int:
    return RATE * value


class Base(smolagents.Tool):
    name = "based"
    description = """Has lines
that are not indented."""
    inputs = {"value": {"type": "integer", "description": "any"}}
    output_type = "integer"

    def forward(self, value: Optional[int]) -> Optional[int]:
        return helper(value or 0)


class Derived(Base):
    def forward(self, value: Optional[int]) -> int:
        return (super().forward(value) or 0) + len(PATTERN.pattern)


def run(sources: Sources) -> dict[str, Any]:
    class Stub:
        def __init__(self, *args: object) -> None: ...

    namespace: dict[str, Any] = {"__name__": "elsewhere"}
    exec(runtime().text, namespace)
    namespace |= {"Tool": Stub, ANNOTATION: namespace["_StepwellAnnotation"]()}
    exec(sources.text(), namespace)
    return namespace


def test_class_brings_bases_helpers_and_constants() -> None:
    sources = Sources()
    name = sources.add(Derived)
    made = run(sources)
    assert made[name]().forward(2) == 8
    assert made["Base"].description == Base.description


def test_closure_is_written_out() -> None:
    suffix = "!"

    @tool
    def shout(text: str, times: Optional[int] = None) -> str:
        """Shouts.

        Args:
            text: what
            times: how often
        """
        return text.upper() + suffix

    sources = Sources()
    name = sources.add(shout.forward.__wrapped__)
    assert run(sources)[name]("a") == "A!"


def test_modules_loggers_and_patterns_are_written_out() -> None:
    def uses_them(text: str) -> Any:
        LOG.info("called")
        return np.float64(len(PATTERN.findall(text)))

    sources = Sources()
    sources.add(uses_them)
    made = run(sources)
    assert made["uses_them"]("aAb") == 1.0
    assert made["LOG"] is LOG
    assert "numpy" in imports(sources.text())


def test_value_without_source_is_named() -> None:
    def uses_it() -> object:
        return UNWRITABLE

    with pytest.raises(SourceError, match="'UNWRITABLE'.*type object"):
        Sources().add(uses_it)


def test_undefined_name_is_named() -> None:
    def uses_it() -> object:
        return nowhere_defined  # type: ignore[name-defined] # noqa: F821

    with pytest.raises(SourceError, match="'nowhere_defined'"):
        Sources().add(uses_it)


def test_source_that_is_nowhere_is_refused() -> None:
    namespace: dict[str, Any] = {}
    exec("def made_by_exec(): return 1", namespace)
    with pytest.raises(SourceError, match=r"source of made_by_exec can't be had"):
        Sources().add(namespace["made_by_exec"])


def test_attribute_with_source_stands_for_it() -> None:
    namespace: dict[str, Any] = {"Tool": Tool}
    text = "class Loaded(Tool):\n    name = 'loaded'\n"
    exec(text, namespace)
    namespace["Loaded"].__source__ = text
    sources = Sources()
    assert run(sources).keys() and sources.add(namespace["Loaded"]) == "Loaded"
    assert "name = 'loaded'" in sources.text()


def test_imports_leave_out_the_standard_library_and_guarded_ones() -> None:
    text = textwrap.dedent(
        """
        import os.path
        import requests.adapters as a
        from bs4.element import Tag
        def f():
            try:
                import ujson
            except ImportError:
                import simplejson
        """
    )
    assert imports(text) == {"requests", "bs4", "simplejson"}


def test_indent_leaves_texts_as_they_are() -> None:
    text = 'x = """a\nb"""\ny = f"""{x}\nc"""\nif x:\n    z = 1'
    indented = "if True:\n" + indent(text)
    namespace: dict[str, Any] = {}
    exec(indented, namespace)
    assert (namespace["x"], namespace["y"], namespace["z"]) == ("a\nb", "a\nb\nc", 1)


def test_class_of_a_module_that_is_not_registered_is_found(tmp_path: Path) -> None:
    file = tmp_path / "loaded.py"
    file.write_text(
        "class Other:\n    def forward(self): return 0\n"
        'def make():\n    class Loaded:\n        text = """a\nb"""\n'
        "        def forward(self): return self.text\n    return Loaded\n"
    )
    namespace: dict[str, Any] = {"__name__": "nowhere"}
    exec(compile(file.read_text(), str(file), "exec"), namespace)
    sources = Sources()
    name = sources.add(namespace["make"]())
    assert run(sources)[name]().forward() == "a\nb"


def test_parsing_bears_other_threads_that_parse(monkeypatch: pytest.MonkeyPatch) -> None:
    faults = [SystemError("AST constructor recursion depth mismatch")] * 3
    really = ast.parse

    def parse(text: str, *more: Any, **options: Any) -> Any:
        if faults and not more:  # pytest parses as well, with more arguments
            raise faults.pop()
        return really(text, *more, **options)

    monkeypatch.setattr(ast, "parse", parse)
    assert ast.unparse(texts.parse("a=1")) == "a = 1"
    faults = [SystemError("for ever")] * 1000
    with pytest.raises(SystemError, match="for ever"):
        texts.parse("a=1")
