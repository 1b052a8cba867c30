"""Tile activity as a scene of a plane: time against tiles. Items are tiles."""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPen

from app.analysis.poplar.tile_time import Frame, Sums, TileTime, shares
from app.language import tr
from app.profile.arrays import F32
from app.profile.poplar import Steps
from app.profile.selection import TimeRange
from app.views.colours import KNOWN, fitted, rgb
from app.views.look import Look, Theme
from app.views.timeline.ticks import multiples, nice_step, ruler
from app.views.units import cycles_and_time
from app.views.visible_runs import visible_runs
from app.widgets.heat.draw import outline
from app.widgets.plane.axes import SINGLE, Tick, draw_frame, draw_title, draw_x, draw_y
from app.widgets.plane.scene import Bounds, Hit, Marks, PlainScene, neighbour
from app.widgets.plane.view import GAP, Extent, PlaneLayout, PlaneView, lay_out
from app.widgets.texts import advance
from app.widgets.tile_axis import APART

LEAST_CYCLES, LEAST_TILES = 16.0, 2.0
FAINT = 90
STEPS_ACROSS = 100
TITLE = tr("When each tile is busy: tiles from the top down, time across")


class TilesScene(PlainScene, Struct, frozen=True, eq=False):
    """``group``: tiles per IPU, 0 if not known. ``sums`` caches the sums of the last image. ``least``: the time axis is
    at least as long, where that of another run is."""

    tile_time: TileTime
    steps: Steps
    sums: Sums
    group: int = 0
    clock_hz: float | None = None
    stretch: TimeRange | None = None
    title: str = TITLE
    least: float = LEAST_CYCLES

    @property
    def length(self) -> float:
        """Cycles that the time axis is long."""
        return max(self.tile_time.end - self.tile_time.start, self.least)

    @property
    def shape(self) -> tuple[object, ...]:
        return self.tile_time.tiles, self.length

    def whole(self) -> PlaneView:
        length = self.length
        return PlaneView.whole(length, self.tile_time.tiles, (LEAST_CYCLES, min(LEAST_TILES, self.tile_time.tiles)))

    def lay_out(self, place: QRectF, view: PlaneView, _look: Look, metrics: QFontMetricsF) -> PlaneLayout:
        return lay_out(place, view, metrics, advance(f"{self.tile_time.tiles:,}", metrics) + 2 * GAP)

    def draw(self, painter: QPainter, layout: PlaneLayout, look: Look) -> None:
        draw_axes(painter, layout, self.tile_time, look, self.clock_hz)
        draw_tiles(painter, layout, self.tile_time, self.sums, self.title, look)
        draw_ipus(painter, layout, self.tile_time.tiles, self.group, look.theme)
        draw_range(painter, layout, self.tile_time, self.stretch, look.theme)

    def draw_marks(self, painter: QPainter, layout: PlaneLayout, marks: Marks, look: Look) -> None:
        faint = QColor(look.theme.selection)
        faint.setAlpha(FAINT)
        painter.save()
        painter.setClipRect(layout.plot)
        tiles, seen = self.tile_time.tiles, layout.view.y
        for first, after in visible_runs(marks.selected, tiles - seen.end, tiles - seen.start, layout.plot.height()):
            box = self._band(layout, first, after)
            painter.fillRect(box, faint)
            painter.fillRect(QRectF(box.left(), box.top(), 4, box.height()), QColor(look.theme.selection))
        if marks.item >= 0:
            outline(painter, self._band(layout, marks.item, marks.item + 1).adjusted(0, 0, -1, 0), look.theme)
        painter.restore()

    def item_at(self, layout: PlaneLayout, point: QPointF) -> int:
        if not layout.plot.contains(point):
            return -1
        return min(max(int(self.tile_time.tiles - layout.at(point)[1]), 0), self.tile_time.tiles - 1)

    def describe(self, layout: PlaneLayout, point: QPointF, look: Look) -> str:
        """The text about the tile, the time, and the steps running there."""
        tile = self.item_at(layout, point)
        return "" if tile < 0 else self.words(Hit(tile, layout.at(point)[0]), look)

    def words(self, hit: Hit, _look: Look) -> str:
        """The same for the tile and the time (``place``) that the cursor is at; "" without a time."""
        tile = hit.item
        if not isinstance(hit.place, float):
            return ""
        moment = self.tile_time.start + hit.place
        where = tr(" (IPU {tile})", tile=tile // self.group) if self.group and self.group < self.tile_time.tiles else ""
        lines: list[str] = [
            tr(
                "Tile {tile:,}{where} at {cycles_and_time}",
                tile=tile,
                where=where,
                cycles_and_time=cycles_and_time(round(moment), self.clock_hz),
            )
        ]
        for part in self.tile_time.parts:
            place = part.at(tile, moment)
            if place >= 0:
                step = int(part.step[place])
                name = self.steps.strings.get(int(self.steps.name[step]))
                took = cycles_and_time(round(part.cycles(place, tile)), self.clock_hz)
                lines.append(
                    f"{part.type} {name}".rstrip()
                    + tr(", step {step:,}: {took} on this tile ({words})", step=step, took=took, words=part.words)
                )
        return "\n".join(
            lines if len(lines) > 1 else [*lines, tr("No step with data of this tile: waiting, or not measured")]
        )

    def bounds(self, item: int) -> Bounds | None:
        if not 0 <= item < self.tile_time.tiles:
            return None
        return (
            0.0,
            self.tile_time.end - self.tile_time.start,
            self.tile_time.tiles - item - 1.0,
            self.tile_time.tiles - item + 0.0,
        )

    def extent_of(self, _layout: PlaneLayout, hit: Hit) -> Extent | None:
        box = self.bounds(hit.item)
        moment = hit.place if isinstance(hit.place, float) else 0.0
        return None if box is None else Extent((moment, moment), box[2:])

    def walk(self, layout: PlaneLayout, hit: Hit, across: int, down: int) -> Hit:
        """The tile above or below; across, a hundredth of the time in view earlier or later."""
        moment = hit.place if isinstance(hit.place, float) else layout.view.x.start
        moment = min(max(moment + across * layout.view.x.width / STEPS_ACROSS, 0.0), self.length)
        return Hit(min(max(hit.item + down, 0), self.tile_time.tiles - 1), moment)

    def end(self, hit: Hit | None, direction: int) -> Hit | None:
        tile = 0 if hit is None else hit.item
        return Hit(tile, 0.0 if direction < 0 else self.length) if self.tile_time.tiles else None

    def step(self, item: int, direction: int) -> int:
        return neighbour(item, direction, self.tile_time.tiles)

    def _band(self, layout: PlaneLayout, first: float, after: float) -> QRectF:
        top, bottom = layout.y_of(self.tile_time.tiles - first), layout.y_of(self.tile_time.tiles - after)
        return QRectF(layout.plot.left(), top, layout.plot.width(), max(bottom - top, 2.0))


MOST_COLUMNS, MOST_ROWS = 1200, 256
TICK_SPACE, TILE_SPACE = 110.0, 36.0
SWATCH = 10.0
EDGE = 3.0


def colour_of(kind: str, theme: Theme) -> str:
    """The colour of such steps on the timeline."""
    return fitted(KNOWN[kind], theme)


def draw_tiles(painter: QPainter, layout: PlaneLayout, times: TileTime, sums: Sums, title: str, look: Look) -> None:
    """Draws the image, its axes and the colour legend."""
    _draw_work(painter, layout, times, sums, look.theme)
    draw_frame(painter, layout, look.theme)
    draw_legend(painter, layout, times, title, look.theme)


def draw_axes(painter: QPainter, layout: PlaneLayout, times: TileTime, look: Look, clock: float | None) -> None:
    """Draws the axes: time below, tiles at the left."""
    theme, view = look.theme, layout.view
    seconds = 1 / clock if clock and look.cycles_as == "time" else None
    start, end = times.start + view.x.start, times.start + view.x.end
    ticks = ruler(start, end, max(1, int(layout.plot.width() / TICK_SPACE)), seconds)
    labels = zip(ticks.places, ticks.labels, strict=True)
    unit = "" if seconds else tr("cycles")
    draw_x(painter, layout, [Tick(place - times.start, text) for place, text in labels], unit, theme)
    low, high = times.tiles - view.y.end, times.tiles - view.y.start
    step = max(1.0, nice_step(high - low, max(1, int(layout.plot.height() / TILE_SPACE))))
    tiles = [tile for tile in multiples(max(low, 0.0), high, step) if tile < times.tiles]
    draw_y(painter, layout, [Tick(times.tiles - tile - 0.5, f"{tile:,.0f}") for tile in tiles], theme)


def draw_ipus(painter: QPainter, layout: PlaneLayout, tiles: int, group: int, theme: Theme) -> None:
    """Draws lines between the visible IPUs, unless they are too low to be told apart."""
    view, plot = layout.view.y, layout.plot
    if group * plot.height() < APART * view.width:
        return
    painter.setPen(QPen(QColor(theme.muted), 0, Qt.PenStyle.DotLine))
    first = max(math.ceil((tiles - view.end) / group), 1) * group
    for border in range(first, min(tiles, math.ceil(tiles - view.start)), group):
        y = layout.y_of(tiles - border)
        if plot.top() < y < plot.bottom():
            painter.drawLine(QLineF(plot.left(), y, plot.right(), y))


def frame_of(layout: PlaneLayout, times: TileTime, ratio: float) -> Frame:
    """The visible part in no more cells than there are pixels; a row holds whole tiles."""
    view = layout.view
    first = min(max(math.floor(times.tiles - view.y.end + 1e-6), 0), times.tiles - 1)
    after = min(max(math.ceil(times.tiles - view.y.start - 1e-6), first + 1), times.tiles)
    width = min(max(round(layout.plot.width() * ratio), 1), MOST_COLUMNS)
    height = min(max(round(layout.plot.height() * ratio), 1), MOST_ROWS, after - first)
    return Frame(times.start + view.x.start, times.start + view.x.end, width, first, after, height)


def _draw_work(painter: QPainter, layout: PlaneLayout, times: TileTime, sums: Sums, theme: Theme) -> None:
    frame = frame_of(layout, times, painter.device().devicePixelRatio())
    left = np.ones((frame.height, frame.width), np.float32)
    channels = [np.zeros_like(left) for _ in range(3)]
    for part in times.parts:
        share = shares(part, frame, sums)
        if share is not None:
            np.minimum(share, left, out=share)
            left -= share
            _add(channels, share, colour_of(part.type, theme))
    _add(channels, left, theme.zero)
    red, green, blue = (channel.round().astype(np.uint32) for channel in channels)
    pixels = 0xFF000000 | red << 16 | green << 8 | blue
    image = QImage(pixels.data, frame.width, frame.height, frame.width * 4, QImage.Format.Format_RGB32)
    top, bottom = layout.y_of(times.tiles - frame.first), layout.y_of(times.tiles - frame.after)
    painter.save()
    painter.setClipRect(layout.plot)
    painter.drawImage(QRectF(layout.plot.left(), top, layout.plot.width(), bottom - top), image)
    painter.restore()


def _add(channels: list[F32], share: F32, colour: str) -> None:
    for channel, amount in zip(channels, rgb(colour), strict=True):
        channel += share * np.float32(amount)


def draw_legend(painter: QPainter, layout: PlaneLayout, times: TileTime, title: str, theme: Theme) -> None:
    """Draws a swatch per type at the right of the heading; the title gets the remaining width."""
    metrics, head = layout.metrics, layout.head
    right = head.right() - GAP
    for part in reversed(times.parts):
        text = part.type
        wide = advance(text, metrics)
        right -= wide
        painter.setPen(QColor(theme.text))
        painter.drawText(
            QRectF(right, head.top(), wide + 1, head.height()), Qt.AlignmentFlag.AlignVCenter.value | SINGLE, text
        )
        right -= SWATCH + 6
        swatch = QRectF(right, head.center().y() - SWATCH / 2, SWATCH, SWATCH)
        painter.fillRect(swatch, QColor(colour_of(part.type, theme)))
        right -= GAP * 2
    draw_title(painter, layout, title, theme, head.right() - right)


def draw_range(
    painter: QPainter, layout: PlaneLayout, times: TileTime, stretch: TimeRange | None, theme: Theme
) -> None:
    """Draws a veil over everything outside of the range."""
    if stretch is None:
        return
    plot = layout.plot
    left, right = (
        min(max(layout.x_of(moment - times.start), plot.left()), plot.right())
        for moment in (stretch.start, stretch.end)
    )
    veil = QColor(theme.surface)
    veil.setAlpha(170)
    painter.fillRect(QRectF(plot.left(), plot.top(), left - plot.left(), plot.height()), veil)
    painter.fillRect(QRectF(right, plot.top(), plot.right() - right, plot.height()), veil)
    painter.fillRect(QRectF(left, plot.bottom(), right - left, EDGE), QColor(theme.range))
