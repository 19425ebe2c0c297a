"""What a client does whether it waits by blocking or by asyncio."""

from __future__ import annotations

import logging
import os
import uuid
from typing import Final, NoReturn

from stepwell.errors import (
    ClientClosedError,
    ClientForkedError,
    MessageTooLargeError,
    NoAnswerError,
    StepwellError,
    UnreadableResultError,
)
from stepwell.messages import (
    CancelRequest,
    Request,
    SessionOperation,
    SessionRequest,
    encode_cancel,
    encode_request,
)
from stepwell.options import ClientOptions
from stepwell.pending import PendingExecutions, Sink
from stepwell.step import Step
from stepwell.transport import OutgoingMessage, Transport

LOG: Final = logging.getLogger("stepwell")


class ClientCore:
    """Sends requests and finds their answers; thread-safe."""

    def __init__(self, options: ClientOptions, transport: Transport) -> None:
        self.options = options
        self.pending = PendingExecutions(options.max_in_flight)
        self._transport = transport
        self._process = os.getpid()

    def open(self) -> None:
        """Starts to read results; closes everything where that fails."""
        try:
            self._transport.open(self.pending)
        except BaseException:
            self._transport.close()
            raise

    def close(self) -> None:
        """Ends the connection. In a process that was forked it lets it be."""
        if os.getpid() != self._process:
            return
        self.pending.fail_all(
            lambda request_id: ClientClosedError(
                f"the client is closed, and request {request_id} has no answer"
            )
        )
        self._transport.close()

    def step_request(self, step: Step, session_id: str | None, base: str | None) -> Request:
        """The request for a step of a session, for one on a state, or for a one-shot."""
        return step.request(_new_id(), session_id, self.options.reply_topic, base)

    def work_request(
        self, work: SessionOperation | Step, session_id: str | None, base: str | None
    ) -> Request:
        """The request for an operation or a step."""
        if isinstance(work, Step):
            return self.step_request(work, session_id, base)
        return SessionRequest(
            request_id=_new_id(),
            session_id=session_id,
            operation=work,
            reply_to=self.options.reply_topic,
        )

    def encoded(self, request: Request) -> bytes:
        """The message of a request; raises MessageTooLargeError."""
        self.check_usable()
        message = encode_request(request)
        if len(message) > self.options.max_request_bytes:
            raise MessageTooLargeError(len(message), self.options.max_request_bytes)
        return message

    def send(self, request: Request, message: bytes, sink: Sink) -> None:
        """Sends a request. The caller has taken a place for it, which is then no longer theirs."""
        self.pending.add(request.request_id, request.key, sink)
        try:
            self._transport.send(
                OutgoingMessage(self.options.requests_topic, request.key, message),
                lambda failure: self.pending.fail(request.request_id, failure),
            )
        except BaseException:
            self.pending.remove(request.request_id)
            raise

    def cancel(self, request_id: str, session_id: str | None) -> None:
        """Asks for a request to be ended early."""
        self.check_usable()
        cancel = CancelRequest(request_id, session_id)
        self._transport.send(
            OutgoingMessage(self.options.control_topic, cancel.key, encode_cancel(cancel)),
            lambda failure: LOG.warning(
                "cancel of request %s was not sent: %s", request_id, failure
            ),
        )

    def abandon(self, request_id: str) -> None:
        """Gives up waiting for a request."""
        self.pending.fail(
            request_id,
            NoAnswerError(request_id, f"request {request_id} was abandoned; it may run"),
        )

    def no_answer(self, request_id: str, waited: float) -> NoAnswerError:
        """The error of who waited in vain, for so many seconds."""
        return NoAnswerError(
            request_id,
            f"request {request_id} has no answer after {waited:g} s; it may still run, and may be "
            "awaited again",
        )

    def check_usable(self) -> None:
        """Raises ClientForkedError in a process that this client's process was forked into."""
        if os.getpid() != self._process:
            raise ClientForkedError(
                f"this client was made by process {self._process} and can't be used in process "
                f"{os.getpid()}, which was forked from it: connect in each process"
            )


def refuse_pickling(what: object) -> NoReturn:
    """Connections can't travel."""
    raise TypeError(
        f"a {type(what).__name__} can't be pickled: it holds a connection. "
        "Connect in each process, and send session ids about"
    )


def unreadable(problem: str) -> StepwellError:
    """The error of an answer that breaks the protocol."""
    return UnreadableResultError(problem)


def _new_id() -> str:
    return str(uuid.uuid4())
