"""Plots of the roofline panel for export."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.language import tr
from app.panels.roofline.chart import charts_of
from app.panels.roofline.described import described
from app.panels.roofline.row import split
from app.panels.spec import PlotSpec
from app.profile.profile import Profile
from app.widgets.chart.scene import ChartPainter
from app.widgets.display import Look
from app.widgets.theme import Theme


def _offered(profile: Profile) -> bool:
    return profile.roofline is not None and any(chart.roofs for chart in charts_of(profile.roofline))


def _draw(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    """Draws every chart."""
    assert profile.roofline is not None
    charts = [chart for chart in charts_of(profile.roofline) if chart.roofs]
    items = ChartPainter()
    for chart, part in zip(charts, split(place, len(charts)), strict=True):
        items.draw_whole(painter, described(chart), part, Look(theme=theme))


PLOTS = (PlotSpec("roofline", tr("Roofline"), _offered, _draw),)
