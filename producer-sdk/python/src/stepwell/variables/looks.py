"""How a variable comes out of a sandbox."""

from __future__ import annotations

import io
import keyword
import pickle
from typing import TYPE_CHECKING, Final

from stepwell import downloads, plans
from stepwell.core import unreadable
from stepwell.errors import VariableError, VariableNotPortableError
from stepwell.messages import End, Fork
from stepwell.names import ArtifactProblem
from stepwell.plans import Ask, Plan
from stepwell.step import Step, StepOptions
from stepwell.variables.portable_load import load
from stepwell.variables.preludes import module_source

if TYPE_CHECKING:
    from typing_extensions import Unpack

_PATH: Final = ".stepwell/variable"
_PORTABLE: Final = b"V"
_PICKLED: Final = b"P"
_REFUSED: Final = b"U"


def get_variable(
    reference: str, name: str, *, allow_pickle: bool, **options: Unpack[StepOptions]
) -> Plan[object]:
    """Reads a variable of a state, by a step that leaves nothing there."""
    step = look(name, allow_pickle=allow_pickle).replace(**options)
    (answer,) = yield [Ask(step, None, reference)]
    artifact = plans.done(answer).artifacts[0]
    content = artifact.content
    if artifact.problem is ArtifactProblem.TOO_LARGE:
        content = yield from _of_a_fork(reference, step)
    if content is None:
        raise unreadable(f"the look at the variable {name!r} left nothing: {artifact.reason}")
    return _value(name, content, allow_pickle)


def look(name: str, *, allow_pickle: bool) -> Step:
    """The step that writes a variable to a file; raises VariableError for what is no name."""
    if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name):
        raise VariableError(f"{name!r} is no name that a variable can have")
    source = (
        "def __stepwell_look__(value, allow_pickle):\n"
        f"{module_source('portable_dump')}\n{_WRITING}\n"
        f"__stepwell_look__({name}, {allow_pickle!r})\n"
    )
    return Step.python(source, artifacts=[_PATH])


def _of_a_fork(reference: str, step: Step) -> Plan[bytes]:
    """What doesn't fit into a result is read from the workspace of a session made for it."""
    fork = plans.new_session_id()
    (made,) = yield [Ask(Fork(reference, reseed=False), fork)]
    plans.done(made)
    content = io.BytesIO()
    try:
        (answer,) = yield [Ask(step.replace(artifacts=[]), fork)]
        plans.done(answer)
        yield from downloads.whole(_PATH, fork, None, content.write)
    finally:
        yield [Ask(End(), fork)]
    return content.getvalue()


def _value(name: str, content: bytes, allow_pickle: bool) -> object:
    form, data = content[:1], content[1:]
    if form == _REFUSED:
        _refuse(name, data.decode(errors="replace"))
    try:
        if form == _PORTABLE:
            return load(data)
        if form == _PICKLED and allow_pickle:
            return pickle.loads(data)
    except Exception as error:
        raise unreadable(
            f"the variable {name!r} can't be read ({type(error).__name__}: {error})"
        ) from error
    raise unreadable(f"the variable {name!r} came in a form that was not asked for")


def _refuse(name: str, told: str) -> None:
    kind, _, reason = told.partition("\n")
    raise VariableNotPortableError(
        f"the variable {name!r} is of type {kind}, and has no form that is safe to read (it is or "
        f"holds {reason}): have a step turn it into plain values, such as str({name}), or say "
        "allow_pickle=True, which lets what ran in the sandbox run code here"
    )


_WRITING: Final = """\
    import os

    kind = type(value)
    told = (kind.__module__ + "." + kind.__qualname__ + "\\n").encode()
    try:
        content = b"V" + dump(value)
    except Unportable as reason:
        content = b"U" + told + str(reason).encode()
        if allow_pickle:
            import pickle

            try:
                content = b"P" + pickle.dumps(value, 4)
            except Exception as problem:
                content = b"U" + told + str(problem).encode()
    os.makedirs("/workspace/.stepwell", exist_ok=True)
    with open("/workspace/.stepwell/variable", "wb") as file:
        file.write(content)
"""
