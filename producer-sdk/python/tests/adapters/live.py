"""Answers to requests for Python steps from one live interpreter per session: what sandboxes do,
without any.

For unit tests with `FakeStepwell`: the code that the adapters send runs for real, in this process.
"""

from __future__ import annotations

import ast
import contextlib
import io
import itertools
import sys
import traceback
import types
from typing import Any

from stepwell import ExceptionReport, ExecutionResult, Outcome, StateReport, Value
from stepwell.messages import ExecutionRequest
from stepwell.smolagents.preludes import DELIVERED_TYPE


class LiveAnswers:
    """Runs preludes and sources in a namespace per session, and keeps the requests."""

    def __init__(self) -> None:
        self.requests: list[ExecutionRequest] = []
        self.namespaces: dict[str | None, dict[str, Any]] = {}
        self.lose: list[Outcome] = []
        self._numbers = itertools.count(1)

    def __call__(self, request: ExecutionRequest) -> ExecutionResult:
        self.requests.append(request)
        if self.lose:
            # What was shown survives, though the state doesn't.
            shown = (Value("", "", {DELIVERED_TYPE: "true"}),)
            return self._result(request, self.lose.pop(0), saved=False, displays=shown)
        namespace = self.namespaces.setdefault(request.session_id, {"__name__": "__main__"})
        displays: list[Value] = []
        output = io.StringIO()
        with _step_module(displays), contextlib.redirect_stdout(output):
            error, value = _run(request, namespace)
        return self._result(
            request,
            Outcome.COMPLETED if error is None else Outcome.FAILED,
            stdout=output.getvalue(),
            displays=tuple(displays),
            value=None if value is None else Value(repr(value), f"builtins.{type(value).__name__}"),
            exception=error,
        )

    def _result(
        self, request: ExecutionRequest, outcome: Outcome, saved: bool = True, **more: Any
    ) -> ExecutionResult:
        number = next(self._numbers)
        return ExecutionResult(
            request_id=request.request_id,
            session_id=request.session_id,
            step=number,
            outcome=outcome,
            state=StateReport(saved=saved),
            worker_id="worker",
            sandbox_id=f"sandbox-{number}",
            **more,
        )


def _run(
    request: ExecutionRequest, namespace: dict[str, Any]
) -> tuple[ExceptionReport | None, object]:
    try:
        if request.prelude is not None:
            exec(compile(request.prelude, "/session/prelude.py", "exec"), namespace)
        tree = ast.parse(request.source or "", "/session/step.py")
        end = tree.body[-1] if tree.body else None
        last = end if isinstance(end, ast.Expr) else None
        if last is not None:
            tree.body.pop()
        exec(compile(tree, "/session/step.py", "exec"), namespace)
        if last is None:
            return None, None
        return None, eval(
            compile(ast.Expression(last.value), "/session/step.py", "eval"), namespace
        )
    except BaseException as error:
        report = ExceptionReport(
            type(error).__qualname__, str(error), "".join(traceback.format_exception(error)), None
        )
        return report, None


@contextlib.contextmanager
def _step_module(displays: list[Value]) -> Any:
    module = types.ModuleType("stepwell_step")

    def display(*objects: object, mime: dict[str, str] | None = None) -> None:
        displays.extend(Value(repr(each), "object") for each in objects)
        if mime is not None:
            displays.append(Value("", "", mime))

    module.display = display  # type: ignore[attr-defined]
    sys.modules["stepwell_step"] = module
    try:
        yield
    finally:
        del sys.modules["stepwell_step"]
