"""Iterates over blobs by the sizes in their headers; payloads are not read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from app.formats.errors import FormatError
from app.formats.popef.framing import Message, Read, find
from app.formats.popef.header import Header, read_header
from app.language import plural, tr
from app.profile.popef import BLOB_TYPES, blob_type


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
