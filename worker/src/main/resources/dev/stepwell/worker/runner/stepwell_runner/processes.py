"""What the supervisor does to processes: hiding itself, ending everything else, and reaping."""
import _ctypes
import posix
from posix import WNOHANG
from time import monotonic, sleep

_PR_SET_DUMPABLE = 4
_PR_SET_CHILD_SUBREAPER = 36
_RTLD_NOW = 2
_SIGKILL = 9
# A killed process that is not gone by then hangs in the kernel; only the end of the sandbox helps.
_REAP_SECONDS = 2.0


def become_unreadable() -> None:
    """Closes this process to others of its user: no tracing, no /proc/PID/mem, no /proc/PID/fd.

    The step's code runs under the same user id, and must not reach the channel. Called through the C module alone,
    which costs a tenth of importing ctypes.
    """
    prctl = _ctypes.dlsym(_ctypes.dlopen(None, _RTLD_NOW), "prctl")
    if _ctypes.call_function(prctl, (_PR_SET_DUMPABLE, 0, 0, 0, 0)) != 0:
        raise OSError("the supervisor can't be hidden from the step's code: prctl refused")
    if posix.getpid() != 1:
        # Orphans come to whoever is marked like this, as they come to the first process of a sandbox.
        _ctypes.call_function(prctl, (_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))


class Family:
    """The supervisor's descendants: the step's process, and whatever it left behind. Owned by the supervisor."""

    def __init__(self, step_pid: int) -> None:
        self.step_pid = step_pid
        self.step_status: int | None = None
        self.cpu_seconds = 0.0
        self.max_rss_kib = 0

    def reap(self) -> bool:
        """Takes in what has ended. Says whether any descendant is left."""
        while True:
            try:
                pid, status, usage = posix.wait4(-1, WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return True
            self.cpu_seconds += usage.ru_utime + usage.ru_stime
            self.max_rss_kib = max(self.max_rss_kib, usage.ru_maxrss)
            if pid == self.step_pid:
                self.step_status = status

    def kill(self) -> None:
        """Ends every other process in the sandbox, and reaps until none is left or the kernel holds on to one."""
        deadline = monotonic() + _REAP_SECONDS
        while self.reap() and monotonic() < deadline:
            self._kill_once()
            sleep(0.001)

    def _kill_once(self) -> None:
        if posix.getpid() == 1:
            targets = [-1]
        else:
            targets = _children()
        for pid in targets:
            try:
                posix.kill(pid, _SIGKILL)
            except ProcessLookupError:
                continue


def _children() -> list[int]:
    with open(f"/proc/self/task/{posix.getpid()}/children", "rb") as listing:
        return [int(pid) for pid in listing.read().split()]
