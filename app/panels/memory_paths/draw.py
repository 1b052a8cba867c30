"""Drawing of the memory path diagram, for the screen and for export: vector graphics only."""

from __future__ import annotations

import math
from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPen, QPolygonF

from app.analysis.ascend.diagram.figures import BlockFigures, PathFigures
from app.analysis.ascend.diagram.parts import LABEL, Arrow, Box, Line, Point, Rect, Side
from app.panels.memory_paths.layout import Layout
from app.panels.memory_paths.legend import draw_legend, draw_notes
from app.panels.memory_paths.texts import Written, all_notes, change_bars, drawn, font_of, texts
from app.views.colours import blend
from app.views.memory_paths.shades import FAMILIES, shade
from app.views.memory_paths.words import Show, box_lines
from app.views.theme import Theme
from app.widgets.plane.scene import Marks

WIDTH, THIN = 4.0, 1.0
EDGE = 1.0
"""Width of an arrow's outline in the text colour, so that pale arrows show on white and dark ones on black."""
HALO = 3.0
"""Width of the background margin around an arrow where it crosses another."""
HEAD, HEAD_HALF = 10.0, 6.0
DASHES = [3.0, 2.5]
TINT = 0.16
BAR, MOST_BAR = 4.0, 120.0
BAND = 14.0
"""Margin around an arrow that holds its head and its marks."""
NO_MARKS = Marks()
_SIDES: dict[Side, Qt.AlignmentFlag] = {
    "centre": Qt.AlignmentFlag.AlignHCenter,
    "left": Qt.AlignmentFlag.AlignLeft,
    "right": Qt.AlignmentFlag.AlignRight,
}


def draw_paths(painter: QPainter, layout: Layout, figures: BlockFigures, show: Show, theme: Theme) -> None:
    """Draws diagram, legend and notes into ``layout``."""
    draw_legend(painter, layout.legend, figures, show, theme)
    draw_notes(painter, layout.notes, all_notes(figures, show), theme)
    _enter(painter, layout)
    _draw_diagram(painter, figures, show, theme, NO_MARKS)
    painter.restore()


def draw_marked(
    painter: QPainter, layout: Layout, figures: BlockFigures, show: Show, theme: Theme, marks: Marks
) -> None:
    """Redraws the diagram around selected and hovered arrows, as marks are below boxes and texts."""
    around = QPainterPath()
    around.setFillRule(Qt.FillRule.WindingFill)
    for arrow in drawn(figures.diagram, figures):
        if arrow.path in marks.chosen or arrow.path == marks.item:
            left, right, top, bottom = arrow.bounds
            around.addRect(QRectF(left, top, right - left, bottom - top).adjusted(-BAND, -BAND, BAND, BAND))
    if around.isEmpty():
        return
    _enter(painter, layout)
    painter.setClipPath(around, Qt.ClipOperation.IntersectClip)
    painter.fillPath(around, QColor(theme.surface))
    _draw_diagram(painter, figures, show, theme, marks)
    painter.restore()


def _enter(painter: QPainter, layout: Layout) -> None:
    """Changes to the coordinates of the diagram; ``painter.restore`` changes back."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setClipRect(layout.plot)
    painter.translate(layout.origin)
    painter.scale(layout.scale, layout.scale)


def _draw_diagram(painter: QPainter, figures: BlockFigures, show: Show, theme: Theme, marks: Marks) -> None:
    base = painter.font()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(theme.line), 1))
    for frame in figures.diagram.frames:
        painter.drawRoundedRect(_rect(frame.rect), 4, 4)
    arrows = drawn(figures.diagram, figures)
    for arrow in arrows:
        if arrow.path not in figures.shown:
            _draw_empty(painter, arrow, theme)
    for arrow in arrows:
        if arrow.path in figures.shown:
            _draw_arrow(painter, arrow, figures.shown[arrow.path], theme)
    for arrow in arrows:
        if arrow.path in marks.chosen or arrow.path == marks.item:
            _draw_marked(painter, arrow, figures, theme, arrow.path in marks.chosen)
    for box in figures.diagram.boxes:
        _draw_box(painter, box, figures, theme)
    _draw_texts(painter, texts(figures, show, base), base, theme)
    for change in change_bars(figures, show, base):
        painter.fillRect(_rect(change.track), QColor(theme.line))
        painter.fillRect(_rect(change.bar), QColor(theme.more if change.share > 0 else theme.less))


def _draw_arrow(painter: QPainter, arrow: Arrow, figures: PathFigures, theme: Theme, extra: float = 0.0) -> None:
    """Draws an arrow over those it crosses, outlined, in the colour of its peak share: grey if it has none, thin if
    nothing moved."""
    shaft = [_shaft(line) for line in arrow.lines]
    heads = [_head(line) for line in arrow.lines if line.head]
    edge = QColor(blend(theme.surface, theme.text, 0.55))
    fill = QColor(shade(figures.peak, theme) or theme.muted)
    width = THIN if figures.idle else WIDTH
    _stroke(painter, shaft, _pen(QColor(theme.surface), width + 2 * (HALO + extra)))
    _stroke(painter, shaft, _pen(edge, width + 2 * EDGE + extra))
    painter.setPen(QPen(edge, 2 * EDGE, j=Qt.PenJoinStyle.MiterJoin))
    painter.setBrush(edge)
    for head in heads:
        painter.drawPolygon(head)
    _stroke(painter, shaft, _pen(fill, width))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(fill)
    for head in heads:
        painter.drawPolygon(head)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _pen(ink: QColor, width: float) -> QPen:
    return QPen(ink, width, c=Qt.PenCapStyle.FlatCap, j=Qt.PenJoinStyle.RoundJoin)


def _draw_empty(painter: QPainter, arrow: Arrow, theme: Theme) -> None:
    """Draws a path without figures as a thin dashed line."""
    pen = QPen(QColor(theme.muted), 1.5)
    pen.setDashPattern(DASHES)
    _stroke(painter, [_shaft(line) for line in arrow.lines], pen)
    painter.setPen(QPen(QColor(theme.muted), 1.5))
    painter.setBrush(QColor(theme.surface))
    for line in arrow.lines:
        if line.head:
            painter.drawPolygon(_head(line))
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _draw_marked(painter: QPainter, arrow: Arrow, figures: BlockFigures, theme: Theme, selected: bool) -> None:
    """Redraws an arrow on a band: filled if selected, outlined if hovered."""
    band = QColor(theme.selection if selected else theme.hover)
    shaft = [_shaft(line) for line in arrow.lines]
    _stroke(painter, shaft, QPen(band, WIDTH + (6 if selected else 5), j=Qt.PenJoinStyle.RoundJoin))
    own = figures.shown.get(arrow.path)
    if not selected:
        _stroke(painter, shaft, QPen(QColor(theme.surface), WIDTH + 3, j=Qt.PenJoinStyle.RoundJoin))
    if own is None:
        _draw_empty(painter, arrow, theme)
    else:
        _draw_arrow(painter, arrow, own, theme, extra=-HALO)


def _draw_box(painter: QPainter, box: Box, figures: BlockFigures, theme: Theme) -> None:
    """Draws a box in a pale tint of its family's colour, with a bar for its utilization below its figure."""
    rect, hue = _rect(box.rect), FAMILIES[box.family]
    painter.setPen(QPen(QColor(hue), 1.5))
    painter.setBrush(QColor(blend(theme.surface, hue, TINT)))
    painter.drawRoundedRect(rect, 3, 3)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if not box.figure:
        return
    own = figures.boxes.get(box.figure)
    share = None if own is None else own.percent
    width = min(rect.width() - 12, MOST_BAR)
    foot = box.rect.y + (box.rect.height + LABEL * (1 + len(box_lines(box, figures)))) / 2
    track = QRectF(rect.center().x() - width / 2, foot + 2, width, BAR)
    painter.fillRect(track, QColor(theme.line))
    if share is not None:
        used = min(max(share / 100, 0.0), 1.0) * track.width()
        painter.fillRect(QRectF(track.left(), track.top(), used, track.height()), QColor(hue))


def _draw_texts(painter: QPainter, written: Iterable[Written], base: QFont, theme: Theme) -> None:
    for text in written:
        painter.setFont(font_of(base, text.size, text.bold))
        painter.setPen(QColor(theme.muted if text.muted else theme.text))
        flags = _SIDES[text.side].value | Qt.AlignmentFlag.AlignVCenter.value
        painter.drawText(
            _rect(text.place).adjusted(-4, -2, 4, 2) if text.side == "centre" else _rect(text.place),
            flags | Qt.TextFlag.TextSingleLine.value | Qt.TextFlag.TextDontClip.value,
            text.text,
        )
    painter.setFont(base)


def _rect(rect: Rect) -> QRectF:
    return QRectF(rect.x, rect.y, rect.width, rect.height)


def _stroke(painter: QPainter, shafts: list[QPainterPath], pen: QPen) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen)
    for shaft in shafts:
        painter.drawPath(shaft)


def _shaft(line: Line) -> QPainterPath:
    """The line up to the start of its head."""
    points = list(line.points)
    if line.head:
        points[-1] = _towards(points[-1], points[-2], HEAD - 1)
    path = QPainterPath(QPointF(*points[0]))
    for point in points[1:]:
        path.lineTo(QPointF(*point))
    return path


def _head(line: Line) -> QPolygonF:
    tip, before = line.points[-1], line.points[-2]
    tip = _towards(tip, before, 1.0)
    base = _towards(tip, before, HEAD)
    length = math.dist(tip, base) or 1.0
    across = (base[1] - tip[1]) / length * HEAD_HALF, (tip[0] - base[0]) / length * HEAD_HALF
    return QPolygonF(
        [
            QPointF(*tip),
            QPointF(base[0] + across[0], base[1] + across[1]),
            QPointF(base[0] - across[0], base[1] - across[1]),
        ]
    )


def _towards(point: Point, other: Point, distance: float) -> Point:
    length = math.dist(point, other)
    share = distance / length if length else 0.0
    return point[0] + (other[0] - point[0]) * share, point[1] + (other[1] - point[1]) * share
