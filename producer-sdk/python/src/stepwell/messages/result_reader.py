"""Results out of their JSON."""

from __future__ import annotations

from stepwell.messages.answers import (
    Content,
    FilesPage,
    HistoryEntry,
    HistoryPage,
    Located,
    SessionAnswer,
    WorkspaceEntry,
)
from stepwell.messages.fields import FieldReader
from stepwell.messages.results import (
    Artifact,
    ExceptionReport,
    ExecutionResult,
    LostValue,
    ResultError,
    StateReport,
    Timings,
    Truncation,
    Usage,
    Value,
)
from stepwell.names import ArtifactProblem, EntryKind, ErrorCode, Outcome


def read_result(fields: FieldReader) -> ExecutionResult:
    """The result whose fields these are; raises InvalidMessageError."""
    value = fields.object("value")
    return ExecutionResult(
        request_id=fields.required_text("requestId"),
        session_id=fields.text("sessionId"),
        step=fields.integer("step"),
        outcome=fields.required_one_of("outcome", Outcome),
        exit_code=fields.integer("exitCode"),
        signal=fields.text("signal"),
        stdout=fields.required_text("stdout"),
        stderr=fields.required_text("stderr"),
        truncation=_truncation(fields.required_object("truncation")),
        value=None if value is None else _value(value),
        displays=tuple(_value(each) for each in fields.objects("displays")),
        exception=_exception(fields.object("exception")),
        error=_error(fields.object("error")),
        state=_state(fields.object("state")),
        artifacts=tuple(_artifact(each) for each in fields.objects("artifacts")),
        session=_answer(fields.object("session")),
        timings=_timings(fields.required_object("timings")),
        usage=_usage(fields.required_object("usage")),
        worker_id=fields.required_text("workerId"),
        sandbox_id=fields.text("sandboxId"),
        attempt=fields.required_integer("attempt"),
    )


def _truncation(fields: FieldReader) -> Truncation:
    return Truncation(
        fields.required_integer("stdoutBytes"), fields.required_integer("stderrBytes")
    )


def _value(fields: FieldReader) -> Value:
    return Value(
        fields.required_text("text"), fields.required_text("type"), fields.text_by_name("mime")
    )


def _exception(fields: FieldReader | None) -> ExceptionReport | None:
    if fields is None:
        return None
    return ExceptionReport(
        fields.required_text("name"),
        fields.required_text("message"),
        fields.required_text("traceback"),
        fields.integer("line"),
    )


def _error(fields: FieldReader | None) -> ResultError | None:
    if fields is None:
        return None
    return ResultError(
        fields.required_one_of("code", ErrorCode),
        fields.required_text("message"),
        fields.text("field"),
        fields.required_flag("retrySafe"),
    )


def _state(fields: FieldReader | None) -> StateReport | None:
    if fields is None:
        return None
    return StateReport(
        snapshot=fields.text("snapshot"),
        saved=fields.required_flag("saved"),
        bytes=fields.required_integer("bytes"),
        new_bytes=fields.required_integer("newBytes"),
        kept=fields.required_integer("kept"),
        lost=tuple(_lost(each) for each in fields.objects("lost")),
        files=fields.integer("files") or 0,
        file_bytes=fields.integer("fileBytes") or 0,
    )


def _lost(fields: FieldReader) -> LostValue:
    return LostValue(
        fields.required_text("name"),
        fields.required_text("path"),
        fields.required_text("type"),
        fields.required_text("reason"),
        fields.text("hint"),
    )


def _artifact(fields: FieldReader) -> Artifact:
    return Artifact(
        path=fields.required_text("path"),
        bytes=fields.required_integer("bytes"),
        sha256=fields.text("sha256"),
        mode=fields.required_integer("mode"),
        content=fields.content("content"),
        problem=fields.one_of("problem", ArtifactProblem),
        reason=fields.text("reason"),
    )


def _timings(fields: FieldReader) -> Timings:
    return Timings(
        fields.required_number("queuedMs"),
        fields.required_number("acquiredMs"),
        fields.required_number("restoredMs"),
        fields.required_number("ranMs"),
        fields.required_number("savedMs"),
        fields.required_number("committedMs"),
    )


def _usage(fields: FieldReader) -> Usage:
    return Usage(
        fields.number("cpuMs"),
        fields.integer("peakMemoryBytes"),
        fields.required_text("enforcement"),
    )


def _answer(fields: FieldReader | None) -> SessionAnswer | None:
    if fields is None:
        return None
    kind = fields.required_text("type")
    if kind == "LOCATED":
        return Located(fields.required_text("reference"), fields.required_integer("step"))
    if kind == "HISTORY":
        return HistoryPage(
            tuple(_history_entry(each) for each in fields.objects("steps")),
            fields.required_flag("more"),
        )
    if kind == "FILES":
        return FilesPage(
            fields.required_text("reference"),
            tuple(_entry(each) for each in fields.objects("files")),
            fields.required_flag("more"),
        )
    if kind == "CONTENT":
        return Content(
            fields.required_text("reference"),
            _entry(fields.required_object("file")),
            fields.required_integer("offset"),
            fields.required_content("content"),
        )
    raise fields.invalid("type", "must be one of LOCATED, HISTORY, FILES, CONTENT")


def _history_entry(fields: FieldReader) -> HistoryEntry:
    return HistoryEntry(
        fields.required_integer("step"),
        fields.text("snapshot"),
        fields.required_text("requestId"),
        fields.required_one_of("outcome", Outcome),
        fields.required_integer("finishedAtMs"),
        fields.required_integer("bytes"),
        fields.required_flag("retained"),
    )


def _entry(fields: FieldReader) -> WorkspaceEntry:
    return WorkspaceEntry(
        path=fields.required_text("path"),
        kind=fields.required_one_of("kind", EntryKind),
        mode=fields.required_integer("mode"),
        bytes=fields.required_integer("bytes"),
        modified_ns=fields.required_integer("modifiedNs"),
        sha256=fields.text("sha256"),
        target=fields.text("target"),
    )
