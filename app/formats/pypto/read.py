"""Reads the files of a PyPTO run into one profile: tasks on cores, what they wait for, counters, and a timeline."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from functools import partial
from itertools import pairwise
from typing import Final

import numpy as np
from msgspec.structs import replace

from app.formats.ascend_report.tables import read_json_table
from app.formats.csv.lines import LineProblems
from app.formats.csv.table import read_table
from app.formats.errors import FormatError
from app.formats.events import Began, Deferred, Event, Pace, SectionReady, Sink
from app.formats.json.problems import Problems
from app.formats.pypto import HEAD_BYTES, Kind, kind_of
from app.formats.pypto.records import (
    NONE,
    Phases,
    Records,
    Rows,
    TaskGraph,
    read_framework,
    read_graph,
    read_names,
    read_records,
    rows_of,
)
from app.formats.source import Head, Source
from app.formats.timeline_build import Events, timeline
from app.language import plural, tr
from app.profile.arrays import F64, I32, I64, Array, combine_at, distinct, numbered, sealed, union
from app.profile.ascend import TypedColumn
from app.profile.ascend_report import ReportTable, ReportTables
from app.profile.empty import no_rows
from app.profile.issue import Issue
from app.profile.orders import by_groups, by_integers
from app.profile.pypto import (
    CUBE,
    OTHER,
    READY,
    VECTOR,
    VIOLATED,
    Blocks,
    CoreTasks,
    Dependencies,
    Pairs,
    Spans,
    TaskCores,
    Tasks,
    pairs,
    spans,
)
from app.profile.strings import Interner
from app.profile.timeline import Counters, Flows, Timeline

PHASE: Final = tr("reading the tasks")
ARROWS: Final = ("dependency", VIOLATED)
"""Categories of arrows; the second where a task began before the other had ended."""
SCHEDULER_PHASE: Final = "scheduler_phase"
"""Category of the slices of schedulers and orchestrators, which are remarks about the work of the cores."""
_PREFIXES: Final = {CUBE: "AIC", VECTOR: "AIV", OTHER: "CORE"}
_KINDS: Final = {"aic": CUBE, "aiv": VECTOR}
_NOT_COUNTERS: Final = ("thread_id", "core_id", "task_id", "func_id", "core_type", "event_type")
MOST_EDGES: Final = 8 << 20
BEGINNING: Final = 4 << 20
"""Bytes of each file that a preview reads."""
SOME: Final = 1 << 18
"""Numbers that are looked up at a time."""


def read(sources: Sequence[Source], sink: Sink) -> None:
    """Sends one profile for all ``sources``. Raises FormatError where none of them is of a run, or none can be read."""
    files = [(source, kind_of(source.head(HEAD_BYTES), source.path)) for source in sources]
    if all(kind is None for _, kind in files):
        raise FormatError(tr("this file is not part of a PyPTO run"), path=str(sources[0].path))
    started = Deferred(sink)
    _Run(files, started).read()
    if started.waiting:
        failed = next((issue for issue in started.issues if issue.severity == "error"), None)
        reason = tr("the files of this run hold nothing that can be shown") if failed is None else failed.text
        raise FormatError(reason, path=str(sources[0].path))


def preview(sources: Sequence[Source]) -> Iterator[Event]:
    """The first blocks of a record. Counters and arrows are left out, because those of a part would be wrong."""
    made: list[Event] = []
    heads = [_beginning(source) for source in sources]
    read(heads, made.append)
    sections = {event.section.SECTION: event.section for event in made if isinstance(event, SectionReady)}
    own, line = sections.get(CoreTasks.SECTION), sections.get(Timeline.SECTION)
    if isinstance(own, CoreTasks) and isinstance(line, Timeline) and len(own.blocks):
        count = len(own.blocks)
        portion = plural("the first {count:,} block", "the first {count:,} blocks", count=count)
        part = replace(line, counters=no_rows(Counters), flows=no_rows(Flows))
        yield Began(name_of(sources), tuple(source.path for source in sources), preview=True)
        yield SectionReady(part, preview=True, portion=portion)


def _beginning(source: Source) -> Source:
    """The first rows of a file whose arrays of rows or records are closed behind the last complete one."""
    text = source.read(0, min(source.size, BEGINNING))
    if len(text) < source.size:
        text = text[: max(text.rfind(b"],"), text.rfind(b"},")) + 1] + b"]"
    return Head(text, source.path)


def name_of(sources: Sequence[Source]) -> str:
    """The name of the file, or that of the folder of several."""
    path = sources[0].path
    return path.name if len(sources) == 1 else path.absolute().parent.name or path.name


class _Run:
    def __init__(self, files: Sequence[tuple[Source, Kind | None]], sink: Sink) -> None:
        self._files = files
        self._sink = sink
        self._records: Records | None = None
        self._graph: TaskGraph | None = None
        self._names: dict[int, str] = {}
        self._program = ""
        self._tables: list[ReportTable] = []
        self._strings = Interner()
        self._look: Callable[[], None] = lambda: None

    def read(self) -> None:
        sources = [source for source, _ in self._files]
        self._sink(Began(name_of(sources), tuple(source.path for source in sources)))
        done, total = 0, sum(source.size for source, _ in self._files)
        names = [source for source, kind in self._files if kind == "names"]
        newest_last = sorted(names, key=lambda source: (source.identity()[3], source.path.name))
        for source in (*newest_last, *(source for source, kind in self._files if kind != "names")):
            problems = LineProblems(self._sink, source.path.name) if source.path.suffix == ".csv" else None
            kind = next(kind for own, kind in self._files if own is source)
            if kind is not None:
                self._take(source, kind, problems or Problems(self._sink, source.path.name), done, total)
            done += source.size
        pace = Pace(self._sink, total, PHASE, total)
        self._look = partial(pace, 0)
        if self._records is not None or self._graph is not None:
            own, line = self._sections(self._records or Records(), self._graph)
            self._sink(SectionReady(own))
            if line is not None:
                self._sink(SectionReady(line))
        if self._tables:
            self._sink(SectionReady(ReportTables(tuple(self._tables))))

    def _take(self, source: Source, kind: Kind, problems: Problems, done: int, total: int) -> None:
        pace = Pace(self._sink, total, PHASE, done)
        try:
            if kind in ("records", "framework") and self._records is not None:
                raise FormatError(tr("another record of this folder is shown; open this one by itself"))
            match kind:
                case "records":
                    self._records = read_records(source, problems, pace)
                case "framework":
                    self._records = read_framework(source, problems, pace)
                case "dependencies":
                    self._graph = read_graph(source, problems, pace)
                case "names":
                    names, program = read_names(source, problems, pace)
                    self._names |= names
                    self._program = program or self._program
                    if len(self._files) == 1:
                        self._add_json(source)
                case "scopes":
                    self._add_json(source)
                case "counters" if isinstance(problems, LineProblems):
                    self._tables.append(read_table(source, source.path.stem, source.path.name, problems, pace))
                case _:
                    pass
        except FormatError as error:
            problems.add("error", tr("files that cannot be read"), error.offset, error.text)
        problems.finish()

    def _add_json(self, source: Source) -> None:
        silent = LineProblems(self._sink, source.path.name)
        self._tables.append(read_json_table(source, source.path.stem, source.path.name, silent))

    def _say(self, count: int, text: str) -> None:
        if count:
            self._sink(Issue("warning", self._files[0][0].path.parent.name, text))

    # -- sections -----------------------------------------------------------------------------------------

    def _sections(self, records: Records, graph: TaskGraph | None) -> tuple[CoreTasks, Timeline | None]:
        rows = records.rows or Rows(NONE, NONE, NONE, NONE, NONE, NONE, NONE)
        order = by_integers(rows.start)
        self._look()
        order = order[by_integers(rows.token[order], rows.run[order])]
        self._look()
        handed = rows_of(
            [rows.run[order], rows.core[order], rows.register[order]],
            [records.handed[:, 4], records.handed[:, 0], records.handed[:, 1]],
            self._look,
        )
        self._look()
        has = handed >= 0
        dispatch = np.where(has, np.append(records.handed[:, 2], -1)[handed], -1)
        finish = np.where(has, np.append(records.handed[:, 3], -1)[handed], -1)
        times = [rows.start, dispatch[dispatch >= 0], *(phases.start for phases in records.phases)]
        origin = min((int(column.min()) for column in times if len(column)), default=0)
        start, setup = rows.start[order], rows.setup[order]
        lines = [] if not len(records.handed) else [int((~has).sum()), len(records.handed) - int(has.sum())]
        if any(lines):
            text = tr(
                "blocks without a dispatch: {blocks:,}; dispatches without a block: {rows:,}",
                blocks=lines[0],
                rows=lines[1],
            )
            self._say(1, text)
        self._look()
        cores, place = self._cores(records, rows.core[order])
        self._look()
        tasks, edges = self._tasks(rows, order, graph)
        self._look()
        blocks = Blocks(
            core=sealed(place),
            dispatch=_relative(dispatch, origin),
            receive=_relative(np.where(setup >= 0, start - setup, -1), origin),
            start=sealed(start - origin),
            end=sealed(rows.end[order] - origin),
            finish=_relative(finish, origin),
            pmu=self._counters(rows.core[order], rows.token[order]),
        )
        own = CoreTasks(
            strings=self._strings.strings(),
            level=records.level,
            clock_hz=records.clock_hz,
            cores=cores,
            tasks=tasks,
            blocks=blocks,
            dependencies=edges,
        )
        self._look()
        when = spans(own)
        self._look()
        found = pairs(own, when, self._look)
        self._look()
        self._check(own, found)
        self._look()
        line = None
        if len(blocks) or records.phases:
            line = _timeline(own, when, found, records.phases, origin, self._program, self._look)
            self._look()
            line = replace(line, flows=_flows(own, line, when, found, self._look))
        self._left_out(records)
        return own, line

    def _cores(self, records: Records, used: I64) -> tuple[TaskCores, I32]:
        """(the cores; int32[blocks], which each is on)."""
        numbers = union(np.array(sorted(records.cores), np.int64), used)
        kinds = np.array([_KINDS.get(records.cores.get(core, ""), OTHER) for core in numbers.tolist()], np.int64)
        unknown = len(numbers) - len(records.cores)
        self._say(
            unknown if records.cores else 0,
            plural(
                "{count:,} core has blocks but is not among the cores that the file states",
                "{count:,} cores have blocks but are not among the cores that the file states",
                count=unknown,
            ),
        )
        threads = np.array([records.thread.get(core, -1) for core in numbers.tolist()], np.int64)
        order = np.lexsort((numbers, kinds))
        lane = np.empty(len(numbers), np.int32)
        lane[order] = np.arange(len(numbers))
        made = TaskCores(sealed(numbers), sealed(kinds.astype(np.uint8)), sealed(threads), sealed(lane))
        return made, np.searchsorted(numbers, used).astype(np.int32)

    def _tasks(self, rows: Rows, order: I64, graph: TaskGraph | None) -> tuple[Tasks, Dependencies]:
        """The tasks that ran or are in the graph, and what they wait for."""
        token, run = rows.token[order], rows.run[order]
        runs = numbered(run + 1)[0] - 1 if len(run) else np.array([-1])
        tokens, place = self._numbered([token] if graph is None else [token, graph.token, graph.before, graph.after])
        if graph is not None and len(runs) > 1 and len(graph.before) * len(runs) > MOST_EDGES:
            self._say(
                1, tr("there are too many dependencies for all runs of the program; those of the first are shown")
            )
            runs = runs[:1]
        wide = len(runs) + 1
        in_run = np.minimum(np.searchsorted(runs, run), len(runs) - 1)
        of_block = place[: len(token)] * wide + in_run
        graph_places = (
            [] if graph is None else np.split(place[len(token) :], np.cumsum([len(graph.token), len(graph.before)]))
        )
        spread = [(column[:, None] * wide + np.arange(len(runs))).reshape(-1) for column in graph_places]
        keys, row = self._numbered([of_block, *spread])
        count = len(keys)
        first = np.searchsorted(row[: len(token)], np.arange(count + 1))
        function, launched = np.full(count, -1, np.int32), np.full(count, -1, np.int64)
        if rows.function is not None:
            ids = np.array([self._strings(name) for name in rows.function], np.int32)
            function[row[: len(token)]] = ids[order]
        edges = no_rows(Dependencies)
        if graph is not None:
            at = np.cumsum([len(token), *map(len, spread)])
            of_task, before, after = (row[a:b] for a, b in pairwise(at.tolist()))
            called = {
                int(kernel): self._strings(self._called(int(kernel))) for kernel in numbered(graph.kernel + 1)[0] - 1
            }
            self._look()
            named = np.array([called[kernel] for kernel in graph.kernel.tolist()], np.int32)
            self._look()
            function[of_task], launched[of_task] = np.repeat(named, len(runs)), np.repeat(graph.blocks, len(runs))
            texts = np.array([*(self._strings(name) for name in graph.sources.ids), -1], np.int32)
            edges = Dependencies(
                before=sealed(before.astype(np.int32)),
                after=sealed(after.astype(np.int32)),
                argument=sealed(np.repeat(graph.argument, len(runs))),
                source=sealed(np.repeat(texts[graph.source], len(runs))),
            )
        elif rows.function is None:
            function[:] = self._strings("task")
        tasks = Tasks(
            token=sealed(tokens[keys // wide]),
            run=sealed(np.asarray(runs)[keys % wide].astype(np.int64)),
            function=sealed(function),
            blocks=sealed(launched),
            first=sealed(first.astype(np.int64)),
        )
        return tasks, edges

    def _numbered(self, columns: Sequence[I64]) -> tuple[I64, I64]:
        """(the distinct numbers, rising; the place of each number of all ``columns`` among these)."""
        known, places = NONE, []
        for column in columns:
            known = union(known, column)
            self._look()
        for column in columns:
            for begin in range(0, len(column), SOME):
                places.append(np.searchsorted(known, column[begin : begin + SOME]))
                self._look()
        return known, np.concatenate([NONE, *places])

    def _called(self, kernel: int) -> str:
        return self._names.get(kernel) or (f"func_{kernel}" if kernel >= 0 else "task")

    def _counters(self, core: I64, token: I64) -> tuple[TypedColumn, ...]:
        """The counters of pmu.csv by block; the table itself is kept only without blocks."""
        table = next((one for one in self._tables if any(own.name == "pmu_total_cycles" for own in one.columns)), None)
        if table is None or not len(core):
            return ()
        of_core, of_token = (_whole(table, title) for title in ("core_id", "task_id"))
        row = rows_of([core, token], [of_core, of_token], self._look)
        missing = int((row < 0).sum())
        self._say(missing, tr("blocks without a row in {file}: {count:,}", count=missing, file=table.file))
        self._tables.remove(table)
        made = []
        for column in table.columns:
            if column.kind == "float" and column.name not in _NOT_COUNTERS:
                values = np.append(column.values.reshape(-1), np.nan)[row]
                made.append(TypedColumn(column.name, "float", sealed(values.reshape(-1, 1))))
        if made and all(not np.nan_to_num(column.values).any() for column in made):
            self._say(1, tr("all counters are 0, as those of a simulator: they count as not measured"))
            return ()
        return tuple(made)

    def _check(self, own: CoreTasks, found: Pairs) -> None:
        """Says what contradicts itself (section 9)."""
        blocks = own.blocks
        order = by_groups(blocks.core, blocks.start)
        core, start, end = blocks.core[order], blocks.start[order], blocks.end[order]
        overlapping = int(((core[1:] == core[:-1]) & (start[1:] < end[:-1])).sum())
        self._say(
            overlapping,
            plural(
                "{count:,} block starts before the one before it on its core ends",
                "{count:,} blocks start before the ones before them on their cores end",
                count=overlapping,
            ),
        )
        late = int(((blocks.dispatch >= 0) & (blocks.dispatch > blocks.start + 2)).sum())
        late += int(((blocks.finish >= 0) & (blocks.finish < blocks.end - 2)).sum())
        self._say(
            late, tr("blocks that start before their dispatch, or are finished before their end: {count:,}", count=late)
        )
        violated = int(found.violated.sum())
        self._say(
            violated,
            plural(
                "{count:,} task started before a task that it depends on had ended; the critical path leaves it out",
                "{count:,} dependencies are violated: a task started before the other had ended; the critical path "
                "leaves them out",
                count=violated,
            ),
        )
        ran = np.diff(own.tasks.first) > 0
        if len(own.dependencies) and ran.any() and not found.timed.any():
            self._say(1, tr("no dependency is between tasks that ran: the graph may be of another program"))

    def _left_out(self, records: Records) -> None:
        if records.left_out:
            text = tr("not shown: {parts} (other clocks or other things than tasks)", parts=", ".join(records.left_out))
            self._sink(Issue("info", self._files[0][0].path.parent.name, text))


def _relative(times: I64, origin: int) -> I64:
    return sealed(np.where(times >= 0, times - origin, -1))


def _whole(table: ReportTable, title: str) -> I64:
    """Whole numbers of a column, written as decimals or, as texts, hexadecimal; -1 for anything else."""
    column = next((one for one in table.columns if one.name == title), None)
    if column is None:
        return np.full(table.rows, -1, np.int64)
    values = column.values.reshape(-1)
    if column.strings is None:
        good = np.isfinite(values) & (values >= 0) & (values < 1 << 53)
        return np.where(good, np.where(good, values, 0).astype(np.int64), -1)
    codes = np.array([*(_hexadecimal(text) for text in column.strings.tolist()), -1], np.int64)
    return codes[values]


def _hexadecimal(text: str) -> int:
    try:
        value = int(text, 16) if text[:2].lower() == "0x" and len(text) <= 18 else int(text) if len(text) <= 18 else -1
    except ValueError:
        return -1
    return value if 0 <= value < 1 << 60 else -1


def _timeline(
    own: CoreTasks,
    when: Spans,
    found: Pairs,
    threads: Sequence[Phases],
    origin: int,
    program: str,
    look: Callable[[], None],
) -> Timeline:
    """A lane for each core, used or not, then one for each scheduler and orchestrator. ``look``: asks for cancel."""
    strings, blocks = Interner(), own.blocks
    process, thread = list[int](), list[int]()
    parts: list[tuple[Array, ...]] = []  # lane, start, duration, name, category and record of slices
    counted: dict[int, int] = {}
    for kind in own.cores.kind[np.argsort(own.cores.lane)].tolist():
        number = counted[kind] = counted.get(kind, -1) + 1
        process.append(strings(_PREFIXES[kind]))
        thread.append(strings(f"{_PREFIXES[kind]}_{number}"))
    owner = np.repeat(np.arange(len(own.tasks)), np.diff(own.tasks.first))
    texts = own.strings.tolist()
    names = np.array([*(strings(text) for text in texts), strings("task")], np.int32)[own.tasks.function[owner]]
    count = len(blocks)
    parts.append(
        (
            own.cores.lane[blocks.core],
            blocks.start.astype(np.float64),
            (blocks.end - blocks.start).astype(np.float64),
            names,
            np.full(count, -1, np.int32),
            np.arange(count),
        )
    )
    phase, *_ = map(strings, (SCHEDULER_PHASE, *ARROWS))
    for one in threads:
        look()
        orchestrates = one.name.startswith("Orch")
        process.append(strings("Orchestrator" if orchestrates else "Scheduler"))
        thread.append(strings(f"{one.name} {program}" if orchestrates and program else one.name))
        size = len(one.start)
        lane = np.full(size, len(process) - 1, np.int32)
        kinds = np.array([*map(strings, one.kinds), -1], np.int32)[one.kind]
        start, duration = (one.start - origin).astype(np.float64), (one.end - one.start).astype(np.float64)
        parts.append((lane, start, duration, kinds, np.full(size, phase, np.int32), np.full(size, -1)))
    columns = []
    for several in zip(*parts, strict=True):
        look()
        columns.append(np.concatenate(several))
    counters = _levels(own, when, found, strings, look)
    look()
    line = timeline(
        Events(*columns),
        np.array(process, np.int32),
        np.array(thread, np.int32),
        strings.strings(),
        unit="cycles",
        seconds_per_unit=None if own.clock_hz is None else 1.0 / own.clock_hz,
        counters=counters,
        look=look,
    )
    return replace(line, origin=Decimal(origin))


def _levels(own: CoreTasks, when: Spans, found: Pairs, strings: Interner, look: Callable[[], None]) -> Counters:
    """Over time, by kind of core: blocks that run; tasks whose producers, as far as they ran, have ended and which have
    not begun. When a task without a producer was submitted is not in the files, so that it is never ready."""
    before, after = found.before[found.timed], found.after[found.timed]
    ready = np.full(len(own.tasks), -1, np.int64)
    combine_at(np.maximum, ready, after, when.end[before])
    tasks = np.flatnonzero((ready >= 0) & (ready < when.start))
    look()
    kinds = own.cores.kind[own.blocks.core]
    tracks: list[tuple[int, ...]] = []
    times, values = [], list[F64]()
    for name, of_kind, begins, ends in (
        ("running blocks", kinds, own.blocks.start, own.blocks.end),
        (READY, kinds[when.first[tasks]], ready[tasks], when.start[tasks]),
    ):
        for kind in distinct(of_kind).tolist():
            look()
            begin, end = np.sort(begins[of_kind == kind]), np.sort(ends[of_kind == kind])
            time = union(begin, end)
            look()
            level = np.searchsorted(begin, time, "right") - np.searchsorted(end, time, "right")
            tracks.append((strings(_PREFIXES[kind]), strings(name)))
            times.append(time.astype(np.float64))
            values.append(level.astype(np.float64))
    process, title = np.array(tracks, np.int32).reshape(-1, 2).T
    return Counters(
        process=sealed(process),
        name=sealed(title),
        series=sealed(title.copy()),
        first=sealed(np.cumsum([0, *map(len, times)]).astype(np.int64)),
        time=sealed(np.concatenate([np.empty(0), *times])),
        value=sealed(np.concatenate([np.empty(0), *values])),
    )


def _flows(own: CoreTasks, line: Timeline, when: Spans, found: Pairs, look: Callable[[], None]) -> Flows:
    """An arrow for each pair of tasks that ran, from the last block of the one to the first of the other."""
    dependency, violated = (int(line.strings.find(category)[0]) for category in ARROWS)
    before, after = found.before[found.timed], found.after[found.timed]
    source, target = when.last[before], when.first[after]
    record = line.slices.record
    slice_of = np.empty(len(own.blocks), np.int64)
    slice_of[record[record >= 0]] = np.flatnonzero(record >= 0)
    ends: list[tuple[F64, I32, I64]] = []
    for block, time in ((source, own.blocks.end), (target, own.blocks.start)):
        look()
        lane = own.cores.lane[own.blocks.core[block]]
        ends.append((sealed(time[block].astype(np.float64)), sealed(lane), sealed(slice_of[block])))
    return Flows(
        sealed(np.where(found.violated[found.timed], violated, dependency).astype(np.int32)), *ends[0], *ends[1]
    )
