"""CSV files of a capture as columns: exact times, other numbers, and texts, by the titles of the file."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal, InvalidOperation
from typing import Final, Literal, TypeAlias

import numpy as np

from app.formats.ascend_bin.part import Column, parse
from app.formats.csv.cells import Cells
from app.formats.csv.lines import LineProblems
from app.formats.csv.table import CsvPass, TextCells, no_data, numbers_in
from app.formats.source import Source
from app.language import plural, tr
from app.profile.arrays import F64, I32, I64, sealed
from app.profile.strings import Strings

CellKind: TypeAlias = Literal["time", "number", "text"]
NANOSECONDS: Final = 1000
"""Times in these files count microseconds."""
LATEST: Final = (1 << 62) // 1000
"""No time in microseconds is larger: differences of two must fit into int64 nanoseconds."""
_TIME: Final = re.compile(r"(\d{1,18})(?:\.(\d{0,30}))?", re.ASCII)


class TimeCells:
    """Times in microseconds, exactly, as int64 nanoseconds; -1 for no data. ``damaged``: how many were written with
    an exponent, as spreadsheets do, which loses digits; ``odd``: how many were no times at all."""

    def __init__(self) -> None:
        self.damaged = self.odd = 0
        self._values = Column(np.int64)

    def skip(self, rows: int) -> None:
        self._values.add(np.full(rows, -1, np.int64))

    def add(self, cells: Sequence[str]) -> None:
        self._values.add(np.fromiter(map(self._one, cells), np.int64, len(cells)))

    def add_bytes(self, cells: Cells) -> None:
        times = cells.nanoseconds(LATEST * NANOSECONDS)
        if times is None:
            self.add(cells.texts())
        else:
            self._values.add(times)

    def _one(self, cell: str) -> int:
        match = _TIME.fullmatch(cell.strip())
        if match is not None:
            fraction = (match[2] or "").ljust(4, "0")
            value = int(match[1]) * NANOSECONDS + int(fraction[:3]) + (fraction[3] >= "5")
            if value <= LATEST * NANOSECONDS:
                return value
        elif no_data(cell):
            return -1
        if re.fullmatch(r"\d+(\.\d+)?[eE]\+?\d{1,3}", cell.strip(), re.ASCII):
            self.damaged += 1
        else:
            self.odd += 1
        return -1

    def array(self, rows: int) -> I64:
        """int64[rows]."""
        values: I64 = self._values.done()[:rows]
        return values


def nanoseconds(value: object) -> int:
    """A time in microseconds from JSON (a number or a text) as nanoseconds; -1 where it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return -1
    try:
        exact = Decimal(str(value).strip()[:64])
    except InvalidOperation:
        return -1
    if not exact.is_finite() or not 0 <= exact <= LATEST:
        return -1
    return int((exact * NANOSECONDS).to_integral_value())


class NumberCells:
    """Numbers as float64, NaN for no data. ``odd``: how many cells were neither; ``any``: whether there is a number."""

    def __init__(self) -> None:
        self.odd = 0
        self.any = False
        self._values = Column(np.float64)

    def skip(self, rows: int) -> None:
        self._values.add(np.full(rows, np.nan))

    def add(self, cells: Sequence[str]) -> None:
        if cells[0] in _NOTHING and all(cell in _NOTHING for cell in set(cells)):
            self.skip(len(cells))
            return
        values = numbers_in(cells)
        if values is None:
            values = np.fromiter(map(parse, cells), np.float64, len(cells))
            self.odd += sum(not no_data(cells[place]) for place in np.flatnonzero(np.isnan(values)).tolist())
        self._add(values)

    def add_bytes(self, cells: Cells) -> None:
        values = cells.numbers()
        if values is None:
            self.add(cells.texts())
        else:
            self._add(values)

    def _add(self, values: F64) -> None:
        self.any = self.any or not bool(np.isnan(values).all())
        self._values.add(values)

    def array(self, rows: int) -> F64:
        """float64[rows]."""
        values: F64 = self._values.done()[:rows]
        return values


_NOTHING: Final = frozenset({"", "N/A"})
AnyCells: TypeAlias = TimeCells | NumberCells | TextCells


class Sheet:
    """The columns of one or more files of one kind, the parts of a run one after the other. Titles are compared without
    regard to case and spaces. ``rows``: of all files."""

    def __init__(self, kind_of: Callable[[str], CellKind]) -> None:
        """``kind_of(title)``: what the cells of a column are, its title in the form of ``plain``."""
        self.rows = 0
        self.titles: dict[str, str] = {}
        self._kind_of = kind_of
        self._cells: dict[str, AnyCells] = {}

    def read(self, source: Source, problems: LineProblems, tick: Callable[[int], None]) -> None:
        """Appends the rows of ``source``. Raises FormatError if it has no header."""
        before = self.rows
        reached: dict[str, AnyCells] = {}

        def make(_place: int, title: str) -> AnyCells | None:
            """None for columns without a title, and for the second with one."""
            key = plain(title)
            if not key or key in reached:
                return None
            cells = self._cells.get(key)
            if cells is None:
                cells = self._cells[key] = _CELLS[self._kind_of(key)]()
                self.titles[key] = title
                cells.skip(before)
            reached[key] = cells
            return cells

        reading = CsvPass(source, problems, tick, make)
        reading.read()
        self.rows += reading.rows
        for key, cells in self._cells.items():
            if key not in reached:
                cells.skip(reading.rows)
            self._report(cells, self.titles[key], problems)

    def _report(self, cells: AnyCells, title: str, problems: LineProblems) -> None:
        if isinstance(cells, TimeCells) and cells.damaged:
            text = plural(
                "{count:,} time in the column {title} lost its last digits in a spreadsheet; it is not shown",
                "{count:,} times in the column {title} lost their last digits in a spreadsheet; they are not shown",
                count=cells.damaged,
                title=title,
            )
            problems.add("warning", tr("times that lost digits"), None, text)
            cells.damaged = 0
        if not isinstance(cells, TextCells) and cells.odd:
            text = plural(
                "{count:,} cell in the column {title} is not a number",
                "{count:,} cells in the column {title} are not numbers",
                count=cells.odd,
                title=title,
            )
            problems.add("warning", tr("cells that are not numbers"), None, text)
            cells.odd = 0

    def has(self, *titles: str) -> bool:
        """Whether there is a column with one of these titles."""
        return any(title in self._cells for title in titles)

    def times(self, *titles: str) -> I64:
        """int64[rows]: nanoseconds, -1 for no data; of the first column with one of these titles."""
        cells = self._first(titles)
        return cells.array(self.rows) if isinstance(cells, TimeCells) else np.full(self.rows, -1, np.int64)

    def numbers(self, *titles: str) -> F64:
        """float64[rows], NaN for no data."""
        cells = self._first(titles)
        return cells.array(self.rows) if isinstance(cells, NumberCells) else np.full(self.rows, np.nan)

    def integers(self, *titles: str, times: float = 1) -> I64:
        """int64[rows]: the numbers multiplied and rounded, -1 for no data and for negative ones."""
        return np.maximum(rounded(self.numbers(*titles) * times), -1)

    def texts(self, *titles: str) -> tuple[I32, Strings]:
        """(int32[rows]: ids, -1 none; their texts, without the quotes and spaces around a cell)."""
        cells = self._first(titles)
        if not isinstance(cells, TextCells):
            return np.full(self.rows, -1, np.int32), Strings.of(())
        column = cells.finish("", self.rows)
        assert column.strings is not None
        ids: I32 = column.values[:, 0]
        return ids, _without_frames(column.strings)

    def other_numbers(self, known: frozenset[str]) -> list[tuple[str, F64]]:
        """(title, float64[rows]) of the other columns that have any number, in the order of the file."""
        return [
            (self.titles[key], cells.array(self.rows))
            for key, cells in self._cells.items()
            if key not in known and isinstance(cells, NumberCells) and cells.any
        ]

    def _first(self, titles: Sequence[str]) -> AnyCells | None:
        return next((self._cells[title] for title in titles if title in self._cells), None)


_CELLS: Final[dict[CellKind, Callable[[], AnyCells]]] = {"time": TimeCells, "number": NumberCells, "text": TextCells}


def _without_frames(strings: Strings) -> Strings:
    """Texts without the quotes and spaces around a cell. Those of most columns have none, and may be a million."""
    if not any((strings.blob == byte).any() for byte in b'"\t '):
        return strings
    return Strings.of(map(_bare, strings.tolist()))


def _bare(text: str) -> str:
    """A cell without the quotes of its own that some columns have."""
    bare = text.strip("\t ")
    return bare[1:-1] if len(bare) > 1 and bare[0] == bare[-1] == '"' else bare


def plain(title: str) -> str:
    """A title for comparing."""
    return title.strip().strip('"').lower().replace(" ", "")


def rounded(values: F64) -> I64:
    """int64: the nearest integers; -1 for NaN and for what int64 cannot hold."""
    usable = np.abs(values) < float(1 << 62)  # false for NaN
    return sealed(np.where(usable, np.rint(np.where(usable, values, 0)), -1).astype(np.int64))
