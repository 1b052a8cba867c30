"""Reads traces from separate files and from blocks of an operator file, with the first events of a large trace shown
while the rest is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from msgspec.structs import replace

from app.formats.ascend_trace.columns import Dropped, Gathered
from app.formats.ascend_trace.event import Event
from app.formats.ascend_trace.gather import EXACT, PIECES_SEEN, TASK, Gatherer, TracePart, mode_of
from app.formats.ascend_trace.tiles import tiles_of
from app.formats.errors import FormatError
from app.formats.events import Began, Progress, SectionReady, Sink
from app.formats.events import Event as ReaderEvent
from app.formats.json.pieces import Records, collector_off
from app.formats.json.problems import Problems
from app.formats.json.stretches import Mode, Stretch, beginning, chained
from app.formats.json.tolerant import OPEN_ARRAY, Scanner, text_start
from app.formats.pool import ALONE, Pool, divides, ignore
from app.formats.source import Source
from app.language import joined, plural, tr
from app.profile.arrays import sealed
from app.profile.ascend import Operator
from app.profile.issue import Issue
from app.profile.profile import Target
from app.profile.task_time import task_time
from app.profile.timeline import Pieces, Timeline

PHASE = tr("reading events")
STRETCHES_SEEN: Final = (1, 4)
"""The stretches after which it is estimated how many events there are."""


def read(sources: Sequence[Source], sink: Sink, pool: Pool = ALONE) -> None:
    """Sends one profile for each file. Raises FormatError where a file has no array of events."""
    for source in sources:
        events_array(source, 0, source.size)
        sink(Began(name_of(source.path), (source.path,)))
        problems = Problems(sink, source.path.name)
        timeline = read_ranges(source, [(0, source.size)], problems, partial(_progress, sink, source.size), pool=pool)
        problems.finish()
        if timeline is None:
            sink(Issue("info", source.path.name, tr("the trace contains no events that can be shown")))
        else:
            sink(SectionReady(timeline))
            if timeline.basis == "tiles":
                for section in tiles_of(timeline):
                    sink(SectionReady(section))


def read_ranges(
    source: Source,
    ranges: Sequence[tuple[int, int]],
    problems: Problems,
    tell: Callable[[int], None] = lambda _: None,
    file: int = 0,
    pool: Pool = ALONE,
) -> Timeline | None:
    """One timeline of the traces at ``ranges`` (begin, end) of ``source``, which is file number ``file`` of its
    profile; None where there is nothing to show. ``tell`` is called with the number of bytes of the ranges that are
    done; ``pool`` helps with large ranges. A range that is not a trace is reported as an issue. Raises FormatError of
    the source, and whatever ``tell`` raises.
    """
    reader = _Reader(source, problems, pool)
    done = 0
    with collector_off(), closing(reader.ahead(ranges)) as ahead:
        for (begin, end), part in zip(ranges, ahead, strict=True):
            reader.range(begin, end, partial(_shifted, tell, done - begin), part)
            done += end - begin
        return reader.timeline(file)


def _progress(sink: Sink, total: int, done: int) -> None:
    sink(Progress(done, total, PHASE))


def _shifted(tell: Callable[[int], None], shift: int, at: int) -> None:
    tell(at + shift)


class _Reader:
    def __init__(self, source: Source, problems: Problems, pool: Pool) -> None:
        self._source = source
        self._problems = problems
        self._pool = pool
        self._gatherer = Gatherer()

    def ahead(self, ranges: Sequence[tuple[int, int]]) -> Generator[TracePart | None]:
        """The events of each range, where other processes decode several small ones at the same time; None for one that
        is to be decoded here."""
        sizes = [end - begin for begin, end in ranges]
        if not divides(self._pool, sum(sizes)) or divides(self._pool, max(sizes)):
            yield from [None] * len(ranges)
            return
        mode = mode_of(self._gatherer.decoder.exact)
        whole = [self._whole(begin, end, mode) for begin, end in ranges]
        with closing(self._pool.map(TASK, self._source, [one for one in whole if one is not None])) as parts:
            for one in whole:
                part = None if one is None else next(parts)
                yield part if mode == mode_of(self._gatherer.decoder.exact) else None

    def _whole(self, begin: int, end: int, mode: Mode) -> Stretch | None:
        """All events of a range as one stretch; None if it is no trace."""
        try:
            start = events_array(self._source, begin, end)
        except FormatError:
            return None
        return replace(beginning(start, end, end - start), mode=mode)

    def range(self, begin: int, end: int, tell: Callable[[int], None], part: TracePart | None) -> None:
        """Collects the events of one trace. ``part``: these events, if another process has decoded them."""
        try:
            start = events_array(self._source, begin, end)
        except FormatError as error:
            self._problems.add(
                "error", tr("traces that cannot be read"), begin, tr("this is not a trace: {error}", error=error.text)
            )
            return
        gathered = self._gatherer.gathered
        if part is not None:
            closed, stopped = self._take(part)
        else:
            read_all = self._by_several if divides(self._pool, end - start) else self._by_one
            closed, stopped = read_all(start, end, tell)
        tell(end)
        if not closed and not self._bare(start, begin, stopped, end):
            text = plural(
                "the trace is truncated here; the {count:,} complete event before it is shown",
                "the trace is truncated here; the {count:,} complete events before it are shown",
                count=gathered.count,
            )
            self._problems.add("error", tr("truncated traces"), stopped, text)

    def _by_one(self, start: int, end: int, tell: Callable[[int], None]) -> tuple[bool, int]:
        """Collects the events of the array at ``start``; (whether it is closed, where reading stopped)."""
        decoder, gathered = self._gatherer.decoder, self._gatherer.gathered
        records: Records[Event] = Records(
            self._source,
            start,
            end,
            problems=self._problems,
            decode=decoder.decode,
            rescue=decoder.rescue,
            plain=decoder.plain,
            scan=self._gatherer.scan,
            first=gathered.count,
        )
        for piece in records:
            self._gatherer.gather(records, piece)
            if len(gathered.pieces) in PIECES_SEEN:
                gathered.expect(piece.offset + piece.size - start, end - start)
            tell(piece.offset + piece.size)
        gathered.count = records.count
        return records.closed, records.end

    def _by_several(self, start: int, end: int, tell: Callable[[int], None]) -> tuple[bool, int]:
        """The same in stretches."""
        closed, stopped = False, start
        mode = mode_of(self._gatherer.decoder.exact)
        parts = chained(self._pool, TASK, self._source, start, end, mode, tell)
        for number, part in enumerate(parts):
            if number == 1:  # the helpers are busy
                from app.formats.ascend_trace import assemble  # noqa: F401
            closed, stopped = self._take(part)
            if number in STRETCHES_SEEN:
                self._gatherer.gathered.expect(stopped - start, end - start)
        return closed, stopped

    def _take(self, part: TracePart) -> tuple[bool, int]:
        """Adds the events of a part; (whether the array is closed, where reading stopped)."""
        self._gatherer.gathered.extend(part.gathered())
        self._problems.replay(part.passage.problems)
        self._gatherer.decoder.exact = part.passage.mode == EXACT
        return part.passage.closed, part.passage.end.end

    def _bare(self, start: int, begin: int, stopped: int, end: int) -> bool:
        """Whether the trace is a bare array, whose closing bracket is optional."""
        around = self._source.read(begin, min(start - begin, 64)).lstrip(b"\xef\xbb\xbf \t\r\n")
        rest = self._source.read(stopped, min(end - stopped, 64))
        return around.startswith(b"[") and not rest.strip()

    def timeline(self, file: int) -> Timeline | None:
        """The timeline of the collected events; None if it is empty."""
        return timeline_of(self._gatherer.gathered, file, self._problems)


def timeline_of(gathered: Gathered, file: int, problems: Problems) -> Timeline | None:
    """The timeline of ``gathered``, whose columns are released; None if it is empty. ``file``: its number in the
    profile. Events that are not shown are reported."""
    from app.formats.ascend_trace.assemble import Assembler  # needed only now

    offset, size, first = np.array(gathered.pieces, np.int64).reshape(-1, 3).T
    assembler = Assembler(gathered)
    timeline = assembler.timeline(Pieces(file, sealed(offset), sealed(size), sealed(first)))
    _report_dropped(assembler.dropped, gathered, problems)
    if assembler.undocumented:
        text = plural(
            "{count:,} TRACE_START or TRACE_STOP event is shown on a separate lane, because pairing is not documented",
            "{count:,} TRACE_START or TRACE_STOP events are shown on separate lanes, because pairing is not documented",
            count=assembler.undocumented,
        )
        problems.add("info", tr("traces with undocumented events"), None, text)
    shown = len(timeline.slices.start) + len(timeline.counters.time)
    return timeline if shown else None


def _report_dropped(dropped: Dropped, gathered: Gathered, problems: Problems) -> None:
    for reason, phases in (
        (tr("counter without a number"), {"C": gathered.counters.bad}),
        (tr("metadata not about lanes"), {"M": gathered.metadata.other}),
        (tr("kind that is not drawn"), gathered.ignored),
    ):
        for phase, count in phases.items():
            if count:
                dropped.counts[reason, phase] += count
    if len(dropped):
        text = plural(
            "{count:,} event is not shown: {reasons}",
            "{count:,} events are not shown: {reasons}",
            count=len(dropped),
            reasons=joined("; ", dropped.reasons()),
        )
        problems.add("info", tr("traces with hidden events"), None, text)


def name_of(path: Path) -> str:
    """The name of the profile: with the folder where the file has the default name."""
    return f"{path.parent.name}/{path.name}" if path.name == "trace.json" and path.parent.name else path.name


KEY = re.compile(rb'"traceEvents"\s{0,64}:\s{0,64}\Z')
_BEFORE = 160
_MAX_ARRAYS = 100_000


def events_array(source: Source, begin: int, end: int) -> int:
    """The offset just after the ``[`` of ``traceEvents``, or of a text that is a bare array. Raises FormatError if the
    text ``begin`` .. ``end`` of ``source`` has neither."""
    start = text_start(source, begin, end)
    scanner = Scanner(start, wanted=b"[{")
    before, seen = b"", 0
    for offset, chunk in source.chunks(65536, start, end):
        text = before + chunk
        base = offset - len(before)
        marks = scanner.feed(chunk)
        for at in marks.at[(marks.depth < 2) & (marks.byte == OPEN_ARRAY)].tolist():
            if not text[: at - base].strip() and base == start:
                return int(at) + 1
            if KEY.search(text, max(0, at - base - _BEFORE), at - base):
                return int(at) + 1
            seen += 1
        if scanner.depth <= 0 or seen > _MAX_ARRAYS:
            break
        before = text[-_BEFORE:]
    raise FormatError(tr("it contains no traceEvents array"), path=str(source.path), offset=begin)


def clocked(timeline: Timeline, operator: Operator | None, target: Target | None) -> Timeline:
    """A timeline in cycles with the clock of the profile, if it is as long as the operator by that clock (Ascend
    operator reports, section 5, rule 4); any other unchanged."""
    if timeline.basis != "words":
        return timeline
    length = task_time(timeline, operator, target)
    if length is None or length.longer or not length.clock_hz:
        return timeline
    return replace(timeline, seconds_per_unit=1 / length.clock_hz)


SEARCHED: Final = 8 << 20
"""Bytes in which the array of events begins."""
TRIED: Final = (4 << 20, 32 << 20)
"""Bytes of the array that are read: the second where the first hold nothing that can be shown."""


def preview(sources: Sequence[Source]) -> Iterator[ReaderEvent]:
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
