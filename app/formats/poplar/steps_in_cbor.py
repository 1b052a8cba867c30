"""The steps of an execution profile in CBOR, decoded by several processes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from app.formats.cbor.records import Passage, Records, Stretch, records_of
from app.formats.cbor.walk import CborWalk
from app.formats.pool import Moved, Task
from app.formats.poplar.report import Lenient, allow
from app.formats.poplar.steps import ROW_BYTES, StepRecord, StepsBuilder, StepsPart, unknown_of
from app.formats.source import Source


class StepsStretch(Struct, frozen=True, eq=False):
    """The steps of a stretch (see ``PartOfSteps``)."""

    passage: Passage
    part: StepsPart
    unknown: list[str]


def decode(source: Source, stretch: Stretch, moved: Moved) -> StepsStretch:
    """The steps of ``stretch``. FormatError if there are too many for the file."""
    lenient = Lenient()
    records = records_of(source, stretch, StepRecord, lenient.of(StepRecord), moved)
    if records is None:
        return StepsStretch(Passage(-1, -1, 0), StepsBuilder(lenient).part(), [])
    return _decoded(records, lenient, source.size)


TASK: Final = Task("cbor_steps", decode, Stretch, StepsStretch)


def divided(walk: CborWalk, size: int) -> Iterator[StepsStretch] | None:
    """The steps at ``walk``, in a file of ``size`` bytes, in stretches; None if one process reads them."""
    lenient = Lenient()

    def own(records: Records[StepRecord]) -> StepsStretch:
        lenient.dropped.clear()
        return _decoded(records, lenient, size)

    return walk.divided(TASK, StepRecord, lenient.of(StepRecord), own)


def _decoded(records: Records[StepRecord], lenient: Lenient, size: int) -> StepsStretch:
    """What ``records`` reads until it pauses."""
    builder = StepsBuilder(lenient)
    begin, before = records.end, records.count
    unknown: list[str] = []
    for batch in records:
        unknown += unknown_of(batch.keys)
        if batch.records:
            builder.add(batch.records, batch.ordinals - before)
            allow(size, records.count, ROW_BYTES)
    return StepsStretch(Passage(begin, records.end, records.count - before), builder.part(), unknown)
