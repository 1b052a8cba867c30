"""Rows of a comparison as a difference of texts: both costs of each row, and what only one side has in its place."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import islice
from typing import Final, TypeAlias

import numpy as np
from msgspec import Struct

from app.analysis.compare.as_table import figure_columns, merged_column
from app.analysis.compare.column import ComparedColumn, Total
from app.analysis.compare.compared import BOTH, ComparedTable
from app.analysis.table import Coded, Column, Table
from app.language import tr
from app.profile.arrays import F64, I64, U8, Bool
from app.profile.selection import Kind
from app.profile.strings import Strings

CHANGE: Final = "change"
SIGNS: Final = ("", "−", "+")
"""By status: in both, only in the baseline, only in the comparison."""
BEFORE, AFTER, DIFFERENCE = "_before", "_after", "_difference"
Head: TypeAlias = Callable[[I64], Iterable[Column]]
"""Makes the first columns, for rows of the comparison."""


class Layout(Struct, frozen=True):
    """How rows are shown. ``head`` makes the first columns, which replace those with the keys ``replaced``; ``ranked``:
    the key of the column that ranks rows, whose difference follows them, and whose costs follow the code; ``selects``,
    ``keys``: what rows of the table after stand for (None: themselves); ``largest_first``: only rows that differ in the
    ranking column, the largest difference first."""

    head: Head
    replaced: Collection[str]
    ranked: str
    selects: Kind
    keys: I64 | None = None
    largest_first: bool = False
    note: str = ""


class ComparedRows(Struct, frozen=True, eq=False):
    """``table``: the rows to show; ``rows_before``, ``rows_after``: int64[rows], the row of each side, -1 none;
    ``status``: uint8[rows], as in ComparedTable; ``stops``: int64, ascending: rows at which a difference begins.
    By place of a column: ``full``, the cost of a full bar; ``spans``, the largest difference. ``largest``: the row with
    the largest difference of the ranking column, -1 if nothing differs; ``ranking``: that column after, None without
    one; ``total``: its sums."""

    table: Table
    rows_before: I64
    rows_after: I64
    status: U8
    stops: I64
    full: dict[int, float]
    spans: dict[int, float]
    largest: int
    ranking: Column | None = None
    total: Total | None = None


def compared_rows(compared: ComparedTable, layout: Layout) -> ComparedRows:
    """The rows of a comparison in the order of the table after, or as the layout says."""
    ranking = compared.column(layout.ranked)
    rows = _order(compared, ranking, largest_first=layout.largest_first)
    status, after = compared.status[rows], compared.rows_after[rows]
    shown = compared.after if compared.after is not None else compared.before
    assert shown is not None
    columns = (signs(status), *layout.head(rows), *_costs(compared, ranking, layout.replaced, rows))
    table = Table(compared.id, shown.title, columns, layout.selects, taken_keys(layout.keys, after), layout.note)
    return ComparedRows(
        table,
        compared.rows_before[rows],
        after,
        status,
        stops(status, changed_rows(compared)[rows]),
        _full(columns),
        {place: most(column) for place, column in enumerate(columns) if column.key.endswith(DIFFERENCE)},
        _largest(columns, layout.ranked),
        None if ranking is None else ranking.shown,
        None if ranking is None else compared.total(ranking),
    )


def signs(status: U8) -> Column:
    """The column that says which rows only one side has."""
    help_ = tr("− only in the baseline, + only in the comparison.")
    return Column(CHANGE, tr("±"), Coded(status.astype(np.int32), Strings.of(SIGNS)), help=help_, role="kind")


def changed_rows(compared: ComparedTable) -> Bool:
    """bool[rows]: rows of both sides whose figures differ; numbers and places of rows do not count."""
    changed = np.zeros(compared.rows, np.bool_)
    for column in compared.columns:
        if column.subtracts and not column.share:
            changed |= compared.differs(column)
    return changed


def stops(status: U8, changed: Bool) -> I64:
    """int64, ascending: each row that changed, and the first of each run of rows that only one side has."""
    before = np.concatenate(([BOTH], status[:-1])) if len(status) else status
    begins = (status != BOTH) & (status != before)
    return np.flatnonzero(begins | changed).astype(np.int64)


def taken_keys(keys: I64 | None, rows: I64) -> I64:
    """int64[rows]: the keys of these rows, -1 for no row; ``keys`` None: the rows themselves."""
    if keys is None or not len(keys):
        return rows if keys is None else np.full(len(rows), -1, np.int64)
    return np.where(rows >= 0, keys[np.maximum(rows, 0)], -1).astype(np.int64)


def most(column: Column) -> float:
    """The largest figure of a column, without sign; 0 if it has none."""
    return float(_sizes(column).max(initial=0.0))


def _order(compared: ComparedTable, ranking: ComparedColumn | None, *, largest_first: bool) -> I64:
    if not largest_first or ranking is None:
        return np.arange(compared.rows, dtype=np.int64)
    difference, rows = compared.difference(ranking), compared.order(ranking)
    differs: Bool = difference.known & (difference.values != 0)
    return rows[differs[rows]].astype(np.int64)


def _costs(
    compared: ComparedTable, ranking: ComparedColumn | None, replaced: Collection[str], rows: I64
) -> Iterator[Column]:
    """The difference of the ranking column, the columns up to the code, the costs of the ranking column, the rest."""
    others = [column for column in compared.columns if column is not ranking and column.key not in replaced]
    code = next((place + 1 for place, column in enumerate(others) if column.shown.role == "code"), 0)
    before, after, difference = ((), (), ()) if ranking is None else _costs_of(compared, ranking, rows)
    yield from difference
    for column in others[:code]:
        yield from _shown(compared, column, rows)
    yield from (*before, *after)
    for column in others[code:]:
        yield from _shown(compared, column, rows)


def _costs_of(compared: ComparedTable, column: ComparedColumn, rows: I64) -> Iterator[tuple[Column, ...]]:
    return ((one,) for one in islice(figure_columns(compared, column, rows), 3))


def _shown(compared: ComparedTable, column: ComparedColumn, rows: I64) -> Iterator[Column]:
    """A text of either side, or figures before, after and their difference."""
    if not column.subtracts:
        yield merged_column(compared, column, rows)
    else:
        yield from islice(figure_columns(compared, column, rows), 3)


def _full(columns: tuple[Column, ...]) -> dict[int, float]:
    """By place: the largest of both sides. Percentages have bars of 100 by themselves."""
    places: dict[int, str] = {}
    largest: dict[str, float] = {}
    for place, column in enumerate(columns):
        if column.numeric and not column.is_key and column.unit != "%" and column.key.endswith((BEFORE, AFTER)):
            key = places[place] = column.key.rpartition("_")[0]
            largest[key] = max(largest.get(key, 0.0), most(column))
    return {place: largest[key] for place, key in places.items() if largest[key] > 0}


def _largest(columns: tuple[Column, ...], ranked: str) -> int:
    sizes = next((_sizes(column) for column in columns if column.key == f"{ranked}{DIFFERENCE}"), None)
    if sizes is None or not len(sizes):
        return -1
    place = int(sizes.argmax())
    return place if sizes[place] > 0 else -1


def _sizes(column: Column) -> F64:
    values = np.abs(np.nan_to_num(np.asarray(column.values, np.float64)))
    return values if column.missing is None else np.where(column.missing, 0.0, values)
