"""The client for asyncio: the same surface with `await`."""

from stepwell.aio.client import AsyncStepwell
from stepwell.aio.execution import AsyncExecution
from stepwell.aio.files import AsyncSessionFiles, AsyncWorkspaceFiles
from stepwell.aio.session import AsyncSession, AsyncSessionView

__all__ = [
    "AsyncExecution",
    "AsyncSession",
    "AsyncSessionFiles",
    "AsyncSessionView",
    "AsyncStepwell",
    "AsyncWorkspaceFiles",
]
