"""Tools as parts of a prelude: their source and what they were made with, or a refusal before
anything is run.
"""

from __future__ import annotations

import functools
import importlib.resources
import inspect
import types
from collections.abc import Mapping
from typing import Any

from smolagents import Tool
from smolagents.default_tools import FinalAnswerTool
from smolagents.tools import PipelineTool
from smolagents.utils import BASE_BUILTIN_MODULES

from stepwell.smolagents import requirements
from stepwell.smolagents.arguments import ArgumentError, recreation
from stepwell.smolagents.preludes import Part
from stepwell.smolagents.sources import ANNOTATION, SourceError, Sources
from stepwell.smolagents.texts import indent
from stepwell.variables import encode

_WRAPPERS = {
    "SpaceToolWrapper": "it calls a Space on the Hub",
    "GradioToolWrapper": "it wraps a Gradio tool of this process",
    "LangChainToolWrapper": "it wraps a LangChain tool of this process",
}
_WAY_OUT_OF_CONNECTIONS = (
    "Call it here and hand its results over as variables (additional_args), "
    "or give the work to a ToolCallingAgent, whose tools run in this process"
)


class RefusalError(Exception):
    """A tool can't be brought into a sandbox; the message names it, the reason and the way out."""


@functools.cache
def runtime() -> Part:
    """What all tools need in a session, and the modules that smolagents promises to every agent."""
    text = (
        importlib.resources.files(__package__)
        .joinpath("in_sandbox")
        .joinpath("tools.py")
        .read_text("utf-8")
    )
    modules = "".join(f"import {module}\n" for module in BASE_BUILTIN_MODULES)
    return Part("runtime", f"{text}\n{modules}")


def requirements_part(wanted: Mapping[str, list[str]]) -> Part:
    """The check that a sandbox has what is wanted: names of packages by who wants them."""
    asked = [
        (who, requirements.candidates(name)) for who, names in wanted.items() for name in names
    ]
    return Part("requirements", f"_stepwell_require({asked!r})")


def tool_part(
    name: str, tool: object, given: Mapping[str, object] | None
) -> tuple[Part, list[str]]:
    """The part that defines a tool under a name, and the packages that it needs.

    Args:
        name: what the agent's code calls it.
        tool: an instance of smolagents' ``Tool``.
        given: its constructor's arguments where the caller knows them, else None.

    Raises:
        RefusalError: it can't be brought into a sandbox.
    """
    if not isinstance(tool, Tool):
        raise RefusalError(_not_a_tool(name, tool))
    reason = _lives_here(tool)
    if reason:
        raise RefusalError(
            f"Tool {name!r} can't run in a sandbox: {reason}. {_WAY_OUT_OF_CONNECTIONS}"
        )
    sources = Sources()
    try:
        function = _function(tool)
        definition = sources.add(function if function is not None else type(tool))
        text = sources.text()
        values, by_constructor = _values(tool, function, given)
    except SourceError as error:
        raise RefusalError(
            f"Tool {name!r} can't be brought into a sandbox: {error}. A tool travels as its "
            "source: define it with 'class' or 'def' in a file, and import what it uses within "
            "its methods"
        ) from error
    except ArgumentError as error:
        raise RefusalError(
            f"Tool {name!r} can't be brought into a sandbox: {error}. Keep each argument as it "
            "came ('self.x = x'), or say what it was made with: StepwellExecutor(..., "
            f"tool_arguments={{{name!r}: {{...}}}})"
        ) from error
    names = {key: f"_stepwell_value_{at}" for at, key in enumerate(values)}
    encoded = encode({names[key]: value for key, value in values.items()}, allow_pickle=True)
    given_values = ", ".join(f"{key!r}: {names[key]}" for key in values)
    lines = [
        encoded.prelude,
        f"def _stepwell_define(Tool, {ANNOTATION}, values):\n{indent(text)}\n"
        f"    return _stepwell_make_tool({definition}, values, {by_constructor})\n",
        f"{name} = _stepwell_define(_StepwellTool, _StepwellAnnotation(), {{{given_values}}})",
        f"del {', '.join(['_stepwell_define', *names.values()])}",
    ]
    if isinstance(tool, FinalAnswerTool) or name == "final_answer":
        lines.append(f"{name} = _StepwellFinalAnswer({name})")
    return Part(f"tool {name}", "\n".join(lines), frozenset((name,)), encoded.files), sorted(
        requirements.imports(text)
    )


def _not_a_tool(name: str, tool: object) -> str:
    if hasattr(tool, "run") and hasattr(tool, "memory"):
        return (
            f"Managed agent {name!r} can't run in a sandbox: it needs its model and its memory, "
            "which are in this process. Let an agent with the local executor or a "
            "ToolCallingAgent manage agents that have a StepwellExecutor each"
        )
    return (
        f"Tool {name!r} is a {type(tool).__qualname__}, not a smolagents Tool. Wrap it with "
        "smolagents' @tool"
    )


def _lives_here(tool: Tool) -> str | None:
    """Why a tool works in this process only; None where nothing is known against a sandbox."""
    for cls in type(tool).__mro__:
        if cls.__name__ in _WRAPPERS:
            return _WRAPPERS[cls.__name__]
        if cls.__name__ == "MCPAdaptTool" or cls.__module__.partition(".")[0] in (
            "mcpadapt",
            "mcp",
        ):
            return "it calls an MCP server over a connection of this process"
    if isinstance(tool, PipelineTool):
        return "it is a pipeline, which loads a model from the Hub, and sandboxes have no network"
    return None


def _function(tool: Tool) -> types.FunctionType | None:
    """The function of a tool that was made by @tool."""
    if type(tool).__name__ != "SimpleTool":
        return None
    function = inspect.unwrap(tool.forward)
    return function if isinstance(function, types.FunctionType) else None


def _values(
    tool: Tool, function: types.FunctionType | None, given: Mapping[str, object] | None
) -> tuple[dict[str, Any], bool]:
    if function is None:
        made = recreation(tool, given)
        return dict(made.values), made.by_constructor
    described = {
        name: getattr(tool, name, None)
        for name in ("name", "description", "inputs", "output_type", "output_schema")
    }
    return {**described, "is_initialized": True}, False
