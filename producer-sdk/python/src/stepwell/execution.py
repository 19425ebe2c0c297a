"""A request that was sent, and its answer once there is one."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Final, NoReturn

from stepwell.core import ClientCore, refuse_pickling
from stepwell.errors import StepwellError
from stepwell.messages import ExecutionResult

LOG: Final = logging.getLogger("stepwell")


class Execution:
    """A request that was sent; thread-safe.

    It counts as in flight until it is answered or abandoned, whether or not anybody waits for it.
    """

    def __init__(self, core: ClientCore, request_id: str, session_id: str | None) -> None:
        self._core = core
        self._request_id = request_id
        self._session_id = session_id
        self._lock = threading.Lock()
        self._settled = threading.Event()
        self._answer: ExecutionResult | StepwellError | None = None
        self._callbacks: list[Callable[[Execution], object]] = []

    @property
    def request_id(self) -> str:
        """The request's id, as it is in logs and in the result."""
        return self._request_id

    @property
    def session_id(self) -> str | None:
        """The session that the step belongs to, or None for a one-shot."""
        return self._session_id

    def result(self, timeout: float | None = None) -> ExecutionResult:
        """Waits for the answer: the result, whatever its outcome is.

        `timeout` is in seconds; None for the client's answer timeout. Raises NoAnswerError if there
        is none in time, after which it may be awaited again; another StepwellError if there will be
        none.
        """
        wait = self._core.options.answer_timeout if timeout is None else timeout
        if not self._settled.is_set():
            self._core.check_usable()
            self._settled.wait(min(wait, threading.TIMEOUT_MAX))
        answer = self._answer
        if answer is None:
            raise self._core.no_answer(self._request_id, wait)
        if isinstance(answer, StepwellError):
            raise answer
        return answer

    @property
    def answer_timeout(self) -> float:
        """How many seconds an answer is awaited where nothing else is said."""
        return self._core.options.answer_timeout

    def done(self) -> bool:
        """Whether there is an answer, or a reason why there will be none."""
        return self._settled.is_set()

    def answer(self) -> ExecutionResult | StepwellError:
        """The result, or why there will be none; raises NoAnswerError while there is neither."""
        if self._answer is None:
            raise self._core.no_answer(self._request_id, 0)
        return self._answer

    def cancel(self) -> None:
        """Asks for the step to be ended early.

        It is a wish: the answer, which is awaited as ever, is CANCELLED only if the wish came in
        time. Returns without waiting for it to arrive.
        """
        if not self.done():
            self._core.cancel(self._request_id, self._session_id)

    def abandon(self) -> None:
        """Gives up waiting, so that the request no longer counts as in flight.

        The step is not cancelled; its answer is ignored, and `result` raises NoAnswerError.
        """
        self._core.abandon(self._request_id)

    def add_done_callback(self, callback: Callable[[Execution], object]) -> None:
        """Has a function called with this once it is done; at once if it is.

        It is called on the client's reader thread, which all other answers wait for, so it must not
        block. What it raises is logged.
        """
        with self._lock:
            if not self._settled.is_set():
                self._callbacks.append(callback)
                return
        self._call(callback)

    def settle(self, answer: ExecutionResult | StepwellError) -> None:
        """Takes the answer. For the client only."""
        with self._lock:
            if self._settled.is_set():
                return
            self._answer = answer
            self._settled.set()
            callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            self._call(callback)

    def _call(self, callback: Callable[[Execution], object]) -> None:
        try:
            callback(self)
        except Exception:
            LOG.exception("a callback of request %s failed", self._request_id)

    def __repr__(self) -> str:
        return f"<Execution {self._request_id} {'done' if self.done() else 'without an answer'}>"

    def __reduce__(self) -> NoReturn:
        refuse_pickling(self)
