"""Figures of many tiles in two profiles: matrices over the rows and columns that either has, with differences that are
computed where they are looked at, and figures tile by tile (or IPU by IPU), part by part."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.compare.alignment import Check, never
from app.analysis.compare.comparison import Comparison
from app.analysis.matrix import Matrix, column_figures, row_figures
from app.analysis.table import Coded, Column, Table, Unit
from app.analysis.tile_figures import Content, by_ipu, ipus
from app.profile.arrays import F64, I64, Array, Bool
from app.profile.strings import Strings

Shown: TypeAlias = Literal["difference", "after", "before"]
NO_ITEM = -1


class Lines(Struct, frozen=True, eq=False):
    """The rows (or columns) of both matrices: int64 each, the one of either side at each place, NO_ITEM none."""

    before: I64
    after: I64

    def __len__(self) -> int:
        return len(self.after)

    def taken(self, places: I64 | slice) -> Lines:
        return Lines(self.before[places], self.after[places])


class Figures(Struct, frozen=True, eq=False):
    """int64 each: the figures of whole rows and columns of one side, by the places of a pair (0 where it has none)."""

    rows: I64
    columns: I64


class MatrixPair(Struct, frozen=True, eq=False):
    """``before``, ``after``: the matrices; ``rows``, ``columns``: which of theirs stand at each place. A tile that only
    one side has has no difference; of other rows and columns that only one side has, all is a difference."""

    before: Matrix
    after: Matrix
    rows: Lines
    columns: Lines

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.columns)

    def arranged(self, rows: I64 | None, columns: I64 | None) -> MatrixPair:
        """The same with the places in another order."""
        return replace(
            self,
            rows=self.rows if rows is None else self.rows.taken(rows),
            columns=self.columns if columns is None else self.columns.taken(columns),
        )

    def amounts(self, rows: Lines, columns: Lines, shown: Shown) -> F64:
        """float64[rows, columns], NaN for no data."""
        if shown != "difference":
            return _amounts(self._of(shown), rows, columns, shown)
        before, after = (_amounts(self._of(side), rows, columns, side) for side in ("before", "after"))
        made = _counted(after, before) - _counted(before, after)
        if self.after.columns == "tile":
            made[:, (columns.before < 0) | (columns.after < 0)] = np.nan
        return made

    def both(self, row: int, column: int) -> tuple[int | None, int | None]:
        """The amount of a cell before and after; None where that side lacks it."""
        places = slice(row, row + 1), slice(column, column + 1)
        lines = self.rows.taken(places[0]), self.columns.taken(places[1])
        cells = (_amounts(self._of(side), *lines, side)[0, 0] for side in ("before", "after"))
        before, after = (None if np.isnan(cell) else int(cell) for cell in cells)
        return before, after

    def name(self, row: int) -> str:
        """The name of a row, after where it has one."""
        own = int(self.rows.after[row])
        return self.before.row_names.get(int(self.rows.before[row])) if own < 0 else self.after.row_names.get(own)

    def _of(self, shown: Shown) -> Matrix:
        return self.before if shown == "before" else self.after


class Amounts:
    """The amounts of a pair as what a pyramid reduces: parts are computed when they are read."""

    def __init__(self, pair: MatrixPair, shown: Shown) -> None:
        self._pair, self._shown = pair, shown

    @property
    def shape(self) -> tuple[int, int]:
        return self._pair.shape

    @property
    def size(self) -> int:
        rows, columns = self.shape
        return rows * columns

    def __getitem__(self, part: Any) -> Any:
        """float64: of a slice of rows, of slices of rows and columns, or of one cell."""
        rows, columns = part if isinstance(part, tuple) else (part, slice(None))
        if isinstance(rows, int):
            return self[rows : rows + 1, columns : columns + 1][0, 0]
        return self._pair.amounts(self._pair.rows.taken(rows), self._pair.columns.taken(columns), self._shown)


def matrix_pair(comparison: Comparison, before: Matrix, after: Matrix, check: Check = never) -> MatrixPair:
    """The pair of two matrices of the same figure: rows matched by their names, tiles by their numbers."""
    rows = _matched(comparison, f"{after.id}-rows", _names(before), _names(after), check)
    if before.column_names is None or after.column_names is None:
        places = np.arange(max(before.values.shape[1], after.values.shape[1]), dtype=np.int64)
        numbers = (np.where(places < side.values.shape[1], places, NO_ITEM) for side in (before, after))
        return MatrixPair(before, after, rows, Lines(*numbers))
    names = [_listed(side.column_names, side.values.shape[1]) for side in (before, after)]
    return MatrixPair(before, after, rows, _matched(comparison, f"{after.id}-columns", names[0], names[1], check))


def figures_of(pair: MatrixPair, shown: Shown) -> Figures:
    """The figures of whole rows and columns on one side, or their differences."""
    if shown == "difference":
        before, after = figures_of(pair, "before"), figures_of(pair, "after")
        return Figures(after.rows - before.rows, after.columns - before.columns)
    own = pair.before if shown == "before" else pair.after
    rows, columns = getattr(pair.rows, shown), getattr(pair.columns, shown)
    return Figures(_picked(row_figures(own), rows), _picked(column_figures(own), columns))


def _picked(values: I64, places: I64) -> I64:
    return np.where(places >= 0, np.append(values, 0)[places], 0).astype(np.int64)


def _amounts(matrix: Matrix, rows: Lines, columns: Lines, side: Shown) -> F64:
    own, across = getattr(rows, side), getattr(columns, side)
    made = np.full((len(own), len(across)), np.nan)
    inside, along = own >= 0, across >= 0
    part: Array = _read(matrix.values, own[inside], across[along])
    made[np.ix_(inside, along)] = np.where(part >= 0, part, np.nan) if part.dtype.kind == "i" else part
    return made


def _read(values: Array, rows: I64, columns: I64) -> Array:
    """Those cells; runs are read as slices, which does not copy twice."""
    by_row = values[_run(rows)]
    return by_row[:, _run(columns)]


def _run(places: I64) -> I64 | slice:
    whole = len(places) and int(places[-1]) - int(places[0]) == len(places) - 1 and bool(np.all(np.diff(places) == 1))
    return slice(int(places[0]), int(places[-1]) + 1) if whole else places


def _counted(amounts: F64, other: F64) -> F64:
    """``amounts`` with 0 where only the other side has data."""
    missing: Bool = np.isnan(amounts) & ~np.isnan(other)
    return np.where(missing, 0.0, amounts)


def _names(matrix: Matrix) -> Table:
    return _listed(matrix.row_names, len(matrix.values))


def _listed(names: Strings | None, count: int) -> Table:
    column = Column("name", "", Coded(np.arange(count), names or Strings.of(())), role="name")
    return Table("", "", (column,))


def _matched(comparison: Comparison, table_id: str, before: Table, after: Table, check: Check) -> Lines:
    compared = comparison.compare(table_id, before, after, check)
    return Lines(compared.rows_before, compared.rows_after)


Reduce: TypeAlias = Callable[[Content, Array], F64]


class PartPair(Struct, frozen=True, eq=False):
    """One part of a figure. ``before``, ``after``: float64[places], NaN for no data and on places that this side
    lacks."""

    key: str
    title: str
    before: F64
    after: F64
    help: str


class PlacesCompared(Struct, frozen=True, eq=False):
    """A figure of the tiles (or IPUs) that either profile has, by number. ``before``, ``after``: as in PartPair, of all
    parts together; ``only_before``, ``only_after``: bool[places], those that the other profile lacks."""

    unit: Unit
    before: F64
    after: F64
    parts: tuple[PartPair, ...]
    only_before: Bool
    only_after: Bool

    @property
    def difference(self) -> F64:
        """float64[places]: after minus before; NaN where one side has no data."""
        return self.after - self.before


def tiles_compared(before: Content, after: Content) -> PlacesCompared:
    """Both figures by tile."""
    return _compared(before, after, (before.tiles, after.tiles), _of_tiles)


def ipus_compared(before: Content, after: Content, *, per_tile: bool = False) -> PlacesCompared:
    """Both figures by IPU: sums over its tiles (means of figures that do not add up). ``per_tile``: sums divided by the
    number of tiles, to compare IPUs of different sizes."""
    return _compared(before, after, (ipus(before), ipus(after)), _per_tile if per_tile else by_ipu)


def _of_tiles(_: Content, values: Array) -> F64:
    return values.astype(np.float64)


def _per_tile(content: Content, values: Array) -> F64:
    sums = by_ipu(content, values)
    if not content.adds_up:
        return sums
    owner = np.arange(content.tiles) // (content.per_ipu or max(content.tiles, 1))
    return sums / np.maximum(np.bincount(owner, minlength=len(sums)), 1)


def _compared(before: Content, after: Content, counts: tuple[int, int], reduce: Reduce) -> PlacesCompared:
    places = np.arange(max(counts))
    there = places < counts[0], places < counts[1]

    def side(content: Content, values: Array, inside: Bool) -> F64:
        made = np.full(len(places), np.nan)
        made[inside] = reduce(content, values)
        return made

    own = tuple({part[0]: part for part in content.parts} for content in (before, after))
    parts = []
    for key in dict.fromkeys((*own[1], *own[0])):
        shown = own[1].get(key) or own[0][key]
        sides = [
            side(content, known[key][2], inside) if key in known else np.where(inside, 0.0, np.nan)
            for content, known, inside in zip((before, after), own, there, strict=True)
        ]
        parts.append(PartPair(key, shown[1], sides[0], sides[1], shown[3]))
    totals = side(before, before.total, there[0]), side(after, after.total, there[1])
    return PlacesCompared(after.unit, *totals, tuple(parts), there[0] & ~there[1], there[1] & ~there[0])


def largest_first(parts: Sequence[PartPair], most: int, rest: str, *, by_difference: bool = False) -> list[PartPair]:
    """The parts that are not zero everywhere, the one with the largest sum of either side first; ``by_difference``:
    those that differ anywhere, the one that differs most first. Parts beyond ``most`` are merged under the name
    ``rest``."""
    weights = {id(part): _weight(part, by_difference) for part in parts}
    filled = sorted((part for part in parts if weights[id(part)]), key=lambda part: -weights[id(part)])
    if len(filled) <= most:
        return filled or list(parts[:1])
    others = filled[most - 1 :]
    before, after = (np.sum([getattr(part, side) for part in others], axis=0) for side in ("before", "after"))
    titles = ", ".join(part.title for part in others)
    return [*filled[: most - 1], PartPair("", rest, before, after, titles)]


def _weight(part: PartPair, by_difference: bool) -> float:
    if by_difference:
        return float(np.nansum(np.abs(part.after - part.before)))
    return max(float(np.nansum(np.abs(side))) for side in (part.before, part.after))
