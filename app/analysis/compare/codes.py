"""What is equal in two tables: cells as codes (equal cells of both have equal codes), pairs of equal codes, rows of
both in one order, and paths of files that stand for one another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from typing import TypeAlias

import numpy as np
from msgspec import Struct

from app.analysis.table import Coded, Column
from app.profile.arrays import I64, Array, Bool, Integers, distinct, expand, numbered, others
from app.profile.strings import Strings

Normalise: TypeAlias = Callable[[str], str]


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
        numbers = numbered(np.concatenate((self.before, self.after)))[1]
        return Codes(numbers[: len(self.before)], numbers[len(self.before) :])


def of_rows(before: int, after: int) -> Codes:
    """Each row by its number."""
    return Codes(np.arange(before, dtype=np.int64), np.arange(after, dtype=np.int64))


def of_values(before: Iterable[Hashable], after: Iterable[Hashable]) -> Codes:
    """Equal codes for equal values."""
    numbers: dict[Hashable, int] = {}
    own, other = (
        np.array([numbers.setdefault(value, len(numbers)) for value in values], np.int64) for values in (before, after)
    )
    return Codes(own, other)


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


def pairs(before: I64, after: I64) -> tuple[I64, I64]:
    """int64 each: positions in ``before`` and ``after`` that have the same code and are as many of it."""
    if len(before) == len(after) and np.array_equal(before, after):
        rows = np.arange(len(before), dtype=np.int64)
        return rows, rows
    order, ordinal = _ordinals(before)
    other, _ = _ordinals(after)
    ordered, wanted = after[other], before[order]
    place = np.searchsorted(ordered, wanted, "left") + ordinal
    there = place < np.searchsorted(ordered, wanted, "right")
    return order[there], other[place[there]]


def equal_pairs(before: I64, after: I64, most: int) -> tuple[I64, I64] | None:
    """int64 each: all positions in ``before`` and ``after`` that have the same code; None for more than ``most``."""
    order = np.argsort(after, kind="stable").astype(np.int64)
    ordered = after[order]
    begin, end = np.searchsorted(ordered, before, "left"), np.searchsorted(ordered, before, "right")
    if int((end - begin).sum()) > most:
        return None
    return np.repeat(np.arange(len(before), dtype=np.int64), end - begin), order[expand(begin, end)]


def _ordinals(codes: I64) -> tuple[I64, I64]:
    """(positions in the order of their codes, how many of the same code come before each)."""
    order = np.argsort(codes, kind="stable").astype(np.int64, copy=False)
    ordered = codes[order]
    return order, np.arange(len(order)) - np.searchsorted(ordered, ordered, "left")


def inverse(of_before: Integers, count: int) -> I64:
    """int64[``count``]: the row before that each row after is matched with, -1 none. ``of_before``: the row after of
    each row before, -1 none."""
    of_after = np.full(count, -1, np.int64)
    rows = np.flatnonzero(of_before >= 0)
    of_after[of_before[rows]] = rows
    return of_after


def interleaved(of_before: Integers, count: int) -> tuple[I64, I64]:
    """int64[rows] each: the row before and the row after (of ``count``) at each place, -1 none. Places are in the order
    after; a row that is only before follows the one that it follows there. ``of_before``: as in ``inverse``."""
    rows = np.arange(len(of_before), dtype=np.int64)
    alone = np.flatnonzero(of_before < 0).astype(np.int64)
    of_after = inverse(of_before, count)
    after = np.arange(count, dtype=np.int64)
    if not len(alone):
        return of_after, after
    last = np.maximum.accumulate(np.where(of_before >= 0, rows, -1))[alone]
    follows = np.where(last >= 0, of_before[np.maximum(last, 0)], -1)
    tie = np.concatenate((np.full(count, -1), alone))
    order = np.lexsort((tie, np.concatenate((after, follows))))
    return np.concatenate((of_after, alone))[order], np.concatenate((after, np.full(len(alone), -1)))[order]


def pairs_by_name(before: Iterable[Hashable], after: Iterable[Hashable]) -> tuple[I64, I64]:
    """int64 each: positions in ``before`` and ``after``, -1 for none: all after in their order, then those that are
    only before. The first of a name belongs to the first of that name, the second to the second, and so on."""
    own = of_values(before, after)
    of_after = np.full(len(own.after), -1, np.int64)
    first, second = pairs(own.before, own.after)
    of_after[second] = first
    return with_alone(of_after, others(len(own.before), first))


def with_alone(of_after: Integers, alone: I64) -> tuple[I64, I64]:
    """int64 each: rows before and after, -1 for none: all after in their order, then those ``alone`` before."""
    before = np.concatenate((of_after, alone)).astype(np.int64)
    return before, np.concatenate((np.arange(len(of_after)), np.full(len(alone), -1))).astype(np.int64)


def paired_paths(before: Iterable[str], after: Iterable[str]) -> dict[str, str]:
    """The path after for each path before that has one: the same path, else the only other one with its file name,
    else the only one that is left on both sides."""
    own, other = list(dict.fromkeys(before)), list(dict.fromkeys(after))
    known = {path: path for path in own if path in set(other)}
    left = [path for path in own if path not in known], [path for path in other if path not in known]
    names = [Counter(map(file_name, paths)) for paths in left]
    by_name = {file_name(path): path for path in left[1]}
    for path in left[0]:
        name = file_name(path)
        if names[0][name] == names[1][name] == 1:
            known[path] = by_name[name]
    taken = set(known.values())
    rest = [path for path in left[0] if path not in known], [path for path in left[1] if path not in taken]
    if len(rest[0]) == len(rest[1]) == 1:
        known[rest[0][0]] = rest[1][0]
    return known


def paired_columns(before: Column, after: Column) -> dict[str, str]:
    """The same for the paths in two columns."""
    return paired_paths(
        *(
            [cells.strings.get(number) for number in distinct(cells.ids[cells.ids >= 0]).tolist()]
            for cells in (texts(before), texts(after))
        )
    )


def file_name(path: str) -> str:
    """The last part of a path of any system."""
    return path.replace("\\", "/").rsplit("/", 1)[-1]


Plain: TypeAlias = str | int | float | bool | None


def plain_cells(column: Column | None, rows: I64) -> list[Plain]:
    """The cells of these rows; None without data, and for row -1."""
    if column is None:
        return [None] * len(rows)
    known = rows >= 0
    places = np.maximum(rows, 0)
    values = column.values
    cells: list[Plain]
    if not len(values):
        return [None] * len(rows)
    if isinstance(values, tuple):
        cells = [values[row] for row in places.tolist()]
    elif isinstance(values, Coded):
        ids, place = np.unique(values.ids[places], return_inverse=True)
        inside = [0 <= number < len(values.strings) for number in ids.tolist()]
        texts = [values.strings[number] if there else None for number, there in zip(ids.tolist(), inside, strict=True)]
        cells = [texts[number] for number in place.reshape(-1).tolist()]
    else:
        taken = values[places]
        if taken.dtype.kind == "f":
            known = known & np.isfinite(taken)
        cells = taken.tolist()
        if column.units is not None or column.unit in ("B", "cycles"):
            cells = [int(cell) if isinstance(cell, float) and cell.is_integer() else cell for cell in cells]
    if column.missing is not None:
        known = known & ~column.missing[places]
    for place_of in np.flatnonzero(~known).tolist():
        cells[place_of] = None
    return cells
