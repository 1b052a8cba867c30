"""The memory path diagram as a scene of boxes and arrows, which zooms in proportion; its drawing, with the legend and
the notes beside it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QLinearGradient, QPainter, QPainterPath, QPen, QPolygonF

from app.analysis.ascend.diagram.figures import BlockFigures, PathFigures, figures_of
from app.analysis.ascend.diagram.parts import LABEL, Arrow, Box, Line, Point, Rect, Side
from app.language import plural, tr
from app.panels.memory_paths.layout import (
    DEEPEST,
    Layout,
    Written,
    all_notes,
    arrow_at,
    box_at,
    change_bars,
    drawn,
    font_of,
    lay_out,
    texts,
)
from app.panels.spec import scene_plot
from app.profile.profile import Profile
from app.views.colours import blend
from app.views.look import Look, Theme
from app.views.memory_paths import (
    FAMILIES,
    SHOWN,
    STOPS,
    Show,
    about_box,
    about_box_before,
    about_changes,
    about_path,
    box_lines,
    kind_of,
    shade,
    stops,
)
from app.views.plane.nearest import nearest_beside
from app.views.texts import paragraph
from app.widgets.plane.scene import Bounds, Hit, Marks, PlainScene, neighbour
from app.widgets.plane.view import Extent, PlaneView
from app.widgets.texts import advance, elided


class PathsScene(PlainScene, Struct, frozen=True, eq=False):
    """A scene whose items are path numbers; paths without figures can be hovered, not selected."""

    figures: BlockFigures
    show_as: Show
    kind = tr("Diagram")
    together = True

    @property
    def title(self) -> str:
        return f"{self.figures.diagram.title}, {self.figures.block}"

    @property
    def shape(self) -> tuple[object, ...]:
        diagram = self.figures.diagram
        return diagram.title, diagram.width, diagram.height

    def whole(self) -> PlaneView:
        width, height = float(self.figures.diagram.width), float(self.figures.diagram.height)
        return PlaneView.whole(width, height, (width / DEEPEST, height / DEEPEST))

    def lay_out(self, place: QRectF, view: PlaneView, _look: Look, metrics: QFontMetricsF) -> Layout:
        return lay_out(place, self.figures.diagram, view, metrics)

    def draw(self, painter: QPainter, layout: Layout, look: Look) -> None:
        draw_paths(painter, layout, self.figures, self.show_as, look.theme)

    def draw_marks(self, painter: QPainter, layout: Layout, marks: Marks, look: Look) -> None:
        draw_marked(painter, layout, self.figures, self.show_as, look.theme, marks)

    def hit(self, layout: Layout, point: QPointF) -> Hit | None:
        if not layout.plot.contains(point) or box_at(layout, self.figures.diagram, point) is not None:
            return None
        arrow = arrow_at(layout, self._arrows, point)
        return None if arrow is None else self.hit_of(arrow.path)

    def describe(self, layout: Layout, point: QPointF, look: Look) -> str:
        """The text for the arrow, box or notes under ``point``."""
        figures = self.figures
        if layout.notes.contains(point):
            return "\n".join(all_notes(figures, self.show_as))
        if not layout.plot.contains(point):
            return ""
        box = box_at(layout, figures.diagram, point)
        if box is not None:
            return self._about_box(box)
        arrow = arrow_at(layout, self._arrows, point)
        return "" if arrow is None else self.words(Hit(arrow.path), look)

    def words(self, hit: Hit, _look: Look) -> str:
        figures = self.figures
        if isinstance(hit.place, Box):
            return self._about_box(hit.place)
        text = about_path(hit.item, figures.shown.get(hit.item))
        return "\n".join((text, *about_changes(hit.item, figures)))

    def _about_box(self, box: Box) -> str:
        own, baseline = self.figures.boxes.get(box.figure), self.figures.baseline
        text = about_box(box, own)
        if baseline is None or not box.figure:
            return text
        return f"{text}\n{about_box_before(own, baseline.boxes.get(box.figure))}"

    def bounds(self, item: int) -> Bounds | None:
        """The rectangle around an arrow's lines and its label."""
        arrow = next((one for one in self._arrows if one.path == item), None)
        return None if arrow is None else arrow.bounds

    def extent_of(self, _layout: Layout, hit: Hit) -> Extent | None:
        left, right, low, high = self._bounds_of(hit)
        return Extent((left, right), (low, high))

    def walk(self, _layout: Layout, hit: Hit, across: int, down: int) -> Hit:
        """The nearest box or arrow in that direction."""
        stops = self._stops
        bounds = np.array([self._bounds_of(stop) for stop in stops])
        here = next((number for number, stop in enumerate(stops) if stop == hit), -1)
        if here < 0:
            return hit
        middles = (bounds[:, 0] + bounds[:, 1]) / 2, (bounds[:, 2] + bounds[:, 3]) / 2
        return stops[nearest_beside(*middles, here, (across, down))]

    def end(self, _hit: Hit | None, direction: int) -> Hit | None:
        """The first or last arrow with figures, else the first or last of all."""
        stops = self._stops
        own = [stop for stop in stops if stop.selectable] or stops
        return own[0 if direction < 0 else -1] if own else None

    @property
    def _stops(self) -> list[Hit]:
        """What the keyboard's cursor can be at: arrows and boxes."""
        arrows = [self.hit_of(arrow.path) for arrow in self._arrows]
        return [*arrows, *(Hit(-1, box, selectable=False) for box in self.figures.diagram.boxes)]

    def hit_of(self, item: int) -> Hit:
        return Hit(item, selectable=item in self.figures.shown)

    def _bounds_of(self, stop: Hit) -> Bounds:
        if isinstance(stop.place, Box):
            rect = stop.place.rect
            return rect.x, rect.right, rect.y, rect.bottom
        return self.bounds(stop.item) or (0.0, 0.0, 0.0, 0.0)

    def step(self, item: int, direction: int) -> int:
        """The next or previous path with figures, by number."""
        paths = sorted(self.figures.shown)
        place = neighbour(paths.index(item) if item in paths else -1, direction, len(paths))
        return paths[place] if place >= 0 else -1

    @property
    def _arrows(self) -> list[Arrow]:
        return drawn(self.figures.diagram, self.figures)


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


RAMP = 10.0
WIDEST = 320.0
GAP = 4.0
SINGLE = Qt.TextFlag.TextSingleLine.value
WRAPPED = Qt.TextFlag.TextWordWrap.value


def draw_legend(painter: QPainter, place: QRectF, figures: BlockFigures, show: Show, theme: Theme) -> None:
    """Draws the block, its figures, the ramp of peak shares with its limits, and the meaning of grey."""
    base = painter.font()
    bold = QFont(base)
    bold.setBold(True)
    line = math.ceil(QFontMetricsF(base, painter.device()).height())
    rows = [QRectF(place.left(), place.top() + line * number, place.width(), line) for number in range(4)]
    painter.setFont(bold)
    painter.setPen(QColor(theme.text))
    _draw_text(painter, rows[0], figures.block)
    painter.setFont(base)
    painter.setPen(QColor(theme.muted))
    _draw_text(painter, rows[1], kind_of(figures))
    _draw_text(painter, rows[2], tr("Labels: {shown}", shown=SHOWN[show]))
    _draw_text(painter, rows[3], tr("Colour: peak share (%)"))
    ramp = QRectF(place.left(), rows[3].bottom() + 2, min(place.width(), WIDEST), RAMP)
    gradient = QLinearGradient(ramp.topLeft(), ramp.topRight())
    for percent, colour in stops(theme):
        gradient.setColorAt(percent / STOPS[-1], QColor(colour))
    painter.fillRect(ramp, gradient)
    painter.setPen(QPen(QColor(theme.muted), 1))
    painter.drawRect(ramp)
    _draw_limits(painter, ramp, theme)
    below = QRectF(place.left(), ramp.bottom() + GAP + line, place.width(), line)
    _draw_greys(painter, below, theme)


def _draw_limits(painter: QPainter, ramp: QRectF, theme: Theme) -> None:
    metrics = QFontMetricsF(painter.font(), painter.device())
    for percent in STOPS:
        text = f"{percent:.0f}"
        width = advance(text, metrics)
        x = ramp.left() + percent / STOPS[-1] * ramp.width()
        painter.setPen(QPen(QColor(theme.muted), 1))
        painter.drawLine(QLineF(x, ramp.bottom(), x, ramp.bottom() + 3))
        left = min(max(x - width / 2, ramp.left()), ramp.right() - width)
        painter.drawText(QRectF(left, ramp.bottom() + 2, width + 1, metrics.height()), SINGLE, text)


def _draw_greys(painter: QPainter, place: QRectF, theme: Theme) -> None:
    """Draws the meaning of grey (no peak share) and dashed lines (no figures)."""
    metrics = QFontMetricsF(painter.font(), painter.device())
    x, middle, sample = place.left(), place.center().y() + 1, 22.0
    for text, broken in ((tr("no share"), False), (tr("no data"), True)):
        pen = QPen(QColor(theme.muted), 1.5 if broken else 4)
        if broken:
            pen.setDashPattern([3.0, 2.5])
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        painter.drawLine(QPointF(x, middle), QPointF(x + sample, middle))
        x += sample + GAP
        painter.setPen(QColor(theme.muted))
        width = advance(text, metrics)
        painter.drawText(QRectF(x, place.top(), width + 1, place.height()), SINGLE, text)
        x += width + 3 * GAP


def draw_notes(painter: QPainter, place: QRectF, lines: list[str], theme: Theme) -> None:
    """Draws as many whole notes as fit; the others are counted."""
    metrics = QFontMetricsF(painter.font(), painter.device())
    painter.setPen(QColor(theme.muted))
    y = place.top()
    for number, text in enumerate(map(paragraph, lines)):
        box = metrics.boundingRect(QRectF(place.left(), 0, place.width(), 10_000), WRAPPED, text)
        last = number == len(lines) - 1
        if y + box.height() + (0 if last else metrics.height() + GAP) > place.bottom():
            if y + metrics.height() <= place.bottom() + 1:
                left = len(lines) - number
                more = plural("and {count} more note", "and {count} more notes", count=left)
                painter.drawText(QRectF(place.left(), y, place.width(), metrics.height()), SINGLE, more)
            return
        painter.drawText(QRectF(place.left(), y, place.width(), box.height() + 1), WRAPPED, text)
        y += box.height() + GAP


def _draw_text(painter: QPainter, place: QRectF, text: str) -> None:
    metrics = QFontMetricsF(painter.font(), painter.device())
    shown = elided(text, metrics, place.width())
    painter.drawText(place, Qt.AlignmentFlag.AlignVCenter.value | SINGLE, shown)


def _offered(profile: Profile) -> bool:
    return profile.memory_paths is not None and len(profile.memory_paths.blocks.block) > 0


def _scene(profile: Profile, _look: Look, show: Show) -> PathsScene | None:
    """The first block, which is the mean of all cores if the file has one."""
    paths = profile.memory_paths
    return None if paths is None else PathsScene(figures_of(paths, 0), show)


PLOTS = (
    scene_plot("memory-paths", tr("Memory paths by bandwidth"), _offered, partial(_scene, show="bandwidth")),
    scene_plot("memory-paths-by-requests", tr("Memory paths by requests"), _offered, partial(_scene, show="request")),
    scene_plot("memory-paths-by-peak", tr("Memory paths by peak share"), _offered, partial(_scene, show="peak")),
)
