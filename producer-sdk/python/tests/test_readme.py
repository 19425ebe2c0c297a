"""Runs what the README shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)


@pytest.mark.broker
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda text: str(len(text)))
def test_examples_run(example: str, bootstrap: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(example, "README.md", "exec"), {"__name__": "__main__", "bootstrap": bootstrap})
    assert "Traceback" not in capsys.readouterr().err


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 8
