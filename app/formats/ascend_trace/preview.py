"""The first events of a large trace, shown while the rest is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from app.formats.ascend_trace.locate import events_array
from app.formats.ascend_trace.read import name_of, timeline_of
from app.formats.ascend_trace.stretch import TASK
from app.formats.events import Began, Event, SectionReady
from app.formats.json.problems import Problems
from app.formats.json.stretches import beginning
from app.formats.pool import ignore
from app.formats.source import Source
from app.language import plural
from app.profile.timeline import Timeline

SEARCHED: Final = 8 << 20
"""Bytes in which the array of events begins."""
TRIED: Final = (4 << 20, 32 << 20)
"""Bytes of the array that are read: the second where the first hold nothing that can be shown."""


def preview(sources: Sequence[Source]) -> Iterator[Event]:
    """The first slices of the first trace. FormatError if there is no array of events nearby."""
    source = sources[0]
    start = events_array(source, 0, min(source.size, SEARCHED))
    for size in TRIED:
        part = TASK.run(source, beginning(start, source.size, size), ignore)
        timeline = timeline_of(part.gathered(), 0, Problems(lambda _: None, ""))
        if timeline is not None:
            yield Began(name_of(source.path), (source.path,), preview=True)
            yield SectionReady(timeline, preview=True, portion=portion_of(timeline))
            return


def portion_of(timeline: Timeline) -> str:
    """What the first events are, in words."""
    slices, samples = len(timeline.slices.start), len(timeline.counters.time)
    if not slices:
        return plural("the first {count:,} counter value", "the first {count:,} counter values", count=samples)
    return plural("the first {count:,} slice", "the first {count:,} slices", count=slices)
