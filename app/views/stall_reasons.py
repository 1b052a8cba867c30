"""Samples per stall reason as bars, with those of a baseline."""

from __future__ import annotations

import numpy as np

from app.analysis.compare.operators import compared_stalls
from app.language import plural, tr
from app.profile.arrays import I64
from app.profile.ascend import StallReasons
from app.profile.profile import Profile
from app.views.chart.bars import MOST_BARS, BarsPicture, NamedBar, bars_picture
from app.views.look import OKABE_ITO
from app.views.units import change, percent, plain

COLOUR = OKABE_ITO[0]
TITLE = tr("Samples in which a warp did not issue, by reason")


def picture_of(stalls: StallReasons, baseline: Profile | None = None) -> tuple[BarsPicture, I64]:
    """(a bar per reason, the most frequent first; int64, the row of each bar, -1 if only the baseline has it)."""
    both = compared_stalls(None if baseline is None else baseline.stall_reasons, stalls)
    before, after = float(np.nansum(both.before)), float(np.nansum(both.after))
    bars = []
    for name, old, new in zip(both.reasons[:MOST_BARS], both.before.tolist(), both.after.tolist(), strict=False):
        lines = [name, _about(new, after)]
        if baseline is not None:
            lines.append(tr("Baseline: {about}", about=_about(old, before)))
        if old == old and new == new:
            lines.append(tr("Difference in samples: {difference}", difference=change(new - old, "")))
        bars.append(
            NamedBar(name, _share(new, after), new, COLOUR, "\n".join(lines), None if baseline is None else old)
        )
    title = TITLE if baseline is None else tr("{title} (narrower bars below: baseline)", title=TITLE)
    return bars_picture(title, "", tuple(bars), count=len(both.reasons)), both.rows_after


def _share(count: float, total: float) -> str:
    """The share of all samples; "" if it is not known."""
    share = 100 * count / total if total > 0 else float("nan")
    return percent(share) if share == share else ""


def _about(count: float, total: float) -> str:
    """The samples of a reason, and how its share is computed."""
    figure = plural("{count:,} sample", "{count:,} samples", count=round(count)) if count == count else tr("no data")
    part = _share(count, total)
    formula = (
        tr("\n{part} of all {total} samples = 100 · samples / all samples", part=part, total=plain(total))
        if part
        else ""
    )
    return f"{figure}{formula}"
