"""Groups of two-dimensional arrays with one row for each item of a list."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from app.formats.errors import FormatError
from app.formats.poplar.report import Report
from app.formats.walk import Walk
from app.language import plural, tr
from app.profile.arrays import Integers, Ragged, sealed

LARGEST = 2**45
"""More bytes or cycles than a tile can have; sums of smaller values over all tiles never overflow."""


def numbers(walk: Walk) -> Integers:
    """A one-dimensional array of bytes or cycles, sealed. Raises FormatError for values above LARGEST."""
    return sealed(_bounded(walk.numbers()))


def matrix(walk: Walk) -> Integers:
    """A two-dimensional array in a narrow type, sealed. Raises FormatError where rows differ in length."""
    rows = walk.rows()
    lengths = rows.lengths
    width = int(lengths[0]) if len(lengths) else 0
    odd = np.flatnonzero(lengths != width)
    if len(odd):
        raise FormatError(
            plural(
                "row {odd:,} has {count:,} number, but row 0 has {width:,}",
                "row {odd:,} has {count:,} numbers, but row 0 has {width:,}",
                count=lengths[odd[0]],
                odd=odd[0],
                width=width,
            )
        )
    return sealed(_bounded(rows.items).reshape(len(rows), width))


def ragged(walk: Walk) -> Ragged:
    """Rows of any length, sealed."""
    rows = walk.rows()
    return Ragged.of(rows.lengths, rows.items)


def _bounded(values: Integers) -> Integers:
    if values.dtype == np.int64 and len(values) and max(int(values.max()), -int(values.min())) > LARGEST:
        raise FormatError(tr("a number here is too large for the bytes or cycles of a tile"))
    return values


class MatrixGroup:
    """Collects the matrices of one group by key."""

    def __init__(self, walk: Walk, report: Report) -> None:
        self.matrices: dict[str, Integers] = {}
        self._walk = walk
        self._report = report

    def handlers(self, keys: Iterable[str]) -> dict[str, Callable[[str], None]]:
        """Handlers that read the matrix of each key into this group."""
        return {key: self._reader(key) for key in keys}

    def check_rows(self, count: int, path: str, what: str) -> None:
        """Removes and reports matrices that do not have ``count`` rows; ``what`` names the items of the rows."""
        for key in [key for key, values in self.matrices.items() if len(values) != count]:
            rows = len(self.matrices.pop(key))
            self._report.issue(
                "error",
                f"{path}.{key}",
                tr("skipped: {rows:,} rows for {count:,} {what}", rows=rows, count=count, what=what),
            )

    def check_columns(self, path: str, keys: Iterable[str]) -> int | None:
        """The number of tiles of the first matrix among ``keys``, None without one. Removes and reports those with
        another number of tiles."""
        present = [key for key in keys if key in self.matrices and len(self.matrices[key])]
        if not present:
            return None
        width: int = self.matrices[present[0]].shape[1]
        for key in present:
            own = self.matrices[key].shape[1]
            if own != width:
                text = tr(
                    "skipped: rows of {part:,} numbers, but those of {present} have {width:,}",
                    part=own,
                    present=present[0],
                    width=width,
                )
                self._report.issue("error", f"{path}.{key}", text)
                del self.matrices[key]
        return width

    def _reader(self, key: str) -> Callable[[str], None]:
        def read(_path: str) -> None:
            self.matrices[key] = matrix(self._walk)

        return read
