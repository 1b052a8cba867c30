"""Thread use and cycles of vertices of two profiles: the baseline as an outline, or the difference. No widgets."""

from __future__ import annotations

import numpy as np

from app.analysis.bins import bins_of_both, spread_wide
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.counterparts import counterparts
from app.analysis.kinds import KINDS
from app.analysis.poplar.vertices import ThreadUse, of
from app.language import tr
from app.panels.vertex_types.distribution import vertices_of
from app.panels.vertex_types.threads import picture_of, words
from app.profile.arrays import F64, I64
from app.profile.profile import Profile
from app.profile.selection import Kind
from app.views.chart.histogram import HistogramPicture
from app.views.differences import compared_with
from app.views.plot.picture import PlotPicture, difference_plot, plot_picture
from app.views.plot.sides import Sides
from app.views.tile_axis import TileAxis
from app.views.units import percent


def picture_compared(
    profile: Profile, uses: tuple[ThreadUse, ThreadUse], sets: I64 | None, *, difference: bool
) -> PlotPicture:
    """The plot of thread use; ``uses``: of the baseline and of the comparison."""
    alone = picture_of(profile, uses[1], sets)
    count = max(len(use.share) for use in uses)
    before, after = (_padded(use.share, count) for use in uses)
    places = np.arange(count)
    only = places >= len(uses[1].share), places >= len(uses[0].share)
    sides = Sides(before, after, only[0], only[1], ((before, after),))
    axis = TileAxis(count, group=alone.axis.group)
    if difference:
        title = tr("{title}: difference from the baseline", title=alone.title)
        return difference_plot(title, "%", axis, alone.names, sides)
    return plot_picture(alone.title, "%", axis, [(alone.names[0], after)], limit=alone.limit, sides=sides)


def words_compared(before: ThreadUse, after: ThreadUse) -> str:
    """The figure over all tiles on both sides."""
    shares = [
        100.0 * float(use.active.sum()) / use.cycles.sum() if use.cycles.sum() else None for use in (before, after)
    ]
    if shares[1] is None:
        return words(after)
    sides = compared_with(shares[0], shares[1], "%")
    return tr("All tiles: {whole} of their cycles, {sides}", whole=percent(shares[1]), sides=sides)


def histogram_compared(
    comparison: Comparison, chosen: I64, wanted: tuple[Kind, I64] | None, what: str
) -> HistogramPicture | None:
    """The distribution of the cycles of the vertices ``chosen``, with that of what belongs to them in the baseline, in
    the same bins. ``wanted``: the vertex types or compute sets that they are of, None for all."""
    after, before = vertices_of(comparison.after), vertices_of(comparison.before)
    if after is None or before is None:
        return None
    others = of(before)
    if wanted is not None:
        kind, items = wanted
        own = counterparts(comparison, KINDS[kind].tables[0], items)
        others = of(before, types=own) if kind == "vertex_type" else of(before, sets=own)
    amounts = [vertices.cycles[rows] for vertices, rows in ((before, others), (after, chosen))]
    known = [cycles[cycles >= 0] for cycles in amounts]
    both = bins_of_both(known[0], known[1], log=spread_wide(np.concatenate(known)))
    if both is None:
        return None
    clock = comparison.after.target.clock_hz if comparison.after.target is not None else None
    title = tr("Cycles of vertices: {what}", what=what)
    return HistogramPicture(title, both[0], "cycles", tr("vertices"), clock_hz=clock, baseline=both[1])


def _padded(values: F64, count: int) -> F64:
    return np.concatenate((values, np.full(count - len(values), np.nan)))
