"""The blobs of a PopEF file: the message at the start of each says its size, which leads to the next. Read without the
Cap'n Proto library, which listing blobs does not need; payloads are not read."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from app.formats.errors import FormatError
from app.language import plural, tr
from app.profile.popef import BLOB_TYPES, blob_type

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


MAX_HEADER_BYTES = 64 * 1024
STRUCT, LIST = 0, 1
BYTES = 2


class Header(NamedTuple):
    """``type``: the number in the file; ``size``: bytes of the blob with this header; ``length``: bytes of the header;
    ``version``: any text, None if it cannot be read."""

    type: int
    size: int
    length: int
    version: str | None


def read_header(read: Read, offset: int, end: int) -> Header:
    """The header at ``offset`` of a file that ends at ``end``; FormatError if there is none.

    One segment whose first word points to a structure: type at byte 0 (16 bits), size at byte 8 (64 bits), and the
    version as the first pointer. Newer versions may have added fields.
    """
    message = find(read, offset, min(end, offset + MAX_HEADER_BYTES))
    if len(message.segment_sizes) != 1:
        raise FormatError(tr("this is not a blob header: it has several segments"), offset=offset)
    words = take(read, message)[message.table_size :]
    start, data_words, pointers = _struct_pointer(words, offset)
    kind = struct.unpack_from("<H", words, start)[0]
    size = struct.unpack_from("<Q", words, start + WORD)[0]
    version = _text(words, start + data_words * WORD) if pointers else ""
    return Header(kind, size, message.size, version)


def _struct_pointer(words: bytes, offset: int) -> tuple[int, int, int]:
    """(byte of the structure, words of data, pointers) of the root."""
    low, data_words, pointers = struct.unpack_from("<iHH", words, 0)
    start = WORD + (low >> 2) * WORD
    end = start + (data_words + pointers) * WORD
    if low & 3 != STRUCT or data_words < 2 or not start >= WORD or end > len(words):
        raise FormatError(tr("this is not a blob header"), offset=offset)
    return start, data_words, pointers


def _text(words: bytes, pointer: int) -> str | None:
    """The text at the target of the pointer at byte ``pointer`` (bytes with a final NUL, or nothing at all)."""
    low, high = struct.unpack_from("<iI", words, pointer)
    if not low and not high:
        return ""
    start, count = pointer + WORD + (low >> 2) * WORD, high >> 3
    if low & 3 != LIST or high & 7 != BYTES or start < 0 or start + count > len(words):
        return None
    return words[start : start + count].removesuffix(b"\0").decode("utf-8", "backslashreplace")


class RawBlob(NamedTuple):
    """Blob ``number`` of a file, at byte ``offset``."""

    number: int
    offset: int
    header: Header

    @property
    def end(self) -> int:
        return self.offset + self.header.size


def walk(read: Read, file_size: int) -> Iterator[RawBlob]:
    """The complete blobs of a file. Then FormatError if they are followed by something other than the end of the file
    (PopEF user guide, 2.1: a file is a list of blobs, the size of one leads to the next)."""
    offset = number = 0
    while offset < file_size:
        try:
            header = read_header(read, offset, file_size)
        except FormatError as error:
            raise _no_header(number, file_size, error) from error
        if header.size < header.length:
            raise FormatError(
                tr(
                    "blob {number}: its size, {size:,} bytes, is less than its header ({length:,} bytes)",
                    number=number,
                    size=header.size,
                    length=header.length,
                ),
                offset=offset,
            )
        if header.size > file_size - offset:
            raise FormatError(
                tr(
                    "blob {number} ({blob_type}): its size, {size:,} bytes, extends beyond the end of the file "
                    "({file_size:,} bytes are left); the file is truncated or damaged",
                    number=number,
                    blob_type=blob_type(header.type),
                    size=header.size,
                    file_size=file_size - offset,
                ),
                offset=offset,
            )
        yield RawBlob(number, offset, header)
        offset += header.size
        number += 1


def find_info(read: Read, blob: RawBlob) -> Message | None:
    """The message after the header, None for a type that is not known to have one. FormatError if it does not fit into
    the blob."""
    if blob.header.type >= len(BLOB_TYPES):
        return None
    return find(read, blob.offset + blob.header.length, blob.end)


def _no_header(number: int, file_size: int, error: FormatError) -> FormatError:
    if number == 0:
        return FormatError(
            tr("not a PopEF file: the first bytes are not a blob header ({error})", error=error.text), offset=0
        )
    rest = file_size - (error.offset or 0)
    return FormatError(
        plural(
            "the last {count:,} byte is not a blob ({error})",
            "the last {count:,} bytes are not a blob ({error})",
            count=rest,
            error=error.text,
        ),
        offset=error.offset,
    )
