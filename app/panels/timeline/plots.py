"""Plots of the timeline for export."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.language import tr
from app.panels.spec import PlotSpec
from app.profile.profile import Profile
from app.widgets.display import Look
from app.widgets.theme import Theme
from app.widgets.timeline.picture import draw_timeline


def _draw(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    if profile.timeline is not None:
        draw_timeline(painter, place, profile.timeline, Look(theme=theme))


PLOTS = (PlotSpec("timeline", tr("Whole timeline"), lambda profile: profile.timeline is not None, _draw),)
