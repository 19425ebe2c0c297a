"""What carries messages to the workers and replies back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from stepwell.errors import StepwellError


@dataclass(frozen=True, slots=True)
class OutgoingMessage:
    """A message to send."""

    topic: str
    key: str
    """The session's id, or the request's for a one-shot."""
    value: bytes


class ReplyListener(Protocol):
    """Who takes the replies; called from one thread."""

    def wants(self, key: bytes) -> bool:
        """Whether replies under a key are of any interest."""
        ...

    def replies(self, messages: list[bytes]) -> None:
        """Takes replies that came together."""
        ...

    def broken(self, reason: StepwellError) -> None:
        """No more replies will come."""
        ...


class Transport(Protocol):
    """Carries messages; thread-safe."""

    def open(self, listener: ReplyListener) -> None:
        """Starts to hand on replies. When it returns, no reply to a later message can be missed."""
        ...

    def send(self, message: OutgoingMessage, on_failure: Callable[[StepwellError], None]) -> None:
        """Sends a message, after those sent before under the same key; doesn't wait.

        `on_failure` is called from any thread, at most once, if it is not certain to have been
        published.
        """
        ...

    def close(self) -> None:
        """Ends the hand-over and lets go of all; what is being sent is given a few seconds."""
        ...
