"""What to say of an exception that left a step's source. Imported only when there is one."""
import errno
from types import TracebackType

from stepwell_runner import frames

# Where the runner's own code says it comes from.
_OWN_FILES = "/stepwell/"
_MESSAGE_BYTES = 16 << 10
_TRACEBACK_BYTES = 64 << 10
_NAME_BYTES = 1024
_STARTS_PROCESSES = frozenset(("fork", "forkpty", "fork_exec", "_fork_exec", "posix_spawn", "posix_spawnp", "vfork"))


def describe(
    error: BaseException, own_files: tuple[str, ...], compiling: bool
) -> "list[tuple[str, str | bytes | int]]":
    """The verdict's fields for an exception. Never raises: where formatting fails, less is told."""
    _forget_own_frames(error)
    if isinstance(error, SyntaxError):
        _add_source_line(error, own_files)
    fields: "list[tuple[str, str | bytes | int]]" = [
        ("exception.name", frames.cut(_name(type(error)), _NAME_BYTES)),
        ("exception.message", frames.cut(_message(error), _MESSAGE_BYTES)),
        ("exception.traceback", _shorten(_traceback(error))),
    ]
    line = _line(error, own_files)
    if line is not None:
        fields.append(("exception.line", line))
    # A source nested too deeply for the parser is a MemoryError as well, and no lack of memory.
    limit = None if compiling else _limit(error)
    if limit is not None:
        fields.append(("limit", limit))
    return fields


def _name(cls: type) -> str:
    module = getattr(cls, "__module__", None)
    return cls.__qualname__ if module in ("builtins", "__main__") else f"{module}.{cls.__qualname__}"


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001 - code of the step
        return f"<{type(error).__name__} without a message: its __str__ failed>"


def _traceback(error: BaseException) -> str:
    try:
        import traceback

        return "".join(traceback.TracebackException(type(error), error, error.__traceback__).format())
    except Exception as problem:  # noqa: BLE001 - out of memory, or step code replaced something
        return f"{_name(type(error))}: {_message(error)}\n(no traceback: {type(problem).__name__})\n"


def _shorten(text: str) -> bytes:
    """Keeps the ends of a long traceback: where it began, and what it says."""
    data = frames.utf8(text)
    if len(data) <= _TRACEBACK_BYTES:
        return data
    half = _TRACEBACK_BYTES // 2 - 16
    head = data[:half].decode(errors="ignore").encode()
    tail = data[-half:].decode(errors="ignore").encode()
    return head + b"\n  [... cut ...]\n" + tail


def _line(error: BaseException, own_files: tuple[str, ...]) -> int | None:
    """The innermost line of the step's own text: of its source, or of its prelude."""
    if isinstance(error, SyntaxError) and error.filename in own_files:
        return error.lineno
    line = None
    entry = error.__traceback__
    while entry is not None:
        if entry.tb_frame.f_code.co_filename in own_files:
            line = entry.tb_lineno
        entry = entry.tb_next
    return line


def _limit(error: BaseException) -> str | None:
    """The sandbox's limit that an exception stands for."""
    if isinstance(error, MemoryError):
        return "memory"
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "disk"
    if isinstance(error, OSError) and error.errno == errno.ENOMEM:
        return "memory"
    if isinstance(error, OSError) and error.errno == errno.EAGAIN and _was_starting_process(error):
        return "processes"
    if type(error) is RuntimeError and error.args == ("can't start new thread",):
        return "processes"
    return None


def _was_starting_process(error: BaseException) -> bool:
    """EAGAIN is also what a descriptor without data says: only a frame that forks makes it a limit."""
    entry = error.__traceback__
    code = None
    while entry is not None:
        code = entry.tb_frame.f_code
        entry = entry.tb_next
    return code is not None and not _STARTS_PROCESSES.isdisjoint(code.co_names)


def _add_source_line(error: SyntaxError, own_files: tuple[str, ...]) -> None:
    """The compiler looks for the line in a file, which a step's source is not."""
    if error.text is None and error.filename in own_files and error.lineno:
        import linecache

        error.text = linecache.getline(error.filename, error.lineno) or None


def _forget_own_frames(error: BaseException) -> None:
    """Takes the runner's frames out of an exception and of all that it was caused by."""
    pending: list[BaseException | None] = [error]
    seen: set[int] = set()
    while pending:
        current = pending.pop()
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        current.__traceback__ = _without_own_frames(current.__traceback__)
        pending += (current.__cause__, current.__context__)
        if isinstance(current, BaseExceptionGroup):
            pending += current.exceptions


def _without_own_frames(entry: TracebackType | None) -> TracebackType | None:
    kept = []
    while entry is not None:
        if not entry.tb_frame.f_code.co_filename.startswith(_OWN_FILES):
            kept.append(entry)
        entry = entry.tb_next
    result = None
    for entry in reversed(kept):
        result = TracebackType(result, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return result
