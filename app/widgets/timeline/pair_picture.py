"""Two timelines, one above the other, as a picture for a file."""

from __future__ import annotations

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen

from app.widgets.display import Look
from app.widgets.texts import elided
from app.widgets.timeline.canvas import TimelineCanvas
from app.widgets.timeline.connector import middle, paint_connector
from app.widgets.timeline.picture import LEGEND, draw_scene, scene_for

HEADING = 8
"""Logical pixels above and below the text between the timelines."""
PAD = 8


class Lower(Struct, frozen=True, eq=False):
    """``canvas`` of the baseline; ``name`` and ``summary``: what its heading says; ``pair``: the selected slice of the
    baseline and of the comparison, which a line connects."""

    canvas: TimelineCanvas
    name: str
    summary: str
    pair: tuple[int, int] | None = None


def draw_pair(painter: QPainter, place: QRectF, upper: TimelineCanvas, lower: Lower, look: Look) -> None:
    """Both parts in view with their marks, the heading between them, and the legend below."""
    if upper.shown is None or lower.canvas.shown is None:
        return
    metrics = QFontMetrics(painter.font())
    heading = metrics.height() + HEADING
    room = place.height() - heading - LEGEND
    share = upper.height() / max(upper.height() + lower.canvas.height(), 1)
    height = round(room * share)
    above = QRectF(place.x(), place.y(), place.width(), height)
    line = QRectF(place.x(), above.bottom(), place.width(), heading)
    below = QRectF(place.x(), line.bottom(), place.width(), place.bottom() - line.bottom())
    one = scene_for(upper.shown, int(above.width()), int(above.height()), look)
    other = scene_for(lower.canvas.shown, int(below.width()), int(below.height()) - LEGEND, look)
    draw_scene(painter, above, one, upper.picture_marks(), legend=False)
    draw_scene(painter, below, other, lower.canvas.picture_marks())
    painter.save()
    painter.fillRect(line, QColor(look.theme.raised))
    painter.setPen(QPen(QColor(look.theme.text)))
    text = "   ".join(part for part in (lower.name, lower.summary) if part)
    room_for_text = line.adjusted(PAD, 0, -PAD, 0)
    painter.drawText(
        room_for_text, int(Qt.AlignmentFlag.AlignVCenter), elided(text, metrics, int(room_for_text.width()))
    )
    painter.restore()
    if lower.pair is None:
        return
    boxes = other.slice_box(lower.pair[0]), one.slice_box(lower.pair[1])
    if boxes[0] is not None and boxes[1] is not None:
        start = QPointF(middle(one, boxes[1]), boxes[1].y + boxes[1].height) + above.topLeft()
        end = QPointF(middle(other, boxes[0]), boxes[0].y) + below.topLeft()
        paint_connector(painter, (start.x(), start.y()), (end.x(), end.y()), look.theme)
