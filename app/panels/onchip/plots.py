"""Plots of the on-chip memory panel for export."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.language import tr
from app.panels.onchip.scene import PlanScene
from app.panels.spec import PlotSpec
from app.profile.profile import Profile
from app.views.look import Look
from app.views.onchip.bands import boxes_of
from app.views.theme import Theme
from app.widgets.plane.scene import draw_whole


def _offered(profile: Profile) -> bool:
    return profile.onchip is not None and len(profile.onchip.blocks) > 0


def _draw(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    """Draws all memories."""
    assert profile.onchip is not None
    scene = PlanScene(profile.onchip, boxes_of(profile.onchip))
    draw_whole(painter, place, scene, Look(theme=theme))


PLOTS = (PlotSpec("onchip", tr("On-chip memory"), _offered, _draw),)
