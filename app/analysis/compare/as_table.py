"""A compared table as an ordinary table, for views and exports."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec.structs import replace

from app.analysis.compare import codes
from app.analysis.compare.column import ComparedColumn
from app.analysis.compare.compared import BOTH, STATUS_TITLES, ComparedTable
from app.analysis.compare.rules import HAND
from app.analysis.table import Coded, Column, Table, difference_unit
from app.language import tr
from app.profile.arrays import F64, I32, I64
from app.profile.strings import Strings, joined

STATUS = "status"


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
        columns += _columns(compared, column, own)
    after, places = compared.after, compared.rows_after[own]
    keys = places if after is None or after.keys is None else _keys(after.keys, places)
    selects = after.selects if after is not None else None
    note = "" if after is None else after.note
    return Table(compared.id, compared.title, tuple(columns), selects, keys, note)


BY_HAND = tr("paired manually")


def _status(compared: ComparedTable, rows: I64) -> I32:
    """int32: index of the title of each row."""
    status = compared.status[rows].astype(np.int32)
    before = compared.rows_before[rows]
    paired = status == BOTH
    status[paired] = np.where(compared.matches.rule[before[paired]] == HAND, len(STATUS_TITLES), BOTH)
    return status


def _keys(keys: I64, places: I64) -> I64:
    return np.where(places >= 0, keys[np.maximum(places, 0)] if len(keys) else -1, -1).astype(np.int64)


def _columns(compared: ComparedTable, column: ComparedColumn, rows: I64) -> Iterator[Column]:
    if not column.subtracts:
        yield from text_columns(compared, column, rows)
    else:
        yield from figure_columns(compared, column, rows)


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


def one_text(compared: ComparedTable, key: str, rows: I64) -> Column:
    """A column of texts that the tables have: the text after, of a row that is only before the one before."""
    column = compared.column(key)
    assert column is not None
    before, after = compared.rows_before[rows], compared.rows_after[rows]
    return _merged(column.after, after, column.before, before, key, column.title, column)


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
            strings = joined(strings, texts.strings)
        return replace(shown, key=key, title=title, values=Coded(ids, strings), missing=None, unit="", units=None)
    numbers = np.zeros(len(places), np.asarray(shown.values).dtype)
    missing = np.ones(len(places), np.bool_)
    for own, rows in reversed(sides):
        inside = np.maximum(rows, 0)
        numbers = np.where(rows >= 0, np.asarray(own.values)[inside], numbers)
        absent = np.zeros(len(rows), np.bool_) if own.missing is None else own.missing[inside]
        missing = np.where(rows >= 0, absent, missing)
    return replace(shown, key=key, title=title, values=numbers, missing=missing, units=None)
