"""Plots of the roofline panel for export."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.language import tr
from app.panels.roofline.row import split
from app.panels.spec import PlotSpec
from app.profile.profile import Profile
from app.views.look import Look
from app.views.roofline.chart import charts_of
from app.views.roofline.described import described
from app.views.theme import Theme
from app.widgets.chart.scene import ChartPainter

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison


def _offered(profile: Profile) -> bool:
    return profile.roofline is not None and any(chart.roofs for chart in charts_of(profile.roofline))


def _draw(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    """Draws every chart."""
    assert profile.roofline is not None
    charts = [chart for chart in charts_of(profile.roofline) if chart.roofs]
    items = ChartPainter()
    for chart, part in zip(charts, split(place, len(charts)), strict=True):
        items.draw_whole(painter, described(chart), part, Look(theme=theme))


def _draw_compared(painter: QPainter, place: QRectF, comparison: Comparison, theme: Theme) -> None:
    """Draws every chart with the points and roofs of both."""
    from app.views.roofline.compared import compared_charts  # only with a baseline

    charts = [chart for chart in compared_charts(comparison) if chart.pairs]
    items = ChartPainter()
    for chart, part in zip(charts, split(place, len(charts)), strict=True):
        items.draw_whole(painter, chart.described(), part, Look(theme=theme))


PLOTS = (PlotSpec("roofline", tr("Roofline"), _offered, _draw, _draw_compared),)
