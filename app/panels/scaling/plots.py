"""The pictures of a profile's own figures, for export."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF, QPainter

from app.analysis.scaling.loops import loops
from app.analysis.scaling.measure import measure
from app.panels.panel import PlotSpec
from app.panels.scaling import charts
from app.panels.scaling.asked import Asked
from app.panels.scaling.bars_scene import BarsScene
from app.panels.scaling.curves_scene import CurvesScene
from app.panels.scaling.pictures import split
from app.panels.scaling.study import Study, study
from app.profile.profile import Profile
from app.widgets.display import Look
from app.widgets.plane.scene import Scene
from app.widgets.theme import Theme


def offered(profile: Profile) -> bool:
    """Whether its run has a micro-batch loop and a clock."""
    clock = profile.target is not None and bool(profile.target.clock_hz)
    return clock and loops(profile).of_micro_batches is not None


def draw_curves(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    """Throughput, and efficiency beside it."""
    found = _study(profile)
    throughput, efficiency = charts.throughput(found), charts.efficiency(found)
    if throughput is not None and efficiency is not None:
        scenes = (CurvesScene(throughput), CurvesScene(efficiency, with_legend=False))
        for scene, part in zip(scenes, split(place, len(scenes)), strict=True):
            _draw(painter, part, scene, theme)


def draw_bars(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    """The parts of a weight update."""
    bars = charts.time(_study(profile))
    if bars is not None:
        _draw(painter, place, BarsScene(bars), theme)


def _study(profile: Profile) -> Study:
    return study(profile, measure(profile), Asked())


def _draw(painter: QPainter, place: QRectF, scene: Scene, theme: Theme) -> None:
    metrics, look = QFontMetricsF(painter.font(), painter.device()), Look(theme=theme)
    scene.draw(painter, scene.lay_out(place, scene.whole(), look, metrics), look)


PLOTS = (
    PlotSpec("scaling-throughput", "Throughput and efficiency over replicas", offered, draw_curves),
    PlotSpec("scaling-time", "Parts of a weight update over replicas", offered, draw_bars),
)
