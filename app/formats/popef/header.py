"""The message at the start of each blob, read without the Cap'n Proto library, so that listing blobs does not need
it."""

from __future__ import annotations

import struct
from typing import NamedTuple

from app.formats.errors import FormatError
from app.formats.popef.framing import WORD, Read, find, take
from app.language import tr

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
