from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest

from stepwell import (
    BrokerUnreachableError,
    ClientClosedError,
    ExecutionResult,
    FileMissingError,
    FileRefusedError,
    InvalidMessageError,
    MessageTooLargeError,
    NoAnswerError,
    Outcome,
    SessionExistsError,
    SessionUnknownError,
    StateUnavailableError,
    Step,
    StepwellError,
    TooManyInFlightError,
)
from stepwell.messages import ExecutionRequest
from stepwell.names import ErrorCode
from stepwell.testing import FakeStepwell, completed, failed, rejected, timed_out, value

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


def never(_: ExecutionRequest) -> None:
    """Leaves every step without an answer."""


def test_steps_are_answered_and_recorded() -> None:
    with FakeStepwell(lambda request: f"{request.source}!") as stepwell:
        assert stepwell.run("a", profile="data").stdout == "a!"
        assert stepwell.run(Step.shell("b")).outcome is Outcome.COMPLETED
        assert [each.source for each in stepwell.requests] == ["a", "b"]
        assert stepwell.requests[0].profile == "data"


def test_sessions_are_numbered_and_so_are_their_steps() -> None:
    stepwell = FakeStepwell("ok")
    one, two = stepwell.new_session(), stepwell.new_session(profile="data")
    assert (one.id, two.id) == ("session-1", "session-2")
    results = [one.run("a"), one.run("b"), two.run("c")]
    assert [result.step for result in results] == [1, 2, 1]
    assert len({result.sandbox_id for result in results}) == 3
    assert [each.profile for each in stepwell.requests] == [None, None, "data"]


def test_answers_can_be_whole_results() -> None:
    stepwell = FakeStepwell(lambda _: completed("out", value=value(42), stderr="err"))
    result = stepwell.run("x")
    assert result.value is not None
    assert (result.value.text, result.value.type) == ("42", "builtins.int")
    assert (result.stdout, result.stderr) == ("out", "err")


def test_rejected_and_unkept_steps_leave_the_state_as_it_was() -> None:
    answers = iter([completed(), timed_out(), rejected(ErrorCode.UNKNOWN_PROFILE, "no"), failed()])
    session = FakeStepwell(lambda _: next(answers)).new_session()
    states = [session.run("x", files={"a": b"1"}).state for _ in range(4)]
    assert [state and state.saved for state in states] == [True, False, False, True]
    assert [entry.step for entry in session.history()] == [3, 2, 1]


def test_files_are_put_listed_read_and_removed() -> None:
    files = FakeStepwell().new_session().files
    files.put({"out/b.png": b"12345", "out/x/c.png": b"", "a.txt": b"hi"})
    files.put("big", bytes(range(256)) * 8192)
    assert [each.path for each in files.list()] == ["a.txt", "big", "out/b.png", "out/x/c.png"]
    assert [each.path for each in files.list("out/")] == ["out/b.png", "out/x/c.png"]
    assert [each.path for each in files.list(pattern="**/c.*")] == ["out/x/c.png"]
    assert files.get("big") == bytes(range(256)) * 8192
    assert files.get("big", offset=255, length=2) == b"\xff\0"
    assert files.get("a.txt", offset=1) == b"i"
    assert files.get("a.txt", offset=5, length=9) == b""
    files.remove("out")
    assert [each.path for each in files.list()] == ["a.txt", "big"]
    with pytest.raises(FileMissingError, match="out"):
        files.get("out/b.png")


def test_open_files_can_be_read_anywhere() -> None:
    files = FakeStepwell().new_session().files
    content = bytes(range(256)) * 4096
    files.put("big", content)
    with files.open("big") as big:
        files.put("big", b"changed since")
        big.seek(-3, 2)
        assert big.read() == content[-3:]
        big.seek(700_000)
        assert big.read(9) == content[700_000:700_009]
        big.seek(0)
        assert big.read() == content


def test_a_file_is_read_as_it_was_at_one_time() -> None:
    files = FakeStepwell().new_session().files
    content = bytes(range(256)) * 8192
    files.put("big", content)
    taken: list[bytes] = []

    class Target(io.BytesIO):
        def write(self, part: ReadableBuffer, /) -> int:
            files.put("big", b"changed since")
            taken.append(bytes(part))
            return len(taken[-1])

    assert files.copy("big", Target()) == len(content)
    assert b"".join(taken) == content


def test_put_is_split_into_messages_that_fit() -> None:
    stepwell = FakeStepwell(max_request_bytes=100_000)
    files = stepwell.new_session().files
    files.put({f"f{number}": b"x" * 30_000 for number in range(5)})
    assert len(stepwell.operations) == 3
    assert len(files.list()) == 5
    with pytest.raises(MessageTooLargeError) as caught:
        files.put("f", b"x" * 80_000)
    assert caught.value.limit_bytes == 100_000
    assert caught.value.bytes > 100_000
    files.put({})
    with pytest.raises(TypeError, match="no content"):
        files.put("a")  # type: ignore[arg-type]


def test_put_lists_and_pages_beyond_one_answer() -> None:
    stepwell = FakeStepwell()
    files = stepwell.new_session().files
    files.put({f"f{number:05}": b"" for number in range(2500)})
    assert len(files.list()) == 2500
    assert len(stepwell.operations) == 3 + 3


def test_forks_go_on_from_a_step_on_their_own() -> None:
    session = FakeStepwell().new_session()
    session.run("a", files={"a": b"1"})
    session.run("b", files={"a": b"2"})
    fork = session.fork(1, name="mine")
    assert (fork.id, fork.files.get("a")) == ("mine", b"1")
    assert fork.run("c").step == 2
    assert session.latest().step == 2
    assert [each.id for each in session.forks(None, 2, name="n")] == ["n-1", "n-2"]
    with pytest.raises(SessionExistsError):
        session.fork(name="mine")
    with pytest.raises(StateUnavailableError):
        session.at(9)


def test_forks_that_could_be_made_are_ended_where_one_could_not() -> None:
    stepwell = FakeStepwell()
    session = stepwell.new_session()
    session.run("a")
    session.fork(name="n-2")
    with pytest.raises(SessionExistsError):
        session.forks(1, 3, name="n")
    for ended in ("n-1", "n-3"):
        with pytest.raises(SessionUnknownError):
            stepwell.session(ended).history()
    assert stepwell.session("n-2").latest().step == 1
    with pytest.raises(ValueError, match="count is 0"):
        session.forks(1, 0)


def test_profiles_are_inherited_by_forks_and_views() -> None:
    stepwell = FakeStepwell()
    session = stepwell.new_session(profile="data")
    session.run("a")
    session.at(1).run("b")
    session.fork().run("c")
    session.fork(profile="plain").run("d")
    assert [each.profile for each in stepwell.requests] == ["data", "data", "data", "plain"]


def test_sessions_can_be_reset_and_ended() -> None:
    session = FakeStepwell().new_session()
    with pytest.raises(SessionUnknownError):
        session.reset()
    session.files.put("a", b"1")
    session.reset()
    assert session.files.list() == []
    session.end()
    with pytest.raises(SessionUnknownError):
        session.end()


def test_a_step_without_an_answer_can_be_awaited_cancelled_and_abandoned() -> None:
    stepwell = FakeStepwell(never, answer_timeout=0.01)
    execution = stepwell.submit("x")
    with pytest.raises(NoAnswerError) as caught:
        execution.result()
    assert caught.value.request_id == execution.request_id
    called: list[Outcome] = []
    execution.add_done_callback(lambda each: called.append(each.result().outcome))
    execution.cancel()
    execution.add_done_callback(lambda each: called.append(each.result().outcome))
    assert called == [Outcome.CANCELLED] * 2
    assert stepwell.cancels == [execution.request_id]
    other = stepwell.submit("x")
    other.abandon()
    assert other.done()
    with pytest.raises(NoAnswerError, match="abandoned"):
        other.result()


def test_a_failing_callback_disturbs_nobody(caplog: pytest.LogCaptureFixture) -> None:
    execution = FakeStepwell().submit("x")
    execution.add_done_callback(lambda _: 1 / 0)
    assert execution.result().outcome is Outcome.COMPLETED
    assert "ZeroDivisionError" in caplog.text


def test_requests_in_flight_are_bounded() -> None:
    stepwell = FakeStepwell(never, max_in_flight=2, submit_timeout=0.01)
    first = stepwell.submit("x")
    stepwell.submit("x")
    with pytest.raises(TooManyInFlightError, match="2 requests, the limit"):
        stepwell.submit("x")
    first.abandon()
    stepwell.submit("x")


def test_close_fails_what_has_no_answer_and_all_that_comes() -> None:
    stepwell = FakeStepwell(never)
    execution = stepwell.submit("x")
    stepwell.close()
    stepwell.close()
    for _ in range(2):
        with pytest.raises(ClientClosedError):
            execution.result()
    with pytest.raises(ClientClosedError):
        stepwell.submit("x")
    with pytest.raises(ClientClosedError):
        stepwell.new_session().files.list()


def test_bad_requests_take_no_place() -> None:
    stepwell = FakeStepwell(max_in_flight=1, max_request_bytes=1000, submit_timeout=0.01)
    for _ in range(3):
        with pytest.raises(InvalidMessageError):
            stepwell.run(" ")
        with pytest.raises(MessageTooLargeError, match=r"files\.put"):
            stepwell.run("x" * 1000)
    with pytest.raises(InvalidMessageError, match="sessionId"):
        stepwell.session("a b")
    assert stepwell.run("x").outcome is Outcome.COMPLETED


def test_what_an_answerer_raises_comes_out_of_submit() -> None:
    def refuse(_: ExecutionRequest) -> ExecutionResult:
        raise BrokerUnreachableError("scripted")

    stepwell = FakeStepwell(refuse, max_in_flight=1, submit_timeout=0.01)
    for _ in range(2):
        with pytest.raises(StepwellError, match="scripted"):
            stepwell.run("x")


def test_artifacts_come_from_the_workspace() -> None:
    session = FakeStepwell().new_session()
    session.files.put("out/a.csv", b"1")
    found = session.run("x", files={"out/b.csv": b"2"}, artifacts=["out/*", "none"]).artifacts
    assert [(each.path, each.content) for each in found] == [
        ("out/a.csv", b"1"),
        ("out/b.csv", b"2"),
        ("none", None),
    ]
    with pytest.raises(FileRefusedError):
        raise FileRefusedError(session.run("x"), "scripted")


def test_variables_ride_along_once_and_run_no_step() -> None:
    stepwell = FakeStepwell()
    session = stepwell.new_session()
    session.put_variables({"x": 1})
    session.put_variables({"y": [2]})
    assert stepwell.operations == []
    session.run(Step.shell("ls"))
    session.run("z")
    session.run("z")
    assert [each.prelude for each in stepwell.requests] == [None, "x = 1\n\ny = [2]\n", None]


def test_large_variables_go_ahead_as_files() -> None:
    stepwell = FakeStepwell(max_request_bytes=1 << 20)
    session = stepwell.new_session()
    session.put_variables({"x": b"1" * 300_000})
    assert len(stepwell.operations) == 1
    session.run("z")
    assert stepwell.requests[0].files == ()
    assert "load(" in (stepwell.requests[0].prelude or "")


def test_variables_ride_again_where_their_step_left_nothing() -> None:
    answers = iter([timed_out(), completed(), completed()])
    stepwell = FakeStepwell(lambda _: next(answers))
    session = stepwell.new_session()
    session.put_variables({"x": 1})
    for _ in range(3):
        session.run("z")
    assert [each.prelude for each in stepwell.requests] == ["x = 1\n", "x = 1\n", None]


def test_variables_ride_again_where_their_step_was_not_sent() -> None:
    stepwell = FakeStepwell(max_request_bytes=1000)
    session = stepwell.new_session()
    session.put_variables({"x": 1})
    with pytest.raises(MessageTooLargeError):
        session.run("z" * 1000)
    session.run("z")
    assert stepwell.requests[0].prelude == "x = 1\n"
