"""The lower half of the panel while there is a baseline: a heading, and the baseline's timeline."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QScrollBar, QSizePolicy, QWidget

from app.language import tr
from app.views.texts import shown_line
from app.views.timeline.state import Shown
from app.widgets.buttons import icon_button, icon_toggle
from app.widgets.display import Display
from app.widgets.fields import ChoiceBox
from app.widgets.icons import icon
from app.widgets.texts import Label, Readout
from app.widgets.timeline.baseline_canvas import BaselineCanvas
from app.widgets.tips import set_tip

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


Alignment: TypeAlias = Literal["start", "slice", "slice_end", "stretch"]
ALIGNMENTS: Final[dict[Alignment, str]] = {
    "start": tr("Aligned at their start"),
    "slice": tr("Aligned at a slice"),
    "slice_end": tr("Aligned at the end of a slice"),
    "stretch": tr("Stretched to the same length"),
}
ALIGNMENT_HELP: Final = tr(
    "Position of the baseline on the time axis. To align both at a slice or at its end, use the "
    "context menu of the slice. Stretched timelines have the same width, and each ruler shows its "
    "own times."
)


class BaselineBar(QWidget):
    """Signals: ``aligned`` (Alignment that was chosen), ``stepped`` (+1 or -1: to the next or previous difference),
    ``cancelled``: stop matching, or match again."""

    aligned = Signal(str)
    stepped = Signal(int)
    cancelled = Signal()

    def __init__(self, display: Display, parent: QWidget) -> None:
        super().__init__(parent)
        self.name = Label(parent=self)
        self.name.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.alignment = ChoiceBox(self)
        self.alignment.setAccessibleName(tr("Alignment of the baseline"))
        self.alignment.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToContents)
        self.alignment.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        set_tip(self.alignment, ALIGNMENT_HELP)
        self.readout = Readout(display, self)
        self.readout.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.previous = icon_button("chevron-left", tr("Previous difference (Shift+N)"), self)
        self.next = icon_button("chevron-right", tr("Next difference (N)"), self)
        self.cancel = icon_button("x", "", self)
        self.together = icon_toggle("arrow-up-down", tr("Scroll the rows of both together"), self)
        self.together.setChecked(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 2, 8, 2)
        row.setSpacing(4)
        row.addWidget(self.name)
        row.addWidget(self.alignment)
        row.addWidget(self.readout, 1)
        for button in (self.cancel, self.together, self.previous, self.next):
            row.addWidget(button)
        self.alignment.activated.connect(lambda: self.aligned.emit(self.alignment.currentData()))
        self.previous.clicked.connect(lambda: self.stepped.emit(-1))
        self.next.clicked.connect(lambda: self.stepped.emit(1))
        self.cancel.clicked.connect(self.cancelled)

    def show_baseline(self, name: str) -> None:
        """Whose timeline lies below."""
        self.name.setText(tr("Baseline: {name}", name=shown_line(name)))

    def show_alignment(self, alignment: Alignment, offered: tuple[Alignment, ...]) -> None:
        """The alignment in use, and those that can be chosen."""
        if [self.alignment.itemData(place) for place in range(self.alignment.count())] != list(offered):
            self.alignment.clear()
            for one in offered:
                self.alignment.addItem(shown_line(ALIGNMENTS[one]), one)
            self.alignment.updateGeometry()
        self.alignment.setCurrentIndex(offered.index(alignment))

    def show_matching(self, text: str, *, running: bool, stopped: bool) -> None:
        """What is being computed, or was cancelled."""
        self.readout.say(text, muted=True)
        self.cancel.setVisible(running or stopped)
        self.cancel.setIcon(icon("x" if running else "rotate-cw"))
        what = tr("Cancel matching") if running else tr("Match slices")
        set_tip(self.cancel, what)
        self.cancel.setAccessibleName(shown_line(what))

    def show_alone(self, why: str) -> None:
        """Says why there is nothing to align, scroll or step through."""
        self.show_matching(why, running=False, stopped=False)
        self.show_controls(False)

    def show_controls(self, shown: bool) -> None:
        """Whether there is a timeline that the controls are for."""
        for control in (self.alignment, self.together, self.previous, self.next):
            control.setVisible(shown)

    def show_steps(self, offered: bool) -> None:
        """Whether there is anything to step to."""
        for button in (self.previous, self.next):
            button.setEnabled(offered)
