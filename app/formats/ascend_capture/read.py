"""Reads the files of a run into one profile: those of each rank, then all ranks as one, with a cluster's output."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from app.formats.ascend_capture import cluster as cluster_files
from app.formats.ascend_capture import timelines
from app.formats.ascend_capture.cluster import Cluster
from app.formats.ascend_capture.files import HEAD_BYTES, beside, natural, others_beside, split
from app.formats.ascend_capture.identity import RankData, RankFacts
from app.formats.ascend_capture.joining import stacked
from app.formats.ascend_capture.kinds import CLUSTER_KINDS, TRACE_NAME, kind_of
from app.formats.ascend_capture.merging import disagreements, merged
from app.formats.ascend_capture.rank_text import File, Reading, TextRank
from app.formats.ascend_capture.run_sections import capture_of, entries_of, missing, tables_of, with_host_times
from app.formats.ascend_capture.timelines import with_memory
from app.formats.errors import FormatError
from app.formats.events import Began, Deferred, Pace, SectionReady, Sink
from app.formats.json.problems import Problems
from app.formats.pool import ALONE, Pool
from app.formats.source import Source, Unreadable
from app.language import plural, tr, untranslated
from app.profile.ascend_capture import BOTH, CLUSTER, DATABASE, TEXT, MemoryRecord, TrainingSteps
from app.profile.ascend_report import NOT_READ, SHOWN, TIMELINE
from app.profile.issue import Issue
from app.profile.profile import Section
from app.profile.timeline import Timeline

if TYPE_CHECKING:
    from app.formats.ascend_capture.database_analysis import ClusterRows

PHASE: Final = tr("reading the capture")
NAMED: Final = 12


class Rank(Struct):
    """A rank whose files are read. ``name``: of its folder; ``mode``: as in Capture."""

    name: str
    mode: int
    data: RankData
    traces: list[File]
    files: list[File]

    @property
    def number(self) -> int:
        return self.data.facts.rank

    @property
    def holds_anything(self) -> bool:
        """Whether there is more to show of it than its number: at least how it was captured."""
        facts, data = self.data.facts, self.data
        return bool(facts.level or facts.version or data.sections or data.tables or data.timeline or self.traces)

    @property
    def label(self) -> str:
        """What it is called in a message."""
        if self.number >= 0:
            return tr("Rank {rank}", rank=self.number)
        device = self.data.facts.device
        return tr("Device {device}", device=device) if device >= 0 else self.name


def read(sources: Sequence[Source], sink: Sink, pool: Pool = ALONE) -> None:
    """Sends one profile for all ``sources`` together. Raises FormatError where none of them is of a capture, or nothing
    of it can be read."""
    files = classified(sources)
    if all(file.kind is None for file in files):
        error = next((source.error for source in sources if isinstance(source, Unreadable)), None)
        raise error or FormatError(tr("this file is not part of an Ascend capture"), path=str(sources[0].path))
    started = Deferred(sink)
    _Run(files, started, pool).read()
    if started.waiting:
        failed = next((issue for issue in started.issues if issue.severity == "error"), None)
        reason = tr("the files of this capture hold nothing that can be shown") if failed is None else failed.text
        raise FormatError(reason, path=str(sources[0].path))


def classified(sources: Sequence[Source]) -> list[File]:
    """The files with their kinds, and their names below the folder that holds them all."""
    top = _top([source.path for source in sources])
    files = []
    for number, source in enumerate(sources):
        path = source.path
        kind = None
        if not isinstance(source, Unreadable):
            kind = kind_of(source.head(HEAD_BYTES), path)
            if kind is None and TRACE_NAME.fullmatch(path.name):
                kind = "trace"
        files.append(File(path.relative_to(top).as_posix(), kind, source, number))
    return files


def _top(paths: Sequence[Path]) -> Path:
    """The folder that holds all files; the root of a relative or absolute path if there is no other."""
    parts = [path.parent.parts for path in paths]
    length = 0
    while all(len(own) > length and own[length] == parts[0][length] for own in parts):
        length += 1
    return Path(*parts[0][:length])


class _Run:
    def __init__(self, files: Sequence[File], sink: Sink, pool: Pool) -> None:
        self._files = files
        self._sink = sink
        self._pool = pool
        self._paths = tuple(file.source.path for file in files)
        self._uses = dict.fromkeys(range(len(files)), NOT_READ)
        by_path = {file.source.path: file for file in files}
        self._units = [(root, [by_path[path] for path in own]) for (root, _), own in split(self._paths).items()]
        self._name = self._named()
        self._reading = Reading(sink, Pace(sink, sum(file.source.size for file in files), PHASE))

    def _named(self) -> str:
        """Of the profile: the file, the folder of the rank, or that of the run, with its first rank where the folder
        holds another run."""
        roots = sorted({root.absolute() for root, own in self._units if _has_rank(own)}, key=_by_name)
        roots = roots or [self._units[0][0].absolute()]
        if len(self._paths) == 1:
            return self._paths[0].name
        name = (roots[0] if len(roots) == 1 else roots[0].parent).name or self._paths[0].name
        if len(roots) > 1 and others_beside(roots):
            return f"{name} ({roots[0].name} …)"
        return name

    def read(self) -> None:
        """Sends everything."""
        self._sink(Began(self._name, self._paths))
        self._report_unreadable()
        units = sorted(self._units, key=lambda unit: natural(unit[0].as_posix()))
        ranks = [rank for root, own in units if _has_rank(own) for rank in self._ranks(root, own)]
        cluster = self._cluster()
        known = {rank.number for rank in ranks}
        for number in cluster.numbers():
            if number not in known:
                facts = RankFacts(
                    rank=number, device=cluster.devices.get(number, -1), host=cluster.hosts.get(number, "")
                )
                ranks.append(Rank("", CLUSTER, RankData(facts=facts), [], []))
        ranks.sort(key=lambda rank: (rank.number < 0, rank.number, rank.data.facts.device))
        numbers = {rank.number: row for row, rank in enumerate(ranks)}
        if not (cluster.sections or any(rank.holds_anything for rank in ranks)):
            return
        self._send(capture_of([(rank.data.facts, rank.name, rank.mode) for rank in ranks], cluster.groups))
        steps = self._send_sections(ranks, cluster, numbers)
        tables = tables_of([rank.data for rank in ranks], cluster.tables)
        if tables is not None:
            self._send(tables)
        self._send_timeline(ranks, steps)
        if len(self._files) > 1 or self._files[0].kind in ("info", "metadata"):
            for text in missing([(rank.label, rank.data, bool(rank.traces)) for rank in ranks if rank.files]):
                self._sink(Issue("warning", self._name, text))
        self._uses.update((number, SHOWN) for number in self._reading.read if self._uses[number] == NOT_READ)
        if len(self._files) > 1:
            self._report_beside()
        self._send(entries_of(self._files, self._uses))
        self._report_unread()

    def _send(self, section: Section) -> None:
        self._sink(SectionReady(section))

    def _ranks(self, root: Path, files: list[File]) -> list[Rank]:
        """The rank that has a folder; of a capture of msprof, one for each device."""
        own = [file for file in files if file.kind not in CLUSTER_KINDS]
        stored = [file for file in own if file.kind == "database"]
        written = [file for file in own if file.kind != "database"]
        data, *others = TextRank(root.absolute(), written, self._reading).data()
        traces = self._reading.current([file for file in own if file.kind == "trace"])
        mode = TEXT
        if stored:
            database = _database_of(stored, self._reading)
            if database is not None:
                has_text = bool(data.sections) or bool(traces)
                mode = BOTH if has_text else DATABASE
                for text in disagreements(data, database):
                    self._sink(Issue("warning", stored[0].name, text))
                data, others = merged(data, database), _beside(others, database.others)
        name = root.absolute().name
        beside = [Rank(name, mode, device, [], []) for device in others]
        return [Rank(name, mode, data, traces, own), *beside]

    def _cluster(self) -> Cluster:
        """What the files of a cluster's output hold."""
        made, reading = Cluster(), self._reading

        def communication(file: File, problems: Problems) -> None:
            made.add_communication(file.source, problems, reading.moved)

        def matrix(file: File, problems: Problems) -> None:
            made.add_matrix(file.source, problems, reading.moved)

        for file in sorted(self._files, key=lambda file: file.kind == "cluster_database"):
            match file.kind:
                case "cluster_steps":
                    sheet = reading.sheet([file], cluster_files.kind_of)
                    if sheet is not None:
                        made.add_steps(sheet)
                case "cluster_communication":
                    reading.take_json(file, communication)
                case "cluster_matrix":
                    reading.take_json(file, matrix)
                case "cluster_groups":
                    made.add_groups(reading.json(file))
                case "cluster_database":
                    rows = _cluster_rows(file, reading)
                    if rows is not None:
                        made.add_rows(rows.sections, rows.groups, rows.devices, rows.hosts)
                case _:
                    pass
        return made

    def _send_sections(
        self, ranks: Sequence[Rank], cluster: Cluster, numbers: dict[int, int]
    ) -> list[tuple[int, TrainingSteps]]:
        """Sends what is known of all ranks; returns the steps, which wait for the timeline."""
        by_type: dict[type[Section], list[tuple[int, Section]]] = {}
        own: dict[type[Section], set[int]] = {}
        for row, rank in enumerate(ranks):
            for section in rank.data.sections:
                by_type.setdefault(type(section), []).append((row, section))
                own.setdefault(type(section), set()).add(rank.number)
        for text in cluster.disagreements({rank.number: rank.data for rank in ranks}):
            self._sink(Issue("warning", self._name, text))
        for section in cluster.placed(numbers, own):
            by_type.setdefault(type(section), []).append((-1, section))
        steps = by_type.pop(TrainingSteps, [])
        for sections in by_type.values():
            self._send(stacked(sections))  # type: ignore[type-var]
        return [(row, section) for row, section in steps if isinstance(section, TrainingSteps)]

    def _send_timeline(self, ranks: Sequence[Rank], steps: Sequence[tuple[int, TrainingSteps]]) -> None:
        lines: list[timelines.Part] = []
        spans: dict[int, dict[int, tuple[int, int]]] = {}
        before, first = 0, -1
        for row, rank in enumerate(ranks):
            timeline = rank.data.timeline
            traced = self._trace(rank.traces) if rank.traces else None
            if traced is not None:
                timeline = traced
                self._uses.update((file.number, TIMELINE) for file in rank.traces)
                first = rank.traces[0].number if first < 0 else first
            if timeline is not None:
                for section in rank.data.sections:
                    if isinstance(section, MemoryRecord):
                        timeline = with_memory(timeline, section)
                lines.append(timelines.Part(untranslated(rank.label), timeline, before))
                spans[row] = timelines.host_steps(timeline)
            if traced is not None:
                before += sum(file.source.size for file in rank.traces)
        if steps:
            made = [(row, with_host_times(section, spans.get(row, {}))) for row, section in steps]
            self._send(stacked(made))
        whole = timelines.together(lines)
        if whole is not None and whole.pieces is not None:
            whole = replace(whole, pieces=replace(whole.pieces, file=max(first, 0)))
        if whole is not None:
            self._send(whole)

    def _trace(self, traces: Sequence[File]) -> Timeline | None:
        """The timeline of the traces of one rank; None if there is none, which is reported."""
        problems = Problems(self._sink, traces[0].name)
        try:
            sources = [file.source for file in traces]
            made = timelines.of_traces(sources, problems, self._reading.moved, self._pool)
            if made is None:
                self._sink(Issue("info", traces[0].name, tr("the trace contains no events that can be shown")))
                self._reading.read.update(file.number for file in traces)
            return made
        except FormatError as error:
            problems.add("error", tr("files that cannot be read"), error.offset, error.text)
            return None
        finally:
            problems.finish()
            self._reading.done += sum(file.source.size for file in traces)

    def _report_beside(self) -> None:
        roots = list(dict.fromkeys(root.absolute() for root, own in self._units if _has_rank(own)))
        problems = Problems(self._sink, self._name)
        if roots and len({root.parent for root in roots}) == 1:
            for text in beside(roots):
                problems.add("info", tr("captures that are not part of this run"), None, text)
        problems.finish()

    def _report_unreadable(self) -> None:
        problems = Problems(self._sink, self._name)
        for file in self._files:
            if isinstance(file.source, Unreadable):
                text = tr("{name} cannot be read: {error}", name=file.name, error=file.source.error.text)
                problems.add("error", tr("files that cannot be read"), None, text)
        problems.finish()

    def _report_unread(self) -> None:
        unread = [
            file.name
            for file in self._files
            if self._uses[file.number] == NOT_READ and not isinstance(file.source, Unreadable)
        ]
        if unread:
            text = plural(
                "{count:,} file was not read: {names}{more}",
                "{count:,} files were not read: {names}{more}",
                count=len(unread),
                names=", ".join(unread[:NAMED]),
                more=" …" if len(unread) > NAMED else "",
            )
            self._sink(Issue("info", self._name, text))


def _has_rank(files: Sequence[File]) -> bool:
    """Whether some of these files are of a rank, and not of a cluster's output."""
    return any(file.kind is not None and file.kind not in CLUSTER_KINDS for file in files)


def _beside(text: Sequence[RankData], database: Sequence[RankData]) -> list[RankData]:
    """Further devices of a folder, by both kinds of files."""
    devices = {own.facts.device: own for own in text}
    for own in database:
        before = devices.get(own.facts.device)
        devices[own.facts.device] = own if before is None else merged(before, own)
    return [*devices.values()]


def _by_name(path: Path) -> list[tuple[int, str]]:
    return natural(path.as_posix())


def _cluster_rows(file: File, reading: Reading) -> ClusterRows | None:
    """What the database of a cluster's output holds; None where it cannot be read, which is reported."""
    from app.formats.ascend_capture.database_analysis import read_cluster as rows_of

    made: list[ClusterRows] = []
    reading.take_json(file, lambda file, _: made.append(rows_of(file.source.path, reading.sink, reading.moved)))
    return made[0] if made else None


def _database_of(files: Sequence[File], reading: Reading) -> RankData | None:
    """What the databases of one rank hold; None where none can be read, which is reported."""
    from app.formats.ascend_capture.database import read_database

    readable = [file for file in files if not isinstance(file.source, Unreadable)]
    if not readable:
        return None
    try:
        data = read_database([file.source.path for file in readable], reading.sink, reading.moved)
        reading.read.update(file.number for file in readable)
        return data
    except FormatError as error:
        problems = Problems(reading.sink, readable[0].name)
        problems.add("error", tr("files that cannot be read"), error.offset, error.text)
        return None
    finally:
        reading.done += sum(file.source.size for file in readable)
