"""Paints what stands to the left of the rows: headings of processes, names of lanes and counters, pins."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen, QPolygonF

from app.language import tr
from app.views.timeline.bands import Band
from app.views.timeline.compared_words import lane_sign, lane_texts
from app.views.timeline.scene import Scene
from app.views.units import percent, plain
from app.widgets.texts import advance, elided
from app.widgets.timeline.words import process_title

INDENT = 20
PIN = 11
SMALL = 0.8
LEAST_GUTTER = 120
"""Narrower names have no figures beside them."""
WIDEST_FIGURE = 0.5
"""Share of the room for names that figures beside them may take."""
LEAST_NAMED = 9
"""Lanes of fewer pixels get no name; it is in the tooltip."""
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def paint_gutter(painter: QPainter, scene: Scene) -> None:
    """All of it, in the order in which one lies over the other."""
    paint_headings(painter, scene)
    paint_lanes(painter, scene)
    paint_sticky(painter, scene)
    paint_fixed_edge(painter, scene)


def paint_headings(painter: QPainter, scene: Scene) -> None:
    """The names of processes, each over its lanes, with a triangle that says whether it is folded."""
    for band in scene.layout.in_view(scene.view.top, int(scene.body.height)):
        if band.kind == "process":
            paint_heading(painter, scene, band, scene.body.y + band.y - scene.view.top)


def paint_sticky(painter: QPainter, scene: Scene) -> None:
    """The heading of the process that the topmost lanes belong to, when it has been scrolled away."""
    sticky = scene.layout.sticky(scene.view.top)
    if sticky is not None and not sticky[0].folded:
        paint_heading(painter, scene, sticky[0], scene.body.y + sticky[1] - scene.view.top)


def paint_fixed_edge(painter: QPainter, scene: Scene) -> None:
    """Where the pinned lanes end and the others pass under them."""
    if scene.layout.fixed:
        line = QRectF(0, scene.body.y + scene.layout.fixed - 1, scene.place.width, 1)
        painter.fillRect(line, QColor(scene.theme.muted))


def paint_heading(painter: QPainter, scene: Scene, band: Band, y: float) -> None:
    theme, place = scene.theme, scene.place
    painter.save()
    painter.setClipRect(below_fixed(scene, place.width))
    width = place.gutter if band.folded else place.width
    painter.fillRect(QRectF(0, y, width, band.height), QColor(theme.raised))
    painter.setPen(QPen(QColor(theme.line)))
    painter.drawLine(QPointF(0, y), QPointF(place.width, y))
    painter.drawLine(QPointF(place.gutter - 1, y), QPointF(place.gutter - 1, y + band.height))
    paint_triangle(painter, 8, y + band.height / 2, band.folded, theme.muted)
    bold = QFont(painter.font())
    bold.setBold(True)
    if band.height < QFontMetrics(bold).height():
        bold.setPixelSize(max(7, band.height - 3))
    painter.setFont(bold)
    painter.setPen(QPen(QColor(theme.text)))
    room = QRectF(INDENT, y, (place.gutter if band.folded else place.width) - INDENT - 8, band.height)
    name = process_title(scene.model, band.index)
    painter.drawText(room, int(LEFT), elided(name, QFontMetrics(bold), room.width()))
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
    fixed = QRectF(0, scene.body.y, place.gutter, scene.layout.fixed)
    painter.fillRect(fixed, QColor(theme.raised))
    for band in scene.layout.in_view(scene.view.top, int(scene.body.height)):
        y = scene.body.y + scene.layout.line(band.y, scene.view.top)
        painter.setClipRect(fixed if band.y < scene.layout.fixed else below_fixed(scene, place.gutter))
        if band.kind == "lane":
            paint_lane(painter, scene, band, y)
        elif band.kind == "counter":
            paint_counter_name(painter, scene, band, y)
    painter.setClipping(False)
    painter.setPen(QPen(QColor(theme.line)))
    painter.drawLine(QPointF(place.gutter - 1, 0), QPointF(place.gutter - 1, place.height))
    painter.restore()


def below_fixed(scene: Scene, width: int) -> QRectF:
    """The part of the picture in which lanes scroll, names included."""
    fixed = scene.layout.fixed
    return QRectF(0, scene.body.y + fixed, width, scene.body.height - fixed)


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
    visible = min(max(y, scene.body.y + scene.layout.edge(band.y)), y + band.height - height)
    if band.pinned:
        paint_pin(painter, PIN, visible + height / 2, theme.accent)
    if band.rows > 1:
        paint_triangle(painter, INDENT, visible + height / 2, band.folded, theme.muted)
    right = place.gutter - 8
    name = scene.model.thread(band.index) or tr("(no thread name)")
    process = scene.model.process(band.index) if band.pinned else ""  # it stands under no heading
    needed = advance(name, metrics) + (advance(process, metrics) + 8 if process else 0)
    text, colour = beside_name(scene, band.index, metrics)
    if band.pinned and needed > right - INDENT - 20 - advance(text, metrics):
        text = ""  # whose lane it is matters more
    if text:
        painter.setPen(QPen(QColor(colour)))
        painter.drawText(QRectF(0, visible, right, height), int(RIGHT), text)
        right -= advance(text, metrics) + 8
    room = QRectF(INDENT + 12, visible, right - INDENT - 12, height)
    painter.setPen(QPen(QColor(theme.text)))
    shown = elided(name, metrics, room.width())
    painter.drawText(room, int(LEFT), shown)
    if process:
        room.setLeft(room.left() + advance(shown, metrics) + 6)
        paint_process(painter, room, process, theme.muted)
    painter.restore()


def beside_name(scene: Scene, lane: int, metrics: QFontMetrics) -> tuple[str, str]:
    """(the figure beside the name of a lane, its colour): how busy it is, or how that differs from the baseline."""
    theme, gutter = scene.theme, scene.place.gutter
    if gutter < LEAST_GUTTER:
        return "", theme.muted
    texts = () if scene.counterpart is None else lane_texts(scene.counterpart, lane, scene.look)
    if scene.counterpart is not None and texts:
        sign = lane_sign(scene.counterpart, lane)
        colour = theme.more if sign > 0 else theme.less if sign < 0 else theme.muted
        text = next((text for text in texts if advance(text, metrics) <= gutter * WIDEST_FIGURE), texts[-1])
        return text, colour
    share = float("nan") if scene.busy is None else float(scene.busy[lane])
    return percent(100 * share) if share == share else "", theme.muted


def paint_process(painter: QPainter, room: QRectF, process: str, colour: str) -> None:
    """Whose lane it is, in small."""
    font = QFont(painter.font())
    font.setPixelSize(max(7, round(painter.fontInfo().pixelSize() * SMALL)))
    metrics = QFontMetrics(font)
    painter.setFont(font)
    painter.setPen(QPen(QColor(colour)))
    painter.drawText(room, int(LEFT), elided(process, metrics, room.width(), Qt.TextElideMode.ElideMiddle))


def paint_pin(painter: QPainter, x: float, y: float, colour: str) -> None:
    """A drawing pin, seen from the side."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    head = [
        (-3, -6),
        (3, -6),
        (3, -5),
        (2, -4),
        (2, -1),
        (4, 1),
        (4, 2),
        (-4, 2),
        (-4, 1),
        (-2, -1),
        (-2, -4),
        (-3, -5),
    ]
    painter.drawPolygon(QPolygonF([QPointF(x + dx, y + dy) for dx, dy in head]))
    painter.drawRect(QRectF(x - 0.5, y + 2, 1, 4))
    painter.restore()


def paint_counter_name(painter: QPainter, scene: Scene, band: Band, y: float) -> None:
    """The name of a counter and the values between which its picture is drawn."""
    theme, metrics = scene.theme, QFontMetrics(painter.font())
    track = scene.tracks[band.index]
    room = QRectF(INDENT + 12, y, scene.place.gutter - INDENT - 20, band.height)
    painter.setPen(QPen(QColor(theme.text)))
    name = scene.model.counter_label(band.index)
    upper = QRectF(room.x(), y + 4, room.width(), metrics.height())
    painter.drawText(upper, int(LEFT), elided(name, metrics, room.width()))
    painter.setPen(QPen(QColor(theme.muted)))
    lower = QRectF(room.x(), upper.bottom() + 1, room.width(), metrics.height())
    painter.drawText(lower, int(LEFT), tr("{low} to {high}", low=plain(track.low), high=plain(track.high)))
