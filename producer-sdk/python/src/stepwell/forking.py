"""Keeps a forked process from tearing down what it only has a copy of.

librdkafka's objects own threads, which a fork doesn't copy, and connections, which parent and child
then share. To let go of such an object in a child waits for threads that aren't there, and may say
goodbye over a connection that is the parent's. So a child keeps what its parent had open, by one
reference too many.
"""

from __future__ import annotations

import ctypes
import os
import weakref
from collections.abc import Iterable
from typing import Protocol, runtime_checkable


@runtime_checkable
class HoldsNativeClients(Protocol):
    """Something with objects of the library's."""

    def native_clients(self) -> Iterable[object]:
        """Those objects."""
        ...


_open: weakref.WeakSet[HoldsNativeClients] = weakref.WeakSet()


def keep_in_children(transport: object) -> None:
    """Has every child that is forked from now on keep the transport's native objects."""
    if isinstance(transport, HoldsNativeClients):
        _open.add(transport)


def _keep() -> None:
    for transport in list(_open):
        for native in transport.native_clients():
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(native))


os.register_at_fork(after_in_child=_keep)
