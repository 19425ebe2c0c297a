"""What a playground refuses, and what it can't do."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from typing import Any

from stepwell import ExecutionResult, StepwellError


class PlaygroundPathError(StepwellError, ValueError):
    """A path that leaves the playground, or that is not what it has to be there.

    Attributes:
        path: the path as it was given.
    """

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(
            f"{path!r} is no path in the playground: {reason}. Paths are relative, such as "
            "'out/plot.png'"
        )
        self.path = path


class PlaygroundProfileError(StepwellError):
    """The workers don't have the profile, or its limits are below what is asked for; the message
    has the way out.
    """


class PlaygroundClosedError(StepwellError):
    """The playground was used after `close`."""


class ProgramMissingError(StepwellError):
    """The profile lacks a program that a block needs, such as ``Rscript``; the message has the way
    out.

    Attributes:
        program: its name.
    """

    def __init__(self, program: str, profile: str | None, package: str) -> None:
        super().__init__(
            f"the profile {profile or 'of the workers'} has no {program}: make an image that "
            "has it, such as by "
            f"'bin/stepwell images build NAME --base data --packages {package}', and name its "
            "profile: "
            "AgentPlayground(..., profile=NAME)"
        )
        self.program = program


class PlaygroundTimeoutError(StepwellError, subprocess.TimeoutExpired):
    """A command ran into its time limit, and everything that it had started was ended.

    It is a ``subprocess.TimeoutExpired`` as well: ``cmd``, ``timeout`` in seconds, ``stdout`` and
    ``stderr`` as text, up to the end of the command.
    """

    def __init__(self, argv: Sequence[str], timeout: float, result: ExecutionResult) -> None:
        subprocess.TimeoutExpired.__init__(self, list(argv), timeout)
        self.output: Any = result.stdout
        self.stderr: Any = result.stderr
        self.result = result

    def __str__(self) -> str:
        return f"command {self.cmd} timed out after {self.timeout} seconds"
