"""TFRecord framing: records of any length, each with two checksums."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from typing import NamedTuple

import google_crc32c

from app.formats.errors import FormatError
from app.formats.json.problems import Problems
from app.formats.source import Source
from app.language import plural, tr

LENGTH = struct.Struct("<QI")
CHECKSUM = struct.Struct("<I")
CHUNK = 1 << 20


class Record(NamedTuple):
    """Record ``number``, whose data are between ``begin`` and ``end``."""

    number: int
    begin: int
    end: int


def masked(checksum: int) -> int:
    """A CRC-32C in the form used by the framing: rotated by 15 bits, plus a constant (IpuTraceEvent, section 4)."""
    return ((checksum >> 15 | checksum << 17) + 0xA282EAD8) & 0xFFFFFFFF


def length_of(head: bytes) -> int | None:
    """The number of data bytes of the record that begins so; None if the length does not match its checksum."""
    if len(head) < LENGTH.size:
        return None
    length, stated = LENGTH.unpack_from(head)
    return int(length) if masked(google_crc32c.value(head[:8])) == stated else None


def records(source: Source, problems: Problems) -> Iterator[Record]:
    """The complete records of a file. If the rest is not a record, this is reported and ends them; FormatError if not
    even the first is one."""
    at = number = 0
    while at < source.size:
        head = source.read(at, min(LENGTH.size, source.size - at))
        end = source.size + 1
        if len(head) == LENGTH.size:
            end = at + LENGTH.size + LENGTH.unpack(head)[0] + CHECKSUM.size
            if length_of(head) is None:
                _wrong_length(source, at, end, number, problems)
                if not _goes_on(source, end):
                    return
        if end > source.size:
            _half(source, at, number, problems)
            return
        yield Record(number, at + LENGTH.size, end - CHECKSUM.size)
        at, number = end, number + 1


def sound(source: Source, record: Record, moved: Callable[[int], None]) -> bool:
    """Whether the data of a record match their checksum; ``moved`` is called with the byte that was reached."""
    checksum = 0
    for offset, chunk in source.chunks(CHUNK, record.begin, record.end):
        checksum = google_crc32c.extend(checksum, chunk)
        moved(offset)
    return bool(CHECKSUM.unpack(source.read(record.end, CHECKSUM.size))[0] == masked(checksum))


def _goes_on(source: Source, at: int) -> bool:
    """Whether the file ends at ``at`` or a record with a valid length begins there."""
    if at == source.size:
        return True
    return at + LENGTH.size <= source.size and length_of(source.read(at, LENGTH.size)) is not None


def _wrong_length(source: Source, at: int, end: int, number: int, problems: Problems) -> None:
    text = tr("the length of record {number:,} does not match its checksum", number=number)
    if _goes_on(source, end):
        problems.add(
            "warning",
            tr("lengths that do not match their checksums"),
            at,
            tr("{text}; it is read anyway", text=text),
        )
    elif number == 0:
        raise FormatError(
            tr("not an event file: the length of its first record does not match its checksum"), offset=at
        )
    else:
        left = source.size - at
        problems.add(
            "error",
            "ends",
            at,
            plural(
                "{text}, so the last {count:,} byte is skipped",
                "{text}, so the last {count:,} bytes are skipped",
                count=left,
                text=text,
            ),
        )


def _half(source: Source, at: int, number: int, problems: Problems) -> None:
    if number == 0:
        raise FormatError(tr("the file ends inside its first record"), offset=at)
    left = source.size - at
    text = plural(
        "the last {count:,} byte is an incomplete record (a live file, or a truncated one)",
        "the last {count:,} bytes are an incomplete record (a live file, or a truncated one)",
        count=left,
    )
    problems.add(
        "info",
        "ends",
        at,
        plural(
            "{text}; {count:,} complete record is shown. Reload to see more",
            "{text}; {count:,} complete records are shown. Reload to see more",
            count=number,
            text=text,
        ),
    )
