"""Brings answers from the reader's thread into an event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable


class Handover:
    """Calls functions in a loop, those that come together in one go; thread-safe.

    To wake a loop costs a system call. While it is awake and hasn't come round yet, more answers
    only join the queue.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._lock = threading.Lock()
        self._queue: list[Callable[[], None]] = []

    def call(self, function: Callable[[], None]) -> None:
        """Has a function called in the loop, after those before. A closed loop calls nothing."""
        with self._lock:
            self._queue.append(function)
            if len(self._queue) > 1:
                return
        try:
            self._loop.call_soon_threadsafe(self._drain)
        except RuntimeError:
            # The loop is closed, and nobody in it waits any more.
            with self._lock:
                self._queue.clear()

    def _drain(self) -> None:
        with self._lock:
            queue, self._queue = self._queue, []
        for function in queue:
            function()
