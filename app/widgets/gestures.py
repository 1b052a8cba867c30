"""What a turn of the wheel, a double click and a drag come to, the same on every canvas."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent

ZOOM_NOTCH = 1.25
"""A notch of the wheel with Ctrl."""
DOUBLE_CLICK = 3.0
"""A double click zooms in by this factor."""
MOVE_NOTCH = 0.1
"""A notch of the wheel without Ctrl moves by this share of what is seen."""
SLOP = 4.0
"""Pixels that the pointer must go before a click becomes a drag."""
_ANGLE = 120
"""Qt's angle of one notch, in eighths of a degree."""


class Turn(NamedTuple):
    """A turn of the wheel in notches, away from the person and to the left positive."""

    zoom: float
    across: float
    down: float


def notches_of(event: QWheelEvent) -> tuple[float, float]:
    """Notches away from the person, and to the left."""
    return event.angleDelta().y() / _ANGLE, event.angleDelta().x() / _ANGLE


def turn_of(event: QWheelEvent) -> Turn:
    """Ctrl zooms; without, the wheel moves up and down, with Shift sideways."""
    y, x = notches_of(event)
    if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
        return Turn(y, 0.0, 0.0)
    if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
        return Turn(0.0, x + y, 0.0)
    return Turn(0.0, x, y)


def adds(event: QMouseEvent) -> bool:
    """Whether a click or drag adds to what is selected."""
    return bool(event.modifiers() & (Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier))
