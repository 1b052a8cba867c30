"""The extent of a Cap'n Proto message and its segments, from the table at its start."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from app.formats.errors import FormatError
from app.language import plural, tr

Read: TypeAlias = Callable[[int, int], bytes]
"""Reads exactly ``length`` bytes at ``offset``; raises FormatError if there are fewer."""

WORD = 8
MAX_SEGMENTS = 512
MAX_MESSAGE_BYTES = 64 * 1024 * 1024


class Message(NamedTuple):
    """A message in a file: its position, its size with the table, and the sizes of the table and of each segment."""

    offset: int
    size: int
    table_size: int
    segment_sizes: tuple[int, ...]


def find(read: Read, offset: int, end: int) -> Message:
    """The message at ``offset``; FormatError if there cannot be one that ends by ``end``.

    Cap'n Proto encoding, "Serialization over a stream": number of segments minus one, words of each segment (all 32
    bits, little-endian), padding to a whole word, then the segments.
    """
    if end - offset < WORD:
        raise FormatError(
            plural(
                "only {count:,} byte is left where a message should start",
                "only {count:,} bytes are left where a message should start",
                count=end - offset,
            ),
            offset=offset,
        )
    count = struct.unpack("<I", read(offset, 4))[0] + 1
    if count > MAX_SEGMENTS:
        raise FormatError(tr("a message of {count:,} segments is implausible", count=count), offset=offset)
    table_size = (4 + 4 * count + WORD - 1) // WORD * WORD
    if end - offset < table_size:
        raise FormatError(tr("the table of {count} segments extends beyond the end", count=count), offset=offset)
    segments = tuple(words * WORD for words in struct.unpack(f"<{count}I", read(offset + 4, 4 * count)))
    size = table_size + sum(segments)
    if not segments[0]:
        raise FormatError(tr("a message without a first word is implausible"), offset=offset)
    if size > end - offset:
        raise FormatError(
            tr(
                "a message of {size:,} bytes extends beyond the end ({end:,} bytes are left)",
                size=size,
                end=end - offset,
            ),
            offset=offset,
        )
    return Message(offset, size, table_size, segments)


def take(read: Read, message: Message) -> bytes:
    """The bytes of ``message``; FormatError if it is larger than any real one."""
    if message.size > MAX_MESSAGE_BYTES:
        raise FormatError(
            tr(
                "a message of {size:,} bytes is larger than the limit for decoding ({max_message_bytes:,})",
                size=message.size,
                max_message_bytes=MAX_MESSAGE_BYTES,
            ),
            offset=message.offset,
        )
    return read(message.offset, message.size)
