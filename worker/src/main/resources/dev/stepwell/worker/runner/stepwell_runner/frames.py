"""The channel's bytes: frames, and the fields within them. No I/O but one exact read and one whole write."""
from posix import read, write

MAX_PAYLOAD_BYTES = 1 << 20
HEADER_BYTES = 5
# What a session leaves is cut into pieces of at most so many bytes: whole pages, and half of a frame.
PIECE_BYTES = 1 << 19


class ChannelError(Exception):
    """The other end broke the rules of the channel, or is gone."""


def frame(kind: bytes, payload: bytes = b"") -> bytes:
    """A frame of one type letter, the payload's length, and the payload."""
    return kind + len(payload).to_bytes(4, "big") + payload


def parse_header(data: bytes) -> tuple[bytes, int]:
    """The type and payload length that a frame's first five bytes announce."""
    size = int.from_bytes(data[1:HEADER_BYTES], "big")
    if size > MAX_PAYLOAD_BYTES:
        raise ChannelError(f"a frame of {size} bytes is over the limit of {MAX_PAYLOAD_BYTES}")
    return bytes(data[:1]), size


def encode(fields: "list[tuple[str, str | bytes | int]]") -> bytes:
    """Fields as a payload. Text that is no Unicode (half a surrogate pair) is replaced, not refused."""
    pieces = []
    for name, value in fields:
        if isinstance(value, int):
            value = str(value)
        if isinstance(value, str):
            value = utf8(value)
        key = name.encode("ascii")
        pieces.append(bytes((len(key),)) + key + len(value).to_bytes(4, "big") + value)
    return b"".join(pieces)


def decode(payload: bytes) -> dict[str, list[bytes]]:
    """A payload's fields; a name's values in their order."""
    fields: dict[str, list[bytes]] = {}
    at = 0
    while at < len(payload):
        name_end = at + 1 + payload[at]
        start = name_end + 4
        end = start + int.from_bytes(payload[name_end:start], "big")
        if end > len(payload):
            raise ChannelError("a field reaches beyond its payload")
        fields.setdefault(payload[at + 1 : name_end].decode("ascii"), []).append(payload[start:end])
        at = end
    return fields


def number(fields: dict[str, list[bytes]], name: str, default: int = 0) -> int:
    """A field's decimal number, or the default where it is absent."""
    values = fields.get(name)
    return int(values[0]) if values else default


def utf8(text: str) -> bytes:
    """Text as UTF-8, with U+FFFD for what UTF-8 can't carry."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


def cut(text: str, limit_bytes: int) -> bytes:
    """Text as UTF-8 of at most so many bytes, cut between characters."""
    # No character takes less than a byte, so a longer slice is of no use: a value's text can be gigabytes.
    data = utf8(text[: limit_bytes + 1])
    if len(data) <= limit_bytes:
        return data
    return data[:limit_bytes].decode(errors="ignore").encode()


def read_exactly(descriptor: int, size: int) -> bytes:
    """Blocks until so many bytes have come."""
    pieces = []
    while size:
        piece = read(descriptor, min(size, 1 << 20))
        if not piece:
            raise ChannelError("the other end is gone")
        pieces.append(piece)
        size -= len(piece)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def write_all(descriptor: int, data: bytes) -> None:
    """Blocks until all of it is written."""
    view = memoryview(data)
    while view:
        view = view[write(descriptor, view) :]
