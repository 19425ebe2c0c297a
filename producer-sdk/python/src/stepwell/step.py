"""What to run, and under which limits."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypedDict

from stepwell.messages import ExecutionRequest, FileInput, Limits
from stepwell.names import StepKind

if TYPE_CHECKING:
    from typing_extensions import Unpack


_EPOCH: Final = datetime(1970, 1, 1, tzinfo=timezone.utc)
_LIMITS: Final = ("memory_bytes", "output_bytes", "state_bytes")


class StepOptions(TypedDict, total=False):
    """All of a step that has a default. What is not given is the profile's default, or none."""

    prelude: str | None
    """Python source that runs before the step's own, in the same step: for Python steps only."""
    stdin: str | None
    """The text that the step reads on its standard input."""
    profile: str | None
    """The kind of sandbox, by its name in the workers' configuration."""
    wall_time: float | None
    """How long the step's own code may run, in seconds; rounded up to milliseconds."""
    memory_bytes: int | None
    """How much private memory the step's process may have, at least 1 MiB."""
    output_bytes: int | None
    """How much of each of standard output and standard error is kept, 0 for nothing."""
    state_bytes: int | None
    """How large the snapshot that the step leaves may be."""
    limits: Limits
    """All four limits at once, before those that are given one by one."""
    environment: Mapping[str, str]
    """Variables added to the step's environment."""
    deadline: datetime | None
    """When the step must have started, with a time zone; later it is rejected."""
    files: Mapping[str, bytes] | Iterable[FileInput]
    """Files that are put into the workspace before the step runs: content by path, or FileInputs
    with modes. They travel in the request's message, whose size is limited."""
    artifacts: Sequence[str]
    """Files that the result is to bring back: paths such as `out/table.csv`, or patterns such as
    `plots/**`."""
    strict_state: bool
    """Whether the step leaves all of its state or none."""


@dataclass(frozen=True, slots=True)
class Step:
    """What to run; immutable, so one may be sent any number of times.

    Made by `Step.python`, `Step.shell` and `Step.argv`. Limits and paths are checked when the step
    is made or sent, with InvalidMessageError naming what is wrong.
    """

    kind: StepKind
    source: str | None = None
    """Python source or a command line; None for `argv`."""
    arguments: tuple[str, ...] = ()
    """The program and its arguments; empty but for `argv`."""
    prelude: str | None = None
    stdin: str | None = None
    profile: str | None = None
    limits: Limits = field(default_factory=Limits)
    environment: Mapping[str, str] = field(default_factory=dict)
    deadline: datetime | None = None
    files: tuple[FileInput, ...] = ()
    artifacts: tuple[str, ...] = ()
    strict_state: bool = False

    @staticmethod
    def python(source: str, **options: Unpack[StepOptions]) -> Step:
        """Python source, run in the namespace that the session's earlier steps left."""
        return Step(StepKind.PYTHON, source).replace(**options)

    @staticmethod
    def shell(command_line: str, **options: Unpack[StepOptions]) -> Step:
        """A command line, run by `/bin/sh -c`."""
        return Step(StepKind.SHELL, command_line).replace(**options)

    @staticmethod
    def argv(program_and_arguments: Sequence[str], **options: Unpack[StepOptions]) -> Step:
        """A program and its arguments, run without a shell."""
        if isinstance(program_and_arguments, str):
            raise TypeError(
                "argv takes a sequence such as ['ls', '-l'], and got one string: "
                "for a command line use Step.shell"
            )
        return Step(StepKind.ARGV, arguments=tuple(program_and_arguments)).replace(**options)

    @staticmethod
    def of(step_or_source: Step | str, **options: Unpack[StepOptions]) -> Step:
        """A step as it is, or one of Python source, with options in place of its own."""
        if isinstance(step_or_source, Step):
            return step_or_source.replace(**options)
        if isinstance(step_or_source, str):
            return Step.python(step_or_source, **options)
        raise TypeError(
            f"a step is a Step or Python source as a str, not {type(step_or_source).__name__}"
        )

    def replace(self, **changes: Unpack[StepOptions]) -> Step:
        """A copy that differs in the options given; TypeError for one that there isn't."""
        if not changes:
            return self
        unknown = changes.keys() - StepOptions.__annotations__.keys()
        if unknown:
            raise TypeError(
                f"a step has no option {', '.join(sorted(unknown))}; "
                f"it has {', '.join(StepOptions.__annotations__)}"
            )
        fields: dict[str, object] = dict(changes)
        fields["limits"] = _limits(fields, self.limits)
        if "files" in fields:
            fields["files"] = file_inputs(changes["files"])
        if "artifacts" in fields:
            fields["artifacts"] = _texts("artifacts", changes["artifacts"])
        if "environment" in fields:
            fields["environment"] = MappingProxyType(dict(changes["environment"]))
        return dataclasses.replace(self, **fields)  # type: ignore[arg-type]

    def in_profile(self, profile: str | None) -> Step:
        """A copy in a profile if the step names none; else the step itself."""
        if profile is None or self.profile is not None:
            return self
        return self.replace(profile=profile)

    def request(
        self,
        request_id: str,
        session_id: str | None,
        reply_to: str | None = None,
        base: str | None = None,
    ) -> ExecutionRequest:
        """The request that asks for this step; raises InvalidMessageError naming a wrong field."""
        return ExecutionRequest(
            request_id=request_id,
            session_id=session_id,
            kind=self.kind,
            source=self.source,
            prelude=self.prelude,
            argv=self.arguments,
            stdin=self.stdin,
            files=self.files,
            artifacts=self.artifacts,
            base=base,
            strict_state=self.strict_state,
            profile=self.profile,
            limits=self.limits,
            environment=dict(self.environment),
            deadline_ms=None if self.deadline is None else _milliseconds(self.deadline),
            reply_to=reply_to,
        )


def file_inputs(files: Mapping[str, bytes] | Iterable[FileInput]) -> tuple[FileInput, ...]:
    """Files as the messages want them, from content by path or as they are."""
    if isinstance(files, Mapping):
        return tuple(FileInput(path, _content(path, content)) for path, content in files.items())
    inputs = tuple(files)
    for each in inputs:
        if not isinstance(each, FileInput):
            raise TypeError(
                "files are content by path, such as {'in.csv': data}, or FileInput objects, not "
                f"{type(each).__name__}"
            )
    return inputs


def _content(path: str, content: object) -> bytes:
    if isinstance(content, (bytes, bytearray, memoryview)):
        return bytes(content)
    raise TypeError(
        f"the content of the file {path!r} must be bytes, and is of type "
        f"{type(content).__name__}: encode text, such as text.encode()"
    )


def _limits(fields: dict[str, object], before: Limits) -> Limits:
    """Takes the limits out of the fields."""
    base = fields.pop("limits", before)
    if not isinstance(base, Limits):
        raise TypeError(f"limits takes Limits, and is of type {type(base).__name__}")
    given: dict[str, object] = {name: fields.pop(name) for name in _LIMITS if name in fields}
    if "wall_time" in fields:
        given["wall_time_ms"] = _wall_time_ms(fields.pop("wall_time"))
    return dataclasses.replace(base, **given)  # type: ignore[arg-type]


def _wall_time_ms(seconds: object) -> int | None:
    if seconds is None:
        return None
    if isinstance(seconds, timedelta):
        seconds = seconds.total_seconds()
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        raise TypeError(f"wall_time is in seconds, and is of type {type(seconds).__name__}")
    if not 0 < seconds < math.inf:
        raise ValueError(f"wall_time is {seconds} seconds, must be more than 0 and finite")
    return math.ceil(round(seconds * 1000, 6))


def _milliseconds(deadline: datetime) -> int:
    if deadline.tzinfo is None:
        raise ValueError(
            "deadline has no time zone, so it is no point in time: "
            "say datetime.now(timezone.utc) + timedelta(seconds=30)"
        )
    return (deadline - _EPOCH) // timedelta(milliseconds=1)


def _texts(name: str, values: Sequence[str]) -> tuple[str, ...]:
    if isinstance(values, str):
        raise TypeError(f"{name} takes a sequence such as ['out.csv'], and got one string")
    return tuple(values)
