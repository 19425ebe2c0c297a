"""Code blocks as Biomni's agents write them: a marker says the language, and the answer is one
text.
"""

from __future__ import annotations

import base64
import enum
import re
import signal
from dataclasses import dataclass

from stepwell import ExecutionResult, Outcome
from stepwell.adapting import joined

# What an agent gets to see of a block's output; the rest stays here, in stdout and stderr.
OBSERVATION_CHARACTERS = 10_000
_FENCE = re.compile(r"^\s*```[\w+-]*[ \t]*\n(.*?)\n?\s*```\s*$", re.DOTALL)


class Language(enum.Enum):
    """What a block is run by."""

    PYTHON = "python"
    R = "R"
    BASH = "bash"
    CLI = "cli"


_MARKERS = (
    (Language.R, ("#!R", "# R code", "# R script")),
    (Language.BASH, ("#!BASH", "# Bash script")),
    (Language.CLI, ("#!CLI",)),
)


@dataclass(frozen=True, slots=True)
class CodeRun:
    """What became of a block."""

    text: str
    """What the agent gets to see, at most 10,000 characters and a word on what is left out."""
    figures: tuple[bytes, ...]
    """The figures that the block showed, as PNG, in order."""
    stdout: str
    stderr: str
    returncode: int | None
    """The exit code, negative for a signal; None where there was neither."""
    language: Language
    result: ExecutionResult
    """All that the worker said."""

    @property
    def images(self) -> list[str]:
        """The figures as data URIs."""
        return [
            "data:image/png;base64," + base64.b64encode(figure).decode() for figure in self.figures
        ]

    def __str__(self) -> str:
        return self.text


def parse_block(block: str) -> tuple[Language, str]:
    """The language of a block and the code in it, without fence and marker."""
    fenced = _FENCE.match(block)
    code = fenced.group(1) if fenced else block
    first = code.lstrip()
    for language, markers in _MARKERS:
        for marker in markers:
            if first.startswith(marker) and not first[len(marker) : len(marker) + 1].isalnum():
                return language, first[len(marker) :].lstrip(" \t").removeprefix("\n")
    return Language.PYTHON, code


def command_line(code: str) -> str:
    """A ``#!CLI`` block as one command: its lines are joined."""
    return " ".join(
        line.strip().removesuffix("\\").strip() for line in code.splitlines() if line.strip()
    )


def observation(language: Language, result: ExecutionResult, timeout_seconds: float) -> str:
    """What an agent gets to see."""
    return shortened(_observation(language, result, timeout_seconds))


def shortened(text: str) -> str:
    """The beginning of a long text, with a word on what is left out."""
    if len(text) <= OBSERVATION_CHARACTERS:
        return text
    left = len(text) - OBSERVATION_CHARACTERS
    return (
        f"The output is long: these are its first {OBSERVATION_CHARACTERS} characters, {left} "
        "more are left out.\n" + (text[:OBSERVATION_CHARACTERS])
    )


def returncode(result: ExecutionResult) -> int | None:
    """The exit code as ``subprocess`` has it: negative for a signal; None where there was none."""
    if result.exit_code is not None:
        return result.exit_code
    if result.signal is not None and result.signal in signal.Signals.__members__:
        return -int(signal.Signals[result.signal])
    if result.outcome is Outcome.COMPLETED:
        return 0
    return 1 if result.outcome is Outcome.FAILED else None


def _observation(language: Language, result: ExecutionResult, timeout_seconds: float) -> str:
    outcome = result.outcome
    if outcome is Outcome.COMPLETED:
        return result.stdout
    if outcome is Outcome.TIMED_OUT:
        problem = (
            f"ERROR: Code execution timed out after {timeout_seconds:g} seconds. Do less "
            "in one block"
        )
        return joined(result.stdout, problem)
    if outcome is Outcome.FAILED and result.exception is not None:
        return joined(
            result.stdout,
            "Error: "
            f"{result.exception.message or result.exception.name}\n{result.exception.traceback}",
        )
    if result.error is not None:
        return joined(result.stdout, f"Error: {result.error.message}")
    if language is Language.R:
        return f"Error running R code:\n{result.stderr}"
    if language in (Language.BASH, Language.CLI):
        return joined(
            result.stdout,
            f"Error running Bash script (exit code {returncode(result)}):\n{result.stderr}",
        )
    return joined(
        result.stdout, f"Error: the code ended its process with exit code {result.exit_code}"
    )
