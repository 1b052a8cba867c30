"""Elements of two sequences that can only be each other: they, or the stretches they begin, occur once on each side."""

from __future__ import annotations

from typing import Final

import numpy as np

from app.analysis.compare.increasing import longest_increasing
from app.analysis.compare.polling import Check, never
from app.profile.arrays import I64, U64, Integers

LENGTHS: Final = (1, 4, 16, 64)
"""Elements that are looked at together."""
ENOUGH: Final = 128
"""With an anchor for as many elements, longer stretches are not tried."""
_ODD: Final = np.uint64(0x9E3779B97F4A7C15)


def anchors(before: Integers, after: Integers, check: Check = never) -> tuple[I64, I64]:
    """int64 each, ascending in both: positions of equal elements. Of single elements and of stretches of several
    lengths, those are taken of which there are enough, else the most."""
    best: tuple[I64, I64] = np.empty(0, np.int64), np.empty(0, np.int64)
    enough = max(1, min(len(before), len(after)) // ENOUGH)
    one, other, length = _mixed(before), _mixed(after), 1
    for wanted in LENGTHS:
        while length < wanted:
            one, other = _doubled(one, length), _doubled(other, length)
            length *= 2
        if not len(one) or not len(other):
            break
        check()
        first, second = _unique_pairs(one, other)
        same = before[first] == after[second]  # different elements may have one hash
        first, second = first[same], second[same]
        chosen = longest_increasing(second, check)
        if len(chosen) > len(best[0]):
            best = first[chosen], second[chosen]
        if len(best[0]) >= enough:
            break
    return best


def _mixed(elements: Integers) -> U64:
    hashed: U64 = elements.astype(np.uint64) + np.uint64(1)
    hashed *= _ODD
    hashed ^= hashed >> np.uint64(29)
    return hashed


def _doubled(hashes: U64, length: int) -> U64:
    """Hashes of stretches twice as long."""
    if len(hashes) <= length:
        return hashes[:0]
    joined: U64 = hashes[:-length] * _ODD + (hashes[length:] ^ (hashes[:-length] >> np.uint64(31)))
    joined ^= joined >> np.uint64(27)
    return joined


def _unique_pairs(before: U64, after: U64) -> tuple[I64, I64]:
    """Positions of values that occur once on each side, ascending in ``before``."""
    first, second = _unique(before), _unique(after)
    values, place, other = np.intersect1d(before[first], after[second], assume_unique=True, return_indices=True)
    del values
    pairs = first[place], second[other]
    order = np.argsort(pairs[0])
    return pairs[0][order], pairs[1][order]


def _unique(values: U64) -> I64:
    order = np.argsort(values)
    ordered = values[order]
    new = np.concatenate(([True], ordered[1:] != ordered[:-1], [True]))
    return order[new[:-1] & new[1:]].astype(np.int64)
