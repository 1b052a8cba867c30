"""Plots of the liveness panel for export."""

from __future__ import annotations

from app.language import tr
from app.panels.liveness.picture import draw
from app.panels.spec import PlotSpec

PLOTS = (PlotSpec("liveness", tr("Live bytes by program"), lambda profile: profile.liveness is not None, draw),)
