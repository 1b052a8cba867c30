"""Plots of the heat table for export."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.analysis.matrices import Matrix, available
from app.language import tr
from app.panels.heat_table.arranged import picture_of
from app.panels.spec import PlotSpec
from app.profile.profile import Profile
from app.widgets.display import Look
from app.widgets.heat.scene import HeatScene
from app.widgets.plane.scene import draw_whole
from app.widgets.theme import Theme


def _first(profile: Profile) -> Matrix | None:
    return next((matrix for matrix in available(profile) if matrix.values.size), None)


def _draw_plot(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    matrix = _first(profile)
    if matrix is not None:
        draw_whole(painter, place, HeatScene(picture_of(profile, matrix, log=False)), Look(theme=theme))


PLOTS = (PlotSpec("heat", tr("Heat table"), lambda profile: _first(profile) is not None, _draw_plot),)
