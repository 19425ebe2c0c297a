"""A session as the step's process has it: its main module, its sources, its settings."""
import builtins
import sys
import types

from stepwell_runner import frames
from stepwell_runner.settings import Settings

_REASON_BYTES = 4096
# A namespace of ten thousand generators: one frame has to hold what is told of them.
_LOSSES_TOLD = 200


class Session:
    """Owned by the process's main thread."""

    def __init__(self, step: int) -> None:
        self.main = types.ModuleType("__main__")
        self.namespace = vars(self.main)
        self.namespace["__builtins__"] = builtins
        sys.modules["__main__"] = self.main
        # No angle brackets: linecache and inspect take such a name for no file at all.
        self.file_name = f"/session/step-{step}.py"
        self.future_flags = 0
        self._sources: dict[str, str] = {}
        self._notes: dict[str, str] = {}
        self._not_restored: dict[str, str] = {}
        self._settings = Settings(self._sources)

    def restore(self, snapshot: bytes) -> str | None:
        """Takes a snapshot over. Returns why that failed, or None."""
        from stepwell_runner import snapshot as snapshots

        try:
            contents, self._not_restored = snapshots.restore(snapshot, self.main, self._settings.apply)
        except BaseException as error:  # noqa: B036 - a value's own code may raise anything
            return frames.cut(f"{type(error).__name__}: {error}", _REASON_BYTES).decode()
        self._sources.update(contents.sources)
        self._notes = contents.notes | self._not_restored
        self.future_flags = contents.future_flags
        return None

    def add_source(self, source: str) -> None:
        """Makes the lines of a step's source known to tracebacks and to inspect."""
        self._sources[self.file_name] = source
        self._settings.watch_imports()

    def explain_lost_name(self, error: BaseException) -> None:
        """Adds to a NameError why the name is missing, where an earlier step had it."""
        if isinstance(error, NameError) and error.name in self._notes and error.name not in self.namespace:
            error.add_note(f"{error.name!r} was not kept between steps: {self._notes[error.name]}")

    def note_settings(self) -> None:
        """Reads what belongs to the session outside its namespace, before the runner changes any of it."""
        self._settings.capture()

    def save(self, limit_bytes: int) -> "tuple[bytes, list[tuple[str, str | bytes | int]]]":
        """Makes a snapshot, and the fields of the frame that says what it holds."""
        from stepwell_runner import snapshot as snapshots
        from stepwell_runner.losses import Loss

        contents = snapshots.Contents()
        contents.settings = self._settings.save()
        contents.sources, contents.notes = self._sources, self._notes
        contents.future_flags = self.future_flags
        data, kept, lost = snapshots.save(self.main, contents, limit_bytes)
        for name, reason in self._not_restored.items():
            if name not in self.namespace:
                lost.append(Loss(name, name, None, reason))
        fields: "list[tuple[str, str | bytes | int]]" = [("kept", kept)]
        for index, loss in enumerate(lost[:_LOSSES_TOLD]):
            fields += _loss_fields(f"lost.{index}", loss)
        return data, fields


def _loss_fields(prefix: str, loss) -> "list[tuple[str, str | bytes | int]]":
    fields = [
        (f"{prefix}.name", frames.cut(loss.name, 256)),
        (f"{prefix}.path", frames.cut(loss.path, 1024)),
        (f"{prefix}.type", frames.cut(loss.type, 256)),
        (f"{prefix}.reason", frames.cut(loss.reason, 1024)),
    ]
    if loss.hint is not None:
        fields.append((f"{prefix}.hint", loss.hint))
    return fields
