"""A column of a CSV file: numbers or text, decided by its cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import orjson

from app.formats.ascend_bin.pieces import Column
from app.formats.ascend_bin.values import parse
from app.profile.arrays import F64, sealed
from app.profile.ascend import TypedColumn
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
    """Collects cells batch by batch. ``text``: take all cells as text; ``skipped``: take none. ``mixed``: there was
    text after numbers, so that the column must be read again as text."""

    def __init__(self, *, text: bool = False, skipped: bool = False) -> None:
        self.mixed = False
        self._rows = 0
        self._skipped = skipped
        self._number: Column | None = None
        self._text: _Texts | None = _Texts() if text else None
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
        if self._skipped or self.mixed:
            return
        if all(map(no_data, set(cells[:8]))) and all(map(no_data, set(cells))):
            self._pending += len(cells)
            return
        numbers = _numbers(cells) if self._text is None else None
        if numbers is not None:
            if self._number is None:
                self._number = Column(np.float64)
            self._number.add(np.full(self._pending, np.nan))
            self._number.add(numbers)
        elif self._number is not None:
            self.mixed, self._number = True, None
        else:
            self._text = self._text or _Texts()
            self._text.skip(self._pending)
            self._text.add(cells)
        self._pending = 0

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
    """The ids of texts, numbered from ``count`` in the order in which they are looked up; -1 for no data. ``new``: the
    texts that got one; ``known``: ids from before."""

    def __init__(self, count: int, known: Mapping[str, int]) -> None:
        super().__init__()
        self.count = count
        self.new: list[str] = []
        self._known = known

    def __missing__(self, cell: str) -> int:
        number = self._known.get(cell)
        if number is None:
            number = -1 if no_data(cell) else self.count
            if number >= 0:
                self.count += 1
                self.new.append(cell)
        self[cell] = number
        return number


class _Texts:
    """The texts of a column. Frequent ones are stored once; after very many distinct ones each is stored as it
    comes, because a table of Python strings would be many times as large as the file."""

    def __init__(self) -> None:
        self._frequent = self._ids = _Ids(0, {})
        self._id = Column(np.int32)
        self._blob = Column(np.uint8)
        self._size = Column(np.int64)

    def skip(self, rows: int) -> None:
        self._id.add(np.full(rows, -1, np.int32))

    def add(self, cells: Sequence[str]) -> None:
        if len(self._frequent) >= _MOST_DISTINCT:
            self._ids = _Ids(self._ids.count, self._frequent)
        self._id.add(np.fromiter(map(self._ids.__getitem__, cells), np.int32, len(cells)))
        encoded = [cell.encode("utf-8", "backslashreplace") for cell in self._ids.new]
        self._ids.new.clear()
        self._blob.add(np.frombuffer(b"".join(encoded), np.uint8))
        self._size.add(np.fromiter(map(len, encoded), np.int64, len(encoded)))

    def finish(self, title: str, rows: int) -> TypedColumn:
        strings = Strings(sealed(self._blob.done()), sealed(np.cumsum(self._size.done(), dtype=np.int64)))
        return TypedColumn(title, "text", sealed(self._id.done()[:rows].reshape(-1, 1)), strings)


def _numbers(cells: Sequence[str]) -> F64 | None:
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
