"""Search in the cells of every table."""

from __future__ import annotations

import numpy as np

from app.analysis.lookup.hit import MOST, Answer, Hit, Pause, Source, Target, shortened
from app.analysis.matching import column_hits, whole_number
from app.analysis.table import Table
from app.analysis.tables import TABLES
from app.language import tr
from app.profile.arrays import Bool
from app.profile.profile import Profile

OF_ONE_TABLE = 20
"""The maximum number of rows listed per table, so that a long one leaves room for the others."""


def cells(profile: Profile, text: str, pause: Pause) -> Answer:
    """Rows with a cell that contains ``text`` (or equals that whole number), table by table."""
    hits: list[Hit] = []
    total = 0
    for spec in TABLES:
        pause()
        for table in spec.tables(profile):
            answer = rows(table, text, pause)
            total += answer.total
            hits += answer.hits[: MOST - len(hits)]
    return Answer(tuple(hits), total)


def rows(table: Table, text: str, pause: Pause) -> Answer:
    """The matching rows of one table, each by its first matching cell."""
    number = whole_number(text)
    every: Bool = np.zeros(table.rows, np.bool_)
    where: dict[int, int] = {}
    for place, column in enumerate(table.columns):
        pause()
        matched = column_hits(column, text, number)
        if matched is None:
            continue
        if column.missing is not None:
            matched = matched & ~column.missing
        for row in np.flatnonzero(matched & ~every)[:OF_ONE_TABLE].tolist():
            where[row] = place
        every |= matched
    hits = [_hit(table, row, where[row], text) for row in sorted(where)[:OF_ONE_TABLE]]
    return Answer(tuple(hits), int(np.count_nonzero(every)))


def _hit(table: Table, row: int, place: int, text: str) -> Hit:
    column = table.columns[place]
    value = column.value(row)
    shown = (
        f"{value:#x}"
        if column.hexadecimal and isinstance(value, int)
        else f"{value:,}"
        if isinstance(value, int)
        else str(value)
    )
    where = tr("{table}: {column}, row {row:,}", table=table.title, column=column.title, row=row + 1)
    return Hit(shortened(shown, text), shortened(where), Target(table=table.id, row=row))


SOURCES = (Source("cells", tr("Table cells"), cells, frozenset({"search"}), slow=True),)
