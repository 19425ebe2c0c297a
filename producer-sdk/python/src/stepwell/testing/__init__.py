r"""What tests of programs that use Stepwell need: a client that runs no code.

    from stepwell.testing import FakeStepwell, failed

    def answer(request):
        return failed("ValueError", "no") if "bad" in request.source else "42\n"

    with FakeStepwell(answer) as stepwell:
        assert stepwell.run("print(6 * 7)").stdout == "42\n"
        assert stepwell.requests[0].source == "print(6 * 7)"

Steps are answered by the function; sessions, their numbers, history, forks and files are kept in
memory. Messages go through the same code as real ones, so what a real client refuses is refused.
"""

from stepwell.testing.fakes import Answerer, FakeAsyncStepwell, FakeStepwell
from stepwell.testing.results import (
    cancelled,
    completed,
    exited,
    failed,
    infrastructure,
    rejected,
    timed_out,
    value,
)

__all__ = [
    "Answerer",
    "FakeAsyncStepwell",
    "FakeStepwell",
    "cancelled",
    "completed",
    "exited",
    "failed",
    "infrastructure",
    "rejected",
    "timed_out",
    "value",
]
