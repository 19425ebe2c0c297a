"""How a client is to behave."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from stepwell.kafka_settings import FIXED
from stepwell.messages.document import DEFAULT_MAX_MESSAGE_BYTES

_TOPIC: Final = re.compile(r"[A-Za-z0-9._-]{1,249}")


@dataclass(frozen=True, kw_only=True)
class ClientOptions:
    """The options of a connection; checked when made. Times are in seconds."""

    bootstrap: str
    topic_prefix: str = "stepwell"
    reply_topic: str | None = None
    client_id: str = "stepwell-client"
    connect_timeout: float = 10.0
    submit_timeout: float = 30.0
    answer_timeout: float = 300.0
    max_in_flight: int = 1024
    max_request_bytes: int = DEFAULT_MAX_MESSAGE_BYTES
    kafka: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.bootstrap, str) or not self.bootstrap.strip():
            raise ValueError("bootstrap must say where Kafka is, such as 'localhost:9092'")
        for name in ("connect_timeout", "submit_timeout", "answer_timeout"):
            value = getattr(self, name)
            if not value >= 0.001:
                raise ValueError(f"{name} is {value} seconds, must be at least 0.001")
        for name in ("max_in_flight", "max_request_bytes"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise ValueError(f"{name} is {value}, must be a whole number of at least 1")
        for name in ("topic_prefix", "reply_topic"):
            topic = getattr(self, name)
            if topic is not None and not _TOPIC.fullmatch(topic):
                raise ValueError(
                    f"{name} is {topic!r}, must be 1 to 249 of the characters A-Z a-z 0-9 . _ -"
                )
        fixed = sorted(FIXED & self.kafka.keys())
        if fixed:
            raise ValueError(
                f"the Kafka setting {fixed[0]} can't be changed: the client's guarantees rest on it"
            )

    @property
    def riding_bytes(self) -> int:
        """How many bytes of variables travel in the message of a step at most."""
        return self.max_request_bytes // 4

    @property
    def requests_topic(self) -> str:
        """Where requests go."""
        return f"{self.topic_prefix}.requests"

    @property
    def control_topic(self) -> str:
        """Where cancels go."""
        return f"{self.topic_prefix}.control"

    @property
    def result_topic(self) -> str:
        """Where results come."""
        return self.reply_topic or f"{self.topic_prefix}.results"
