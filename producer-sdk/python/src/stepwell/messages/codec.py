"""Messages to bytes and back.

Encoding is deterministic. Decoding is strict and bounded: whatever the bytes are, it gives a
message or raises InvalidMessageError. Fields that it doesn't know are ignored.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from stepwell.messages import answers, document, json_form, operations, requests, results
from stepwell.messages.fields import FieldReader
from stepwell.messages.operations import SessionOperation
from stepwell.messages.paths import FileInput
from stepwell.messages.requests import CancelRequest, ExecutionRequest, Request, SessionRequest
from stepwell.messages.result_reader import read_result
from stepwell.messages.results import ExecutionResult
from stepwell.names import StepKind

MAX_RESULT_BYTES: Final = 128 << 20
"""Results are as large as brokers allow, which is more than a request may be."""

_SESSION: Final = "SESSION"
_OPERATIONS: Final[dict[str, type[SessionOperation]]] = {
    "FORK": operations.Fork,
    "LOCATE": operations.Locate,
    "HISTORY": operations.History,
    "RESET": operations.Reset,
    "END": operations.End,
    "PUT_FILES": operations.PutFiles,
    "GET_FILE": operations.GetFile,
    "LIST_FILES": operations.ListFiles,
    "REMOVE_FILES": operations.RemoveFiles,
}
_OPERATION_NAMES: Final = {kind: name for name, kind in _OPERATIONS.items()}
_ANSWER_NAMES: Final = {
    answers.Located: "LOCATED",
    answers.HistoryPage: "HISTORY",
    answers.FilesPage: "FILES",
    answers.Content: "CONTENT",
}


def encode_request(request: Request) -> bytes:
    """The bytes of a request, without the optional fields that it has no value for."""
    content: dict[str, object] = {"version": requests.VERSION}
    if isinstance(request, ExecutionRequest):
        content |= json_form.without_defaults(request)
    else:
        content |= {
            "requestId": request.request_id,
            "sessionId": request.session_id,
            "kind": _SESSION,
            "operation": {
                "type": _OPERATION_NAMES[type(request.operation)],
                **json_form.without_nulls(request.operation),
            },
            "deadlineMs": request.deadline_ms,
            "replyTo": request.reply_to,
        }
    return document.write({name: value for name, value in content.items() if value is not None})


def encode_cancel(cancel: CancelRequest) -> bytes:
    """The bytes of a cancel."""
    return document.write({"version": requests.VERSION, **json_form.without_nulls(cancel)})


def encode_result(result: ExecutionResult) -> bytes:
    """The bytes of a result, with null where it has no value. Only workers and fakes need it."""
    content: dict[str, object] = {"version": results.VERSION, **json_form.whole(result)}
    if result.session is not None:
        content["session"] = {
            "type": _ANSWER_NAMES[type(result.session)],
            **json_form.whole(result.session),
        }
    return document.write(content)


def decode_request(message: bytes, max_bytes: int = document.DEFAULT_MAX_MESSAGE_BYTES) -> Request:
    """The request in a record's value."""
    fields = document.parse(message, requests.VERSION, max_bytes)
    kind = fields.required_text("kind")
    if kind == _SESSION:
        return SessionRequest(
            request_id=fields.required_text("requestId"),
            session_id=fields.text("sessionId"),
            operation=_read_operation(fields.required_object("operation")),
            deadline_ms=fields.integer("deadlineMs"),
            reply_to=fields.text("replyTo"),
        )
    return _read_execution(fields)


def decode_cancel(
    message: bytes, max_bytes: int = document.DEFAULT_MAX_MESSAGE_BYTES
) -> CancelRequest:
    """The cancel in a record's value."""
    fields = document.parse(message, requests.VERSION, max_bytes)
    return CancelRequest(fields.required_text("requestId"), fields.text("sessionId"))


def decode_result(message: bytes, max_bytes: int = MAX_RESULT_BYTES) -> ExecutionResult:
    """The result in a record's value."""
    return read_result(document.parse(message, results.VERSION, max_bytes))


def _read_execution(fields: FieldReader) -> ExecutionRequest:
    return ExecutionRequest(
        request_id=fields.required_text("requestId"),
        session_id=fields.text("sessionId"),
        kind=fields.required_one_of("kind", StepKind),
        source=fields.text("source"),
        prelude=fields.text("prelude"),
        argv=fields.texts("argv"),
        stdin=fields.text("stdin"),
        files=_read_files(fields),
        artifacts=fields.texts("artifacts"),
        base=fields.text("base"),
        strict_state=fields.flag("strictState"),
        profile=fields.text("profile"),
        limits=_read_limits(fields.object("limits")),
        environment=fields.text_by_name("environment"),
        deadline_ms=fields.integer("deadlineMs"),
        reply_to=fields.text("replyTo"),
    )


def _read_limits(fields: FieldReader | None) -> requests.Limits:
    if fields is None:
        return requests.Limits()
    return requests.Limits(
        wall_time_ms=fields.integer("wallTimeMs"),
        memory_bytes=fields.integer("memoryBytes"),
        output_bytes=fields.integer("outputBytes"),
        state_bytes=fields.integer("stateBytes"),
    )


def _read_files(fields: FieldReader) -> tuple[FileInput, ...]:
    return tuple(
        FileInput(
            file.required_text("path"), file.required_content("content"), file.integer("mode")
        )
        for file in fields.objects("files")
    )


_OPERATION_READERS: Final[dict[str, Callable[[FieldReader], SessionOperation]]] = {
    "FORK": lambda f: operations.Fork(f.required_text("base"), f.required_flag("reseed")),
    "LOCATE": lambda f: operations.Locate(f.integer("step")),
    "HISTORY": lambda f: operations.History(f.required_integer("limit"), f.integer("beforeStep")),
    "RESET": lambda _: operations.Reset(),
    "END": lambda _: operations.End(),
    "PUT_FILES": lambda f: operations.PutFiles(_read_files(f)),
    "GET_FILE": lambda f: operations.GetFile(
        f.required_text("path"),
        f.required_integer("offset"),
        f.required_integer("length"),
        f.text("base"),
    ),
    "LIST_FILES": lambda f: operations.ListFiles(
        f.required_text("prefix"), f.text("after"), f.required_integer("limit"), f.text("base")
    ),
    "REMOVE_FILES": lambda f: operations.RemoveFiles(f.texts("paths")),
}


def _read_operation(fields: FieldReader) -> SessionOperation:
    kind = fields.required_text("type")
    reader = _OPERATION_READERS.get(kind)
    if reader is None:
        raise fields.invalid("type", f"must be one of {', '.join(_OPERATION_READERS)}")
    return reader(fields)
