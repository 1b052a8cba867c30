"""The canvas of flame graphs whose axis is a sum, not the time of day."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, QPointF
from PySide6.QtWidgets import QWidget

from app.profile.selection import TimeRange
from app.views.texts import shown_line
from app.widgets.display import Display
from app.widgets.timeline.canvas import TimelineCanvas


class FrameCanvas(TimelineCanvas):
    """Frames as slices of one lane. ``about``: the lines of the tool tip of a frame; ``title``: for screen readers. A
    range that is drawn is zoomed to, as it is none of time."""

    def __init__(self, display: Display, parent: QWidget, title: str, about: Callable[[int], list[str]]) -> None:
        super().__init__(display, parent)
        self.setAccessibleName(shown_line(title))
        self.stage.one_lane = True
        self._about = about
        self.range_chosen.connect(self._zoom_to)

    def tip_at(self, point: QPoint) -> str:
        at = None if self.shown is None else self.gestures.hit(self.shown, QPointF(point)).index
        return "" if at is None else "\n".join(self._about(at))

    def _zoom_to(self, stretch: TimeRange | None) -> None:
        self.set_range(None)
        if self.shown is not None and stretch is not None:
            self.shown.navigation.show_stretch(stretch.start, stretch.end)
