"""Stall reasons of two profiles as bars. Imported only with a baseline."""

from __future__ import annotations

import numpy as np

from app.analysis.compare.operators import compared_stalls
from app.language import tr
from app.profile.arrays import I64
from app.profile.ascend import StallReasons
from app.profile.profile import Profile
from app.views.chart.bars import MOST_BARS, BarsPicture, NamedBar, bars_picture
from app.views.stall_reasons.picture import COLOUR, TITLE, about, share_of
from app.views.units import change


def compared_picture(before: StallReasons | None, after: StallReasons) -> tuple[BarsPicture, I64]:
    """(a bar of each side per reason, the row after of each bar or -1)."""
    both = compared_stalls(before, after)
    totals = float(np.nansum(both.before)), float(np.nansum(both.after))
    bars = []
    for name, old, new in zip(both.reasons[:MOST_BARS], both.before.tolist(), both.after.tolist(), strict=False):
        lines = [name, about(new, totals[1]), tr("Baseline: {about}", about=about(old, totals[0]))]
        if old == old and new == new:
            lines.append(tr("Difference in samples: {difference}", difference=change(new - old, "")))
        bars.append(NamedBar(name, share_of(new, totals[1]), new, COLOUR, "\n".join(lines), old))
    title = tr("{title} (narrower bars below: baseline)", title=TITLE)
    return bars_picture(title, "", tuple(bars), count=len(both.reasons)), both.rows_after


def not_compared(before: Profile) -> list[str]:
    """Why there are no figures of the baseline."""
    return [] if before.stall_reasons is not None else [tr("The baseline has no stall reasons.")]
