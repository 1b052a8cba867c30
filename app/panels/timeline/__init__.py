"""The timeline: what ran when, on which lane."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.panels.panel import PanelSpec, PlotSpec
from app.panels.timeline.panel import TimelinePanel
from app.profile.profile import Profile
from app.widgets.display import Look
from app.widgets.theme import Theme
from app.widgets.timeline.picture import draw_timeline


def _draw(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    if profile.timeline is not None:
        draw_timeline(painter, place, profile.timeline, Look(theme=theme))


SPEC = PanelSpec(
    "timeline",
    "Timeline",
    TimelinePanel,
    ("timeline",),
    "execution steps, an operator's trace, or TensorFlow events",
    "What ran when, a line for each lane. Drag to set the range that all figures follow; Ctrl+wheel or W and S zoom.",
)

PLOT = PlotSpec("timeline", "Whole timeline", lambda profile: profile.timeline is not None, _draw)
