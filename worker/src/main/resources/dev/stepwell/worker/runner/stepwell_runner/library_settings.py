"""Libraries that keep something of a session in themselves: how to read it, and how to give it back."""
import sys

import _pickle


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


def _read_logging(logging) -> object:
    """Levels, and the handlers that write to the standard streams; others hold what ends with the step."""
    handlers = []
    for handler in logging.root.handlers:
        stream = getattr(handler, "stream", None)
        name = "stdout" if stream is sys.stdout else "stderr" if stream is sys.stderr else None
        if type(handler) is logging.StreamHandler and name is not None:
            formatter = handler.formatter
            how = None if formatter is None else (formatter._fmt, formatter.datefmt)
            handlers.append((name, handler.level, how))
    loggers = {
        name: (logger.level, logger.disabled, logger.propagate)
        for name, logger in logging.root.manager.loggerDict.items()
        if isinstance(logger, logging.Logger) and (logger.level or logger.disabled or not logger.propagate)
    }
    return logging.root.level, handlers, loggers


def _give_logging(logging, state: object) -> None:
    level, handlers, loggers = state
    logging.root.setLevel(level)
    for name, handler_level, how in handlers if not logging.root.handlers else ():
        handler = logging.StreamHandler(getattr(sys, name))
        handler.setLevel(handler_level)
        if how is not None:
            handler.setFormatter(logging.Formatter(*how))
        logging.root.addHandler(handler)
    for name, (logger_level, disabled, propagate) in loggers.items():
        logger = logging.getLogger(name)
        logger.setLevel(logger_level)
        logger.disabled, logger.propagate = disabled, propagate


_LIBRARIES = {
    "random": (_read_random, _give_random),
    "numpy.random": (_read_numpy_random, _give_numpy_random),
    "logging": (_read_logging, _give_logging),
    "decimal": (_read_decimal, _give_decimal),
}
NAMES = tuple(_LIBRARIES)


def capture(name: str) -> bytes | None:
    """An imported library's settings, or None where they can't be read."""
    try:
        return _pickle.dumps(_LIBRARIES[name][0](sys.modules[name]), 5)
    except Exception:  # noqa: BLE001 - half imported, or changed by the step
        return None


def apply(name: str, data: bytes) -> None:
    """Gives an imported library its settings."""
    _LIBRARIES[name][1](sys.modules[name], _pickle.loads(data))


def freshen() -> None:
    """Seeds the random streams of libraries that were imported ahead: forks of one process must not share them."""
    for name in ("random", "numpy.random"):
        module = sys.modules.get(name)
        if module is not None:
            module.seed()
