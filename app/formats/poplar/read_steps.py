"""Reads the steps of an execution profile, by one process or by several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final, Protocol

from app.formats.json.walk import JsonWalk
from app.formats.poplar import step_texts
from app.formats.poplar.fields import Lenient
from app.formats.poplar.report import Report
from app.formats.poplar.step_types import report_spellings
from app.formats.poplar.steps import ENCODED, ROW_BYTES, TASK, StepRecord, StepsBuilder, StepsPart, merged, unknown_of
from app.formats.walk import Broken, Walk
from app.language import plural, tr
from app.profile.poplar import Steps

_KEY_OF_OTHERS: Final = tr("read as externalExchange or hostExchange")


class Counted(Protocol):
    """``count``: the steps of a stretch, lost ones at its end included."""

    @property
    def count(self) -> int: ...


class PartOfSteps(Protocol):
    """What a stretch of steps says, in JSON or CBOR. ``unknown``: keys that the reader does not know, in order."""

    @property
    def passage(self) -> Counted: ...
    @property
    def part(self) -> StepsPart: ...
    @property
    def unknown(self) -> list[str]: ...


def read_steps(walk: Walk, report: Report, path: str) -> tuple[Steps, Broken | None]:
    """(all steps, or those before the place where the file is broken; that error). An unreadable record keeps its
    index and has no type."""
    divided = _divided(walk, report)
    parts, broken = _whole(walk, report, path) if divided is None else _joined(divided, report, path)
    lenient = Lenient()
    dropped = Counter[str]()
    for part in parts:
        dropped.update(part.dropped)
    lenient.dropped.update({key: dropped[key] for key in ENCODED.values() if dropped[key]})
    lenient.report(report, path)
    report_spellings(chain.from_iterable(part.texts[step_texts.TYPE] for part in parts), report, path)
    steps = merged(parts)
    negative, plain = sum(part.negative for part in parts), sum(part.plain for part in parts)
    if negative:
        text = plural(
            "{count:,} value is negative or too large, and is ignored",
            "{count:,} values are negative or too large, and are ignored",
            count=negative,
        )
        report.issue("warning", path, text)
    if plain:
        text = plural(
            "{count:,} exchange between IPUs or with the host is listed under exchange: {key_of_others}",
            "{count:,} exchanges between IPUs or with the host are listed under exchange: {key_of_others}",
            count=plain,
            key_of_others=_KEY_OF_OTHERS,
        )
        report.issue("warning", f"{path}[].exchange", text)
    return steps, broken


def _divided(walk: Walk, report: Report) -> Iterator[PartOfSteps] | None:
    """The steps in stretches, where several processes decode them."""
    if isinstance(walk, JsonWalk):
        return walk.divided(TASK, report.most(ROW_BYTES))
    from app.formats.cbor.walk import CborWalk
    from app.formats.poplar import steps_in_cbor

    if isinstance(walk, CborWalk):
        return steps_in_cbor.divided(walk, report.size)
    return None


def _whole(walk: Walk, report: Report, path: str) -> tuple[list[StepsPart], Broken | None]:
    """All steps, from one reader, and what broke the file."""
    lenient = Lenient()
    builder = StepsBuilder(lenient)
    broken: Broken | None = None
    try:
        for batch in walk.records(StepRecord, lenient.of(StepRecord)):
            for key in unknown_of(batch.keys):
                report.unknown(f"{path}[].{key}")
            if batch.records:
                builder.add(batch.records, batch.ordinals)
                report.allow(builder.count, ROW_BYTES)
    except Broken as error:
        broken = error
    return [builder.part()], broken


def _joined(stretches: Iterable[PartOfSteps], report: Report, path: str) -> tuple[list[StepsPart], Broken | None]:
    """The parts of all stretches, with the records at their ends that could not be read, and what broke the file."""
    parts: list[StepsPart] = []
    broken: Broken | None = None
    before = 0
    try:
        for stretch in stretches:
            for key in stretch.unknown:
                report.unknown(f"{path}[].{key}")
            before += stretch.passage.count
            report.allow(before, ROW_BYTES)
            parts.append(stretch.part.padded(stretch.passage.count))
    except Broken as error:
        broken = error
    while len(parts) > 1 and not parts[-1].columns:
        parts.pop()
    return [*parts[:-1], parts[-1].trimmed()], broken
