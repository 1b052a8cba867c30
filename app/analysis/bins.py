"""Histograms: counts of amounts in bins."""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct

from app.analysis.table import Column, Table, Unit
from app.language import tr
from app.profile.arrays import F64, I64, Array, Integers

BINS = 48
LOG_FROM = 50.0
"""Amounts whose ratio exceeds this are binned on a logarithmic scale."""


class Bins(Struct, frozen=True, eq=False):
    """A histogram. ``edges``: float64[bins + 1], ascending; ``counts``: int64[bins]. A bin holds amounts from its edge
    up to the next (the last edge included). ``log``: whether edges grow by a factor; ``zeros``: amounts of zero, which
    logarithmic bins leave out."""

    edges: F64
    counts: I64
    log: bool = False
    zeros: int = 0

    def members(self, values: Integers | F64, first: int, last: int) -> I64:
        """int64: indices of ``values`` in bins first .. last."""
        low, high = self.edges[first], self.edges[last + 1]
        inside = (values >= low) & ((values <= high) if last + 1 == len(self.counts) else (values < high))
        return np.flatnonzero(inside).astype(np.int64)


def bins(
    values: Integers | F64, *, log: bool = False, count: int = BINS, top: float | None = None, binary: bool = False
) -> Bins | None:
    """At most ``count`` bins of a round width (``binary``: a power of two), from 0 (or the minimum) to the maximum, or
    to ``top``; None without any amount. Logarithmic bins begin at the smallest amount above zero."""
    known = np.asarray(values[~np.isnan(values)] if values.dtype.kind == "f" else values)
    if not len(known):
        return None
    most = max(float(known.max()), top or 0.0)
    positive = known[known > 0]
    if log and len(positive):
        edges = _log_edges(float(positive.min()), most, count)
        tallies, _ = np.histogram(positive, edges)
        return Bins(edges, tallies.astype(np.int64), True, len(known) - len(positive))
    least = min(float(known.min()), 0.0)
    edges = _edges(least, most, count, whole=known.dtype.kind in "iu", binary=binary)
    tallies, _ = np.histogram(known, edges)
    return Bins(edges, tallies.astype(np.int64))


def bins_of_both(
    before: Integers | F64,
    after: Integers | F64,
    *,
    log: bool = False,
    top: float | None = None,
    binary: bool = False,
) -> tuple[Bins, I64] | None:
    """(the bins of ``after``, the counts of ``before`` in the same bins); None without any amount."""
    values: Array = np.concatenate((before, after))
    both = bins(values, log=log, top=top, binary=binary)
    if both is None:
        return None
    known = [own[~np.isnan(own)] for own in (before, after)]
    counts = [np.histogram(own, both.edges)[0].astype(np.int64) for own in known]
    zeros = int((known[1] <= 0).sum()) if both.log else 0
    return Bins(both.edges, counts[1], both.log, zeros), counts[0]


def table_of_both(title: str, histogram: Bins, before: I64, unit: Unit, what: str) -> Table:
    """As ``table``, with the counts of a baseline, and the differences."""
    plain = table(title, histogram, unit, what)
    columns = (
        *plain.columns[:2],
        Column("count_before", tr("{what}, before", what=what.capitalize()), before),
        Column("count_after", tr("{what}, after", what=what.capitalize()), histogram.counts),
        Column(
            "count_difference", tr("{what}, difference", what=what.capitalize()), histogram.counts - before, signed=True
        ),
    )
    return Table(plain.id, title, columns)


def spread_wide(values: Integers | F64) -> bool:
    """Whether the positive amounts differ so much that bins of equal width would show only the largest."""
    positive = values[values > 0]
    return bool(len(positive)) and float(np.median(positive)) * LOG_FROM < float(positive.max())


def table(title: str, histogram: Bins, unit: Unit, what: str) -> Table:
    """The bins as a table, one row per bin; ``what`` names the things that are counted."""
    columns = (
        Column("from", tr("From"), histogram.edges[:-1], unit, adds_up=False),
        Column("to", tr("To"), histogram.edges[1:], unit, tr("The last bin includes it."), adds_up=False),
        Column("count", what.capitalize(), histogram.counts),
    )
    note = (
        tr("{zeros:,} {what} with value zero are in no bin.", zeros=histogram.zeros, what=what)
        if histogram.zeros
        else ""
    )
    return Table("histogram", title, columns, note=note)


def _edges(least: float, most: float, count: int, *, whole: bool, binary: bool) -> F64:
    step = _round_step((most - least) / count, binary=binary)
    if whole:
        step = max(step, 1.0)
    first, last = math.floor(least / step), math.floor(most / step) + 1
    return np.arange(first, max(last, first + 1) + 1, dtype=np.float64) * step


def _round_step(rough: float, *, binary: bool) -> float:
    """The smallest round number that is at least ``rough``."""
    if not rough > 0:
        return 1.0
    if binary:
        return 2.0 ** math.ceil(math.log2(rough))
    power = 10.0 ** math.floor(math.log10(rough))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9))


def _log_edges(least: float, most: float, count: int) -> F64:
    if most <= least:
        return np.array([least, max(least + 1.0, least * 1.0001)])
    edges = np.geomspace(least, most, count + 1)
    edges[0], edges[-1] = least, most
    return edges
