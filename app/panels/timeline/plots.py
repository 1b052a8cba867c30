"""Plots of the timeline for export."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.language import tr
from app.panels.spec import PlotSpec
from app.profile.profile import Profile
from app.views.look import Look, Theme
from app.views.names_apart import side_names
from app.views.texts import shown_line
from app.widgets.timeline.picture import draw_timeline

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison


def _draw(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    if profile.timeline is not None:
        draw_timeline(painter, place, profile.timeline, Look(theme=theme))


def _draw_compared(painter: QPainter, place: QRectF, comparison: Comparison, theme: Theme) -> None:
    """Draws the timeline of the baseline below, in the same scale; the other alone if the baseline has none."""
    from app.analysis.compare.lanes import unit_factor  # only with a baseline
    from app.widgets.timeline.pair_picture import draw_timelines

    own, other = comparison.after.timeline, comparison.before.timeline
    if own is None or other is None:
        _draw(painter, place, comparison.after, theme)
        return
    heading = tr("Baseline: {name}", name=shown_line(side_names(comparison.after, comparison.before)[1]))
    draw_timelines(painter, place, own, other, heading, unit_factor(other, own), Look(theme=theme))


PLOTS = (
    PlotSpec(
        "timeline",
        tr("Whole timeline"),
        lambda profile: profile.timeline is not None,
        _draw,
        _draw_compared,
        plain=True,
    ),
)
