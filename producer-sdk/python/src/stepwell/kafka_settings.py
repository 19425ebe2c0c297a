"""What librdkafka is told. Its settings have no types, so neither have these."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from stepwell.options import ClientOptions

FIXED: Final = frozenset(
    {
        "acks",
        "allow.auto.create.topics",
        "bootstrap.servers",
        "delivery.report.only.error",
        "enable.auto.commit",
        "enable.auto.offset.store",
        "enable.idempotence",
        "enable.partition.eof",
        "group.id",
        "isolation.level",
        "logger",
        "metadata.broker.list",
        "partitioner",
        "request.required.acks",
        "transactional.id",
    }
)
"""Settings that the client's guarantees rest on."""

_MESSAGE_OVERHEAD_BYTES: Final = 64 << 10
_LARGEST_MESSAGE: Final = 64 << 20
"""What Stepwell's topics take, in bytes."""


def producer(options: ClientOptions) -> dict[str, Any]:
    """The settings of the producer."""
    settings = _common(options)
    settings |= {
        "partitioner": "murmur2_random",
        "enable.idempotence": True,
        "acks": "all",
        "linger.ms": 0,
        "compression.type": "none",
        "message.max.bytes": _clamped(
            options.max_request_bytes + _MESSAGE_OVERHEAD_BYTES, 1000, 1_000_000_000
        ),
        "queue.buffering.max.messages": 1_000_000,
        "message.timeout.ms": _millis(options.submit_timeout),
        "delivery.report.only.error": True,
    }
    return settings | _of_users(options, settings)


def consumer(options: ClientOptions) -> dict[str, Any]:
    """The settings of the consumer, which reads by assignment and is in no group."""
    fetch_bytes = _LARGEST_MESSAGE + _MESSAGE_OVERHEAD_BYTES
    settings = _common(options)
    settings |= {
        # The library wants one; nothing is committed under it.
        "group.id": f"{options.client_id}-reads-without-committing",
        "isolation.level": "read_committed",
        "enable.auto.commit": False,
        "enable.auto.offset.store": False,
        "enable.partition.eof": False,
        # Where retention overtook the reader, what is left is worth reading: nothing twice.
        "auto.offset.reset": "earliest",
        "fetch.min.bytes": 1,
        "fetch.wait.max.ms": 100,
        # With its default, a reader that has read ahead enough looks away for a second.
        "fetch.queue.backoff.ms": 5,
        "fetch.error.backoff.ms": 50,
        "message.max.bytes": fetch_bytes,
        "fetch.message.max.bytes": fetch_bytes,
        "fetch.max.bytes": fetch_bytes,
        "receive.message.max.bytes": 2 * fetch_bytes,
    }
    return settings | _of_users(options, settings)


def _common(options: ClientOptions) -> dict[str, Any]:
    return {
        "bootstrap.servers": options.bootstrap,
        "client.id": options.client_id,
        "allow.auto.create.topics": False,
        "socket.nagle.disable": True,
        "reconnect.backoff.ms": 50,
        "reconnect.backoff.max.ms": 1000,
    }


_OF_PRODUCERS: Final = ("linger.ms", "compression.", "queue.buffering.", "message.timeout.ms")
_OF_CONSUMERS: Final = ("fetch.", "queued.", "auto.offset.reset")


def _of_users(options: ClientOptions, ours: dict[str, Any]) -> dict[str, Any]:
    """The user's settings, but for those that only the other kind of client knows."""
    others = _OF_CONSUMERS if "partitioner" in ours else _OF_PRODUCERS
    return {name: value for name, value in options.kafka.items() if not name.startswith(others)}


def _millis(seconds: float) -> int:
    return _clamped(round(seconds * 1000), 1, (1 << 31) - 1)


def _clamped(value: int, least: int, most: int) -> int:
    return max(least, min(value, most))
