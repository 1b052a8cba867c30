"""Hits of the L2 cache, from the metric table of any chip."""

from __future__ import annotations

import re

import numpy as np
from msgspec import Struct

from app.formats.ascend_report.metric_rows import L2_CACHE, Metrics
from app.profile.arrays import F64

_COUNT = re.compile(r"(ai[cv])_(\w+)_(hit|miss_allocate|miss|victim)")
_RATE = re.compile(r"(ai[cv]_)?(total_)?(cache_)?hit_rate\(%\)")


class CacheHits(Struct, frozen=True, eq=False):
    """float64[rows], NaN for no data: ``hit``, ``miss``, ``total``, and ``rate`` in percent: 100 · hit / total, where
    victims count in the total (Ascend operator reports, section 2.2)."""

    hit: F64
    miss: F64
    total: F64
    rate: F64


def l2_hits(metrics: Metrics) -> CacheHits:
    """The sums of all accesses of each sub-block; only the rate, if the table has no counts."""
    sums = {what: np.full(len(metrics), np.nan) for what in ("hit", "miss", "victim")}
    for match, values in metrics.matching(L2_CACHE, _COUNT):
        what = "miss" if match[3] == "miss_allocate" else match[3]
        own = np.where(metrics.on_vector == (match[1] == "aiv"), values, np.nan)
        sums[what] = np.where(np.isnan(own), sums[what], np.nan_to_num(sums[what]) + own)
    hit, miss = sums["hit"], sums["miss"]
    total = hit + miss + np.nan_to_num(sums["victim"])
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = np.where(total > 0, 100.0 * hit / total, np.nan)
    if np.isnan(total).all():
        for _, values in metrics.matching(L2_CACHE, _RATE):
            rate = np.where(np.isnan(rate), values, rate)
    return CacheHits(hit, miss, total, rate)
