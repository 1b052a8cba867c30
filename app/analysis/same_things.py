"""Matches things of a profile with those of an earlier reading of the same files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from app.analysis.kinds import KINDS, traits_of
from app.analysis.kinds.spec import Trait
from app.profile.arrays import I64, distinct
from app.profile.profile import Profile
from app.profile.selection import Selection

UNMATCHED: Final = -1


def same_things(before: Profile, after: Profile, selection: Selection) -> Selection | None:
    """``selection`` of ``before`` in ``after``. Things match if all traits of their kind are equal; of several equal
    ones the one with the same ordinal. Things that no longer exist are left out; None if none is left."""
    if KINDS[selection.kind].traits is None:  # a hardware number
        return selection
    chosen = np.asarray(selection.indices, np.int64)
    old, new = traits_of(before, selection.kind), traits_of(after, selection.kind)
    if not old or not new:
        return None
    chosen = chosen[(chosen >= 0) & (chosen < len(old[0].values))]
    left = matching(old, new, chosen)
    return replace(selection, indices=tuple(left.tolist())) if len(left) else None


def matching(old: Sequence[Trait], new: Sequence[Trait], chosen: I64) -> I64:
    """int64: for each of ``chosen`` (rows of ``old``) its row in ``new``, without those that have none."""
    codes_old, codes_new = np.zeros(len(old[0].values), np.int64), np.zeros(len(new[0].values), np.int64)
    for one, other in zip(old, new, strict=True):
        first, second, count = _coded(one, other, chosen)
        codes_old = _combined(codes_old, first, count)
        codes_new = _combined(codes_new, second, count)
        wanted = distinct(codes_old[chosen])  # so that the product of many traits never overflows
        codes_old, codes_new = _renumbered(wanted, codes_old), _renumbered(wanted, codes_new)
    rows_old, ordinals = _ordinals(codes_old)
    ordinal_of = np.zeros(len(codes_old), np.int64)
    ordinal_of[rows_old] = ordinals
    rows_new, _ = _ordinals(codes_new)
    ordered, sought = codes_new[rows_new], codes_old[chosen]
    at = np.searchsorted(ordered, sought) + ordinal_of[chosen]
    there = at < np.searchsorted(ordered, sought, side="right")
    left: I64 = rows_new[at[there]]
    return left


def _coded(old: Trait, new: Trait, chosen: I64) -> tuple[I64, I64, int]:
    """(codes of ``old``, codes of ``new``, number of codes): one code per value of the chosen things, UNMATCHED for all
    others."""
    if old.strings is None or new.strings is None:
        values = distinct(old.values[chosen])
        return _renumbered(values, old.values), _renumbered(values, new.values), len(values)
    texts = {old.strings.get(int(id_), "") if id_ >= 0 else None for id_ in distinct(old.values[chosen])}
    return _text_codes(old, texts), _text_codes(new, texts), len(texts)


def _text_codes(trait: Trait, texts: set[str | None]) -> I64:
    assert trait.strings is not None
    of_id = np.full(len(trait.strings) + 1, UNMATCHED, np.int64)  # the last one stands for no text
    for code, text in enumerate(texts):
        of_id[len(trait.strings) if text is None else trait.strings.find(text)] = code
    ids = trait.values.astype(np.int64)
    inside = (ids >= 0) & (ids < len(trait.strings))
    return of_id[np.where(inside, ids, len(trait.strings))]


def _renumbered(values: npt.NDArray[Any], column: npt.NDArray[Any]) -> I64:
    """Indices of the column's values in ``values`` (ascending), UNMATCHED if not in it."""
    if not len(values):
        return np.full(len(column), UNMATCHED, np.int64)
    place = np.minimum(np.searchsorted(values, column), len(values) - 1)
    return np.where(values[place] == column, place, UNMATCHED).astype(np.int64)


def _combined(first: I64, second: I64, count: int) -> I64:
    return np.where((first < 0) | (second < 0), UNMATCHED, first * max(count, 1) + second)


def _ordinals(codes: I64) -> tuple[I64, I64]:
    """(rows with a code, sorted by code; the ordinal of each within its code)."""
    rows = np.flatnonzero(codes >= 0)
    rows = rows[np.argsort(codes[rows], kind="stable")]
    ordered = codes[rows]
    return rows.astype(np.int64), np.arange(len(rows)) - np.searchsorted(ordered, ordered)
