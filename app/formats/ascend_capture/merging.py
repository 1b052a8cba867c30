"""Text files and databases of one rank: each fact once, and where both disagree (Ascend captures, section 6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from msgspec.structs import replace

from app.formats.ascend_capture.identity import RankData, RankFacts
from app.language import Text, plural, tr
from app.profile.arrays import among
from app.profile.ascend_capture import Collectives, Kernels, MemoryRecord, TrainingSteps
from app.profile.profile import Section

STEP_SECONDS: Final = {
    **dict.fromkeys(("computing", "exposed", "communication", "free"), 1e-9),
    **dict.fromkeys(("stage", "preparing"), 0.25e-6),
}
ROUNDING: Final = 1e-12
START_NS: Final = 1
MEMORY_BYTES: Final = 1024


def merged(text: RankData, database: RankData) -> RankData:
    """What both hold: sections of the database (exact nanoseconds), those of the text files that it lacks, and the
    timeline of the trace, whose events can be shown as they are in the file."""
    sections: dict[type[Section], Section] = {type(section): section for section in text.sections}
    for section in database.sections:
        own = sections.get(type(section))
        if own is None or not _says_more(own, section):
            sections[type(section)] = section
    return RankData(
        facts=_facts(text.facts, database.facts),
        sections=tuple(sections.values()),
        timeline=text.timeline or database.timeline,
        tables=(*text.tables, *database.tables),
    )


def _says_more(text: Section, database: Section) -> bool:
    """Whether the section of the text files has what that of the database lacks: rows at all, or components of
    memory."""
    if isinstance(text, MemoryRecord) and isinstance(database, MemoryRecord):
        return not set(text.strings.tolist()) <= set(database.strings.tolist())
    return len(text) > 0 and len(database) == 0  # type: ignore[arg-type]


def _facts(text: RankFacts, database: RankFacts) -> RankFacts:
    """Those of the text files, and of the database what they do not state."""
    known = {name for name, role, ranks in database.groups if role or ranks}
    groups = (*database.groups, *(one for one in text.groups if one[0] not in known))
    return replace(
        text,
        rank=text.rank if text.rank >= 0 else database.rank,
        device=database.device if database.device >= 0 else text.device,
        groups=tuple({name: (name, role, ranks) for name, role, ranks in sorted(groups, key=_says)}.values()),
        **{
            name: getattr(text, name) or getattr(database, name)
            for name in ("host", "producer", "level", "metric", "version")
        },
    )


def _says(group: tuple[str, str, str]) -> int:
    """How much is known of a group."""
    return bool(group[1]) + bool(group[2])


def disagreements(text: RankData, database: RankData) -> Iterator[Text]:
    """What the text files and the database of one rank state differently, beyond what their digits explain."""
    one = {type(section): section for section in text.sections}
    other = {type(section): section for section in database.sections}
    first, second = one.get(Kernels), other.get(Kernels)
    if isinstance(first, Kernels) and isinstance(second, Kernels):
        yield from _kernels(first, second)
    ours, theirs = one.get(Collectives), other.get(Collectives)
    if isinstance(ours, Collectives) and isinstance(theirs, Collectives) and len(ours) != len(theirs):
        yield tr(
            "text and DB disagree: {text:,} and {database:,} operations of communication",
            text=len(ours),
            database=len(theirs),
        )
    steps, own = one.get(TrainingSteps), other.get(TrainingSteps)
    if isinstance(steps, TrainingSteps) and isinstance(own, TrainingSteps):
        yield from _steps(steps, own)
    memory, record = one.get(MemoryRecord), other.get(MemoryRecord)
    if isinstance(memory, MemoryRecord) and isinstance(record, MemoryRecord):
        yield from _memory(memory, record)


def _kernels(text: Kernels, database: Kernels) -> Iterator[Text]:
    if len(text) != len(database):
        yield tr("text and DB disagree: {text:,} and {database:,} kernels", text=len(text), database=len(database))
        return
    order, other = np.argsort(text.start, kind="stable"), np.argsort(database.start, kind="stable")
    for what, column in ((tr("starts"), "start"), (tr("durations"), "duration")):
        ours, theirs = getattr(text, column)[order], getattr(database, column)[other]
        known = (ours >= 0) & (theirs >= 0)
        count = int(np.count_nonzero(np.abs(ours - theirs)[known] > START_NS))
        if count:
            yield plural(
                "text and DB disagree: {what} of {count:,} kernel",
                "text and DB disagree: {what} of {count:,} kernels",
                count=count,
                what=what,
            )


def _steps(text: TrainingSteps, database: TrainingSteps) -> Iterator[Text]:
    place = {step: row for row, step in enumerate(database.step.tolist())}
    for row, step in enumerate(text.step.tolist()):
        if step not in place:
            continue
        for name, bound in STEP_SECONDS.items():
            ours, theirs = float(getattr(text, name)[row]), float(getattr(database, name)[place[step]])
            if abs(ours - theirs) > bound + ROUNDING:  # false without one of them
                yield tr(
                    "text and DB disagree: {name} of step {step} is {text} and {database} µs",
                    name=name,
                    step=step,
                    text=f"{ours * 1e6:.3f}",
                    database=f"{theirs * 1e6:.3f}",
                )


def _memory(text: MemoryRecord, database: MemoryRecord) -> Iterator[Text]:
    for name in ("allocated", "reserved"):
        ours, theirs = (_peak(record, name) for record in (text, database))
        if min(ours, theirs) >= 0 and abs(ours - theirs) > MEMORY_BYTES:
            yield tr(
                "text and DB disagree: the most memory that is {name} is {text} and {database} MiB",
                text=f"{ours / 2**20:.3f}",
                database=f"{theirs / 2**20:.3f}",
                name=name,
            )


def _peak(record: MemoryRecord, name: str) -> int:
    """Of the framework's allocator; -1 without it."""
    ids = record.strings.find("PTA")
    values = getattr(record, name)[among(record.component, ids)]
    return int(values.max(initial=-1))
