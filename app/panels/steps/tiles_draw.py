"""Drawing of tile activity over time: tiles downwards, time across. Cost depends on pixels, not on steps."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from app.analysis.poplar.tile_time import Frame, Sums, TileTime, shares
from app.language import tr
from app.profile.arrays import F32
from app.profile.selection import TimeRange
from app.views.colours import KNOWN, fitted, rgb
from app.views.look import Look
from app.views.theme import Theme
from app.views.timeline.ticks import multiples, nice_step, ruler
from app.widgets.plane.axes import SINGLE, Tick, draw_frame, draw_title, draw_x, draw_y
from app.widgets.plane.view import GAP, PlaneLayout
from app.widgets.texts import advance
from app.widgets.tile_axis import APART

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
