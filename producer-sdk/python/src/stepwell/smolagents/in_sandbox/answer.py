"""How a final answer leaves a sandbox. Its text is part of a session's first prelude; nothing of it
runs here.

``_stepwell_dumped`` is defined before it, and gives a value's bytes and None, or None and why it
has none."""


class _StepwellFinalAnswerGiven(BaseException):
    """Ends the step. Not an Exception, so that ``except Exception`` around an agent's code lets it
    through."""


class _StepwellNotPortable(TypeError):
    """An answer that has no safe form."""


class _StepwellFinalAnswer:
    """Calls the agent's own final-answer tool, shows what it returns, and ends the step."""

    def __init__(self, tool):
        self.tool = tool
        self.name, self.description = tool.name, tool.description
        self.inputs, self.output_type = tool.inputs, tool.output_type

    def __call__(self, *args, **kwargs):
        answer = self.tool(*args, **kwargs)
        encoded, why = _stepwell_encoded(answer)
        if encoded is None:
            raise _StepwellNotPortable(why)
        encoded = _stepwell_shown(encoded)
        raise _StepwellFinalAnswerGiven(encoded)


def _stepwell_encoded(answer):
    """An answer as text and None, or None and why there is none."""
    import base64
    import pickle

    try:
        data, why = _stepwell_dumped(answer)
        if data is None:
            data, why = _stepwell_dumped(_stepwell_plain(answer, 0))
    except RecursionError:
        data, why = None, "a value nested too deeply"
    if data is not None:
        return "safe:" + base64.b64encode(data).decode(), None
    if not _STEPWELL_ALLOW_PICKLE:
        return None, (
            f"final_answer can't carry this answer: it is or holds {why}. Answer with text "
            "such as str(x), or with numbers, "
            "texts, lists, dicts, arrays, data frames or images. (Whoever made the executor "
            "can allow pickles: "
            "StepwellExecutor(..., allow_pickle=True))"
        )
    try:
        return "pickle:" + base64.b64encode(pickle.dumps(answer)).decode(), None
    except Exception:
        data, why = _stepwell_dumped(str(answer))
        return "safe:" + base64.b64encode(data).decode(), None


def _stepwell_plain(value, depth):
    """Builtin values in the place of values of classes that were made from theirs, such as named
    tuples."""
    if depth > 100:
        return value
    if isinstance(value, dict):
        return {
            _stepwell_plain(key, depth + 1): _stepwell_plain(item, depth + 1)
            for key, item in value.items()
        }
    for kind in (list, tuple, set, frozenset):
        if isinstance(value, kind):
            return kind([_stepwell_plain(item, depth + 1) for item in value])
    if type(value) in (bool, int, float, str, bytes):
        return value
    for kind in (int, float, bytes):
        if isinstance(value, kind):
            return kind(value)
    return str.__str__(value) if isinstance(value, str) else value


def _stepwell_shown(encoded):
    """Shows an encoded answer, and returns what was shown: one that is long goes into a file, whose
    name is shown."""
    import hashlib
    import os

    import stepwell_step

    if len(encoded) > _STEPWELL_SHOWN_CHARACTERS:
        name = hashlib.sha256(encoded.encode()).hexdigest()[:32]
        path = "/workspace/" + _STEPWELL_ANSWER_FILE.format(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="ascii") as file:
            file.write(encoded)
        encoded = "file:" + name
    stepwell_step.display(mime={_STEPWELL_ANSWER_TYPE: encoded})
    return encoded
