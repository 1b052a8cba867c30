"""A file that consists of one serialised IPU event."""

from __future__ import annotations

from app.formats.errors import FormatError
from app.formats.source import Source
from app.formats.tensorflow_events.columns import EventColumns
from app.formats.tensorflow_events.ipu_event import Dialect, parse
from app.formats.tensorflow_events.wire import FIXED64, LENGTH, VARINT, fields

_TOP = {1: FIXED64, 2: VARINT, 3: VARINT, **dict.fromkeys(range(5, 10), LENGTH)}
MARGIN = 32
"""The most bytes of a field's tag and length."""
_FLAT = {1: FIXED64, 2: VARINT, 3: VARINT, 4: LENGTH, 5: LENGTH, 6: VARINT}


def read(source: Source, columns: EventColumns) -> None:
    """Fills ``columns`` with the one event. FormatError if the file is not such a message."""
    columns.add(parse(source, 0, source.size, Dialect()), -1)


def looks_like_one(head: Source, whole: int) -> bool:
    """Whether the first bytes of a file of ``whole`` bytes can be one: first a time, then only fields that IPU events
    have, without repetition and ascending, up to one that extends beyond ``head``."""
    seen: list[tuple[int, int]] = []
    try:
        for field in fields(head, 0, whole):
            seen.append((field.number, field.wire))
            if len(seen) > len(_TOP) or (field.end > head.size - MARGIN and whole > head.size):
                break
    except FormatError:
        return False
    numbers = [number for number, _ in seen]
    if numbers[:1] != [1] or len(numbers) < 2 or numbers != sorted(set(numbers)):
        return False
    return any(all(known.get(number) == wire for number, wire in seen) for known in (_TOP, _FLAT))
