"""Libraries that keep something of a session in themselves: how to read it, and how to give it back."""
import sys

import _pickle

from stepwell_runner import logging_settings, warning_settings


def _read_random(random) -> object:
    return random.getstate()


def _give_random(random, state: object) -> None:
    random.setstate(state)


def _read_numpy_random(numpy_random) -> object:
    return numpy_random.get_state(legacy=False)


def _give_numpy_random(numpy_random, state: object) -> None:
    numpy_random.set_state(state)


def _read_decimal(decimal) -> object:
    return decimal.getcontext().copy()


def _give_decimal(decimal, context: object) -> None:
    decimal.setcontext(context)


def _read_numpy(numpy) -> object:
    options = numpy.get_printoptions()
    # A function for formatting is code of the step, and this is the place of plain settings.
    return {name: value for name, value in options.items() if not callable(value)}, numpy.geterr()


def _give_numpy(numpy, state: object) -> None:
    options, errors = state
    options.pop("formatter", None)
    options.pop("override_repr", None)
    numpy.set_printoptions(**options)
    numpy.seterr(**errors)


def _read_pandas(pandas) -> object:
    """The options that differ from their defaults."""
    from pandas._config import config

    found = {}
    for key, option in config._registered_options.items():
        if key not in config._deprecated_options:
            value = config._global_config
            for part in key.split("."):
                value = value[part]
            if value is not option.defval and value != option.defval:
                found[key] = value
    return found


def _give_pandas(pandas, options: dict) -> None:
    for key, value in options.items():
        pandas.set_option(key, value)


def _read_matplotlib(matplotlib) -> object:
    """The parameters that differ from their defaults. Reading them as dict items chooses no backend."""
    defaults = matplotlib.rcParamsDefault
    found = {}
    for name, value in dict.items(matplotlib.rcParams):
        if isinstance(value, str) if name == "backend" else value != dict.get(defaults, name):
            found[name] = value
    return found


def _give_matplotlib(matplotlib, parameters: dict) -> None:
    matplotlib.rcParams.update(parameters)


def _read_locale(locale) -> object:
    return locale.setlocale(locale.LC_ALL)


def _give_locale(locale, name: str) -> None:
    locale.setlocale(locale.LC_ALL, name)


def _read_socket(socket) -> object:
    return socket.getdefaulttimeout()


def _give_socket(socket, seconds: float | None) -> None:
    socket.setdefaulttimeout(seconds)


_LIBRARIES = {
    "random": (_read_random, _give_random),
    "numpy.random": (_read_numpy_random, _give_numpy_random),
    "numpy": (_read_numpy, _give_numpy),
    "pandas": (_read_pandas, _give_pandas),
    "matplotlib": (_read_matplotlib, _give_matplotlib),
    "logging": (logging_settings.read, logging_settings.give),
    "decimal": (_read_decimal, _give_decimal),
    "warnings": (warning_settings.read, warning_settings.give),
    "locale": (_read_locale, _give_locale),
    "socket": (_read_socket, _give_socket),
}
NAMES = tuple(_LIBRARIES)
RANDOM = ("random", "numpy.random")

# By library: what its settings are before a session changes any.
_defaults: dict[str, bytes] = {}


def note_default(name: str) -> None:
    """Notes the settings that a library has on its own. The first note counts."""
    if name not in _defaults:
        data = _read(name)
        if data is not None:
            _defaults[name] = data


def note_defaults() -> None:
    """Notes those of all libraries that were imported ahead."""
    for name in NAMES:
        if name in sys.modules and name not in RANDOM:
            note_default(name)


def capture(name: str, always: bool) -> bytes | None:
    """An imported library's settings, or None where they can't be read, or are what they are anyway."""
    data = _read(name)
    return None if data == _defaults.get(name) and not always else data


def _read(name: str) -> bytes | None:
    try:
        return _pickle.dumps(_LIBRARIES[name][0](sys.modules[name]), 5)
    except Exception:  # noqa: BLE001 - half imported, or changed by the step
        return None


def apply(name: str, data: bytes) -> None:
    """Gives an imported library its settings."""
    _LIBRARIES[name][1](sys.modules[name], _pickle.loads(data))


def complete() -> None:
    """Called after the import of a library, for what had to wait for any of them."""
    warning_settings.complete()


def freshen() -> None:
    """Seeds the random streams of libraries that were imported ahead: forks of one process must not share them."""
    for name in RANDOM:
        module = sys.modules.get(name)
        if module is not None:
            module.seed()
            note_default(name)
