"""Filters on single columns of a table: a range of numbers, chosen values, or a text that cells contain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.matching import matching_texts
from app.analysis.table import Coded, Column, Table
from app.profile.arrays import I64, Array, Bool, among, distinct
from app.profile.strings import Strings

MOST_VALUES = 300
"""A column with more distinct values than this is filtered by a range or a text instead."""
MANY_ROWS = 4096

Value = str | int | float | bool


class ColumnFilter(Struct, frozen=True):
    """The filter of one column. Every condition that is not None must hold: ``low`` and ``high`` (both inclusive),
    ``values``, ``text`` (ignoring case), none of the values ``excluded``. ``missing``: whether rows without data
    pass."""

    low: float | None = None
    high: float | None = None
    values: frozenset[Value] | None = None
    text: str = ""
    missing: bool = True
    excluded: frozenset[Value] = frozenset()

    @property
    def idle(self) -> bool:
        """Whether every row passes."""
        return self == ColumnFilter()


def only(column: Column, cells: Iterable[Value | None]) -> ColumnFilter:
    """The filter that leaves rows with one of these values of ``column``; None among them: those without data."""
    known, missing = _parted(cells)
    if column.numeric and len(known) == 1 and not missing:
        (value,) = known
        assert not isinstance(value, str)
        return ColumnFilter(low=value, high=value, missing=False)
    return ColumnFilter(values=known, missing=missing)


def without(now: ColumnFilter, cells: Iterable[Value | None]) -> ColumnFilter:
    """The filter ``now`` that also leaves out rows with one of these values; None among them: those without data."""
    known, missing = _parted(cells)
    values = None if now.values is None else now.values - known
    excluded = now.excluded | known if values is None else now.excluded
    return replace(now, values=values, excluded=excluded, missing=now.missing and not missing)


def _parted(cells: Iterable[Value | None]) -> tuple[frozenset[Value], bool]:
    """(values, whether there was None)."""
    every = set(cells)
    return frozenset(value for value in every if value is not None), None in every


class Distinct(Struct, frozen=True):
    """A value of a column and the number of rows that have it; ``value`` is None for rows without data."""

    value: Value | None
    rows: int


def matching(table: Table, filters: Mapping[str, ColumnFilter]) -> Bool | None:
    """bool[rows]: rows that pass all ``filters`` (by column key); None if no filter applies."""
    passing: Bool | None = None
    for column in table.columns:
        wanted = filters.get(column.key)
        if wanted is not None and not wanted.idle:
            own = _matching(column, wanted)
            passing = own if passing is None else passing & own
    return passing


def occurring(column: Column) -> list[Distinct] | None:
    """Every value of the column with its number of rows: numbers ascending, texts by falling frequency, rows without
    data last. None if there are more than MOST_VALUES of them."""
    values, known = _plain(column)
    here, strings = values[known], _strings(column)
    if len(here) > MANY_ROWS and len(distinct(here[:: len(here) // MANY_ROWS])) > MOST_VALUES:
        return None  # decided without counting them all
    occurring, counts = np.unique(here, return_counts=True) if strings is None else _used(here)
    if len(occurring) > MOST_VALUES:
        return None
    rows: dict[Value | None, int] = {}
    for plain, count in zip(occurring.tolist(), counts.tolist(), strict=True):
        value = plain if strings is None else strings[plain]
        rows[value] = rows.get(value, 0) + count  # two ids may stand for the same text
    if len(here) < len(values):
        rows[None] = len(values) - len(here)
    order = sorted(rows.items(), key=lambda item: (item[0] is None, 0 if strings is None else -item[1]))
    return [Distinct(value, count) for value, count in order]


def limits(column: Column) -> tuple[float, float] | None:
    """The minimum and maximum of a numeric column; None for texts and without any data."""
    if not column.numeric:
        return None
    values, known = _plain(column)
    here = values[known]
    return (here.min().item(), here.max().item()) if len(here) else None


def has_gaps(column: Column) -> bool:
    """Whether some rows have no data."""
    return not bool(_plain(column)[1].all())


def _matching(column: Column, wanted: ColumnFilter) -> Bool:
    values, known = _plain(column)
    keep: Bool = known.copy()
    if wanted.low is not None:
        keep &= values >= wanted.low
    if wanted.high is not None:
        keep &= values <= wanted.high
    if wanted.values is not None:
        keep &= _among(column, values, wanted.values)
    if wanted.excluded:
        keep &= ~_among(column, values, wanted.excluded)
    if wanted.text:
        keep &= _containing(column, values, wanted.text)
    return keep | ~known if wanted.missing else keep & known


def _plain(column: Column) -> tuple[Array, Bool]:
    """(numbers, or ids for texts; where there is data)."""
    values = column.values
    if isinstance(values, Coded):
        ids: I64 = values.ids.astype(np.int64)
        known = (ids >= 0) & (ids < len(values.strings))
        return ids, known if column.missing is None else known & ~column.missing
    if isinstance(values, tuple):
        place = {text: number for number, text in enumerate(dict.fromkeys(values))}
        plain: Array = np.fromiter((place[text] for text in values), np.int64, len(values))
    else:
        plain = values
    known = ~np.isnan(plain) if plain.dtype.kind == "f" else np.ones(len(plain), np.bool_)
    return plain, known if column.missing is None else known & ~column.missing


def _strings(column: Column) -> Strings | None:
    """The texts that the ids of ``_plain`` refer to; None for numbers."""
    if isinstance(column.values, Coded):
        return column.values.strings
    return Strings.of(dict.fromkeys(column.values)) if isinstance(column.values, tuple) else None


def _used(ids: Array) -> tuple[I64, I64]:
    """The ids that occur, and how often each does."""
    counts = np.bincount(ids) if len(ids) else np.zeros(0, np.int64)
    used = np.flatnonzero(counts).astype(np.int64)
    return used, counts[used].astype(np.int64)


def _among(column: Column, values: Array, wanted: frozenset[Value]) -> Bool:
    strings = _strings(column)
    if strings is None:
        return among(values, [value for value in wanted if not isinstance(value, str)])
    hits = np.zeros(len(strings), np.bool_)
    for code in _used(values[(values >= 0) & (values < len(strings))])[0].tolist():
        hits[code] = strings.get(code) in wanted
    return _of_ids(hits, values)


def _containing(column: Column, values: Array, text: str) -> Bool:
    strings = _strings(column)
    if strings is None:
        return np.ones(len(values), np.bool_)
    return _of_ids(matching_texts(strings, text), values)


def _of_ids(hits: Bool, ids: Array) -> Bool:
    if not len(hits):
        return np.zeros(len(ids), np.bool_)
    matched: Bool = hits[np.clip(ids, 0, len(hits) - 1)]
    return matched
