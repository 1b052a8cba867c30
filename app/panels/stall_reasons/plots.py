"""Plots of the stall reasons panel for export."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.language import tr
from app.panels.spec import PlotSpec
from app.profile.profile import Profile
from app.views.look import Look
from app.views.stall_reasons.picture import picture_of
from app.views.theme import Theme
from app.widgets.chart.scene import ChartPainter


def _offered(profile: Profile) -> bool:
    return profile.stall_reasons is not None and len(profile.stall_reasons.count) > 0


def _draw(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    assert profile.stall_reasons is not None
    look = Look(theme=theme)
    ChartPainter().draw_whole(painter, picture_of(profile.stall_reasons).chart(look), place, look)


PLOTS = (PlotSpec("stall-reasons", tr("Stall reasons"), _offered, _draw),)
