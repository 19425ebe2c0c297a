"""A step of kind python: restore the session, run the source in it, tell what came of it, save the session."""
import _signal
import os
import sys
from posix import _exit

from stepwell_runner import display, frames, step_module, streams
from stepwell_runner.displays import Displays
from stepwell_runner.program import Program
from stepwell_runner.session import Session
from stepwell_runner.step_process import WORKSPACE, Claimant, Task, raise_memory_limit

# Step code may have set it so low that nothing works any more.
_OWN_RECURSION_LIMIT = 3000
_REASON_BYTES = 4096


def run(task: Task, body: bytes, claimant: Claimant) -> int:
    """Runs the step. Returns the exit code of its process."""
    streams.open_standard()
    sys.argv = [""]
    if os.path.isdir(WORKSPACE):
        sys.path.insert(0, WORKSPACE)
    session = Session(task, claimant)
    if body:
        problem = session.restore(body)
        if problem:
            claimant.say(b"V", frames.encode([("ending", "exception"), ("restoreError", problem)]))
            return 1
    session.add_sources(task.prelude, task.source)
    claimant.start()
    step_module.begin(Displays(claimant))
    ending = _Ending(session)
    ending.observe(task.prelude, task.source)
    _take_back_control()
    if claimant.is_copy():
        ending.end_copy()
    session.hiding.show()
    step_module.end()
    session.note_settings()
    raise_memory_limit()
    verdict = ending.fields()
    claimant.say(b"V", frames.encode(verdict))
    # A step that ran into a limit leaves the session as it was.
    if task.state_bytes and "limit" not in dict(verdict):
        _save(session, claimant)
    streams.flush_all()
    return ending.exit_code


def _take_back_control() -> None:
    """Ends what step code set up to run on its own, and flushes what it printed."""
    sys.settrace(None)
    sys.setprofile(None)
    _signal.alarm(0)
    _signal.setitimer(_signal.ITIMER_REAL, 0)
    streams.flush_all()


class _Ending:
    """How a step's own text ended. Made before it runs."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._compiling = False
        self._error: BaseException | None = None
        self._value_fields: "list[tuple[str, str | bytes | int]]" = []
        self._exited = False
        self.exit_code = 0

    def observe(self, prelude: str, source: str) -> None:
        """Runs prelude and source, and describes the value: ``repr`` is code of the step as well."""
        try:
            value = self._execute(prelude, source)
            if value is not None:
                self._value_fields = display.describe(value)
        except SystemExit as exit_:
            self._exited = True
            self.exit_code = _exit_code(exit_.code)
        except BaseException as error:  # noqa: B036 - whatever leaves the source ended it
            self._error = error
            self.exit_code = 1

    def _execute(self, prelude: str, source: str) -> object:
        session = self._session
        session.begin()
        program = self._compile(prelude, source)
        session.prepare(program.codes())
        if program.prelude is not None:
            exec(program.prelude, session.namespace)
        if program.problem is not None:
            self._compiling = True
            raise program.problem
        exec(program.body, session.namespace)
        return None if program.value is None else eval(program.value, session.namespace)

    def _compile(self, prelude: str, source: str) -> Program:
        session, program = self._session, Program()
        self._compiling = True
        if prelude:
            program.compile_prelude(prelude, session.prelude_name)
        session.future_flags = program.compile_source(source, session.file_name, session.future_flags)
        self._compiling = False
        return program

    def fields(self) -> "list[tuple[str, str | bytes | int]]":
        """The verdict."""
        sys.setrecursionlimit(max(sys.getrecursionlimit(), _OWN_RECURSION_LIMIT))
        if self._error is not None:
            from stepwell_runner import failure

            error, self._error = self._error, None
            self._session.explain_lost_name(error)
            return [("ending", "exception"), *failure.describe(error, self._session.own_files, self._compiling)]
        if self._exited:
            return [("ending", "exit"), ("exitCode", self.exit_code)]
        return [("ending", "completed"), *self._value_fields]

    def end_copy(self) -> None:
        """Ends a process that step code forked and that has come to the end of the source."""
        if self._error is not None:
            from stepwell_runner import failure

            fields = dict(failure.describe(self._error, self._session.own_files, self._compiling))
            frames.write_all(2, fields["exception.traceback"])
        _exit(self.exit_code)


def _exit_code(code: object) -> int:
    """What the interpreter makes of ``sys.exit``'s argument."""
    if code is None:
        return 0
    if isinstance(code, int):
        return int(code) & 0xFF
    print(code, file=sys.stderr)
    return 1


def _save(session: Session, claimant: Claimant) -> None:
    try:
        plan, report = session.save()
    except BaseException as error:  # noqa: B036 - a step's result must not depend on its state
        reason = frames.cut(f"{type(error).__name__}: {error}", _REASON_BYTES)
        claimant.say(b"S", frames.encode([("failed", reason)]))
        return
    for piece in plan.new:
        claimant.say(b"T", piece)
    for at in range(0, len(plan.body), frames.PIECE_BYTES):
        claimant.say(b"M", plan.body[at : at + frames.PIECE_BYTES])
    claimant.say(b"S", frames.encode(report))
