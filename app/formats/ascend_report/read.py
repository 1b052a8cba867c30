"""Reads a folder or a pack: one profile for it, made of all its files, and one for each pack inside."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.formats.ascend_report import metrics, traces
from app.formats.ascend_report.emulate import with_curves
from app.formats.ascend_report.files import folder_name, members_of, stem
from app.formats.ascend_report.members import KINDS, Member, Pack, is_pack, read_pack
from app.formats.ascend_report.operator import COMPLETED
from app.formats.ascend_trace.read import clocked
from app.formats.errors import FormatError
from app.formats.events import Began, Deferred, Event, Pace, Progress, SectionReady, Sink
from app.formats.json.problems import Problems
from app.formats.pool import ALONE, Pool
from app.formats.source import Excerpt, Source
from app.language import plural, tr
from app.profile.arrays import sealed
from app.profile.ascend import Operator, RawBlocks
from app.profile.ascend_report import COVERED, NOT_READ, PROFILE, SAME, SHOWN, TIMELINE, Entries, ReportTables
from app.profile.issue import Issue
from app.profile.profile import Section, Target
from app.profile.strings import Interner
from app.profile.timeline import Timeline

NAMED: Final = 12
"""Files that are named in one issue."""
MOST_TABLES: Final = 1000
"""A report of a kernel has some dozens of tables."""
PHASE: Final = tr("reading the report")
TRACE_BLOCK: Final = 0x02
UNVERIFIED: Final = tr(
    "the layout of npu-rep was not verified with a file from a device; compare important values with the tool that "
    "wrote it"
)


class Report:
    """Reads the members of one report into one profile."""

    def __init__(self, sink: Sink, name: str, paths: tuple[Path, ...], pool: Pool, *, fixed: bool = False) -> None:
        """``name``: of the profile until the operator is known, or (``fixed``) in any case."""
        self._sink = Deferred(sink)
        self._paths = paths
        self._pool = pool
        self._fixed = fixed
        self._sections: dict[str, Section] = {}
        self._use: dict[str, int] = {}
        self._done = 0
        self._block_source: Source | None = None
        self.container = ""
        self.packs: set[str] = set()
        """Names of the packs inside that are profiles of their own."""
        self.problems = Problems(self._sink, _place(name, paths, fixed=fixed))
        self._sink(Began(name, paths))

    def read(self, members: Sequence[Member]) -> None:
        """Sends everything that the members hold."""
        self._pace = Pace(self._sink, sum(member.size for member in members), PHASE)
        first: dict[str, Member] = {}
        for member in members:
            first.setdefault(member.name, member)
        readable = list(first.values())
        self._announce(readable)
        self._operator([member for member in readable if member.kind == "operator"])
        self._metrics([member for member in readable if member.kind in ("csv", "json")])
        try:
            self._timeline([member for member in readable if member.kind == "trace"])
        except FormatError as error:  # the file changed while it was read
            text = tr("a trace cannot be read: {error}", error=error.text)
            self.problems.add("error", tr("files that cannot be read"), error.offset, text)
        self._send(self._entries(members))
        self._report_unread(members)
        self.problems.finish()

    def _announce(self, members: Sequence[Member]) -> None:
        """Names the profile after the operator in OpBasicInfo, before the large files are read."""
        self._name(next(filter(None, map(metrics.operator_name, members)), ""))

    def _name(self, name: str) -> None:
        if name and not self._fixed and self._sink.waiting:
            self._sink(Began(name, self._paths))

    def _send(self, section: Section) -> None:
        if isinstance(section, Operator):
            self._name(section.name)
        self._sink(SectionReady(section))

    def _tick(self, done: int) -> None:
        self._pace(self._done + done)

    def _operator(self, files: Sequence[Member]) -> None:
        """Reads the first operator file (visualize_data.bin) that can be read."""
        from app.formats.ascend_bin.reader import read as read_operator

        for member in files:
            try:
                read_operator([member.window()], _Forwarded(self, member), self._pool)
            except FormatError as error:
                text = tr("{name} cannot be read: {error}", name=member.name, error=error.text)
                self.problems.add("error", tr("files that cannot be read"), error.offset, text)
                continue
            self._done += member.size
            self._use[member.name] = SHOWN
            return

    def take(self, event: Event, member: Member) -> None:
        """An event of the reader of an operator file, as an event of this report."""
        match event:
            case Began():
                pass
            case Progress(done):
                self._tick(done)
            case SectionReady(section):
                placed = moved(section, member)
                self._sections[placed.SECTION] = placed
                if isinstance(placed, Operator):
                    self._name(placed.name)
                if not isinstance(placed, COMPLETED):  # these wait for the tables
                    self._send(placed)
                if isinstance(placed, RawBlocks):
                    self._block_source = member.source
            case _:
                self._sink(event)

    def _metrics(self, files: Sequence[Member]) -> None:
        if len(files) > MOST_TABLES:
            text = tr("only the first {most:,} tables are read", most=MOST_TABLES)
            self.problems.add("warning", tr("tables that are not read"), None, text)
            files = files[:MOST_TABLES]
        made, read_names = metrics.sections_of_tables(files, self._sink, self._sections, self._tick)
        self._done += sum(member.size for member in files)
        self._use.update(dict.fromkeys(read_names, SHOWN))
        known = {kind.SECTION: self._sections.pop(kind.SECTION, None) for kind in COMPLETED}
        made += [stored for stored in known.values() if stored and stored.SECTION not in {one.SECTION for one in made}]
        for section in sorted(made, key=lambda section: section.SECTION != Operator.SECTION):
            if section.SECTION not in self._sections:
                self._sections[section.SECTION] = section
                self._send(section)

    def _timeline(self, files: Sequence[Member]) -> None:
        if Timeline.SECTION in self._sections:
            self._compare(files)
            return
        if not files:
            self._send_timeline(None)
            return
        shown = traces.chosen(files)
        problems = Problems(self._sink, self._paths[shown[0].file].name)
        timeline = traces.timeline(shown, problems, self._tick, self._pool)
        problems.finish()
        if timeline is None:
            self._use.update((member.name, SHOWN) for member in shown)
            text = tr("the trace contains no events that can be shown")
            self._sink(Issue("info", shown[0].name, text))
            return
        base, target = self._sections.get(Operator.SECTION), self._sections.get(Target.SECTION)
        timeline = clocked(
            timeline,
            base if isinstance(base, Operator) else None,
            target if isinstance(target, Target) else None,
        )
        self._use.update((member.name, COVERED) for member in files if traces.of_core(member))
        self._use.update((member.name, TIMELINE) for member in shown)
        self._send_timeline(timeline)

    def _send_timeline(self, trace: Timeline | None) -> None:
        """Sends what is drawn over time: the slices of a trace, and the curves of an emulated run."""
        tables = self._sections.get(ReportTables.SECTION)
        curved = tables.tables if isinstance(tables, ReportTables) else ()
        timeline = with_curves(trace, curved, self.problems)
        if timeline is not None:
            self._sections[timeline.SECTION] = timeline
            self._send(timeline)

    def _compare(self, files: Sequence[Member]) -> None:
        """Marks the traces that the operator file holds too; one that differs is reported."""
        whole = next(iter(traces.chosen(files)), None)
        for member in files:
            if traces.of_core(member):
                self._use[member.name] = COVERED
                continue
            if member is not whole:
                continue
            inside = self._trace_block()
            if inside is None or traces.same_bytes(inside, member.window()):
                self._use[member.name] = SAME
            else:
                text = tr(
                    "{name} differs from the trace in visualize_data.bin, which is shown; to see it, open it alone",
                    name=member.name,
                )
                self._sink(Issue("warning", member.name, text))

    def _trace_block(self) -> Source | None:
        """The trace in the operator file that was read; None if its place is not known."""
        blocks = self._sections.get(RawBlocks.SECTION)
        if not isinstance(blocks, RawBlocks) or self._block_source is None:
            return None
        rows = np.flatnonzero(blocks.type == TRACE_BLOCK)
        if len(rows) != 1:
            return None
        return Excerpt(self._block_source, int(blocks.payload[rows[0]]), int(blocks.size[rows[0]]))

    def _entries(self, members: Sequence[Member]) -> Entries:
        names = Interner()
        for member in members:
            if member.kind == "pack" and member.name in self.packs:
                self._use[member.name] = PROFILE

        def column(values: Sequence[int], dtype: type[np.generic]) -> Any:
            return sealed(np.array(values, dtype))

        return Entries(
            container=self.container,
            name=column([names(member.name) for member in members], np.int32),
            kind=column([KINDS.index(member.kind) for member in members], np.uint8),
            use=column(self._uses(members), np.uint8),
            type=column([member.type for member in members], np.int64),
            file=column([member.file for member in members], np.int32),
            header=column([member.header for member in members], np.int64),
            offset=column([member.offset for member in members], np.int64),
            size=column([member.size for member in members], np.int64),
            strings=names.strings(),
        )

    def _uses(self, members: Sequence[Member]) -> list[int]:
        """The use of each member; of several with one name only the first is read."""
        uses: list[int] = []
        names: set[str] = set()
        for member in members:
            uses.append(NOT_READ if member.name in names else self._use.get(member.name, NOT_READ))
            names.add(member.name)
        return uses

    def _report_unread(self, members: Sequence[Member]) -> None:
        unread = [member.name for member, use in zip(members, self._uses(members), strict=True) if use == NOT_READ]
        if unread:
            text = plural(
                "{count:,} file was not read: {names}{more}",
                "{count:,} files were not read: {names}{more}",
                count=len(unread),
                names=", ".join(unread[:NAMED]),
                more=" …" if len(unread) > NAMED else "",
            )
            self.problems.add("info", tr("files that were not read"), None, text)
        covered = sum(use == COVERED for use in self._use.values())
        if covered:
            text = plural(
                "{count:,} trace of a single core was not read, because the trace of the whole operator is shown",
                "{count:,} traces of single cores were not read, because the trace of the whole operator is shown",
                count=covered,
            )
            self.problems.add("info", tr("traces of single cores"), None, text)
        if self.container.startswith("npu-rep"):
            self.problems.add("info", tr("unverified layouts"), None, UNVERIFIED)


def _place(name: str, paths: Sequence[Path], *, fixed: bool) -> str:
    """The ``where`` of issues about a report: its file, the pack in it, or the folder."""
    if len(paths) > 1:
        return name
    return f"{paths[0].name}: {name}" if fixed else paths[0].name


class _Forwarded:
    """The sink of the reader of an operator file inside a report."""

    def __init__(self, report: Report, member: Member) -> None:
        self._report = report
        self._member = member

    def __call__(self, event: Event) -> None:
        self._report.take(event, self._member)


DEEPEST: Final = 8
MOST_PACKS: Final = 1024
"""Limits on packs inside packs; a report has some dozens of kernels."""


def read(sources: Sequence[Source], sink: Sink, pool: Pool = ALONE) -> None:
    """Sends one profile for all ``sources`` together, or for a pack one for it and for each pack inside. Raises
    FormatError where the only file is a pack whose head cannot be used."""
    if len(sources) == 1 and is_pack(sources[0].head(8)):
        packs = _Packs(sources[0], sink, pool)
        packs.open(0, sources[0].size, stem(sources[0].path.name), 0)
        for each in packs.opened:
            each.report.read(each.pack.members)
        return
    report = Report(sink, folder_name(sources), tuple(source.path for source in sources), pool)
    report.read(members_of(sources, report.problems))


class _Opened(Struct, frozen=True, eq=False):
    """A pack whose table of entries was read, and the report that its profile becomes."""

    pack: Pack
    report: Report


class _Packs:
    """The packs of a file. ``opened``: in the order of their profiles; a pack that holds only packs comes after
    those."""

    def __init__(self, source: Source, sink: Sink, pool: Pool) -> None:
        self.opened: list[_Opened] = []
        self._source = source
        self._sink = sink
        self._pool = pool
        self._count = 0

    def open(self, offset: int, size: int, name: str, depth: int) -> None:
        """Reads the tables of entries of a pack and of those inside it. FormatError if its head cannot be used."""
        self._count += 1
        report = Report(self._sink, name, (self._source.path,), self._pool, fixed=depth > 0)
        pack = read_pack(self._source, 0, offset, size, report.problems)
        report.container = pack.head.variant
        nested = [member for member in pack.members if member.kind == "pack"]
        last = bool(nested) and len(nested) == len(pack.members)
        if not last:
            self.opened.append(_Opened(pack, report))
        for member in nested:
            self._inside(member, report, depth)
        if last:
            self.opened.append(_Opened(pack, report))

    def _inside(self, member: Member, report: Report, depth: int) -> None:
        if depth == DEEPEST or self._count >= MOST_PACKS:
            text = tr("{name} is not opened: packs are nested too deeply, or there are too many", name=member.name)
            report.problems.add("warning", tr("packs that are not opened"), member.offset, text)
            return
        try:
            self.open(member.offset, member.size, stem(member.name), depth + 1)
            report.packs.add(member.name)
        except FormatError as error:
            text = tr("{name} cannot be opened: {error}", name=member.name, error=error.text)
            report.problems.add("error", tr("packs that cannot be opened"), member.offset, text)


def moved(section: Section, member: Member) -> Section:
    """``section``, read from ``member``, with the places that it holds counted from the beginning of the file that has
    the member."""
    offset, file = member.offset, member.file
    match section:
        case Timeline(pieces=pieces) if pieces is not None:
            return replace(section, pieces=replace(pieces, file=file, offset=sealed(pieces.offset + offset)))
        case RawBlocks():
            begin, payload = sealed(section.offset + offset), sealed(section.payload + offset)
            return replace(section, offset=begin, payload=payload, inside=member.name, file=file)
        case _:
            return section
