"""What the mouse does on a timeline.

Left drag on the ruler or over the rows draws the range (it is the measure, too); its edges can be dragged, and go
to the ends of slices that are near (not with Shift). Ctrl+left drag zooms to the stretch. Middle drag pans. A click
selects, on the names of lanes and processes with Ctrl besides what is selected; on a triangle it folds. A double click
zooms to the slice, on a name it folds. The wheel scrolls rows, with Ctrl it zooms at the pointer, with Shift it pans.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from app.profile.selection import TimeRange
from app.widgets.timeline import view as views
from app.widgets.timeline.pick import Hit, hit, snapped
from app.widgets.timeline.state import Shown
from app.widgets.timeline.view import View

Mode: TypeAlias = Literal["", "press", "range", "edge", "zoom", "pan", "border"]

SLOP = 4
"""Pixels the pointer must go before a click becomes a drag."""
NOTCH_ZOOM = 1.25
NOTCH_PAN = 0.1
NOTCH_ROWS = 3


class Listener(Protocol):
    """Who is told what a gesture came to."""

    def dragging(self, stretch: TimeRange | None) -> None:
        """The range is being drawn."""

    def range_set(self, stretch: TimeRange | None) -> None:
        """The range was drawn."""

    def clicked(self, at: Hit) -> None:
        """A click without a drag."""

    def moved(self) -> None:
        """The view changed."""


@dataclass(slots=True)
class Mouse:
    """One drag at a time. ``stretch`` is the range being drawn, None while there is none; ``adding``: the click adds to
    what is chosen."""

    listener: Listener
    mode: Mode = ""
    x: float = 0.0
    y: float = 0.0
    anchor: float = 0.0
    view: View | None = None
    stretch: TimeRange | None = None
    adding: bool = False

    @property
    def draws(self) -> bool:
        return self.mode in ("range", "edge", "zoom")

    def press(self, shown: Shown, at: Hit, x: float, y: float, *, zoom: bool, snap: bool) -> None:
        """The left button goes down on ``at``; ``zoom``: with Ctrl."""
        self.adding = zoom
        self.x, self.y, self.stretch = x, y, None
        self.anchor = snapped(shown, x, y) if snap else at.time
        if at.zone == "border":
            self.mode = "border"
        elif at.zone in ("names", "fold", "corner"):
            self.mode = "press"
        elif zoom:
            self.mode = "zoom"
        else:
            self.mode = "range" if at.zone == "ruler" else "press"
            self.mode = "press" if at.zone == "notes" else self.mode

    def press_edge(self, stretch: TimeRange, at: Hit, x: float, y: float) -> None:
        """The left button goes down on an edge of the range; the other edge stays."""
        self.mode, self.x, self.y, self.stretch = "edge", x, y, stretch
        self.anchor = stretch.start if at.zone == "end" else stretch.end

    def press_pan(self, shown: Shown, x: float, y: float) -> None:
        """The middle button goes down."""
        self.mode, self.x, self.y, self.view = "pan", x, y, shown.view

    def move(self, shown: Shown, x: float, y: float, *, snap: bool) -> None:
        """The pointer moves with a button down."""
        if self.mode == "border":
            shown.set_gutter(round(x))
            self.listener.moved()
        elif self.mode == "pan" and self.view is not None:
            body = shown.place.body
            shift = (x - self.x) * self.view.span / body.width
            moved = View(self.view.start - shift, self.view.end - shift, self.view.top - round(y - self.y))
            if shown.go(views.clamped(moved, shown.bounds), "drag"):
                self.listener.moved()
        elif self.mode == "press" and abs(x - self.x) > SLOP and self.x >= shown.place.gutter:
            self.mode = "range"
        if self.draws and abs(x - self.x) >= 1:
            moment = snapped(shown, x, y) if snap else shown.scene().time(x)
            moment = min(max(moment, shown.view.start), shown.view.end)
            self.stretch = TimeRange(min(self.anchor, moment), max(self.anchor, moment))
            self.listener.dragging(self.stretch)

    def release(self, shown: Shown, x: float, y: float, stretch: TimeRange | None) -> None:
        """The button goes up."""
        mode, drawn, self.mode, self.stretch = self.mode, self.stretch, "", None
        if mode == "press":
            self.listener.clicked(hit(shown, x, y, stretch))
        elif mode in ("range", "edge") and drawn is not None and drawn.end > drawn.start:
            self.listener.range_set(drawn)
        elif mode == "zoom":
            self.listener.dragging(None)
            if drawn is not None and shown.show_stretch(drawn.start, drawn.end):
                self.listener.moved()

    def cancel(self) -> None:
        self.mode, self.stretch = "", None
        self.listener.dragging(None)


def wheel(shown: Shown, x: float, notches: float, sideways: float, *, zoom: bool, pan: bool) -> bool:
    """Turns of the wheel (up is positive); False where they change nothing."""
    if zoom:
        at = shown.scene().time(max(x, shown.place.gutter))
        return shown.go(views.zoomed(shown.view, NOTCH_ZOOM**notches, at, shown.bounds), "zoom")
    if pan:
        sideways, notches = sideways + notches, 0.0
    view = views.panned(shown.view, -sideways * NOTCH_PAN, shown.bounds) if sideways else shown.view
    rows = NOTCH_ROWS * shown.sizes.row
    return shown.go(views.scrolled(view, round(-notches * rows), shown.bounds), "scroll")
