"""A mouse button that is pressed on a canvas: a click until the pointer has moved far enough."""

from __future__ import annotations

from msgspec import Struct
from PySide6.QtCore import QPointF

from app.views.axis import History
from app.widgets.gestures import SLOP
from app.widgets.plane.scene import Drag
from app.widgets.plane.view import PlaneView


class Press(Struct):
    """``start``: where it was pressed; ``last``: the last pointer position; ``does``: what a drag with it does;
    ``clicks``: whether it selects without a drag; ``before``: the history of the view, and the view at the beginning;
    ``moved``: whether it has moved far enough; ``panned``: whether that has changed the view."""

    start: QPointF
    last: QPointF
    does: Drag
    clicks: bool
    before: tuple[History[PlaneView], PlaneView] | None
    moved: bool = False
    panned: bool = False

    def goes(self, point: QPointF) -> bool:
        """Whether this is a drag, no longer a click, with the pointer at ``point``."""
        way = point - self.start
        far = abs(way.x()) if self.does == "across" else way.manhattanLength()
        self.moved = self.moved or far >= SLOP
        return self.moved
