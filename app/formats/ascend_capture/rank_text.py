"""Reads the text files of one rank into sections."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from app.formats.ascend_capture import communication, kernel_rows, tables
from app.formats.ascend_capture.identity import facts_of, load_source
from app.formats.ascend_capture.kinds import Kind
from app.formats.ascend_capture.rank import RankData
from app.formats.ascend_capture.sheet import Sheet
from app.formats.ascend_report.csv_table import LineProblems, read_table
from app.formats.errors import FormatError
from app.formats.events import Sink
from app.formats.json.problems import Problems
from app.formats.source import Source, Unreadable
from app.language import tr
from app.profile.ascend_report import ReportTable
from app.profile.issue import Issue
from app.profile.profile import Section

MAX_JSON: Final = 256 << 20
_SLICE: Final = re.compile(r"_slice_(\d{1,6})_", re.IGNORECASE)


class File(Struct, frozen=True, eq=False):
    """A file of a rank. ``name``: below the folder that was opened; ``number``: in the profile's origin."""

    name: str
    kind: Kind | None
    source: Source
    number: int


class TextRank:
    """Reads files of one rank. ``read``: the numbers of those that were read."""

    def __init__(self, files: Sequence[File], sink: Sink, tick: Callable[[int], None]) -> None:
        """``tick`` is called with the bytes that are done of all files and may raise Cancelled."""
        self.read: set[int] = set()
        self._files = files
        self._sink = sink
        self._tick = tick
        self._done = 0
        self._values: dict[str, object] = {}

    def data(self) -> RankData:
        """Everything but the timeline. Damaged files are reported as issues."""
        sections: list[Section] = []
        rows = self._kernels()
        operations = self._operations()
        if rows is not None:
            sections.append(rows.kernels)
        if operations or (rows is not None and rows.names):
            sections.append(communication.collectives(rows, operations))
        if operations:
            sections.append(communication.packets(operations))
        for file in self._of("matrix"):
            tree = self._json(file)
            if tree is not None:
                sections.append(communication.links(communication.links_of_rank(tree, self._alive)))
        for kind, make in tables.MADE.items():
            sheet = self._sheet(kind, tables.kind_of)
            if sheet is not None:
                sections.append(make(sheet))
        facts = self._facts()
        if rows is not None:
            facts = replace(facts, device=rows.device)
        return RankData(facts=facts, sections=tuple(sections), tables=tuple(self._tables()))

    def _facts(self):  # type: ignore[no-untyped-def]
        values = {}
        for file in self._files:
            values[file.source.path] = self._json(file) if file.kind in ("info", "metadata") else None
        from app.formats.ascend_capture.files import root_of

        return facts_of(root_of(self._files[0].source.path.absolute()), values)

    def _of(self, kind: Kind) -> list[File]:
        return [file for file in self._files if file.kind == kind and not isinstance(file.source, Unreadable)]

    def _alive(self) -> None:
        self._tick(self._done)

    def _moved(self, done: int) -> None:
        self._tick(self._done + done)

    def _kernels(self) -> kernel_rows.KernelRows | None:
        sheet = self._sheet("kernels", kernel_rows.kind_of)
        return None if sheet is None else kernel_rows.kernel_rows(sheet)

    def _sheet(self, kind: Kind, kind_of: Callable[[str], str]) -> Sheet | None:
        """The rows of the files of a kind, the parts of a run one after the other; None without one that is
        readable."""
        sheet = Sheet(kind_of)  # type: ignore[arg-type]
        for file in self._parts(kind):
            problems = LineProblems(self._sink, file.name)
            try:
                sheet.read(file.source, file.name, problems, self._moved)
                self.read.add(file.number)
            except FormatError as error:
                self._failed(file, error)
            problems.finish()
            self._done += file.source.size
        return sheet if sheet.titles else None

    def _parts(self, kind: Kind) -> list[File]:
        """The files of a kind that are parts of one run; of others, only the last by name, which is the newest
        export."""
        files = self._of(kind)
        numbered = [file for file in files if _SLICE.search(file.name)]
        if numbered:
            return sorted(numbered, key=lambda file: int(_SLICE.search(file.name)[1]))  # type: ignore[index]
        if len(files) > 1:
            text = tr("{name} is shown; other files with the same content are not", name=files[-1].name)
            self._sink(Issue("warning", files[-1].name, text))
        return files[-1:]

    def _json(self, file: File) -> object:
        """The JSON value of a file, None if it cannot be read."""
        if file.name in self._values:
            return self._values[file.name]
        value = None
        try:
            value = load_source(file.source, MAX_JSON)
            self.read.add(file.number)
        except FormatError as error:
            self._failed(file, error)
        self._done += file.source.size
        self._alive()
        if file.kind in ("info", "metadata"):
            self._values[file.name] = value
        return value

    def _operations(self) -> list[communication.Operation]:
        made: list[communication.Operation] = []
        for file in self._of("communication"):
            made += communication.of_rank(self._json(file), self._alive)
        return made

    def _tables(self) -> list[ReportTable]:
        """Tables that become no section, unchanged."""
        made = []
        for file in self._files:
            if file.kind not in ("table", "types", None) or isinstance(file.source, Unreadable):
                continue
            problems = LineProblems(self._sink, file.name)
            stem = file.source.path.name.rpartition(".")[0]
            try:
                made.append(read_table(file.source, stem, file.name, problems, self._moved))
                self.read.add(file.number)
            except FormatError as error:
                self._failed(file, error)
            problems.finish()
            self._done += file.source.size
        return made

    def _failed(self, file: File, error: FormatError) -> None:
        problems = Problems(self._sink, file.name)
        problems.add("error", tr("files that cannot be read"), error.offset, error.text)
