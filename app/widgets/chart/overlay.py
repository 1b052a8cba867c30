"""Our drawing over a plot: labels that keep clear of each other, reference lines, notes, values, heading, legend."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TypeAlias

from msgspec import Struct
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF, QTransform

from app.language import tr
from app.views.chart.model import Chart, LineLabel, Reference
from app.views.look import Theme
from app.views.texts import shown_line
from app.widgets.chart.seen import Seen, Stretch
from app.widgets.chart.symbols import EDGE_WIDTH, Ink, ink
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


AWAY = 9.0
AROUND_POINT = 8.0
SHARES = (0.5, 0.35, 0.65, 0.2, 0.8)
"""Positions along a segment where its label is tried."""


class PlacedLabel(Struct, frozen=True):
    """A text centred on ``middle``, rotated by ``angle`` degrees."""

    text: str
    middle: QPointF
    width: float
    height: float
    angle: float = 0.0

    @property
    def box(self) -> QRectF:
        """The rectangle before it is rotated and moved to its middle."""
        return QRectF(-self.width / 2, -self.height / 2, self.width, self.height)

    @property
    def outline(self) -> QPolygonF:
        """The rectangle it covers on screen."""
        return QTransform().translate(self.middle.x(), self.middle.y()).rotate(self.angle).map(QPolygonF(self.box))


Candidates: TypeAlias = Iterator[list[PlacedLabel]]
"""For each text, its candidate positions."""


def place_labels(seen: Seen, metrics: QFontMetricsF) -> list[PlacedLabel]:
    """Places labels at the ends of lines, then at points, then along lines; skips those that would touch another label
    or a point."""
    size = 2 * AROUND_POINT
    taken = [QPolygonF(QRectF(p.x() - AROUND_POINT, p.y() - AROUND_POINT, size, size)) for _, p in seen.spots]
    labels: list[PlacedLabel] = []
    texts: set[str] = set()
    for candidates in (*_ends(seen, metrics), *_beside_points(seen, metrics), *_along_lines(seen, metrics)):
        label = next((one for one in candidates if _free(one, seen, taken)), None)
        if label is not None and label.text not in texts:
            taken.append(label.outline)
            texts.add(label.text)
            labels.append(label)
    return labels


def _ends(seen: Seen, metrics: QFontMetricsF) -> Candidates:
    """Positions above or below the right end of a segment."""
    for label, (_, end) in _labelled(seen, "end"):
        width, height = _size(label.text, metrics)
        x = min(end.x(), seen.layout.plot.right()) - 4 - width / 2
        yield [
            PlacedLabel(label.text, QPointF(x, end.y() + side * (height / 2 + 3)), width, height) for side in (-1, 1)
        ]


def _beside_points(seen: Seen, metrics: QFontMetricsF) -> Candidates:
    """Positions right, left, below or above a point."""
    for one in seen.series:
        for label in one.series.labels:
            spot = seen.spot_of(one.series, label.segment) if label.where == "point" and label.text else None
            if spot is None:
                continue
            width, height = _size(label.text, metrics)
            across, up = AWAY + width / 2, AWAY + height / 2
            steps = ((across, 0.0), (-across, 0.0), (0.0, up), (0.0, -up))
            yield [PlacedLabel(label.text, spot + QPointF(x, y), width, height) for x, y in steps]


def _along_lines(seen: Seen, metrics: QFontMetricsF) -> Candidates:
    """Positions on the line itself, as contour lines are labelled."""
    for label, (start, end) in _labelled(seen, "along"):
        width, height = _size(label.text, metrics)
        run, rise = end.x() - start.x(), end.y() - start.y()
        if math.hypot(run, rise) < width + 16:
            continue
        angle = math.degrees(math.atan2(rise, run))
        middles = (QPointF(start.x() + run * share, start.y() + rise * share) for share in SHARES)
        yield [PlacedLabel(label.text, middle, width, height, angle) for middle in middles]


def _labelled(seen: Seen, where: str) -> Iterator[tuple[LineLabel, Stretch]]:
    """Labels of one kind with the visible part of their segment."""
    for one in seen.series:
        for label in one.series.labels:
            if label.where != where:
                continue
            stretch = one.stretches[label.segment]
            if stretch is not None:
                yield label, stretch


def _size(text: str, metrics: QFontMetricsF) -> tuple[float, float]:
    return advance(text, metrics) + 6, metrics.height()


def _free(label: PlacedLabel, seen: Seen, taken: list[QPolygonF]) -> bool:
    outline = label.outline
    inside = seen.layout.plot.contains(outline.boundingRect())
    return inside and not any(outline.intersects(other) for other in taken)


SWATCH, SQUARE = 44.0, 13.0
"""Pixels of a line's swatch, wide enough for some dashes on both sides of the mark; of a bar's swatch."""
KEY_GAP = 6.0
MOST_SHARE = 0.45
WIDE_SHARE = 0.36
"""Share of the width from which on the values of series are divided into lines."""
BETWEEN = " · "
"""Where they are divided."""
HIDDEN = tr("hidden; click to show")


def legend_width(chart: Chart, width: float, metrics: QFontMetricsF) -> float:
    """Width of the legend in pixels: that of its longest line, limited to a share of ``width``."""
    texts = [text for one in chart.listed for text in (one.title, one.detail)] + [key.name for key in chart.keys]
    around = (SWATCH if chart.listed else SQUARE) + 2 * KEY_GAP
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
    room, most = layout.side.width() - SWATCH - KEY_GAP, len(chart.listed) + len(chart.keys)
    texts = [HIDDEN if one.item in chart.hidden else one.detail for one in chart.listed]
    below = [divided(text, layout.metrics, room) for text in texts]
    high = (1 + max(map(len, below), default=0)) * layout.line + KEY_GAP
    return below if most * high <= layout.side.height() else [[text] for text in texts]


def entries(layout: PlaneLayout, chart: Chart) -> list[QRectF]:
    """The rectangles of the entries, series before bars; fewer if not all fit."""
    below = details(layout, chart) if any(one.detail for one in chart.listed) else []
    lines = 1 + max(map(len, below), default=0)
    height = lines * layout.line + KEY_GAP
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
        text = QRectF(place.left() + SWATCH + KEY_GAP, place.top(), place.width() - SWATCH - KEY_GAP, layout.line)
        painter.setPen(QColor(theme.muted if hidden else theme.text))
        painter.drawText(text, SINGLE, elided(series.title, metrics, text.width()))
        painter.setPen(QColor(theme.muted))
        for number, line in enumerate(lines, 1):
            painter.drawText(text.translated(0, number * layout.line), SINGLE, elided(line, metrics, text.width()))
    for key, place in zip(chart.keys, places[len(chart.listed) :], strict=False):
        square = QRectF(place.left(), place.top() + layout.line / 2 - 5, SQUARE, 10)
        painter.fillRect(square, QColor(key.colour(theme)))
        text = QRectF(square.right() + KEY_GAP, place.top(), place.width() - SQUARE - KEY_GAP, layout.line)
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
