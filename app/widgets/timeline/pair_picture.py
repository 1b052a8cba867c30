"""A picture of two timelines below each other, with the connectors between what belongs together."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.profile.timeline import Timeline
from app.views.look import Look, Theme
from app.views.timeline import view as views
from app.views.timeline.model import Model
from app.views.timeline.scene import Box, Place, Scene
from app.views.timeline.state import Shown
from app.widgets.display import Display
from app.widgets.texts import elided
from app.widgets.timeline.canvas import TimelineCanvas
from app.widgets.timeline.marks import Marks
from app.widgets.timeline.picture import LEGEND, arrange_whole, draw_scene, scene_for

HEADING = 8
"""Logical pixels above and below the text between the timelines."""
PAD = 8
LEAST_SHARE = 0.25
"""Each of two timelines gets at least this share of the height."""


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
    _draw_heading(painter, line, "   ".join(part for part in (lower.name, lower.summary) if part), look)
    if lower.pair is None:
        return
    boxes = other.slice_box(lower.pair[0]), one.slice_box(lower.pair[1])
    if boxes[0] is not None and boxes[1] is not None:
        start = QPointF(middle(one, boxes[1]), boxes[1].y + boxes[1].height) + above.topLeft()
        end = QPointF(middle(other, boxes[0]), boxes[0].y) + below.topLeft()
        paint_connector(painter, (start.x(), start.y()), (end.x(), end.y()), look.theme)


def draw_timelines(
    painter: QPainter, place: QRectF, upper: Timeline, lower: Timeline, heading: str, factor: float | None, look: Look
) -> None:
    """Two whole timelines, one above the other, which begin at the same place; ``heading``: what stands between them.
    ``factor``: units of ``upper`` in one of ``lower``, so that equal times are equally wide; None: each fills the
    width."""
    metrics = QFontMetrics(painter.font())
    line = metrics.height() + HEADING
    width, room = int(place.width()), int(place.height()) - LEGEND - line
    shown = [Shown(Model.of(timeline), look, Place(max(width, 1), max(room, 1))) for timeline in (upper, lower)]
    shown[1].colour_like(shown[0])
    lanes = [max(len(timeline.lanes.process), 1) for timeline in (upper, lower)]
    height = round(room * min(max(lanes[0] / sum(lanes), LEAST_SHARE), 1 - LEAST_SHARE))
    for one, high in zip(shown, (height, room - height), strict=True):
        arrange_whole(one, width, high, metrics.height())
    if factor is not None:
        _show_equal_times(shown[0], shown[1], factor)
    above = QRectF(place.x(), place.y(), place.width(), height)
    below = QRectF(place.x(), above.bottom() + line, place.width(), place.height() - height - line)
    draw_scene(painter, above, shown[0].scene(), Marks(), legend=False)
    draw_scene(painter, below, shown[1].scene(), Marks())
    _draw_heading(painter, QRectF(place.x(), above.bottom(), place.width(), line), heading, look)


def _show_equal_times(upper: Shown, lower: Shown, factor: float) -> None:
    """Shows both from their start, for as long as the longer one lasts."""
    span = max(upper.bounds.span, lower.bounds.span * factor)
    for shown, own in ((upper, span), (lower, span / factor)):
        navigation = shown.navigation
        navigation.reach = (shown.bounds.start, shown.bounds.start + own)
        navigation.show(views.whole(navigation.bounds))


def _draw_heading(painter: QPainter, line: QRectF, text: str, look: Look) -> None:
    """A line of text between two timelines."""
    painter.save()
    painter.fillRect(line, QColor(look.theme.raised))
    painter.setPen(QPen(QColor(look.theme.text)))
    room = line.adjusted(PAD, 0, -PAD, 0)
    shown = elided(text, QFontMetrics(painter.font()), int(room.width()))
    painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter), shown)
    painter.restore()


SHOULDER = 14.0
"""Logical pixels that the line goes straight down before it bends."""


def middle(scene: Scene, box: Box) -> float:
    """The middle of the visible part of a slice."""
    left, right = max(box.x, scene.body.x), min(box.x + box.width, scene.body.x + scene.body.width)
    return (left + right) / 2


def paint_connector(painter: QPainter, upper: tuple[float, float], lower: tuple[float, float], theme: Theme) -> None:
    """A thin dashed line between two points (x, y)."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for colour, width in ((theme.surface, 3.0), (theme.selection, 1.4)):
        pen = QPen(QColor(colour), width)
        if width < 2:
            pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        drop = min(SHOULDER, max(lower[1] - upper[1], 0.0) / 2)
        points = [
            QPointF(*upper),
            QPointF(upper[0], upper[1] + drop),
            QPointF(lower[0], lower[1] - drop),
            QPointF(*lower),
        ]
        painter.drawPolyline(points)
    painter.restore()


Ends = tuple[tuple[float, float], tuple[float, float]]


class Connector(QWidget):
    """Lies over both timelines and lets the mouse through; hidden while there is nothing to connect."""

    def __init__(self, display: Display, ends: Callable[[], Ends | None], parent: QWidget) -> None:
        """``ends``: both points, in pixels of ``parent``."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._display, self._ends = display, ends
        self._drawn: Ends | None = None
        self.hide()

    def follow(self) -> None:
        """Draws the line where the slices are now."""
        drawn = self._ends()
        if drawn == self._drawn and self.isVisible() == (drawn is not None):
            return
        self._drawn = drawn
        self.setVisible(drawn is not None)
        if drawn is not None:
            (x, y), (other_x, other_y) = drawn
            box = QRectF(QPointF(min(x, other_x), y), QPointF(max(x, other_x), other_y)).adjusted(-4, -4, 4, 4)
            self.setGeometry(box.toAlignedRect())
            self.raise_()
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        if self._drawn is not None:
            with QPainter(self) as painter:
                painter.translate(-self.x(), -self.y())
                paint_connector(painter, *self._drawn, self._display.theme)
