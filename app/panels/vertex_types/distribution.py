"""Distribution of the cycles of vertices that were measured individually, as a histogram."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.analysis.bins import Bins, bins, spread_wide
from app.language import tr
from app.profile.arrays import I64
from app.profile.poplar import VertexCycles
from app.profile.profile import Profile
from app.views.chart.histogram import HistogramPicture
from app.views.look import Look
from app.views.theme import Theme
from app.widgets.chart.scene import ChartPainter

ALL = tr("all types")
"""What is shown without a selection."""


def picture_of(profile: Profile, chosen: I64, what: str) -> HistogramPicture | None:
    """Distribution of the cycles of the vertices ``chosen``."""
    vertices = vertices_of(profile)
    cycle_bins = None if vertices is None else spread(vertices, chosen)
    if cycle_bins is None:
        return None
    clock = profile.target.clock_hz if profile.target is not None else None
    return HistogramPicture(
        tr("Cycles of vertices: {what}", what=what), cycle_bins, "cycles", tr("vertices"), clock_hz=clock
    )


def spread(vertices: VertexCycles, chosen: I64) -> Bins | None:
    cycles = vertices.cycles[chosen]
    return bins(cycles[cycles >= 0], log=spread_wide(cycles))


def vertices_of(profile: Profile) -> VertexCycles | None:
    """The measured vertices; None if there are none."""
    measured = profile.execution.vertices if profile.execution is not None else None
    return measured if measured is not None and len(measured.cycles) else None


def draw(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    """Draws the distribution over all vertices."""
    vertices = vertices_of(profile)
    if vertices is not None:
        picture = picture_of(profile, np.arange(len(vertices.cycles)), ALL)
        if picture is not None:
            look = Look(theme=theme)
            ChartPainter().draw_whole(painter, picture.chart(look), place, look)
