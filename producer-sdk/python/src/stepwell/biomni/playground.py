"""A folder, commands and code blocks of one agent, in sandboxes."""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from stepwell import (
    ExecutionResult,
    Outcome,
    RequestRejectedError,
    Session,
    SessionUnknownError,
    Step,
    Stepwell,
    adapting,
)
from stepwell.biomni import blocks
from stepwell.biomni.blocks import CodeRun, Language
from stepwell.biomni.errors import (
    PlaygroundClosedError,
    PlaygroundProfileError,
    PlaygroundTimeoutError,
    ProgramMissingError,
)
from stepwell.biomni.files import open_file
from stepwell.biomni.profiles import ProfileRecipe, profile_for

_BLOCK = {
    Language.R: ".stepwell/block.R",
    Language.BASH: ".stepwell/block.sh",
    Language.CLI: ".stepwell/block.sh",
}
_NOT_FOUND = 127
_ALIAS = re.compile(r"[a-z0-9-]{1,63}")


class CommandRun(NamedTuple):
    """What became of a command."""

    stdout: str
    stderr: str
    returncode: int | None
    """The exit code, negative for a signal; None where there was neither."""


class AgentPlayground:
    """A workspace of an agent's own: what it does there reaches nothing else.

    Files stay from one command to the next, variables from one Python block to the next. Processes
    don't: everything that a command has started ends with it, and every command has a sandbox that
    nothing ran in before. There is no network, and no file, key or environment variable of this
    process is in reach. Thread-safe; what is called at the same time runs one after the other.

    Args:
        bootstrap: Kafka's address, ``host:port``; absent: what the environment variable
            ``STEPWELL_BOOTSTRAP`` says.
        profile: the kind of sandbox; absent: what the next two say, else the workers' default.
        base_image: with ``install``, stands for the profile that `profile_for` names. Workers have
            to have it.
        install: see ``base_image``.
        memory_bytes: the memory limit of each step; absent: the profile's.
        environment: variables added to the environment of each step.
        session_id: the session to work in, new or going on; absent: a new one, which `close` ends.
        client: a client to use instead of an own one; it is not closed.

    Raises:
        ValueError: there is neither ``bootstrap`` nor ``client``.
        StepwellError: there is no connection to Kafka.
    """

    def __init__(
        self,
        bootstrap: str | None = None,
        *,
        profile: str | None = None,
        base_image: str | None = None,
        install: Iterable[str] = (),
        memory_bytes: int | None = None,
        environment: Mapping[str, str] | None = None,
        session_id: str | None = None,
        client: Stepwell | None = None,
    ) -> None:
        self.recipe: ProfileRecipe | None = None
        if profile is None and base_image is not None:
            self.recipe = profile_for(base_image, install=install)
            profile = self.recipe.name
        self.profile = profile
        options = {"profile": profile, "memory_bytes": memory_bytes, "environment": environment}
        self._options: dict[str, Any] = {
            name: value for name, value in options.items() if value is not None
        }
        Step.python(
            "pass", **self._options
        )  # refuses options out of range now, not at the first step
        self._own_client = client is None
        self._client = client or Stepwell.connect(adapting.address(bootstrap))
        self._session = (
            self._client.new_session() if session_id is None else self._client.session(session_id)
        )
        self._own_session = session_id is None
        self._closing = threading.Lock()
        self._closed = False

    @property
    def session(self) -> Session:
        """The session behind it: for its history, and to fork it."""
        self._check_open()
        return self._session

    def open(
        self,
        relative_path: str,
        mode: str = "r",
        *,
        encoding: str | None = None,
        errors: str | None = None,
        newline: str | None = None,
    ) -> Any:
        """Opens a file of the playground as the built-in ``open`` does: modes ``r w a x``, with
        ``b``, ``t`` and ``+``.

        The file is read at once, and what was written goes back at ``flush`` and ``close``: use it
        in a ``with`` statement. Text is UTF-8 unless ``encoding`` says otherwise. Folders on the
        way come to be.

        Raises:
            PlaygroundPathError: the path is absolute, has ``..``, or goes through a link; nothing
                was read or written.
            FileNotFoundError, FileExistsError: as ``open`` does.
            StepwellError: there is no answer.
        """
        self._check_open()
        return open_file(self._session.files, relative_path, mode, encoding, errors, newline)

    def run(
        self, argv: Sequence[str], timeout_seconds: float = 120, *, stdin: str | None = None
    ) -> CommandRun:
        """Runs a program with arguments, without a shell, in the playground's folder.

        As with ``subprocess.run``, the exit code is told and not judged: 127 where there is no such
        program.

        Raises:
            PlaygroundTimeoutError: the time was over; it is a ``subprocess.TimeoutExpired``, with
                what was printed by then.
            PlaygroundProfileError: the workers don't have the profile, or don't allow the time.
            InfrastructureError: Stepwell failed; the program may or may not have run.
        """
        step = Step.argv(argv, stdin=stdin, wall_time=timeout_seconds, **self._options)
        result = self._answer(step)
        if result.outcome is Outcome.TIMED_OUT:
            raise PlaygroundTimeoutError(argv, timeout_seconds, result)
        stderr = result.stderr
        if result.error is not None:
            stderr = adapting.joined(stderr, f"[{result.outcome.name}] {result.error.message}\n")
        return CommandRun(result.stdout, stderr, blocks.returncode(result))

    def run_code(self, block: str, timeout_seconds: float = 600) -> CodeRun:
        """Runs a code block: Python, or what a marker in its first line says.

        ``#!R``, ``# R code`` and ``# R script`` are for Rscript, ``#!BASH`` and ``# Bash script``
        for bash, which ends at the first command that fails, and ``#!CLI`` for one command over
        several lines. A fence of three backticks is left out. Code that fails is no error here: the
        run's text says so, as the agent has to see it.

        Raises:
            ProgramMissingError: the profile has no Rscript or no bash.
            PlaygroundProfileError, InfrastructureError: as `run` does.
        """
        language, code = blocks.parse_block(block)
        result = self._answer(self._block_step(language, code, timeout_seconds))
        program = "Rscript" if language is Language.R else "bash"
        missing = language is not Language.PYTHON and result.exit_code == _NOT_FOUND
        if missing and result.stderr.startswith(f"{program}: "):
            raise ProgramMissingError(
                program, self.profile, "r-base-core" if language is Language.R else "bash"
            )
        text = blocks.observation(language, result, timeout_seconds)
        return CodeRun(
            text,
            tuple(result.figures),
            result.stdout,
            result.stderr,
            blocks.returncode(result),
            language,
            result,
        )

    def data(self, alias: str) -> str:
        """The path, in the playground, of read-only data that the workers have under an alias.

        The worker's configuration grants it: ``mount.ALIAS=/folder`` and
        ``profile.NAME.mounts=ALIAS``. Whether it does is seen when code uses the path.

        Raises:
            ValueError: it is no alias: lower-case letters, digits and ``-``.
        """
        if not _ALIAS.fullmatch(alias):
            raise ValueError(f"{alias!r} is no alias of data: it takes 1 to 63 of a-z 0-9 -")
        return f"/data/{alias}"

    def clean(self) -> None:
        """Makes the playground empty: no files, no variables."""
        self._check_open()
        with contextlib.suppress(SessionUnknownError):  # nothing was ever done in it
            self._session.reset()

    def close(self) -> None:
        """Ends the session if it is the playground's own, and the client likewise. Calling it again
        does nothing.
        """
        with self._closing:
            if self._closed:
                return
            self._closed = True
        try:
            if self._own_session:
                self._session.end()
        except SessionUnknownError:
            pass
        finally:
            if self._own_client:
                self._client.close()

    def __enter__(self) -> AgentPlayground:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _block_step(self, language: Language, code: str, timeout_seconds: float) -> Step:
        options = {"wall_time": timeout_seconds, **self._options}
        if not code.strip():
            return Step.python("pass", **options)
        if language is Language.PYTHON:
            return Step.python(code, **options)
        path = _BLOCK[language]
        if language is Language.R:
            return Step.argv(["Rscript", path], files={path: code.encode()}, **options)
        script = blocks.command_line(code) if language is Language.CLI else f"set -e\n{code}"
        return Step.argv(["bash", path], files={path: script.encode()}, **options)

    def _answer(self, step: Step) -> ExecutionResult:
        self._check_open()
        result = adapting.run(self._session, step)
        if result.outcome is Outcome.INFRASTRUCTURE:
            result.or_throw()
        if result.outcome is Outcome.REJECTED:
            try:
                result.or_throw()
            except RequestRejectedError as error:
                recipe = self.recipe or profile_for(name=self.profile or "NAME")
                raise PlaygroundProfileError(
                    f"{error}\nTo give the workers such a profile:\n{recipe}"
                ) from error
        return result

    def _check_open(self) -> None:
        if self._closed:
            raise PlaygroundClosedError("the playground is closed")
