from __future__ import annotations

import base64
import dataclasses
import html
import re
from html.parser import HTMLParser

from stepwell.messages import ExecutionResult, Value
from stepwell.testing import completed, failed, timed_out

PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 20
EVIL = '<script>alert("x")</script><img src=x onerror=alert(1)>"></iframe><b>'


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


def tags(result: ExecutionResult) -> list[tuple[str, dict[str, str | None]]]:
    parser = Tags()
    parser.feed(result._repr_html_())
    return parser.seen


def encoded(content: bytes) -> str:
    return base64.b64encode(content).decode()


def test_text_of_a_sandbox_is_escaped() -> None:
    result = dataclasses.replace(
        failed("V", EVIL, stdout=EVIL, stderr=EVIL), value=Value(EVIL, "t")
    )
    assert {tag for tag, _ in tags(result)} <= {"pre", "div"}
    assert result._repr_html_().count(html.escape(EVIL)) == 4


def test_html_of_a_sandbox_is_shown_in_a_frame_that_can_do_nothing() -> None:
    result = completed(value=Value("frame", "t", {"text/html": EVIL}))
    ((tag, attributes),) = tags(result)
    assert tag == "iframe"
    assert attributes["sandbox"] == ""
    document = attributes["srcdoc"] or ""
    assert document.endswith(EVIL)
    assert document.startswith('<meta http-equiv="Content-Security-Policy"')
    assert "default-src 'none'" in document
    assert "script-src" not in document


def test_images_are_shown_only_if_they_are_images() -> None:
    shown = Value("fig", "t", {"image/png": encoded(PNG), "text/html": EVIL})
    fakes = [
        Value("fake", "t", {"image/png": encoded(EVIL.encode())}),
        Value("fake", "t", {"image/png": '" onerror="alert(1)'}),
        Value("fake", "t", {"image/svg+xml": "<svg onload='alert(1)'/>"}),
    ]
    result = completed(displays=[shown, *fakes])
    assert [tag for tag, _ in tags(result)] == ["img", "pre", "pre", "pre"]
    assert tags(result)[0][1]["src"] == f"data:image/png;base64,{encoded(PNG)}"


def test_alternative_text_cannot_leave_its_attribute() -> None:
    result = completed(displays=[Value('" onload="alert(1)', "t", {"image/png": encoded(PNG)})])
    ((_, attributes),) = tags(result)
    assert set(attributes) == {"alt", "src"}


def test_figures_are_the_png_images_in_order() -> None:
    other = PNG + b"1"
    result = completed(
        displays=[
            Value("a", "t", {"image/png": encoded(PNG)}),
            Value("b", "t", {"text/html": "x"}),
            Value("c", "t", {"image/png": "no Base64!"}),
        ],
        value=Value("d", "t", {"image/png": encoded(other)}),
    )
    assert result.figures == [PNG, other]


def test_plain_text_has_output_values_and_what_went_wrong() -> None:
    result = dataclasses.replace(completed("out\n", stderr="err\n"), value=Value("42", "int"))
    assert result._repr_mimebundle_()["text/plain"] == "out\nerr\n42"
    assert "TIMED_OUT: the step" in timed_out()._repr_mimebundle_()["text/plain"]
    assert re.search("ValueError: no", failed(message="no")._repr_mimebundle_()["text/plain"])
