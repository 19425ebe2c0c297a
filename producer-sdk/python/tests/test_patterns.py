from __future__ import annotations

import pytest

from stepwell.patterns import matches


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("a", "a", True),
        ("a", "b", False),
        ("*", "a.txt", True),
        ("*", "a/b", False),
        ("?.txt", "a.txt", True),
        ("?.txt", ".txt", False),
        ("plots/**/*.png", "plots/a.png", True),
        ("plots/**/*.png", "plots/x/y/b.png", True),
        ("plots/**/*.png", "plots/x/y/b.jpg", False),
        ("**", "a/b/c", True),
        ("a/**", "a", True),
        ("a/**/b/**/c", "a/x/b/y/z/c", True),
        ("a/**/b/**/c", "a/x/y/c", False),
        ("[a]", "a", False),
        ("[a]", "[a]", True),
        ("*a*b", "xaxb", True),
        ("*a*b", "xaxbx", False),
    ],
)
def test_patterns_match_as_the_protocol_says(pattern: str, path: str, expected: bool) -> None:
    assert matches(pattern, path) is expected


def test_matching_takes_no_time_that_explodes() -> None:
    assert not matches("*a" * 200 + "b", "a" * 4000)
    assert not matches("**/a/" * 100 + "b", "/".join("a" * 2000))
