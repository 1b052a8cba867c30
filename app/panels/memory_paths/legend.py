"""The legend beside the diagram: the block, the meaning of colours, and notes."""

from __future__ import annotations

import math

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QLinearGradient, QPainter, QPen

from app.analysis.ascend.diagram.figures import BlockFigures
from app.language import plural, tr
from app.views.memory_paths.shades import STOPS, stops
from app.views.memory_paths.words import SHOWN, Show, kind_of
from app.views.texts import paragraph
from app.views.theme import Theme
from app.widgets.texts import advance, elided

RAMP = 10.0
WIDEST = 320.0
GAP = 4.0
SINGLE = Qt.TextFlag.TextSingleLine.value
WRAPPED = Qt.TextFlag.TextWordWrap.value


def draw_legend(painter: QPainter, place: QRectF, figures: BlockFigures, show: Show, theme: Theme) -> None:
    """Draws the block, its figures, the ramp of peak shares with its limits, and the meaning of grey."""
    base = painter.font()
    bold = QFont(base)
    bold.setBold(True)
    line = math.ceil(QFontMetricsF(base, painter.device()).height())
    rows = [QRectF(place.left(), place.top() + line * number, place.width(), line) for number in range(4)]
    painter.setFont(bold)
    painter.setPen(QColor(theme.text))
    _draw_text(painter, rows[0], figures.block)
    painter.setFont(base)
    painter.setPen(QColor(theme.muted))
    _draw_text(painter, rows[1], kind_of(figures))
    _draw_text(painter, rows[2], tr("Labels: {shown}", shown=SHOWN[show]))
    _draw_text(painter, rows[3], tr("Colour: peak share (%)"))
    ramp = QRectF(place.left(), rows[3].bottom() + 2, min(place.width(), WIDEST), RAMP)
    gradient = QLinearGradient(ramp.topLeft(), ramp.topRight())
    for percent, colour in stops(theme):
        gradient.setColorAt(percent / STOPS[-1], QColor(colour))
    painter.fillRect(ramp, gradient)
    painter.setPen(QPen(QColor(theme.muted), 1))
    painter.drawRect(ramp)
    _draw_limits(painter, ramp, theme)
    below = QRectF(place.left(), ramp.bottom() + GAP + line, place.width(), line)
    _draw_greys(painter, below, theme)


def _draw_limits(painter: QPainter, ramp: QRectF, theme: Theme) -> None:
    metrics = QFontMetricsF(painter.font(), painter.device())
    for percent in STOPS:
        text = f"{percent:.0f}"
        width = advance(text, metrics)
        x = ramp.left() + percent / STOPS[-1] * ramp.width()
        painter.setPen(QPen(QColor(theme.muted), 1))
        painter.drawLine(QLineF(x, ramp.bottom(), x, ramp.bottom() + 3))
        left = min(max(x - width / 2, ramp.left()), ramp.right() - width)
        painter.drawText(QRectF(left, ramp.bottom() + 2, width + 1, metrics.height()), SINGLE, text)


def _draw_greys(painter: QPainter, place: QRectF, theme: Theme) -> None:
    """Draws the meaning of grey (no peak share) and dashed lines (no figures)."""
    metrics = QFontMetricsF(painter.font(), painter.device())
    x, middle, sample = place.left(), place.center().y() + 1, 22.0
    for text, broken in ((tr("no share"), False), (tr("no data"), True)):
        pen = QPen(QColor(theme.muted), 1.5 if broken else 4)
        if broken:
            pen.setDashPattern([3.0, 2.5])
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        painter.drawLine(QPointF(x, middle), QPointF(x + sample, middle))
        x += sample + GAP
        painter.setPen(QColor(theme.muted))
        width = advance(text, metrics)
        painter.drawText(QRectF(x, place.top(), width + 1, place.height()), SINGLE, text)
        x += width + 3 * GAP


def draw_notes(painter: QPainter, place: QRectF, lines: list[str], theme: Theme) -> None:
    """Draws as many whole notes as fit; the others are counted."""
    metrics = QFontMetricsF(painter.font(), painter.device())
    painter.setPen(QColor(theme.muted))
    y = place.top()
    for number, text in enumerate(map(paragraph, lines)):
        box = metrics.boundingRect(QRectF(place.left(), 0, place.width(), 10_000), WRAPPED, text)
        last = number == len(lines) - 1
        if y + box.height() + (0 if last else metrics.height() + GAP) > place.bottom():
            if y + metrics.height() <= place.bottom() + 1:
                left = len(lines) - number
                more = plural("and {count} more note", "and {count} more notes", count=left)
                painter.drawText(QRectF(place.left(), y, place.width(), metrics.height()), SINGLE, more)
            return
        painter.drawText(QRectF(place.left(), y, place.width(), box.height() + 1), WRAPPED, text)
        y += box.height() + GAP


def _draw_text(painter: QPainter, place: QRectF, text: str) -> None:
    metrics = QFontMetricsF(painter.font(), painter.device())
    shown = elided(text, metrics, place.width())
    painter.drawText(place, Qt.AlignmentFlag.AlignVCenter.value | SINGLE, shown)
