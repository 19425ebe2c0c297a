"""A model for agents that says what it is told to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from smolagents import ChatMessage, MessageRole, Model


class ScriptedModel(Model):  # type: ignore[misc]
    """Answers with one code block after the other; keeps what it was asked."""

    def __init__(self, *blocks: str) -> None:
        super().__init__(model_id="scripted")
        self.asked: list[list[ChatMessage]] = []
        self._blocks: Iterator[str] = iter(blocks)

    def generate(self, messages: list[ChatMessage], *_: Any, **__: Any) -> ChatMessage:
        """The next block."""
        self.asked.append(messages)
        text = f"Thought: go on\n<code>\n{next(self._blocks)}\n</code>"
        return ChatMessage(role=MessageRole.ASSISTANT, content=text)
