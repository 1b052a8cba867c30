"""Plots of the memory paths panel for export."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.analysis.ascend.diagram.figures import figures_of
from app.language import tr
from app.panels.memory_paths.scene import PathsScene
from app.panels.spec import PlotSpec
from app.profile.profile import Profile
from app.views.look import Look
from app.views.memory_paths.words import Show
from app.views.theme import Theme
from app.widgets.plane.scene import draw_whole


def _offered(profile: Profile) -> bool:
    return profile.memory_paths is not None and len(profile.memory_paths.blocks.block) > 0


def _draw(painter: QPainter, place: QRectF, profile: Profile, theme: Theme, show: Show) -> None:
    """Draws the first block, which is the mean of all cores if the file has one."""
    assert profile.memory_paths is not None
    draw_whole(painter, place, PathsScene(figures_of(profile.memory_paths, 0), show), Look(theme=theme))


PLOTS = (
    PlotSpec("memory-paths", tr("Memory paths by bandwidth"), _offered, partial(_draw, show="bandwidth")),
    PlotSpec("memory-paths-by-requests", tr("Memory paths by requests"), _offered, partial(_draw, show="request")),
    PlotSpec("memory-paths-by-peak", tr("Memory paths by peak share"), _offered, partial(_draw, show="peak")),
)
