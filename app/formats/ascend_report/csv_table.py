"""Reads CSV files of any columns into tables, whatever their size."""

from __future__ import annotations

import csv
from collections.abc import Callable, Collection, Iterator
from itertools import zip_longest

import numpy as np

from app.formats.ascend_report.csv_columns import CsvColumn, no_data
from app.formats.ascend_report.csv_lines import CsvLines
from app.formats.ascend_report.line_problems import LineProblems, silent
from app.formats.errors import FormatError
from app.formats.json.problems import SHOWN
from app.formats.source import Source
from app.language import plural, tr
from app.profile.arrays import I64
from app.profile.ascend import TypedColumn
from app.profile.ascend_report import ReportTable

SEPARATORS = (",", "\t", ";")
MAX_COLUMNS = 4096
MOST_STRAY = 10_000
_SPARE_CELLS = 1 << 20
_SPARE_CHARACTERS = 1 << 20
_PADDING = 4
"""A table may have this many cells per byte of the file, because rows can be shorter than the header."""


def read_table(
    source: Source, name: str, file: str, problems: LineProblems, tick: Callable[[int], None]
) -> ReportTable:
    """The table in ``source``. Its first line that is not blank has the titles. A last column without a title and
    without data is left out (some writers end each line with a comma). Raises FormatError if there is no header.

    A column is either numbers or text: if text follows numbers, the file is read a second time for such columns. Time
    and memory are proportional to the size of the file.
    """
    first = _Pass(source, problems, tick, frozenset())
    first.read()
    mixed = frozenset(place for place, column in enumerate(first.columns) if column.mixed)
    if mixed:
        kept: list[CsvColumn | None] = [None if column.mixed else column for column in first.columns]
        second = _Pass(source, silent(name), tick, mixed)
        second.read()
        columns = [old or new for old, new in zip_longest(kept, second.columns)]
        rows = min(first.rows, second.rows)  # they differ only for a file that changes while it is read
    else:
        columns, rows = list(first.columns), first.rows
    shared = CsvColumn.without_data(rows)
    titled: list[TypedColumn] = []
    for place, column in enumerate(columns):
        if column is None or (place == len(first.titles) - 1 and not first.titles[place] and not column.any_data):
            continue
        titled.append(column.finish(_title(first.titles, place), rows, shared))
    return ReportTable(name, file, tuple(titled))


def _title(titles: list[str], place: int) -> str:
    written = titles[place] if place < len(titles) else ""
    return written or f"(column {place + 1})"


class _Pass:
    """One pass over the file. ``columns``: those at the places ``only`` as text, or all of them if it is empty."""

    def __init__(
        self, source: Source, problems: LineProblems, tick: Callable[[int], None], only: Collection[int]
    ) -> None:
        self.titles: list[str] = []
        self.columns: list[CsvColumn] = []
        self.rows = 0
        self._only = only
        self._problems = problems
        self._size = source.size
        self._stray = 0
        self._lines = CsvLines(source, problems, tick)

    def read(self) -> None:
        separator = self._header()
        for rows, line in self._batches(separator):
            if not self._add(rows, line):
                return

    def _header(self) -> str:
        """Reads the titles and returns the separator, the most frequent one in them. Raises FormatError if there are
        none."""
        for line in self._lines:
            if not line.strip():
                continue
            separator = max(SEPARATORS, key=_outside_quotes(line).count)
            titles = [title.strip() for title in next(csv.reader([line], delimiter=separator), [])]
            if len(titles) > MAX_COLUMNS:
                self._warn_of_columns(len(titles))
            self.titles = titles[:MAX_COLUMNS]
            self.columns = [self._column(place) for place in range(len(self.titles))]
            return separator
        raise FormatError(tr("the table is empty"))

    def _column(self, place: int) -> CsvColumn:
        return CsvColumn(text=place in self._only, skipped=bool(self._only) and place not in self._only)

    def _batches(self, separator: str) -> Iterator[tuple[list[list[str]], int]]:
        """(rows, the line of the first) of the next rows: many lines at a time, and one by one where a quoted cell is
        not closed in them."""
        lines = self._lines
        while lines.more():
            begin = lines.number + 1
            if not self._ignores_quotes() or not lines.quotes:
                decoded = lines.take_pending()
                try:
                    yield [row for row in csv.reader(decoded, delimiter=separator, strict=True) if row], begin
                    continue
                except csv.Error:  # also for a cell longer than the csv module reads
                    lines.return_lines(decoded)
            yield self._one_by_one(separator), begin

    def _one_by_one(self, separator: str) -> list[list[str]]:
        """Rows read line by line, up to the end of the lines that are decoded already and of the last row."""
        lines = self._lines
        rows: list[list[str]] = []
        lines.taken.clear()
        reader = self._reader(separator)
        while True:
            try:
                for row in reader:
                    if row:
                        rows.append(row)
                    lines.taken.clear()
                    if not lines.pending:
                        return rows
                return rows
            except csv.Error:
                first = lines.return_all_but_first()
                text = tr("a quoted cell in this line is not closed correctly; it was read as far as possible")
                self._problems.add("warning", tr("lines with stray quotes"), lines.number, text)
                lines.taken.clear()
                rows.append(_leniently(first, separator))
                self._stray += 1
                if not lines.pending:
                    return rows
                reader = self._reader(separator)

    def _reader(self, separator: str) -> Iterator[list[str]]:
        """Rows from here on."""
        if not self._ignores_quotes():
            return csv.reader(self._lines, delimiter=separator, strict=True)
        return csv.reader(self._lines, delimiter=separator, quoting=csv.QUOTE_NONE)

    def _ignores_quotes(self) -> bool:
        """Whether quotes are characters like others from here on: after very many stray ones, or where looking for
        those that match has taken as long as reading the file."""
        return self._stray >= MOST_STRAY or self._lines.again > self._size + _SPARE_CHARACTERS

    def _add(self, batch: list[list[str]], line: int) -> bool:
        """Adds rows; False if the table must end because its rows have hardly any cells."""
        if not batch:
            return True
        width = len(self.titles)
        counts = np.fromiter(map(len, batch), np.int64, len(batch))
        least, most = int(counts.min()), int(counts.max())
        if not least == most == width:
            self._report_lengths(batch, counts, line, width)
            self._widen(min(max(len(self.columns), most), MAX_COLUMNS))
            if most > MAX_COLUMNS:
                batch = [row[:MAX_COLUMNS] for row in batch]
        if (self.rows + len(batch)) * len(self.columns) > _PADDING * self._size + _SPARE_CELLS:
            text = tr("most rows have far fewer cells than the table has columns; reading of the table stops here")
            self._problems.add("error", tr("short rows"), self._lines.number, text)
            return False
        cells = zip(*batch, strict=True) if least == most else zip_longest(*batch, fillvalue="")
        for column in self.columns:
            column.add(next(cells, ("",) * len(batch)))
        self.rows += len(batch)
        return True

    def _widen(self, width: int) -> None:
        for place in range(len(self.columns), width):
            column = self._column(place)
            column.skip(self.rows)
            self.columns.append(column)

    def _report_lengths(self, batch: list[list[str]], counts: I64, line: int, width: int) -> None:
        least = width - (1 if not self.titles[-1] else 0)
        long = np.flatnonzero(counts > width).tolist()
        long = [place for place in long if not all(map(no_data, batch[place][width:]))]
        odd = sorted([*np.flatnonzero(counts < least).tolist(), *long])
        kind = tr("rows of different length")
        for place in odd[:SHOWN]:
            cells = plural("{count:,} cell", "{count:,} cells", count=len(batch[place]))
            text = tr("this row has {cells}, the header has {width:,}", cells=cells, width=width)
            self._problems.add("warning", kind, line + place, text)
        if len(odd) > SHOWN:
            self._problems.add("warning", kind, None, kind, len(odd) - SHOWN)  # counted, not shown
        if (most := int(counts.max())) > MAX_COLUMNS:
            self._warn_of_columns(most)

    def _warn_of_columns(self, count: int) -> None:
        text = plural(
            "{count:,} column; the first {shown:,} are read",
            "{count:,} columns; the first {shown:,} are read",
            count=count,
            shown=MAX_COLUMNS,
        )
        self._problems.add("warning", tr("wide rows"), self._lines.number, text)


def _leniently(line: str, separator: str) -> list[str]:
    """The cells of one line whose quotes do not match."""
    try:
        return [cell.rstrip("\n") for cell in next(csv.reader([line], delimiter=separator), [])]
    except csv.Error:  # a cell longer than the csv module reads
        return line.rstrip("\n").split(separator)


def _outside_quotes(line: str) -> str:
    return "".join(line.split('"')[::2])
