"""The requests without an answer, of which there are only so many."""

from __future__ import annotations

import re
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from stepwell.errors import (
    InvalidMessageError,
    StepwellError,
    TooManyInFlightError,
    UnreadableResultError,
)
from stepwell.messages import ExecutionResult, decode_result

_REQUEST_ID: Final = re.compile(rb'"requestId"\s*:\s*"([\x21\x23-\x5b\x5d-\x7e]{1,128})"')


class Sink(Protocol):
    """Who waits for one request."""

    def settle(self, answer: ExecutionResult | StepwellError) -> None:
        """Takes the answer, once, from any thread; must not block."""
        ...


@dataclass(frozen=True, slots=True)
class _Pending:
    key: bytes
    sink: Sink


class Places:
    """Room for so many requests; thread-safe. Who waits longest gets the next place."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._lock = threading.Lock()
        self._free = limit
        self._waiting: deque[Callable[[], None]] = deque()

    def take_now(self) -> bool:
        """Takes a place if there is one."""
        with self._lock:
            if self._free == 0:
                return False
            self._free -= 1
            return True

    def take_later(self, taken: Callable[[], None]) -> None:
        """Has `taken` called, from any thread, once a place is the caller's; perhaps at once."""
        with self._lock:
            if self._free == 0:
                self._waiting.append(taken)
                return
            self._free -= 1
        taken()

    def give_up(self, taken: Callable[[], None]) -> bool:
        """Stops waiting. False: it came too late, and the place is the caller's."""
        with self._lock:
            try:
                self._waiting.remove(taken)
            except ValueError:
                return False
            return True

    def give_back(self) -> None:
        """Gives a place to who waits for one, or to who comes next."""
        with self._lock:
            if not self._waiting:
                self._free += 1
                return
            taken = self._waiting.popleft()
        taken()

    def take(self, timeout: float) -> None:
        """Takes a place, waiting for one; raises TooManyInFlightError if there is none in time."""
        if self.take_now():
            return
        mine = threading.Event()
        self.take_later(mine.set)
        try:
            if mine.wait(timeout) or not self.give_up(mine.set):
                return
        except BaseException:
            if not self.give_up(mine.set):
                self.give_back()
            raise
        raise self.too_many(timeout)

    def too_many(self, waited: float) -> TooManyInFlightError:
        """The error of who waited in vain, for so many seconds."""
        return TooManyInFlightError(
            f"{self.limit} requests, the limit, have no answer, and none came for {waited:g} s: "
            "raise max_in_flight, or add workers"
        )


class PendingExecutions:
    """Gives each request its answer; thread-safe.

    A request holds its place from before it is sent until it is answered, abandoned, or known not
    to have been sent.
    """

    def __init__(self, limit: int) -> None:
        self.places = Places(limit)
        self._lock = threading.Lock()
        self._by_request: dict[str, _Pending] = {}
        self._requests_by_key: dict[bytes, int] = {}
        self._end: Callable[[str], StepwellError] | None = None

    def add(self, request_id: str, key: str, sink: Sink) -> None:
        """Expects an answer. The caller has taken a place; it is given back in any case."""
        encoded = key.encode()
        with self._lock:
            end = self._end
            if end is None:
                self._by_request[request_id] = _Pending(encoded, sink)
                self._requests_by_key[encoded] = self._requests_by_key.get(encoded, 0) + 1
        if end is not None:
            self.places.give_back()
            raise end(request_id)

    def remove(self, request_id: str) -> None:
        """Gives a request's place away; nobody is told."""
        self._take(request_id)

    def fail(self, request_id: str, reason: StepwellError) -> None:
        """Ends a request without a result."""
        pending = self._take(request_id)
        if pending is not None:
            pending.sink.settle(reason)

    def fail_all(self, reason: Callable[[str], StepwellError]) -> None:
        """Ends every request, those to come included. Only the first reason counts."""
        with self._lock:
            if self._end is None:
                self._end = reason
            requests = list(self._by_request)
        for request_id in requests:
            self.fail(request_id, reason(request_id))

    def wants(self, key: bytes) -> bool:
        """Whether a request under that key has no answer."""
        return key in self._requests_by_key

    def replies(self, messages: list[bytes]) -> None:
        """Hands results to who waits for them."""
        for message in messages:
            try:
                result = decode_result(message)
            except InvalidMessageError as error:
                self._unreadable(message, error)
                continue
            pending = self._take(result.request_id)
            if pending is not None:
                pending.sink.settle(result)

    def broken(self, reason: StepwellError) -> None:
        """Ends every request: no more replies will come."""
        self.fail_all(lambda _: reason)

    def _unreadable(self, message: bytes, error: InvalidMessageError) -> None:
        """Finds out by the bytes alone whose answer it is."""
        found = _REQUEST_ID.search(message)
        if found is not None:
            request_id = found[1].decode("ascii")
            self.fail(
                request_id,
                UnreadableResultError(f"the result of request {request_id} can't be read: {error}"),
            )

    def _take(self, request_id: str) -> _Pending | None:
        with self._lock:
            pending = self._by_request.pop(request_id, None)
            if pending is None:
                return None
            count = self._requests_by_key[pending.key] - 1
            if count:
                self._requests_by_key[pending.key] = count
            else:
                del self._requests_by_key[pending.key]
        self.places.give_back()
        return pending
