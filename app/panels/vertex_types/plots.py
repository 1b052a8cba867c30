"""Plots of the vertex types panel for export."""

from __future__ import annotations

from app.analysis.poplar.vertices import has_estimates
from app.language import tr
from app.panels.spec import PlotSpec
from app.panels.vertex_types import distribution, threads

PLOTS = (
    PlotSpec("thread-use", tr("Thread use per tile"), has_estimates, threads.draw),
    PlotSpec(
        "vertex-cycles",
        tr("Cycles of vertices"),
        lambda profile: distribution.vertices_of(profile) is not None,
        distribution.draw,
    ),
)
