"""The supervisor: the sandbox's first process, and the only one that holds the channel to the worker.

It forks the step's process at once, passes the step on to it, and tells the worker what it sees: output as it comes,
what the step's process claims, and how that process really ended. One thread, one poll loop, no buffer without a
bound. docs/runner-channel.md describes the frames.
"""
import posix
import select
import sys

import _signal

from stepwell_runner import frames, processes
from stepwell_runner.claims import Claims
from stepwell_runner.descriptors import CHANNEL_IN, CHANNEL_OUT, move_high, open_null
from stepwell_runner.frames import ChannelError, number
from stepwell_runner.moments import Moments
from stepwell_runner.step_pipes import StepPipes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from stepwell_runner.workspace import Workspace

_READ_BYTES = 1 << 16
# While so much of a step still waits for its process, no more is read from the worker.
_PENDING_BYTES = 1 << 18
# What is read from a pipe after its step has ended. The dead can't write; a stranger that survived could, forever.
_DRAIN_BYTES = 1 << 21
# What is kept of output before a step: it can only explain why an import failed.
_DIAGNOSTIC_BYTES = 4096
_SIGKILL = 9
# What follows a step, in this order.
_DATA = ("treeBytes", "treeDataBytes", "taskBytes", "bodyBytes")
# An exit code that no worker should ever see.
_STEP_PROCESS_FAILED = 70


def main() -> None:
    """Runs the supervisor; returns never."""
    channel_in = move_high(0, CHANNEL_IN)
    channel_out = move_high(1, CHANNEL_OUT)
    null = open_null()
    posix.dup2(null, 0)
    posix.dup2(null, 1)
    try:
        kind, size = frames.parse_header(frames.read_exactly(channel_in, frames.HEADER_BYTES))
        if kind != b"B":
            raise ChannelError(f"the first frame is {kind!r}, not a boot frame")
        boot = frames.decode(frames.read_exactly(channel_in, size))
        wakeup = _watch_children()
        pipes = StepPipes()
        pid = posix.fork()
        if pid == 0:
            _become_step_process(pipes, boot, (channel_in, channel_out, null))
        processes.become_unreadable()
        pipes.keep_supervisor_ends()
        Supervisor((channel_in, channel_out), pipes, processes.Family(pid), wakeup).run()
    except (ChannelError, OSError) as error:
        sys.stderr.write(f"stepwell: {error}\n")
        sys.stderr.flush()
        posix._exit(5)
    posix._exit(0)


def _watch_children() -> int:
    """Makes the end of a child readable. Returns the descriptor to poll."""
    reader, writer = posix.pipe()
    posix.set_blocking(reader, False)
    posix.set_blocking(writer, False)
    _signal.signal(_signal.SIGCHLD, lambda number, frame: None)
    _signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    # As the first process of a sandbox it is then deaf to this signal, too.
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
    return reader


def _become_step_process(pipes: StepPipes, boot: dict[str, list[bytes]], channel: tuple[int, ...]) -> None:
    try:
        _signal.set_wakeup_fd(-1)
        _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)
        _signal.signal(_signal.SIGINT, _signal.default_int_handler)
        for descriptor in channel:
            posix.close(descriptor)
        pipes.keep_step_ends()
        from stepwell_runner import step_process

        step_process.main(pipes, boot)
    except BaseException as error:  # noqa: B036 - a copy of the supervisor must never go on as one
        frames.write_all(2, frames.utf8(f"stepwell: the step's process failed: {type(error).__name__}: {error}\n"))
    finally:
        posix._exit(_STEP_PROCESS_FAILED)


class Supervisor:
    """The conversation of one sandbox, from ready to end. Owned by the process's only thread."""

    def __init__(
        self, channel: tuple[int, int], pipes: StepPipes, family: processes.Family, wakeup: int
    ) -> None:
        self.channel_in, self.channel_out = channel
        self.pipes = pipes
        self.family = family
        self.wakeup = wakeup
        self.claims: Claims | None = Claims()
        self.received = bytearray()
        self.pending = bytearray()
        self.data_left = 0
        self.answers_due = 0
        self.output_limit = 0
        self.output_left = {pipes.stdout: _DIAGNOSTIC_BYTES, pipes.stderr: _DIAGNOSTIC_BYTES}
        self.dropped = {pipes.stdout: 0, pipes.stderr: 0}
        self.started = False
        self.killed = False
        self.stopped = False
        self.workspace: "Workspace | None" = None
        self.moments = Moments()

    def run(self) -> None:
        """Serves one step; returns when the worker has closed the channel."""
        while self.family.step_status is None:
            for descriptor, _ in self._poll():
                self._serve(descriptor)
        if not self.moments.has("restoring"):
            raise ChannelError(f"the step's process ended while idle, with status {self.family.step_status}")
        self.moments.mark("done")
        self.family.kill()
        self._drain()
        self._send_end(self._report_files())
        while posix.read(self.channel_in, _READ_BYTES):
            continue

    def _poll(self) -> list[tuple[int, int]]:
        poll = select.poll()
        if len(self.pending) < _PENDING_BYTES:
            poll.register(self.channel_in, select.POLLIN)
        if self.pending:
            poll.register(self.pipes.task, select.POLLOUT)
        if self.claims is not None:
            poll.register(self.pipes.claims, select.POLLIN)
        for descriptor in (self.wakeup, *self.output_left):
            poll.register(descriptor, select.POLLIN)
        # Output that came before a claim must be taken in before it, and children last of all.
        order = {self.pipes.stdout: 0, self.pipes.stderr: 0, self.wakeup: 2}
        return sorted(poll.poll(), key=lambda event: order.get(event[0], 1))

    def _serve(self, descriptor: int) -> None:
        if descriptor == self.channel_in:
            self._hear_worker()
        elif descriptor == self.pipes.task:
            self._feed()
        elif descriptor == self.pipes.claims:
            self._hear_claims()
        elif descriptor == self.wakeup:
            posix.read(self.wakeup, _READ_BYTES)
            self.family.reap()
        else:
            self._pass_output(descriptor)

    # What the worker says.

    def _hear_worker(self) -> None:
        data = posix.read(self.channel_in, _READ_BYTES)
        if not data:
            self.family.kill()
            raise ChannelError("the worker is gone")
        self.received += data
        while len(self.received) >= frames.HEADER_BYTES:
            kind, size = frames.parse_header(self.received)
            end = frames.HEADER_BYTES + size
            if len(self.received) < end:
                return
            payload = bytes(self.received[frames.HEADER_BYTES : end])
            del self.received[:end]
            self._obey(kind, payload)

    def _obey(self, kind: bytes, payload: bytes) -> None:
        phase = self.claims.phase if self.claims is not None else "done"
        if kind == b"S" and phase == "idle":
            self._begin(payload)
        elif kind == b"D" and len(payload) <= self.data_left:
            self.data_left -= len(payload)
            self.pending += self.workspace.take(payload) if self.workspace is not None else payload
        elif kind == b"F" and self.answers_due and not self.data_left:
            self._answer(payload)
        elif kind == b"K" and self.moments.has("restoring"):
            self.stopped = True
            self._kill_step()
        elif kind == b"P" and phase == "idle":
            self._send(b"P")
        else:
            raise ChannelError(f"the worker sent {kind!r} of {len(payload)} bytes while {phase}")

    def _begin(self, payload: bytes) -> None:
        assert self.claims is not None
        fields = frames.decode(payload)
        leaves_state = number(fields, "stateBytes") > 0
        self.claims.step_sent(
            number(fields, "newBytes") if leaves_state else 0, number(fields, "manifestBytes") if leaves_state else 0
        )
        given = [int.from_bytes(place[:4], "big") for place in fields.get("placed", [])]
        self.claims.may_ask(set(range(len(fields.get("pieces", [b""])[0]) // 4)).difference(given))
        self.data_left = sum([number(fields, name) for name in _DATA])
        if number(fields, "treeBytes") or number(fields, "reportsFiles"):
            from stepwell_runner.workspace import Workspace

            self.workspace = Workspace(fields)
        self.output_limit = number(fields, "outputBytes")
        self.pending += len(payload).to_bytes(4, "big") + payload
        self.moments.mark("restoring")

    def _answer(self, payload: bytes) -> None:
        """Passes on where pieces are, or the bytes of them that follow."""
        self.answers_due -= 1
        self.data_left = number(frames.decode(payload), "bytes")
        self.pending += frames.frame(b"F", payload)

    def _feed(self) -> None:
        try:
            del self.pending[: posix.write(self.pipes.task, self.pending)]
        except BlockingIOError:
            return
        except BrokenPipeError:
            # It is dead or dying; the end tells.
            self.pending.clear()

    # What the step's process says.

    def _hear_claims(self) -> None:
        data = posix.read(self.pipes.claims, _READ_BYTES)
        if data:
            self._take_claims(data)
        else:
            self.claims = None

    def _take_claims(self, data: bytes) -> None:
        assert self.claims is not None
        try:
            for kind, payload in self.claims.take(data):
                self._pass_claim(kind, payload)
        except ChannelError as error:
            # Whatever wrote this was not the runner's part of the step's process. Its end is told all the same.
            sys.stderr.write(f"stepwell: claims ignored: {error}\n")
            self.claims = None
            posix.close(self.pipes.claims)

    def _pass_claim(self, kind: bytes, payload: bytes) -> None:
        if kind == b"A":
            self._start()
            return
        if kind == b"N":
            self.answers_due += 1
        elif kind == b"V":
            self.moments.mark("saving")
            # What was printed before the verdict is told before it.
            self._drain_output()
        elif kind == b"S":
            self.moments.mark("done")
        self._send(kind, payload)
        if kind == b"R":
            # While nobody waits: most steps have a workspace.
            from stepwell_runner import file_report  # noqa: F401

    def _start(self) -> None:
        """Tells the worker, and only then lets the code run: no worker may take a begun step for one that never ran."""
        self._drain_output()
        self.output_left = dict.fromkeys(self.output_left, self.output_limit)
        self.dropped = dict.fromkeys(self.dropped, 0)
        self.started = True
        self.moments.mark("running")
        self._send(b"A", frames.encode([("restoreUs", self.moments.between_us("restoring", "running"))]))
        self.pending += b"!"
        self._feed()

    def _pass_output(self, descriptor: int) -> bool:
        """Reads one piece of output and passes on what the limit allows. False if there was none."""
        try:
            data = posix.read(descriptor, _READ_BYTES)
        except BlockingIOError:
            return False
        if not data:
            self.output_left.pop(descriptor)
            return False
        passed = data[: self.output_left[descriptor]]
        self.output_left[descriptor] -= len(passed)
        self.dropped[descriptor] += len(data) - len(passed)
        if not self.started:
            frames.write_all(2, passed)
        elif passed:
            self._send(b"O" if descriptor == self.pipes.stdout else b"E", passed)
        return True

    # The end.

    def _kill_step(self) -> None:
        if self.family.step_status is None:
            self.killed = True
            posix.kill(self.family.step_pid, _SIGKILL)

    def _drain_output(self) -> None:
        for descriptor in list(self.output_left):
            left = _DRAIN_BYTES
            while left > 0 and descriptor in self.output_left and self._pass_output(descriptor):
                left -= _READ_BYTES

    def _drain(self) -> None:
        self._drain_output()
        left = _DRAIN_BYTES
        while self.claims is not None and left > 0:
            try:
                self._hear_claims()
            except BlockingIOError:
                break
            left -= _READ_BYTES

    def _report_files(self) -> "list[tuple[str, str | bytes | int]]":
        """Tells what became of the workspace, unless the step was ended before its time."""
        status = self.family.step_status
        assert status is not None
        if self.workspace is None or not self.started or self.killed or posix.WIFSIGNALED(status):
            return []
        if not self.workspace.reports:
            return []
        from stepwell_runner.file_report import FileReport, Unkept

        try:
            return [("refused", FileReport(self.workspace, self._send, self._look).run())]
        except (OSError, Unkept) as error:
            return [("filesFailed", f"the workspace could not be told: {error}")]

    def _look(self) -> None:
        """Hears the worker while the files are told; raises if it has had enough."""
        poll = select.poll()
        poll.register(self.channel_in, select.POLLIN)
        if poll.poll(0):
            self._hear_worker()
            # The one whom it was for is dead.
            self.pending.clear()
        if self.stopped:
            from stepwell_runner.file_report import Unkept

            raise Unkept("the time for it was over")

    def _send_end(self, files: "list[tuple[str, str | bytes | int]]") -> None:
        status = self.family.step_status
        assert status is not None
        how = "signal" if posix.WIFSIGNALED(status) else "exitCode"
        fields: "list[tuple[str, str | bytes | int]]" = [
            (how, posix.WTERMSIG(status) if how == "signal" else posix.WEXITSTATUS(status)),
            ("killed", int(self.killed)),
            ("stdoutDropped", self.dropped[self.pipes.stdout]),
            ("stderrDropped", self.dropped[self.pipes.stderr]),
            ("cpuUs", int(self.family.cpu_seconds * 1e6)),
            ("maxRssBytes", self.family.max_rss_kib * 1024),
            ("runUs", self.moments.between_us("running", "saving")),
            ("saveUs", self.moments.between_us("saving", "done")),
        ]
        self._send(b"Z", frames.encode(fields + files))

    def _send(self, kind: bytes, payload: bytes = b"") -> None:
        frames.write_all(self.channel_out, frames.frame(kind, payload))
