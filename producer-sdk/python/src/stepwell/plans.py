"""Conversations of several requests, without any waiting of their own.

A plan is a generator: it yields requests that are to be sent together, is sent their answers in the
same order, and returns what the caller asked for. The blocking client and the asyncio one each have
a few lines that carry plans out, so that what they do is the same.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from stepwell import outcomes
from stepwell.core import unreadable
from stepwell.errors import MessageTooLargeError, StepwellError
from stepwell.messages import (
    End,
    ExecutionResult,
    FileInput,
    FilesPage,
    Fork,
    History,
    HistoryEntry,
    HistoryPage,
    ListFiles,
    Locate,
    Located,
    PutFiles,
    RemoveFiles,
    SessionOperation,
    WorkspaceEntry,
)
from stepwell.messages.operations import MAX_ENTRIES
from stepwell.names import Outcome
from stepwell.step import Step

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Ask:
    """One request to be sent: an operation, or a step."""

    work: SessionOperation | Step
    session_id: str | None
    base: str | None = None
    """For a step without a session: the reference of the state that it sees."""


Answer = ExecutionResult | StepwellError
"""What came of an Ask: a result, whatever its outcome is, or why there is none."""

Plan = Generator[list[Ask], list[Answer], T]

_MESSAGE_BYTES: Final = 1024
_ENTRY_BYTES: Final = 64
_CHARACTER_BYTES: Final = 6
"""The most bytes that JSON makes of one character."""


def expect(answer: Answer, kind: type[T]) -> T:
    """The answer of a certain kind; raises where it was not given."""
    session = done(answer).session
    if not isinstance(session, kind):
        given = "nothing" if session is None else type(session).__name__
        raise unreadable(
            f"request {done(answer).request_id} was answered with {given}, and not with "
            f"{kind.__name__}"
        )
    return session


def done(answer: Answer) -> ExecutionResult:
    """The result of an operation that was done; raises where it was not."""
    if isinstance(answer, StepwellError):
        raise answer
    return answer.or_throw()


def apply(operation: SessionOperation, session_id: str) -> Plan[None]:
    """Has an operation done that has nothing to answer."""
    (answer,) = yield [Ask(operation, session_id)]
    done(answer)


def locate(session_id: str, step: int | None) -> Plan[Located]:
    """Finds the state after a step, or the newest."""
    (answer,) = yield [Ask(Locate(step), session_id)]
    return expect(answer, Located)


def history(session_id: str) -> Plan[list[HistoryEntry]]:
    """All steps of a session, newest first."""
    entries: list[HistoryEntry] = []
    before: int | None = None
    while True:
        (answer,) = yield [Ask(History(MAX_ENTRIES, before), session_id)]
        page = expect(answer, HistoryPage)
        entries.extend(page.steps)
        if not page.more:
            return entries
        if not page.steps:
            raise unreadable("the history is said to go on, and has nothing in it")
        before = page.steps[-1].step


def list_files(session_id: str | None, base: str | None, prefix: str) -> Plan[list[WorkspaceEntry]]:
    """What has a path that begins with a prefix, all of the same workspace."""
    entries: list[WorkspaceEntry] = []
    ask = Ask(ListFiles(prefix, None, MAX_ENTRIES, base), session_id)
    while True:
        (answer,) = yield [ask]
        page = expect(answer, FilesPage)
        entries.extend(page.files)
        if not page.more:
            return entries
        if not page.files:
            raise unreadable("a list of files is said to go on, and has nothing in it")
        # By its reference the rest is that of the same workspace, and waits for no step.
        rest = ListFiles(prefix, entries[-1].path, MAX_ENTRIES, page.reference)
        ask = Ask(rest, None)


def put_files(session_id: str, files: Sequence[FileInput], max_message_bytes: int) -> Plan[None]:
    """Puts files, in as few messages as they fit into."""
    asks = [Ask(PutFiles(lot), session_id) for lot in lots(files, max_message_bytes)]
    if asks:
        answers = yield asks
        for answer in answers:
            done(answer)


def remove_files(session_id: str, paths: Sequence[str]) -> Plan[None]:
    """Removes files, all or none."""
    return apply(RemoveFiles(tuple(paths)), session_id)


def lots(files: Sequence[FileInput], max_message_bytes: int) -> list[tuple[FileInput, ...]]:
    """As few lots as there need be for each to fit into one message, in the given order.

    Raises MessageTooLargeError if one file alone doesn't fit.
    """
    made: list[list[FileInput]] = []
    lot_bytes = 0
    for file in files:
        size = _message_bytes(file)
        if _MESSAGE_BYTES + size > max_message_bytes:
            raise MessageTooLargeError(_MESSAGE_BYTES + size, max_message_bytes)
        if not made or lot_bytes + size > max_message_bytes or len(made[-1]) == MAX_ENTRIES:
            made.append([])
            lot_bytes = _MESSAGE_BYTES
        made[-1].append(file)
        lot_bytes += size
    return [tuple(lot) for lot in made]


def forks(
    base: str, session_ids: Sequence[str], reseed: bool, make: Callable[[str], T]
) -> Plan[list[T]]:
    """Makes a session of each id. Where one can't be made, the others are ended again."""
    answers = yield [Ask(Fork(base, reseed), session_id) for session_id in session_ids]
    failures = [failure for answer in answers if (failure := _failure(answer)) is not None]
    if not failures:
        return [make(session_id) for session_id in session_ids]
    made = [
        session_id
        for session_id, answer in zip(session_ids, answers, strict=True)
        # An id may also be that of somebody else's session.
        if isinstance(answer, ExecutionResult) and answer.outcome is Outcome.COMPLETED
    ]
    if made:
        yield [Ask(End(), session_id) for session_id in made]
    raise failures[0]


def fork_ids(name: str | None, count: int) -> list[str]:
    """The ids of several forks: the name with -1, -2 and so on behind it, or random ones."""
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise ValueError(f"count is {count}, must be at least 1")
    if name is None:
        return [new_session_id() for _ in range(count)]
    return [f"{name}-{number}" for number in range(1, count + 1)]


def new_session_id() -> str:
    """An id that no session has."""
    return str(uuid.uuid4())


def _failure(answer: Answer) -> StepwellError | None:
    return answer if isinstance(answer, StepwellError) else outcomes.error_of(answer)


def _message_bytes(file: FileInput) -> int:
    return _ENTRY_BYTES + _CHARACTER_BYTES * len(file.path) + (len(file.content) + 2) // 3 * 4
