"""Flows as arrows of a picture: those in sight, folded by pixel, no more than can be drawn, and their painting."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPainterPath, QPen, QPolygonF

from app.language import tr
from app.profile.arrays import F64, I64, U8
from app.profile.pypto import VIOLATED
from app.views import colours
from app.views.look import Theme
from app.views.texts import shown_line
from app.views.timeline.flows import Centres, FlowLines
from app.views.timeline.scene import Scene
from app.widgets.texts import advance

WRONG = (VIOLATED, "hb_violation")
"""Categories of arrows from what began before it could: as PyPTO runs have them, and traces of its toolkit."""
MOST_DRAWN = 1_500
MOST_LOOKED_AT = 60_000
"""Of more arrows in sight than this, evenly chosen ones are looked at."""
FOLD = 2.0
"""Arrows whose ends lie in the same squares of so many pixels are drawn as one."""
CELLS = 1 << 13
"""Squares across and down that are distinguished; what lies farther out is one."""
MOST_CURVES = 150
MOST_ARROWS = 200
"""Of a selected slice."""
FAINT = 150
"""Of 255: lines when there are many."""


class Drawn(Struct, frozen=True, eq=False):
    """Lines to draw, float64 pixels of the picture; ``category``: uint8, index into FlowLines.names; ``stands_for``:
    int64, how many arrows each is; ``total``: arrows in sight, ``estimated`` where they are too many to be counted."""

    x0: F64
    y0: F64
    x1: F64
    y1: F64
    category: U8
    stands_for: I64
    total: int
    estimated: bool


def drawn_of(lines: FlowLines, scene: Scene, centres: Centres) -> Drawn:
    """What a picture shows of them."""
    low = int(np.searchsorted(lines.reach, scene.view.start))
    high = int(np.searchsorted(lines.begin, scene.view.end, "right"))
    inside = low + np.flatnonzero(np.maximum(lines.from_time, lines.to_time)[low:high] >= scene.view.start)
    total = len(inside)
    inside = inside[:: max(1, -(-total // MOST_LOOKED_AT))]
    y0 = _heights(scene, centres, lines.from_row[inside], lines.from_lane[inside])
    y1 = _heights(scene, centres, lines.to_row[inside], lines.to_lane[inside])
    top, bottom = scene.body.y, scene.body.y + scene.body.height
    seen = ~np.isnan(y0) & ~np.isnan(y1) & (np.maximum(y0, y1) >= top) & (np.minimum(y0, y1) <= bottom)
    share = float(seen.mean()) if len(seen) else 0.0
    inside, y0, y1 = inside[seen], y0[seen], y1[seen]
    x0, x1 = scene.all_near_x(lines.from_time[inside]), scene.all_near_x(lines.to_time[inside])
    first, stands_for = folded(x0, y0, x1, y1, lines.category[inside])
    if len(first) > MOST_DRAWN:
        sampled = np.linspace(0, len(first) - 1, MOST_DRAWN).astype(np.int64)
        first, stands_for = first[sampled], stands_for[sampled]
    return Drawn(
        x0[first],
        y0[first],
        x1[first],
        y1[first],
        lines.category[inside][first],
        stands_for,
        round(total * share),
        total > MOST_LOOKED_AT,
    )


def folded(x0: F64, y0: F64, x1: F64, y1: F64, category: U8) -> tuple[I64, I64]:
    """(first of each, how many): arrows that would be drawn over one another as one."""
    if not len(x0):
        none = np.empty(0, np.int64)
        return none, none
    key = category.astype(np.int64)
    for part in (x0, y0, x1, y1):
        cell = np.floor(part / FOLD).astype(np.int64)
        key = key * CELLS + np.clip(cell + CELLS // 4, 0, CELLS - 1)
    _, first, count = np.unique(key, return_index=True, return_counts=True)
    return first.astype(np.int64), count.astype(np.int64)


def _heights(scene: Scene, centres: Centres, row: I64, lane: I64) -> F64:
    """float64: where ends stand in the picture, NaN for those whose lane is left out."""
    known = (lane >= 0) & (lane < len(centres.lanes))
    of_lane = np.append(centres.lanes, -1)[np.where(known, lane, -1)]
    y = np.where(row >= 0, np.append(centres.rows, -1)[row], of_lane)
    line = np.where(y < scene.layout.fixed, y, y - scene.view.top)
    return np.where(y < 0, np.nan, scene.body.y + line)


def flow_colours(names: tuple[str, ...], theme: Theme) -> Mapping[str, str]:
    """The colour of each category; the same names always have the same, and what is wrong that of errors."""
    return {**colours.palette(names, theme), **dict.fromkeys((name for name in names if name in WRONG), theme.error)}


def paint_flows(painter: QPainter, scene: Scene) -> Drawn | None:
    """Those in view; says so where that is not all."""
    if scene.flows is None or scene.centres is None:
        return None
    drawn = drawn_of(scene.flows, scene, scene.centres)
    chosen = flow_colours(scene.flows.names, scene.theme)
    painter.save()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    few = len(drawn.x0) <= MOST_CURVES
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, few)
    for place, name in enumerate(scene.flows.names):
        mine = np.flatnonzero(drawn.category == place)
        ends = zip(*(part[mine].tolist() for part in (drawn.x0, drawn.y0, drawn.x1, drawn.y1)), strict=True)
        colour = QColor(chosen[name])
        if few:
            for x0, y0, x1, y1 in ends:  # in two tones, so that it shows on every fill
                paint_curve(painter, x0, y0, x1, y1, QColor(scene.theme.surface), 3.4)
                paint_curve(painter, x0, y0, x1, y1, colour, 1.4)
        else:
            colour.setAlpha(FAINT)
            painter.setPen(QPen(colour, 0))
            painter.drawLines([QLineF(x0, y0, x1, y1) for x0, y0, x1, y1 in ends])
    painter.restore()
    say_more(painter, scene, drawn)
    return drawn


def paint_curve(painter: QPainter, x0: float, y0: float, x1: float, y1: float, colour: QColor, width: float) -> None:
    """A curve that leaves to the right and arrives from the left, with a head."""
    bend = min(max(abs(x1 - x0) / 2, 24.0), 160.0)
    path = QPainterPath(QPointF(x0, y0))
    path.cubicTo(QPointF(x0 + bend, y0), QPointF(x1 - bend, y1), QPointF(x1, y1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(colour, width))
    painter.drawPath(path)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawPolygon(QPolygonF([QPointF(x1 + dx, y1 + dy) for dx, dy in ((0.0, 0.0), (-8.0, -4.0), (-8.0, 4.0))]))


def say_more(painter: QPainter, scene: Scene, drawn: Drawn) -> None:
    """How many arrows the lines stand for, where not each has its own."""
    if drawn.total <= len(drawn.x0):
        return
    text = (
        tr("{count:,} lines for about {total:,} arrows; zoom in to see each", count=len(drawn.x0), total=drawn.total)
        if drawn.estimated
        else tr("{count:,} lines for {total:,} arrows; zoom in to see each", count=len(drawn.x0), total=drawn.total)
    )
    metrics = QFontMetrics(painter.font())
    height = metrics.height() + 6
    body = scene.body
    width = min(advance(text, metrics) + 16.0, body.width)
    box = QRectF(body.x + body.width - width, body.y + body.height - height, width, height)
    painter.fillRect(box, QColor(scene.theme.raised))
    painter.setPen(QPen(QColor(scene.theme.text)))
    painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), shown_line(text))


class Arrow(NamedTuple):
    """A flow from one point of the picture to another."""

    x0: float
    y0: float
    x1: float
    y1: float
    category: str


def arrows(scene: Scene, numbers: tuple[int, ...]) -> list[Arrow]:
    """The flows of these numbers, at most MOST_ARROWS of them."""
    flows = scene.model.timeline.flows
    drawn = []
    for number in numbers[:MOST_ARROWS]:
        y0 = _end_y(scene, int(flows.from_slice[number]), int(flows.from_lane[number]))
        y1 = _end_y(scene, int(flows.to_slice[number]), int(flows.to_lane[number]))
        if y0 is None or y1 is None:
            continue
        x0, x1 = scene.near_x(float(flows.from_time[number])), scene.near_x(float(flows.to_time[number]))
        category = scene.model.timeline.strings.get(int(flows.category[number]))
        drawn.append(Arrow(x0, y0, x1, y1, category))
    return drawn


def _end_y(scene: Scene, index: int, lane: int) -> float | None:
    if index < 0:
        return scene.lane_y(lane)
    placed = scene.layout.row_y(scene.model.rows.row_of(index))
    return None if placed is None else scene.body.y + scene.layout.line(placed[0], scene.view.top) + placed[1] / 2


def paint_arrows(painter: QPainter, scene: Scene, numbers: tuple[int, ...]) -> None:
    """The flows of these numbers as curves in two tones, so that they show on every fill."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for arrow in arrows(scene, numbers):
        for colour, width in ((scene.theme.surface, 4.0), (scene.theme.text, 1.6)):
            paint_curve(painter, arrow.x0, arrow.y0, arrow.x1, arrow.y1, QColor(colour), width)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
