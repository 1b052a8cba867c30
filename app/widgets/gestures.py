"""Mouse gestures (wheel, double click, drag) that work the same on every canvas."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent

ZOOM_NOTCH = 1.25
"""Zoom factor of one wheel step with Ctrl."""
DOUBLE_CLICK = 3.0
"""A double click zooms in by this factor."""
MOVE_NOTCH = 0.1
"""Share of the view that one wheel step without Ctrl scrolls by."""
SLOP = 4.0
"""Pixels that the pointer must move before a click becomes a drag."""
_ANGLE = 120
"""Qt's angle of one wheel step, in eighths of a degree."""


class Turn(NamedTuple):
    """A wheel movement in steps; away from the user and to the left are positive."""

    zoom: float
    across: float
    down: float


def notches_of(event: QWheelEvent) -> tuple[float, float]:
    """Wheel steps: (away from the user, to the left)."""
    return event.angleDelta().y() / _ANGLE, event.angleDelta().x() / _ANGLE


def turn_of(event: QWheelEvent) -> Turn:
    """The meaning of a wheel event: Ctrl zooms; otherwise it scrolls vertically, with Shift horizontally."""
    y, x = notches_of(event)
    if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
        return Turn(y, 0.0, 0.0)
    if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
        return Turn(0.0, x + y, 0.0)
    return Turn(0.0, x, y)


def adds(event: QMouseEvent) -> bool:
    """Whether a click or drag adds to the selection (Shift or Ctrl)."""
    return bool(event.modifiers() & (Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier))
