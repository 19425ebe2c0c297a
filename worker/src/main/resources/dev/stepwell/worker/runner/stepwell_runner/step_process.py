"""The step's process: imports ahead, waits for the one step it will run, and runs it."""
import os
import posix
import resource
import sys

import _signal
from _thread import RLock
from posix import _exit, getpid

from stepwell_runner import frames
from stepwell_runner.frames import ChannelError, decode, number
from stepwell_runner.step_pipes import StepPipes

WORKSPACE = "/workspace"
# Where the worker puts pieces of the session, if it can reach a sandbox's files at all.
PLACES = "/run/stepwell"
# Above its memory limit a step's process still has to format the MemoryError and save its state.
_HEADROOM_BYTES = 32 << 20
_ALL_SIGNALS = _signal.valid_signals()
_NOT_FOUND, _NOT_EXECUTABLE = 127, 126


class Task:
    """One step, as the worker asked for it; immutable."""

    def __init__(self, head: dict[str, list[bytes]], body: dict[str, list[bytes]]) -> None:
        self.kind = head["kind"][0].decode()
        self.step = number(head, "step", 1)
        self.memory_bytes = number(head, "memoryBytes")
        self.state_bytes = number(head, "stateBytes")
        self.new_bytes = number(head, "newBytes")
        self.components = number(head, "components")
        self.manifest_bytes = number(head, "manifestBytes")
        self.strict = number(head, "strict") == 1
        self.reseed = number(head, "reseed") == 1
        self.piece_sizes = head.get("pieces", [b""])[0]
        self.placed = head.get("placed", [])
        self.source = _text(body, "source")
        self.prelude = _text(body, "prelude")
        self.argv = [os.fsdecode(argument) for argument in body.get("argv", [])]
        self.stdin = body.get("stdin", [b""])[0]
        self.environment = {
            os.fsdecode(name[4:].encode()): os.fsdecode(values[0])
            for name, values in body.items()
            if name.startswith("env.")
        }


class Claimant:
    """The way from the step's process to the supervisor. Knows its process, so that a forked copy stays silent."""

    def __init__(self, pipes: StepPipes) -> None:
        self._pipes = pipes
        self._pid = getpid()
        self._saying = RLock()

    def is_copy(self) -> bool:
        """Whether this is a process that step code forked, and not the one that answers for the step."""
        return getpid() != self._pid

    def say(self, kind: bytes, payload: "bytes | memoryview" = b"") -> None:
        """Sends one frame, whole: neither another thread nor a signal handler of the step's comes in between."""
        with self._saying:
            before = _signal.pthread_sigmask(_signal.SIG_BLOCK, ())
            try:
                # A handler that was due may raise from this very call, with all signals blocked already.
                _signal.pthread_sigmask(_signal.SIG_BLOCK, _ALL_SIGNALS)
                frames.write_all(self._pipes.claims, kind + len(payload).to_bytes(4, "big"))
                frames.write_all(self._pipes.claims, payload)
            finally:
                _signal.pthread_sigmask(_signal.SIG_SETMASK, before)

    def receive(self, size: int) -> bytes:
        """Blocks for so many bytes from the supervisor."""
        return frames.read_exactly(self._pipes.task, size)

    def ask(self, indexes: list[int]) -> "tuple[dict[str, list[bytes]], bytes]":
        """Asks for pieces of the session. Returns the answer's fields, and the pieces' bytes if that is the answer."""
        if self.is_copy():
            raise RuntimeError("a forked process can't load a variable that its parent had not used before")
        self.say(b"N", b"".join([index.to_bytes(4, "big") for index in indexes]))
        kind, size = frames.parse_header(self.receive(frames.HEADER_BYTES))
        if kind != b"F":
            raise ChannelError(f"the answer to a need is {kind!r}")
        fields = decode(self.receive(size))
        return fields, self.receive(number(fields, "bytes"))

    def start(self) -> None:
        """Says that the step's code is about to run, and waits until the worker has been told."""
        self.say(b"A")
        self.receive(1)


def main(pipes: StepPipes, boot: dict[str, list[bytes]]) -> None:
    """Runs one step and ends the process."""
    _volunteer_for_the_kernel()
    posix.setpgid(0, 0)
    claimant = Claimant(pipes)
    failed = _import_ahead(boot.get("import", []))
    claimant.say(b"R", frames.encode([("python", sys.version.split()[0]), ("places", _has_places())] + failed))
    head = decode(claimant.receive(int.from_bytes(claimant.receive(4), "big")))
    body = decode(claimant.receive(number(head, "taskBytes")))
    variables = claimant.receive(number(head, "bodyBytes"))
    task = Task(head, body)
    _prepare(task)
    if task.kind == "python":
        from stepwell_runner import python_step

        code = python_step.run(task, variables, claimant)
    else:
        code = _replace_process(task, claimant)
    _exit(code)


def _has_places() -> int:
    try:
        posix.stat(PLACES + "/here")
        return 1
    except OSError:
        return 0


def _text(body: dict[str, list[bytes]], name: str) -> str:
    return body.get(name, [b""])[0].decode("utf-8", "replace")


def _volunteer_for_the_kernel() -> None:
    """Out of memory, the kernel shall end the step's process and its children, not the supervisor."""
    try:
        with open("/proc/self/oom_score_adj", "w") as score:
            score.write("1000")
    except OSError as error:
        sys.stderr.write(f"stepwell: oom_score_adj: {error}\n")


def _import_ahead(names: list[bytes]) -> "list[tuple[str, str]]":
    _import_pickle()
    # What every Python step needs: imported while nobody waits for it.
    from stepwell_runner import library_settings, python_step  # noqa: F401

    failed = []
    for raw in names:
        name = raw.decode()
        try:
            __import__(name)
        except BaseException as error:  # noqa: B036 - a module may end any way it likes
            failed.append(("importError", f"{name}: {type(error).__name__}: {error}"))
    library_settings.note_defaults()
    return failed


def _import_pickle() -> None:
    """Most of what saving a session has to import.

    The C module asks functools for nothing but ``partial``, which is made in C as well. Its own module brings
    collections and more with it, twice the price of all the rest.
    """
    import _functools

    known = sys.modules.get("functools")
    sys.modules["functools"] = known or _functools
    try:
        import _pickle  # noqa: F401
    finally:
        if known is None:
            del sys.modules["functools"]


def _prepare(task: Task) -> None:
    """Everything a step's process has, whatever its kind: limits, input, variables, folder."""
    if task.memory_bytes:
        _limit_memory(task.memory_bytes)
    if task.stdin:
        # A file in memory never blocks its writer, however little of it the step reads.
        stdin = posix.memfd_create("stdin")
        frames.write_all(stdin, task.stdin)
        posix.lseek(stdin, 0, 0)
        posix.dup2(stdin, 0)
        posix.close(stdin)
    # Fixed by the worker, so that sets iterate alike in every step; no business of the programs that a step starts.
    os.environ.pop("PYTHONHASHSEED", None)
    os.environ.update(task.environment)
    if os.path.isdir(WORKSPACE):
        os.chdir(WORKSPACE)


def _limit_memory(limit_bytes: int) -> None:
    """Limits private writable memory, which is what a step fills.

    Address space would be the wrong measure: libraries reserve much more of it than they ever touch.
    """
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    wanted = limit_bytes + _HEADROOM_BYTES
    hard = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
    resource.setrlimit(resource.RLIMIT_DATA, (min(limit_bytes, hard), hard))


def raise_memory_limit() -> None:
    """Gives the runner its headroom, once the step's code has ended."""
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))


def _replace_process(task: Task, claimant: Claimant) -> int:
    """Becomes the program of a shell or argv step. Returns only if there is no such program."""
    argv = ["/bin/sh", "-c", task.source] if task.kind == "shell" else task.argv
    # Python ignores these; programs expect them as they are by default.
    _signal.signal(_signal.SIGPIPE, _signal.SIG_DFL)
    _signal.signal(_signal.SIGXFSZ, _signal.SIG_DFL)
    claimant.start()
    try:
        os.execvpe(argv[0], argv, os.environ)
    except (FileNotFoundError, NotADirectoryError):
        code, why = _NOT_FOUND, "not found"
    except OSError as error:
        code, why = _NOT_EXECUTABLE, error.strerror or str(error)
    frames.write_all(2, frames.utf8(f"{argv[0]}: {why}\n"))
    return code
