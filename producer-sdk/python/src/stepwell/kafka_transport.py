"""Carries messages over Kafka."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Final

from confluent_kafka import Consumer, KafkaError, KafkaException, Message, Producer

from stepwell import forking, kafka_settings
from stepwell.errors import (
    BrokerUnreachableError,
    ClientClosedError,
    MessageTooLargeError,
    StepwellError,
)
from stepwell.options import ClientOptions
from stepwell.reply_reader import ReplyReader
from stepwell.transport import OutgoingMessage, ReplyListener

LOG: Final = logging.getLogger("stepwell.kafka")

_LAST_SENDS_SECONDS: Final = 5.0
_POLL_SECONDS: Final = 0.25

forking.keep_in_children(Producer, Consumer)


class KafkaTransport:
    """One producer, one consumer, and a thread for each; thread-safe.

    The producer's thread only hears of failures and of what the library logs.
    """

    def __init__(self, options: ClientOptions) -> None:
        """Connects nothing yet, but refuses settings that the library doesn't take."""
        self._options = options
        try:
            self._producer = Producer(
                {**kafka_settings.producer(options), "error_cb": _log_error}, logger=LOG
            )
        except KafkaException as error:
            raise _refused(error) from error
        self._reader: ReplyReader | None = None
        self._closed = threading.Event()
        self._thread = threading.Thread(
            target=self._poll, name="stepwell-client sends", daemon=True
        )

    def open(self, listener: ReplyListener) -> None:
        """Raises BrokerUnreachableError and TopicMissingError within the connect timeout."""
        self._reader = ReplyReader(self._options, listener)
        self._thread.start()

    def send(self, message: OutgoingMessage, on_failure: Callable[[StepwellError], None]) -> None:
        """Hands it to the library, which sends it from threads of its own."""
        if self._closed.is_set():
            raise ClientClosedError("the client is closed")

        def delivered(failure: KafkaError | None, _: Message) -> None:
            if failure is not None:
                on_failure(self._explained(failure, message))

        try:
            self._producer.produce(message.topic, message.value, message.key, on_delivery=delivered)
        except BufferError:
            raise BrokerUnreachableError(
                f"Kafka at {self._options.bootstrap} takes too little: the queue of messages to "
                "send is full, and this one was not sent"
            ) from None
        except KafkaException as error:
            raise self._explained(error.args[0], message) from error

    def close(self) -> None:
        """Gives what is being sent some seconds."""
        if self._closed.is_set():
            return
        self._closed.set()
        if self._reader is not None:
            self._reader.close()
        if self._thread.ident is not None and self._thread is not threading.current_thread():
            self._thread.join(_LAST_SENDS_SECONDS)
        self._producer.flush(_LAST_SENDS_SECONDS)

    def _poll(self) -> None:
        while not self._closed.is_set():
            self._producer.poll(_POLL_SECONDS)

    def _explained(self, failure: KafkaError, message: OutgoingMessage) -> StepwellError:
        if failure.code() == KafkaError.MSG_SIZE_TOO_LARGE:
            return MessageTooLargeError(len(message.value), self._options.max_request_bytes)
        return BrokerUnreachableError(
            f"Kafka at {self._options.bootstrap} did not confirm the message within "
            f"{self._options.submit_timeout:g} s, so it may or may not be published: "
            f"{failure.str()}"
        )


def _log_error(error: KafkaError) -> None:
    """The library reconnects by itself; whoever waits learns of it by a timeout."""
    LOG.info("%s", error.str())


def _refused(error: KafkaException) -> ValueError:
    return ValueError(f"the Kafka client refuses its settings: {error.args[0].str()}")
