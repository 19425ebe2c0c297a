"""An executor for smolagents' ``CodeAgent`` whose every step has a sandbox of its own."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

import PIL.Image
from smolagents.local_python_executor import CodeOutput
from smolagents.monitoring import LogLevel
from smolagents.remote_executors import RemotePythonExecutor

from stepwell import ExecutionResult, Session, Step, Stepwell, StepwellError, adapting
from stepwell.smolagents import errors, outputs, requirements
from stepwell.smolagents.code_facts import bound_names, shell_line
from stepwell.smolagents.final_answer import ANSWER_TYPE, AnswerError, answer_of, final_answer_part
from stepwell.smolagents.preludes import DELIVERED_TYPE, Part, Preludes, files_of, prelude_of
from stepwell.smolagents.tools import RefusalError, requirements_part, runtime, tool_part
from stepwell.smolagents.variables import SentVariables
from stepwell.smolagents.verdicts import error_of

# Larger files don't ride along with a step but are put into the session before, in as many messages
# as it takes.
_RIDING_BYTES = 2 << 20


class StepwellExecutor(RemotePythonExecutor):  # type: ignore[misc]
    """Runs the code of one agent, each step in a sandbox that has never run anything before.

    Variables, functions, classes, imports and files of ``/workspace`` go from step to step as in a
    live interpreter. Tools and variables are sent along with the step that follows, so they cost no
    sandbox, and only when they changed.

    Use it as ``CodeAgent(..., executor=StepwellExecutor([], logger, bootstrap="host:port"))``. One
    executor belongs to one agent; its methods may be called from any thread, one step at a time.
    `cleanup` ends the session.

    Args:
        additional_imports: packages that the sandbox has to have, checked before the first step
            runs; ``*``, modules of Python itself and dotted names are all right. Nothing is ever
            installed.
        logger: smolagents' ``AgentLogger``.
        bootstrap: Kafka's address, ``host:port``; absent: what the environment variable
            ``STEPWELL_BOOTSTRAP`` says.
        client: a client to use instead of an own one; it is not closed.
        profile: the kind of sandbox; absent: the workers' default.
        timeout: the time limit of a step in seconds; absent: the profile's.
        memory: the memory limit of a step in bytes; absent: the profile's.
        allow_pickle: whether a final answer that no safe form can carry may come as a pickle, which
            then runs code of the sandbox in this process. Leave it off unless you trust what the
            model writes.
        session_id: the session to run in, new or going on; absent: a new one of its own.
        keep_session: whether `cleanup` leaves the session as it is; absent: only one that
            ``session_id`` named is left.
        environment: variables added to the environment of every step.
        tool_arguments: by the name of a tool, the arguments that its constructor was called with,
            for tools that don't keep them.
        connect: further options of `Stepwell.connect`.

    Raises:
        ValueError: there is neither ``bootstrap`` nor ``client``, or both.
        StepwellError: there is no connection to Kafka.
    """

    def __init__(
        self,
        additional_imports: list[str],
        logger: Any,
        *,
        bootstrap: str | None = None,
        client: Stepwell | None = None,
        profile: str | None = None,
        timeout: float | None = None,
        memory: int | None = None,
        allow_pickle: bool = False,
        session_id: str | None = None,
        keep_session: bool | None = None,
        environment: Mapping[str, str] | None = None,
        tool_arguments: Mapping[str, Mapping[str, object]] | None = None,
        connect: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(list(additional_imports), logger)
        self.allow_pickle = allow_pickle  # not all versions take it as an argument
        options = {
            "profile": profile,
            "wall_time": timeout,
            "memory_bytes": memory,
            "environment": environment,
        }
        self._options: dict[str, Any] = {
            name: value for name, value in options.items() if value is not None
        }
        # Refuses options out of range now, not at the first step.
        Step.python("pass", **self._options)
        self._tool_arguments = dict(tool_arguments or {})
        if client is not None and bootstrap is not None:
            raise ValueError("give either bootstrap or client, not both")
        self._own_client = client is None
        self._client = client or Stepwell.connect(adapting.address(bootstrap), **(connect or {}))
        self._session: Session = (
            self._client.new_session() if session_id is None else self._client.session(session_id)
        )
        self._keep_session = session_id is not None if keep_session is None else keep_session
        self._lock = threading.RLock()
        self._preludes = Preludes()
        self._variables = SentVariables()
        self._tools: dict[str, Part] = {}
        self._wanted: dict[str, list[str]] = {}
        self._begun = False
        self._closed = False
        self.state: dict[str, Any] = {}
        self.images: list[PIL.Image.Image] = []
        self.last_result: ExecutionResult | None = None
        self.installed_packages = self.install_packages(self.additional_imports)

    @property
    def session(self) -> Session:
        """The agent's session: for its files, its history, and forks of it."""
        return self._session

    def send_tools(self, tools: Mapping[str, Any]) -> None:
        """Has those tools ride along with the next step that the session doesn't have already.

        Raises:
            ToolRefusedError: a tool can't be brought into a sandbox; then none of them is sent.
        """
        with self._lock:
            parts: list[Part] = []
            wanted: dict[str, list[str]] = {}
            for name, tool in tools.items():
                try:
                    part, packages = tool_part(name, tool, self._tool_arguments.get(name))
                except RefusalError as refusal:
                    raise errors.ToolRefusedError(str(refusal), self.logger) from refusal
                parts.append(part)
                wanted[f"tool {name}"] = packages
            if parts:
                self._preludes.put(runtime())
                self._preludes.put(final_answer_part(self.allow_pickle))
                self._want(wanted)
            for name, part in zip(tools, parts, strict=True):
                self._preludes.put(part)
                self._tools[name] = part

    def send_variables(self, variables: Mapping[str, Any]) -> None:
        """Has those variables ride along with the next step that changed since they were sent.

        Raises:
            VariableRefusedError: a variable can't be brought into a sandbox; then none of them is
                sent.
        """
        with self._lock:
            try:
                part = self._variables.part(variables)
            except StepwellError as error:
                raise errors.VariableRefusedError(str(error), self.logger) from error
            if part is not None:
                self._preludes.put(part)

    def install_packages(self, additional_imports: list[str]) -> list[str]:
        """Has the next step check that these packages are there. Nothing is installed."""
        packages = requirements.wanted(additional_imports)
        if packages:
            self._preludes.put(runtime())
            self._want({"the agent": [*self._wanted.get("the agent", []), *packages]})
        return list(additional_imports)

    def run_code_raise_errors(self, code: str) -> CodeOutput:
        """Runs one step.

        Returns:
            the value of its last expression (plain values and images as they are, else its
            ``repr``) or its final answer, and what it printed.

        Raises:
            StepError: the code failed, or came to a limit; ``state`` of it and of this executor has
                what it printed.
            MissingPackagesError: the profile lacks packages; the code has not run.
            RequestRefusedError: the step was not accepted; the code has not run.
            ExecutorFailedError: Stepwell failed.
            ExecutorClosedError: after `cleanup`.
        """
        with self._lock:
            self.state = {"_print_outputs": ""}
            self.images = []
            self.last_result = None
            if self._closed:
                raise errors.ExecutorClosedError(
                    "This executor was cleaned up: its session is over", self.logger
                )
            self._refuse_shell_lines(code)
            if not code.strip():
                return CodeOutput(output=None, logs="", is_final_answer=False)
            parts = self._preludes.waiting()
            try:
                result = self._send(code, parts)
            except StepwellError as error:
                message = f"Stepwell could not run the code, which is no fault of the code: {error}"
                raise errors.ExecutorFailedError(message, self.logger) from error
            return self._conclude(code, parts, result)

    def cleanup(self) -> None:
        """Ends the session, and closes the client if it is the executor's own; once."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            try:
                if self._begun and not self._keep_session:
                    self._session.end()
            except StepwellError as error:
                self.logger.log(
                    f"Session {self._session.id} could not be ended: {error}", level=LogLevel.ERROR
                )
            finally:
                if self._own_client:
                    self._client.close()

    def delete(self) -> None:
        """The same as `cleanup`: other executors of smolagents have both."""
        self.cleanup()

    def __enter__(self) -> StepwellExecutor:
        return self

    def __exit__(self, *_: object) -> None:
        self.cleanup()

    def _want(self, wanted: Mapping[str, list[str]]) -> None:
        self._wanted.update(wanted)
        part = requirements_part({who: names for who, names in self._wanted.items() if names})
        if any(self._wanted.values()):
            self._preludes.put(part)

    def _refuse_shell_lines(self, code: str) -> None:
        line = shell_line(code)
        if line is not None:
            message = (
                f"SyntaxError: {line!r} is a notebook's command, not Python. "
                f"{requirements.shell_way_out(line)}"
            )
            raise errors.StepError(message, self.logger)

    def _send(self, code: str, parts: tuple[Part, ...]) -> ExecutionResult:
        files = files_of(parts)
        if sum(map(len, files.values())) > _RIDING_BYTES:
            self._begun = True
            self._session.files.put(files)
            files = {}
        step = Step.python(code, prelude=prelude_of(parts), files=files, **self._options)
        self._begun = True
        return adapting.run(self._session, step)

    def _conclude(self, code: str, parts: tuple[Part, ...], result: ExecutionResult) -> CodeOutput:
        self.last_result = result
        self._note_state(code, parts, result)
        logs = outputs.logs_of(result, (ANSWER_TYPE,))
        self.state = {"_print_outputs": logs}
        self.images = outputs.images_of(result)
        try:
            answer = answer_of(result, self._session.files, self.allow_pickle)
        except AnswerError as error:
            raise errors.StepError(str(error), self.logger, result, logs) from error
        if answer is not None:
            return CodeOutput(output=answer.value, logs=logs, is_final_answer=True)
        problem = error_of(result, self.logger, logs)
        if problem is not None:
            raise problem
        return CodeOutput(output=outputs.output_of(result), logs=logs, is_final_answer=False)

    def _note_state(self, code: str, parts: tuple[Part, ...], result: ExecutionResult) -> None:
        """Learns what of all that was sent the session has now."""
        state = result.state
        if state is None or not state.saved:
            return
        if any(DELIVERED_TYPE in shown.mime for shown in result.displays):
            self._preludes.delivered(parts)
        # A variable that the code has bound anew is the code's own now; a tool is wanted back when
        # tools are sent again.
        self._preludes.forget(bound_names(code), kind="tool ")
        lost = {loss.name for loss in state.lost}
        self._variables.forget(lost)
        self._preludes.forget(lost)
        for name in lost & self._tools.keys():
            self._preludes.put(self._tools[name])
