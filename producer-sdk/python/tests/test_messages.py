from __future__ import annotations

import dataclasses
import json
import pickle

import pytest

from stepwell import messages
from stepwell.errors import InvalidMessageError, StepFailedError
from stepwell.messages import ExecutionRequest, ExecutionResult, Value, decode_result, encode_result
from stepwell.messages.document import parse, write
from stepwell.names import ErrorCode, Outcome, StepKind
from stepwell.testing import completed, failed

RESULT = dataclasses.replace(completed("hi\n"), request_id="r-1")


def result_with(**changes: object) -> bytes:
    return json.dumps({**json.loads(encode_result(RESULT)), **changes}).encode()


def test_messages_are_frozen_and_have_no_room_for_more() -> None:
    kinds = [
        kind
        for name in messages.__all__
        if isinstance(kind := getattr(messages, name), type) and dataclasses.is_dataclass(kind)
    ]
    assert len(kinds) > 25
    for kind in kinds:
        assert kind.__dataclass_params__.frozen, kind  # type: ignore[attr-defined]
        assert hasattr(kind, "__slots__"), kind


def test_unknown_fields_are_ignored() -> None:
    assert decode_result(result_with(new={"deep": [1]})).stdout == "hi\n"


def test_displays_may_be_absent_or_null() -> None:
    content = json.loads(encode_result(RESULT))
    del content["displays"]
    assert decode_result(json.dumps(content).encode()).displays == ()
    assert decode_result(result_with(displays=None)).displays == ()


def test_displays_keep_their_order_and_forms() -> None:
    shown = [{"text": "a", "type": "t"}, {"text": "b", "type": "t", "mime": {"text/html": "<b>"}}]
    result = decode_result(result_with(displays=shown))
    assert result.displays == (Value("a", "t"), Value("b", "t", {"text/html": "<b>"}))


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"outcome": "FINE"}, "outcome"),
        ({"outcome": None}, "outcome"),
        ({"step": "3"}, "step"),
        ({"step": 3.0}, "step"),
        ({"step": True}, "step"),
        ({"step": 1 << 63}, "step"),
        ({"exitCode": 256}, "exitCode"),
        ({"attempt": 0}, "attempt"),
        ({"stdout": None}, "stdout"),
        ({"stdout": "\ud800"}, "stdout"),
        ({"displays": {}}, "displays"),
        ({"displays": [1]}, "displays[0]"),
        ({"displays": [{"text": "a"}]}, "displays[0].type"),
        ({"displays": [{"text": "a", "type": "b", "mime": {"x": 1}}]}, "displays[0].mime.x"),
        ({"session": {"type": "MOVED"}}, "session.type"),
        ({"version": "1"}, "version"),
    ],
)
def test_results_that_break_the_protocol_are_refused(
    changes: dict[str, object], field: str
) -> None:
    with pytest.raises(InvalidMessageError) as caught:
        decode_result(result_with(**changes))
    assert caught.value.field == field
    assert field in str(caught.value)


def test_another_version_is_refused() -> None:
    with pytest.raises(InvalidMessageError) as caught:
        decode_result(result_with(version=2))
    assert caught.value.code is ErrorCode.UNSUPPORTED_VERSION


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        '{"version":1} 2',
        '{"version":1,"version":1}',
        '{"version":NaN}',
        '{"version":1,"a":' + "[" * 40 + "]" * 40 + "}",
        '{"version":1,"a":' + "[" * 100_000 + "]" * 100_000 + "}",
        '\ufeff{"version":1}',
    ],
)
def test_what_is_no_message_is_refused(text: str) -> None:
    with pytest.raises(InvalidMessageError) as caught:
        parse(text.encode(), 1, 1 << 20)
    assert caught.value.code is ErrorCode.NOT_JSON


def test_nesting_is_accepted_up_to_its_limit() -> None:
    assert parse(b'{"version":1,"a":' + b"[" * 31 + b"]" * 31 + b"}", 1, 1 << 20)
    with pytest.raises(InvalidMessageError):
        parse(b'{"version":1,"a":' + b"[" * 32 + b"]" * 32 + b"}", 1, 1 << 20)


def test_message_size_is_limited() -> None:
    message = write({"version": 1})
    assert parse(message, 1, len(message))
    with pytest.raises(InvalidMessageError) as caught:
        parse(message, 1, len(message) - 1)
    assert caught.value.code is ErrorCode.MESSAGE_TOO_LARGE


def test_a_prelude_is_for_python_and_not_blank() -> None:
    def request(kind: StepKind, prelude: str) -> ExecutionRequest:
        return ExecutionRequest(request_id="r", kind=kind, source="x", prelude=prelude)

    assert b'"prelude":"y = 1"' in messages.encode_request(request(StepKind.PYTHON, "y = 1"))
    for kind, prelude in ((StepKind.SHELL, "y = 1"), (StepKind.PYTHON, " \n")):
        with pytest.raises(InvalidMessageError) as caught:
            request(kind, prelude)
        assert caught.value.field == "prelude"


def test_values_give_their_forms_as_text_or_bytes() -> None:
    value = Value(
        "v",
        "t",
        {"image/png": "iVBORw0KGgo=", "text/html": "<b>", "image/svg+xml": "<svg/>", "a/b": "?"},
    )
    assert value.data("image/png") == b"\x89PNG\r\n\x1a\n"
    assert value.data("text/html") == "<b>"
    assert value.data("image/svg+xml") == "<svg/>"
    assert value.data("text/plain") is None
    with pytest.raises(ValueError, match="a/b"):
        value.data("a/b")


def test_results_and_errors_can_be_pickled() -> None:
    result = dataclasses.replace(failed("V", "no"), request_id="r")
    assert pickle.loads(pickle.dumps(result)) == result
    with pytest.raises(StepFailedError, match="raised V: no") as caught:
        result.or_throw()
    copied = pickle.loads(pickle.dumps(caught.value))
    assert type(copied) is type(caught.value)
    assert copied.result == result
    assert str(copied) == str(caught.value)


def test_repr_of_a_result_says_how_it_ended() -> None:
    result = ExecutionResult(
        request_id="r", session_id="s", step=3, outcome=Outcome.FAILED, worker_id="w"
    )
    assert repr(result) == "<ExecutionResult step 3 of session s: FAILED>"
