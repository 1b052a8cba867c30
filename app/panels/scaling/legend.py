"""The legend at the right of a picture: lines with their strokes and marks, or parts with their colours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from app.panels.scaling.looks import draw_dot, part_colour, pen_of
from app.widgets.plane.view import PlaneLayout
from app.widgets.texts import advance, elided
from app.widgets.theme import Theme

SWATCH = 26.0
GAP = 6.0
MOST_SHARE = 0.3
SINGLE = Qt.TextFlag.TextSingleLine.value


@dataclass(frozen=True, slots=True)
class Entry:
    """``role`` of a line; "" for a part of the time."""

    name: str
    role: str = ""


def legend_width(entries: Sequence[Entry], width: float, metrics: QFontMetricsF) -> float:
    """As wide as its longest name, but never too much of ``width``."""
    longest = max((advance(entry.name, metrics) for entry in entries), default=0.0)
    return min(longest + SWATCH + 2 * GAP, MOST_SHARE * width) if entries else 0.0


def draw_legend(painter: QPainter, layout: PlaneLayout, entries: Sequence[Entry], theme: Theme) -> None:
    """One line each, as many as there is room for."""
    metrics = QFontMetricsF(painter.font(), painter.device())
    height = layout.line + GAP
    for number, entry in enumerate(entries[: int(layout.side.height() // height)]):
        top = layout.side.top() + number * height
        middle = top + layout.line / 2
        left = layout.side.left()
        if entry.role:
            if entry.role != "measured":
                painter.setPen(pen_of(entry.role, theme))
                painter.drawLine(QLineF(left, middle, left + SWATCH, middle))
            if entry.role != "ideal":
                draw_dot(painter, QPointF(left + SWATCH / 2, middle), entry.role, theme, 3.5)
        else:
            painter.fillRect(QRectF(left, middle - 5, SWATCH / 2, 10), QColor(part_colour(entry.name, theme)))
        indent = SWATCH if entry.role else SWATCH / 2
        text = QRectF(left + indent + GAP, top, layout.side.width() - indent - GAP, layout.line)
        painter.setPen(QColor(theme.text))
        painter.drawText(text, SINGLE, elided(entry.name, metrics, text.width()))
