"""The first events of a log, shown while the rest is read."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Final

from app.formats.events import Began, Event, SectionReady
from app.formats.json.problems import Problems
from app.formats.source import Source
from app.formats.tensorflow_events import event_file
from app.formats.tensorflow_events.buffered import Buffered
from app.formats.tensorflow_events.columns import EventColumns
from app.formats.tensorflow_events.sniff import HEAD_BYTES, container_of
from app.formats.tensorflow_events.timeline import timeline
from app.language import plural

MOST_EVENTS: Final = 1000
MOST_STEPS: Final = 10_000
"""Values that are looked at: each takes some microseconds, however large it is."""


def preview(sources: Sequence[Source]) -> Iterator[Event]:
    """The first events of the first file, if it is an event file; the other containers have few. FormatError if it is
    damaged at its beginning."""
    source = Buffered(sources[0])
    container = container_of(source.head(HEAD_BYTES), source.path)
    if container != "event file":
        return
    problems = Problems(lambda _: None, "")
    columns = EventColumns(source, problems)
    limit = _Limit(columns)
    with contextlib.suppress(_Enough):
        event_file.read(source, problems, columns, limit, checked=False)
    events = columns.finish(container, {})
    if len(events):
        portion = plural("the first {count:,} event", "the first {count:,} events", count=len(events))
        yield Began(source.path.name, (source.path,), preview=True)
        yield SectionReady(events, preview=True, portion=portion)
        shown = timeline(events)
        if shown is not None:
            yield SectionReady(shown, preview=True, portion=portion)


class _Enough(Exception):
    """Ends reading."""


class _Limit:
    """Raises _Enough when ``columns`` has enough events, or too many other values were passed."""

    def __init__(self, columns: EventColumns) -> None:
        self._columns = columns
        self._steps = 0

    def __call__(self, _reached: int) -> None:
        self._steps += 1
        if self._steps > MOST_STEPS or len(self._columns) >= MOST_EVENTS:
            raise _Enough
