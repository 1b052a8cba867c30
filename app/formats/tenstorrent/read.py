"""Reads the files of a Tenstorrent capture into one profile, each as far as it can be read (Tenstorrent, section 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from app.formats.errors import FormatError
from app.formats.events import Began, Deferred, Event, Pace, SectionReady, Sink
from app.formats.format import Details
from app.formats.json.problems import Problems
from app.formats.source import Source, Unreadable
from app.formats.tenstorrent import HEAD_BYTES, ORDER, Kind, kind_of, root_of
from app.formats.tenstorrent.assemble import Cores, Together, device_run, keys_of, source_lines
from app.formats.tenstorrent.device_log import DeviceLog, Rows
from app.formats.tenstorrent.zones import ZoneReader
from app.language import Text, plural, tr
from app.profile.profile import Profile, Section, Target
from app.profile.strings import Interner
from app.profile.tenstorrent import Operations

if TYPE_CHECKING:
    from app.formats.tenstorrent.memory import MemoryReport
    from app.formats.tenstorrent.noc import NocReader

PHASE: Final = tr("reading the capture")
KIND: Final = "Tenstorrent"
BEGINNING: Final = 1 << 20
"""Bytes of a device log that a preview shows."""


def read(sources: Sequence[Source], sink: Sink) -> None:
    """Reads one profile. FormatError if none of the files can be read."""
    _Reading(sources, sink).run()


def name_of(sources: Sequence[Source]) -> str:
    """The folder of several files, the name of one."""
    return sources[0].path.name if len(sources) == 1 else root_of(sources[0].path).name


class _Reading:
    def __init__(self, sources: Sequence[Source], sink: Sink) -> None:
        self._sources = sources
        self._sink = Deferred(sink)
        self._pace = Pace(sink, sum(source.size for source in sources), PHASE)
        self._done = 0
        self._strings = Interner()
        self._cores = Cores(self._look)
        self._rows: Rows | None = None
        self._operations: Operations | None = None
        self._memory: MemoryReport | None = None
        self._noc: NocReader | None = None
        self._errors: list[FormatError] = []
        self._arch = ""
        self._clock: float | None = None

    def run(self) -> None:
        self._sink(Began(name_of(self._sources), tuple(source.path for source in self._sources)))
        by_kind: dict[Kind, list[tuple[int, Source]]] = {}
        for number, source in enumerate(self._sources):
            kind = self._kind(source)
            if kind is not None:
                by_kind.setdefault(kind, []).append((number, source))
        for kind in ORDER:
            if kind in by_kind:
                self._take(kind, by_kind[kind])
        if all(part is None for part in (self._rows, self._operations, self._memory, self._noc)):
            raise self._errors[0] if self._errors else FormatError(tr("the capture is empty"))
        self._finish()

    def _kind(self, source: Source) -> Kind | None:
        if isinstance(source, Unreadable):
            self._fail(source, source.error)
            return None
        kind = kind_of(source.head(HEAD_BYTES))
        if kind is None:
            self._fail(source, FormatError(tr("this is not a file of a Tenstorrent capture"), path=str(source.path)))
        return kind

    def _fail(self, source: Source, error: FormatError) -> None:
        self._errors.append(error)
        Problems(self._sink, source.path.name).add("error", tr("files that cannot be read"), error.offset, error.text)

    def _take(self, kind: Kind, files: list[tuple[int, Source]]) -> None:
        """Reads the files of one kind; those that cannot be read are reported."""
        for number, source in files:
            try:
                self._one(kind, number, source)
            except FormatError as error:
                self._fail(source, error)
            self._done += source.size

    def _one(self, kind: Kind, number: int, source: Source) -> None:
        if kind == "log":
            problems = Problems(self._sink, source.path.name)
            rows = DeviceLog(source, problems).read(self._tick)
            problems.finish()
            self._rows = replace(rows, pieces=replace(rows.pieces, file=number))
            self._arch, self._clock = rows.head.arch, rows.head.clock_hz
        elif kind == "operations":
            from app.formats.csv.lines import LineProblems
            from app.formats.tenstorrent.operations import arch_of, clock_of, read_operations

            lines = LineProblems(self._sink, source.path.name)
            self._operations = read_operations(source, lines, self._tick)
            lines.finish()
            self._arch, self._clock = arch_of(self._operations), clock_of(self._operations)
        elif kind == "report":
            from app.formats.tenstorrent.memory import read_report

            self._memory = read_report(source.path, self._sink, self._tick)
        else:
            from app.formats.tenstorrent.noc import NocReader

            problems = Problems(self._sink, source.path.name)
            self._noc = self._noc or NocReader()
            self._noc.read(kind, source, problems, self._tick)
            problems.finish()

    def _tick(self, offset: int) -> None:
        self._pace(self._done + offset)

    def _look(self) -> None:
        self._pace(self._done)

    def _finish(self) -> None:
        """Sends what the files make together."""
        rows, sink = self._rows, self._sink
        reader = None if rows is None else ZoneReader(rows, self._strings, self._look)
        if reader is not None:
            self._cores.add(keys_of(reader))
        for part in (self._memory, self._noc):
            if part is not None:
                part.announce(self._cores)
        together = Together(reader, rows, self._operations, self._strings, self._look)
        timeline, lanes, of_slices = together.timeline(
            self._clock,
            None if rows is None else rows.pieces,
            None if self._noc is None or rows is not None else self._noc.lanes(self._strings, self._look),
        )
        sink(SectionReady(Target(kind=KIND, clock_hz=self._clock, soc=self._arch or None)))
        sink(SectionReady(self._cores.section(reader)))
        if self._operations is not None:
            sink(SectionReady(self._operations))
        if timeline is not None:
            sink(SectionReady(timeline))
        if timeline is not None or rows is not None:
            run = device_run(self._arch, self._strings, self._clock, rows, reader, self._cores, (lanes, of_slices))
            sink(SectionReady(run))
            lines = source_lines(run.zones, run.strings)
            if lines is not None:
                sink(SectionReady(lines))
        for part in (self._memory, self._noc):
            if part is not None:
                sink(SectionReady(part.section(self._cores)))
        self._say(reader, together.devices)

    def _say(self, reader: ZoneReader | None, devices: int) -> None:
        """What must be known of the timeline."""
        problems = Problems(self._sink, name_of(self._sources))
        if devices > 1:
            text = tr("the devices count cycles from different moments; each begins at its own first cycle")
            problems.add("info", tr("devices without a common clock"), None, text)
        if reader is not None and reader.unended:
            text = plural(
                "{count:,} zone has no end (the buffer was full, or the log ends); it is drawn up to the last time of "
                "its processor and not counted",
                "{count:,} zones have no end (the buffer was full, or the log ends); they are drawn up to the last "
                "time of their processor and not counted",
                count=reader.unended,
            )
            problems.add("warning", tr("zones without an end"), None, text)
        if reader is not None and reader.unbegun:
            text = plural(
                "{count:,} end of a zone has no start and is not shown",
                "{count:,} ends of zones have no start and are not shown",
                count=reader.unbegun,
            )
            problems.add("warning", tr("ends of zones without a start"), None, text)


def preview(sources: Sequence[Source]) -> Iterator[Event]:
    """The first zones of a device log, and the first operations of a report, if there are any."""
    kinds = {kind_of(one.head(HEAD_BYTES)): one for one in sources if not isinstance(one, Unreadable)}
    begun = False
    for kind, make in (("log", _first_zones), ("report", _first_operations)):
        for section, portion in make(kinds[kind]) if kind in kinds else ():
            if not begun:
                yield Began(name_of(sources), tuple(one.path for one in sources), preview=True)
            begun = True
            yield SectionReady(section, preview=True, portion=portion)


def _first_zones(source: Source) -> Iterator[tuple[Section, Text]]:
    rows = DeviceLog(source, Problems(lambda _: None, "")).read(lambda _: None, BEGINNING)
    strings = Interner()
    reader = ZoneReader(rows, strings, lambda: None)
    timeline, _, _ = Together(reader, rows, None, strings).timeline(rows.head.clock_hz, None)
    if timeline is not None:
        count = len(timeline.slices.start)
        yield timeline, plural("the first {count:,} slice", "the first {count:,} slices", count=count)


def _first_operations(source: Source) -> Iterator[tuple[Section, Text]]:
    from app.formats.tenstorrent.memory import FIRST, read_report

    report, cores = read_report(source.path, lambda _: None, lambda _: None, FIRST), Cores()
    report.announce(cores)
    made = report.section(cores)
    if len(made):
        portion = plural("the first {count:,} operation", "the first {count:,} operations", count=len(made))
        yield cores.section(None), portion
        yield made, portion


def record(source: Source, profile: Profile, ordinal: int) -> Details:
    """The row of the device log that a slice begins with, by the titles of the file. Raises FormatError where it cannot
    be read again."""
    pieces = None if profile.timeline is None else profile.timeline.pieces
    place = -1 if pieces is None else int(pieces.first.searchsorted(ordinal, "right")) - 1
    if pieces is None or place < 0:
        raise FormatError(tr("this timeline does not contain the offsets of its events"), path=str(source.path))
    head = DeviceLog(source, Problems(lambda _: None, "")).head
    lines = source.read(int(pieces.offset[place]), int(pieces.size[place])).split(b"\n")
    number = ordinal - int(pieces.first[place])
    if not 0 <= number < len(lines):
        raise FormatError(tr("the file changed since it was read"), path=str(source.path))
    cells = lines[number].decode("utf-8", "replace").strip("\r").split(",", len(head.titles) - 1)
    return {title: cell for title, cell in zip(head.titles, cells, strict=False) if title and cell}
