"""Paints the data of a scene: rows and ruler. The same code for the screen, where that is done once for a
view, and for pictures."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetrics, QImage, QPainter, QPen

from app.language import tr
from app.views.colours import blend
from app.views.timeline.body import RIM, Body, draw_body, edge_of_alone
from app.views.timeline.colouring import WAITING
from app.views.timeline.cover import Placed
from app.views.timeline.layout import SPARED
from app.views.timeline.scene import RULER, Scene
from app.views.timeline.ticks import Ruler, ruler
from app.widgets.texts import advance
from app.widgets.timeline.flow_arrows import paint_flows
from app.widgets.timeline.gutter import paint_gutter
from app.widgets.timeline.labels import LabelCache, fitting, write_labels
from app.widgets.timeline.marks import Marks, paint_chosen, paint_marks
from app.widgets.timeline.note_strip import paint_strip
from app.widgets.timeline.path_marks import paint_path

TICK_ROOM = 96
"""Logical pixels that a labelled tick has for itself, at least."""
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class Painting(Struct, eq=False):
    """What a canvas has painted. ``labels``: texts in its font; ``image``: the data, None where they must be painted
    again."""

    labels: LabelCache
    image: QImage | None = None

    def paint(self, painter: QPainter, scene: Scene, marks: Marks, ratio: float) -> None:
        """The data, painted now where they are not yet, and ``marks`` over them. ``ratio``: pixels to a logical one."""
        if self.image is None:
            self.image = self._data(scene, ratio)
        painter.drawImage(QPointF(0, 0), self.image)
        painter.setFont(self.labels.font)
        paint_marks(painter, scene, marks)

    def _data(self, scene: Scene, ratio: float) -> QImage:
        place = scene.place
        image = QImage(round(place.width * ratio), round(place.height * ratio), QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        with QPainter(image) as painter:
            painter.setFont(self.labels.font)
            paint_data(painter, scene, self.labels, ratio)
        return image


def paint_data(painter: QPainter, scene: Scene, labels: LabelCache, ratio: float, *, vector: bool = False) -> Body:
    """Everything but selection, range and hover. ``vector``: wide slices as rectangles (SVG)."""
    place, theme = scene.place, scene.theme
    painter.fillRect(QRectF(0, 0, place.width, place.height), QColor(theme.surface))
    marks = scene_ruler(scene)
    body = draw_body(scene, ratio, marks.places)
    painter.drawImage(QRectF(*scene.body), as_image(body))
    painter.save()
    painter.setClipRect(QRectF(*scene.body))
    if vector:
        paint_rectangles(painter, scene, body)
        paint_waits(painter, scene, body)
        paint_hatching(painter, scene, body)
    write_labels(painter, scene, body.labels, labels)
    painter.setFont(labels.font)
    paint_chosen(painter, scene)
    paint_flows(painter, scene)
    paint_path(painter, scene)
    if not scene.layout.bands:
        say_nothing_left(painter, scene)
    painter.restore()
    if vector:  # where nothing is clipped
        painter.fillRect(QRectF(0, scene.body.y, place.gutter, scene.body.height), QColor(theme.surface))
    paint_gutter(painter, scene)
    paint_strip(painter, scene)
    paint_ruler(painter, scene, marks)
    return body


def say_nothing_left(painter: QPainter, scene: Scene) -> None:
    """Why there are no rows."""
    painter.setPen(QPen(QColor(scene.theme.muted)))
    painter.drawText(QRectF(*scene.body), int(Qt.AlignmentFlag.AlignCenter), tr("No lane matches the filter"))


def scene_ruler(scene: Scene) -> Ruler:
    """The ticks of a scene."""
    clock = scene.model.clock
    room = TICK_ROOM * max(1.0, scene.place.ruler / RULER)
    most = max(2, int(scene.body.width / room))
    return ruler(scene.view.start, scene.view.end, most, clock.shown_seconds(scene.look))


def as_image(body: Body) -> QImage:
    """A picture over the array itself; it must not outlive ``body``."""
    height, width = body.image.shape
    return QImage(body.image.data, width, height, width * 4, QImage.Format.Format_RGB32)


def paint_rectangles(painter: QPainter, scene: Scene, body: Body) -> None:
    """The wide slices as rectangles: sharp at any size."""
    painter.setPen(Qt.PenStyle.NoPen)
    wide, seen = body.wide, body.lines
    slots = scene.colours.slot(wide.index).tolist()
    fills = [QColor(colour) for colour in scene.shades.fill]
    for slot, strip, left, right in zip(
        slots, wide.strip.tolist(), wide.left.tolist(), wide.right.tolist(), strict=True
    ):
        height = float(seen.height[strip])
        if not height:
            continue
        x, end = max(left, 0.0), min(right, scene.body.width)
        y = scene.body.y + float(seen.top[strip])
        box = QRectF(scene.body.x + x, y, end - x, height - (1 if height >= SPARED else 0))
        painter.fillRect(box, fills[slot])
        painter.fillRect(QRectF(box.x(), y, 1, box.height()), QColor(blend(scene.shades.fill[slot], "#000000", 0.38)))


def paint_waits(painter: QPainter, scene: Scene, body: Body) -> None:
    """Stripes through wide slices that wait."""
    if scene.model.waits:
        wide = body.wide
        which = np.flatnonzero(scene.colours.slot(wide.index) == WAITING)
        waits = Placed(wide.index[which], wide.strip[which], wide.left[which], wide.right[which])
        stripes = QBrush(QColor(scene.shades.stripes), Qt.BrushStyle.FDiagPattern)
        for box in boxes_of(scene, body, waits):
            painter.fillRect(box, stripes)


def boxes_of(scene: Scene, body: Body, wide: Placed) -> list[QRectF]:
    """Where slices stand in the picture, without those in folded lanes."""
    boxes = []
    for strip, left, right in zip(wide.strip.tolist(), wide.left.tolist(), wide.right.tolist(), strict=True):
        height = float(body.lines.height[strip])
        if height:
            x, end = max(left, 0.0), min(right, scene.body.width)
            top = scene.body.y + float(body.lines.top[strip])
            boxes.append(QRectF(scene.body.x + x, top, end - x, height - 1))
    return boxes


def paint_hatching(painter: QPainter, scene: Scene, body: Body) -> None:
    """Stripes and a line over wide slices that only one side of a comparison has."""
    stripes, edge = QBrush(QColor(scene.theme.surface), Qt.BrushStyle.BDiagPattern), QColor(edge_of_alone(scene))
    for box in boxes_of(scene, body, body.alone):
        painter.fillRect(box, stripes)
        painter.fillRect(QRectF(box.x(), box.y(), box.width(), RIM), edge)


def paint_ruler(painter: QPainter, scene: Scene, marks: Ruler) -> None:
    """Ticks above the rows; in the corner what the view spans, or the moment that labels count from."""
    theme, place = scene.theme, scene.place
    painter.fillRect(QRectF(0, 0, place.width, place.ruler), QColor(theme.raised))
    painter.save()
    painter.setPen(QPen(QColor(theme.line)))
    painter.drawLine(QPointF(0, place.ruler - 1), QPointF(place.width, place.ruler - 1))
    painter.drawLine(QPointF(place.gutter - 1, 0), QPointF(place.gutter - 1, place.ruler))
    metrics = QFontMetrics(painter.font())
    first = 0 if place.low else place.ruler // 2
    corner = QRectF(8, first, place.gutter - 16, place.ruler - first - 1)
    clock = scene.model.clock
    span = clock.short_span(scene.view.span, scene.look)
    texts = (tr("{span} in view", span=span), span)
    if marks.base:
        texts = (tr("from {base}", base=marks.base), tr("from {base}", base=marks.base))
    painter.setPen(QPen(QColor(theme.muted)))
    painter.drawText(corner, int(LEFT), fitting(texts, metrics, corner.width()))
    if clock.by_hand and not place.low:
        upper = QRectF(8, 0, place.gutter - 16, first)
        painter.drawText(upper, int(LEFT), fitting((tr("unit set manually"), tr("manually")), metrics, upper.width()))
    painter.setClipRect(QRectF(place.gutter, 0, scene.body.width, place.ruler))
    painter.setPen(QPen(QColor(blend(theme.line, theme.muted, 0.3))))
    for tick in marks.minor:
        x = round(scene.x(tick)) + 0.5
        painter.drawLine(QPointF(x, place.ruler - 5), QPointF(x, place.ruler - 2))
    for tick, text in zip(marks.places, marks.labels, strict=True):
        x = round(scene.x(tick)) + 0.5
        painter.setPen(QPen(QColor(theme.muted)))
        painter.drawLine(QPointF(x, place.ruler - 9), QPointF(x, place.ruler - 2))
        if x + 4 + advance(text, metrics) <= place.width or len(marks.places) == 1:  # a number that is cut off misleads
            painter.setPen(QPen(QColor(theme.text)))
            painter.drawText(QPointF(x + 4, place.ruler - 10), text)
    painter.restore()
