"""Bars of the samples per stall reason."""

from __future__ import annotations

import numpy as np

from app.language import plural, tr
from app.profile.arrays import I64
from app.profile.ascend import StallReasons
from app.views.chart.bars import MOST_BARS, BarsPicture, NamedBar, bars_picture
from app.views.theme import OKABE_ITO
from app.views.units import percent, plain

COLOUR = OKABE_ITO[0]
TITLE = tr("Samples in which a warp did not issue, by reason")


def order_of(stalls: StallReasons) -> I64:
    """Rows by falling count, rows without data last."""
    return np.argsort(-np.nan_to_num(stalls.count, nan=-1.0), kind="stable").astype(np.int64)


def picture_of(stalls: StallReasons) -> BarsPicture:
    """A bar per reason, the most frequent first."""
    total = float(np.nansum(stalls.count))
    bars = []
    for row in order_of(stalls)[:MOST_BARS].tolist():
        count, name = float(stalls.count[row]), stalls.reasons.get(row)
        bars.append(NamedBar(name, share_of(count, total), count, COLOUR, f"{name}\n{about(count, total)}"))
    return bars_picture(TITLE, "", tuple(bars), count=len(stalls.count))


def share_of(count: float, total: float) -> str:
    """The share of all samples; "" if it is not known."""
    share = 100 * count / total if total > 0 else float("nan")
    return percent(share) if share == share else ""


def about(count: float, total: float) -> str:
    """The samples of a reason, and how its share is computed."""
    figure = plural("{count:,} sample", "{count:,} samples", count=round(count)) if count == count else tr("no data")
    part = share_of(count, total)
    formula = (
        tr("\n{part} of all {total} samples = 100 · samples / all samples", part=part, total=plain(total))
        if part
        else ""
    )
    return f"{figure}{formula}"
