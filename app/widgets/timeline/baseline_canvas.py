"""The canvas of the baseline, below that of the comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, Signal
from PySide6.QtWidgets import QWidget

from app.language import tr
from app.widgets.display import Display
from app.widgets.timeline.canvas import TimelineCanvas

if TYPE_CHECKING:
    from app.views.timeline.colour_choice import ColourBy

BASELINE_SLICE = "baseline_slice"
"""In ``Command.places``: a slice of the baseline, which is no item of the shared selection."""


class BaselineCanvas(TimelineCanvas):
    """``meant``: the slice that the context menu is about, None without one.
    Signal ``colour_wanted``: colours by another choice."""

    colour_wanted = Signal(str)

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(display, parent)
        self.setObjectName("baseline-canvas")
        self.setAccessibleName(tr("Timeline of the baseline"))
        self.meant: int | None = None

    def set_colour_by(self, wanted: ColourBy) -> None:
        """Changes the choice of the timeline above, which this one follows."""
        self.colour_wanted.emit(wanted)

    def menu_places_at(self, point: QPoint | None) -> tuple[str, ...]:
        """A slice, a lane or a process of the baseline; selects nothing."""
        self.meant = int(self.selected[0]) if point is None and len(self.selected) else None
        if self.shown is None or point is None:
            return () if self.meant is None else (BASELINE_SLICE,)
        at = self.stage.here = self.gestures.hit(self.shown, QPointF(point))
        if at.index is not None:
            self.meant = at.index
            return (BASELINE_SLICE,)
        if at.zone in ("names", "pin", "fold") and at.band is not None:
            return (at.band.kind,)
        return ()
