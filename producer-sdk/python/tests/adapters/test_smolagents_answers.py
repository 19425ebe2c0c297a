import base64
import json
import pickle
from collections import OrderedDict, namedtuple
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import PIL.Image
import pytest

pytest.importorskip("smolagents")

from stepwell import ExceptionReport, ExecutionResult, Outcome, Value
from stepwell.smolagents.final_answer import (
    ANSWER_TYPE,
    AnswerError,
    answer_of,
    final_answer_part,
)

Pair = namedtuple("Pair", "a b")


class Level(IntEnum):
    LOW = 1


@dataclass
class Point:
    x: int
    y: float


def encoded(value: object, allow_pickle: bool = False) -> tuple[Any, Any]:
    made: dict[str, Any] = {"__name__": "sandbox"}
    exec(final_answer_part(allow_pickle).text, made)
    both: tuple[Any, Any] = made["_stepwell_encoded"](value)
    return both


def answered(text: str, allow_pickle: bool = False) -> Any:
    result = ExecutionResult(
        request_id="r",
        outcome=Outcome.FAILED,
        displays=(Value("", "", {ANSWER_TYPE: text}),),
        worker_id="w",
    )
    answer = answer_of(result, None, allow_pickle)  # type: ignore[arg-type]
    assert answer is not None
    return answer.value


def through(value: object) -> Any:
    text, _ = encoded(value)
    assert text.startswith("safe:")
    return answered(text)


@pytest.mark.parametrize(
    "value",
    [None, True, -(10**30), 1.5, "\u00e9 \ud800 \0", [1, {"t": None}], {(1, 2): {3}}, b"\0", 1j],
)
def test_plain_value_comes_back(value: object) -> None:
    assert through(value) == value


def test_values_of_derived_classes_come_back_as_plain_ones() -> None:
    assert through([Pair(1, Level.LOW)]) == [(1, 1)]
    assert type(through(OrderedDict(a=np.str_("x")))) is dict


def test_array_frame_and_image_come_back() -> None:
    np.testing.assert_array_equal(through(np.arange(6).reshape(2, 3)), np.arange(6).reshape(2, 3))
    frame = pd.DataFrame(
        {"n": [1, 2], "t": pd.to_datetime(["2024-01-01", "NaT"])}, index=["a", "b"]
    )
    pd.testing.assert_frame_equal(through(frame), frame)
    image = PIL.Image.new("RGB", (3, 2), (1, 2, 3))
    assert through(image).tobytes() == image.tobytes()


def test_dataclass_comes_back_as_a_dict() -> None:
    described = {"__dataclass__": "Point", "__module__": Point.__module__, "x": 1, "y": 2.5}
    assert through([Point(1, 2.5)]) == [described]


def test_value_without_safe_form_is_named() -> None:
    text, why = encoded({"a": [1, object()]})
    assert text is None
    assert "it is or holds builtins.object" in why
    assert "allow_pickle=True" in why
    endless: list[Any] = []
    endless.append(endless)
    assert "holds itself" in encoded(endless)[1] or "nested" in encoded(endless)[1]


def test_pickle_is_made_and_loaded_only_where_it_is_allowed() -> None:
    text, _ = encoded(ValueError("boom"), allow_pickle=True)
    assert str(answered(text, allow_pickle=True)) == "boom"
    with pytest.raises(AnswerError, match="allow_pickle=True"):
        answered(text)


def test_what_no_pickle_can_hold_comes_as_text() -> None:
    text, _ = encoded((n for n in [1]), allow_pickle=True)
    assert "generator object" in answered(text)


def test_forged_pickle_is_not_loaded(tmp_path: Path) -> None:
    trap = tmp_path / "trap"

    class Trap:
        def __reduce__(self) -> Any:
            return trap.touch, ()

    with pytest.raises(AnswerError, match="was not loaded"):
        answered("pickle:" + base64.b64encode(pickle.dumps(Trap())).decode())
    assert not trap.exists()


def safe(header: object, blobs: bytes = b"") -> str:
    text = json.dumps(header).encode()
    return (
        "safe:" + base64.b64encode(b"SWV1" + len(text).to_bytes(4, "big") + text + blobs).decode()
    )


@pytest.mark.parametrize(
    "text",
    [
        "legacy",
        "safe:",
        "safe:!",
        "safe:AAAA",
        safe([]),
        safe({"value": {"t": "no such"}, "blobs": []}),
        safe({"value": {"t": "bytes", "v": 7}, "blobs": []}),
        safe({"value": {"t": "image", "v": 0}, "blobs": [1]}, b"x"),
        safe(
            {"value": {"t": "ndarray", "dtype": "|O8", "shape": [1], "v": 0}, "blobs": [8]},
            b"x" * 8,
        ),
        "file:../../etc/passwd",
        "pickle:AAAA",
    ],
)
def test_malformed_answer_is_refused(text: str) -> None:
    with pytest.raises(AnswerError):
        answered(text)


def test_deeply_nested_answer_is_refused() -> None:
    deep = b'{"blobs": [], "value": ' + b"[" * 100_000
    content = b"SWV1" + len(deep).to_bytes(4, "big") + deep
    with pytest.raises(AnswerError):
        answered("safe:" + base64.b64encode(content).decode())


def test_answer_is_taken_from_the_exception_where_nothing_more_could_be_shown() -> None:
    text, _ = encoded(5)
    result = ExecutionResult(
        request_id="r",
        outcome=Outcome.FAILED,
        exception=ExceptionReport("_StepwellFinalAnswerGiven", text, "", None),
        worker_id="w",
    )
    answer = answer_of(result, None, False)  # type: ignore[arg-type]
    assert answer is not None and answer.value == 5
