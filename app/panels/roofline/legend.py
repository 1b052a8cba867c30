"""The legend of a chart: each roof with how its point stands; a click hides or shows it."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from app.panels.roofline.chart import Chart, Roof
from app.panels.roofline.symbols import draw_symbol, ink, line_pen
from app.panels.roofline.words import standing
from app.widgets.plane.view import PlaneLayout
from app.widgets.texts import advance, elided
from app.widgets.theme import Theme

SWATCH = 44.0
"""Wide enough for some dashes at both sides of the mark."""
GAP = 6.0
MOST_SHARE = 0.4
SINGLE = Qt.TextFlag.TextSingleLine.value


def legend_width(chart: Chart, width: float, metrics: QFontMetricsF) -> float:
    """As wide as its longest line, but never too much of ``width``."""
    texts = [text for roof in chart.roofs for text in (roof.title, standing(roof))]
    longest = max((advance(text, metrics) for text in texts), default=0.0)
    return min(longest + SWATCH + 2 * GAP, MOST_SHARE * width) if texts else 0.0


def entries(layout: PlaneLayout, chart: Chart) -> list[QRectF]:
    """Where the entries stand; fewer than roofs where there is no room for all."""
    height = 2 * layout.line + GAP
    room = int(layout.side.height() // height)
    count = len(chart.roofs)
    if count > room:
        count = max(int((layout.side.height() - layout.line) // height), 0)
    side = layout.side
    return [QRectF(side.left(), side.top() + number * height, side.width(), height) for number in range(count)]


def entry_at(layout: PlaneLayout, chart: Chart, point: QPointF) -> int:
    """The entry under ``point``; -1 none."""
    return next((number for number, place in enumerate(entries(layout, chart)) if place.contains(point)), -1)


def draw_legend(painter: QPainter, layout: PlaneLayout, chart: Chart, shown: list[Roof], theme: Theme) -> None:
    """Line and mark of each roof, its name, its share of the roof and the verdict; faint where it is hidden."""
    metrics = QFontMetricsF(painter.font(), painter.device())
    visible = {roof.row for roof in shown}
    places = entries(layout, chart)
    for number, place in enumerate(places):
        roof = chart.roofs[number]
        there = roof.row in visible
        colour = ink(chart, roof, theme) if there else QColor(theme.line)
        middle = place.top() + layout.line / 2
        painter.setPen(line_pen(chart, roof, colour))
        painter.drawLine(QPointF(place.left(), middle), QPointF(place.left() + SWATCH, middle))
        draw_symbol(painter, QPointF(place.left() + SWATCH / 2, middle), chart, roof, colour, theme)
        text = QRectF(place.left() + SWATCH + GAP, place.top(), place.width() - SWATCH - GAP, layout.line)
        painter.setPen(QColor(theme.text if there else theme.muted))
        painter.drawText(text, SINGLE, elided(roof.title, metrics, text.width()))
        painter.setPen(QColor(theme.muted))
        below = text.translated(0, layout.line)
        told = standing(roof) if there else "hidden: click to show"
        painter.drawText(below, SINGLE, elided(told, metrics, below.width()))
    left = len(chart.roofs) - len(places)
    if left:
        end = places[-1].bottom() if places else layout.side.top()
        painter.setPen(QColor(theme.muted))
        where = QRectF(layout.side.left(), end, layout.side.width(), layout.line)
        painter.drawText(where, SINGLE, f"and {left} more: make room")
