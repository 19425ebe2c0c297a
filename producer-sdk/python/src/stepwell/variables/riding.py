"""Variables that wait for a session's next step."""

from __future__ import annotations

import threading

from stepwell.messages import ExecutionResult
from stepwell.names import StepKind
from stepwell.step import Step
from stepwell.variables.encoding import Variables


class Riding:
    """What rides along with the next Python step of one session object; thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: tuple[Variables, ...] = ()

    def put(self, variables: Variables) -> None:
        """Has variables wait, behind those that wait already."""
        if variables:
            with self._lock:
                self._waiting = (*self._waiting, variables)

    def board(self, step: Step) -> tuple[Step, tuple[Variables, ...]]:
        """The step with all that waits, and what that was; nothing boards a step without any."""
        if step.kind is not StepKind.PYTHON:
            return step, ()
        with self._lock:
            boarded, self._waiting = self._waiting, ()
        return together(boarded).into(step), boarded

    def alight(self, boarded: tuple[Variables, ...]) -> None:
        """Has what boarded wait again, before all else: its step left nothing."""
        with self._lock:
            self._waiting = (*boarded, *self._waiting)

    def arrive(self, boarded: tuple[Variables, ...], answer: ExecutionResult | Exception) -> None:
        """Has what boarded wait again where it is known that its step's state was not kept."""
        if isinstance(answer, ExecutionResult) and not (answer.state and answer.state.saved):
            self.alight(boarded)


def together(several: tuple[Variables, ...]) -> Variables:
    """All of them as one. Of a name that is there twice the later value holds."""
    files: dict[str, bytes] = {}
    for each in several:
        files.update(each.files)
    return Variables("\n".join(each.prelude for each in several), files)
