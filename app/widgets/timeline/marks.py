"""The layer above the data: range banded, selection framed, hover outlined, flows as arrows, the cursor."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen

from app.profile.arrays import I64
from app.profile.selection import TimeRange
from app.views.colours import text_on
from app.views.look import Theme
from app.views.timeline.bands import Band
from app.views.timeline.body import Several, outlined
from app.views.timeline.scene import Box, Scene
from app.widgets.texts import advance
from app.widgets.timeline.flow_arrows import paint_arrows
from app.widgets.timeline.gutter import LEAST_NAMED, PIN, paint_pin
from app.widgets.timeline.note_strip import paint_notes

VEIL = 64
"""How much of the surface lies over what is outside of the range, of 255."""
FLAG_PAD = 6
FLAG_GAP = 2
ZOOM_TINT = 24
"""How much of the frame's colour lies over a stretch that is zoomed to, of 255."""
LEAST_FRAMED = 10
"""Pixels: the inside of a narrower slice would be nearly all frame."""
TINT = 56
"""How much of the selection's colour lies over the name of a selected lane, of 255."""


class Marks(Struct, frozen=True):
    """``selected``: the slice, where it is only one, and ``flows``: its arrows; ``lanes``: selected lanes;
    ``hovered``: the slice that is pointed at, ``several``: those, where they are more; ``cursor``: the moment under the
    pointer; ``dragged``: a range is being drawn, ``zoom``: the one that is drawn to zoom, ``crossed``: the lanes that
    are drawn over to select them; ``carried``: the lane or process that is dragged, and ``drop_y``: the height of the
    picture at which it would stand, None where it stays; ``named``: the lane whose name the pointer is over;
    ``focused``: the canvas has the keyboard."""

    selected: int | None = None
    flows: tuple[int, ...] = ()
    lanes: tuple[int, ...] = ()
    hovered: tuple[int, ...] = ()
    several: Several | None = None
    range: TimeRange | None = None
    cursor: float | None = None
    dragged: bool = False
    zoom: TimeRange | None = None
    crossed: tuple[int, ...] = ()
    carried: Band | None = None
    drop_y: float | None = None
    named: Band | None = None
    focused: bool = False

    @property
    def pointed_at(self) -> I64:
        """int64, rising: the slices that are pointed at."""
        return np.array(self.hovered, np.int64) if self.several is None else self.several.index

    @property
    def of_picture(self) -> Marks:
        """Without those of pointer and keyboard."""
        return Marks(selected=self.selected, flows=self.flows, lanes=self.lanes, range=self.range)


def paint_marks(painter: QPainter, scene: Scene, marks: Marks) -> None:
    """Paints ``marks`` over a scene that is there already."""
    painter.save()
    painter.setClipRect(QRectF(scene.body.x, 0, scene.body.width, scene.place.height))
    paint_notes(painter, scene)
    if marks.range is not None:
        paint_range(painter, scene, marks.range)
    painter.setClipRect(QRectF(*scene.body))
    if marks.selected is not None:
        paint_selected(painter, scene, marks.selected)
    for box in _hovered(scene, marks):
        paint_hovered(painter, box, scene.theme)
    paint_arrows(painter, scene, marks.flows)
    painter.setClipping(False)
    paint_lane_marks(painter, scene, marks.crossed or marks.lanes)
    if marks.named is not None and not marks.named.pinned and marks.carried is None:
        paint_pin_offered(painter, scene, marks.named)
    if marks.carried is not None:
        paint_carried(painter, scene, marks.carried, marks.drop_y)
    if marks.zoom is not None:
        paint_zoom_frame(painter, scene, marks.zoom)
    measured = marks.zoom or marks.range
    flag = None if measured is None else paint_range_flag(painter, scene, measured)
    if marks.cursor is not None and not marks.dragged:
        paint_cursor(painter, scene, marks.cursor, flag)
    if marks.focused:
        painter.setPen(QPen(QColor(scene.theme.accent), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(0.5, 0.5, scene.place.width - 1, scene.place.height - 1))
    painter.restore()


def paint_range(painter: QPainter, scene: Scene, stretch: TimeRange) -> None:
    """A band above the numbers of the ruler with two edges through the rows; what lies outside of it recedes."""
    theme, body = scene.theme, scene.body
    left, right = scene.near_x(stretch.start), scene.near_x(stretch.end)
    band = QColor(theme.range)
    painter.fillRect(QRectF(left, 0, max(right - left, 1), flag_line(scene)), band)
    veil = QColor(theme.surface)
    veil.setAlpha(VEIL)
    painter.fillRect(QRectF(body.x, body.y, max(left - body.x, 0), body.height), veil)
    painter.fillRect(QRectF(right, body.y, max(body.x + body.width - right, 0), body.height), veil)
    for x in (left, right):
        painter.fillRect(QRectF(round(x) - 1, 0, 2, flag_line(scene)), QColor(theme.accent))
        painter.fillRect(QRectF(round(x) - 1, body.y, 2, body.height), QColor(theme.accent))


def flag_line(scene: Scene) -> int:
    """The pixels above the numbers of the ruler, where flags stand and hide none of them if there is room."""
    return scene.place.above


def flag_height(scene: Scene) -> int:
    """The height of flags: of a line of text, over the numbers if the ruler has no other."""
    return (scene.place.ruler if scene.place.low else flag_line(scene)) - 2


def paint_range_flag(painter: QPainter, scene: Scene, stretch: TimeRange) -> QRectF | None:
    """The length of the range, above the ruler's numbers: inside the band where there is room, else beside it. Returns
    its place; None out of view."""
    metrics = QFontMetrics(painter.font())
    text = scene.model.clock.short_span(stretch.end - stretch.start, scene.look)
    width = advance(text, metrics) + 2 * FLAG_PAD
    left, right = scene.near_x(stretch.start), scene.near_x(stretch.end)
    seen_left, seen_right = max(left, scene.body.x), min(right, scene.body.x + scene.body.width)
    if seen_right < scene.body.x or seen_left > scene.body.x + scene.body.width:
        return None
    x = (seen_left + seen_right - width) / 2 if seen_right - seen_left >= width else seen_right + 2
    x = min(max(x, scene.body.x), scene.body.x + scene.body.width - width)
    flag = QRectF(x, 1, width, flag_height(scene))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(scene.theme.accent))
    painter.drawRoundedRect(flag, 3, 3)
    painter.setPen(QPen(QColor(text_on(scene.theme.accent))))
    painter.drawText(flag, int(Qt.AlignmentFlag.AlignCenter), text)
    return flag


def paint_zoom_frame(painter: QPainter, scene: Scene, stretch: TimeRange) -> None:
    """A frame around the stretch that is zoomed to, or that the view shrinks to: no range, so nothing recedes."""
    left, right = scene.near_x(stretch.start), scene.near_x(stretch.end)
    colour = QColor(scene.theme.hover)
    painter.setPen(QPen(colour, 1, Qt.PenStyle.DashLine))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(QRectF(left, scene.body.y, max(right - left, 1), scene.body.height - 1))
    colour.setAlpha(ZOOM_TINT)
    painter.fillRect(QRectF(left, scene.body.y, max(right - left, 1), scene.body.height), colour)


def paint_carried(painter: QPainter, scene: Scene, band: Band, y: float | None) -> None:
    """The name that is dragged, tinted where it stands, and a line where it would stand."""
    tint = QColor(scene.theme.selection)
    tint.setAlpha(TINT)
    top = scene.body.y + scene.layout.line(band.y, scene.view.top)
    shown = QRectF(0, top, scene.place.gutter - 1, band.height).intersected(
        QRectF(0, scene.body.y + scene.layout.edge(band.y), scene.place.gutter, scene.body.height)
    )
    painter.fillRect(shown, tint)
    if y is not None:
        painter.fillRect(QRectF(0, y - 1, scene.place.width, 2), QColor(scene.theme.accent))


def paint_pin_offered(painter: QPainter, scene: Scene, band: Band) -> None:
    """A muted pin beside the name under the pointer, which a click pins."""
    top = scene.body.y + scene.layout.line(band.y, scene.view.top)
    middle = top + (band.row_height or band.height) / 2
    if band.height >= LEAST_NAMED and scene.body.y + scene.layout.edge(band.y) <= middle <= scene.place.height:
        paint_pin(painter, PIN, middle, scene.theme.muted)


def paint_selected(painter: QPainter, scene: Scene, index: int) -> None:
    """Framed, so that the slice keeps its colour and its name; the frame is lined with text and surface colour, and so
    shows on every fill. A slice without room for that is filled."""
    box = scene.slice_box(index)
    if box is None:
        return
    theme, slice_ = scene.theme, QRectF(*box)
    if box.width < 3:
        slice_ = slice_.adjusted(-1, 0, 1, 0)
    if slice_.width() < LEAST_FRAMED:
        painter.fillRect(slice_.adjusted(-1, -1, 1, 1), QColor(theme.text))
        painter.fillRect(slice_, QColor(theme.selection))
        return
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for inset, width, colour in ((-0.5, 1, theme.text), (1, 2, theme.selection), (2.5, 1, theme.surface)):
        pen = QPen(QColor(colour), width)
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        painter.setPen(pen)
        painter.drawRect(slice_.adjusted(inset, inset, -inset, -inset))


def _hovered(scene: Scene, marks: Marks) -> list[Box]:
    """Where slices are pointed at. One that is selected as well looks selected."""
    if marks.several is not None:
        return outlined(scene, marks.several.index)
    boxes = (scene.slice_box(index) for index in marks.hovered if index != marks.selected)
    return [box for box in boxes if box is not None]


def paint_hovered(painter: QPainter, box: Box, theme: Theme) -> None:
    """Outlined in two tones, so that it shows on every fill."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    outline = QRectF(*box).adjusted(-0.5, -0.5, 0.5, 0.5)
    painter.setPen(QPen(QColor(theme.surface), 1))
    painter.drawRect(outline.adjusted(1, 1, -1, -1))
    painter.setPen(QPen(QColor(theme.hover), 1.5))
    painter.drawRect(outline)


def paint_lane_marks(painter: QPainter, scene: Scene, lanes: tuple[int, ...]) -> None:
    """A filled edge beside the names of selected lanes, which are tinted."""
    tint = QColor(scene.theme.selection)
    tint.setAlpha(TINT)
    for lane in lanes:
        band = scene.layout.lane_bands.get(lane)
        if band is not None:
            y = scene.body.y + scene.layout.line(band.y, scene.view.top)
            top = max(y, scene.body.y + scene.layout.edge(band.y))
            bottom = min(y + band.height, scene.body.y + scene.body.height)
            if bottom > top:
                painter.fillRect(QRectF(0, top, scene.place.gutter - 1, bottom - top), tint)
                painter.fillRect(QRectF(0, top, 4, bottom - top), QColor(scene.theme.selection))


def paint_cursor(painter: QPainter, scene: Scene, time: float, other: QRectF | None = None) -> None:
    """A thin line at the pointer with its moment in the ruler, beside the ``other`` flag."""
    x = round(scene.x(time)) + 0.5
    if not scene.body.x <= x <= scene.body.x + scene.body.width:
        return
    line = QColor(scene.theme.text)
    line.setAlpha(90)
    painter.setPen(QPen(line))
    painter.drawLine(QPointF(x, scene.place.ruler), QPointF(x, scene.place.height))
    metrics = QFontMetrics(painter.font())
    text = scene.model.clock.moment(time, scene.look, (scene.view.start, scene.view.end))
    width = advance(text, metrics) + 2 * FLAG_PAD
    left = beside_flag(x, width, scene.body.x, scene.body.x + scene.body.width, other)
    flag = QRectF(left, 1, width, flag_height(scene))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(scene.theme.text))
    painter.drawRoundedRect(flag, 3, 3)
    painter.setPen(QPen(QColor(scene.theme.surface)))
    painter.drawText(flag, int(Qt.AlignmentFlag.AlignCenter), text)


def beside_flag(x: float, width: float, low: float, high: float, other: QRectF | None) -> float:
    """The left end of a flag of this width in the middle above ``x``, between ``low`` and ``high``: moved to the nearer
    side of the ``other`` one that it would cover, or to the farther, where it has room."""
    left = min(max(x - width / 2, low), high - width)
    if other is None or left >= other.right() + FLAG_GAP or left + width <= other.left() - FLAG_GAP:
        return left
    sides = sorted(
        (other.left() - FLAG_GAP - width, other.right() + FLAG_GAP), key=lambda side: abs(side + width / 2 - x)
    )
    return next((side for side in sides if low <= side <= high - width), left)
