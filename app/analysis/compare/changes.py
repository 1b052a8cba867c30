"""Changes that are no amounts: rows that were renamed, moved, added or removed, other texts, and lines of sources and
instructions that were changed, inserted or deleted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, zip_longest
from typing import Final, Literal, TypeAlias

import numpy as np
from msgspec import Struct

from app.analysis.compare.as_table import row_names
from app.analysis.compare.matched import ANCESTOR, CONTENT, NAME, PLACE, PROGRAM, ROLE, SIMILAR
from app.analysis.compare.matching import cell_text
from app.analysis.compare.plans import Plan
from app.analysis.compare.tables import BOTH, ONLY_AFTER, ONLY_BEFORE, ComparedTable
from app.language import joined, tr
from app.profile.arrays import I64, Bool, among
from app.profile.selection import Kind

How: TypeAlias = Literal["renamed", "moved", "added", "removed", "changed"]
HOW_TITLES: Final[dict[How, str]] = {
    "renamed": tr("renamed"),
    "moved": tr("moved"),
    "added": tr("only in the comparison"),
    "removed": tr("only in the baseline"),
    "changed": tr("changed"),
}
MOST_ROWS: Final = 50
SKIPPED: Final = frozenset(("issues", "raw-blocks", "text"))
"""Tables whose texts follow from others or are not about the profile."""


class Change(Struct, frozen=True):
    """``how`` the row changed; ``column``, ``before``, ``after``: the text that differs, where one does. ``kind``,
    ``item``: what the row stands for in the profile after (-1: nothing); ``row_before``, ``row_after``: the rows of the
    tables (-1: none)."""

    table: str
    title: str
    row: int
    name: str
    how: How
    column: str = ""
    before: str = ""
    after: str = ""
    kind: Kind | None = None
    item: int = -1
    row_before: int = -1
    row_after: int = -1


def changes(table: ComparedTable, plan: Plan) -> Iterator[Change]:
    """The changes of a table of both profiles, at most MOST_ROWS of each kind."""
    if table.before is None or table.after is None or table.id in SKIPPED:
        return
    rule = table.rule
    both = table.status == BOTH
    how = (ANCESTOR, SIMILAR, ROLE, PROGRAM, CONTENT)  # of slices at the same place, their names are listed instead
    renamed = both & among(rule, how if plan.slices else (*how, PLACE)) & _renamed(table, plan)
    yield from _names(table, renamed, plan)
    if plan.tree is not None and table.stored is None:  # a document has no tree
        yield from _rows(table, both & (rule == NAME), "moved")
    if plan.names and not plan.sequence:
        yield from _rows(table, table.status == ONLY_AFTER, "added")
        yield from _rows(table, (table.status != ONLY_AFTER) & ~both, "removed")
    if plan.lines:
        yield from _lines(table, plan)
    for column in table.columns:
        if column.numeric or column.key in (*plan.names, *plan.within, *plan.arguments, *plan.loose, *plan.key):
            continue
        one, other = column.before, column.after
        if one is None or other is None:
            continue
        rows = np.flatnonzero(table.differs(column))[:MOST_ROWS]
        for row, name in zip(rows.tolist(), row_names(table, rows), strict=True):
            texts = one.value(int(table.rows_before[row])), other.value(int(table.rows_after[row]))
            before, after = ("" if text is None else cell_text(text) for text in texts)
            yield change(table, row, name, "changed", column.title, before, after)


def _lines(table: ComparedTable, plan: Plan) -> Iterator[Change]:
    """The lines of texts that differ."""
    column = table.column(plan.lines)
    lines = list(islice(line_changes(table, plan), MOST_ROWS))
    names = row_names(table, np.array([row for row, _, _ in lines], np.int64))
    for (row, before, after), name in zip(lines, names, strict=True):
        how: How = "changed" if before and after else "added" if after else "removed"
        yield change(table, row, name, how, column.title if column is not None else "", before, after)


def _renamed(table: ComparedTable, plan: Plan) -> Bool:
    renamed = np.zeros(table.rows, np.bool_)
    for key in plan.names:
        column = table.column(key)
        if column is not None:
            renamed |= table.differs(column)
    return renamed


def _names(table: ComparedTable, which: Bool, plan: Plan) -> Iterator[Change]:
    """Both names of the rows that were renamed."""
    rows: I64 = np.flatnonzero(which)[:MOST_ROWS]
    columns = [column for key in plan.names if (column := table.column(key)) is not None]
    for row, name in zip(rows.tolist(), row_names(table, rows), strict=True):
        texts = []
        for own, places in (("before", table.rows_before), ("after", table.rows_after)):
            sides = [column.before if own == "before" else column.after for column in columns]
            values = [side.value(int(places[row])) for side in sides if side is not None]
            texts.append(joined(" · ", (cell_text(value) for value in values if value not in (None, ""))))
        yield change(table, row, name, "renamed", columns[0].title, *texts)


def _rows(table: ComparedTable, which: Bool, how: How) -> Iterator[Change]:
    rows: I64 = np.flatnonzero(which)[:MOST_ROWS]
    for row, name in zip(rows.tolist(), row_names(table, rows), strict=True):
        yield change(table, row, name, how)


def change(
    table: ComparedTable, row: int, name: str, how: How, column: str = "", before: str = "", after: str = ""
) -> Change:
    """The change of a row of a compared table."""
    return Change(
        table=table.id,
        title=table.title,
        row=row,
        name=name,
        how=how,
        column=column,
        before=before,
        after=after,
        kind=table.kind,
        item=table.item(row),
        row_before=int(table.rows_before[row]),
        row_after=int(table.rows_after[row]),
    )


MOST_LINES: Final = 10_000
Line: TypeAlias = tuple[int, str, str]
"""The row of the compared table, the text before and that after ("" if that side has none)."""


def line_changes(table: ComparedTable, plan: Plan) -> Iterator[Line]:
    """Each place where one side has lines that the other does not have: the first line that is gone with the first that
    is new, and so on, within one text. Only the first MOST_LINES lines are looked at."""
    rows = np.flatnonzero(table.status != BOTH)[:MOST_LINES]
    for run in np.split(rows, np.flatnonzero(np.diff(rows) != 1) + 1) if len(rows) else ():
        texts: dict[tuple[object, ...], tuple[list[int], list[int]]] = {}
        for row in run.tolist():
            gone, new = texts.setdefault(_within(table, plan, row), ([], []))
            (new if table.status[row] == ONLY_AFTER else gone).append(row)
        for gone, new in texts.values():
            for before, after in zip_longest(gone, new, fillvalue=-1):
                row = after if after >= 0 else before
                yield row, _line_text(table, plan, before, ONLY_BEFORE), _line_text(table, plan, after, ONLY_AFTER)


def _within(table: ComparedTable, plan: Plan, row: int) -> tuple[object, ...]:
    """Which text a row belongs to."""
    values = [(key, _line_value(table, key, row, int(table.status[row]))) for key in plan.within]
    return tuple(str(value).rpartition("/")[2] if key in plan.paths else value for key, value in values)


def _line_text(table: ComparedTable, plan: Plan, row: int, side: int) -> str:
    value = None if row < 0 else _line_value(table, plan.lines, row, side)
    return "" if value is None else str(value)


def _line_value(table: ComparedTable, key: str, row: int, side: int) -> object:
    column = table.column(key)
    own = None if column is None else column.of_side(after=side == ONLY_AFTER)
    place = int((table.rows_after if side == ONLY_AFTER else table.rows_before)[row])
    return None if own is None else own.value(place)
