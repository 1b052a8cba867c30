"""Sort orders of a table's rows by one column, as index arrays."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from app.analysis.table import Coded, Column
from app.profile.arrays import I64, Array, Bool
from app.profile.strings import Strings

NATURAL_LIMIT = 50_000
"""Up to this many distinct texts are sorted naturally (core2 before core10); more by code point."""

RISING_SAMPLE = 1000

BYTE = 256
"""With so few distinct values ranks fit a byte, which numpy sorts by radix: stable, and in a fraction of the time."""

_DIGITS = re.compile(r"(\d+)")
_EXACT_DIGITS = 18
_NUMBER = re.compile(rf"[0-9]{{1,{_EXACT_DIGITS}}}")
_EXACT = 2.0**53
_PACKED = 31  # bits for a rank beside a 32-bit row number in one int64


def order_of(values: Array, known: Bool, *, descending: bool = False) -> I64:
    """int64[rows]: row numbers in the order of the ``sort_keys`` of a column. The sort is stable in both directions;
    rows without data always come last. Texts are compared by their rank, not by their id."""
    if known.all():
        return _stable(values, descending)
    rows = np.flatnonzero(known).astype(np.int64)
    return np.concatenate((rows[_stable(values[rows], descending)], np.flatnonzero(~known).astype(np.int64)))


def sort_keys(column: Column) -> tuple[Array, Bool]:
    """(numbers that sort as the column should, where there is data)."""
    values = column.values
    if isinstance(values, Coded):
        known = values.ids >= 0
        ranks = text_ranks(values.strings).astype(np.int32)  # half the memory to move, and there are never more texts
        keys: Array = ranks[np.clip(values.ids, 0, len(ranks) - 1)] if len(ranks) else np.zeros(len(values), np.int64)
    elif isinstance(values, tuple):
        distinct = list(dict.fromkeys(values))
        place = {text: rank for rank, text in enumerate(sorted(distinct, key=natural_key))}
        keys = np.fromiter((place[text] for text in values), np.int64, len(values))
        known = np.ones(len(values), np.bool_)
    else:
        keys = values.view(np.uint8) if values.dtype.kind == "b" else values
        known = ~np.isnan(values) if values.dtype.kind == "f" else np.ones(len(values), np.bool_)
    return keys, known if column.missing is None else known & ~column.missing


def text_ranks(strings: Strings) -> I64:
    """int64[texts]: the rank of each text, equal texts sharing one."""
    texts = strings.tolist()
    distinct = sorted(set(texts), key=natural_key) if len(texts) <= NATURAL_LIMIT else sorted(set(texts))
    place = {text: rank for rank, text in enumerate(distinct)}
    return np.fromiter((place[text] for text in texts), np.int64, len(texts))


def natural_key(text: str) -> tuple[list[tuple[int, int, str]], str]:
    """Sort key that compares numbers inside a text by value and ignores case."""
    parts = _DIGITS.split(text.casefold())
    return [(1, int(part[:_EXACT_DIGITS]), "") if i % 2 else (2, 0, part) for i, part in enumerate(parts) if part], text


def natural_order(texts: Iterable[str]) -> list[str]:
    """Texts in the order of ``natural_key``; many plain numbers take a twentieth of its time."""
    numbers: list[str] = []
    others: list[str] = []
    for text in texts:
        (numbers if _NUMBER.fullmatch(text) else others).append(text)
    if any(text[:1].isdigit() for text in others):  # they belong between the numbers
        return sorted([*numbers, *others], key=natural_key)
    empty = [text for text in others if not text]
    values, lengths = np.array([int(text) for text in numbers], np.int64), np.array([*map(len, numbers)], np.int64)
    order = np.lexsort((-lengths, values)).tolist()  # "01" before "1"
    return [*empty, *(numbers[place] for place in order), *sorted(filter(None, others), key=natural_key)]


def _stable(values: Array, descending: bool) -> I64:
    """A stable argsort that is faster than numpy's: if they fit, rank and row number share one int64, and sorting plain
    integers is several times as fast as sorting indices."""
    count = len(values)
    if not count:
        return np.empty(0, np.int64)
    if _rises(values[:RISING_SAMPLE]) and _rises(values) and (not descending or _rises(values, strictly=True)):
        order = np.arange(count, dtype=np.int64)  # such as times of a trace or tile numbers
        return order[::-1] if descending else order
    whole = _whole(values)
    if whole is not None and count < 1 << 32:
        low, high = int(whole.min()), int(whole.max())
        if high - low < BYTE:
            keys = (high - whole if descending else whole - low).astype(np.uint8)
            return np.argsort(keys, kind="stable").astype(np.int64, copy=False)
        if high - low < 1 << _PACKED and low >= -(1 << 62) and high < 1 << 62:
            return _unpacked(whole.astype(np.int64) - low, high - low, descending)
    order = np.argsort(values)
    ordered = values[order]
    steps = ordered[1:] != ordered[:-1]
    if steps.all():
        return order[::-1].astype(np.int64) if descending else order.astype(np.int64, copy=False)
    if count >= 1 << _PACKED:
        return _slow(values, descending)
    ranks = np.empty(count, np.int64)
    ranks[order] = np.concatenate((np.zeros(1, np.int64), np.cumsum(steps)))
    return _unpacked(ranks, int(ranks.max()), descending)


def _rises(values: Array, *, strictly: bool = False) -> bool:
    return bool((values[1:] > values[:-1]).all() if strictly else (values[1:] >= values[:-1]).all())


def _whole(values: Array) -> Array | None:
    """The values as integers in the same order, if they are integers or decimals of up to three places (times of a
    trace, with many ties); else None."""
    if values.dtype.kind != "f":
        return values
    for scale in (1.0, 1000.0):
        for part in (values[:: max(1, len(values) // 512)], values):
            with np.errstate(over="ignore", invalid="ignore"):
                scaled = np.rint(part * scale)
                if not (scaled / scale == part).all():
                    break
        else:
            low, high = float(scaled.min()), float(scaled.max())
            return scaled.astype(np.int64) if -_EXACT < low <= high < _EXACT else None
    return None


def _unpacked(ranks: I64, highest: int, descending: bool) -> I64:
    keys = (highest - ranks) if descending else ranks
    keys = (keys << 32) | np.arange(len(ranks), dtype=np.int64)
    keys.sort()
    keys &= 0xFFFFFFFF
    return keys


def _slow(values: Array, descending: bool) -> I64:
    if descending:
        return (len(values) - 1 - np.argsort(values[::-1], kind="stable")[::-1]).astype(np.int64)
    return np.argsort(values, kind="stable").astype(np.int64)
