"""The legend of a chart: each series (with its values below, on several lines in a narrow chart; a click hides or shows
it) and each colour of bars."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from app.language import tr
from app.views.chart.model import Chart
from app.views.theme import Theme
from app.widgets.chart.symbols import EDGE_WIDTH, Ink, ink
from app.widgets.plane.view import PlaneLayout
from app.widgets.texts import advance, elided

SWATCH, SQUARE = 44.0, 13.0
"""Pixels of a line's swatch, wide enough for some dashes on both sides of the mark; of a bar's swatch."""
GAP = 6.0
MOST_SHARE = 0.45
WIDE_SHARE = 0.36
"""Share of the width from which on the values of series are divided into lines."""
BETWEEN = " · "
"""Where they are divided."""
HIDDEN = tr("hidden; click to show")
SINGLE = Qt.TextFlag.TextSingleLine.value


def legend_width(chart: Chart, width: float, metrics: QFontMetricsF) -> float:
    """Width of the legend in pixels: that of its longest line, limited to a share of ``width``."""
    texts = [text for one in chart.listed for text in (one.title, one.detail)] + [key.name for key in chart.keys]
    around = (SWATCH if chart.listed else SQUARE) + 2 * GAP
    longest = max((advance(text, metrics) for text in texts), default=0.0)
    if longest + around > WIDE_SHARE * width:
        longest = max((advance(part, metrics) for text in texts for part in text.split(BETWEEN)), default=0.0)
    return min(longest + around, MOST_SHARE * width) if texts else 0.0


def divided(text: str, metrics: QFontMetricsF, room: float) -> list[str]:
    """The parts of ``text``, as many in each line as fit into ``room`` pixels."""
    lines: list[str] = []
    for part in text.split(BETWEEN):
        longer = BETWEEN.join((lines[-1], part)) if lines else part
        if lines and advance(longer, metrics) <= room:
            lines[-1] = longer
        else:
            lines.append(part)
    return lines


def details(layout: PlaneLayout, chart: Chart) -> list[list[str]]:
    """The lines below the title of each series: one line, if there is no room for more."""
    room, most = layout.side.width() - SWATCH - GAP, len(chart.listed) + len(chart.keys)
    texts = [HIDDEN if one.item in chart.hidden else one.detail for one in chart.listed]
    below = [divided(text, layout.metrics, room) for text in texts]
    high = (1 + max(map(len, below), default=0)) * layout.line + GAP
    return below if most * high <= layout.side.height() else [[text] for text in texts]


def entries(layout: PlaneLayout, chart: Chart) -> list[QRectF]:
    """The rectangles of the entries, series before bars; fewer if not all fit."""
    below = details(layout, chart) if any(one.detail for one in chart.listed) else []
    lines = 1 + max(map(len, below), default=0)
    height = lines * layout.line + GAP
    side = layout.side
    count = len(chart.listed) + len(chart.keys)
    if count > side.height() // height:
        count = max(int((side.height() - layout.line) // height), 0)
    return [QRectF(side.left(), side.top() + number * height, side.width(), height) for number in range(count)]


def entry_at(layout: PlaneLayout, chart: Chart, point: QPointF) -> int:
    """The index of the series whose entry is under ``point``; -1 for none."""
    places = zip(chart.listed, entries(layout, chart), strict=False)
    return next((chart.series.index(series) for series, place in places if place.contains(point)), -1)


def draw_legend(painter: QPainter, layout: PlaneLayout, chart: Chart, theme: Theme) -> None:
    """Draws line, mark and text of each series, muted if it is hidden; then the colours of bars."""
    metrics = QFontMetricsF(painter.font(), painter.device())
    places = entries(layout, chart)
    for series, place, lines in zip(chart.listed, places, details(layout, chart), strict=False):
        hidden = series.item in chart.hidden
        look = ink(chart, series, theme)
        _draw_swatch(painter, place.topLeft() + QPointF(0, layout.line / 2), look, theme, hidden=hidden)
        text = QRectF(place.left() + SWATCH + GAP, place.top(), place.width() - SWATCH - GAP, layout.line)
        painter.setPen(QColor(theme.muted if hidden else theme.text))
        painter.drawText(text, SINGLE, elided(series.title, metrics, text.width()))
        painter.setPen(QColor(theme.muted))
        for number, line in enumerate(lines, 1):
            painter.drawText(text.translated(0, number * layout.line), SINGLE, elided(line, metrics, text.width()))
    for key, place in zip(chart.keys, places[len(chart.listed) :], strict=False):
        square = QRectF(place.left(), place.top() + layout.line / 2 - 5, SQUARE, 10)
        painter.fillRect(square, QColor(key.colour(theme)))
        text = QRectF(square.right() + GAP, place.top(), place.width() - SQUARE - GAP, layout.line)
        painter.setPen(QColor(theme.text))
        painter.drawText(text, SINGLE, elided(key.name, metrics, text.width()))
    missing = len(chart.listed) + len(chart.keys) - len(places)
    if missing:
        top = places[-1].bottom() if places else layout.side.top()
        painter.setPen(QColor(theme.muted))
        place = QRectF(layout.side.left(), top, layout.side.width(), layout.line)
        painter.drawText(place, SINGLE, tr("and {missing} more; enlarge the panel to see them", missing=missing))


def _draw_swatch(painter: QPainter, start: QPointF, look: Ink, theme: Theme, *, hidden: bool) -> None:
    colour = QColor(theme.line if hidden else look.colour)
    if look.width:
        pen = look.pen()
        pen.setColor(colour)
        painter.setPen(pen)
        painter.drawLine(start, start + QPointF(SWATCH, 0))
    if look.mark:
        painter.setPen(QPen(QColor(theme.surface), EDGE_WIDTH))
        painter.setBrush(colour)
        painter.drawPath(look.path().translated(start + QPointF(SWATCH / 2, 0)))
        painter.setBrush(Qt.BrushStyle.NoBrush)
