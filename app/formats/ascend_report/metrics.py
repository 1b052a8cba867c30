"""Metric tables (CSV) and JSON files of a report as sections."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from app.formats.ascend_report import block_tables, operator
from app.formats.ascend_report import block_tables as memory_rows
from app.formats.ascend_report import operator as basic_info
from app.formats.ascend_report.emulate import emulated_sections, executed_sections
from app.formats.ascend_report.members import Member
from app.formats.ascend_report.operator import BasicInfo, compare, completed
from app.formats.ascend_report.tables import (
    BASIC_INFO,
    METRIC_NAMES,
    MOST_ROWS,
    Metrics,
    Shares,
    kind_of_file,
    read_json_table,
)
from app.formats.csv.lines import LineProblems, silent
from app.formats.csv.table import read_table
from app.formats.errors import FormatError
from app.formats.events import Sink
from app.formats.json.problems import Problems
from app.language import plural, tr
from app.profile.ascend_report import ReportTable, ReportTables
from app.profile.issue import Issue
from app.profile.profile import Section

_EXECUTED = re.compile(r"(?P<core>.*)_(?P<what>instr|code)_exe(?:_\d+)?", re.IGNORECASE)
MOST_INSTRUCTIONS = 2_000_000
MOST_INFO_BYTES = 1 << 16
_SUMMARY, _HARDWARE = "summary", "hardwareinfo"


def sections_of_tables(
    members: Sequence[Member],
    sink: Sink,
    known: Mapping[str, Section],
    tick: Callable[[int], None],
) -> tuple[list[Section], frozenset[str]]:
    """(the sections that the CSV and JSON ``members`` fill, the names of the members that were read). ``known``: the
    sections that visualize_data.bin filled, by SECTION; they are compared, and never replaced except by ones that say
    more of the operator (``completing``). ``tick`` is called with
    the bytes done and may raise Cancelled. A damaged member is reported as an Issue to ``sink``; no FormatError."""
    files = _Files(sink, tick)
    for member in members:
        files.read(member)
    made = files.sections()
    differences = Problems(sink, tr("metric tables"))
    for section in made:
        if section.SECTION in known:
            compare(known[section.SECTION], section, differences)
    differences.finish()
    new: list[Section] = []
    for section in made:
        stored = known.get(section.SECTION)
        more = section if stored is None else completed(stored, section)
        if more is not None:
            new.append(more)
    return new, frozenset(files.names)


def operator_name(member: Member) -> str:
    """The operator in a table OpBasicInfo; "" for other files, and if it does not say."""
    stem = member.base.rsplit(".", 1)[0]
    if member.kind != "csv" or kind_of_file(stem) != BASIC_INFO or member.size > MOST_INFO_BYTES:
        return ""
    try:
        return BasicInfo.of(read_table(member.window(), stem, member.name, silent(stem), lambda _: None)).text(
            "Op Name"
        )
    except FormatError:
        return ""  # reported when the tables are read


class _Files:
    def __init__(self, sink: Sink, tick: Callable[[int], None]) -> None:
        self.names: list[str] = []
        self._sink = sink
        self._tick = tick
        self._done = 0
        self._tables: list[ReportTable] = []
        self._by_kind: dict[str, ReportTable] = {}
        self._instructions: list[tuple[str, ReportTable]] = []
        self._lines: list[tuple[str, ReportTable]] = []
        self._executed = 0

    def read(self, member: Member) -> None:
        """Reads one file, if it is a table; a damaged one is reported."""
        if member.kind not in ("csv", "json"):
            return
        problems = LineProblems(self._sink, member.name)
        stem = member.base.rsplit(".", 1)[0]
        begin = self._done
        try:
            if member.kind == "csv":
                table = read_table(
                    member.window(), stem, member.name, problems, lambda at: self._tick(begin + min(at, member.size))
                )
                self._sort_in(stem, table)
            else:
                table = read_json_table(member.window(), stem, member.name, problems)
                self._by_kind.setdefault(stem.lower(), table)
                self._tables.append(table)
        except FormatError as error:
            problems.add("error", tr("files that cannot be read"), None, str(error))
            return
        finally:
            problems.finish()
        self._done = begin + member.size
        self._tick(self._done)
        self.names.append(member.name)

    def _sort_in(self, stem: str, table: ReportTable) -> None:
        executed_on = _EXECUTED.fullmatch(stem)
        if executed_on is not None and not self._too_long(table):
            own = self._instructions if executed_on["what"].lower() == "instr" else self._lines
            own.append((executed_on["core"], table))
            return
        self._tables.append(table)
        kind = kind_of_file(stem)
        if kind in self._by_kind and kind in (*METRIC_NAMES, BASIC_INFO):
            text = tr("this is a second {kind}: it is listed as a table, and the panels show the first", kind=kind)
            self._sink(Issue("warning", table.file, text))
        self._by_kind.setdefault(kind, table)

    def _too_long(self, table: ReportTable) -> bool:
        """Whether the instructions and lines of all cores are more than the source panel shows."""
        if self._executed + table.rows <= MOST_INSTRUCTIONS:
            self._executed += table.rows
            return False
        text = tr(
            "more than {most:,} instructions and lines; this file is listed only as a table",
            most=MOST_INSTRUCTIONS,
        )
        self._sink(Issue("warning", table.file, text))
        return True

    def sections(self) -> list[Section]:
        """All sections that the files fill."""
        of_cores, left = executed_sections(self._instructions, self._lines)
        if left:
            text = plural(
                "the table of {count:,} core is listed only as a table, because its instructions differ",
                "the tables of {count:,} cores are listed only as tables, because their instructions differ",
                count=len(left),
            )
            self._sink(Issue("warning", left[0].file, text))
            self._tables += left
        made = [*self._of_metrics(), *of_cores]
        taken = {section.SECTION for section in made}
        made += [section for section in emulated_sections(self._by_kind, self._sink) if section.SECTION not in taken]
        if self._tables:
            made.append(ReportTables(tuple(self._tables)))
        return made

    def _of_metrics(self) -> list[Section]:
        metrics = Metrics({kind: table for kind, table in self._by_kind.items() if kind in METRIC_NAMES})
        if metrics.cut:
            text = plural(
                "the metric tables have {count:,} row beyond the limit of {most:,} in the panels; the "
                "tables contain all",
                "the metric tables have {count:,} rows beyond the limit of {most:,} in the panels; the "
                "tables contain all",
                count=metrics.cut,
                most=MOST_ROWS,
            )
            self._sink(Issue("warning", tr("metric tables"), text))
        info = BasicInfo.of(self._by_kind.get(BASIC_INFO))
        if not info.cells and _SUMMARY in self._by_kind:
            info = operator.operator_info(self._by_kind[_SUMMARY])
        if not info.cells and not len(metrics):
            return []
        chip = operator.chip_name(self._by_kind[_HARDWARE]) if _HARDWARE in self._by_kind else ""
        kind = basic_info.type_of(info, metrics)
        shares = Shares(metrics, mix=kind == "mix", frequency_mhz=info.number("Current Freq"))
        made: list[Section | None] = [
            *basic_info.operator(info, metrics, chip),
            block_tables.workload(metrics, shares),
            block_tables.core_load(metrics, kind, chip),
            block_tables.memory_paths(metrics, shares, kind, info.duration_us),
            memory_rows.memory_tables(metrics),
        ]
        return [section for section in made if section is not None]
