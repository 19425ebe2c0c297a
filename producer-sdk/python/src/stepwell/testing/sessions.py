"""Sessions in memory: numbers, history, references and files. No variables: nothing runs."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass, field, replace

from stepwell.messages import (
    Artifact,
    Content,
    End,
    ExecutionRequest,
    ExecutionResult,
    FileInput,
    FilesPage,
    Fork,
    GetFile,
    History,
    HistoryEntry,
    HistoryPage,
    ListFiles,
    Locate,
    Located,
    PutFiles,
    RemoveFiles,
    Reset,
    SessionAnswer,
    SessionRequest,
    StateReport,
    WorkspaceEntry,
)
from stepwell.messages.paths import DEFAULT_MODE
from stepwell.names import ArtifactProblem, EntryKind, ErrorCode, Outcome
from stepwell.patterns import matches
from stepwell.testing.results import completed, rejected


@dataclass
class _Session:
    step: int = 0
    files: dict[str, FileInput] = field(default_factory=dict)
    entries: list[HistoryEntry] = field(default_factory=list)
    references: dict[int, str] = field(default_factory=dict)


class Refusal(Exception):  # noqa: N818 - it is an answer, not an error
    """An operation that is not done, and the result that says so."""

    def __init__(self, code: ErrorCode, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.result = rejected(code, message, field)


class FakeSessions:
    """What workers keep; owned by one thread at a time."""

    def __init__(self) -> None:
        self._sessions: dict[str, _Session] = {}
        self._states: dict[str, tuple[int, dict[str, FileInput]]] = {}

    def begin(self, request: ExecutionRequest) -> dict[str, FileInput]:
        """The workspace that a step finds, its own files put into it."""
        files: dict[str, FileInput] = {}
        if request.session_id is not None:
            files = dict(self._sessions.setdefault(request.session_id, _Session()).files)
        elif request.base is not None:
            files = dict(self._state(request.base)[1])
        return files | {file.path: file for file in request.files}

    def end(
        self, request: ExecutionRequest, files: dict[str, FileInput], outcome: Outcome
    ) -> tuple[int | None, StateReport | None]:
        """Takes note of a step that was answered: its number and the session's state."""
        if request.session_id is None:
            return None, None
        session = self._sessions[request.session_id]
        if outcome is Outcome.REJECTED:
            return None, _report(session, saved=False)
        saved = outcome in (Outcome.COMPLETED, Outcome.FAILED, Outcome.EXITED)
        self._advance(session, request.request_id, outcome, files if saved else None)
        return session.step, _report(session, saved=saved)

    def operate(self, request: SessionRequest) -> ExecutionResult:
        """Does an operation."""
        try:
            answer = self._operate(request)
        except Refusal as refusal:
            return refusal.result
        session = self._sessions.get(request.session_id or "")
        return completed_operation(answer, session.step if session and session.step else None)

    def _operate(self, request: SessionRequest) -> SessionAnswer | None:
        operation = request.operation
        if isinstance(operation, Fork):
            self._fork(request.session_id or "", operation)
            return None
        if isinstance(operation, (GetFile, ListFiles)):
            return self._read(request.session_id, operation)
        name = request.session_id or ""
        if isinstance(operation, PutFiles):
            self._sessions.setdefault(name, _Session())
        session = self._session(name)
        if isinstance(operation, Locate):
            return self._locate(session, operation.step)
        if isinstance(operation, History):
            return _history(session, operation)
        if isinstance(operation, End):
            del self._sessions[name]
            return None
        self._change(session, request.request_id, operation)
        return None

    def _change(
        self, session: _Session, request_id: str, operation: PutFiles | RemoveFiles | Reset
    ) -> None:
        files = {} if isinstance(operation, Reset) else dict(session.files)
        if isinstance(operation, PutFiles):
            files |= {file.path: file for file in operation.files}
        elif isinstance(operation, RemoveFiles):
            for path in operation.paths:
                below = [each for each in files if each == path or each.startswith(path + "/")]
                if not below:
                    raise Refusal(
                        ErrorCode.FILE_NOT_FOUND, f"nothing is at '{path}'", "operation.paths"
                    )
                for each in below:
                    del files[each]
        self._advance(session, request_id, Outcome.COMPLETED, files)

    def _advance(
        self,
        session: _Session,
        request_id: str,
        outcome: Outcome,
        files: dict[str, FileInput] | None,
    ) -> None:
        session.step += 1
        snapshot = None
        if files is not None:
            session.files = files
            reference = f"fake.{len(self._states) + 1}"
            self._states[reference] = (session.step, dict(files))
            session.references[session.step] = reference
            snapshot = hashlib.sha256(reference.encode()).hexdigest()
        now = int(time.time() * 1000)
        session.entries.append(
            HistoryEntry(session.step, snapshot, request_id, outcome, now, 0, snapshot is not None)
        )

    def _fork(self, name: str, operation: Fork) -> None:
        if name in self._sessions:
            raise Refusal(ErrorCode.SESSION_EXISTS, f"there is a session '{name}'", "sessionId")
        step, files = self._state(operation.base)
        self._sessions[name] = _Session(step, dict(files), [], {step: operation.base})

    def _locate(self, session: _Session, step: int | None) -> Located:
        wanted = session.step if step is None else step
        found = [each for each in session.references if each <= wanted]
        if wanted > session.step or not found:
            raise Refusal(ErrorCode.STEP_UNKNOWN, f"there is no step {wanted}", "operation.step")
        return Located(session.references[max(found)], max(found))

    def _read(self, name: str | None, operation: GetFile | ListFiles) -> SessionAnswer:
        if operation.base is not None:
            reference = operation.base
        else:
            reference = self._locate(self._session(name or ""), None).reference
        files = self._state(reference)[1]
        if isinstance(operation, GetFile):
            return _content(reference, files, operation)
        found = sorted(
            (entry(file) for file in files.values() if file.path.startswith(operation.prefix)),
            key=lambda each: each.path.encode(),
        )
        after = operation.after
        if after is not None:
            found = [each for each in found if each.path.encode() > after.encode()]
        page = tuple(found[: operation.limit])
        return FilesPage(reference, page, len(found) > len(page))

    def _session(self, name: str) -> _Session:
        session = self._sessions.get(name)
        if session is None:
            raise Refusal(ErrorCode.SESSION_UNKNOWN, f"there is no session '{name}'", "sessionId")
        return session

    def _state(self, reference: str) -> tuple[int, dict[str, FileInput]]:
        if reference not in self._states:
            raise Refusal(ErrorCode.BASE_INVALID, f"'{reference}' is no reference", "base")
        return self._states[reference]


def artifacts(patterns: tuple[str, ...], files: dict[str, FileInput]) -> tuple[Artifact, ...]:
    """What a result brings back of a workspace."""
    found = sorted(path for path in files if any(matches(pattern, path) for pattern in patterns))
    missing = [pattern for pattern in patterns if not any(matches(pattern, path) for path in files)]
    return (
        *(_artifact(files[path]) for path in found),
        *(
            Artifact(each, 0, None, 0, None, ArtifactProblem.MISSING, "no file matches")
            for each in missing
        ),
    )


def entry(file: FileInput) -> WorkspaceEntry:
    """A file as a list shows it."""
    digest = hashlib.sha256(file.content).hexdigest()
    mode = DEFAULT_MODE if file.mode is None else file.mode
    return WorkspaceEntry(file.path, EntryKind.FILE, mode, len(file.content), 0, digest, None)


def completed_operation(answer: SessionAnswer | None, step: int | None) -> ExecutionResult:
    """The result of an operation that was done."""
    return replace(completed(), exit_code=None, session=answer, step=step)


def _artifact(file: FileInput) -> Artifact:
    shown = entry(file)
    return Artifact(file.path, shown.bytes, shown.sha256, shown.mode, file.content)


def _content(reference: str, files: dict[str, FileInput], operation: GetFile) -> Content:
    file = files.get(operation.path)
    if file is None:
        raise Refusal(
            ErrorCode.FILE_NOT_FOUND, f"nothing is at '{operation.path}'", "operation.path"
        )
    content = file.content[operation.offset : operation.offset + operation.length]
    return Content(reference, entry(file), operation.offset, content)


def _history(session: _Session, operation: History) -> HistoryPage:
    before = operation.before_step
    found = [each for each in reversed(session.entries) if before is None or each.step < before]
    return HistoryPage(tuple(found[: operation.limit]), len(found) > operation.limit)


def _report(session: _Session, *, saved: bool) -> StateReport:
    snapshot = next((each.snapshot for each in reversed(session.entries) if each.snapshot), None)
    size = sum(len(file.content) for file in session.files.values())
    return StateReport(snapshot=snapshot, saved=saved, files=len(session.files), file_bytes=size)
