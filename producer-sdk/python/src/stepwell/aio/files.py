"""The files of a workspace, from a loop."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, BinaryIO, overload

from stepwell import downloads, patterns, plans
from stepwell.files import path_list, put_inputs
from stepwell.messages import FileInput, WorkspaceEntry

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

    from stepwell.aio.client import AsyncStepwell


class AsyncWorkspaceFiles:
    """The files of a workspace, to be read; what `WorkspaceFiles` is, with `await`."""

    def __init__(self, client: AsyncStepwell, session_id: str | None, base: str | None) -> None:
        self._client = client
        self._session_id = session_id
        self._base = base

    async def list(self, prefix: str = "", *, pattern: str | None = None) -> list[WorkspaceEntry]:
        """Files, folders and links; see `WorkspaceFiles.list`."""
        plan = plans.list_files(self._session_id, self._base, prefix)
        entries = await self._client._carry_out(plan)
        if pattern is None:
            return entries
        return [entry for entry in entries if patterns.matches(pattern, entry.path)]

    async def get(self, path: str, *, offset: int = 0, length: int | None = None) -> bytes:
        """The content of a file, or some bytes of it; see `WorkspaceFiles.get`."""
        if offset == 0 and length is None:
            content = io.BytesIO()
            await self.copy(path, content)
            return content.getvalue()
        plan = downloads.part(path, self._session_id, self._base, offset, length)
        return await self._client._carry_out(plan)

    async def copy(self, path: str, target: BinaryIO) -> int:
        """Writes a file to a stream, whose `write` is called in the loop; returns its size."""
        plan = downloads.whole(path, self._session_id, self._base, target.write)
        return await self._client._carry_out(plan)


class AsyncSessionFiles(AsyncWorkspaceFiles):
    """The files of a session's workspace; what `SessionFiles` is, with `await`."""

    def __init__(self, client: AsyncStepwell, session_id: str) -> None:
        super().__init__(client, session_id, None)
        self._session = session_id

    @overload
    async def put(self, files: str, content: ReadableBuffer) -> None: ...

    @overload
    async def put(self, files: Mapping[str, bytes] | Iterable[FileInput]) -> None: ...

    async def put(
        self,
        files: str | Mapping[str, bytes] | Iterable[FileInput],
        content: ReadableBuffer | None = None,
    ) -> None:
        """Puts files into the workspace; see `SessionFiles.put`."""
        inputs = put_inputs(files, content)
        limit = self._client._core.options.max_request_bytes
        await self._client._carry_out(plans.put_files(self._session, inputs, limit))

    async def remove(self, paths: str | Iterable[str]) -> None:
        """Removes files, links and folders; see `SessionFiles.remove`."""
        await self._client._carry_out(plans.remove_files(self._session, path_list(paths)))
