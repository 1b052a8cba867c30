"""Plots of the blobs panel for export."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.language import tr
from app.panels.blobs.scene import StripScene
from app.panels.spec import PlotSpec
from app.profile.profile import Profile
from app.views.blobs.filling import dwarfed, filling
from app.views.look import Look
from app.views.theme import Theme
from app.widgets.plane.scene import draw_whole

HIGHEST = 120.0
"""Maximum height of the strip in an exported picture."""


def _offered(profile: Profile) -> bool:
    return profile.blobs is not None and len(profile.blobs) > 0


def _draw(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    assert profile.blobs is not None
    strip = filling(profile.blobs, compact=dwarfed(profile.blobs))
    names = [path.name for path in profile.origin.paths]
    inside = QRectF(place.left(), place.top(), place.width(), min(place.height(), HIGHEST))
    draw_whole(painter, inside, StripScene(strip, names), Look(theme=theme))


PLOTS = (PlotSpec("blobs", tr("File layout"), _offered, _draw),)
