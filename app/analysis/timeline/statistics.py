"""Slices by name, and self times: durations without those of nested slices."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from msgspec import Struct

from app.analysis.amounts import Spread, spread
from app.analysis.matching import matching_texts
from app.analysis.time.classes import waiting
from app.analysis.timeline.times import instant_mask, row_lanes, within
from app.profile.arrays import F64, I32, I64, Array, Bool, combine_at, expand
from app.profile.selection import TimeRange
from app.profile.timeline import Timeline

MANY_ROWS = 48
"""Lanes with more rows are processed in one sweep over time, those with fewer together, row by row."""
ALONE = 64
"""Slices per row from which on a separate search is worthwhile."""


def self_time(timeline: Timeline, stretch: TimeRange | None = None, nesting: tuple[I64, I64] | None = None) -> F64:
    """float64[slices]: the duration without that of nested slices in the rows below; never below zero (nested slices
    may overlap one another). A slice is nested in the innermost one above that contains it. With ``stretch``, both are
    clipped to it. ``nesting``: the ``holders``, if they are known."""
    slices = timeline.slices
    inside = slices.duration
    if stretch is not None:
        end = slices.start + slices.duration
        inside = np.clip(end, stretch.start, stretch.end) - np.clip(slices.start, stretch.start, stretch.end)
    own = inside.copy()
    held, holder = holders(timeline) if nesting is None else nesting
    combine_at(np.subtract, own, holder, inside[held])
    return np.maximum(own, 0.0)


def holders(timeline: Timeline, end: F64 | None = None, near: float = 0.0) -> tuple[I64, I64]:
    """(slices nested in another one of their lane, the innermost that contains each): int64. ``end``: float64[slices],
    start plus duration if None; one that ends later by ``near`` is still nested (in lanes of up to MANY_ROWS rows)."""
    slices, lanes = timeline.slices, row_lanes(timeline)
    end = slices.start + slices.duration if end is None else end
    deep = np.diff(timeline.lanes.first_row) > MANY_ROWS
    rows = np.flatnonzero((lanes[1:] == lanes[:-1]) & ~deep[lanes[1:]]) + 1
    counts = slices.first[rows + 1] - slices.first[rows]
    left = expand(slices.first[rows], slices.first[rows + 1])
    above = np.repeat(rows - 1, counts)
    lane = np.repeat(lanes[rows], counts)
    held, holding = _by_sweeps(timeline, np.flatnonzero(deep), end)
    while len(left):
        holder = before(slices.start, slices.first[above], slices.first[above + 1], slices.start[left])
        inside = holder >= slices.first[above]
        inside[inside] = end[holder[inside]] >= end[left[inside]] - near
        held.append(left[inside])
        holding.append(holder[inside])
        on = ~inside & (above > 0)
        on[on] = lanes[above[on] - 1] == lane[on]
        left, above, lane = left[on], above[on] - 1, lane[on]
    none = np.empty(0, np.int64)
    return np.concatenate([none, *held]), np.concatenate([none, *holding])


def _by_sweeps(timeline: Timeline, lanes: I64, end: F64) -> tuple[list[I64], list[I64]]:
    """``holders`` for lanes with very many rows."""
    slices, first_row = timeline.slices, timeline.lanes.first_row
    held, holding = [], []
    for lane in lanes.tolist():
        first, stop = int(first_row[lane]), int(first_row[lane + 1])
        a, b = int(slices.first[first]), int(slices.first[stop])
        row = np.repeat(np.arange(stop - first), np.diff(slices.first[first : stop + 1]))
        holder = innermost_holders(slices.start[a:b], end[a:b], row)
        inside = np.flatnonzero(holder >= 0)
        held.append(a + inside)
        holding.append(a + holder[inside])
    return held, holding


def before(values: F64, low: I64, high: I64, wanted: F64) -> I64:
    """int64: in each range low .. high of ascending values the index of the last that is not above ``wanted``; low - 1
    if there is none. Neighbours in one range are searched together."""
    place = np.empty(len(low), np.int64)
    edges = np.flatnonzero(np.concatenate(([True], low[1:] != low[:-1])))
    many = np.diff(np.append(edges, len(low))) > ALONE
    alone = np.repeat(~many, np.diff(np.append(edges, len(low))))
    for edge in np.flatnonzero(many).tolist():
        first, last = int(edges[edge]), int(edges[edge + 1]) if edge + 1 < len(edges) else len(low)
        begin, end = int(low[first]), int(high[first])
        place[first:last] = begin + np.searchsorted(values[begin:end], wanted[first:last], "right") - 1
    a, b, sought = low[alone].copy(), high[alone].copy(), wanted[alone]
    while (a < b).any():
        middle = (a + b) // 2
        right = (a < b) & (values[np.minimum(middle, len(values) - 1)] <= sought)
        b = np.where((a < b) & ~right, middle, b)
        a = np.where(right, middle + 1, a)
    place[alone] = a - 1
    return place


def innermost_holders(start: F64, end: F64, row: I64) -> I64:
    """int64[slices]: for each slice of one lane (``row`` counted from 0 inside it) the index of the slice that contains
    it in the nearest row above, -1 for none. Only the last slice that has begun in a row can contain it. Costs n x
    log(rows), where looking at every row above would cost n x rows."""
    rows = int(row.max(initial=-1)) + 1
    size = 1 << max(rows - 1, 0).bit_length()
    latest = [-np.inf] * (2 * size)  # a tree of maxima: leaf ``size + row`` is the end of the last slice in that row
    occupant = [-1] * rows
    holders = np.full(len(start), -1, np.int64)
    order = np.lexsort((row, start))
    for place, here, until in zip(order.tolist(), row[order].tolist(), end[order].tolist(), strict=True):
        above = _last_reaching(latest, size, here, until)
        if above >= 0:
            holders[place] = occupant[above]
        occupant[here] = place
        node = size + here
        latest[node] = until
        while node > 1:
            node >>= 1
            latest[node] = max(latest[2 * node], latest[2 * node + 1])
    return holders


def _last_reaching(latest: list[float], size: int, before: int, until: float) -> int:
    """The largest leaf below ``before`` whose value reaches ``until``, -1 for none."""
    node = size + before
    while node > 1:
        if node & 1 and latest[node - 1] >= until:
            node -= 1
            while node < size:
                node = 2 * node + 1 if latest[2 * node + 1] >= until else 2 * node
            return node - size
        node >>= 1
    return -1


class NameStatistics(Struct, frozen=True, eq=False):
    """One row per name, by falling total. ``name``: int32 text ids; ``count``: int64; ``cut``: int64, those of them
    that the range cuts; ``total``: float64 in the timeline's unit; ``each``: statistics of the durations of whole
    slices; ``self_total``: float64, the sum of self times; ``share``: float64, 0..1, that of slices which do not wait,
    as a part of all such time; NaN for names that only wait, and without such time. Slices without a known duration
    are only counted: a name with nothing else has NaN for the rest. Instants are no slices."""

    name: I32
    count: I64
    cut: I64
    total: F64
    each: Spread
    share: F64
    self_total: F64

    def __len__(self) -> int:
        return len(self.name)


def gathered(one: NameStatistics, other: NameStatistics, rows: I64) -> NameStatistics:
    """The rows of both, those of ``other`` after those of ``one``, in the order ``rows``."""

    def both(first: Array, second: Array) -> Any:
        return np.concatenate((first, second))[rows]

    return NameStatistics(
        both(one.name, other.name),
        both(one.count, other.count),
        both(one.cut, other.cut),
        both(one.total, other.total),
        Spread(
            both(one.each.count, other.each.count),
            both(one.each.mean, other.each.mean),
            both(one.each.median, other.each.median),
            both(one.each.least, other.each.least),
            both(one.each.most, other.each.most),
        ),
        both(one.share, other.share),
        both(one.self_total, other.self_total),
    )


def by_name(timeline: Timeline, stretch: TimeRange | None = None, chosen: Bool | I64 | None = None) -> NameStatistics:
    """Statistics of the slices ``chosen`` (mask or indices; None: all). A slice cut by ``stretch`` adds only the part
    inside to the total, and nothing to ``each``."""
    slices = timeline.slices
    which = _without_instants(timeline, _chosen(timeline, stretch, chosen))
    name, duration = slices.name[which], slices.duration[which]
    alone, waits = self_time(timeline, stretch)[which], waiting(timeline)
    part, whole = _parts(slices.start[which], duration, stretch)
    names = len(timeline.strings)
    count = np.bincount(name, minlength=names).astype(np.int64)
    total = np.bincount(name, part, minlength=names).astype(np.float64)
    self_total = np.bincount(name, alone, minlength=names).astype(np.float64)
    works = np.ones(len(name), np.bool_) if waits is None else ~waits[which]
    work = np.bincount(name[works], alone[works], minlength=names).astype(np.float64)
    everything = float(work.sum())
    work[np.bincount(name[works], minlength=names) == 0] = np.nan
    ranked = np.flatnonzero(count)
    ranked = ranked[np.argsort(-total[ranked], kind="stable")]
    place = np.full(names, -1, np.int64)
    place[ranked] = np.arange(len(ranked))
    cut = np.bincount(name[~whole], minlength=names).astype(np.int64)
    if slices.untimed is not None:
        timed = ~slices.untimed[which]
        whole = whole & timed
        never = np.bincount(name[timed], minlength=names) == 0
        total[never] = self_total[never] = work[never] = np.nan
    return NameStatistics(
        name=ranked.astype(np.int32),
        count=count[ranked],
        cut=cut[ranked],
        total=total[ranked],
        each=spread(place[name[whole]], duration[whole], len(ranked)),
        share=work[ranked] / (everything if everything > 0 else np.nan),
        self_total=self_total[ranked],
    )


def together(
    timeline: Timeline,
    single: NameStatistics,
    group: I64,
    stretch: TimeRange | None = None,
    chosen: Bool | I64 | None = None,
) -> NameStatistics:
    """Statistics of groups of names; ``single``: those of ``by_name`` with the same ``stretch`` and ``chosen``;
    ``group``: int64[single], 0 .. groups - 1 for each of its names, -1 for none; the result has it as ``name``. Sums
    are sums over the names, all else is of the slices of all of them."""
    inside = group >= 0
    place, groups = group[inside], int(group.max(initial=-1)) + 1

    def added(values: F64) -> F64:
        own = values[inside]
        known = ~np.isnan(own)
        made = np.bincount(place[known], own[known], groups).astype(np.float64)
        made[np.bincount(place[known], minlength=groups) == 0] = np.nan
        return made

    of_name = np.full(len(timeline.strings), -1, np.int64)
    of_name[single.name] = group
    slices = timeline.slices
    which = _without_instants(timeline, _chosen(timeline, stretch, chosen))
    of_slice, duration = of_name[slices.name[which]], slices.duration[which]
    whole = (of_slice >= 0) & _parts(slices.start[which], duration, stretch)[1]
    if slices.untimed is not None:
        whole &= ~slices.untimed[which]
    return NameStatistics(
        name=np.arange(groups, dtype=np.int32),
        count=np.bincount(place, single.count[inside], groups).astype(np.int64),
        cut=np.bincount(place, single.cut[inside], groups).astype(np.int64),
        total=added(single.total),
        each=spread(of_slice[whole], duration[whole], groups),
        share=added(single.share),
        self_total=added(single.self_total),
    )


def _parts(start: F64, duration: F64, stretch: TimeRange | None) -> tuple[F64, Bool]:
    """(length of each slice inside, whether it is entirely inside). An end is a sum, which may be off from the decimal
    that the range was set to in its last digit or two."""
    if stretch is None:
        return duration, np.ones(len(start), np.bool_)
    end = start + duration
    part = np.where(duration > 0, np.minimum(end, stretch.end) - np.maximum(start, stretch.start), 0.0)
    whole = (start >= stretch.start) & (end <= stretch.end + 2 * np.spacing(abs(stretch.end)))
    return part, np.asarray(whole)


def _chosen(timeline: Timeline, stretch: TimeRange | None, chosen: Bool | I64 | None) -> Bool | I64 | slice:
    if stretch is None:
        return slice(None) if chosen is None else chosen
    inside = within(timeline, stretch)
    if chosen is None:
        return inside
    return inside & chosen if chosen.dtype == np.bool_ else chosen[inside[chosen]]


def _without_instants(timeline: Timeline, which: Bool | I64 | slice) -> Bool | I64 | slice:
    instants = instant_mask(timeline)
    if instants is None:
        return which
    if isinstance(which, slice):
        return ~instants
    return which & ~instants if which.dtype == np.bool_ else which[~instants[which]]


def named(timeline: Timeline, text: str, *, case: bool = False, whole: bool = False, regex: bool = False) -> Bool:
    """bool[slices]: which have a name that contains ``text`` (as a ``whole`` word, or as a regular expression).
    BadPattern for a broken expression; an empty text matches nothing."""
    if not text:
        return np.zeros(len(timeline.slices.name), np.bool_)
    if whole:
        text, regex = rf"(?<!\w)(?:{text if regex else re.escape(text)})(?!\w)", True
    texts = matching_texts(timeline.strings, text, case=case, regex=regex)
    known = np.append(texts, False)  # -1 (no name) reads the last entry
    matched: Bool = known[timeline.slices.name]
    return matched
