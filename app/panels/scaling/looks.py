"""Colours, strokes and marks of the lines and parts, so that none is told by its colour alone."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.widgets.colours import GREY, MAGENTA, ORANGE, TEAL, VIOLET, colour, fitted
from app.widgets.theme import Theme

STYLES: Final = {
    "ideal": Qt.PenStyle.DashLine,
    "fit": Qt.PenStyle.DashDotLine,
}
PARTS: Final = {
    "Host": "host",
    "Host to IPU": "StreamCopy",
    "IPU": "OnTileExecute",
    "IPU to IPU": "GlobalExchange",
    "Waiting": "Sync",
    "Constant": "constant",
}
"""What a part is called where its colour is known."""
OWN: Final = {"host": VIOLET, "constant": GREY}


def ink(role: str, theme: Theme) -> str:
    """The colour of a line."""
    known = {"model": theme.accent, "ideal": theme.muted, "measured": theme.text, "limit": theme.error}
    return known.get(role) or fitted({"what if": ORANGE, "fit": TEAL}.get(role, MAGENTA), theme.surface, theme.dark)


def part_colour(name: str, theme: Theme) -> str:
    """The colour of a part of the time, as steps of that kind have in every panel."""
    known = PARTS.get(name, name)
    own = OWN.get(known)
    return fitted(own, theme.surface, theme.dark) if own else colour(known, theme)


def pen_of(role: str, theme: Theme) -> QPen:
    pen = QPen(QColor(ink(role, theme)), 1.0 if role == "ideal" else 2.0, j=Qt.PenJoinStyle.RoundJoin)
    pen.setStyle(STYLES.get(role, Qt.PenStyle.SolidLine))
    return pen


def draw_dot(painter: QPainter, spot: QPointF, role: str, theme: Theme, radius: float) -> None:
    """A disc; a diamond for the what-if, a square for what was measured, nothing for a fit."""
    if role == "fit":
        return
    painter.setPen(QPen(QColor(theme.surface), 1))
    painter.setBrush(QColor(ink(role, theme)))
    if role == "measured":
        side = 2 * radius + 1
        painter.drawRect(QRectF(spot.x() - side / 2, spot.y() - side / 2, side, side))
    elif role == "what if":
        reach = radius + 1.5
        painter.drawPolygon([spot + QPointF(*at) for at in ((0, -reach), (reach, 0), (0, reach), (-reach, 0))])
    else:
        painter.drawEllipse(spot, radius, radius)
    painter.setBrush(Qt.BrushStyle.NoBrush)
