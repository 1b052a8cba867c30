"""Plots of the model panel for export."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF, QPainter

from app.analysis.popef.flow import flow
from app.language import tr
from app.panels.model.draw import draw_flow, height_of
from app.panels.spec import PlotSpec
from app.profile.profile import Profile
from app.views.look import Theme

MOST_MODELS = 8


def _offered(profile: Profile) -> bool:
    return profile.model is not None and len(profile.model.metadata) > 0


def _draw(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    """Draws the flows of all models, one below the other."""
    model = profile.model
    assert model is not None
    high = height_of(QFontMetricsF(painter.font(), painter.device()))
    for row in range(min(len(model.metadata), MOST_MODELS)):
        draw_flow(painter, QRectF(place.left(), place.top() + row * high, place.width(), high), flow(model, row), theme)


PLOTS = (PlotSpec("program-flow", tr("Program flow"), _offered, _draw),)
