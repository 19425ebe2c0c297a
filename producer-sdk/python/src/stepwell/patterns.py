"""Patterns of workspace paths.

`*` stands for any characters of one part of a path, `?` for one of them, and `**` as a whole part
for any number of parts, none included. A path is a pattern that matches itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def matches(pattern: str, path: str) -> bool:
    """Whether a pattern matches a path, in time in proportion to the product of their lengths."""
    if pattern == path:
        return True
    if "*" not in pattern and "?" not in pattern:
        return False
    return _match(pattern.split("/"), path.split("/"), "**", _part_matches)


def _part_matches(pattern: str, part: str) -> bool:
    return _match(pattern, part, "*", lambda one, character: one in ("?", character))


def _match(
    patterns: Sequence[T], values: Sequence[T], many: T, one_matches: Callable[[T, T], bool]
) -> bool:
    """Goes on greedily, and back only to the last `many`: it can take what an earlier one could."""
    pattern = value = 0
    last_many, after_many = -1, 0
    while value < len(values):
        if pattern < len(patterns) and patterns[pattern] == many:
            last_many, after_many = pattern, value
            pattern += 1
        elif pattern < len(patterns) and one_matches(patterns[pattern], values[value]):
            pattern += 1
            value += 1
        elif last_many >= 0:
            after_many += 1
            pattern, value = last_many + 1, after_many
        else:
            return False
    return all(each == many for each in patterns[pattern:])
