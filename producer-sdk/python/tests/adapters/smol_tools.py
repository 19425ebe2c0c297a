"""Tools for the tests, in a file of their own, as users have them."""

from __future__ import annotations

import threading

from smolagents import Tool, tool
from smolagents.default_tools import FinalAnswerTool

FACTOR = 2


@tool
def area(width: float, height: float) -> float:
    """Says how large a rectangle is.

    Args:
        width: how wide it is
        height: how high it is
    """
    return width * height * FACTOR / 2


class Keyed(Tool):  # type: ignore[misc]
    name = "keyed"
    description = "Answers with its key."
    inputs = {"text": {"type": "string", "description": "any"}}
    output_type = "string"

    def __init__(self, key: str, extra: object = None) -> None:
        super().__init__()
        self.key = key
        self.extra = extra

    def forward(self, text: str) -> str:
        return f"{self.key}:{text}"


class Connected(Keyed):
    """Holds what can't travel, made from an argument that can."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key
        self.lock = threading.Lock()

    def forward(self, text: str) -> str:
        with self.lock:
            return f"{self.key}:{text}"


class Changing(Connected):
    """Does not keep its argument as it came."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key.upper()


class Rebinding(Tool):  # type: ignore[misc]
    """Makes something else of its argument before it keeps it."""

    name = "rebinding"
    description = "d"
    inputs = {"text": {"type": "string", "description": "any"}}
    output_type = "string"

    def __init__(self, key: str) -> None:
        super().__init__()
        key = key * 2
        self.key = key
        self.lock = threading.Lock()

    def forward(self, text: str) -> str:
        return self.key + text


class WithRequirement(Tool):  # type: ignore[misc]
    name = "with_requirement"
    description = "Needs a package."
    inputs = {"text": {"type": "string", "description": "any"}}
    output_type = "string"

    def forward(self, text: str) -> str:
        import no_such_package_anywhere  # type: ignore[import-not-found]

        return str(no_such_package_anywhere) + text


class PlusOne(FinalAnswerTool):  # type: ignore[misc]
    def forward(self, answer: int) -> int:
        return answer + 1


class TwoInputs(FinalAnswerTool):  # type: ignore[misc]
    inputs = {
        "first": {"type": "string", "description": "the first part"},
        "second": {"type": "string", "description": "the second part"},
    }

    def forward(self, first: str, second: str) -> str:
        return f"{first}/{second}"
