"""What belongs to a session but not to its namespace: variables of the environment, folders, random streams, options.

A library's settings are given back right after the library is first imported, so that a step which doesn't import
it pays nothing for them.
"""
import sys
from os import environ
from posix import chdir, getcwd, umask

from stepwell_runner import library_settings, step_module

_WATCHED = frozenset(("linecache", step_module.PYPLOT, *library_settings.NAMES))


class Settings:
    """Owned by the process's main thread."""

    def __init__(self, source_text) -> None:
        self._source_text = source_text
        self._environment = dict(environ)
        self._path = list(sys.path)
        self._folder = getcwd()
        self._mask = _mask()
        # By library: where settings of an earlier step are that this one hasn't taken up yet.
        self._waiting: dict[str, object] = {}
        self._given: set[str] = set()
        self._read_span = None
        self._on_import = None
        self._patched: dict[str, dict[str, str]] = {}
        self._sources: dict[str, object] = {}
        self._captured = self._read()
        library_settings.freshen()

    def apply(self, saved: dict, libraries: dict[str, object], read, reseed: bool) -> None:
        """Gives the session its settings back, but for those of libraries, which wait. ``read`` reads a span."""
        environ.update(saved["set"])
        for name in saved["unset"]:
            environ.pop(name, None)
        sys.path[:] = saved["path_before"] + self._path + saved["path_after"]
        if saved["folder"] is not None:
            try:
                chdir(saved["folder"])
            except OSError as error:
                sys.stderr.write(f"stepwell: {saved['folder']}: {error.strerror}\n")
        if saved["mask"] is not None:
            umask(saved["mask"])
        sys.setrecursionlimit(saved["recursion_limit"])
        self._waiting = dict(libraries)
        if reseed:
            for name in library_settings.RANDOM:
                self._waiting.pop(name, None)
        self._given = set(self._waiting)
        self._read_span = read
        self._captured = saved

    def watch_imports(self, patched: "dict[str, dict[str, str]]", on_import) -> None:
        """From here on a library that is imported gets its settings, and ``on_import`` is called for patched modules.

        Settings are pickles of the session: the code in them may run only when the session's code may.
        """
        self._patched = patched
        self._on_import = on_import
        sys.meta_path.insert(0, _Watcher(self))
        self._take_up([name for name in self._waiting if name in sys.modules])

    def is_watched(self, name: str) -> bool:
        """Whether something may have to be done right after this module's import."""
        return name in _WATCHED or name in self._patched

    def imported(self, name: str) -> None:
        """Called right after the import of a watched module."""
        if name == "linecache":
            self.fill_linecache(self._sources)
        elif name == step_module.PYPLOT:
            step_module.hook_pyplot()
        elif name in self._waiting:
            self._take_up([name])
        elif name in library_settings.NAMES:
            library_settings.note_default(name)
        library_settings.complete()
        if name in self._patched:
            self._on_import(name)

    def fill_linecache(self, sources: dict[str, object]) -> None:
        """Makes the lines of session code known, if somebody is there to ask for them."""
        self._sources = sources
        if "linecache" in sys.modules:
            cache = sys.modules["linecache"].cache
            for name in sources:
                cache[name] = (_Lines(self._source_text, name),)

    def _take_up(self, names: list[str]) -> None:
        for name in names:
            span = self._waiting.pop(name, None)
            if span is None:
                continue
            try:
                library_settings.note_default(name)
                library_settings.apply(name, self._read_span(span))
            except Exception as error:  # noqa: BLE001 - another version of the library may refuse them
                sys.stderr.write(f"stepwell: settings of {name}: {type(error).__name__}: {error}\n")

    def capture(self) -> None:
        """Notes the interpreter's own settings as the step left them, unless it left nothing to read them with."""
        try:
            self._captured = self._read()
        except Exception as error:  # noqa: BLE001 - step code may have replaced what os is made of
            sys.__stderr__.write(f"stepwell: settings stay as they were: {type(error).__name__}: {error}\n")

    def _read(self) -> dict:
        environment = dict(environ)
        before, after = self._path_around()
        mask = _mask()
        return {
            "set": {name: text for name, text in environment.items() if self._environment.get(name) != text},
            "unset": [name for name in self._environment if name not in environment],
            "path_before": before,
            "path_after": after,
            "folder": _folder_if_not(self._folder),
            "mask": mask if mask != self._mask else None,
            "recursion_limit": sys.getrecursionlimit(),
        }

    def save(self) -> "tuple[dict, dict[str, object]]":
        """The interpreter's settings, and those of libraries: as bytes, or the span of what was never taken up."""
        libraries = dict(self._waiting)
        for name in library_settings.NAMES:
            if name in sys.modules and name not in libraries:
                data = library_settings.capture(name, name in self._given)
                if data is not None:
                    libraries[name] = data
        return self._captured, libraries

    def _path_around(self) -> tuple[list[str], list[str]]:
        """What the session put before and after the entries that every process of the sandbox has."""
        path = [entry for entry in sys.path if isinstance(entry, str)]
        base = [index for index, entry in enumerate(path) if entry in self._path]
        first = base[0] if base else len(path)
        before = [entry for entry in path[:first] if entry not in self._path]
        after = [entry for entry in path[first:] if entry not in self._path]
        return before, after


def _folder_if_not(usual: str) -> str | None:
    try:
        folder = getcwd()
    except OSError:
        # It has been removed.
        return None
    return None if folder == usual else folder


def _mask() -> int:
    mask = umask(0o077)
    umask(mask)
    return mask


class _Lines:
    """What linecache calls for the text of a file when it is first asked for it."""

    def __init__(self, source_text, name: str) -> None:
        self._source_text = source_text
        self._name = name

    def __call__(self) -> str:
        return self._source_text(self._name)


class _Watcher:
    """Sees imports, and has the loader of a watched module call back."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def find_spec(self, name: str, path=None, target=None):
        if not self._settings.is_watched(name):
            return None
        for finder in sys.meta_path:
            if finder is not self and hasattr(finder, "find_spec"):
                spec = finder.find_spec(name, path, target)
                if spec is not None:
                    if spec.loader is not None:
                        spec.loader = _CallingLoader(spec.loader, self._settings)
                    return spec
        return None


class _CallingLoader:
    """A module's own loader, but for the call after it."""

    def __init__(self, loader, settings: Settings) -> None:
        self._loader = loader
        self._settings = settings

    def __getattr__(self, name: str):
        return getattr(self._loader, name)

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module) -> None:
        module.__spec__.loader = self._loader
        module.__loader__ = self._loader
        self._loader.exec_module(module)
        self._settings.imported(module.__name__)
