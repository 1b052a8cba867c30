"""Plots of the scaling panel for export, from the profile's own figures."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.analysis.scaling.loops import loops
from app.analysis.scaling.measure import measure
from app.language import tr
from app.panels.scaling.pictures import split
from app.panels.spec import PlotSpec
from app.profile.profile import Profile
from app.views.look import Look, Theme
from app.views.scaling import charts
from app.views.scaling.described import bars_chart, curves_chart
from app.views.scaling.study import Study, TypedInputs, study
from app.widgets.chart.scene import ChartPainter


def offered(profile: Profile) -> bool:
    """Whether its run has a micro-batch loop and a clock."""
    clock = profile.target is not None and bool(profile.target.clock_hz)
    return clock and loops(profile).of_micro_batches is not None


def draw_curves(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    """Draws throughput, with efficiency beside it."""
    own_study = _study(profile)
    throughput, efficiency = charts.throughput(own_study), charts.efficiency(own_study)
    if throughput is not None and efficiency is not None:
        shown, items = (curves_chart(throughput), curves_chart(efficiency, legend=False)), ChartPainter()
        for chart, part in zip(shown, split(place, len(shown)), strict=True):
            items.draw_whole(painter, chart, part, Look(theme=theme))


def draw_bars(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    """Draws the parts of a weight update."""
    bars = charts.time(_study(profile))
    if bars is not None:
        ChartPainter().draw_whole(painter, bars_chart(bars), place, Look(theme=theme))


def _study(profile: Profile) -> Study:
    return study(profile, measure(profile), TypedInputs())


PLOTS = (
    PlotSpec("scaling-throughput", tr("Throughput and efficiency over replicas"), offered, draw_curves),
    PlotSpec("scaling-time", tr("Parts of a weight update over replicas"), offered, draw_bars),
)
