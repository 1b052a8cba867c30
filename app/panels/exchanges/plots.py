"""Plots of the exchanges panel for export."""

from __future__ import annotations

from app.language import tr
from app.panels.exchanges.picture import draw, offered
from app.panels.spec import PlotSpec

PLOTS = (PlotSpec("exchanges", tr("Exchanges per tile"), lambda profile: bool(offered(profile)), draw),)
