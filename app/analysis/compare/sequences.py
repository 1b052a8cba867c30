"""Rule 3: sequences, such as the slices of a lane, the steps of a run or the lines of a source, by alignment."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.compare.alignment import Aligner
from app.analysis.compare.codes import Codes
from app.analysis.compare.partners import Partners
from app.analysis.compare.polling import Check
from app.analysis.compare.rule import Rule
from app.language import tr
from app.profile.arrays import I64, Bool, expand

RULE: Final = Rule(
    "sequence",
    tr("aligned"),
    tr(
        "The rows have the same name, and their sequences (slices of a lane, steps of a run, instructions, source "
        "lines) were aligned like two versions of a text: with the fewest insertions and deletions."
    ),
)
INEXACT: Final = tr(
    "Some sequences differ too much for an exact alignment: rows of the same name are matched in their order where "
    "possible."
)


class _Groups(Struct, frozen=True, eq=False):
    """Rows of one side by group: group g has ``rows[first[g]:first[g + 1]]``, in the order of the table."""

    rows: I64
    first: I64

    @classmethod
    def of(cls, rows: I64, group: I64, count: int) -> _Groups:
        order = rows if not len(group) or (np.diff(group) >= 0).all() else rows[np.argsort(group, kind="stable")]
        first = np.concatenate(([0], np.cumsum(np.bincount(group, minlength=count))))
        return cls(order, first.astype(np.int64))

    def one(self, group: int) -> I64:
        return self.rows[self.first[group] : self.first[group + 1]]


def match(
    names: Codes,
    groups: Codes,
    partners: Partners,
    rows: tuple[I64, I64],
    rules: tuple[int, int],
    check: Check,
) -> bool:
    """Match ``rows`` of each side (in their order), sequence by sequence; returns whether all were aligned exactly.
    ``groups``: which sequence each of them is in. ``rules``: of rows in sequences that are the same as a whole, and of
    others."""
    before, after = rows
    own = groups.renumbered()
    count = max(int(own.before.max(initial=-1)), int(own.after.max(initial=-1))) + 1
    first, second = _Groups.of(before, own.before, count), _Groups.of(after, own.after, count)
    same = _same(names, first, second)
    mine = first.rows[expand(first.first[:-1][same], first.first[1:][same])]
    theirs = second.rows[expand(second.first[:-1][same], second.first[1:][same])]
    partners.pair(mine, theirs, rules[0])
    exact, aligner = True, Aligner(check)
    for group in np.flatnonzero(~same).tolist():
        mine, theirs = first.one(group), second.one(group)
        if len(mine) and len(theirs):
            result = aligner.align(names.before[mine], names.after[theirs])
            matched = np.flatnonzero(result.partner >= 0)
            partners.pair(mine[matched], theirs[result.partner[matched]], rules[1])
            exact = exact and result.exact
    return exact


def _same(names: Codes, first: _Groups, second: _Groups) -> Bool:
    """bool[groups]: whether both sides have the same names in the same order."""
    lengths = np.diff(first.first)
    same: Bool = (lengths == np.diff(second.first)) & (lengths > 0)
    groups = np.flatnonzero(same)
    if not len(groups):
        return same
    mine = first.rows[expand(first.first[groups], first.first[groups + 1])]
    theirs = second.rows[expand(second.first[groups], second.first[groups + 1])]
    starts = np.cumsum(lengths[groups]) - lengths[groups]
    same[groups] = np.logical_and.reduceat(names.before[mine] == names.after[theirs], starts)
    return same
