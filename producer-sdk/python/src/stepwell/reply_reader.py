"""Reads what is committed to the result topic and hands it on."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from typing import Final

from confluent_kafka import (
    OFFSET_END,
    Consumer,
    KafkaError,
    KafkaException,
    Message,
    TopicPartition,
)

from stepwell import kafka_settings
from stepwell.errors import BrokerUnreachableError, StepwellError, TopicMissingError
from stepwell.options import ClientOptions
from stepwell.transport import ReplyListener

LOG: Final = logging.getLogger("stepwell.kafka")

_POLL_SECONDS: Final = 0.2
"""How long a quiet topic keeps the thread in one call, and with it whoever closes the client."""

_BATCH: Final = 256
"""How many results are handed on together at most."""

_END_SECONDS: Final = 5.0
_RETRY_SECONDS: Final = 0.1
_MISSING: Final = (
    KafkaError.UNKNOWN_TOPIC_OR_PART,
    KafkaError._UNKNOWN_TOPIC,
    KafkaError.TOPIC_EXCEPTION,
)


class ReplyReader:
    """Owns the consumer, on a thread of its own. Everybody else may only close it."""

    def __init__(self, options: ClientOptions, listener: ReplyListener) -> None:
        """Starts to read at the end of every partition.

        When it returns, that end is known, so that no later result is missed. Raises
        BrokerUnreachableError and TopicMissingError.
        """
        self._options = options
        self._listener = listener
        self._closed = threading.Event()
        try:
            self.consumer = Consumer(
                {**kafka_settings.consumer(options), "error_cb": _log_error}, logger=LOG
            )
        except KafkaException as error:
            raise ValueError(
                f"the Kafka client refuses its settings: {error.args[0].str()}"
            ) from error
        try:
            self._seek_to_end()
        except BaseException:
            self.consumer.close()
            raise
        self._thread = threading.Thread(
            target=self._read, name="stepwell-client reads results", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """Ends the reading and waits for its end, but not on the reader's own thread."""
        self._closed.set()
        if self._thread is not threading.current_thread():
            self._thread.join(_END_SECONDS)

    def _seek_to_end(self) -> None:
        ends = time.monotonic() + self._options.connect_timeout
        topics = (
            self._options.requests_topic,
            self._options.control_topic,
            self._options.result_topic,
        )
        partitions = [self._partitions(topic, ends) for topic in topics]
        ends_wanted = [
            TopicPartition(self._options.result_topic, partition, OFFSET_END)
            for partition in partitions[-1]
        ]
        self.consumer.assign(self._positions(ends_wanted, ends))

    def _positions(self, wanted: list[TopicPartition], ends: float) -> list[TopicPartition]:
        """Asks until every partition's leader answers: one of a new topic may not be known yet."""
        while True:
            failure: KafkaError | None = None
            try:
                found = self.consumer.offsets_for_times(wanted, timeout=_left(ends))
                failure = next((each.error for each in found if each.error is not None), None)
                if failure is None:
                    return found
            except KafkaException as error:
                failure = error.args[0]
            if time.monotonic() + _RETRY_SECONDS >= ends:
                raise self._unreachable(failure)
            time.sleep(_RETRY_SECONDS)

    def _partitions(self, topic: str, ends: float) -> list[int]:
        try:
            metadata = self.consumer.list_topics(topic, timeout=_left(ends)).topics[topic]
        except KafkaException as error:
            raise self._unreachable(error.args[0]) from None
        if metadata.error is not None:
            if metadata.error.code() in _MISSING:
                raise TopicMissingError(
                    f"Kafka at {self._options.bootstrap} lacks the topic {topic}: create "
                    "Stepwell's topics with `stepwell topics`, or say what their names begin with "
                    "by topic_prefix"
                )
            raise self._unreachable(metadata.error)
        return sorted(metadata.partitions)

    def _unreachable(self, error: KafkaError) -> BrokerUnreachableError:
        return BrokerUnreachableError(
            f"no Kafka answers at {self._options.bootstrap} within "
            f"{self._options.connect_timeout:g} s: {error.str()}"
        )

    def _read(self) -> None:
        reason: StepwellError | None = None
        try:
            while not self._closed.is_set():
                first = self.consumer.poll(_POLL_SECONDS)
                if first is not None:
                    # What is there already is taken along; the other call would wait for more.
                    self._hand_on([first, *self.consumer.consume(_BATCH - 1, 0)])
        except Exception as error:
            LOG.exception("reading results ends")
            reason = BrokerUnreachableError(
                f"results can't be read any more; what was sent may still run: {error}"
            )
        finally:
            if reason is not None:
                self._listener.broken(reason)
            with contextlib.suppress(Exception):
                self.consumer.close()

    def _hand_on(self, records: list[Message]) -> None:
        wanted: list[bytes] = []
        for record in records:
            error = record.error()
            if error is not None:
                if error.fatal():
                    raise KafkaException(error)
                LOG.warning("reading results meets: %s", error.str())
                continue
            key, value = record.key(), record.value()
            if key is not None and value is not None and self._listener.wants(key):
                wanted.append(value)
        if wanted:
            self._listener.replies(wanted)


def _left(ends: float) -> float:
    """What is left of a time limit; never nothing, which the library takes for no limit."""
    return max(0.001, ends - time.monotonic())


def _log_error(error: KafkaError) -> None:
    LOG.info("%s", error.str())
