from __future__ import annotations

import gc
import logging
import os
import pickle
import subprocess
import sys
import textwrap
from collections.abc import Callable

import pytest

import stepwell
from stepwell import (
    BrokerUnreachableError,
    ClientForkedError,
    Outcome,
    Stepwell,
    UnreadableResultError,
)
from stepwell.core import ClientCore
from stepwell.errors import StepwellError
from stepwell.messages import decode_request
from stepwell.options import ClientOptions
from stepwell.testing import FakeStepwell
from stepwell.transport import OutgoingMessage, ReplyListener

NOBODY = "127.0.0.1:1"


class Garbage:
    """A transport whose replies are what a test says."""

    def __init__(self, reply: Callable[[str], bytes]) -> None:
        self._reply = reply
        self.listener: ReplyListener | None = None

    def open(self, listener: ReplyListener) -> None:
        self.listener = listener

    def send(self, message: OutgoingMessage, on_failure: Callable[[StepwellError], None]) -> None:
        assert self.listener is not None
        self.listener.replies([self._reply(decode_request(message.value).request_id)])

    def close(self) -> None:
        pass


def test_everything_public_is_exported() -> None:
    assert sorted(stepwell.__all__) == stepwell.__all__
    for name in stepwell.__all__:
        assert getattr(stepwell, name).__doc__, name
    visible = {name for name in vars(stepwell) if name[0].isupper()}
    assert visible == set(stepwell.__all__)


def test_no_broker_is_one_error_in_time_and_no_noise() -> None:
    script = f"""
        from stepwell import Stepwell, BrokerUnreachableError
        try:
            Stepwell.connect("{NOBODY}", connect_timeout=0.5)
        except BrokerUnreachableError as error:
            print(error)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stderr == ""
    assert done.stdout.startswith(f"no Kafka answers at {NOBODY} within 0.5 s: ")


def test_what_the_kafka_library_logs_goes_to_logging(caplog: pytest.LogCaptureFixture) -> None:
    with (
        caplog.at_level(logging.DEBUG, logger="stepwell"),
        pytest.raises(BrokerUnreachableError),
    ):
        Stepwell.connect(NOBODY, connect_timeout=0.5)
    assert all(record.name.startswith("stepwell") for record in caplog.records)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"connect_timeout": 0}, "connect_timeout is 0 seconds"),
        ({"max_in_flight": 0}, "max_in_flight"),
        ({"max_request_bytes": "1"}, "max_request_bytes"),
        ({"topic_prefix": "a b"}, "topic_prefix"),
        ({"kafka": {"isolation.level": "read_uncommitted"}}, "isolation.level can't be changed"),
        ({"kafka": {"no.such.setting": "1"}}, "no.such.setting"),
    ],
)
def test_options_that_cannot_be_are_refused(options: dict[str, object], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        Stepwell.connect(NOBODY, **options)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="bootstrap"):
        Stepwell.connect(" ")


def test_connections_are_not_pickled() -> None:
    client = FakeStepwell()
    for what in (client, client.submit("x")):
        with pytest.raises(TypeError, match="Connect in each process"):
            pickle.dumps(what)


def test_results_that_cannot_be_read_fail_their_request_alone() -> None:
    for reply in (
        lambda request_id: b'{"version":9,"requestId":"%s"}' % request_id.encode(),
        lambda request_id: b'{"requestId" : "%s", nonsense' % request_id.encode(),
    ):
        core = ClientCore(ClientOptions(bootstrap="x"), Garbage(reply))
        core.open()
        execution = Stepwell(core).submit("x")
        with pytest.raises(UnreadableResultError, match=execution.request_id):
            execution.result(0)
        assert core.pending._by_request == {}
        assert core.pending._requests_by_key == {}


def test_a_reader_that_breaks_fails_everything() -> None:
    transport = Garbage(lambda _: b"{}")
    core = ClientCore(ClientOptions(bootstrap="x"), transport)
    core.open()
    client = Stepwell(core)
    execution = client.submit("x")
    assert transport.listener is not None
    transport.listener.broken(BrokerUnreachableError("gone"))
    for failing in (execution.result, lambda: client.run("x")):
        with pytest.raises(BrokerUnreachableError, match="gone"):
            failing()  # type: ignore[no-untyped-call]


def test_forked_processes_are_told_to_connect_themselves() -> None:
    client = FakeStepwell()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            client.run("x")
        except ClientForkedError:
            client.close()
            del client
            gc.collect()
            status = 0
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert client.run("x").outcome is Outcome.COMPLETED


def test_forked_processes_let_native_clients_be() -> None:
    from stepwell.kafka_transport import KafkaTransport

    transport = KafkaTransport(ClientOptions(bootstrap=NOBODY))
    producer = transport._producer
    before = sys.getrefcount(producer)
    child = os.fork()
    if child == 0:
        os._exit(sys.getrefcount(producer) - before)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 1
    transport.close()


def test_forked_processes_let_what_the_collector_has_not_come_to_be() -> None:
    from confluent_kafka import Consumer, Producer

    from stepwell.kafka_transport import KafkaTransport

    gc.collect()
    gc.disable()
    try:
        unreachable = [KafkaTransport(ClientOptions(bootstrap=NOBODY))]
        unreachable.append(unreachable)  # type: ignore[arg-type]
        del unreachable
        child = os.fork()
        if child == 0:
            gc.collect()
            left = [each for each in gc.get_objects() if isinstance(each, Producer | Consumer)]
            os._exit(0 if left else 1)
        _, status = os.waitpid(child, 0)
    finally:
        gc.enable()
        gc.collect()
    assert os.waitstatus_to_exitcode(status) == 0
