"""What the vertex types panel draws: thread use of each tile, and how the cycles of vertices are distributed; both with
a baseline or without."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from app.analysis.bins import bins, bins_of_both, spread_wide
from app.analysis.kinds import KINDS
from app.analysis.poplar.vertices import ThreadUse, has_estimates, of, thread_use
from app.language import plural, tr
from app.panels.spec import chart_plot, scene_plot
from app.profile.arrays import F64, I64
from app.profile.poplar import VertexCycles
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection
from app.views.axis import TileAxis
from app.views.chart.histogram import HistogramPicture
from app.views.differences import compared_with
from app.views.look import Look
from app.views.plot import Limit, PlotPicture, Sides, difference_plot, plot_picture
from app.views.units import percent
from app.widgets.plot.scene import PlotScene

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison

ALL_TYPES = tr("all types")
"""What is shown without a selection."""
FOLLOWED: tuple[Kind, ...] = ("compute_set", "program", "step", "slice", "vertex_type")

# -- thread use -------------------------------------------------------------------------------------------


def chosen_sets(linked: Callable[[Selection, Kind], I64], selection: Selection | None) -> I64 | None:
    """The compute sets that a selection refers to; None for all. ``linked``: `Shared.linked`."""
    if selection is None or selection.kind not in FOLLOWED:
        return None
    sets = linked(selection, "compute_set")
    return sets if len(sets) else None


def threads_picture(
    profile: Profile,
    use: ThreadUse,
    sets: I64 | None,
    *,
    ranged: bool = False,
    before: ThreadUse | None = None,
    difference: bool = False,
) -> PlotPicture:
    """The plot of thread use. ``ranged``: the title says that only runs in the range count; ``before``: of the
    baseline, as an outline, or as the ``difference`` from it."""
    per_ipu = (profile.target.tiles_per_ipu or 0) if profile.target is not None else 0
    part = "" if sets is None else plural(" in {count:,} compute set", " in {count:,} compute sets", count=len(sets))
    part += tr(", runs in the range") if ranged else ""
    title, name = tr("Thread use per tile{of} (estimate)", of=part), tr("Thread use")
    sides = None if before is None else _sides_of(before, use)
    axis = TileAxis(len(use.share) if sides is None else len(sides.after), group=per_ipu)
    if difference and sides is not None:
        return difference_plot(tr("{title}: difference from the baseline", title=title), "%", axis, (name,), sides)
    share = use.share if sides is None else sides.after
    return plot_picture(title, "%", axis, [(name, share)], limit=Limit(100.0, tr("All threads busy")), sides=sides)


def _sides_of(before: ThreadUse, after: ThreadUse) -> Sides:
    count = max(len(before.share), len(after.share))
    tiles = np.arange(count)
    shares = _padded(before.share, count), _padded(after.share, count)
    return Sides(*shares, tiles >= len(after.share), tiles >= len(before.share), (shares,))


def _padded(values: F64, count: int) -> F64:
    return np.concatenate((values, np.full(count - len(values), np.nan)))


def threads_line(use: ThreadUse, before: ThreadUse | None = None) -> str:
    """The figure over all tiles and that of the baseline; without one, its minimum."""
    share = _share_of(use)
    if share is None:
        return tr("No tile computes.")
    if before is not None:
        sides = compared_with(_share_of(before), share, "%")
        return tr("All tiles: {whole} of their cycles, {sides}", whole=percent(share), sides=sides)
    least = int(np.nanargmin(use.share))
    idle = int(np.isnan(use.share).sum())
    rest = (
        plural(
            " · {count:,} tile does not compute",
            " · {count:,} tiles do not compute",
            count=idle,
        )
        if idle
        else ""
    )
    return tr(
        "All tiles: {whole} of their cycles · min on tile {least:,}: {share}{rest}",
        whole=percent(share),
        least=least,
        share=percent(float(use.share[least])),
        rest=rest,
    )


def _share_of(use: ThreadUse) -> float | None:
    """In percent over all tiles; None if no tile computes."""
    cycles = int(use.cycles.sum())
    return 100.0 * int(use.active.sum()) / cycles if cycles else None


# -- cycles of vertices -----------------------------------------------------------------------------------


def vertices_of(profile: Profile) -> VertexCycles | None:
    """The measured vertices; None if there are none."""
    measured = profile.execution.vertices if profile.execution is not None else None
    return measured if measured is not None and len(measured.cycles) else None


def histogram_of(
    profile: Profile,
    chosen: I64,
    what: str,
    wanted: tuple[Kind, I64] | None = None,
    comparison: Comparison | None = None,
) -> HistogramPicture | None:
    """The distribution of the cycles of the vertices ``chosen``, and in the same bins that of what belongs to them in
    the baseline. ``wanted``: the vertex types or compute sets that they are of, None for all."""
    vertices = vertices_of(profile)
    if vertices is None:
        return None
    cycles, before = _known(vertices, chosen), None
    others = None if comparison is None else vertices_of(comparison.before)
    both = None
    if comparison is not None and others is not None:
        before = _known(others, _chosen_before(comparison, others, wanted))
        both = bins_of_both(before, cycles, log=spread_wide(np.concatenate((before, cycles))))
    alone = bins(cycles, log=spread_wide(cycles)) if both is None else both[0]
    if alone is None:
        return None
    clock = profile.target.clock_hz if profile.target is not None else None
    title = tr("Cycles of vertices: {what}", what=what)
    baseline = None if both is None else both[1]
    return HistogramPicture(title, alone, "cycles", tr("vertices"), clock_hz=clock, baseline=baseline)


def _known(vertices: VertexCycles, rows: I64) -> I64:
    cycles: I64 = vertices.cycles[rows]
    return cycles[cycles >= 0]


def _chosen_before(comparison: Comparison, before: VertexCycles, wanted: tuple[Kind, I64] | None) -> I64:
    """The vertices of the baseline that belong to the same types or compute sets."""
    from app.analysis.compare.comparison import counterparts

    if wanted is None:
        return of(before)
    kind, items = wanted
    own = counterparts(comparison, KINDS[kind].tables[0], items)
    return of(before, types=own) if kind == "vertex_type" else of(before, sets=own)


# -- plots ------------------------------------------------------------------------------------------------


def _threads_scene(profile: Profile, _look: Look) -> PlotScene | None:
    use = thread_use(profile)
    return None if use is None else PlotScene(threads_picture(profile, use, None))


def _histogram_of_all(profile: Profile) -> HistogramPicture | None:
    vertices = vertices_of(profile)
    return None if vertices is None else histogram_of(profile, np.arange(len(vertices.cycles)), ALL_TYPES)


PLOTS = (
    scene_plot("thread-use", tr("Thread use per tile"), has_estimates, _threads_scene),
    chart_plot(
        "vertex-cycles",
        tr("Cycles of vertices"),
        lambda profile: vertices_of(profile) is not None,
        _histogram_of_all,
    ),
)
