"""Plots of the memory accesses panel for export."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.language import tr
from app.panels.memory_accesses.picture import scene_of
from app.panels.spec import PlotSpec
from app.profile.arrays import distinct
from app.profile.profile import Profile
from app.views.look import Look
from app.views.memory_accesses.records import Filter, commonest
from app.views.theme import Theme
from app.widgets.plane.scene import draw_whole


def _offered(profile: Profile) -> bool:
    return profile.memory_accesses is not None and len(profile.memory_accesses.record) > 0


def _draw(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    """Draws all accesses to the memory with the most accesses."""
    section = profile.memory_accesses
    assert section is not None
    space = commonest(section.space, set(distinct(section.space).tolist()))
    scene = scene_of(section, Filter(space=space), compact=True)
    draw_whole(painter, place, scene, Look(theme=theme))


PLOTS = (PlotSpec("memory-accesses", tr("Memory accesses"), _offered, _draw),)
