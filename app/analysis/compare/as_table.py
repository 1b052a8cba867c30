"""Compared tables as views and exports show them: as ordinary tables, what rows are called, one row field by field, and
the issues of both sides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.compare import codes
from app.analysis.compare.codes import Plain, plain_cells
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.matched import HAND, RULES, Rule
from app.analysis.compare.matching import label_parts
from app.analysis.compare.tables import BOTH, STATUS_TITLES, ComparedColumn, ComparedTable
from app.analysis.table import Coded, Column, Table, difference_unit
from app.language import joined, tr
from app.profile.arrays import F64, I32, I64
from app.profile.strings import Strings
from app.profile.strings import joined as joined_strings

STATUS: Final = "status"


def as_table(compared: ComparedTable, rows: I64 | None = None) -> Table:
    """One row for each row of the comparison (or for ``rows`` of it, in that order). Figures have four columns: before,
    after, difference and percent of the baseline (shares no percent: they differ in points); texts, identifying numbers
    and places one, or two if any differs. ``keys`` are the things of the table after, -1 for rows that are only
    before."""
    own = np.arange(compared.rows, dtype=np.int64) if rows is None else rows
    status = Column(
        STATUS,
        tr("Present in"),
        Coded(_status(compared, own), Strings.of((*STATUS_TITLES, BY_HAND))),
        help=tr("A row on one side only counts with its whole value."),
        role="kind",
    )
    columns = [status]
    for column in compared.columns:
        columns += (figure_columns if column.subtracts else text_columns)(compared, column, own)
    after = compared.after
    keys = taken_keys(None if after is None else after.keys, compared.rows_after[own])
    note = "" if after is None else after.note
    return Table(compared.id, compared.title, tuple(columns), compared.kind, keys, note)


BY_HAND: Final = tr("paired manually")


def _status(compared: ComparedTable, rows: I64) -> I32:
    """int32: index of the title of each row."""
    return np.where(compared.rule == HAND, len(STATUS_TITLES), compared.status)[rows].astype(np.int32)


def taken_keys(keys: I64 | None, rows: I64) -> I64:
    """int64[rows]: the keys of these rows, -1 for no row; ``keys`` None: the rows themselves."""
    if keys is None or not len(keys):
        return rows if keys is None else np.full(len(rows), -1, np.int64)
    return np.where(rows >= 0, keys[np.maximum(rows, 0)], -1).astype(np.int64)


def figure_columns(compared: ComparedTable, column: ComparedColumn, rows: I64) -> Iterator[Column]:
    """The figures before, after, their difference, and (unless they are shares) that in percent, of these rows of the
    comparison."""
    shown = column.shown
    for after in (False, True):
        cells = compared.cells(column, after=after, rows=rows)
        yield replace(
            shown,
            key=f"{column.key}_{'after' if after else 'before'}",
            title=tr("{title}, after", title=shown.title) if after else tr("{title}, before", title=shown.title),
            values=cells.values,
            missing=~cells.known,
            compared=shown.compared or column.key,
        )
    difference = compared.difference(column, rows)
    yield replace(
        shown,
        key=f"{column.key}_difference",
        title=tr("{title}, difference", title=shown.title),
        values=difference.values,
        missing=~difference.known,
        unit=difference_unit(shown.unit),
        help=tr("After minus before, in percentage points.") if shown.unit == "%" else tr("After minus before."),
        compared="" if shown.unit == "%" else shown.compared or column.key,
        share_of="",
        signed=True,
    )
    if shown.unit == "%":
        return
    percent: F64 = compared.percent(column, rows)
    help_ = tr("100 × difference / value before.")
    title = tr("{title}, change", title=shown.title)
    yield Column(
        f"{column.key}_percent",
        title,
        percent,
        "%",
        help_,
        np.isnan(percent),
        share_of=tr("the value before"),
        signed=True,
    )


def text_columns(compared: ComparedTable, column: ComparedColumn, rows: I64) -> Iterator[Column]:
    """The text (or number) after, of a row that is only before the one before; both if any differs."""
    before, after = compared.rows_before[rows], compared.rows_after[rows]
    if column.why or bool(compared.apart(column)[rows].any()):
        for own, places, key, title in (
            (column.before, before, "before", tr("{title}, before", title=column.title)),
            (column.after, after, "after", tr("{title}, after", title=column.title)),
        ):
            yield _merged(own, places, own, places, f"{column.key}_{key}", title, column)
    else:
        yield merged_column(compared, column, rows)


def merged_column(compared: ComparedTable, column: ComparedColumn, rows: I64) -> Column:
    """The text (or number) after, of a row that is only before the one before."""
    before, after = compared.rows_before[rows], compared.rows_after[rows]
    return _merged(column.after, after, column.before, before, column.key, column.title, column)


def _merged(
    first: Column | None,
    places: I64,
    second: Column | None,
    others: I64,
    key: str,
    title: str,
    column: ComparedColumn,
) -> Column:
    """The cells of ``first``, and of ``second`` where there is no such row."""
    shown = column.shown
    sides = [(own, rows) for own, rows in ((first, places), (second, others)) if own is not None and len(own.values)]
    if codes.is_text(shown) or column.why:
        ids, strings = np.full(len(places), -1, np.int64), Strings.of(())
        for own, rows in reversed(sides):
            texts = codes.texts(own)
            known = (rows >= 0) & (texts.ids[np.maximum(rows, 0)] >= 0)
            ids = np.where(rows >= 0, np.where(known, texts.ids[np.maximum(rows, 0)] + len(strings), -1), ids)
            strings = joined_strings(strings, texts.strings)
        return replace(shown, key=key, title=title, values=Coded(ids, strings), missing=None, unit="", units=None)
    numbers = np.zeros(len(places), np.asarray(shown.values).dtype)
    missing = np.ones(len(places), np.bool_)
    for own, rows in reversed(sides):
        inside = np.maximum(rows, 0)
        numbers = np.where(rows >= 0, np.asarray(own.values)[inside], numbers)
        absent = np.zeros(len(rows), np.bool_) if own.missing is None else own.missing[inside]
        missing = np.where(rows >= 0, absent, missing)
    return replace(shown, key=key, title=title, values=numbers, missing=missing, units=None)


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


def compared_issues(comparison: Comparison) -> Table | None:
    """The issues of both, those that only one side has first, and where each was reported; None without any."""
    compared = comparison.table("issues")
    if compared is None:
        return None
    order = np.argsort(compared.status == BOTH, kind="stable")
    columns = {column.key: column for column in compared.columns}
    texts = [merged_column(compared, columns[key], order) for key in ("severity", "text", "where")]
    return Table(compared.id, compared.title, (*texts, as_table(compared, order).columns[0]))
