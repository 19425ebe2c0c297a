"""What holds something of the outside and can be had again: databases in files or in memory, sockets without a peer."""
import os

from stepwell_runner import refusals
from stepwell_runner.lost import LostValue

_FILES_FOLDER = "/workspace/"


def reduce_database(pickler, value):
    """A connection of sqlite3 that has no transaction open."""
    try:
        _, name, path = value.execute("pragma database_list").fetchall()[0]
    except Exception:  # noqa: BLE001 - it is closed, or of another thread
        refusals.refuse("the connection is closed")
    if value.in_transaction:
        refusals.refuse("its transaction is not committed")
    how = (value.isolation_level, value.row_factory, value.text_factory)
    if not path:
        return (memory_database, (type(value), value.serialize(), how))
    path = os.path.abspath(path)
    if not path.startswith(_FILES_FOLDER):
        refusals.refuse(f"the file {path} ends with its step")
    return (file_database, (type(value), path, how))


def file_database(cls: type, path: str, how: tuple) -> object:
    """A connection to a database in a file of the workspace."""
    if not os.path.exists(path):
        return LostValue(f"the database {path} is gone")
    return _set_up(cls(path), how)


def memory_database(cls: type, data: bytes, how: tuple) -> object:
    """A connection to a database in memory, with all that was in it."""
    connection = cls(":memory:")
    if data:
        connection.deserialize(data)
    return _set_up(connection, how)


def _set_up(connection, how: tuple) -> object:
    connection.isolation_level, connection.row_factory, connection.text_factory = how
    return connection


def reduce_socket(pickler, value):
    """A socket that is neither connected nor bound: there is nothing at its other end that could be missed."""
    if value.fileno() < 0:
        refusals.refuse("the socket is closed")
    fresh = type(value)(value.family, value.type, value.proto)
    try:
        same = value.getsockname() == fresh.getsockname() and not _has_peer(value)
    finally:
        fresh.close()
    if not same:
        refusals.refuse("a connection ends with its step")
    return (new_socket, (type(value), value.family, value.type, value.proto, value.gettimeout()))


def _has_peer(value) -> bool:
    try:
        value.getpeername()
        return True
    except OSError:
        return False


def new_socket(cls: type, family: int, kind: int, protocol: int, timeout: float | None) -> object:
    """A socket of the same kind."""
    made = cls(family, kind, protocol)
    made.settimeout(timeout)
    return made
