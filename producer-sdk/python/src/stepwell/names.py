"""The enumerations of the protocol. Their names are what the wire carries."""

from __future__ import annotations

from enum import Enum


class StepKind(Enum):
    """What a request asks to run, and which of its fields carry it."""

    PYTHON = "PYTHON"
    """Python source in `source`, run in the session's namespace."""
    SHELL = "SHELL"
    """A command line in `source`, run by `/bin/sh -c`."""
    ARGV = "ARGV"
    """A program and its arguments in `argv`, run without a shell."""


class Outcome(Enum):
    """How a step ended. Every request has exactly one."""

    COMPLETED = "COMPLETED"
    """The source ran to its end, or the command exited with 0; an operation was done."""
    FAILED = "FAILED"
    """An exception left the source, a syntax error among them."""
    EXITED = "EXITED"
    """The step ended itself; `ExecutionResult.exit_code` says how."""
    TIMED_OUT = "TIMED_OUT"
    """The wall-clock limit came first."""
    OUT_OF_MEMORY = "OUT_OF_MEMORY"
    """The memory limit came first."""
    LIMIT_EXCEEDED = "LIMIT_EXCEEDED"
    """The limit on processes or disk came first."""
    CRASHED = "CRASHED"
    """A signal that was not Stepwell's ended the process."""
    CANCELLED = "CANCELLED"
    """A cancel came in time."""
    REJECTED = "REJECTED"
    """Not run, for a reason in the request."""
    INFRASTRUCTURE = "INFRASTRUCTURE"
    """Stepwell failed; `ResultError.retry_safe` says whether the code may have run."""


class ErrorCode(Enum):
    """Why a step was not run, or not to its end."""

    NOT_JSON = "NOT_JSON"
    UNSUPPORTED_VERSION = "UNSUPPORTED_VERSION"
    INVALID_FIELD = "INVALID_FIELD"
    MESSAGE_TOO_LARGE = "MESSAGE_TOO_LARGE"
    EMPTY_SOURCE = "EMPTY_SOURCE"
    WRONG_PARTITION = "WRONG_PARTITION"
    UNKNOWN_PROFILE = "UNKNOWN_PROFILE"
    LIMIT_BEYOND_PROFILE = "LIMIT_BEYOND_PROFILE"
    REPLY_TOPIC_NOT_ALLOWED = "REPLY_TOPIC_NOT_ALLOWED"
    DEADLINE_PASSED = "DEADLINE_PASSED"
    SESSION_EXISTS = "SESSION_EXISTS"
    SESSION_UNKNOWN = "SESSION_UNKNOWN"
    STEP_UNKNOWN = "STEP_UNKNOWN"
    BASE_INVALID = "BASE_INVALID"
    FILE_NOT_FOUND = "FILE_NOT_FOUND"
    FILE_REFUSED = "FILE_REFUSED"
    CANCELLED = "CANCELLED"
    TIME_LIMIT = "TIME_LIMIT"
    MEMORY_LIMIT = "MEMORY_LIMIT"
    PROCESS_LIMIT = "PROCESS_LIMIT"
    DISK_LIMIT = "DISK_LIMIT"
    PROCESS_DIED = "PROCESS_DIED"
    NO_SANDBOX = "NO_SANDBOX"
    STATE_UNREADABLE = "STATE_UNREADABLE"
    SANDBOX_LOST = "SANDBOX_LOST"
    ATTEMPTS_EXHAUSTED = "ATTEMPTS_EXHAUSTED"
    INTERNAL = "INTERNAL"


class ArtifactProblem(Enum):
    """Why a file that was asked for can't be had."""

    MISSING = "MISSING"
    """Nothing is there."""
    LINK = "LINK"
    """It is a symbolic link, and links are not followed."""
    FOLDER = "FOLDER"
    """It is a folder."""
    TOO_LARGE = "TOO_LARGE"
    """It is too large for the result, and there is no session to keep it."""
    REFUSED = "REFUSED"
    """The workspace could not keep it."""
    LOST = "LOST"
    """The step ended in a way that leaves nothing to be read."""


class EntryKind(Enum):
    """What lies at a path of a workspace."""

    FILE = "FILE"
    FOLDER = "FOLDER"
    LINK = "LINK"
