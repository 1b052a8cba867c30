"""How much of a table each rule matched, and how much none did."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.compare.column import ComparedColumn
from app.analysis.compare.compared import ComparedTable
from app.analysis.compare.rules import NO_RULE, RULES
from app.profile.arrays import Bool

NO_RULE_ID: Final = "none"


class Amount(Struct, frozen=True):
    """Sums of the column ``column`` on both sides."""

    column: str
    before: int | float
    after: int | float


class Covered(Struct, frozen=True):
    """``rule``: the id of a rule, or NO_RULE_ID for rows without a partner. ``before``, ``after``: rows of each side.
    ``amounts``: by unit, of the first column of that unit that adds up. ``title``: of the table."""

    table: str
    rule: str
    before: int
    after: int
    amounts: dict[str, Amount]
    title: str = ""


def coverage(table: ComparedTable) -> list[Covered]:
    """One entry for each rule that matched anything, and one for the rows without a partner, if there are any."""
    rule = np.full(table.rows, NO_RULE, np.uint8)
    matched = np.flatnonzero((table.rows_before >= 0) & (table.rows_after >= 0))
    rule[matched] = table.matches.rule[table.rows_before[matched]]
    columns = table.amounts()
    numbers = [number for number in (*range(len(RULES)), NO_RULE) if bool((rule == number).any())]
    return [_of_rule(table, rule == number, number, columns) for number in numbers]


def _of_rule(table: ComparedTable, rows: Bool, number: int, columns: dict[str, ComparedColumn]) -> Covered:
    amounts = {unit: _amount(table, rows, column) for unit, column in columns.items()}
    return Covered(
        table.id,
        NO_RULE_ID if number == NO_RULE else RULES[number].id,
        int((table.rows_before[rows] >= 0).sum()),
        int((table.rows_after[rows] >= 0).sum()),
        amounts,
        table.title,
    )


def _amount(table: ComparedTable, rows: Bool, column: ComparedColumn) -> Amount:
    places = np.flatnonzero(rows)
    before, after = (table.cells(column, after=side, rows=places).values.sum().item() for side in (False, True))
    return Amount(column.key, before, after)
