"""The lower half of the panel while there is a baseline: a heading, and the baseline's timeline."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QScrollBar, QWidget

from app.panels.timeline.baseline_bar import BaselineBar
from app.views.timeline.state import Shown
from app.widgets.display import Display
from app.widgets.timeline.baseline_canvas import BaselineCanvas

MOST_HEIGHT = 16_777_215
"""Qt's QWIDGETSIZE_MAX: no limit."""
STEP = 24
"""Pixels that the lanes scroll per step of the scroll bar."""


class BaselineHalf(QWidget):
    """``bar``, and below it ``canvas`` with its ``scroller``."""

    def __init__(self, display: Display, parent: QWidget) -> None:
        super().__init__(parent)
        self.display = display
        self.bar = BaselineBar(display, self)
        self.canvas = BaselineCanvas(display, self)
        self.scroller = QScrollBar(Qt.Orientation.Vertical, self)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(0)
        grid.addWidget(self.bar, 0, 0, 1, 2)
        grid.addWidget(self.canvas, 1, 0)
        grid.addWidget(self.scroller, 1, 1)
        grid.setRowStretch(1, 1)
        grid.setColumnStretch(0, 1)
        self.scroller.valueChanged.connect(self._scroll)

    def say_missing(self, why: str) -> None:
        """Says on one line why there is no timeline; the other half gets the room."""
        self.bar.show_alone(why)
        self.canvas.hide()
        self.scroller.hide()
        self.setMaximumHeight(self.bar.sizeHint().height())

    def show_timelines(self) -> None:
        """Shows what ``say_missing`` has hidden."""
        self.bar.show_controls(True)
        self.setMaximumHeight(MOST_HEIGHT)
        self.canvas.show()

    def _scroll(self, top: int) -> None:
        if self.canvas.shown is not None:
            self.canvas.shown.navigation.scroll_to(top)


def needs_scrolling(shown: Shown) -> bool:
    """Whether rows lie out of sight."""
    bounds = shown.bounds
    return bounds.height > bounds.room


def set_scroller(scroller: QScrollBar, shown: Shown) -> None:
    """Updates a scroll bar to the rows in view."""
    bounds = shown.bounds
    scroller.blockSignals(True)
    scroller.setRange(0, max(0, bounds.height - bounds.room))
    scroller.setPageStep(max(1, bounds.room))
    scroller.setSingleStep(STEP)
    scroller.setValue(shown.view.top)
    scroller.blockSignals(False)
