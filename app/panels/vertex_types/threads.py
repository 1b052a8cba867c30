"""Thread utilization of each tile, as a plot per tile."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.analysis.poplar.vertices import ThreadUse, thread_use
from app.language import plural, tr
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection
from app.views.look import Look
from app.views.plot.picture import Limit, PlotPicture, plot_picture
from app.views.theme import Theme
from app.views.tile_axis import TileAxis
from app.views.units import percent
from app.widgets.plane.scene import draw_whole
from app.widgets.plot.scene import PlotScene

SOURCE = "thread-use"
FOLLOWED: tuple[Kind, ...] = ("compute_set", "program", "step", "slice", "vertex_type")


def chosen_sets(linked: Callable[[Selection, Kind], I64], selection: Selection | None) -> I64 | None:
    """The compute sets that a selection refers to; None for all. ``linked``: `Shared.linked`."""
    if selection is None or selection.kind not in FOLLOWED:
        return None
    sets = linked(selection, "compute_set")
    return sets if len(sets) else None


def picture_of(profile: Profile, use: ThreadUse, sets: I64 | None, *, ranged: bool = False) -> PlotPicture:
    """The plot; ``ranged``: the title says that only runs in the range count."""
    per_ipu = (profile.target.tiles_per_ipu or 0) if profile.target is not None else 0
    of = "" if sets is None else plural(" in {count:,} compute set", " in {count:,} compute sets", count=len(sets))
    of += tr(", runs in the range") if ranged else ""
    axis = TileAxis(len(use.share), group=per_ipu)
    limit = Limit(100.0, tr("All threads busy"))
    return plot_picture(
        tr("Thread use per tile{of} (estimate)", of=of), "%", axis, [(tr("Thread use"), use.share)], limit=limit
    )


def words(use: ThreadUse) -> str:
    """The figure over all tiles, and its minimum."""
    cycles = int(use.cycles.sum())
    if not cycles:
        return tr("No tile computes.")
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
    whole = percent(100.0 * int(use.active.sum()) / cycles)
    return tr(
        "All tiles: {whole} of their cycles · min on tile {least:,}: {share}{rest}",
        whole=whole,
        least=least,
        share=percent(float(use.share[least])),
        rest=rest,
    )


def draw(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    use = thread_use(profile)
    if use is not None:
        draw_whole(painter, place, PlotScene(picture_of(profile, use, None)), Look(theme=theme))
