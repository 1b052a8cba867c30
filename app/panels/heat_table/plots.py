"""Plots of the heat table for export."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.analysis.matrices import Matrix, available, matrix_of
from app.language import tr
from app.panels.heat_table.arranged import picture_of
from app.panels.spec import PlotSpec
from app.profile.profile import Profile
from app.views.look import Look, Theme
from app.widgets.heat.scene import HeatScene
from app.widgets.plane.scene import draw_whole

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison


def _first(profile: Profile) -> Matrix | None:
    return next((matrix for matrix in available(profile) if matrix.values.size), None)


def _draw_plot(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    matrix = _first(profile)
    if matrix is not None:
        draw_whole(painter, place, HeatScene(picture_of(profile, matrix, log=False)), Look(theme=theme))


def _draw_compared(painter: QPainter, place: QRectF, comparison: Comparison, theme: Theme) -> None:
    """Draws the difference of the first matrix from that of the baseline; it alone if that has no such matrix."""
    from app.panels.heat_table.compared import View, made  # only with a baseline

    matrix = _first(comparison.after)
    before = None if matrix is None else matrix_of(comparison.before, matrix.id)
    if matrix is None or before is None:
        _draw_plot(painter, place, comparison.after, theme)
        return
    none = np.empty(0, np.int64)
    view = View("difference", False, ("file", "file"), (none, none))
    result = made(comparison, before, matrix, view, None, lambda: None)
    draw_whole(painter, place, HeatScene(result.picture), Look(theme=theme))


PLOTS = (PlotSpec("heat", tr("Heat table"), lambda profile: _first(profile) is not None, _draw_plot, _draw_compared),)
