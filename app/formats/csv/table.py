"""Reads CSV files into tables, whatever their size: columns of numbers or text, decided by their cells."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Generic, Protocol, TypeVar

import numpy as np
import orjson

from app.formats.ascend_bin.part import Column, parse
from app.formats.csv.cells import Cells, KnownTexts, Rows, regular_rows, text_of
from app.formats.csv.lines import CsvLines, LineProblems, silent
from app.formats.errors import FormatError
from app.formats.json.problems import SHOWN
from app.formats.source import Source
from app.language import plural, tr
from app.profile.arrays import F64, I32, I64, sealed
from app.profile.ascend import TypedColumn
from app.profile.ascend_report import ReportTable
from app.profile.strings import Strings

NO_DATA = frozenset({"", "NA", "N/A", "NAN", "-NAN"})
_NUMBER = b"0123456789+-.eE, "
_NO_DATA_LETTERS = b"NAna/"
_MARKS = (b"-NAN", b"NAN", b"N/A", b"NA")
_MOST_DISTINCT = 1 << 16
_EXACT = float(1 << 53)


def no_data(cell: str) -> bool:
    """Whether a cell is one of the marks for no data, which are not 0 (Ascend operator reports, section 2.1)."""
    return cell.strip().upper() in NO_DATA


class CsvColumn:
    """Collects cells batch by batch. ``text``: take all cells as text. ``mixed``: there was text after numbers, so
    that the column must be read again as text."""

    def __init__(self, *, text: bool = False) -> None:
        self.mixed = False
        self._rows = 0
        self._number: Column | None = None
        self._text: TextCells | None = TextCells() if text else None
        self._pending = 0

    @staticmethod
    def without_data(rows: int) -> F64:
        """float64[rows, 1] of NaN, which columns without data share."""
        return sealed(np.full((rows, 1), np.nan))

    @property
    def any_data(self) -> bool:
        return self._number is not None or self._text is not None or self.mixed

    def skip(self, rows: int) -> None:
        """Adds rows without data."""
        self._pending += rows

    def add(self, cells: Sequence[str]) -> None:
        """Adds the cells of the next rows."""
        if self.mixed:
            return
        if all(map(no_data, set(cells[:8]))) and all(map(no_data, set(cells))):
            self._pending += len(cells)
            return
        numbers = numbers_in(cells) if self._text is None else None
        if numbers is not None:
            self._add_numbers(numbers)
        elif self._number is not None:
            self.mixed, self._number = True, None
        else:
            self._text = self._text or TextCells()
            self._text.skip(self._pending)
            self._text.add(cells)
        self._pending = 0

    def add_bytes(self, cells: Cells) -> None:
        """Adds the cells of the next rows."""
        if self.mixed:
            return
        if self._text is not None:
            self._text.skip(self._pending)
            self._text.add_bytes(cells)
            self._pending = 0
            return
        numbers = cells.numbers()
        if numbers is None:
            self.add(cells.texts())
        elif np.isnan(numbers).all():
            self._pending += len(cells)
        else:
            self._add_numbers(numbers)
            self._pending = 0

    def _add_numbers(self, numbers: F64) -> None:
        if self._number is None:
            self._number = Column(np.float64)
        self._number.add(np.full(self._pending, np.nan))
        self._number.add(numbers)

    def finish(self, title: str, rows: int, shared: F64) -> TypedColumn:
        """The column with ``rows`` rows; ``shared``: its values if it has no data."""
        if self._number is not None:
            self._number.add(np.full(self._pending, np.nan))
            return TypedColumn(title, "float", sealed(self._number.done()[:rows].reshape(-1, 1)))
        if self._text is not None:
            self._text.skip(self._pending)
            return self._text.finish(title, rows)
        return TypedColumn(title, "float", shared)


class _Ids(dict[str, int]):
    """The ids of texts, -1 for no data; ``new`` gives those of others."""

    def __init__(self, new: Callable[[str], int]) -> None:
        super().__init__()
        self._new = new

    def __missing__(self, cell: str) -> int:
        number = -1 if no_data(cell) else self._new(cell)
        if len(self) < _MOST_DISTINCT:
            self[cell] = number
        return number


class TextCells:
    """The texts of a column. Frequent ones are stored once; after very many distinct ones each is stored as it
    comes, because a table of Python strings would be many times as large as the file."""

    def __init__(self) -> None:
        self._ids = _Ids(self._new)
        self._count = 0
        self._added: list[bytes] = []
        self._known = KnownTexts()
        self._id = Column(np.int32)
        self._blob = Column(np.uint8)
        self._size = Column(np.int64)

    def skip(self, rows: int) -> None:
        self._id.add(np.full(rows, -1, np.int32))

    def add(self, cells: Sequence[str]) -> None:
        self._id.add(self._numbered(cells))

    def add_bytes(self, cells: Cells) -> None:
        self._id.add(self._known.ids(cells, lambda new: self._numbered(map(text_of, new))))

    def _numbered(self, cells: Iterable[str]) -> I32:
        """int32: the ids of ``cells``."""
        ids = np.fromiter(map(self._ids.__getitem__, cells), np.int32)
        self._blob.add(np.frombuffer(b"".join(self._added), np.uint8))
        self._size.add(np.fromiter(map(len, self._added), np.int64))
        self._added.clear()
        return ids

    def _new(self, cell: str) -> int:
        self._added.append(cell.encode("utf-8", "backslashreplace"))
        self._count += 1
        return self._count - 1

    def finish(self, title: str, rows: int) -> TypedColumn:
        strings = Strings(sealed(self._blob.done()), sealed(np.cumsum(self._size.done(), dtype=np.int64)))
        return TypedColumn(title, "text", sealed(self._id.done()[:rows].reshape(-1, 1)), strings)


def numbers_in(cells: Sequence[str]) -> F64 | None:
    """float64[cells], NaN for no data; None if any cell is something else, or an integer that float64 cannot hold."""
    numbers = _quickly(cells)
    if numbers is not None:
        return None if (np.abs(numbers) >= _EXACT).any() else numbers
    values = np.empty(len(cells))
    for place, cell in enumerate(cells):
        value = parse(cell)
        if value != value and no_data(cell):
            pass
        elif not abs(value) < _EXACT or _is_name(cell):
            return None
        values[place] = value
    return values


def _quickly(cells: Sequence[str]) -> F64 | None:
    """The cells read as one JSON array, many times as fast as one by one; None if some are no numbers of JSON. These
    are numbers everywhere, and none of them looks like a name (007) or is joined by an underscore (1_000)."""
    text = ",".join(cells)
    if not text.isascii():
        return None
    written = text.encode()
    other = written.translate(None, _NUMBER)
    if other:
        if other.translate(None, _NO_DATA_LETTERS):
            return None
        written = written.upper()
        for mark in _MARKS:
            written = written.replace(mark, b"null")
    while b",," in written:
        written = written.replace(b",,", b",null,")
    begin, end = b"[null" if written.startswith(b",") else b"[", b"null]" if written.endswith(b",") else b"]"
    try:
        numbers = orjson.loads(begin + written + end)
    except orjson.JSONDecodeError:
        return None
    return np.array(numbers, np.float64) if len(numbers) == len(cells) else None


def _is_name(cell: str) -> bool:
    """Whether a cell is digits that begin with 0, as identifiers do."""
    digits = cell.strip().lstrip("+-")
    return len(digits) > 1 and digits[0] == "0" and digits[1].isdigit()


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
    first = CsvPass(source, problems, tick, lambda _place, _title: CsvColumn())
    first.read()
    columns, rows = first.columns, first.rows
    mixed = frozenset(place for place, column in enumerate(columns) if column and column.mixed)
    if mixed:

        def again(place: int, _title: str) -> CsvColumn | None:
            return CsvColumn(text=True) if place in mixed else None

        second = CsvPass(source, silent(name), tick, again)
        second.read()
        columns = [new or old for old, new in zip_longest(columns, second.columns)]
        rows = min(rows, second.rows)  # they differ only for a file that changes while it is read
    shared = CsvColumn.without_data(rows)
    titled: list[TypedColumn] = []
    for place, column in enumerate(columns):
        if column is None or (place == len(first.titles) - 1 and not first.titles[place] and not column.any_data):
            continue
        titled.append(column.finish(_title(first.titles, place), rows, shared))
        tick(source.size)
    return ReportTable(name, file, tuple(titled))


def _title(titles: list[str], place: int) -> str:
    written = titles[place] if place < len(titles) else ""
    return written or f"(column {place + 1})"


class CellColumn(Protocol):
    """Takes the cells of one column, batch by batch."""

    def add(self, cells: Sequence[str]) -> None:
        """Adds the cells of the next rows."""

    def add_bytes(self, cells: Cells) -> None:
        """The same without an object for each cell."""

    def skip(self, rows: int) -> None:
        """Adds rows without data."""


ColumnT = TypeVar("ColumnT", bound=CellColumn)


class CsvPass(Generic[ColumnT]):
    """One pass over the file. ``columns``: what ``make(place, title)`` returned for each, filled by ``read``; None is
    left out."""

    def __init__(
        self,
        source: Source,
        problems: LineProblems,
        tick: Callable[[int], None],
        make: Callable[[int, str], ColumnT | None],
    ) -> None:
        self.titles: list[str] = []
        self.columns: list[ColumnT | None] = []
        self.rows = 0
        self._make = make
        self._problems = problems
        self._size = source.size
        self._stray = 0
        self._lines = CsvLines(source, problems, tick)

    def read(self) -> None:
        """Reads all rows. Raises FormatError if there is no header."""
        separator = self._header()
        while self._lines.more():
            regular = self._regular(separator)
            if not (self._add(*self._rows(separator)) if regular is None else self._add_regular(regular)):
                return

    def _header(self) -> str:
        """Reads the titles and returns the separator, the most frequent one in them. Raises FormatError if there are
        none."""
        while line := self._lines.first():
            if not line.strip():
                continue
            separator = max(SEPARATORS, key=_outside_quotes(line).count)
            titles = [title.strip() for title in next(csv.reader([line], delimiter=separator), [])]
            if len(titles) > MAX_COLUMNS:
                self._warn_of_columns(len(titles))
            self.titles = titles[:MAX_COLUMNS]
            self.columns = [self._make(place, title) for place, title in enumerate(self.titles)]
            return separator
        raise FormatError(tr("the table is empty"))

    def _regular(self, separator: str) -> Rows | None:
        """The next rows if all of them have their cells and quotes where they belong."""
        taken = self._lines.take_bytes()
        if not taken:
            return None
        rows = None
        if b'"' not in taken or not self._ignores_quotes():
            rows = regular_rows(taken, separator, len(self.titles))
        if rows is None:
            self._lines.return_bytes(taken)
        else:
            self._lines.number += rows.lines
            self._lines.postpone(taken[rows.used :])
        return rows

    def _rows(self, separator: str) -> tuple[list[list[str]], list[int]]:
        """(the next rows, the numbers of the lines in which they begin): many lines at a time, and one by one where a
        quoted cell is not closed in them."""
        lines, begin = self._lines, self._lines.number + 1
        decoded = lines.take_pending()
        if not (self._ignores_quotes() and lines.quotes):
            reader = csv.reader(decoded, delimiter=separator, strict=True)
            rows, numbers, number = [], [], begin
            try:
                for row in reader:
                    if row:
                        rows.append(row)
                        numbers.append(number)
                    number = begin + reader.line_num
                return rows, numbers
            except csv.Error:  # also for a cell longer than the csv module reads
                pass
        lines.return_lines(decoded)
        return self._one_by_one(separator)

    def _one_by_one(self, separator: str) -> tuple[list[list[str]], list[int]]:
        """(rows read line by line, the numbers of the lines in which they begin), up to the end of the lines that are
        decoded already and of the last row."""
        lines = self._lines
        rows: list[list[str]] = []
        numbers: list[int] = []
        lines.taken.clear()
        reader, begin = self._reader(separator), lines.number + 1
        while True:
            try:
                for row in reader:
                    if row:
                        rows.append(row)
                        numbers.append(begin)
                    lines.taken.clear()
                    begin = lines.number + 1
                    if not lines.pending:
                        return rows, numbers
                return rows, numbers
            except csv.Error:
                first = lines.return_all_but_first()
                text = tr("a quoted cell in this line is not closed correctly; it was read as far as possible")
                self._problems.add("warning", tr("lines with stray quotes"), lines.number, text)
                lines.taken.clear()
                rows.append(_leniently(first, separator))
                numbers.append(lines.number)
                self._stray += 1
                if not lines.pending:
                    return rows, numbers
                reader, begin = self._reader(separator), lines.number + 1

    def _reader(self, separator: str) -> Iterator[list[str]]:
        """Rows from here on."""
        if not self._ignores_quotes():
            return csv.reader(self._lines, delimiter=separator, strict=True)
        return csv.reader(self._lines, delimiter=separator, quoting=csv.QUOTE_NONE)

    def _ignores_quotes(self) -> bool:
        """Whether quotes are characters like others from here on: after very many stray ones, or where looking for
        those that match has taken as long as reading the file."""
        return self._stray >= MOST_STRAY or self._lines.again > self._size + _SPARE_CHARACTERS

    def _add(self, batch: list[list[str]], numbers: list[int]) -> bool:
        """Adds rows; False if the table must end because its rows have hardly any cells."""
        if not batch:
            return True
        width = len(self.titles)
        counts = np.fromiter(map(len, batch), np.int64, len(batch))
        least, most = int(counts.min()), int(counts.max())
        if not least == most == width:
            self._report_lengths(batch, counts, numbers, width)
            self._widen(min(max(len(self.columns), most), MAX_COLUMNS))
            if most > MAX_COLUMNS:
                batch = [row[:MAX_COLUMNS] for row in batch]
        if not self._has_room(len(batch)):
            return False
        cells = zip(*batch, strict=True) if least == most else zip_longest(*batch, fillvalue="")
        for column in self.columns:
            own = next(cells, ("",) * len(batch))
            if column is not None:
                column.add(own)
        self.rows += len(batch)
        return True

    def _add_regular(self, rows: Rows) -> bool:
        """The same for rows that have all their cells."""
        if not self._has_room(len(rows)):
            return False
        for place, column in enumerate(self.columns):
            if column is None:
                continue
            if place < len(self.titles):
                column.add_bytes(rows.column(place))
            else:
                column.skip(len(rows))
        self.rows += len(rows)
        return True

    def _has_room(self, rows: int) -> bool:
        """Whether the table does not become much larger than the file by so many rows."""
        if (self.rows + rows) * len(self.columns) <= _PADDING * self._size + _SPARE_CELLS:
            return True
        text = tr("most rows have far fewer cells than the table has columns; reading of the table stops here")
        self._problems.add("error", tr("short rows"), self._lines.number, text)
        return False

    def _widen(self, width: int) -> None:
        for place in range(len(self.columns), width):
            self.columns.append(column := self._make(place, ""))
            if column is not None:
                column.skip(self.rows)

    def _report_lengths(self, batch: list[list[str]], counts: I64, numbers: list[int], width: int) -> None:
        least = width - (1 if not self.titles[-1] else 0)
        long = np.flatnonzero(counts > width).tolist()
        long = [place for place in long if not all(map(no_data, batch[place][width:]))]
        odd = sorted([*np.flatnonzero(counts < least).tolist(), *long])
        kind = tr("rows of different length")
        for place in odd[:SHOWN]:
            cells = plural("{count:,} cell", "{count:,} cells", count=len(batch[place]))
            text = tr("this row has {cells}, the header has {width:,}", cells=cells, width=width)
            self._problems.add("warning", kind, numbers[place], text)
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
