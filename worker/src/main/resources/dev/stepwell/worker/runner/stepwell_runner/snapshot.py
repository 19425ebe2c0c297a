"""A session's snapshot as bytes: a head of fields, the settings, and the namespace in one pickle.

One pickle, so that what two names share stays shared. ``save`` and ``restore`` are all that the rest of the runner
knows of the format.
"""
import _frozen_importlib_external
import gc
import io
import sys
import types

from stepwell_runner import frames, losses, lost, pickling, rebuild, refusals
from stepwell_runner.losses import Loss

_MARK = b"SWS1"
# The interpreter makes these; a session's module has them before it has anything.
_OWN_NAMES = frozenset(("__builtins__", "__name__", "__package__", "__loader__", "__spec__"))
_PYTHON = f"{sys.implementation.name}-{sys.version.split()[0]}"
_MAGIC = _frozen_importlib_external.MAGIC_NUMBER.hex()


class Contents:
    """What a snapshot holds beside the namespace. ``notes`` say, by name, why a value is missing."""

    def __init__(self) -> None:
        self.settings = b""
        self.sources: dict[str, str] = {}
        self.notes: dict[str, str] = {}
        self.future_flags = 0


class TooLarge(Exception):
    """A pickle has outgrown what the step may leave."""


class _Sink:
    """Takes a pickle's bytes up to a limit, and keeps them or only counts."""

    def __init__(self, limit_bytes: int, keep: bool) -> None:
        self.size = 0
        self._limit = limit_bytes
        self._pieces: list[bytes] | None = [] if keep else None

    def write(self, data: bytes) -> int:
        self.size += len(data)
        if self.size > self._limit:
            raise TooLarge(f"over {self._limit} bytes")
        if self._pieces is not None:
            self._pieces.append(bytes(data))
        return len(data)

    def data(self) -> bytes:
        return b"".join(self._pieces or ())


# Reading.


def restore(data: bytes, main: types.ModuleType, apply_settings) -> tuple[Contents, dict[str, str]]:
    """Fills a main module from a snapshot.

    ``apply_settings`` is called with the settings before any value is made, since making values imports modules.
    Returns the rest of the contents, and why by name for values that could not be made again.
    """
    contents, namespace_data, foreign_code = _parse(data)
    rebuild.begin(main, foreign_code)
    apply_settings(contents.settings)
    collecting = gc.isenabled()
    gc.disable()
    lost.loading = True
    try:
        namespace, patches = _load(namespace_data)
    finally:
        lost.loading = False
        if collecting:
            gc.enable()
    _patch(patches)
    missing = {}
    for name, value in namespace.items():
        reason = lost.lost_reason(value)
        if reason is None:
            vars(main)[name] = value
        else:
            missing[name] = reason
    return contents, missing


def _parse(data: bytes) -> tuple[Contents, bytes, str | None]:
    if data[:4] != _MARK:
        raise frames.ChannelError("this is no snapshot, or one of an unknown format")
    end = 8 + int.from_bytes(data[4:8], "big")
    fields = frames.decode(data[8:end])
    contents = Contents()
    settings_end = end + frames.number(fields, "settingsBytes")
    contents.settings = data[end:settings_end]
    contents.future_flags = frames.number(fields, "futureFlags")
    for kind, into in (("source", contents.sources), ("note", contents.notes)):
        texts = [text.decode() for text in fields.get(kind, [])]
        into.update(zip(texts[::2], texts[1::2]))
    python, magic = fields["python"][0].decode(), fields["magic"][0].decode()
    same = magic == _MAGIC and python.partition("-")[0] == sys.implementation.name
    foreign = None if same else f"its code was compiled by {python}, and this is {_PYTHON}"
    return contents, data[settings_end:], foreign


def _patch(patches: dict[str, dict[str, object]]) -> None:
    for module_name, attributes in patches.items():
        module = sys.modules.get(module_name)
        for name, value in attributes.items():
            if module is not None and lost.lost_reason(value) is None:
                setattr(module, name, value)


def _patches(namespace: dict, main: types.ModuleType) -> dict[str, dict[str, object]]:
    """The functions of the session that it has put into modules it names."""
    patches: dict[str, dict[str, object]] = {}
    for module in namespace.values():
        if type(module) is types.ModuleType and module is not main:
            for name, value in vars(module).items():
                if type(value) is types.FunctionType and value.__globals__ is vars(main):
                    patches.setdefault(module.__name__, {})[name] = value
    return patches


def _load(data: bytes) -> tuple[dict, dict]:
    from stepwell_runner.unpickling import SnapshotUnpickler

    try:
        return SnapshotUnpickler(io.BytesIO(data)).load()
    except Exception:  # noqa: BLE001 - any value's own code; the others are fine
        from stepwell_runner import salvage

        return salvage.load(data)


# Writing.


def save(main: types.ModuleType, contents: Contents, limit_bytes: int) -> tuple[bytes, int, list[Loss]]:
    """Makes a snapshot of a main module, at most so many bytes of it.

    Returns it, the number of names it keeps, and what it does not. The contents' notes come to hold why names are missing;
    its sources are cut down to those that kept code comes from.
    """
    namespace = {name: value for name, value in vars(main).items() if name not in _OWN_NAMES}
    if namespace.get("__doc__", "") is None:
        del namespace["__doc__"]
    collecting = gc.isenabled()
    gc.disable()
    try:
        writer = _Writer(main, limit_bytes - _head_bytes_at_most(contents))
        pickle = writer.write(namespace)
    finally:
        if collecting:
            gc.enable()
    _update_notes(contents, namespace, writer)
    contents.sources = {name: text for name, text in contents.sources.items() if name in writer.files}
    return _head(contents) + contents.settings + pickle, len(namespace), writer.lost


def _update_notes(contents: Contents, namespace: dict, writer: "_Writer") -> None:
    for name in namespace:
        contents.notes.pop(name, None)
    for loss in writer.lost:
        if loss.name not in namespace:
            contents.notes[loss.name] = f"{loss.path} is {loss.type}: {loss.reason}"


def _head_bytes_at_most(contents: Contents) -> int:
    return len(_head(contents)) + len(contents.settings)


def _head(contents: Contents) -> bytes:
    fields: list[tuple[str, object]] = [
        ("python", _PYTHON),
        ("magic", _MAGIC),
        ("settingsBytes", len(contents.settings)),
        ("futureFlags", contents.future_flags),
    ]
    for kind, table in (("source", contents.sources), ("note", contents.notes)):
        for name, text in table.items():
            fields += ((kind, name), (kind, text))
    head = frames.encode(fields)
    return _MARK + len(head).to_bytes(4, "big") + head


class _Writer:
    """Writes one namespace, giving up as little of it as it can. What it can't keep leaves the dict it was given."""

    def __init__(self, main: types.ModuleType, limit_bytes: int) -> None:
        self.lost: list[Loss] = []
        self.files: set[str] = set()
        self._main = main
        self._limit = limit_bytes

    def write(self, namespace: dict) -> bytes:
        try:
            return self._run(namespace, False)[0].data()
        except Exception:  # noqa: BLE001 - why, and for which name, is what comes next
            return self._write_what_can_be(namespace)

    def _write_what_can_be(self, namespace: dict) -> bytes:
        sizes = self._try_each(namespace)
        while True:
            try:
                return self._write_tolerantly(namespace)
            except TooLarge:
                if not namespace:
                    raise
                self._drop_largest(namespace, sizes)

    def _write_tolerantly(self, namespace: dict) -> bytes:
        """Leaves a mark where a value can't be kept, and leaves out the names of which nothing would be left."""
        sink, pickler = self._run(namespace, True)
        gone = [name for name, value in namespace.items() if id(value) in pickler.losses]
        if gone:
            sink, _ = self._run({name: value for name, value in namespace.items() if name not in gone}, True)
        self.lost += losses.locate(namespace, pickler.losses)
        for name in gone:
            del namespace[name]
        return sink.data()

    def _try_each(self, namespace: dict) -> dict[str, int]:
        """Leaves out every name that can't be written even alone. Returns what the others take alone."""
        sizes = {}
        for name, value in list(namespace.items()):
            try:
                sizes[name] = self._run({name: value}, True, keep=False)[0].size
            except Exception as error:  # noqa: BLE001 - whatever the value's code raises
                reason = f"its snapshot is {error}" if isinstance(error, TooLarge) else refusals.reason(error)
                self.lost.append(losses.of_name(name, value, reason))
                del namespace[name]
        return sizes

    def _drop_largest(self, namespace: dict, sizes: dict[str, int]) -> None:
        name = max(namespace, key=sizes.__getitem__)
        reason = f"the session's state is over its limit of {self._limit} bytes, of which it takes {sizes[name]}"
        self.lost.append(losses.of_name(name, namespace.pop(name), reason))

    def _run(self, namespace: dict, tolerant: bool, keep: bool = True) -> "tuple[_Sink, pickling.SnapshotPickler]":
        def attempt() -> "tuple[_Sink, pickling.SnapshotPickler]":
            sink = _Sink(self._limit, keep)
            pickler = pickling.SnapshotPickler(sink, self._main, tolerant)
            pickler.dump((namespace, _patches(namespace, self._main)))
            self.files |= pickler.files
            return sink, pickler

        try:
            return attempt()
        except RecursionError:
            from stepwell_runner import depth

            return depth.run_deep(attempt)
