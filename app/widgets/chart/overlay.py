"""Our own drawing over a plot: labels, reference lines, notes, values, heading and legend."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from app.views.chart.model import Reference
from app.views.texts import shown_line
from app.views.theme import Theme
from app.widgets.chart.labels import place_labels
from app.widgets.chart.legend import draw_legend
from app.widgets.chart.seen import Seen
from app.widgets.plane.view import GAP, PlaneLayout
from app.widgets.texts import advance, elided

VEIL = 205
ARROW, HEAD, MARK = 1.5, 9.0, 7.0
"""Pixels: width of an arrow, length of its head, radius of the mark at its end."""
SINGLE = Qt.TextFlag.TextSingleLine.value
CENTRE = Qt.AlignmentFlag.AlignCenter.value | SINGLE
RIGHT = Qt.AlignmentFlag.AlignRight.value | Qt.AlignmentFlag.AlignVCenter.value | SINGLE


def draw_overlay(painter: QPainter, seen: Seen, theme: Theme, font: QFont) -> None:
    """Draws the whole overlay in ``font``."""
    painter.setFont(font)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    metrics = QFontMetricsF(painter.font(), painter.device())
    _draw_arrows(painter, seen, theme)
    _draw_labels(painter, seen, theme, metrics)
    for reference in seen.chart.references:
        _draw_reference(painter, seen, reference, theme, metrics)
    _draw_notes(painter, seen, theme, metrics)
    _draw_figures(painter, seen, theme, metrics)
    _draw_heading(painter, seen.layout, seen.chart.heading, theme, metrics)
    draw_legend(painter, seen.layout, seen.chart, theme)


def _draw_labels(painter: QPainter, seen: Seen, theme: Theme, metrics: QFontMetricsF) -> None:
    for label in place_labels(seen, metrics):
        painter.save()
        painter.translate(label.middle)
        painter.rotate(label.angle)
        _draw_veiled(painter, label.box, label.text, theme.text, theme)
        painter.restore()


def _draw_arrows(painter: QPainter, seen: Seen, theme: Theme) -> None:
    """Draws arrows up to the mark at their end; one shorter than its head has no line."""
    painter.save()
    painter.setClipRect(seen.layout.plot)
    for start, end in seen.arrows:
        line = QLineF(end, start)
        length = line.length()
        if length < 1.0:
            continue
        unit = QPointF(line.dx(), line.dy()) / length
        across = QPointF(-unit.y(), unit.x()) * HEAD / 2
        tip = end + unit * min(MARK, length / 2)
        foot = tip + unit * HEAD
        for colour, more in ((theme.surface, 3.0), (theme.text, 0.0)):
            if length > MARK + HEAD:
                painter.setPen(QPen(QColor(colour), ARROW + more))
                painter.drawLine(foot, start)
            painter.setPen(QPen(QColor(colour), more) if more else QPen(Qt.PenStyle.NoPen))
            painter.setBrush(QColor(colour))
            painter.drawPolygon([tip, foot + across, foot - across])
            painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.restore()


def _draw_veiled(painter: QPainter, box: QRectF, text: str, colour: str, theme: Theme) -> None:
    """Draws a text on a translucent background."""
    veil = QColor(theme.surface)
    veil.setAlpha(VEIL)
    painter.fillRect(box, veil)
    painter.setPen(QColor(colour))
    painter.drawText(box, CENTRE, shown_line(text))


def _draw_heading(painter: QPainter, layout: PlaneLayout, text: str, theme: Theme, metrics: QFontMetricsF) -> None:
    place = layout.head.adjusted(GAP, 0, -GAP, 0)
    painter.setPen(QColor(theme.text))
    shown = elided(text, metrics, place.width())
    painter.drawText(place, Qt.AlignmentFlag.AlignVCenter.value | SINGLE, shown)


def _draw_reference(painter: QPainter, seen: Seen, reference: Reference, theme: Theme, metrics: QFontMetricsF) -> None:
    """Draws a vertical line with its text at the left of its upper end, or a horizontal line with its text below its
    left end."""
    plot, layout = seen.layout.plot, seen.layout
    colour = theme.muted if reference.quiet else theme.error
    painter.setPen(QPen(QColor(colour), 1, Qt.PenStyle.DotLine if reference.quiet else Qt.PenStyle.SolidLine))
    width, height = advance(reference.text, metrics) + GAP, metrics.height()
    if reference.across:
        y = layout.y_of(seen.chart.y.place(reference.at))
        if not plot.top() <= y <= plot.bottom():
            return
        painter.drawLine(QLineF(plot.left(), y, plot.right(), y))
        below = y + 2 + height <= plot.bottom()
        box = QRectF(plot.left() + GAP, y + 2 if below else y - 2 - height, width, height)
    else:
        x = layout.x_of(seen.chart.x.place(reference.at))
        if not plot.left() <= x <= plot.right():
            return
        painter.drawLine(QLineF(x, plot.top(), x, plot.bottom()))
        box = QRectF(x - width - 2, plot.top(), width, height)
    if reference.text:
        _draw_veiled(painter, box, reference.text, colour, theme)


def _draw_notes(painter: QPainter, seen: Seen, theme: Theme, metrics: QFontMetricsF) -> None:
    """Draws the notes that fit into the plot without touching the previous one."""
    plot, taken = seen.layout.plot, QRectF()
    painter.setPen(QColor(theme.muted))
    for note in seen.chart.notes:
        spot = seen.at(seen.chart.places((note.at,))[0])
        width, height = advance(note.text, metrics), metrics.height()
        corner = QPointF(-width / 2, -height - 2) if note.where == "above" else QPointF(GAP, -height / 2)
        box = QRectF(spot + corner, spot + corner + QPointF(width + 1, height))
        if plot.contains(box) and not taken.intersects(box):
            painter.drawText(box, SINGLE, shown_line(note.text))
            taken = box.adjusted(-GAP / 2, 0, GAP / 2, 0)


def _draw_figures(painter: QPainter, seen: Seen, theme: Theme, metrics: QFontMetricsF) -> None:
    """Draws the values at the right of the visible rows."""
    side, height = seen.layout.side, metrics.height()
    for tick in seen.chart.figures:
        y = seen.layout.y_of(tick.place)
        if side.top() <= y <= side.bottom():
            painter.setPen(QColor(theme.text if tick.label else theme.muted))
            box = QRectF(side.left(), y - height / 2, side.width(), height)
            painter.drawText(box, RIGHT, shown_line(tick.label or tick.quiet))
