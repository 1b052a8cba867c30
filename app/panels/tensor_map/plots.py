"""Plots of the tensor map for export."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.language import tr
from app.panels.spec import PlotSpec
from app.panels.tensor_map.picture import heat_of
from app.profile.profile import Profile
from app.views.look import Look, Theme
from app.widgets.heat.scene import HeatScene
from app.widgets.plane.scene import draw_whole


def _offered(profile: Profile) -> bool:
    return profile.tensor_map is not None and len(profile.tensor_map.tile) > 0


def _draw(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    shown = heat_of(profile, None, largest_first=True, log=True)
    if shown is not None:
        draw_whole(painter, place, HeatScene(shown[1]), Look(theme=theme))


PLOTS = (PlotSpec("tensor-map", tr("Tensors by tiles"), _offered, _draw),)
