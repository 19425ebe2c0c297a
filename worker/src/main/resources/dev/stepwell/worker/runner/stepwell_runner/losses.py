"""Where, in a namespace, the values are that could not be kept."""
import types

from stepwell_runner import refusals

# Beyond so many values looked at, a lost value is told without its path.
_VISITS = 200_000
_KEY_CHARACTERS = 60


class Loss:
    """A value that a snapshot does not hold; immutable."""

    def __init__(self, name: str, path: str, value: object, reason: str) -> None:
        cls = type(value)
        self.name = name
        self.path = path
        self.type = f"{cls.__module__}.{cls.__qualname__}"
        self.reason = reason
        self.hint = refusals.hint(value)


def of_name(name: str, value: object, reason: str) -> Loss:
    """A whole variable that is lost."""
    return Loss(name, name, value, reason)


def of_unread_name(name: str, reason: str) -> Loss:
    """A variable of an earlier step whose value could not be loaded."""
    loss = Loss(name, name, None, reason)
    loss.type = "unknown"
    return loss


def locate(namespace: dict, lost: dict[int, tuple[object, str]]) -> list[Loss]:
    """Finds the first way to each lost value. Breadth first, so that the way told is a short one."""
    found: list[Loss] = []
    missing = dict(lost)
    queue: list[tuple[str, str, object]] = []
    for name, value in namespace.items():
        if id(value) in lost:
            # Each name of a lost value is lost.
            found.append(Loss(name, name, value, lost[id(value)][1]))
            missing.pop(id(value), None)
        else:
            queue.append((name, name, value))
    seen: set[int] = set()
    at = 0
    while missing and at < len(queue) and len(seen) < _VISITS:
        name, path, value = queue[at]
        at += 1
        if id(value) in seen:
            continue
        seen.add(id(value))
        if id(value) in missing:
            found.append(Loss(name, path, value, missing.pop(id(value))[1]))
            continue
        queue += ((name, path + step, part) for step, part in _parts(value))
    found += [Loss("?", "?", value, reason) for value, reason in missing.values()]
    return found


def _parts(value: object) -> list[tuple[str, object]]:
    """What a value holds, and how one gets there."""
    try:
        if isinstance(value, dict):
            return [(f"[{_short(key)}]", part) for key, part in dict.items(value)]
        if isinstance(value, (list, tuple, set, frozenset)):
            return [(f"[{index}]", part) for index, part in enumerate(value)] + _attributes(value)
        if isinstance(value, types.FunctionType):
            return _function_parts(value)
        if isinstance(value, (str, bytes, int, float, types.ModuleType)):
            return []
        return _attributes(value)
    except Exception:  # noqa: BLE001 - code of the step; the value is then told without its path
        return []


def _function_parts(value: types.FunctionType) -> list[tuple[str, object]]:
    parts = []
    for name, cell in zip(value.__code__.co_freevars, value.__closure__ or ()):
        try:
            parts.append((f".<closure>.{name}", cell.cell_contents))
        except ValueError:
            continue
    for index, part in enumerate(value.__defaults__ or ()):
        parts.append((f".__defaults__[{index}]", part))
    return parts + _attributes(value)


def _attributes(value: object) -> list[tuple[str, object]]:
    parts = [(f".{name}", part) for name, part in getattr(value, "__dict__", {}).items()]
    for ancestor in type(value).__mro__:
        for name, part in vars(ancestor).items():
            if isinstance(part, types.MemberDescriptorType):
                try:
                    parts.append((f".{name}", part.__get__(value)))
                except AttributeError:
                    continue
    return parts


def _short(key: object) -> str:
    text = repr(key) if isinstance(key, (str, bytes, int, float, tuple, bool, type(None))) else type(key).__name__
    return text if len(text) <= _KEY_CHARACTERS else text[: _KEY_CHARACTERS - 3] + "..."
