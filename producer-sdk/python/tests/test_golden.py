from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from stepwell.errors import InvalidMessageError
from stepwell.messages import (
    decode_cancel,
    decode_request,
    decode_result,
    encode_cancel,
    encode_request,
    encode_result,
)

CODECS = {
    "request": lambda data: encode_request(decode_request(data)),
    "result": lambda data: encode_result(decode_result(data)),
    "cancel": lambda data: encode_cancel(decode_cancel(data)),
}
INTERNAL = {"head"}
ADDED_SINCE: dict[str, object] = {"displays": []}
"""What a message may lack that was written before the field was thought of."""


def test_golden_messages_survive_a_round_trip(golden: Path) -> None:
    files = sorted(golden.glob("*-*.json"))
    assert len(files) >= 28
    for file in files:
        kind = file.name.partition("-")[0]
        if kind in INTERNAL:
            continue
        message = file.read_bytes().rstrip(b"\n")
        expected = json.loads(message)
        given = json.loads(CODECS[kind](message))
        for name, empty in ADDED_SINCE.items():
            if name not in expected and given.get(name) == empty:
                del given[name]
        assert given == expected, file.name


def test_golden_requests_are_written_byte_for_byte(golden: Path) -> None:
    for file in [*golden.glob("request-*.json"), *golden.glob("cancel-*.json")]:
        message = file.read_bytes().rstrip(b"\n")
        assert CODECS[file.name.partition("-")[0]](message) == message, file.name


def test_invalid_requests_are_refused_as_workers_refuse_them(golden: Path) -> None:
    cases = json.loads((golden / "invalid" / "requests.json").read_text("utf-8"))
    assert len(cases) > 50
    for case in cases:
        with pytest.raises(InvalidMessageError) as caught:
            decode_request(_bytes(case))
        assert (caught.value.code.name, caught.value.field) == (case["code"], case["field"]), case[
            "name"
        ]


def test_partitions_are_those_of_kafkas_own_clients(golden: Path) -> None:
    vectors = json.loads((golden / "partitions.json").read_text("utf-8"))
    for vector in vectors:
        assert _murmur2(vector["key"].encode()) == vector["murmur2"] & 0xFFFFFFFF
        assert (vector["murmur2"] & 0x7FFFFFFF) % 16 == vector["partitionOf16"]


def _bytes(case: dict[str, str]) -> bytes:
    if "base64" in case:
        return base64.b64decode(case["base64"])
    return case["message"].encode("utf-8", "surrogatepass")


def _murmur2(data: bytes) -> int:
    """What the library's murmur2_random partitioner must compute; see the broker tests."""
    mask, multiplier = 0xFFFFFFFF, 0x5BD1E995
    value = 0x9747B28C ^ len(data)
    whole = len(data) // 4 * 4
    for start in range(0, whole, 4):
        word = int.from_bytes(data[start : start + 4], "little") * multiplier & mask
        word = (word ^ word >> 24) * multiplier & mask
        value = (value * multiplier & mask) ^ word
    if whole < len(data):
        value = (value ^ int.from_bytes(data[whole:], "little")) * multiplier & mask
    value = (value ^ value >> 13) * multiplier & mask
    return value ^ value >> 15
