"""Keeps a forked process from tearing down what it only has a copy of.

librdkafka's objects own threads, which a fork doesn't copy, and connections, which parent and child
then share. To let go of such an object in a child waits for threads that aren't there, crashes, or
says goodbye over a connection that is the parent's. So a child keeps what its parent had, by one
reference too many: also what nobody in the parent can reach any more, and the collector has not
come to yet.
"""

from __future__ import annotations

import ctypes
import gc
import os

_kinds: set[type] = set()


def keep_in_children(*kinds: type) -> None:
    """Has every child that is forked from now on keep all objects of these classes."""
    _kinds.update(kinds)


def _keep() -> None:
    if _kinds:
        kinds = tuple(_kinds)
        for each in gc.get_objects():
            if issubclass(type(each), kinds):
                ctypes.pythonapi.Py_IncRef(ctypes.py_object(each))


os.register_at_fork(after_in_child=_keep)
