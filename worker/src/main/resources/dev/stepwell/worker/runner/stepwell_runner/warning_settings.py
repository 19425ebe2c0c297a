"""The filters of ``warnings``, told by the names of their categories: restoring one must not import a library."""
import sys


class _Given:
    """What was given back in this process; filters of categories that are not imported yet wait here."""

    state: list[tuple] = []
    filters: list[tuple] = []


def read(warnings) -> list[tuple]:
    """The filters, but for those of categories that only the session knows."""
    if _Given.state and warnings.filters == _Given.filters:
        return _Given.state
    here = [_told(entry) for entry in warnings.filters if entry[2].__module__ != "__main__"]
    return here + [told for told in _Given.state if _category(told) is None]


def give(warnings, state: list[tuple]) -> None:
    """Sets those filters whose categories are known by now."""
    import re

    _Given.state = state
    found = []
    for told in state:
        action, message, _, _, module, line = told
        category = _category(told)
        if category is not None:
            patterns = [re.compile(*part) if isinstance(part, tuple) else part for part in (message, module)]
            found.append((action, patterns[0], category, patterns[1], line))
    _Given.filters = found
    warnings.filters[:] = found
    getattr(warnings, "_filters_mutated", getattr(warnings, "_filters_mutated_lock_held", lambda: None))()


def complete() -> None:
    """Sets the others, too, after the import of a library."""
    warnings = sys.modules.get("warnings")
    if warnings is not None and len(_Given.filters) < len(_Given.state):
        known = [told for told in _Given.state if _category(told) is not None]
        if len(known) > len(_Given.filters):
            give(warnings, _Given.state)


def _told(entry: tuple) -> tuple:
    action, message, category, module, line = entry
    # The interpreter's own filters have plain text here, and most have nothing.
    plain = (str, type(None))
    patterns = [part if isinstance(part, plain) else (part.pattern, part.flags) for part in (message, module)]
    return (action, patterns[0], category.__module__, category.__qualname__, patterns[1], line)


def _category(told: tuple) -> type | None:
    found: object = sys.modules.get(told[2])
    for part in told[3].split("."):
        found = getattr(found, part, None)
    return found if isinstance(found, type) else None
