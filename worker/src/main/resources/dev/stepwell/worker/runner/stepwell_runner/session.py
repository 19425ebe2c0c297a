"""A session as the step's process has it: its main module, its sources, its settings."""
import builtins
import sys
import types

from stepwell_runner import frames, net, patches
from stepwell_runner.caps import Caps
from stepwell_runner.hiding import Hiding
from stepwell_runner.loader import Loader
from stepwell_runner.losses import Loss
from stepwell_runner.packing import Plan
from stepwell_runner.pieces import Pieces
from stepwell_runner.reach import is_unbounded, words_of
from stepwell_runner.saving import Saving
from stepwell_runner.settings import Settings
from stepwell_runner.step_process import Claimant, Task
from stepwell_runner.table import Table

_REASON_BYTES = 4096
# A namespace of ten thousand generators: one frame has to hold what is told of them.
_LOSSES_TOLD = 200


class NotKept(Exception):
    """A strict step would have left less than all of its variables."""


class Session:
    """Owned by the process's main thread."""

    def __init__(self, task: Task, claimant: Claimant) -> None:
        self._task = task
        self.main = types.ModuleType("__main__")
        self.namespace = vars(self.main)
        self.namespace["__builtins__"] = builtins
        sys.modules["__main__"] = self.main
        # No angle brackets: linecache and inspect take such a name for no file at all.
        self.file_name = f"/session/step-{task.step}.py"
        self.prelude_name = f"/session/step-{task.step}-prelude.py"
        self.own_files = (self.file_name, self.prelude_name)
        self.future_flags = 0
        self.hiding = Hiding()
        self._pieces = Pieces(task.piece_sizes, claimant)
        self._loader = Loader(Table(), self._pieces, self.main, self.hiding)
        # By file: its text, or the span that has it.
        self._sources: dict[str, object] = {}
        self._codes: list[types.CodeType] = []
        self._notes: dict[str, str] = {}
        self._settings = Settings(self._source_text)

    def restore(self, body: bytes) -> str | None:
        """Takes over what the step before left; no code of the session runs. Returns why that failed, or None."""
        try:
            table = Table.parse(body)
            self._pieces.take(self._task.placed)
            self._loader = Loader(table, self._pieces, self.main, self.hiding)
            self._settings.apply(table.settings, table.libraries, self._loader.read, self._task.reseed)
            self._loader.bind_plain()
        except Exception as error:  # noqa: BLE001 - the worker's word, or its files, are not what they should be
            return frames.cut(f"{type(error).__name__}: {error}", _REASON_BYTES).decode()
        self._sources.update(table.sources)
        self._notes = table.notes
        self.future_flags = table.future_flags
        return None

    def add_sources(self, prelude: str, source: str) -> None:
        """Makes the lines of a step's own text known to tracebacks and to inspect."""
        self._sources[self.file_name] = source
        if prelude:
            self._sources[self.prelude_name] = prelude
        self._settings.fill_linecache(self._sources)

    def begin(self) -> None:
        """Called once code of the session may run: from here on it does, in pickles and in their imports."""
        loader = self._loader
        self._settings.watch_imports(loader.table.patches, lambda name: patches.apply(loader, name))

    def prepare(self, codes: list[types.CodeType]) -> None:
        """Makes ready for running code: loads what it can reach, spans the net for the rest, and hides the runner."""
        loader = self._loader
        self._codes = codes
        if loader.table.components:
            words: set[str] = set()
            for code in codes:
                words |= words_of(code)
            wanted = loader.reach(words)
            if len(wanted) < len(loader.table.components):
                net.place(loader)
            loader.load(wanted)
            loader.loaded_late.clear()
            if is_unbounded(words) or len(wanted) == len(loader.table.components):
                loader.restore_order()
            for module_name in loader.table.patches:
                if module_name in sys.modules:
                    patches.apply(loader, module_name)
            if len(wanted) < len(loader.table.components):
                net.mark(loader)
        self.hiding.hide()

    def explain_lost_name(self, error: BaseException) -> None:
        """Adds to a NameError why the name is missing, where an earlier step had it."""
        if not isinstance(error, NameError) or error.name in self.namespace:
            return
        number = self._loader.table.bindings.get(error.name)
        if type(number) is int:
            reason = self._loader.failed.get(number) or self._loader.missing.get(error.name)
        else:
            reason = self._notes.get(error.name)
        if reason is not None:
            error.add_note(f"{error.name!r} was not kept between steps: {reason}")

    def note_settings(self) -> None:
        """Reads what belongs to the session outside its namespace, before the runner changes any of it."""
        net.remove(self._loader)
        self._settings.capture()

    def save(self) -> "tuple[Plan, list[tuple[str, str | bytes | int]]]":
        """Plans what to leave, and makes the fields of the frame that says what it is. Raises NotKept if strict."""
        task = self._task
        table = Table()
        table.future_flags = self.future_flags
        table.settings, libraries = self._settings.save()
        caps = Caps(task.state_bytes, task.new_bytes, task.components, task.manifest_bytes)
        saving = Saving(self._loader, task.step, caps, self._codes)
        plan = saving.save(table, libraries, self._sources)
        if task.strict and saving.lost:
            loss = saving.lost[0]
            raise NotKept(f"strict state: {loss.path} is {loss.type}: {loss.reason}")
        fields: "list[tuple[str, str | bytes | int]]" = [
            ("refs", b"".join([ref.to_bytes(4, "big", signed=True) for ref in plan.refs])),
            ("eager", b"".join([position.to_bytes(4, "big") for position in plan.eager])),
            ("liveBytes", plan.live_bytes),
            ("kept", saving.kept),
        ]
        for index, loss in enumerate(saving.lost[:_LOSSES_TOLD]):
            fields += _loss_fields(f"lost.{index}", loss)
        return plan, fields

    def _source_text(self, file_name: str) -> str:
        known = self._sources.get(file_name, "")
        if isinstance(known, str):
            return known
        try:
            return self._loader.read(known).decode()
        except Exception:  # noqa: BLE001 - without its lines a traceback is still a traceback
            return ""


def _loss_fields(prefix: str, loss: Loss) -> "list[tuple[str, str | bytes | int]]":
    fields = [
        (f"{prefix}.name", frames.cut(loss.name, 256)),
        (f"{prefix}.path", frames.cut(loss.path, 1024)),
        (f"{prefix}.type", frames.cut(loss.type, 256)),
        (f"{prefix}.reason", frames.cut(loss.reason, 1024)),
    ]
    if loss.hint is not None:
        fields.append((f"{prefix}.hint", loss.hint))
    return fields
