"""The tables of a report, as its files have them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from app.analysis.ascend.typed_columns import key_of, role_of, unit_of_share
from app.analysis.table import Coded, Column, Table
from app.language import plural, tr
from app.profile.ascend import TypedColumn
from app.profile.ascend_report import ReportTable
from app.profile.profile import Profile

PREFIX = "report-table/"
_EXACT = 2.0**53


def report_tables(profile: Profile) -> Iterator[Table]:
    """One table for each table of the report, named ``report-table/NAME``; those of one name have the number of the
    repetition at the end."""
    stored = profile.report_tables
    if stored is None:
        return
    names = _Names()
    for table in stored.tables:
        yield _table(table, names.unique(f"{PREFIX}{table.name}", "/"))


class _Names(Struct):
    """Makes names unique."""

    taken: set[str] = set()

    def unique(self, name: str, between: str) -> str:
        made, count = name, 1
        while made in self.taken:
            count += 1
            made = f"{name}{between}{count}"
        self.taken.add(made)
        return made


def _table(table: ReportTable, table_id: str) -> Table:
    keys = _Names()
    columns = [_column(column, keys.unique(key_of(column.name), "_")) for column in table.columns]
    empty = [_is_empty(column) for column in table.columns]
    columns = [
        column for wanted in (False, True) for column, none in zip(columns, empty, strict=True) if none == wanted
    ]
    if any(empty) and not all(empty):
        count = sum(empty)
        note = plural(
            "{file}, all values unchanged. The column without data is the last one.",
            "{file}, all values unchanged. The {count:,} columns without data are the last ones.",
            file=table.file,
            count=count,
        )
    else:
        note = tr("{file}, unchanged.", file=table.file)
    return Table(table_id, table.name, tuple(columns), note=note)


def _is_empty(column: TypedColumn) -> bool:
    """Whether a column has no data (as those of the cubes in the tables of a vector operator)."""
    values = column.of_core(0)
    return bool((np.isnan(values) if column.strings is None else values < 0).all())


def _column(column: TypedColumn, key: str) -> Column:
    values = column.of_core(0)
    if column.strings is not None:
        return Column(key, column.name, Coded(values, column.strings))
    missing = np.isnan(values)
    known = values[~missing]
    role, unit = role_of(column.name), unit_of_share(column.name)
    if len(known) and bool(((known == np.floor(known)) & (np.abs(known) < _EXACT)).all()) and not _fractions(column):
        whole = np.where(missing, 0.0, values).astype(np.int64)
        return Column(key, column.name, whole, unit, role=role, missing=missing if missing.any() else None, stored=True)
    return Column(key, column.name, values, unit, role=role, stored=True)


def _fractions(column: TypedColumn) -> bool:
    """Whether the title says that figures are no counts, so that 0.000000 is shown as a fraction."""
    lowered = column.name.lower()
    return lowered.endswith(("ratio", "(us)", "(gb/s)", "(%)", "(kb)", "rate"))
