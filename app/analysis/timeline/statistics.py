"""Slices by name: those that match a text, and statistics of each name."""

from __future__ import annotations

import re

import numpy as np
from msgspec import Struct

from app.analysis.matching import matching_texts
from app.analysis.spread import Spread, spread
from app.analysis.timeline.rows import instant_mask, within
from app.analysis.timeline.self_times import self_time
from app.profile.arrays import F64, I32, I64, Bool
from app.profile.selection import TimeRange
from app.profile.timeline import Timeline


class NameStatistics(Struct, frozen=True, eq=False):
    """One row per name, by falling total. ``name``: int32 text ids; ``count``: int64; ``cut``: int64, those of them
    that the range cuts; ``total``: float64 in the timeline's unit; ``each``: statistics of the durations of whole
    slices; ``share``: float64, 0..1 of the sum of all totals, NaN if that is zero; ``self_total``: float64, the sum of
    self times. Slices without a known duration are only counted: a name with nothing else has NaN for the rest.
    Instants are no slices."""

    name: I32
    count: I64
    cut: I64
    total: F64
    each: Spread
    share: F64
    self_total: F64

    def __len__(self) -> int:
        return len(self.name)


def by_name(timeline: Timeline, stretch: TimeRange | None = None, chosen: Bool | I64 | None = None) -> NameStatistics:
    """Statistics of the slices ``chosen`` (mask or indices; None: all). A slice cut by ``stretch`` adds only the part
    inside to the total, and nothing to ``each``."""
    slices = timeline.slices
    which = _without_instants(timeline, _chosen(timeline, stretch, chosen))
    name, duration = slices.name[which], slices.duration[which]
    alone = self_time(timeline, stretch)[which]
    part, whole = _parts(slices.start[which], duration, stretch)
    names = len(timeline.strings)
    count = np.bincount(name, minlength=names).astype(np.int64)
    total = np.bincount(name, part, minlength=names).astype(np.float64)
    self_total = np.bincount(name, alone, minlength=names).astype(np.float64)
    ranked = np.flatnonzero(count)
    ranked = ranked[np.argsort(-total[ranked], kind="stable")]
    place = np.full(names, -1, np.int64)
    place[ranked] = np.arange(len(ranked))
    everything = float(total.sum())
    cut = np.bincount(name[~whole], minlength=names).astype(np.int64)
    if slices.untimed is not None:
        timed = ~slices.untimed[which]
        whole = whole & timed
        never = np.bincount(name[timed], minlength=names) == 0
        total[never] = self_total[never] = np.nan
    return NameStatistics(
        name=ranked.astype(np.int32),
        count=count[ranked],
        cut=cut[ranked],
        total=total[ranked],
        each=spread(place[name[whole]], duration[whole], len(ranked)),
        share=total[ranked] / (everything if everything > 0 else np.nan),
        self_total=self_total[ranked],
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
