"""What no snapshot can keep, why, and what to do instead."""
from stepwell_runner import frames

_REASON_CHARACTERS = 300


class Unkeepable(Exception):
    """A value that would be pickled without complaint, and come back broken."""


def refuse(reason: str) -> None:
    """Raises Unkeepable."""
    raise Unkeepable(reason)


# By class or a base of it. With locks kept, most of these would pickle, and come back dead.
_REFUSED = {
    "threading.Thread": "a thread ends with its step",
    "subprocess.Popen": "a child process ends with its step",
    "concurrent.futures._base.Executor": "an executor's threads or processes end with their step",
    "concurrent.futures._base.Future": "a future belongs to threads that end with their step",
    "asyncio.events.AbstractEventLoop": "an event loop holds descriptors of its process",
    "multiprocessing.process.BaseProcess": "a child process ends with its step",
    "multiprocessing.pool.Pool": "a pool's processes end with their step",
    "multiprocessing.managers.BaseManager": "a manager's process ends with its step",
    "tempfile.TemporaryDirectory": "its folder ends with its step",
}

_HINTS = {
    "generator": "keep what it yields, as a list",
    "async_generator": "keep what it yields, as a list",
    "coroutine": "await it, and keep its result",
    "Thread": "start it again in the step that needs it, and keep its result",
    "Popen": "run it in the step that needs it, and keep its output",
    "socket": "connect again in the step that needs it",
    "SSLSocket": "connect again in the step that needs it",
    "Connection": "keep its path or address, and connect again",
    "Cursor": "keep the rows, as a list",
    "Session": "make it again in the step that needs it",
    "TextIOWrapper": "keep its content; only files under /workspace are opened again",
    "BufferedReader": "keep its content; only files under /workspace are opened again",
    "BufferedWriter": "close it; only files under /workspace are opened again",
    "frame": "keep the values, not the frame",
    "traceback": "keep its text",
    "module": "import it again",
}


def of_type(cls: type) -> str | None:
    """Why values of a class can't be kept, if that is known of it."""
    for ancestor in cls.__mro__:
        reason = _REFUSED.get(f"{ancestor.__module__}.{ancestor.__qualname__}")
        if reason is not None:
            return reason
    return None


def hint(value: object) -> str | None:
    """What to do instead of keeping the value, if anything is known."""
    for ancestor in type(value).__mro__:
        known = _HINTS.get(ancestor.__name__)
        if known is not None:
            return known
    return None


def reason(error: BaseException) -> str:
    """What an exception says of why a value can't be kept."""
    try:
        text = str(error) if isinstance(error, (Unkeepable, TypeError)) else f"{type(error).__name__}: {error}"
    except Exception:  # noqa: BLE001 - code of the step
        text = type(error).__name__
    return frames.cut(text, _REASON_CHARACTERS).decode()
