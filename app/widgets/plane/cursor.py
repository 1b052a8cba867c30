"""The keyboard's cursor on a canvas: where it starts, where it is on screen, and its ring."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QScrollArea, QWidget

from app.views.look import Theme
from app.widgets.plane.scene import Hit, Layout, Scene
from app.widgets.plane.view import Extent, PlaneView, Stretch

LEAST = 8.0
"""Least width and height of what the ring is around, in pixels."""
AROUND = 2.0
"""Pixels between an item and its ring."""


def beginning(scene: Scene, layout: Any, view: PlaneView) -> Hit | None:
    """Where the cursor appears if nothing is selected: at the first item, or in the middle of a view that is zoomed
    in."""
    if not view.is_near(scene.whole()):
        middle = scene.hit(layout, layout.plot.center())
        if middle is not None:
            return middle
    return scene.end(None, -1)


def cursor_box(scene: Scene, layout: Any, hit: Hit) -> QRectF:
    """The visible part of an item on screen, at least LEAST pixels in each direction; empty if it has no place."""
    extent = scene.extent_of(layout, hit)
    return QRectF() if extent is None else on_screen(layout, extent)


def on_screen(layout: Layout, extent: Extent) -> QRectF:
    """The visible part of an extent in pixels; a direction in which it has no ends is filled."""
    plot = layout.plot
    (left, top), (right, bottom) = layout.at(plot.topLeft()), layout.at(plot.bottomRight())
    x = _pixels(extent.x, (left, right), (plot.left(), plot.right()))
    y = _pixels(extent.y, (top, bottom), (plot.top(), plot.bottom()))
    return QRectF(QPointF(x[0], y[0]), QPointF(x[1], y[1]))


def draw_cursor(painter: QPainter, box: QRectF, theme: Theme) -> None:
    """Draws the ring, which is seen on every fill: a line in the focus colour between two in that of the surface."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, width in ((theme.surface, 5.0), (theme.focus, 2.0)):
        pen = QPen(QColor(colour), width)
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        painter.setPen(pen)
        painter.drawRect(box.adjusted(-AROUND, -AROUND, AROUND, AROUND))


def bring_to_sight(widget: QWidget, box: QRectF) -> None:
    """Scrolls the page that ``widget`` is part of, if any, so that ``box`` of it is seen."""
    area = widget.parentWidget()
    while area is not None and not isinstance(area, QScrollArea):
        area = area.parentWidget()
    page = None if area is None else area.widget()
    if area is None or page is None or not (page is widget or page.isAncestorOf(widget)):
        return
    middle, room = widget.mapTo(page, box.center().toPoint()), area.viewport()
    across = min(round(box.width()), room.width()) // 2
    down = min(round(box.height()), room.height()) // 2
    area.ensureVisible(middle.x(), middle.y(), across, down)


def _pixels(ends: Stretch | None, view: Stretch, room: Stretch) -> Stretch:
    """Where ``ends`` are in ``room`` (pixels), which shows ``view``."""
    if ends is None or view[0] == view[1]:
        return room
    scale = (room[1] - room[0]) / (view[1] - view[0])
    first, last = sorted(min(max(room[0] + (end - view[0]) * scale, room[0]), room[1]) for end in ends)
    spare = max(LEAST - (last - first), 0.0) / 2
    return first - spare, last + spare
