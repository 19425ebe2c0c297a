from __future__ import annotations

import asyncio
import io
from contextlib import aclosing

import pytest

from stepwell import NoAnswerError, Step
from stepwell.progress import LineBar, run_all, run_all_async
from stepwell.testing import FakeAsyncStepwell, FakeStepwell, failed


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_results_come_in_the_order_of_the_steps() -> None:
    told: list[tuple[int, int | None]] = []
    stepwell = FakeStepwell(lambda request: request.source or "")
    steps = [str(number) for number in range(50)]
    results = run_all(
        stepwell, steps, concurrency=7, progress=lambda done, total: told.append((done, total))
    )
    assert [result.stdout for result in results] == steps
    assert told == [(number, 50) for number in range(1, 51)]


def test_targets_are_clients_sessions_views_and_makers_of_sessions() -> None:
    stepwell = FakeStepwell("ok")
    session = stepwell.new_session()
    steps: list[Step | str] = ["a", Step.python("b")]
    assert [each.step for each in run_all(session, steps, progress=False)] == [1, 2]
    assert [each.step for each in run_all(session.at(1), steps, progress=False)] == [None, None]
    fresh = list(run_all(stepwell.new_session, iter(steps), progress=False))
    assert [(each.session_id, each.step) for each in fresh] == [("session-2", 1), ("session-3", 1)]


def test_failed_steps_are_results() -> None:
    stepwell = FakeStepwell(lambda _: failed())
    assert len(list(run_all(stepwell, ["a", "b"], progress=False))) == 2


def test_a_step_without_an_answer_ends_it_and_the_others_are_cancelled() -> None:
    stepwell = FakeStepwell(lambda _: None, answer_timeout=0.01)
    with pytest.raises(NoAnswerError):
        list(run_all(stepwell, ["a"] * 5, concurrency=3, progress=False))
    assert len(stepwell.cancels) == 3


def test_leaving_early_cancels_what_is_under_way() -> None:
    stepwell = FakeStepwell(lambda request: None if request.source == "never" else "ok")
    results = run_all(stepwell, ["a", "never", "never"], concurrency=3, progress=False)
    assert next(results).stdout == "ok"
    results.close()  # type: ignore[attr-defined]
    assert len(stepwell.cancels) == 2
    with pytest.raises(ValueError, match="concurrency"):
        next(run_all(stepwell, [], concurrency=0))


def test_the_asyncio_twin_does_the_same() -> None:
    told: list[int] = []

    async def main() -> None:
        async with FakeAsyncStepwell(
            lambda request: None if request.source == "never" else request.source,
            answer_timeout=0.05,
        ) as stepwell:
            steps = [str(number) for number in range(50)]
            results = run_all_async(
                stepwell, steps, concurrency=7, progress=lambda done, _: told.append(done)
            )
            assert [result.stdout async for result in results] == steps
            fresh = run_all_async(stepwell.new_session, ["a", "b"], progress=False)
            assert [result.session_id async for result in fresh] == ["session-1", "session-2"]
            async with aclosing(
                run_all_async(stepwell, ["a", "never", "never"], concurrency=3, progress=False)  # type: ignore[type-var]
            ) as leaving:
                async for _ in leaving:
                    break
            with pytest.raises(NoAnswerError):
                async for _ in run_all_async(
                    stepwell, ["never"] * 9, concurrency=2, progress=False
                ):
                    pass

    asyncio.run(main())
    assert told == list(range(1, 51))


def test_bars_are_for_terminals() -> None:
    for stream, shown in ((Terminal(), True), (io.StringIO(), False)):
        bar = LineBar(10, stream)
        bar.update()
        bar.close()
        assert ("1/10 steps" in stream.getvalue()) is shown


def test_the_default_bar_is_quiet_in_tests(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(list(run_all(FakeStepwell("ok"), ["a"]))) == 1
    assert capsys.readouterr().out == ""
