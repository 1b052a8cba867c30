"""Reads graph and execution profiles into one profile, or into two where they do not match."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from app.formats.errors import FormatError
from app.formats.events import Began, Deferred, Event, Pace, SectionReady, Sink
from app.formats.format import HEAVY_BYTES
from app.formats.pool import ALONE, Pool
from app.formats.poplar.companions import alone, deliver, kind_of
from app.formats.poplar.execution import ExecutionParts, ExecutionReader
from app.formats.poplar.graph import GraphParts, GraphReader
from app.formats.poplar.group import role
from app.formats.poplar.kinds import Companion, Role, open_walk
from app.formats.poplar.pairing import misfits
from app.formats.poplar.report import Report, members
from app.formats.poplar.timeline import Timed, shows_steps, timeline
from app.formats.source import Source
from app.formats.walk import Broken
from app.language import joined, tr
from app.profile.issue import Issue
from app.profile.one_line import one_line
from app.profile.profile import Mismatch, Section

_NOTHING = tr(
    "not a Poplar profile: it has none of the keys of one (target, memory, programs, computeSets, profilerMode, ...)"
)


def read(sources: Sequence[Source], sink: Sink, pool: Pool = ALONE) -> None:
    """Reads a graph and an execution that match into one profile, else each file into its own; companion files go into
    the first profile. Without a graph and an execution the companion files form a profile. ``pool`` decodes many steps.

    Raises FormatError where a file contains no data of a Poplar profile.
    """
    roles, beside = _sorted(sources)
    if not roles:
        alone(beside, sink)
        return
    total = sum(source.size for source in roles) + sum(source.size for source, other in beside if other.read)
    done = 0
    for files in _profiles(roles):
        load = _Load(files, [] if done else beside, sink, done, total, pool)
        load.run()
        done = load.done


def first_files(
    sources: Sequence[Source],
) -> tuple[list[tuple[Source, Role]], list[tuple[Source, Companion]]]:
    """(graph, execution; companion files) of the first profile; none where there are only companion files."""
    roles, beside = _sorted(sources)
    return (_profiles(roles)[0], beside) if roles else ([], [])


def began(files: Sequence[Source], beside: Sequence[tuple[Source, Companion]], *, preview: bool = False) -> Began:
    """The beginning of the profile of these files."""
    paths = [source.path for source in files]
    return Began(name_of(paths), (*paths, *(source.path for source, _ in beside)), preview=preview)


def _profiles(roles: dict[Source, Role]) -> list[list[tuple[Source, Role]]]:
    """The files of each profile."""
    ordered = sorted(roles.items(), key=lambda each: each[1] == "execution")
    together = sorted(roles.values()) == ["execution", "graph"]
    return [ordered] if together else [[each] for each in ordered]


def heavy(sources: Sequence[Source]) -> bool:
    """Whether decoding the files needs a separate process."""
    read_ones = (source for source in sources if (other := kind_of(source)) is None or other.read)
    return sum(source.size for source in read_ones) > HEAVY_BYTES


def _sorted(sources: Sequence[Source]) -> tuple[dict[Source, Role], list[tuple[Source, Companion]]]:
    """(graphs and executions, companion files). Raises FormatError for any other file."""
    roles: dict[Source, Role] = {}
    beside: list[tuple[Source, Companion]] = []
    for source in sources:
        own_role = role(source)
        other = kind_of(source) if own_role is None else None
        if own_role is not None:
            roles[source] = own_role
        elif other is not None:
            beside.append((source, other))
        else:
            raise FormatError(_NOTHING, path=str(source.path))
    return roles, beside


class _Load:
    """Reads the files of one profile. ``done``: bytes read so far, of ``total``."""

    def __init__(
        self,
        files: Sequence[tuple[Source, Role]],
        beside: Sequence[tuple[Source, Companion]],
        sink: Sink,
        done: int,
        total: int,
        pool: Pool,
    ) -> None:
        self._pool = pool
        self.files = [source for source, _ in files]
        self.roles = files
        self.beside = beside
        self.sink = Deferred(sink)
        self.done = done
        self.total = total
        self.filled = False
        self.first_trouble: FormatError | None = None

    def run(self) -> None:
        graph, run = GraphParts(), ExecutionParts()
        self.sink(began(self.files, self.beside))
        last: list[Event] = []
        for number, source in enumerate(self.files):
            own: Sink = last.append if number else self.sink
            read_graph, read_run = self._file(source, own)
            graph = read_graph if number == 0 else graph
            run = read_run if read_run.has_data else run
        reasons = misfits(graph, run, one_file=len(self.files) == 1) if run.has_data else []
        if self.filled or run.has_data:
            deliver(self.roles[:1] if reasons else self.roles, self.beside, self.sink)
            self.done += sum(source.size for source, other in self.beside if other.read)
        if reasons:
            self._part(reasons)
        for event in last:
            self.sink(event)
        self._deliver_run(run, None if reasons else graph)
        if not self.filled:
            trouble = self._nothing()
            raise FormatError(trouble.text, path=str(self.files[0].path), offset=trouble.offset)

    def _nothing(self) -> FormatError:
        """The error that says why there is no profile."""
        if self.first_trouble is not None:
            return self.first_trouble
        issues = self.sink.issues
        return FormatError(f"{issues[0].where}: {issues[0].text}" if issues else _NOTHING)

    def _file(self, source: Source, sink: Sink) -> tuple[GraphParts, ExecutionParts]:
        """Reads one file; its graph sections are delivered as they are read."""
        report = Report(sink, source)
        walk = open_walk(source, report.problems, Pace(self.sink, self.total, tr("reading"), self.done), self._pool)
        if walk is None:
            return GraphParts(), ExecutionParts()
        graph = GraphReader(walk, report, self._deliver)
        run = ExecutionReader(walk, report)
        parts = {**graph.handlers(), **run.handlers()}
        both = {
            "graphProfile": lambda path: members(walk, report, path, graph.handlers()),
            "executionProfile": lambda path: members(walk, report, path, run.handlers()),
        }
        try:
            members(walk, report, "", {**parts, **both})
        except Broken as error:
            self._trouble(error, report)
        graph.finish()
        run.finish()
        report.finish()
        self.done += source.size
        return graph.parts, run.parts

    def _trouble(self, error: FormatError, report: Report) -> None:
        self.first_trouble = self.first_trouble or error
        text = tr("cannot be read completely: {error}; the data before it is shown", error=error.located)
        report.issue("error", "", text)

    def _part(self, reasons: list[str]) -> None:
        """Starts a second profile for the execution; both profiles report why."""
        names = joined(tr(" and "), (source.path.name for source in self.files))
        listed = joined("; ", reasons)
        text = tr("graph and execution do not belong together: {reasons}. Each is shown separately", reasons=listed)
        why = one_line(tr("{names}: {text}", names=names, text=text))
        if len(self.files) > 1:
            why = one_line(
                tr("{names} do not belong together: {reasons}. Each is shown separately", names=names, reasons=listed)
            )
        graph, execution = self.files[0].path, self.files[-1].path
        apart = (1,) if len(self.files) > 1 else ()
        self.sink(SectionReady(Mismatch(apart, why)))
        self.sink(Issue("warning", names, text))
        self.sink(Began(f"{name_of([execution])} (execution)", (execution, graph)[: 1 + len(apart)]))
        self.sink(SectionReady(Mismatch(apart, why)))
        self.sink(Issue("warning", names, text))

    def _deliver_run(self, run: ExecutionParts, graph: GraphParts | None) -> None:
        if not run.has_data:
            return
        self._deliver(run.execution())
        measured = run.measured_cycles()
        if measured is not None:
            self._deliver(measured)
        if run.steps is not None:
            steps = Timed.of(run.steps)
            self._deliver(run.steps)
            run.steps = None  # a worker has stored them
            if shows_steps(steps):
                clock = graph.target.clock_hz if graph and graph.target else None
                self._deliver(timeline(steps, clock))

    def _deliver(self, section: Section) -> None:
        self.filled = True
        self.sink(SectionReady(section))


def name_of(paths: Sequence[Path]) -> str:
    """The name of a profile of these files: that of the folder where they have only the vendor's default names."""
    stem = paths[0].stem
    words = [word for word in stem.replace(".", "_").split("_") if word.lower() not in _COMMON]
    return "_".join(words) or paths[0].absolute().parent.name or stem


_COMMON = frozenset(("graph", "execution", "report", "compile", "execute", "profile", "compilation", "exec"))
