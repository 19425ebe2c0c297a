"""What a session has set up in ``logging``: levels, handlers, formatters."""
import sys

_FILES_FOLDER = "/workspace/"
_STREAMS = ("stdout", "stderr")


def read(logging) -> object:
    """Levels, and the handlers that write to the standard streams or to files of the workspace.

    Others hold what ends with the step.
    """
    loggers = {}
    for name, logger in logging.root.manager.loggerDict.items():
        if isinstance(logger, logging.Logger):
            state = (logger.level, logger.disabled, logger.propagate, _handlers(logging, logger))
            if state != (0, False, True, []):
                loggers[name] = state
    return logging.root.level, _handlers(logging, logging.root), loggers, logging.root.manager.disable


def give(logging, state: object) -> None:
    """Sets it up again."""
    level, handlers, loggers, disable = state
    logging.root.setLevel(level)
    _add_handlers(logging, logging.root, handlers)
    for name, (logger_level, disabled, propagate, own) in loggers.items():
        logger = logging.getLogger(name)
        logger.setLevel(logger_level)
        logger.disabled, logger.propagate = disabled, propagate
        _add_handlers(logging, logger, own)
    logging.disable(disable)


def _handlers(logging, logger) -> list[tuple]:
    found = []
    for handler in logger.handlers:
        target = _target(logging, handler)
        if target is not None:
            formatter = handler.formatter
            plain = type(formatter) is logging.Formatter
            how = (formatter._fmt, formatter.datefmt, _style(formatter)) if plain else None
            found.append((target, handler.level, how))
    return found


def _style(formatter) -> str:
    return {"StrFormatStyle": "{", "StringTemplateStyle": "$"}.get(type(formatter._style).__name__, "%")


def _target(logging, handler) -> "tuple[str, ...] | None":
    if type(handler) is logging.StreamHandler:
        for name in _STREAMS:
            if handler.stream is getattr(sys, name):
                return (name,)
    if type(handler) is logging.FileHandler and handler.baseFilename.startswith(_FILES_FOLDER):
        return ("file", handler.baseFilename, handler.encoding or "")
    if type(handler) is logging.NullHandler:
        return ("null",)
    return None


def _add_handlers(logging, logger, handlers: list[tuple]) -> None:
    for target, level, how in handlers if not logger.handlers else ():
        handler = _handler(logging, target)
        handler.setLevel(level)
        if how is not None:
            handler.setFormatter(logging.Formatter(how[0], how[1], how[2]))
        logger.addHandler(handler)


def _handler(logging, target: "tuple[str, ...]"):
    if target[0] == "file":
        # What the earlier step wrote stays.
        return logging.FileHandler(target[1], "a", target[2] or None, delay=True)
    return logging.NullHandler() if target[0] == "null" else logging.StreamHandler(getattr(sys, target[0]))
