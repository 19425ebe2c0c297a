"""Runs the code of a reinforcement learning loop, without ever blocking its event loop."""

from __future__ import annotations

import asyncio
import re
import uuid
from typing import Any

from stepwell import AsyncStepwell, ExecutionResult, Outcome, RequestRejectedError, Step, adapting
from stepwell.torchforge.outcomes import (
    CoderClosedError,
    CoderResult,
    CoderSetupError,
    coder_result,
)

_SCRIPT = ".stepwell/script.py"
_NOT_SET_UP = "call setup() first; after close() the coder can't be used"


class SandboxedPythonCoder:
    """Runs Python code in sandboxes, each execution in a new one.

    Files in the working folder stay from one execution to the next, until `recreate`. Variables
    don't, for every execution is a script in a new interpreter; with ``state`` they do, as in a
    live one.

    Code that fails is no error here: `execute` returns what it printed, and `last_result` says how
    it ended. Only where Stepwell itself fails is something raised. All methods are coroutines of
    one event loop; executions that are started together run one after the other.

    Args:
        bootstrap: Kafka's address, ``host:port``; absent: what the environment variable
            ``STEPWELL_BOOTSTRAP`` says.
        profile: the kind of sandbox; absent: what the next two say, else the workers' default.
        docker_image: an image as torchforge names it; stands for the profile ``python-3-10`` if it
            is ``docker://python:3.10``. Nothing is pulled: the workers have to have the profile.
        sqsh_image_path: a squashfs image as torchforge names it; stands for the profile
            ``python-image`` if it is ``python-image.sqsh``. It goes before ``docker_image``, as
            there.
        container_name: what the coder's sessions are called, with a random part behind it; so
            coders that have the same name don't meet.
        timeout: the time limit of an execution in seconds.
        memory_bytes: the memory limit of an execution; absent: the profile's.
        state: whether variables are kept from one execution to the next.
        client: a client to use instead of an own one; it is not closed.

    Raises:
        ValueError: ``container_name`` is no name, or there is neither ``bootstrap`` nor ``client``.
    """

    def __init__(
        self,
        bootstrap: str | None = None,
        *,
        profile: str | None = None,
        docker_image: str | None = None,
        sqsh_image_path: str | None = None,
        container_name: str = "sandbox",
        timeout: float = 30.0,
        memory_bytes: int | None = None,
        state: bool = False,
        client: AsyncStepwell | None = None,
    ) -> None:
        if not re.fullmatch(r"[!-~]{1,80}", container_name):
            raise ValueError(
                f"container_name is {container_name!r}: it takes 1 to 80 printable ASCII "
                "characters, no spaces"
            )
        self._bootstrap = "" if client is not None else adapting.address(bootstrap)
        self.profile = profile or profile_name(sqsh_image_path or docker_image)
        self.container_name = container_name
        self.last_result: CoderResult | None = None
        self._options: dict[str, Any] = {"wall_time": timeout}
        if self.profile is not None:
            self._options["profile"] = self.profile
        if memory_bytes is not None:
            self._options["memory_bytes"] = memory_bytes
        self._state = state
        Step.python(
            "pass", **self._options
        )  # refuses options out of range now, not at the first execution
        self._own_client = client is None
        self._client = client
        self._session: Any = None
        self._begun = False
        self._changing = asyncio.Lock()

    async def setup(self) -> None:
        """Connects, and sees that the profile runs Python. Calling it again makes the working
        folder new.

        Raises:
            CoderSetupError: the profile is not there, or the limits are beyond it.
            StepwellError: there is no connection to Kafka, or Stepwell failed.
        """
        if self._client is None:
            self._client = await AsyncStepwell.connect(self._bootstrap)
        result = await self._answer(self._client, Step.python("pass", **self._options))
        if result.outcome is not Outcome.COMPLETED:
            raise CoderSetupError(
                f"profile {self.profile or 'of the workers'} does not run Python: "
                f"{coder_result(result).stderr}"
            )
        await self.recreate()

    async def recreate(self) -> None:
        """Makes the working folder new: files and variables of earlier executions are gone."""
        client = self._client_or_raise()
        async with self._changing:
            old, begun = self._session, self._begun
            self._session = client.session(f"{self.container_name}-{uuid.uuid4().hex[:12]}")
            self._begun = False
        if begun:
            await old.end()

    async def execute(self, code: str) -> tuple[str, str]:
        """Runs code, and returns its standard output and its standard error, with the traceback if
        it failed.

        Raises:
            InfrastructureError: Stepwell failed; the code may or may not have run.
            CoderClosedError: before `setup`, or after `close`.
        """
        result = await self.run(code)
        return result.stdout, result.stderr

    async def run(self, code: str) -> CoderResult:
        """Runs code as `execute` does, and returns all that it came to. Raises the same."""
        if self._session is None:
            raise CoderClosedError(_NOT_SET_UP)
        if not code.strip():
            code = "pass"
        self._begun = True
        self.last_result = None
        result = coder_result(await self._answer(self._session, self._step(code)))
        self.last_result = result
        return result

    async def close(self) -> None:
        """Ends the session, and closes the client if it is the coder's own. Calling it again does
        nothing.
        """
        client, self._client = self._client, None
        session, self._session = self._session, None
        if client is None:
            return
        try:
            if session is not None and self._begun:
                await session.end()
        finally:
            if self._own_client:
                await client.close()

    async def __aenter__(self) -> SandboxedPythonCoder:
        await self.setup()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def _step(self, code: str) -> Step:
        if self._state:
            return Step.python(code, **self._options)
        # A script of its own interpreter: what it leaves in the process, such as seeds and
        # variables, ends with it.
        return Step.argv(
            ["python3", _SCRIPT],
            files={_SCRIPT: code.encode("utf-8", "surrogatepass")},
            environment={"PYTHONPATH": "/workspace"},
            **self._options,
        )

    def _client_or_raise(self) -> AsyncStepwell:
        if self._client is None:
            raise CoderClosedError(_NOT_SET_UP)
        return self._client

    async def _answer(self, where: Any, step: Step) -> ExecutionResult:
        """An answer to code that ran. Raises where it did not, for no reason of the code's."""
        for _ in range(adapting.TRIES):
            execution = await where.submit(step)
            try:
                result: ExecutionResult = await execution.result(adapting.patience(step))
            except BaseException:
                adapting.give_up(execution)
                raise
            if not adapting.has_certainly_not_run(result):
                break
        if result.outcome is Outcome.INFRASTRUCTURE:
            result.or_throw()
        if result.outcome is Outcome.REJECTED:
            try:
                result.or_throw()
            except RequestRejectedError as error:
                raise CoderSetupError(f"{error}. {_way_out(self.profile)}") from error
        return result


def profile_name(image: str | None) -> str | None:
    """The profile that an image of torchforge stands for: its own name, with ``-`` for what a
    profile can't have.
    """
    if image is None:
        return None
    last = image.rpartition("://")[2].rstrip("/").rpartition("/")[2].removesuffix(".sqsh")
    name = re.sub(r"[^A-Za-z0-9_]+", "-", last).strip("-")
    if not name:
        raise ValueError(
            f"the image {image!r} has no name to take a profile's name from: give profile="
        )
    return name


def _way_out(profile: str | None) -> str:
    name = profile or "NAME"
    return (
        "To give the workers a profile of that name: 'bin/stepwell images import FILE.sqsh "
        f"--as {name}' or "
        f"'bin/stepwell images build {name} --base plain ...', then "
        f"'profile.{name}.image={name}' in their configuration"
    )
