"""Tables as Excel workbooks: a sheet that says what the table is, then its rows. They are written row by row, so that
memory is bounded.

Numbers are numbers, but whole numbers beyond those that a cell holds exactly are texts, and so are addresses (``0x…``).
Texts are texts, also those that look like formulas or links.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from xlsxwriter import Workbook
from xlsxwriter.exceptions import XlsxFileError

from app.analysis.about import About, facts, settings_of
from app.analysis.digits import EXACT
from app.analysis.export import clean_text, heads, noting, typed_blocks, unit_of
from app.analysis.table import AMOUNTS, Column, Table
from app.atomic import SCRATCH
from app.language import plural, tr
from app.profile.arrays import I64
from app.store.table_files.kinds import TooManyColumnsError

MOST_ROWS: Final = 1_048_576
MOST_COLUMNS: Final = 16_384
MOST_CHARACTERS: Final = 32_767
LONGEST_NAME: Final = 31
NARROWEST, WIDEST = 8, 60
"""Widths of columns, in characters."""
ABOUT: Final = tr("About")
_FORBIDDEN: Final = str.maketrans(dict.fromkeys("[]:*?/\\", "-"))
COUNT_FORMAT: Final = "#,##0"


def write_workbook(
    table: Table,
    path: Path,
    about: About,
    rows: I64 | None,
    look: Callable[[int], None],
    sheet_rows: int = MOST_ROWS - 1,
    more: Iterable[Table] = (),
) -> str:
    """Writes ``path``, and returns how many texts were truncated, "" if none. ``sheet_rows``: the most rows of a sheet,
    below its header; more rows continue on further sheets. ``more``: as in ``export``. TooManyColumnsError; OSError if
    it cannot be written."""
    if len(table.columns) > MOST_COLUMNS:
        raise TooManyColumnsError(len(table.columns), MOST_COLUMNS)
    with TemporaryDirectory(prefix=".tilesight-", suffix=SCRATCH, dir=path.parent) as folder:
        book = Workbook(str(path), {"constant_memory": True, "tmpdir": folder})
        book.use_zip64()
        sheets = _Sheets(book, table, sheet_rows)
        try:
            for cells in typed_blocks(table, rows, noting(more, sheets.notes)):
                look(sheets.rows)
                sheets.add(cells)
            sheets.finish(about)
            book.close()
        except XlsxFileError as error:
            raise error.args[0] if isinstance(error.args[0], OSError) else OSError(str(error)) from error
        finally:
            for sheet in book.worksheets():
                sheet._opt_close()  # the library leaves its temporary files open if writing stops
    return sheets.truncated


def sheet_name(title: str, number: int, count: int) -> str:
    """The name of sheet ``number`` of ``count``: without characters that Excel refuses, and not too long."""
    end = f" ({number})" if count > 1 else ""
    plain = clean_text(title).translate(_FORBIDDEN).strip().strip("'") or tr("Table")
    if plain.casefold() in ("history", ABOUT.casefold()):  # the first is Excel's own
        plain = f"{plain}_"
    return f"{plain[: LONGEST_NAME - len(end)].rstrip(chr(39))}{end}"


class _Sheets:
    """The sheets of a table: the first says what it is, each of the others has up to ``most`` rows. ``rows``: how many
    are written; ``notes``: of the table and of those that continue it, of which the last counts."""

    def __init__(self, book: Workbook, table: Table, most: int) -> None:
        self.rows = 0
        self.notes = [table.note]
        self._book = book
        self._table = table
        self._most = most
        self._cut = 0
        self._bold = book.add_format({"bold": True})
        self._wrapped = book.add_format({"text_wrap": True, "valign": "top"})
        count = book.add_format({"num_format": COUNT_FORMAT})
        self._formats = [count if _is_count(column) else None for column in table.columns]
        self._about = book.add_worksheet(ABOUT)
        self._sheets: list[Any] = []

    def add(self, cells: list[list[Any]]) -> None:
        """Writes further rows."""
        for row in zip(*cells, strict=True):
            place, line = divmod(self.rows, self._most)
            if place >= len(self._sheets):
                self._head(cells)
            for column, value in enumerate(row):
                self._cell(self._sheets[place], line + 1, column, value)
            self.rows += 1

    def _head(self, cells: list[list[Any]]) -> None:
        number, own = len(self._sheets) + 1, heads(self._table)
        sheet = self._book.add_worksheet(sheet_name(self._table.title, number, max(number, 2)))
        self._sheets.append(sheet)
        sheet.freeze_panes(1, 0)
        for place, head in enumerate(own):
            sample = cells[place][:100] if place < len(cells) else []
            longest = max((len(str(value)) for value in sample if value is not None), default=0)
            sheet.set_column(place, place, min(max(len(head) + 4, longest + 2, NARROWEST), WIDEST))
            sheet.write_string(0, place, clean_text(head), self._bold)

    def _cell(self, sheet: Any, line: int, place: int, value: Any) -> None:
        if isinstance(value, str):
            if sheet.write_string(line, place, value):
                self._cut += 1
        elif isinstance(value, bool):
            sheet.write_boolean(line, place, value)
        elif value is None:
            return
        elif self._table.columns[place].hexadecimal:
            sheet.write_string(line, place, f"0x{int(value):x}")
        elif isinstance(value, int) and abs(value) > EXACT:
            sheet.write_string(line, place, str(value))
        else:
            sheet.write_number(line, place, value, self._formats[place])

    def finish(self, about: About) -> None:
        """Writes the sheet about the table, once everything is known, and the header of an empty one."""
        if not self._sheets:
            self._head([])
        if len(self._sheets) == 1:
            self._sheets[0].name = sheet_name(self._table.title, 1, 1)
        for number, own in enumerate(self._sheets):
            rows = min(self.rows - number * self._most, self._most)
            if self._table.columns:
                own.autofilter(0, 0, rows, len(self._table.columns) - 1)
        sheet, table = self._about, self._table
        sheet.set_column(0, 1, 28)
        sheet.set_column(2, 2, 14)
        sheet.set_column(3, 3, 100, self._wrapped)
        line = 0
        for label, value in [(tr("Table"), f"{table.title} ({table.id})"), *self._notes(), *self._facts(about)]:
            sheet.write_string(line, 0, label, self._bold)
            sheet.write_string(line, 1, clean_text(value))
            line += 1
        line += 1
        for place, title in enumerate((tr("Column"), tr("Title"), tr("Unit"), tr("Source or formula"))):
            sheet.write_string(line, place, title, self._bold)
        for head, column in zip(heads(table), table.columns, strict=True):
            line += 1
            for place, text in enumerate((head, column.title, unit_of(table, column), column.help)):
                sheet.write_string(line, place, clean_text(text))

    def _notes(self) -> Iterator[tuple[str, str]]:
        if self.notes[-1]:
            yield tr("Note"), self.notes[-1]
        sheets = plural("{count:,} sheet", "{count:,} sheets", count=len(self._sheets))
        rows = plural("{count:,} row", "{count:,} rows", count=self.rows)
        yield tr("Rows"), rows if len(self._sheets) == 1 else tr("{rows}, on {sheets}", rows=rows, sheets=sheets)
        if self._cut:
            yield tr("Truncated texts"), self.truncated

    @property
    def truncated(self) -> str:
        """How many texts were truncated; "" if none."""
        if not self._cut:
            return ""
        return plural(
            "{count:,} text is truncated to {most:,} characters, the limit of a cell",
            "{count:,} texts are truncated to {most:,} characters, the limit of a cell",
            count=self._cut,
            most=MOST_CHARACTERS,
        )

    def _facts(self, about: About) -> Iterator[tuple[str, str]]:
        yield from facts(about, settings_of(about, self._table))


def _is_count(column: Column) -> bool:
    """Whether its figures are amounts or numbers of things, which are easier to read with separators."""
    if not column.numeric or column.is_place or column.is_key:
        return False
    return column.unit in AMOUNTS[:2] or (column.unit == "" and column.values.dtype.kind in "iu")  # type: ignore[union-attr]
