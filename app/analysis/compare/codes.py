"""Columns of two tables as codes: equal cells of both tables have equal codes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from msgspec import Struct

from app.analysis.table import Coded, Column
from app.profile.arrays import I64, Array, Bool
from app.profile.strings import Strings

Normalise: TypeAlias = Callable[[str], str]
DENSE = 1 << 22
"""Codes below this are renumbered through a table, higher ones by sorting."""


class Codes(Struct, frozen=True, eq=False):
    """int64[rows] for each side, at least 0."""

    before: I64
    after: I64

    def taken(self, before: I64, after: I64) -> Codes:
        """Those of some rows."""
        return Codes(self.before[before], self.after[after])

    def beside(self, other: Codes) -> Codes:
        """One code for each pair of codes."""
        one, two = self.renumbered(), other.renumbered()
        count = max(int(two.before.max(initial=0)), int(two.after.max(initial=0))) + 1
        return Codes(one.before * count + two.before, one.after * count + two.after).renumbered()

    def renumbered(self) -> Codes:
        """The same with codes from 0, without gaps."""
        whole = np.concatenate((self.before, self.after))
        if not len(whole):
            return self
        high = int(whole.max())
        if high < min(DENSE, 4 * len(whole) + 64):
            used = np.zeros(high + 1, np.bool_)
            used[whole] = True
            numbers = (np.cumsum(used) - 1)[whole]
        else:
            numbers = np.unique(whole, return_inverse=True)[1].reshape(-1)
        numbers = numbers.astype(np.int64, copy=False)
        return Codes(numbers[: len(self.before)], numbers[len(self.before) :])


def of_rows(before: int, after: int) -> Codes:
    """Each row by its number."""
    return Codes(np.arange(before, dtype=np.int64), np.arange(after, dtype=np.int64))


def is_text(column: Column) -> bool:
    return not isinstance(column.values, np.ndarray)


def has_text(column: Column) -> Bool:
    """bool[rows]: whether each cell has a text that is not empty; a number counts as one."""
    values = column.values
    if isinstance(values, Coded):
        lengths = np.diff(values.strings.ends, prepend=0)
        inside = (values.ids >= 0) & (values.ids < len(lengths))
        there: Bool = inside & (np.append(lengths, 0)[np.where(inside, values.ids, -1)] > 0)
    elif isinstance(values, tuple):
        there = np.array([bool(text) for text in values], np.bool_)
    else:
        there = np.ones(len(values), np.bool_)
    return there if column.missing is None else there & ~column.missing


def of_column(before: Column, after: Column, normalise: Normalise | None = None) -> Codes:
    """Equal codes for equal cells. ``normalise`` is applied to texts."""
    if is_text(before) or is_text(after):
        text: dict[str, int] = {}
        return Codes(*(_text_codes(texts(column), column, text, normalise) for column in (before, after)))
    first, second = np.asarray(before.values), np.asarray(after.values)
    whole = np.concatenate((_plain(first), _plain(second)))
    known = ~np.concatenate((_missing(before), _missing(after)))
    codes = np.zeros(len(whole), np.int64)
    codes[known] = np.unique(whole[known], return_inverse=True)[1].reshape(-1) + 1
    return Codes(codes[: len(first)], codes[len(first) :])


def _plain(values: Array) -> Array:
    return values.view(np.uint8) if values.dtype.kind == "b" else values


def _missing(column: Column) -> Array:
    values = np.asarray(column.values)
    absent = np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), np.bool_)
    return absent if column.missing is None else absent | column.missing


def texts(column: Column) -> Coded:
    """The cells as texts; numbers are written out."""
    values = column.values
    if isinstance(values, Coded):
        return values
    if isinstance(values, tuple):
        return Coded(np.arange(len(values)), Strings.of(values))
    numbers, ids = np.unique(_plain(values), return_inverse=True)
    return Coded(
        np.where(_missing(column), -1, ids.reshape(-1)), Strings.of(str(number) for number in numbers.tolist())
    )


def _text_codes(cells: Coded, column: Column, numbers: dict[str, int], normalise: Normalise | None) -> I64:
    """Codes from 1 by the shared table ``numbers``, 0 for no text."""
    count = len(cells.strings)
    ids = np.where((cells.ids >= 0) & (cells.ids < count), cells.ids, count).astype(np.int64)
    if column.missing is not None:
        ids[column.missing] = count
    used = np.zeros(count + 1, np.bool_)
    used[ids] = True
    wanted = np.flatnonzero(used[:count]).tolist()
    of_id = np.zeros(count + 1, np.int64)
    every = cells.strings.tolist() if 4 * len(wanted) > count else None
    for place in wanted:
        text = cells.strings[place] if every is None else every[place]
        key = text if normalise is None else normalise(text)
        of_id[place] = numbers.setdefault(key, len(numbers) + 1)
    return of_id[ids]
