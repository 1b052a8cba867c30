"""Reads the files of a run into one profile: each rank's, then all ranks as one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from msgspec.structs import replace

from app.formats.ascend_capture import timelines
from app.formats.ascend_capture.files import HEAD_BYTES, natural, root_of
from app.formats.ascend_capture.joining import Texts, stacked
from app.formats.ascend_capture.kinds import TRACE_NAME, kind_of
from app.formats.ascend_capture.rank import RankData
from app.formats.ascend_capture.rank_text import File, TextRank
from app.formats.errors import FormatError
from app.formats.events import Began, Pace, SectionReady, Sink
from app.formats.json.problems import Problems
from app.formats.pool import ALONE, Pool
from app.formats.source import Source, Unreadable
from app.language import plural, tr
from app.profile.arrays import sealed
from app.profile.ascend_capture import Capture, Groups, TrainingSteps
from app.profile.ascend_report import NOT_READ, SHOWN, TIMELINE, Entries, ReportTable, ReportTables
from app.profile.issue import Issue
from app.profile.profile import Section
from app.profile.strings import Interner
from app.profile.timeline import Timeline

PHASE: Final = tr("reading the capture")
NAMED: Final = 12
_CSV, _JSON, _DATABASE, _TRACE, _OTHER = 3, 4, 5, 2, 8
"""Indices of KIND_NAMES."""


def read(sources: Sequence[Source], sink: Sink, pool: Pool = ALONE) -> None:
    """Sends one profile for all ``sources`` together. Raises FormatError where none of them is of a capture."""
    run = _Run(sources, sink, pool)
    run.read()


class _Run:
    def __init__(self, sources: Sequence[Source], sink: Sink, pool: Pool) -> None:
        self._sources = sources
        self._sink = sink
        self._pool = pool
        self._paths = tuple(source.path for source in sources)
        self._uses = dict.fromkeys(range(len(sources)), NOT_READ)
        self._files = self._classified()
        if all(file.kind is None for file in self._files):
            raise FormatError(tr("this is no file of a capture"), path=str(self._paths[0]))
        roots = sorted({root_of(path.absolute()) for path in self._paths}, key=lambda root: natural(root.as_posix()))
        self._roots = roots
        self._name = _name(roots, self._paths)
        sink(Began(self._name, self._paths))
        self._pace = Pace(sink, sum(source.size for source in sources), PHASE)
        self._done = 0

    def _classified(self) -> list[File]:
        top = _top(self._paths)
        files = []
        for number, source in enumerate(self._sources):
            path = source.path
            name = path.relative_to(top).as_posix() if top is not None and path.is_relative_to(top) else path.name
            kind = None
            if not isinstance(source, Unreadable):
                head = source.head(HEAD_BYTES)
                kind = kind_of(head, path)
                if kind is None and TRACE_NAME.fullmatch(path.name):
                    kind = "trace"
            files.append(File(name, kind, source, number))
        return files

    def read(self) -> None:
        """Sends everything."""
        self._report_unreadable()
        parts: list[tuple[RankData, list[File]]] = []
        for root in self._roots:
            own = [file for file in self._files if root_of(file.source.path.absolute()) == root]
            texts = TextRank(own, self._sink, lambda done: self._pace(self._done + done))
            data = texts.data()
            self._uses.update(dict.fromkeys(texts.read, SHOWN))
            self._done += sum(file.source.size for file in own if file.number in texts.read)
            parts.append((data, own))
        parts.sort(key=lambda part: (part[0].facts.rank < 0, part[0].facts.rank))
        self._send(_capture([(data, root_of(own[0].source.path.absolute()).name) for data, own in parts]))
        by_type: dict[type[Section], list[tuple[int, Section]]] = {}
        for rank, (data, _) in enumerate(parts):
            for section in data.sections:
                by_type.setdefault(type(section), []).append((rank, section))
        steps = by_type.pop(TrainingSteps, [])
        for sections in by_type.values():
            self._send(stacked(sections))  # type: ignore[type-var, arg-type]
        self._send_tables([data for data, _ in parts])
        self._timeline(parts, steps)  # type: ignore[arg-type]
        self._send(self._entries())
        self._report_unread()

    def _send(self, section: Section) -> None:
        self._sink(SectionReady(section))

    def _send_tables(self, ranks: Sequence[RankData]) -> None:
        made: list[ReportTable] = []
        for data in ranks:
            for table in data.tables:
                named = table.name if len(ranks) == 1 else f"{_short(data)}/{table.name}"
                made.append(replace(table, name=named))
        if made:
            self._send(ReportTables(tuple(made)))

    def _timeline(
        self, parts: Sequence[tuple[RankData, list[File]]], steps: Sequence[tuple[int, TrainingSteps]]
    ) -> None:
        lines: list[timelines.Part] = []
        ranges: dict[int, dict[int, tuple[int, int]]] = {}
        read = 0
        first = -1
        for rank, (data, own) in enumerate(parts):
            traces = [file for file in own if file.kind == "trace"]
            timeline = data.timeline
            if traces:
                timeline = self._trace(traces)
                size = sum(file.source.size for file in traces)
                if timeline is not None:
                    first = traces[0].number if first < 0 else first
                    self._uses.update((file.number, TIMELINE) for file in traces)
                    lines.append(timelines.Part(_label(data, rank), timeline, read))
                    read += size
            if timeline is not None:
                ranges[rank] = timelines.host_steps(timeline)
        if steps:
            self._send(stacked([(rank, _with_ranges(section, ranges.get(rank, {}))) for rank, section in steps]))
        whole = timelines.together(lines)
        if whole is not None:
            if whole.pieces is not None and first >= 0:
                whole = replace(whole, pieces=replace(whole.pieces, file=first))
            self._send(whole)

    def _trace(self, traces: Sequence[File]) -> Timeline | None:
        problems = Problems(self._sink, traces[0].name)
        begin = self._done
        try:
            return timelines.of_traces(
                [file.source for file in traces], problems, lambda done: self._pace(begin + done), self._pool
            )
        except FormatError as error:
            problems.add("error", tr("files that cannot be read"), error.offset, error.text)
            return None
        finally:
            problems.finish()
            self._done += sum(file.source.size for file in traces)

    def _entries(self) -> Entries:
        names = Interner()
        kinds = []
        for file in self._files:
            ending = file.source.path.suffix.lower()
            kinds.append({".csv": _CSV, ".json": _JSON, ".db": _DATABASE}.get(ending, _OTHER))
            if file.kind == "trace":
                kinds[-1] = _TRACE
        count = len(self._files)
        return Entries(
            container="",
            name=sealed(np.array([names(file.name) for file in self._files], np.int32)),
            kind=sealed(np.array(kinds, np.uint8)),
            use=sealed(np.array([self._uses[file.number] for file in self._files], np.uint8)),
            type=sealed(np.full(count, -1, np.int64)),
            file=sealed(np.arange(count, dtype=np.int32)),
            header=sealed(np.full(count, -1, np.int64)),
            offset=sealed(np.zeros(count, np.int64)),
            size=sealed(np.array([file.source.size for file in self._files], np.int64)),
            strings=names.strings(),
        )

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


def _top(paths: Sequence[Path]) -> Path | None:
    """The folder that holds all files, None if there is none."""
    if len(paths) == 1:
        return paths[0].parent
    parents = [{*path.parents} for path in paths]
    shared = set.intersection(*parents)
    return max(shared, key=lambda path: len(path.parts), default=None)


def _name(roots: Sequence[Path], paths: Sequence[Path]) -> str:
    """Of the profile: the file, the folder of the rank, or that of the run."""
    if len(paths) == 1:
        return paths[0].name
    if len(roots) == 1:
        return roots[0].name or paths[0].name
    return roots[0].parent.name or roots[0].name


def _short(data: RankData) -> str:
    return f"rank{data.facts.rank}" if data.facts.rank >= 0 else "rank"


def _label(data: RankData, place: int) -> str:
    number = data.facts.rank
    return tr("Rank {rank}", rank=number) if number >= 0 else tr("Folder {number}", number=place + 1)


def _capture(ranks: Sequence[tuple[RankData, str]]) -> Capture:
    texts = Texts()
    facts = [data.facts for data, _ in ranks]
    for values in (
        [each.host or None for each in facts],
        [folder or None for _, folder in ranks],
        [each.producer or None for each in facts],
        [each.level or None for each in facts],
        [each.metric or None for each in facts],
        [each.version or None for each in facts],
    ):
        texts.add_list(values)
    groups = list(dict.fromkeys(one for each in facts for one in each.groups))
    for place in range(3):
        texts.add_list([one[place] if place == 0 else one[place] or None for one in groups])
    strings, columns = texts.finish()
    host, folder, producer, level, metric, version, name, role, members = columns
    return Capture(
        strings=strings,
        rank=sealed(np.array([each.rank for each in facts], np.int64)),
        device=sealed(np.array([each.device for each in facts], np.int64)),
        host=host,
        folder=folder,
        producer=producer,
        mode=sealed(np.zeros(len(facts), np.uint8)),
        level=level,
        metric=metric,
        version=version,
        groups=Groups(name, role, members),
    )


def _with_ranges(steps: TrainingSteps, ranges: dict[int, tuple[int, int]]) -> TrainingSteps:
    """``steps`` with the times of the steps on the host."""
    if not ranges:
        return steps
    numbers = steps.step.tolist()
    starts = [ranges.get(number, (-1, -1))[0] for number in numbers]
    ends = [ranges.get(number, (-1, -1))[1] for number in numbers]
    return replace(steps, start=sealed(np.array(starts, np.int64)), end=sealed(np.array(ends, np.int64)))
