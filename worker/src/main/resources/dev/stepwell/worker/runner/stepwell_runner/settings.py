"""What belongs to a session but not to its namespace: variables of the environment, folders, random streams, options.

A library's settings are given back right after the library is first imported, so that a step which doesn't import
it pays nothing for them.
"""
import marshal
import sys
from os import environ
from posix import chdir, getcwd

from stepwell_runner import library_settings


class Settings:
    """Owned by the process's main thread."""

    def __init__(self, sources: dict[str, str]) -> None:
        self._sources = sources
        self._environment = dict(environ)
        self._path = list(sys.path)
        self._folder = getcwd()
        # By library: settings of an earlier step that this one hasn't taken up yet.
        self._waiting: dict[str, bytes] = {}
        self._captured = self._read()
        library_settings.freshen()

    def apply(self, data: bytes) -> None:
        """Gives the session its settings back."""
        saved = marshal.loads(data)
        environ.update(saved["set"])
        for name in saved["unset"]:
            environ.pop(name, None)
        sys.path[:] = saved["path_before"] + self._path + saved["path_after"]
        if saved["folder"] is not None:
            try:
                chdir(saved["folder"])
            except OSError as error:
                sys.stderr.write(f"stepwell: {saved['folder']}: {error.strerror}\n")
        sys.setrecursionlimit(saved["recursion_limit"])
        self._waiting = saved.pop("libraries")
        self._captured = saved
        self._take_up([name for name in self._waiting if name in sys.modules])

    def watch_imports(self) -> None:
        """From here on a library that is imported gets its settings, and linecache the session's sources."""
        if "linecache" in sys.modules:
            self._fill_linecache()
        self._take_up([name for name in self._waiting if name in sys.modules])
        sys.meta_path.insert(0, _Watcher(self))

    def is_watched(self, name: str) -> bool:
        """Whether something is to be done right after this module's import."""
        return name in self._waiting or (name == "linecache")

    def imported(self, name: str) -> None:
        """Called right after the import of a watched module."""
        if name == "linecache":
            self._fill_linecache()
        else:
            self._take_up([name])

    def _fill_linecache(self) -> None:
        cache = sys.modules["linecache"].cache
        for name, text in self._sources.items():
            cache[name] = (len(text), None, [line + "\n" for line in text.split("\n")], name)

    def _take_up(self, names: list[str]) -> None:
        for name in names:
            data = self._waiting.pop(name)
            try:
                library_settings.apply(name, data)
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
        return {
            "set": {name: text for name, text in environment.items() if self._environment.get(name) != text},
            "unset": [name for name in self._environment if name not in environment],
            "path_before": before,
            "path_after": after,
            "folder": _folder_if_not(self._folder),
            "recursion_limit": sys.getrecursionlimit(),
        }

    def save(self) -> bytes:
        """The settings as bytes, those of libraries that the step never imported among them."""
        libraries = dict(self._waiting)
        for name in library_settings.NAMES:
            if name in sys.modules and name not in libraries:
                data = library_settings.capture(name)
                if data is not None:
                    libraries[name] = data
        return marshal.dumps(self._captured | {"libraries": libraries}, 2)

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
