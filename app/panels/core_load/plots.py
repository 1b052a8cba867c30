"""The cards as plots for export, one per metric."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.analysis.ascend.cores import METRICS, TITLES, Metric, metrics
from app.language import tr
from app.panels.core_load.draw import draw_fitted, picture_of
from app.panels.spec import PlotSpec
from app.profile.profile import Profile
from app.views.look import Look
from app.views.theme import Theme


def _draw(painter: QPainter, place: QRectF, profile: Profile, theme: Theme, metric: Metric) -> None:
    if profile.core_load is not None:
        look = Look(theme=theme)
        draw_fitted(painter, place, picture_of(profile.core_load, metric, look), look)


def _plot(metric: Metric) -> PlotSpec:
    return PlotSpec(
        f"core-load-{metric.replace('_', '-')}",
        tr("Core load: {titles}", titles=TITLES[metric]),
        lambda profile: profile.core_load is not None and metric in metrics(profile.core_load),
        lambda painter, place, profile, theme: _draw(painter, place, profile, theme, metric),
    )


PLOTS = tuple(_plot(metric) for metric in METRICS)
