"""Draws a roofline chart, for the screen and for export alike."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen

from app.panels.roofline.chart import Chart, Roof
from app.panels.roofline.labels import place_labels, slope_seen, x_place, y_place
from app.panels.roofline.legend import draw_legend
from app.panels.roofline.symbols import RADIUS, draw_symbol, ink, line_pen
from app.widgets.plane.axes import Tick, draw_frame, draw_title, draw_x, draw_y
from app.widgets.plane.view import PlaneLayout
from app.widgets.texts import shown_line
from app.widgets.theme import Theme

RIDGE = 3.5
FAINT = 80
VEIL = 205
SINGLE = Qt.TextFlag.TextSingleLine.value


def draw_chart(painter: QPainter, layout: PlaneLayout, chart: Chart, shown: list[Roof], theme: Theme) -> None:
    """Axes, roofs with their ridges, points, names and the legend."""
    metrics = QFontMetricsF(painter.font(), painter.device())
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    draw_x(painter, layout, ticks(chart.x, layout.view.x.start, layout.view.x.end), "Ops/Byte", theme)
    draw_y(painter, layout, ticks(chart.y, layout.view.y.start, layout.view.y.end), theme)
    draw_frame(painter, layout, theme)
    draw_title(painter, layout, f"{chart.title} · TOps/s", theme)
    found = spots(layout, chart, shown)
    painter.setClipRect(layout.plot.adjusted(-RADIUS, -RADIUS, RADIUS, RADIUS))
    for roof in shown:
        _draw_roof(painter, layout, chart, roof, theme)
    for roof in shown:
        if roof.row in found:
            draw_symbol(painter, found[roof.row], chart, roof, ink(chart, roof, theme), theme)
    veil = QColor(theme.surface)
    veil.setAlpha(VEIL)
    for label in place_labels(layout, chart, shown, found, metrics):
        painter.save()
        painter.translate(label.middle)
        painter.rotate(label.angle)
        painter.fillRect(label.box, veil)
        painter.setPen(QColor(theme.text))
        painter.drawText(label.box, SINGLE | Qt.AlignmentFlag.AlignCenter.value, shown_line(label.text))
        painter.restore()
    painter.setClipping(False)
    draw_legend(painter, layout, chart, shown, theme)
    painter.restore()


def spots(layout: PlaneLayout, chart: Chart, shown: list[Roof]) -> dict[int, QPointF]:
    """Where the points inside the plot lie, by the row of their roof."""
    places = {
        roof.row: QPointF(
            layout.x_of(x_place(chart, math.log10(roof.x))), layout.y_of(y_place(chart, math.log10(roof.y)))
        )
        for roof in shown
    }
    seen = layout.plot.adjusted(-1, -1, 1, 1)
    return {row: spot for row, spot in places.items() if seen.contains(spot)}


def draw_mark(painter: QPainter, layout: PlaneLayout, chart: Chart, roof: Roof, selected: bool, theme: Theme) -> None:
    """A selected roof on a band, its point in a filled ring; a ring around the point that is pointed at."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setClipRect(layout.plot.adjusted(-2 * RADIUS, -2 * RADIUS, 2 * RADIUS, 2 * RADIUS))
    marking = QColor(theme.selection if selected else theme.hover)
    if selected:
        marking.setAlpha(FAINT)
        painter.setPen(QPen(marking, 7, j=Qt.PenJoinStyle.RoundJoin))
        painter.drawPath(_path(layout, chart, roof))
        _draw_roof(painter, layout, chart, roof, theme)
        marking.setAlpha(255)
    spot = spots(layout, chart, [roof]).get(roof.row)
    if spot is not None:
        painter.setPen(QPen(QColor(theme.surface), 4))
        painter.drawEllipse(spot, RADIUS + 4, RADIUS + 4)
        painter.setPen(QPen(marking, 3 if selected else 1.5))
        painter.drawEllipse(spot, RADIUS + 4, RADIUS + 4)
    elif not selected:
        painter.setPen(QPen(marking, 1))
        painter.drawPath(_path(layout, chart, roof))
    painter.restore()


def _draw_roof(painter: QPainter, layout: PlaneLayout, chart: Chart, roof: Roof, theme: Theme) -> None:
    """The slope, the flat roof, and a ring at the ridge between them."""
    colour = ink(chart, roof, theme)
    painter.setPen(line_pen(chart, roof, colour))
    painter.drawPath(_path(layout, chart, roof))
    _, ridge = slope_seen(layout, chart, roof)
    painter.setPen(QPen(colour, 1.5))
    painter.setBrush(QColor(theme.surface))
    painter.drawEllipse(ridge, RIDGE, RIDGE)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _path(layout: PlaneLayout, chart: Chart, roof: Roof) -> QPainterPath:
    start, ridge = slope_seen(layout, chart, roof)
    path = QPainterPath(start)
    path.lineTo(ridge)
    path.lineTo(QPointF(max(layout.plot.right(), ridge.x()), ridge.y()))
    return path


def ticks(ends: tuple[int, int], start: float, end: float) -> list[Tick]:
    """Powers of ten with figures; their multiples with lines, and with figures where few decades are seen."""
    close = end - start < 2.2
    found = []
    for exponent in range(math.floor(start), math.ceil(end) + 1):
        for factor in range(1, 10):
            place = exponent + math.log10(factor)
            if not start - 1e-9 <= place <= end + 1e-9:
                continue
            power = exponent + ends[0]
            text = _figure(factor, power) if factor == 1 or (close and factor in (2, 5)) else ""
            if factor == 1 or close:
                found.append(Tick(place, text))
    return found


def _figure(factor: int, power: int) -> str:
    value = factor * 10.0**power
    if -4 <= power < 5:
        return f"{value:,.{max(-power, 0)}f}"
    return f"{factor}e{power}"
