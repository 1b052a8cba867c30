"""Reads traces from separate files and from blocks of an operator file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from app.formats.ascend_trace.assemble import Assembler
from app.formats.ascend_trace.clock import TraceClock
from app.formats.ascend_trace.columns import Gatherer
from app.formats.ascend_trace.counters import CounterTracks
from app.formats.ascend_trace.event import Event, EventDecoder
from app.formats.ascend_trace.labels import Labels
from app.formats.ascend_trace.lanes import Metadata
from app.formats.ascend_trace.locate import events_array
from app.formats.errors import FormatError
from app.formats.events import Began, Progress, SectionReady, Sink
from app.formats.json.pieces import Piece, Records
from app.formats.json.problems import Problems
from app.formats.json.quiet import collector_off
from app.formats.source import Source
from app.language import plural, tr
from app.profile.arrays import sealed
from app.profile.issue import Issue
from app.profile.strings import Interner
from app.profile.timeline import Pieces, Timeline

PHASE = tr("reading events")


def read(sources: Sequence[Source], sink: Sink) -> None:
    """Sends one profile for each file. Raises FormatError where a file has no array of events."""
    for source in sources:
        events_array(source, 0, source.size)
        sink(Began(name_of(source.path), (source.path,)))
        problems = Problems(sink, source.path.name)
        timeline = read_ranges(source, [(0, source.size)], problems, partial(_progress, sink, source.size))
        problems.finish()
        if timeline is None:
            sink(Issue("info", source.path.name, tr("the trace holds no events that can be shown")))
        else:
            sink(SectionReady(timeline))


def read_ranges(
    source: Source,
    ranges: Sequence[tuple[int, int]],
    problems: Problems,
    tell: Callable[[int], None] = lambda _: None,
    file: int = 0,
) -> Timeline | None:
    """One timeline of the traces at ``ranges`` (begin, end) of ``source``, which is file number ``file`` of its
    profile; None where there is nothing to show. ``tell`` is called with the number of bytes of the ranges that are
    done. A range that is not a trace is reported as an issue. Raises FormatError of the source, and whatever ``tell``
    raises.
    """
    reader = _Reader(source, problems)
    done = 0
    with collector_off():
        for begin, end in ranges:
            reader.range(begin, end, partial(_shifted, tell, done - begin))
            done += end - begin
        return reader.timeline(file)


def _progress(sink: Sink, total: int, done: int) -> None:
    sink(Progress(done, total, PHASE))


def _shifted(tell: Callable[[int], None], shift: int, at: int) -> None:
    tell(at + shift)


class _Reader:
    def __init__(self, source: Source, problems: Problems) -> None:
        self._source = source
        self._problems = problems
        self._metadata = Metadata()
        self._counters = CounterTracks()
        self._decoder = EventDecoder()
        self._clock = TraceClock()
        self._strings = Interner()
        self._labels = Labels(self._strings)
        self._gatherer = Gatherer(self._labels, self._decoder, self._metadata.add, self._counters.add)
        self._pieces: list[tuple[int, int, int]] = []
        self._count = 0

    def range(self, begin: int, end: int, tell: Callable[[int], None]) -> None:
        """Collects the events of one trace."""
        try:
            start = events_array(self._source, begin, end)
        except FormatError as error:
            self._problems.add(
                "error", tr("traces that cannot be read"), begin, tr("this is no trace: {error}", error=error.text)
            )
            return
        records: Records[Event] = Records(
            self._source,
            start,
            end,
            problems=self._problems,
            decode=self._decoder.decode,
            rescue=self._decoder.rescue,
            plain=self._decoder.plain,
            first=self._count,
        )
        for piece in records:
            self._gather(records, piece)
            self._pieces.append((piece.offset, piece.size, piece.first))
            tell(piece.offset + piece.size)
        self._count = records.count
        tell(end)
        if not records.closed and not self._bare(start, begin, records.end, end):
            text = tr("the trace was cut off here; the {count:,} whole events before it are shown", count=self._count)
            self._problems.add("error", tr("traces that are cut off"), records.end, text)

    def _gather(self, records: Records[Event], piece: Piece[Event]) -> None:
        times = self._clock.times(piece.records)
        if self._clock.too_large(times):
            self._decoder.exact = True
            piece = records.again(piece)
            self._clock.start(piece.records)
            self._gatherer.restate(self._clock.restated)
            self._counters.restate(self._clock.restated)
            times = self._clock.times(piece.records)
        self._gatherer.add(piece, times)

    def _bare(self, start: int, begin: int, stopped: int, end: int) -> bool:
        """Whether the trace is a bare array, whose closing bracket is optional."""
        around = self._source.read(begin, min(start - begin, 64)).lstrip(b"\xef\xbb\xbf \t\r\n")
        rest = self._source.read(stopped, min(end - stopped, 64))
        return around.startswith(b"[") and not rest.strip()

    def timeline(self, file: int) -> Timeline | None:
        """The timeline of the collected events; None if it is empty."""
        offset, size, first = np.array(self._pieces, np.int64).reshape(-1, 3).T
        pieces = Pieces(file, sealed(offset), sealed(size), sealed(first))
        assembler = Assembler(self._gatherer, self._labels, self._metadata, self._counters, self._strings, self._clock)
        timeline = assembler.timeline(pieces)
        self._report_dropped(assembler)
        shown = len(timeline.slices.start) + len(timeline.counters.time)
        return timeline if shown else None

    def _report_dropped(self, assembler: Assembler) -> None:
        dropped = assembler.dropped
        for reason, phases in (
            (tr("that are counters without a number"), {"C": self._counters.bad}),
            (tr("that say nothing of lanes"), {"M": self._metadata.other}),
            (tr("of kinds that are not drawn"), self._gatherer.ignored),
        ):
            for phase, count in phases.items():
                if count:
                    dropped.counts[reason, phase] += count
        if len(dropped):
            several = plural("{count:,} event is", "{count:,} events are", count=len(dropped))
            text = tr("{several} not shown: {said}", several=several, said="; ".join(dropped.reasons()))
            self._problems.add("info", tr("traces with events that are not shown"), None, text)


def name_of(path: Path) -> str:
    """The name of the profile: with the folder where the file has the default name."""
    return f"{path.parent.name}/{path.name}" if path.name == "trace.json" and path.parent.name else path.name
