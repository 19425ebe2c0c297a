"""Runs the examples of docs/integrations.md, those of a section in one namespace, as they are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[4] / "docs" / "integrations.md"
pytestmark = [
    pytest.mark.broker,
    pytest.mark.skipif(not PAGE.exists(), reason="the page is in the project's repository only"),
]


def sections() -> dict[str, list[str]]:
    text = PAGE.read_text("utf-8") if PAGE.exists() else ""
    parts = re.split(r"^## (.*)$", text, flags=re.MULTILINE)
    fences = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    found = {}
    for title, body in zip(parts[1::2], parts[2::2], strict=True):
        assert {kind for kind, _ in fences.findall(body)} <= {"python"}, "only these are run"
        found[title] = [code for _, code in fences.findall(body)]
    return found


def run(title: str, folder: Path, namespace: dict[str, object]) -> None:
    examples = sections()[title]
    assert examples
    for number, code in enumerate(examples):
        file = folder / f"example_{number}.py"
        file.write_text(code, "utf-8")
        exec(compile(code, str(file), "exec"), namespace)


@pytest.fixture(autouse=True)
def kafka(bootstrap: str, data_profile: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert data_profile == "data", "the examples name this profile"
    monkeypatch.setenv("STEPWELL_BOOTSTRAP", bootstrap)


def test_smolagents_examples(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("smolagents")
    from adapters.scripted import ScriptedModel

    plot = "import matplotlib.pyplot as plt\nplt.plot([1])\nplt.show()"
    model = ScriptedModel("final_answer(area(width, height))", plot, "final_answer('seen')")
    run("smolagents", tmp_path, {"__name__": "__main__", "model": model})
    assert "12" in capsys.readouterr().out
    assert any("image" in str(message.content) for message in model.asked[-1])


def test_torchforge_examples(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("torchforge", tmp_path, {"__name__": "__main__"})
    assert capsys.readouterr().out == "0.0\n"


def test_biomni_examples(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("Biomni", tmp_path, {"__name__": "__main__"})
    out = capsys.readouterr().out
    assert "'../secrets' is no path in the playground" in out
    assert "--install 'apt-get install -y samtools'" in out
