"""One row of a table and its partner in the baseline, field by field."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.compare.codes import Plain, plain_cells
from app.analysis.compare.column import ComparedColumn
from app.analysis.compare.compared import ComparedTable
from app.analysis.compare.rules import RULES, Rule
from app.analysis.table import Column
from app.profile.arrays import I64


class Field(Struct, frozen=True, eq=False):
    """A field that differs. ``column`` says what it is; ``before``, ``after``: its cells, in the unit of the column,
    None without data. ``difference``: after minus before, None for texts, places and keys; ``percent`` of before."""

    column: Column
    before: Plain
    after: Plain
    difference: float | None
    percent: float | None


class PartnerFields(Struct, frozen=True, eq=False):
    """``row``: of the table before, -1 if none belongs to it; ``rule``: by which they were matched; ``fields``: those
    that differ."""

    row: int
    rule: Rule | None
    fields: tuple[Field, ...] = ()


def partner_fields(compared: ComparedTable, row_after: int) -> PartnerFields:
    """The partner of a row of the table after. Shares of the table's own total are left out: they change with every
    other row."""
    place = np.flatnonzero(compared.rows_after == row_after).astype(np.int64)
    row = int(compared.rows_before[place[0]]) if len(place) else -1
    if row < 0:
        return PartnerFields(-1, None)
    columns = (column for column in compared.columns if not column.share and compared.apart(column)[place[0]])
    fields = tuple(_field(compared, column, place) for column in columns)
    return PartnerFields(row, RULES[int(compared.matches.rule[row])], fields)


def _field(compared: ComparedTable, column: ComparedColumn, place: I64) -> Field:
    rows = compared.rows_before[place], compared.rows_after[place]
    if not column.subtracts:
        one, other = column.before, column.after
        return Field(column.shown, plain_cells(one, rows[0])[0], plain_cells(other, rows[1])[0], None, None)
    sides: list[Plain] = []
    for after in (False, True):
        cells = compared.cells(column, after=after, rows=place)
        sides.append(cells.values[0].item() if cells.known[0] else None)
    difference, percent = compared.difference(column, place), float(compared.percent(column, place)[0])
    known = None not in sides and bool(difference.known[0])
    return Field(
        column.shown,
        sides[0],
        sides[1],
        float(difference.values[0]) if known else None,
        percent if known and percent == percent else None,
    )
