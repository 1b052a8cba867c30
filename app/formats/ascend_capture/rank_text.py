"""Reads the text files of one rank into sections."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.formats.ascend_capture import communication, kernel_rows, tables
from app.formats.ascend_capture.identity import RankData, RankFacts, facts_of, load_source
from app.formats.ascend_capture.kinds import Kind
from app.formats.ascend_capture.sheet import CellKind, Sheet
from app.formats.csv.lines import LineProblems
from app.formats.csv.table import read_table
from app.formats.errors import FormatError
from app.formats.events import Sink
from app.formats.json.problems import Problems
from app.formats.source import Source, Unreadable
from app.language import tr
from app.profile.arrays import sealed
from app.profile.ascend_capture import Collectives, Kernels, TrainingSteps
from app.profile.ascend_report import ReportTable
from app.profile.issue import Issue
from app.profile.profile import Section

ProblemsT = TypeVar("ProblemsT", bound=Problems)
_SLICE: Final = re.compile(r"_slice_(\d{1,6})_", re.IGNORECASE)


class File(Struct, frozen=True, eq=False):
    """A file of a rank. ``name``: below the folder that was opened; ``number``: in the profile's origin."""

    name: str
    kind: Kind | None
    source: Source
    number: int


class Reading:
    """How files are read one after the other: problems go to the sink, and progress to ``tick``, with the bytes that
    are done of all files. ``read``: the numbers of the files that were read."""

    def __init__(self, sink: Sink, tick: Callable[[int], None]) -> None:
        self.sink = sink
        self.read: set[int] = set()
        self.done = 0
        self._tick = tick

    def moved(self, done: int) -> None:
        """``done`` bytes of the current file are read. May raise Cancelled."""
        self._tick(self.done + done)

    def take(self, file: File, problems: ProblemsT, work: Callable[[File, ProblemsT], None]) -> None:
        """Reads a file by ``work``, whose ``problems`` are reported; so is that it cannot be read."""
        try:
            work(file, problems)
            self.read.add(file.number)
        except FormatError as error:
            plain = Problems(self.sink, file.name)
            plain.add("error", tr("files that cannot be read"), error.offset, error.text)
        problems.finish()
        self.done += file.source.size
        self._tick(self.done)

    def take_lines(self, file: File, work: Callable[[File, LineProblems], None]) -> None:
        """Reads a table."""
        self.take(file, LineProblems(self.sink, file.name), work)

    def take_json(self, file: File, work: Callable[[File, Problems], None]) -> None:
        """Reads a JSON file."""
        self.take(file, Problems(self.sink, file.name), work)

    def sheet(self, files: Sequence[File], kind_of: Callable[[str], CellKind]) -> Sheet | None:
        """The rows of ``files``, one after the other; None without one that is readable."""
        sheet = Sheet(kind_of)

        def work(file: File, problems: LineProblems) -> None:
            sheet.read(file.source, problems, self.moved)

        for file in files:
            self.take_lines(file, work)
        return sheet if sheet.titles else None

    def json(self, file: File) -> object:
        """The value of a small file; None if it cannot be read."""
        values: list[object] = []
        self.take_json(file, lambda file, _: values.append(load_source(file.source)))
        return values[0] if values else None

    def current(self, files: Sequence[File]) -> list[File]:
        """Those of the files of one kind and rank that are read: the parts of one run, in their order, or of several
        exports the last by name, which is the newest."""
        readable = [file for file in files if not isinstance(file.source, Unreadable)]
        parts = [(int(match[1]), file) for file in readable if (match := _SLICE.search(file.name))]
        if parts:
            return [file for _, file in sorted(parts, key=lambda part: part[0])]
        if len(readable) > 1:
            text = tr("{name} is shown; other files of this folder with such content are not", name=readable[-1].name)
            self.sink(Issue("warning", readable[-1].name, text))
        return readable[-1:]


class TextRank:
    """Reads files of one rank."""

    def __init__(self, root: Path, files: Sequence[File], reading: Reading) -> None:
        self._root = root
        self._files = files
        self._reading = reading

    def data(self) -> list[RankData]:
        """Everything but the timeline. Damaged files are reported as issues. Kernels of several devices are ranks of
        their own; what no device is stated of is with the first."""
        facts = self._facts()
        whole = self._kernels()
        rows, *others = [None] if whole is None else whole.by_device()
        operations = self._operations()
        sections: list[Section] = [] if rows is None else [rows.kernels]
        collectives = operations.collectives(rows)
        if len(collectives):
            sections.append(collectives)
        packets = operations.packets()
        if len(packets):
            sections.append(packets)
        sections += self._links()
        device = -1 if rows is None else rows.device
        for kind, make in tables.MADE.items():
            sheet = self._reading.sheet(self._of(kind), tables.kind_of)
            if sheet is not None:
                sections.append(make(sheet))
                device = tables.device_of(sheet) if device < 0 else device
        sections = with_steps(sections, None if rows is None else rows.kernels, collectives)
        known = {name for name, _, _ in facts.groups}
        more = tuple((name, "", "") for name in operations.groups() if name not in known)
        facts = replace(facts, groups=(*facts.groups, *more), device=device)
        made = [RankData(facts=facts, sections=tuple(sections), tables=tuple(self._tables()))]
        for other in others:
            assert other is not None
            collectives = communication.Operations().collectives(other)
            own: list[Section] = [other.kernels, *([collectives] if len(collectives) else [])]
            beside = replace(facts, rank=-1, device=other.device)
            made.append(RankData(facts=beside, sections=tuple(with_steps(own, other.kernels, collectives))))
        return made

    def _of(self, kind: Kind) -> list[File]:
        return self._reading.current([file for file in self._files if file.kind == kind])

    def _facts(self) -> RankFacts:
        values = {file.source.path: None for file in self._files}
        named: dict[Path, object] = {**values}
        for kind in ("info", "metadata"):
            for file in self._of(kind):
                named[file.source.path] = self._reading.json(file)
        return facts_of(self._root, named)

    def _kernels(self) -> kernel_rows.KernelRows | None:
        sheet = self._reading.sheet(self._of("kernels"), kernel_rows.kind_of)
        if sheet is None:
            return None
        return kernel_rows.kernel_rows(sheet)

    def _operations(self) -> communication.Operations:
        made = [communication.Operations()]

        def work(file: File, problems: Problems) -> None:
            made[:] = [communication.operations_of_rank(file.source, problems, self._reading.moved)]

        for file in self._of("communication"):
            self._reading.take_json(file, work)
        return made[0]

    def _links(self) -> list[Section]:
        made: list[Section] = []

        def work(file: File, problems: Problems) -> None:
            matrix = communication.matrix_of_rank(file.source, problems, self._reading.moved)
            if len(matrix):
                made.append(matrix.links())

        for file in self._of("matrix"):
            self._reading.take_json(file, work)
        return made

    def _tables(self) -> list[ReportTable]:
        """Tables that become no section, unchanged."""
        made: list[ReportTable] = []

        def work(file: File, problems: LineProblems) -> None:
            stem = file.source.path.name.rpartition(".")[0]
            made.append(read_table(file.source, stem, file.name, problems, self._reading.moved))

        for file in self._files:
            is_table = file.kind in ("table", "types", None) and file.source.path.name.lower().endswith(".csv")
            if is_table and not isinstance(file.source, Unreadable):
                self._reading.take_lines(file, work)
        return made


def with_steps(sections: Sequence[Section], kernels: Kernels | None, collectives: Collectives) -> list[Section]:
    """``sections`` with the steps that kernels state, and when these ran on the device."""
    steps = next((section for section in sections if isinstance(section, TrainingSteps)), None)
    spans = step_spans(kernels, collectives)
    known = set() if steps is None else set(steps.step.tolist())
    more = sorted(number for number in spans if number >= 0 and number not in known)
    if steps is None and not more:
        return list(sections)
    numbers = [*([] if steps is None else steps.step.tolist()), *more]
    ranges = [spans.get(number, (-1, -1)) for number in numbers]
    unknown = np.full(len(more), np.nan)
    none = sealed(np.full(len(numbers), -1, np.int64))
    columns = {
        name: sealed(np.concatenate((np.empty(0) if steps is None else getattr(steps, name), unknown)))
        for name in TrainingSteps.__struct_fields__[6:]
    }
    made = TrainingSteps(
        rank=sealed(np.zeros(len(numbers), np.int32)),
        step=sealed(np.array(numbers, np.int64)),
        start=none,
        end=none,
        device_start=sealed(np.array([start for start, _ in ranges], np.int64)),
        device_end=sealed(np.array([end for _, end in ranges], np.int64)),
        **columns,
    )
    return [*(section for section in sections if section is not steps), made]


def step_spans(kernels: Kernels | None, collectives: Collectives) -> dict[int, tuple[int, int]]:
    """(first start, last end) in nanoseconds of the kernels and collectives of each step, by its number; -1 stands for
    those without a step, or where no step was marked."""
    parts = [(collectives.step, collectives.start, collectives.end)]
    if kernels is not None:
        parts.append((kernels.step, kernels.start, kernels.start + np.maximum(kernels.duration, 0)))
    step, start, end = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    timed = (start >= 0) & (end >= start)
    step, start, end = step[timed], start[timed], end[timed]
    order = np.argsort(step, kind="stable")
    step, start, end = step[order], start[order], end[order]
    first = np.flatnonzero(np.diff(step, prepend=step[:1] - 1)) if len(step) else np.empty(0, np.int64)
    if not len(first):
        return {}
    begins, ends = np.minimum.reduceat(start, first), np.maximum.reduceat(end, first)
    return dict(zip(step[first].tolist(), zip(begins.tolist(), ends.tolist(), strict=True), strict=True))
