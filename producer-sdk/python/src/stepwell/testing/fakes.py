"""Clients over a transport in memory."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, TypedDict

from stepwell.aio.client import AsyncStepwell
from stepwell.aio.session import AsyncSession
from stepwell.client import Stepwell
from stepwell.core import ClientCore
from stepwell.errors import ClientClosedError, StepwellError
from stepwell.messages import (
    ExecutionRequest,
    ExecutionResult,
    SessionRequest,
    decode_cancel,
    decode_request,
    encode_result,
)
from stepwell.options import ClientOptions
from stepwell.session import Session
from stepwell.testing.results import cancelled, completed
from stepwell.testing.sessions import FakeSessions, Refusal, artifacts
from stepwell.transport import OutgoingMessage, ReplyListener

if TYPE_CHECKING:
    from typing_extensions import Unpack

Answerer = Callable[[ExecutionRequest], ExecutionResult | str | None]
"""Answers a step: with a result, with what a completed step printed, or, by None, with nothing."""


class FakeOptions(TypedDict, total=False):
    """Those options of a connection that a fake heeds."""

    submit_timeout: float
    answer_timeout: float
    max_in_flight: int
    max_request_bytes: int


class _Transport:
    """Answers within `send`, one request at a time; thread-safe."""

    def __init__(self, answer: Answerer) -> None:
        self.requests: list[ExecutionRequest] = []
        self.operations: list[SessionRequest] = []
        self.cancels: list[str] = []
        self._answer = answer
        self._sessions = FakeSessions()
        self._unanswered: dict[str, ExecutionRequest] = {}
        self._lock = threading.RLock()
        self._listener: ReplyListener | None = None

    def open(self, listener: ReplyListener) -> None:
        self._listener = listener

    def send(self, message: OutgoingMessage, on_failure: Callable[[StepwellError], None]) -> None:
        del on_failure
        if self._listener is None:
            raise ClientClosedError("the client is closed")
        with self._lock:
            if message.topic.endswith(".control"):
                result = self._cancel(decode_cancel(message.value).request_id)
            else:
                result = self._handle(message.value)
        if result is not None:
            self._listener.replies([encode_result(result)])

    def close(self) -> None:
        self._listener = None

    def _handle(self, value: bytes) -> ExecutionResult | None:
        request = decode_request(value, max_bytes=len(value))
        if isinstance(request, ExecutionRequest):
            self.requests.append(request)
            answered = self._run(request)
        else:
            self.operations.append(request)
            answered = self._sessions.operate(request)
        return None if answered is None else _named(answered, request)

    def _run(self, request: ExecutionRequest) -> ExecutionResult | None:
        try:
            files = self._sessions.begin(request)
        except Refusal as refusal:
            return refusal.result
        answer = self._answer(request)
        if answer is None:
            self._unanswered[request.request_id] = request
            return None
        result = completed(answer) if isinstance(answer, str) else answer
        step, state = self._sessions.end(request, files, result.outcome)
        return dataclasses.replace(
            result,
            step=step,
            state=result.state or state,
            artifacts=result.artifacts or artifacts(request.artifacts, files),
            sandbox_id=result.sandbox_id or f"fake-sandbox-{len(self.requests)}",
        )

    def _cancel(self, request_id: str) -> ExecutionResult | None:
        self.cancels.append(request_id)
        request = self._unanswered.pop(request_id, None)
        return None if request is None else _named(cancelled(), request)


class _Recorded:
    """What was sent over a fake."""

    _transport: _Transport

    @property
    def requests(self) -> list[ExecutionRequest]:
        """The steps that were sent, in order."""
        return self._transport.requests

    @property
    def operations(self) -> list[SessionRequest]:
        """The session operations that were sent, in order."""
        return self._transport.operations

    @property
    def cancels(self) -> list[str]:
        """The ids of the requests that were to be cancelled, in order."""
        return self._transport.cancels


class FakeStepwell(_Recorded, Stepwell):
    """A `Stepwell` that runs no code: `answer` is asked for the result of each step.

    It is called within `submit`, on the caller's thread, one step at a time; what it raises comes
    out of `submit`. A step that it answers with None has no answer until it is cancelled. Sessions
    from `new_session` are called `session-1`, `session-2` and so on. Thread-safe.
    """

    def __init__(self, answer: Answerer | str = "", **options: Unpack[FakeOptions]) -> None:
        self._transport = _Transport(_answerer(answer))
        self._numbers = iter(range(1, 1 << 62))
        super().__init__(_core(self._transport, options))

    def new_session(self, *, profile: str | None = None) -> Session:
        """A session with the next number."""
        return self.session(f"session-{next(self._numbers)}", profile=profile)


class FakeAsyncStepwell(_Recorded, AsyncStepwell):
    """An `AsyncStepwell` that runs no code, as `FakeStepwell` is a `Stepwell`."""

    def __init__(self, answer: Answerer | str = "", **options: Unpack[FakeOptions]) -> None:
        self._transport = _Transport(_answerer(answer))
        self._numbers = iter(range(1, 1 << 62))
        super().__init__(_core(self._transport, options))

    def new_session(self, *, profile: str | None = None) -> AsyncSession:
        """A session with the next number."""
        return self.session(f"session-{next(self._numbers)}", profile=profile)


def _answerer(answer: Answerer | str) -> Answerer:
    if isinstance(answer, str):
        return lambda _: answer
    return answer


def _core(transport: _Transport, options: FakeOptions) -> ClientCore:
    core = ClientCore(ClientOptions(bootstrap="fake:0", **options), transport)
    core.open()
    return core


def _named(result: ExecutionResult, request: ExecutionRequest | SessionRequest) -> ExecutionResult:
    return dataclasses.replace(result, request_id=request.request_id, session_id=request.session_id)
