"""The final answer of an agent: how the sandbox shows it, and how it is read here.

The answer is shown as a display, before an exception ends the step. So it stands whatever becomes
of that exception: code that swallows it by a bare ``except`` goes on, but the first answer given is
the step's answer. The exception says the same again, for a step that has shown as much as it may
before.
"""

from __future__ import annotations

import base64
import importlib.resources
import pickle
import re
from dataclasses import dataclass
from typing import Any

from stepwell import ExecutionResult, SessionFiles, StepwellError, variables
from stepwell.smolagents.preludes import Part
from stepwell.variables.preludes import module_source

ANSWER_TYPE = "application/vnd.stepwell.final-answer+json"
_EXCEPTION = "_StepwellFinalAnswerGiven"
_FILE = ".stepwell/final-answer-{}"
_FILE_NAME = re.compile(r"[0-9a-f]{32}")
# A longer one goes into a file: an exception's message is cut, and what a step shows is limited.
_SHOWN_CHARACTERS = 8 << 10

_DUMPED = """\
def _stepwell_dumped(value):
{dump}
    try:
        return dump(value), None
    except Unportable as error:
        return None, str(error)

"""


class AnswerError(Exception):
    """A step gave an answer that can't be had; the message names the reason and the way out."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A final answer, which may be None."""

    value: Any


def final_answer_part(allow_pickle: bool) -> Part:
    """What the final-answer tool needs in a session."""
    file = (
        importlib.resources.files("stepwell.smolagents")
        .joinpath("in_sandbox")
        .joinpath("answer.py")
    )
    settings = {
        "_STEPWELL_ALLOW_PICKLE": allow_pickle,
        "_STEPWELL_ANSWER_TYPE": ANSWER_TYPE,
        "_STEPWELL_ANSWER_FILE": _FILE,
        "_STEPWELL_SHOWN_CHARACTERS": _SHOWN_CHARACTERS,
    }
    assignments = "".join(f"{name} = {value!r}\n" for name, value in settings.items())
    dumped = _DUMPED.format(dump=module_source("portable_dump"))
    return Part("final answer", "\n".join([dumped, file.read_text("utf-8"), assignments]))


def answer_of(result: ExecutionResult, files: SessionFiles, allow_pickle: bool) -> Answer | None:
    """The answer that a step gave; None where it gave none.

    Raises:
        AnswerError: it is malformed, a pickle that is not allowed, or lost.
    """
    encoded = _shown(result)
    if encoded is None:
        return None
    if encoded.startswith("file:"):
        encoded = _from_file(encoded.removeprefix("file:"), files)
    kind, _, text = encoded.partition(":")
    if kind not in ("safe", "pickle"):
        raise AnswerError(
            "The final answer is malformed: it begins neither with 'safe:' nor with 'pickle:'"
        )
    try:
        content = base64.b64decode(text, validate=True)
    except ValueError as error:
        raise AnswerError(f"The final answer is malformed: {error}") from error
    return Answer(_loaded(content) if kind == "safe" else _unpickled(content, allow_pickle))


def _shown(result: ExecutionResult) -> str | None:
    for shown in result.displays:
        if ANSWER_TYPE in shown.mime:
            return shown.mime[ANSWER_TYPE]
    exception = result.exception
    return exception.message if exception is not None and exception.name == _EXCEPTION else None


def _from_file(name: str, files: SessionFiles) -> str:
    if not _FILE_NAME.fullmatch(name):
        raise AnswerError("The final answer is malformed: it names no file of its own")
    path = _FILE.format(name)
    try:
        encoded = files.get(path).decode()
        files.remove(path)
    except (StepwellError, UnicodeDecodeError) as error:
        raise AnswerError(
            f"The final answer was too large to be shown, and its file {path!r} can't be had: "
            f"{error}"
        ) from error
    return encoded


def _loaded(content: bytes) -> Any:
    try:
        return variables.load(content, _described)
    except ModuleNotFoundError as error:
        raise AnswerError(
            f"The final answer needs a library that this process lacks: {error}"
        ) from error
    except (
        Exception
    ) as error:  # a stranger wrote it: any part of it may be missing or of another type
        raise AnswerError(
            f"The final answer is malformed: {type(error).__name__}: {error}"
        ) from error


def _described(node: Any, fields: dict[str, Any]) -> dict[str, Any]:
    """A dataclass's instance as a dict, as smolagents' other executors give it: its class is not
    here.
    """
    return {"__dataclass__": str(node["name"]), "__module__": str(node["module"]), **fields}


def _unpickled(content: bytes, allow_pickle: bool) -> Any:
    if not allow_pickle:
        raise AnswerError(
            "The final answer is a pickle, and loading one runs code of the sandbox in this "
            "process: it was not loaded. "
            "Answer with plain values, or make the executor with allow_pickle=True if you "
            "trust the code"
        )
    try:
        return pickle.loads(content)
    except Exception as error:  # a pickle raises what it likes
        raise AnswerError(
            f"The final answer is a pickle that can't be loaded here: {type(error).__name__}: "
            f"{error}"
        ) from error
