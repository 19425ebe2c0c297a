"""The files of a workspace, without running a step."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, BinaryIO, overload

from stepwell import downloads, patterns, plans
from stepwell.messages import FileInput, WorkspaceEntry
from stepwell.step import file_inputs

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

    from stepwell.client import Stepwell


class WorkspaceFiles:
    """The files of a workspace, to be read without running a step; immutable and thread-safe.

    Paths are relative to `/workspace`, with slashes. Every method blocks, at most as long as the
    client's answer timeout says for each request that it takes, and raises SessionUnknownError if
    there is no such session, StateUnavailableError if the state is no longer retained, and another
    StepwellError if there is no answer.

    What is here was made by code in sandboxes: trust names, links and contents no more than that
    code.
    """

    def __init__(self, client: Stepwell, session_id: str | None, base: str | None) -> None:
        self._client = client
        self._session_id = session_id
        self._base = base

    def list(self, prefix: str = "", *, pattern: str | None = None) -> list[WorkspaceEntry]:
        """Files, folders and links, in the order of the paths' bytes.

        `prefix` is what their paths begin with, such as `out/`. `pattern`, such as
        `plots/**/*.png`, keeps what it matches: `*` is any characters of one part of a path, `?`
        one of them, `**` any number of parts.
        """
        entries = self._client._carry_out(plans.list_files(self._session_id, self._base, prefix))
        if pattern is None:
            return entries
        return [entry for entry in entries if patterns.matches(pattern, entry.path)]

    def get(self, path: str, *, offset: int = 0, length: int | None = None) -> bytes:
        """The content of a file, as it was at one time; its hash is checked.

        With `offset` and `length` only so many bytes from there on, fewer at its end. Raises
        FileMissingError if nothing is there, FileRefusedError if it is no regular file: links are
        not followed.
        """
        if offset == 0 and length is None:
            content = io.BytesIO()
            self.copy(path, content)
            return content.getvalue()
        plan = downloads.part(path, self._session_id, self._base, offset, length)
        return self._client._carry_out(plan)

    def copy(self, path: str, target: BinaryIO) -> int:
        """Writes a file to a stream, with a few megabytes of it in memory; returns its size.

        Raises as `get` does, when the stream may have taken some of it. The stream stays open.
        """
        plan = downloads.whole(path, self._session_id, self._base, target.write)
        return self._client._carry_out(plan)

    def open(self, path: str) -> BinaryIO:
        """A file to be read from anywhere in it, as it is now; asks for the ranges it needs.

        Raises as `get` does.
        """
        plan = downloads.describe(path, self._session_id, self._base)
        reference, size = self._client._carry_out(plan)
        source = WorkspaceFiles(self._client, None, reference)
        return io.BufferedReader(_Reader(source, path, size), 256 << 10)


class SessionFiles(WorkspaceFiles):
    """The files of a session's workspace, to be read and changed without running a step.

    Each call takes its turn among the session's steps: it sees what those sent before left, and
    those sent after see what it changed. Changes count as steps of the session.
    """

    def __init__(self, client: Stepwell, session_id: str) -> None:
        super().__init__(client, session_id, None)
        self._session = session_id

    @overload
    def put(self, files: str, content: ReadableBuffer) -> None: ...

    @overload
    def put(self, files: Mapping[str, bytes] | Iterable[FileInput]) -> None: ...

    def put(
        self,
        files: str | Mapping[str, bytes] | Iterable[FileInput],
        content: ReadableBuffer | None = None,
    ) -> None:
        """Puts files into the workspace: `put(path, content)`, `put({path: content, ...})`, or
        FileInputs with modes.

        What is at their paths goes; folders on the way come to be, and so does the session. As many
        as fit go in one message and are put together or not at all; where they take several, the
        first ones may be there though a later one failed.

        Raises FileRefusedError if a file is in the way of another, or the workspace's caps are
        reached; InvalidMessageError if a path is none that a file may have; MessageTooLargeError if
        one alone doesn't fit into a message, in which it grows by a third; then none was sent.
        """
        inputs = put_inputs(files, content)
        limit = self._client._core.options.max_request_bytes
        self._client._carry_out(plans.put_files(self._session, inputs, limit))

    def remove(self, paths: str | Iterable[str]) -> None:
        """Removes 1 to 1000 files, links, and folders with all that is in them; all or none.

        Raises FileMissingError if there is nothing at one of them.
        """
        self._client._carry_out(plans.remove_files(self._session, path_list(paths)))


def put_inputs(
    files: str | Mapping[str, bytes] | Iterable[FileInput], content: ReadableBuffer | None
) -> tuple[FileInput, ...]:
    """What a call of `put` puts."""
    if isinstance(files, str):
        if content is None or isinstance(content, str):
            raise TypeError(f"put({files!r}) has no content: put(path, content)")
        return file_inputs({files: bytes(content)})
    if content is not None:
        raise TypeError("put takes a path and its content, or files by path, not both")
    return file_inputs(files)


def path_list(paths: str | Iterable[str]) -> list[str]:
    """What a call of `remove` removes."""
    return [paths] if isinstance(paths, str) else [*paths]


class _Reader(io.RawIOBase):
    """One file of a state; owned by the thread that reads."""

    def __init__(self, source: WorkspaceFiles, path: str, size: int) -> None:
        self._source = source
        self._path = path
        self._size = size
        self._position = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence]
        if start + offset < 0:
            raise ValueError(f"the position {start + offset} is before the file")
        self._position = start + offset
        return self._position

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        target = memoryview(buffer).cast("B")
        if self._position >= self._size or not target:
            return 0
        content = self._source.get(self._path, offset=self._position, length=len(target))
        target[: len(content)] = content
        self._position += len(content)
        return len(content)
