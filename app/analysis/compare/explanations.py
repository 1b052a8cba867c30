"""Rows of tables that may explain a difference."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.compare import noise
from app.analysis.compare.column import ComparedColumn
from app.analysis.compare.compared import ComparedTable
from app.analysis.compare.labels import label_parts
from app.analysis.compare.plan import Plan
from app.analysis.compare.subjects import Subject
from app.analysis.table import Unit
from app.language import joined
from app.profile.arrays import F64, I64, U8, Bool
from app.profile.profile import Profile
from app.profile.selection import Kind

MOST_ROWS: Final = 50
"""Rows of one table that are considered, the largest differences first."""
ROUNDING: Final = 1e-9


class Explanation(Struct, frozen=True):
    """A row: where it is (``row`` of the compared table ``table``), what it is called, and its figures in ``unit``
    (None: that side has none). ``share``: its difference in percent of the total's, None where these cannot be
    related. ``verdict``: of ``noise``. ``rows``: how many rows its table has. ``weight``: by which it is ranked.
    ``kind``, ``item``: what the row stands for in the profile after (-1: nothing); ``row_before``, ``row_after``: the
    rows of the tables (-1: none)."""

    subject: str
    table: str
    title: str
    row: int
    name: str
    status: int
    before: float | None
    after: float | None
    difference: float
    unit: Unit
    share: float | None
    verdict: int
    rows: int
    weight: float
    kind: Kind | None = None
    item: int = -1
    row_before: int = -1
    row_after: int = -1


class Amounts(Struct, frozen=True, eq=False):
    """The figures of a subject, by row of a compared table. float64, NaN without data; ``difference`` counts what only
    one side has with its whole value."""

    column: ComparedColumn
    before: F64
    after: F64
    difference: F64
    verdict: U8


def amounts(table: ComparedTable, subject: Subject, plan: Plan, profiles: tuple[Profile, Profile]) -> Amounts | None:
    """The figures of ``subject`` in this table; None if it has none."""
    key = subject.columns.get(table.id) or subject.columns.get(table.id.partition("/")[0])
    if key is None:
        return None
    columns = [
        column
        for column in table.columns
        if column.numeric and (column.key == key or (key.endswith((".", "duration")) and _is_part(column.key, key)))
    ]
    if not columns:
        return None
    if len(columns) > 1 and not key.endswith("."):  # durations of cores that work side by side
        before, after = (_longest(table, columns, after=side) for side in (False, True))
        difference = np.nan_to_num(after) - np.nan_to_num(before)
    else:
        before, after = (_sum(table, columns, after=side) for side in (False, True))
        difference = np.nansum([_difference(table, column) for column in columns], axis=0)
    verdict = noise.of_rows(table, columns[0], plan, profiles) if len(columns) == 1 else np.zeros(table.rows, np.uint8)
    return Amounts(columns[0], before, after, difference, verdict)


def _is_part(column: str, key: str) -> bool:
    return column.startswith(key) if key.endswith(".") else column.endswith(f"_{key}")


def _sum(table: ComparedTable, columns: list[ComparedColumn], *, after: bool) -> F64:
    total = np.zeros(table.rows)
    known: Bool = np.zeros(table.rows, np.bool_)
    for column in columns:
        cells = table.cells(column, after=after)
        total += cells.values
        known |= cells.known
    return np.where(known, total, np.nan)


def _longest(table: ComparedTable, columns: list[ComparedColumn], *, after: bool) -> F64:
    cells = [table.cells(column, after=after) for column in columns]
    longest: F64 = np.fmax.reduce([np.where(own.known, own.values, np.nan) for own in cells])
    return longest


def _difference(table: ComparedTable, column: ComparedColumn) -> F64:
    cells = table.difference(column)
    return np.where(cells.known, cells.values, 0).astype(np.float64)


def of_table(
    table: ComparedTable, subject: Subject, own: Amounts, base: tuple[float, float] | None
) -> Iterator[Explanation]:
    """The rows with the largest differences. ``base``: the total before and its difference in the unit of the column;
    None where there is none: rows are then weighed by the sum of the column."""
    whole = np.nansum(np.abs(own.before)) if base is None else abs(base[0])
    whole = whole or np.nansum(np.abs(own.after)) or 1.0
    size = np.abs(own.difference)
    most = np.fmax(np.abs(own.before), np.abs(own.after))
    rows = np.flatnonzero(size > ROUNDING * np.nan_to_num(most))
    rows = rows[np.argsort(-size[rows], kind="stable")][:MOST_ROWS]
    names = row_names(table, rows)
    for row, name in zip(rows.tolist(), names, strict=True):
        difference = float(own.difference[row])
        yield Explanation(
            subject=subject.id,
            table=table.id,
            title=table.title,
            row=row,
            name=name,
            status=int(table.status[row]),
            before=_plain(own.before[row]),
            after=_plain(own.after[row]),
            difference=difference,
            unit=own.column.unit,
            share=100.0 * difference / base[1] if base is not None and base[1] else None,
            verdict=int(own.verdict[row]),
            rows=table.rows,
            weight=abs(difference) / float(whole),
            kind=table.kind,
            item=table.item(row),
            row_before=int(table.rows_before[row]),
            row_after=int(table.rows_after[row]),
        )


def _plain(value: np.float64) -> float | None:
    return None if np.isnan(value) else float(value)


def row_names(table: ComparedTable, rows: I64) -> list[str]:
    """What the rows are called: their texts and numbers before the first figure, or the name if there is one."""
    return [joined(" · ", name_parts(table, row)) for row in rows.tolist()]


def name_parts(table: ComparedTable, row: int) -> list[str]:
    """The parts of the name of a row; of two parts of a profile those of both sides, where they differ."""
    places = (table.before, int(table.rows_before[row])), (table.after, int(table.rows_after[row]))
    sides = [label_parts(own, place) for own, place in places if own is not None and place >= 0]
    if len(sides) == 2 and any(column.alike is not None for column in table.columns) and len(sides[0]) == len(sides[1]):
        return [one if one == other else joined(" → ", (one, other)) for one, other in zip(*sides, strict=True)]
    return sides[-1]
