"""One IpuTraceEvent in any of its layouts: numbers are decoded, the positions of contents recorded. Below it, the wire
format of protocol buffers, field by field, of which no contents are read either."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final, NamedTuple

from msgspec import Struct, field

from app.formats.errors import FormatError
from app.formats.source import Source
from app.language import plural, tr
from app.profile.tensorflow import (
    CAPNP,
    CBOR,
    COMPILATION_REPORT,
    COMPILE_BEGIN,
    COMPILE_END,
    EXECUTE,
    EXECUTION_REPORT,
    FROM_DEVICE,
    INSTRUCTION_INFO,
    JSON,
    LAYOUT_FLAT,
    LAYOUT_NEW,
    LAYOUT_OLD,
    LAYOUT_UNKNOWN,
    LOAD_ENGINE,
    PATH,
    POPLAR_GRAPH,
    TENSOR_MAP,
    TEXT,
    TO_DEVICE,
)

VARINT, FIXED64, LENGTH, FIXED32 = 0, 1, 2, 5
_LONGEST_VARINT = 10
_HEAD = 2 * _LONGEST_VARINT
_WINDOW = 512
"""Bytes that are read together: those of many small fields, or of a whole small message."""


class Field(Struct, frozen=True, gc=False):
    """One field. ``value``: of a varint, or the raw bits of a fixed-size one (unsigned), 0 for length-delimited
    content; ``begin``, ``end``: position of its value or content."""

    number: int
    wire: int
    value: int
    begin: int
    end: int

    @property
    def size(self) -> int:
        return self.end - self.begin

    @property
    def signed(self) -> int:
        """A varint as int64 (or as int32, which has the same encoding)."""
        return self.value - (1 << 64) if self.value >> 63 else self.value

    @property
    def double(self) -> float:
        """The bits of a fixed 64-bit field as a number."""
        return float(struct.unpack("<d", struct.pack("<Q", self.value))[0])


def fields(source: Source, begin: int, end: int) -> Iterator[Field]:
    """The fields of the message between two byte positions, in order. FormatError when the rest is not a field."""
    at = base = begin
    window = b""
    while at < end:
        here = at - base
        if here + _HEAD > len(window) < end - base:
            window, base, here = source.read(at, min(_WINDOW, end - at)), at, 0
        key = window[here]
        used = here + 1
        if key >= 128:
            key, used = _varint(window, here, at)
        number, wire = key >> 3, key & 7
        if not 0 < number < 1 << 29:
            raise FormatError(tr("there is no field {number:,}", number=number), offset=at)
        if wire == VARINT:
            value, behind = _varint(window, used, at)
            field = Field(number, wire, value, base + used, base + behind)
        elif wire in (FIXED64, FIXED32):
            field = _fixed(window, number, wire, used, base, at)
        elif wire == LENGTH:
            size, behind = _varint(window, used, at)
            content = base + behind
            if size > end - content:
                text = plural(
                    "field {number} declares {count:,} byte, but its message has only {left:,} left",
                    "field {number} declares {count:,} bytes, but its message has only {left:,} left",
                    count=size,
                    number=number,
                    left=end - content,
                )
                raise FormatError(text, offset=at)
            field = Field(number, wire, 0, content, content + size)
        else:
            raise FormatError(
                tr("field {number} has an unused type (wire type {wire})", number=number, wire=wire), offset=at
            )
        yield field
        at = field.end


def _fixed(window: bytes, number: int, wire: int, used: int, base: int, at: int) -> Field:
    width = 8 if wire == FIXED64 else 4
    content = window[used : used + width]
    if len(content) < width:
        raise FormatError(tr("the message ends inside field {number}", number=number), offset=at)
    return Field(number, wire, int.from_bytes(content, "little"), base + used, base + used + width)


def _varint(head: bytes, begin: int, at: int) -> tuple[int, int]:
    """(value, the byte after it) of a number at most 64 bits wide."""
    if begin < len(head) and head[begin] < 128:  # nearly all
        return head[begin], begin + 1
    value = 0
    for place, byte in enumerate(head[begin : begin + _LONGEST_VARINT]):
        value |= (byte & 127) << 7 * place
        if byte < 128:
            if value >> 64:
                break
            return value, begin + place + 1
    else:
        if len(head) - begin < _LONGEST_VARINT:
            raise FormatError(tr("the message ends inside a number"), offset=at)
    raise FormatError(tr("a number is wider than 64 bits"), offset=at)


_MESSAGES: Final = {5: COMPILE_BEGIN, 6: COMPILE_END, 7: TO_DEVICE, 8: LOAD_ENGINE, 9: EXECUTE}
"""The type of event that each inner message belongs to (7 belongs to both transfers)."""
_ORDINALS: Final = 1 << 31
_TYPES_UNTIL_2018_06: Final = {0: COMPILE_END, 1: TO_DEVICE, 2: FROM_DEVICE, 3: LOAD_ENGINE, 4: EXECUTE}


class Dialect(Struct):
    """What the events of a file reveal about later ones. ``early_types``: types are numbered as they were until
    2018-06, when a single COMPILE stood for begin and end."""

    early_types: bool = False


class Place(NamedTuple):
    """The position of a content."""

    begin: int
    end: int

    @property
    def size(self) -> int:
        return self.end - self.begin


class RawEvent(Struct):
    """``place``: position of the event; ``time`` and ``duration`` (microseconds) are None if not given; ``parts``: by
    role (ROLES); ``transfer``: the text of a transfer."""

    place: Place
    time: float | None = None
    type: int = COMPILE_BEGIN
    ordinal: int = 0
    layout: int = LAYOUT_UNKNOWN
    module: Place | None = None
    duration: int | None = None
    transfer: Place | None = None
    parts: dict[int, Place] = field(default_factory=dict)


def parse(source: Source, begin: int, end: int, dialect: Dialect) -> RawEvent:
    """The event between two byte positions (IpuTraceEvent, section 1). Fields that no version uses are skipped.
    FormatError if the bytes are not such a message, or an empty one."""
    event = RawEvent(Place(begin, end))
    known: dict[int, Field] = {}
    for part in fields(source, begin, end):
        if part.number <= 9:
            known[part.number] = part
        if part.number in _MESSAGES and part.wire == LENGTH:
            known[0] = part  # of several messages the last counts
    time = known.get(1)
    if time is not None and time.wire == FIXED64:
        event.time = time.double
    elif 0 not in known or not known[0].size:
        raise FormatError(tr("this is not an IPU event: it has neither a time nor content"), offset=begin)
    event.ordinal = _number(known.get(2), _ORDINALS)
    event.type = _number(known.get(3), 1 << 16)
    if _is_flat(known, event.type):
        _flat(source, event, known, dialect)
    elif 0 in known:
        _inner(source, event, known[0])
    return event


def _is_flat(known: dict[int, Field], kind: int) -> bool:
    """Whether the fields are those of events before 2018-10: 4 module, 5 data, 6 a number."""
    four, six, three = known.get(4), known.get(6), known.get(3)
    if three is not None and three.wire == LENGTH:
        return True
    if (four is not None and four.wire == LENGTH) or (six is not None and six.wire == VARINT):
        return True
    return 5 in known and kind != COMPILE_BEGIN and not any(number in known for number in (6, 7, 8, 9))


def _flat(source: Source, event: RawEvent, known: dict[int, Field], dialect: Dialect) -> None:
    """Events before 2018-10 (those of 2018-03 have their data in field 3, and their meaning is unknown)."""
    event.layout = LAYOUT_FLAT
    three, module, data, number = (known.get(n) for n in (3, 4, 5, 6))
    if three is not None and three.wire == LENGTH:
        event.type = -1
        return
    if module is not None and module.wire == LENGTH:
        event.module = Place(module.begin, module.end)
    if number is not None and number.wire == VARINT:
        event.duration = number.signed
    has_data = data is not None and data.wire == LENGTH and data.size > 0
    if event.type == COMPILE_BEGIN and not dialect.early_types:  # a begin event has neither a duration nor a report
        report = has_data and data is not None and source.read(data.begin, 1) == b"{"
        dialect.early_types = report or event.duration is not None
    if dialect.early_types:
        event.type = _TYPES_UNTIL_2018_06.get(event.type, event.type)
    if has_data and data is not None:
        place = Place(data.begin, data.end)
        if event.type in (TO_DEVICE, FROM_DEVICE):
            event.transfer = place
        else:
            role = EXECUTION_REPORT if event.type == EXECUTE else COMPILATION_REPORT
            event.parts[role] = place


def _inner(source: Source, event: RawEvent, message: Field) -> None:
    numbered: dict[int, Field] = {}
    for part in fields(source, message.begin, message.end):
        numbered[part.number] = part
        if len(numbered) > 64:
            raise FormatError(tr("an inner message has more fields than any known version"), offset=message.begin)
    if message.number == 6:
        _compile_end(source, event, numbered)
    elif message.number == 9:
        _execute(event, numbered)
    else:
        place = _place(numbered.get(2 if message.number == 5 else 1))
        if message.number == 7:
            event.transfer = place
        else:
            event.module = place


def _compile_end(source: Source, event: RawEvent, numbered: dict[int, Field]) -> None:
    """Its fields were renumbered in SDK 2.2; the wire types distinguish the versions."""
    event.layout = _layout_of_end(source, numbered)
    if event.layout == LAYOUT_NEW:
        duration, module, roles = 1, 2, {TENSOR_MAP: 3, INSTRUCTION_INFO: 4}
    else:
        roles = {COMPILATION_REPORT: 1, TENSOR_MAP: 4, INSTRUCTION_INFO: 5, POPLAR_GRAPH: 6}
        duration, module = 2, 3
    time = numbered.get(duration)
    event.duration = time.signed if time is not None and time.wire == VARINT else None
    event.module = _place(numbered.get(module))
    for role, number in roles.items():
        place = _place(numbered.get(number))
        if place is not None and place.size:
            event.parts[role] = place


def _layout_of_end(source: Source, numbered: dict[int, Field]) -> int:
    first, second, third = (numbered.get(number) for number in (1, 2, 3))
    if (first is not None and first.wire == VARINT) or (second is not None and second.wire == LENGTH):
        return LAYOUT_NEW
    if (first is not None and first.wire == LENGTH) or (second is not None and second.wire == VARINT):
        return LAYOUT_OLD
    if 5 in numbered or 6 in numbered:
        return LAYOUT_OLD
    if third is not None and third.wire == LENGTH:  # a module's name, or already the tensor map
        return LAYOUT_NEW if source.read(third.begin, min(1, third.size)) == b"{" else LAYOUT_OLD
    return LAYOUT_UNKNOWN


def _execute(event: RawEvent, numbered: dict[int, Field]) -> None:
    """Field 1 was the report and 3 the module; since SDK 2.2, 2 is the module. The activity trace, field 2 and then 1,
    was never set."""
    if 1 in numbered or 3 in numbered:
        event.layout, module = LAYOUT_OLD, 3
        report = _place(numbered.get(1))
        if report is not None and report.size:
            event.parts[EXECUTION_REPORT] = report
    else:
        event.layout, module = (LAYOUT_NEW if 2 in numbered else LAYOUT_UNKNOWN), 2
    event.module = _place(numbered.get(module))


def _place(part: Field | None) -> Place | None:
    return Place(part.begin, part.end) if part is not None and part.wire == LENGTH else None


def _number(part: Field | None, limit: int) -> int:
    """A number that the wire format omits if it is 0; -1 for an implausible one."""
    if part is None:
        return 0
    if part.wire != VARINT:
        return -1
    return part.signed if -limit <= part.signed < limit else -1


LONGEST_PATH: Final = 4096
_ENDINGS: Final = (".json", ".cbor", ".txt", ".capnp")
_CBOR_TAG: Final = 0xD9
_CBOR_MAP: Final = 5


def content_of(source: Source, role: int, place: Place) -> tuple[int, str]:
    """(index into CONTENTS, the path where it is one) by the first bytes (IpuTraceEvent, section 2)."""
    head = source.read(place.begin, min(place.size, LONGEST_PATH))
    if not head:
        return TEXT, ""
    if head[0] == _CBOR_TAG or head[0] >> 5 == _CBOR_MAP:
        return CBOR, ""
    if head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"["):
        return JSON, ""
    path = _path(head) if place.size <= LONGEST_PATH else ""
    if path:
        return PATH, path
    return (CAPNP if role == POPLAR_GRAPH else TEXT), ""


def _path(head: bytes) -> str:
    """The text, if it looks like a file path: short, on one line, and beginning or ending like one."""
    try:
        text = head.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    text = text.removesuffix("\n")
    named = text.startswith(("/", ".")) or text.lower().endswith(_ENDINGS)
    return text if named and text.isprintable() else ""
