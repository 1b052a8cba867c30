"""TensorBoard event files: TFRecord framing (records of any length, each with two checksums) of summaries, some of
which contain IPU events."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import google_crc32c

from app.formats.errors import FormatError
from app.formats.json.problems import Problems
from app.formats.source import Source
from app.formats.tensorflow_events.columns import EventColumns
from app.formats.tensorflow_events.ipu_event import LENGTH, VARINT, Dialect, Field, Place, fields, parse
from app.language import plural, tr

BLOCK = 256 * 1024


class Buffered(Source):
    """The bytes of ``source`` at the same offsets; caches the block that was read last. Reads that do not fit into a
    block bypass it."""

    def __init__(self, source: Source) -> None:
        self.path = source.path
        self.size = source.size
        self._source = source
        self._base = 0
        self._block = b""

    def read(self, offset: int, length: int) -> bytes:
        if length > BLOCK or offset < 0 or length < 0 or offset + length > self.size:
            return self._source.read(offset, length)
        begin = offset - self._base
        if begin < 0 or begin + length > len(self._block):
            self._block = self._source.read(offset, min(BLOCK, self.size - offset))
            self._base, begin = offset, 0
        return self._block[begin : begin + length]

    def close(self) -> None:
        """Leaves the underlying source open."""


LENGTH_BYTES = struct.Struct("<QI")
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
    if len(head) < LENGTH_BYTES.size:
        return None
    length, stated = LENGTH_BYTES.unpack_from(head)
    return int(length) if masked(google_crc32c.value(head[:8])) == stated else None


def records(source: Source, problems: Problems) -> Iterator[Record]:
    """The complete records of a file. If the rest is not a record, this is reported and ends them; FormatError if not
    even the first is one."""
    at = number = 0
    while at < source.size:
        head = source.read(at, min(LENGTH_BYTES.size, source.size - at))
        end = source.size + 1
        if len(head) == LENGTH_BYTES.size:
            end = at + LENGTH_BYTES.size + LENGTH_BYTES.unpack(head)[0] + CHECKSUM.size
            if length_of(head) is None:
                _wrong_length(source, at, end, number, problems)
                if not _goes_on(source, end):
                    return
        if end > source.size:
            _half(source, at, number, problems)
            return
        yield Record(number, at + LENGTH_BYTES.size, end - CHECKSUM.size)
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
    return at + LENGTH_BYTES.size <= source.size and length_of(source.read(at, LENGTH_BYTES.size)) is not None


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


def read_event_file(
    source: Source,
    problems: Problems,
    columns: EventColumns,
    moved: Callable[[int], None],
    *,
    checked: bool = True,
) -> SummaryReader:
    """Fills ``columns`` record by record and returns the counts of other contents. FormatError if the file is not an
    event file. A damaged record is reported, and everything before the damage is used; ``checked``: also one whose
    checksum is wrong."""
    dialect = Dialect()

    def take(place: Place, step: int) -> None:
        try:
            columns.add(parse(source, *place, dialect), step)
        except FormatError as error:
            problems.add("warning", tr("IPU events that cannot be decoded"), error.offset, error.text)

    summaries = SummaryReader(source, take, moved)
    for record in records(source, problems):
        if checked and not sound(source, record, moved):
            text = tr(
                "the data of record {number:,} does not match its checksum: its values may be wrong",
                number=record.number,
            )
            problems.add("warning", tr("records that do not match their checksums"), record.begin, text)
        try:
            summaries.read(record.begin, record.end)
        except FormatError as error:
            text = tr("record {number:,} cannot be read completely: {error}", number=record.number, error=error.text)
            problems.add("warning", tr("incomplete records"), error.offset, text)
        moved(record.end)
    return summaries


PLUGIN: Final = "ipu"
TAG: Final = "ipu_trace"
_DT_STRING: Final = 7
_LONGEST: Final = 256
_MOST_TAGS: Final = 10_000
_MOST_NAMES: Final = 100
_KINDS: Final = {4: "graphs", 6: "log messages", 7: "session logs", 8: "run metadata", 9: "meta graphs"}
_VALUES: Final = {2: "scalars", 3: "histograms", 4: "images", 5: "histograms", 6: "audio"}
OTHERS: Final = "other tensors"

Take = Callable[[Place, int], None]
"""Receives each serialised IPU event, and the step of its summary."""


class SummaryReader:
    """Reads the data of records; ``skipped`` counts data that are not for the IPU, ``version`` is the version stated in
    the file.

    The plugin's name is only in the first summary of a tag (TensorFlow's writer omits it in later ones), so tags are
    stored.
    """

    def __init__(self, source: Source, take: Take, moved: Callable[[int], None]) -> None:
        self.skipped: Counter[str] = Counter()
        self.version = ""
        self._source = source
        self._take = take
        self._moved = moved
        self._tags: set[str] = set()

    def read(self, begin: int, end: int) -> None:
        """Passes on the events of one record as they are read; FormatError when the rest is not a message."""
        step = 0
        for field in fields(self._source, begin, end):
            if field.number == 2 and field.wire == VARINT:
                step = field.signed if field.signed >= 0 else -1
            elif field.number == 3 and field.wire == LENGTH:
                self.version = self._text(field)
            elif field.number == 5 and field.wire == LENGTH:
                for value in fields(self._source, field.begin, field.end):
                    self._moved(value.begin)
                    if value.number == 1 and value.wire == LENGTH:
                        self._value(value, step)
            elif field.number in _KINDS:
                self._skip(_KINDS[field.number])

    def _value(self, message: Field, step: int) -> None:
        tag, plugin, kind = "", "", ""
        tensor: Field | None = None
        for field in fields(self._source, message.begin, message.end):
            if field.number == 1 and field.wire == LENGTH:
                tag = self._text(field)
            elif field.number == 8 and field.wire == LENGTH:
                tensor = field
            elif field.number == 9 and field.wire == LENGTH:
                plugin = self._plugin(field)
            elif field.number in _VALUES:
                kind = _VALUES[field.number]
        if tensor is not None and self._is_ours(tag, plugin):
            self._tensor(tensor, step)
        else:
            self._skip(kind or plugin or OTHERS)

    def _is_ours(self, tag: str, plugin: str) -> bool:
        if plugin == PLUGIN and len(self._tags) < _MOST_TAGS:
            self._tags.add(tag)
        return plugin == PLUGIN or (not plugin and (tag in self._tags or tag.rsplit("/", 1)[-1] == TAG))

    def _tensor(self, message: Field, step: int) -> None:
        """Passes on each text of the tensor as one event (TensorProto: 1 data type, 8 string_val)."""
        for field in fields(self._source, message.begin, message.end):
            self._moved(field.begin)
            if field.number == 1 and field.wire == VARINT and field.value != _DT_STRING:
                self._skip(OTHERS)
                return
            if field.number == 8 and field.wire == LENGTH and field.size:
                self._take(Place(field.begin, field.end), step)

    def _plugin(self, message: Field) -> str:
        """SummaryMetadata: 1 plugin_data { 1 plugin_name }."""
        for field in fields(self._source, message.begin, message.end):
            if field.number == 1 and field.wire == LENGTH:
                for inner in fields(self._source, field.begin, field.end):
                    if inner.number == 1 and inner.wire == LENGTH:
                        return self._text(inner)
        return ""

    def _text(self, field: Field) -> str:
        return self._source.read(field.begin, min(field.size, _LONGEST)).decode("utf-8", "replace")

    def _skip(self, name: str) -> None:
        known = name in self.skipped or len(self.skipped) < _MOST_NAMES
        self.skipped[name if known else OTHERS] += 1
