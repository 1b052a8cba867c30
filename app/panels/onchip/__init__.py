"""What the compiler of a Triton kernel placed where in on-chip memory, and for how long."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF, QPainter

from app.panels.onchip.bands import boxes_of
from app.panels.onchip.panel import OnchipPanel
from app.panels.onchip.scene import PlanScene
from app.panels.panel import PanelSpec, PlotSpec
from app.profile.profile import Profile
from app.widgets.display import Look
from app.widgets.theme import Theme

SPEC = PanelSpec(
    "onchip",
    "On-chip memory",
    OnchipPanel,
    ("onchip",),
    "the memory plan of a Triton kernel (memory_info.json)",
    "Each box is a block of memory: as wide as it lives, as high as it is large. The dashed line is where a memory is "
    "fullest; hatched blocks are temporary.",
)


def _offered(profile: Profile) -> bool:
    return profile.onchip is not None and len(profile.onchip.blocks) > 0


def _draw(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    """All memories."""
    assert profile.onchip is not None
    scene = PlanScene(profile.onchip, boxes_of(profile.onchip))
    metrics, look = QFontMetricsF(painter.font(), painter.device()), Look(theme=theme)
    scene.draw(painter, scene.lay_out(place, scene.whole(), look, metrics), look)


PLOT = PlotSpec("onchip", "On-chip memory", _offered, _draw)
