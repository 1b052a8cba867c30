"""Paints the data of a scene: rows, names of lanes, ruler. The same code for the screen and for pictures."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QImage, QPainter, QPen, QPolygonF

from app.widgets.colours import blend
from app.widgets.timeline.body import Body, draw_body
from app.widgets.timeline.labels import LabelCache, write_labels
from app.widgets.timeline.layout import SPARED, Band
from app.widgets.timeline.scene import Box, Scene
from app.widgets.timeline.ticks import Ruler, ruler
from app.widgets.units import percent, plain

TICK_ROOM = 96
"""Logical pixels that a labelled tick has for itself, at least."""
INDENT = 20
LEAST_NAMED = 9
"""Lanes of fewer pixels get no name; it is in the tooltip."""
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def rect(box: Box) -> QRectF:
    return QRectF(box.x, box.y, box.width, box.height)


def paint_data(painter: QPainter, scene: Scene, labels: LabelCache, ratio: float, *, vector: bool = False) -> Body:
    """Everything but selection, range and hover. ``vector``: slices that are told apart as rectangles (SVG)."""
    place, theme = scene.place, scene.theme
    painter.fillRect(QRectF(0, 0, place.width, place.height), QColor(theme.surface))
    marks = scene_ruler(scene)
    body = draw_body(scene, ratio, marks.places)
    painter.drawImage(rect(scene.body), as_image(body))
    painter.save()
    painter.setClipRect(rect(scene.body))
    if vector:
        paint_rectangles(painter, scene, body)
    write_labels(painter, scene, body.labels, labels)
    painter.restore()
    paint_headings(painter, scene)
    paint_lanes(painter, scene)
    paint_pinned(painter, scene)
    paint_ruler(painter, scene, marks)
    return body


def scene_ruler(scene: Scene) -> Ruler:
    """The ticks of a scene."""
    clock = scene.model.clock
    most = max(2, int(scene.body.width / TICK_ROOM))
    return ruler(scene.view.start, scene.view.end, most, clock.shown_seconds(scene.look), clock.zero)


def as_image(body: Body) -> QImage:
    """A picture over the array itself; it must not outlive ``body``."""
    height, width = body.image.shape
    return QImage(body.image.data, width, height, width * 4, QImage.Format.Format_RGB32)


def paint_rectangles(painter: QPainter, scene: Scene, body: Body) -> None:
    """The wide slices as rectangles: sharp at any size."""
    painter.setPen(Qt.PenStyle.NoPen)
    wide, seen = body.wide, body.lines
    slots = scene.model.rows.slot(wide.index).tolist()
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


def paint_headings(painter: QPainter, scene: Scene) -> None:
    """The names of processes, each over its lanes, with a triangle that tells whether it is folded."""
    top = scene.view.top
    for band in scene.layout.between(top, top + int(scene.body.height)):
        if band.kind == "process":
            paint_heading(painter, scene, band, scene.body.y + band.y - top)


def paint_pinned(painter: QPainter, scene: Scene) -> None:
    """The heading of the process that the topmost lanes belong to, when it has been scrolled away."""
    pinned = scene.layout.pinned(scene.view.top)
    if pinned is not None and not pinned[0].folded:
        paint_heading(painter, scene, pinned[0], scene.body.y + pinned[1] - scene.view.top)


def paint_heading(painter: QPainter, scene: Scene, band: Band, y: float) -> None:
    theme, place = scene.theme, scene.place
    clip = QRectF(0, scene.body.y, place.width, scene.body.height)
    painter.save()
    painter.setClipRect(clip)
    width = place.gutter if band.folded else place.width
    painter.fillRect(QRectF(0, y, width, band.height), QColor(theme.raised))
    painter.setPen(QPen(QColor(theme.line)))
    painter.drawLine(QPointF(0, y), QPointF(place.width, y))
    painter.drawLine(QPointF(place.gutter - 1, y), QPointF(place.gutter - 1, y + band.height))
    paint_triangle(painter, 8, y + band.height / 2, band.folded, theme.muted)
    group = scene.model.groups[band.index]
    bold = QFont(painter.font())
    bold.setBold(True)
    if band.height < QFontMetrics(bold).height():
        bold.setPixelSize(max(7, band.height - 3))
    painter.setFont(bold)
    painter.setPen(QPen(QColor(theme.text)))
    room = QRectF(INDENT, y, (place.gutter if band.folded else place.width) - INDENT - 8, band.height)
    name = group.name or "(no process name)"
    painter.drawText(
        room, int(LEFT), QFontMetrics(bold).elidedText(name, Qt.TextElideMode.ElideRight, int(room.width()))
    )
    painter.restore()


def paint_triangle(painter: QPainter, x: float, y: float, folded: bool, colour: str) -> None:
    """Points right when folded, down when open."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    points = [(0, -4), (5, 0), (0, 4)] if folded else [(-1, -2.5), (7, -2.5), (3, 2.5)]
    painter.drawPolygon(QPolygonF([QPointF(x + dx, y + dy) for dx, dy in points]))
    painter.restore()


def paint_lanes(painter: QPainter, scene: Scene) -> None:
    """Names of lanes and counters to the left of their rows; a name stays in sight while its lane does."""
    theme, place = scene.theme, scene.place
    painter.save()
    painter.setClipRect(QRectF(0, scene.body.y, place.gutter, scene.body.height))
    top = scene.view.top
    for band in scene.layout.between(top, top + int(scene.body.height)):
        y = scene.body.y + band.y - top
        if band.kind == "lane":
            paint_lane(painter, scene, band, y)
        elif band.kind == "counter":
            paint_counter_name(painter, scene, band, y)
    painter.setClipping(False)
    painter.setPen(QPen(QColor(theme.line)))
    painter.drawLine(QPointF(place.gutter - 1, 0), QPointF(place.gutter - 1, place.height))
    painter.restore()


def paint_lane(painter: QPainter, scene: Scene, band: Band, y: float) -> None:
    if band.height < LEAST_NAMED:
        return
    theme, place = scene.theme, scene.place
    font = QFont(painter.font())
    metrics = QFontMetrics(font)
    if band.height < metrics.height() - 3:
        font.setPixelSize(max(7, band.height - 2))
        metrics = QFontMetrics(font)
    painter.save()
    painter.setFont(font)
    height = min(max(band.row_height, metrics.height()), band.height) if band.rows else band.height
    visible = min(max(y, scene.body.y), y + band.height - height)
    if band.rows > 1:
        paint_triangle(painter, INDENT, visible + height / 2, band.folded, theme.muted)
    right = place.gutter - 8
    share = float("nan") if scene.busy is None else float(scene.busy[band.index])
    if share == share and place.gutter >= 120:
        text = percent(100 * share)
        painter.setPen(QPen(QColor(theme.muted)))
        painter.drawText(QRectF(0, visible, right, height), int(RIGHT), text)
        right -= metrics.horizontalAdvance(text) + 8
    room = QRectF(INDENT + 12, visible, right - INDENT - 12, height)
    painter.setPen(QPen(QColor(theme.text)))
    name = scene.model.thread(band.index) or "(no thread name)"
    painter.drawText(room, int(LEFT), metrics.elidedText(name, Qt.TextElideMode.ElideRight, int(room.width())))
    painter.restore()


def paint_counter_name(painter: QPainter, scene: Scene, band: Band, y: float) -> None:
    """The name of a counter and the values between which its picture is drawn."""
    theme, metrics = scene.theme, QFontMetrics(painter.font())
    track = scene.tracks[band.index]
    room = QRectF(INDENT + 12, y, scene.place.gutter - INDENT - 20, band.height)
    painter.setPen(QPen(QColor(theme.text)))
    name = scene.model.counter_label(band.index)
    upper = QRectF(room.x(), y + 4, room.width(), metrics.height())
    painter.drawText(upper, int(LEFT), metrics.elidedText(name, Qt.TextElideMode.ElideRight, int(room.width())))
    painter.setPen(QPen(QColor(theme.muted)))
    lower = QRectF(room.x(), upper.bottom() + 1, room.width(), metrics.height())
    painter.drawText(lower, int(LEFT), f"{plain(track.low)} to {plain(track.high)}")


def paint_ruler(painter: QPainter, scene: Scene, marks: Ruler) -> None:
    """Ticks above the rows; in the corner what the view spans, or the moment that labels count from."""
    theme, place = scene.theme, scene.place
    painter.fillRect(QRectF(0, 0, place.width, place.ruler), QColor(theme.raised))
    painter.save()
    painter.setPen(QPen(QColor(theme.line)))
    painter.drawLine(QPointF(0, place.ruler - 1), QPointF(place.width, place.ruler - 1))
    painter.drawLine(QPointF(place.gutter - 1, 0), QPointF(place.gutter - 1, place.ruler))
    metrics = QFontMetrics(painter.font())
    corner = QRectF(8, 0, place.gutter - 16, place.ruler - 1)
    clock = scene.model.clock
    if marks.base:
        text = f"from {marks.base}"
    elif clock.shown_seconds(scene.look) is None:
        text = f"cycles, {clock.short_span(scene.view.span, scene.look).removesuffix(' cycles')} in view"
    else:
        text = f"{clock.short_span(scene.view.span, scene.look)} in view"
    painter.setPen(QPen(QColor(theme.muted)))
    painter.drawText(corner, int(LEFT), metrics.elidedText(text, Qt.TextElideMode.ElideRight, int(corner.width())))
    painter.setClipRect(QRectF(place.gutter, 0, scene.body.width, place.ruler))
    painter.setPen(QPen(QColor(blend(theme.line, theme.muted, 0.3))))
    for tick in marks.minor:
        x = round(scene.x(tick)) + 0.5
        painter.drawLine(QPointF(x, place.ruler - 5), QPointF(x, place.ruler - 2))
    for tick, text in zip(marks.places, marks.labels, strict=True):
        x = round(scene.x(tick)) + 0.5
        painter.setPen(QPen(QColor(theme.muted)))
        painter.drawLine(QPointF(x, place.ruler - 9), QPointF(x, place.ruler - 2))
        painter.setPen(QPen(QColor(theme.text)))
        painter.drawText(QPointF(x + 4, place.ruler - 10), text)
    painter.restore()
