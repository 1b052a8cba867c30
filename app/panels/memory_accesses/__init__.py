"""Every access to memory, one after the other: which addresses an operator touches, and in which order."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF, QPainter

from app.panels.memory_accesses.panel import MemoryAccessesPanel, scene_of
from app.panels.memory_accesses.records import Filter, commonest, distinct
from app.panels.panel import PanelSpec, PlotSpec
from app.profile.profile import Profile
from app.widgets.display import Look
from app.widgets.theme import Theme

SPEC = PanelSpec(
    "memory_accesses",
    "Memory accesses",
    MemoryAccessesPanel,
    ("memory_accesses",),
    "an Ascend operator file with single memory accesses (block 0x0A)",
    "Each bar is an access: from its address upwards as many bytes as it touches, in the order of execution. "
    "Ctrl+wheel zooms, over an axis only along it; drag moves.",
)


def _offered(profile: Profile) -> bool:
    return profile.memory_accesses is not None and len(profile.memory_accesses.record) > 0


def _draw(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    """All accesses to the memory that is accessed most."""
    section = profile.memory_accesses
    assert section is not None
    space = commonest(section.space, set(distinct(section.space)))
    scene = scene_of(section, Filter(space=space), compact=True)
    metrics, look = QFontMetricsF(painter.font(), painter.device()), Look(theme=theme)
    scene.draw(painter, scene.lay_out(place, scene.whole(), look, metrics), look)


PLOT = PlotSpec("memory-accesses", "Memory accesses", _offered, _draw)
