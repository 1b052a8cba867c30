"""An on-chip memory plan: the scene, whose items are indices of its boxes, and how it is drawn."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPen

from app.language import plural, tr
from app.panels.spec import scene_plot
from app.profile.arrays import I64, distinct
from app.profile.ascend_report import Onchip
from app.profile.profile import Profile
from app.views.colours import blend, palette, text_on
from app.views.look import Look, Theme
from app.views.onchip import GAP as BAND_GAP
from app.views.onchip import (
    Band,
    Boxes,
    Ghosts,
    OnchipBaseline,
    about,
    boxes_of,
    ghosts_of,
    heading,
    name_of,
    onchip_baseline,
)
from app.views.plane.nearest import nearest_beside
from app.views.timeline.ticks import multiples, nice_step
from app.views.units import size
from app.widgets.plane.axes import Tick, draw_title, draw_x, draw_y
from app.widgets.plane.scene import Bounds, Hit, Marks, PlainScene, neighbour
from app.widgets.plane.view import GAP, PlaneLayout, PlaneView, lay_out
from app.widgets.plot.outline import draw_dashes
from app.widgets.texts import advance, elided

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison

LEAST = (4.0, 0.002)
REACH = 2.0


class PlanScene(PlainScene, Struct, frozen=True, eq=False):
    """``boxes`` of ``plan``; ``baseline``: what is shown of another plan, with its ``ghosts``."""

    plan: Onchip
    boxes: Boxes
    baseline: OnchipBaseline | None = None
    ghosts: Ghosts | None = None

    @property
    def title(self) -> str:
        return tr("On-chip memory of {kernel}", kernel=self.plan.kernel or tr("a kernel"))

    @property
    def shape(self) -> tuple[object, ...]:
        return tuple((band.name, band.size) for band in self.boxes.bands), self.boxes.steps

    def whole(self) -> PlaneView:
        return PlaneView.whole(self.boxes.steps, max(self.boxes.height, 1 + BAND_GAP), LEAST)

    def lay_out(self, place: QRectF, view: PlaneView, _look: Look, metrics: QFontMetricsF) -> PlaneLayout:
        widest = max((advance(f"{band.size:#x}", metrics) for band in self.boxes.bands), default=20.0)
        return lay_out(place, view, metrics, widest + 2 * GAP)

    def draw(self, painter: QPainter, layout: PlaneLayout, look: Look) -> None:
        draw_plan(painter, layout, self.plan, self.boxes, look, self.baseline)
        if self.ghosts is not None:
            draw_ghosts(painter, layout, self.ghosts, look.theme)

    def draw_marks(self, painter: QPainter, layout: PlaneLayout, marks: Marks, look: Look) -> None:
        draw_marks(painter, layout, self.boxes, marks.selected.tolist(), marks.item, look.theme)

    def item_at(self, layout: PlaneLayout, point: QPointF) -> int:
        """The topmost block under the pointer, which is the one drawn last."""
        if not layout.plot.contains(point):
            return -1
        left, low = layout.at(QPointF(point.x() - REACH, point.y() + REACH))
        right, high = layout.at(QPointF(point.x() + REACH, point.y() - REACH))
        x, y = layout.at(point)
        near, boxes = self.boxes.near(left, right, low, high), self.boxes
        inside = near[
            (boxes.left[near] <= x) & (boxes.right[near] >= x) & (boxes.low[near] <= y) & (boxes.high[near] >= y)
        ]
        hits = inside if len(inside) else near
        return int(hits[-1]) if len(hits) else -1

    def describe(self, layout: PlaneLayout, point: QPointF, look: Look) -> str:
        item = self.item_at(layout, point)
        if item >= 0:
            return self.words(Hit(item), look)
        _, y = layout.at(point)
        within = (band for band in self.boxes.bands if band.low <= y < band.low + 1 + BAND_GAP)
        band = next(within, None) if layout.plot.contains(point) else None
        return "" if band is None else heading(band, look, self.baseline)

    def words(self, hit: Hit, look: Look) -> str:
        return about(self.plan, int(self.boxes.block[hit.item]), look, self.baseline)

    def bounds(self, item: int) -> Bounds | None:
        boxes = self.boxes
        if not 0 <= item < len(boxes.block):
            return None
        edges = (column[item].item() for column in (boxes.left, boxes.right, boxes.low, boxes.high))
        left, right, low, high = edges
        return left, right, low, high

    def step(self, item: int, direction: int) -> int:
        """The next or previous block by the step at which it becomes live."""
        order = np.lexsort((self.boxes.low, self.boxes.left))
        matches = np.flatnonzero(order == item)
        place = neighbour(int(matches[0]) if len(matches) else -1, direction, len(order))
        return int(order[place]) if place >= 0 else -1

    def walk(self, layout: PlaneLayout, hit: Hit, across: int, down: int) -> Hit:
        """The next block by the step at which it becomes live; up and down, the nearest one by address."""
        if across:
            return Hit(self.step(hit.item, across))
        boxes, view = self.boxes, layout.view
        middles = (boxes.left + boxes.right) / 2 / view.x.width, -(boxes.low + boxes.high) / 2 / view.y.width
        return Hit(nearest_beside(*middles, hit.item, (0, down)))


MOST_BOXES = 8000
"""If there are more boxes, only the largest are drawn, and the title says so."""
MOST_GHOSTS = 500
"""Outlines of the baseline's blocks; more of them hide what they are over."""
NAMED = 40.0
SINGLE = Qt.TextFlag.TextSingleLine.value
LEFT = Qt.AlignmentFlag.AlignVCenter.value | SINGLE
TICK_LINES = 1.6


def draw_plan(
    painter: QPainter,
    layout: PlaneLayout,
    plan: Onchip,
    boxes: Boxes,
    look: Look,
    baseline: OnchipBaseline | None = None,
) -> None:
    """Draws bands, blocks, and the peak of each memory."""
    theme, view, plot = look.theme, layout.view, layout.plot
    painter.save()
    step = max(nice_step(view.x.width, int(plot.width() / 70)), 1.0)
    draw_x(
        painter,
        layout,
        [Tick(n, f"{n:,.0f}") for n in multiples(view.x.start, view.x.end, step)],
        tr("step of the code"),
        theme,
    )
    draw_y(painter, layout, [tick for band in boxes.bands for tick in _ticks(layout, band)], theme)
    painter.setClipRect(plot)
    for band in boxes.bands:
        _draw_ground(painter, layout, band, boxes, theme)
    drawn = seen(layout, boxes)
    colours = palette((name_of(plan, int(block)) for block in distinct(boxes.block[drawn])), theme)
    for place in drawn.tolist():
        _draw_block(painter, layout, plan, boxes, place, colours, look)
    for band in boxes.bands:
        _draw_peak(painter, layout, band, theme)
    painter.setClipRect(QRectF(plot.left(), layout.head.top(), plot.width(), plot.bottom() - layout.head.top()))
    for band in boxes.bands:
        _draw_heading(painter, layout, band, look, baseline)
    painter.setClipping(False)
    draw_title(painter, layout, _title(plan, boxes, len(drawn), layout), theme)
    painter.restore()


def box_of(layout: PlaneLayout, boxes: Boxes, place: int) -> QRectF:
    """The rectangle of a block, at least 2 pixels wide and high."""
    left, right = layout.x_of(float(boxes.left[place])), layout.x_of(float(boxes.right[place]))
    top, bottom = layout.y_of(float(boxes.high[place])), layout.y_of(float(boxes.low[place]))
    return QRectF(left, min(top, bottom - 2), max(right - left, 2.0), max(bottom - top, 2.0))


def seen(layout: PlaneLayout, boxes: Boxes) -> I64:
    """Indices of the visible boxes in the order of the file; only the largest if there are too many."""
    view = layout.view
    places = boxes.near(view.x.start, view.x.end, view.y.start, view.y.end)
    if len(places) <= MOST_BOXES:
        return places
    area = (boxes.right[places] - boxes.left[places]) * (boxes.high[places] - boxes.low[places])
    largest: I64 = np.sort(places[np.argsort(-area, kind="stable")[:MOST_BOXES]])
    return largest


def draw_ghosts(painter: QPainter, layout: PlaneLayout, ghosts: Ghosts, theme: Theme) -> None:
    """Draws dashed outlines of blocks of the baseline; only the largest if too many are visible."""
    view = layout.view
    near = (ghosts.right >= view.x.start) & (ghosts.left <= view.x.end)
    near &= (ghosts.high >= view.y.start) & (ghosts.low <= view.y.end)
    places = np.flatnonzero(near)
    area = (ghosts.right - ghosts.left)[places] * (ghosts.high - ghosts.low)[places]
    painter.save()
    painter.setClipRect(layout.plot)
    for place in places[np.argsort(-area, kind="stable")[:MOST_GHOSTS]].tolist():
        left, right = (layout.x_of(float(edge[place])) for edge in (ghosts.left, ghosts.right))
        top, bottom = (layout.y_of(float(edge[place])) for edge in (ghosts.high, ghosts.low))
        corners = ((left, top), (right, top), (right, bottom), (left, bottom), (left, top))
        draw_dashes(painter, [QPointF(x, y) for x, y in corners], theme)
    painter.restore()


def draw_marks(
    painter: QPainter, layout: PlaneLayout, boxes: Boxes, selected: Iterable[int], hovered: int, theme: Theme
) -> None:
    """Draws a thick outline over a veil for selected blocks, a thin one for the hovered block."""
    painter.save()
    painter.setClipRect(layout.plot.adjusted(-2, -2, 2, 2))
    for place in selected:
        box = box_of(layout, boxes, place)
        veil = QColor(theme.selection)
        veil.setAlpha(90)
        painter.fillRect(box, veil)
        painter.setPen(QPen(QColor(theme.surface), 5))
        painter.drawRect(box)
        painter.setPen(QPen(QColor(theme.selection), 3))
        painter.drawRect(box)
    if hovered >= 0:
        box = box_of(layout, boxes, hovered)
        painter.setPen(QPen(QColor(theme.surface), 3))
        painter.drawRect(box)
        painter.setPen(QPen(QColor(theme.hover), 1))
        painter.drawRect(box)
    painter.restore()


def _title(plan: Onchip, boxes: Boxes, drawn: int, layout: PlaneLayout) -> str:
    view = layout.view
    there = len(boxes.near(view.x.start, view.x.end, view.y.start, view.y.end))
    parts = [tr("{kernel}: address over steps of the intermediate code", kernel=plan.kernel or tr("On-chip memory"))]
    if drawn < there:
        parts.append(
            tr("the {drawn:,} largest of {there:,} blocks in view; zoom in for the others", drawn=drawn, there=there)
        )
    if boxes.lost:
        parts.append(
            plural(
                "{count:,} block without an address is only in the table",
                "{count:,} blocks without an address are only in the table",
                count=boxes.lost,
            )
        )
    return " · ".join(parts)


def _ticks(layout: PlaneLayout, band: Band) -> list[Tick]:
    """Round addresses of the visible part of a band."""
    height = abs(layout.y_of(band.low) - layout.y_of(band.low + 1))
    most = max(int(height / (TICK_LINES * layout.line)), 1)
    step = 1
    while band.size / step > most:
        step *= 2
    low, high = ((edge - band.low) * band.size / step for edge in (layout.view.y.start, layout.view.y.end))
    seen_steps = range(max(math.floor(low), 0), min(math.ceil(high), band.size // step) + 1)
    return [Tick(band.low + number * step / band.size, f"{number * step:#x}") for number in seen_steps]


def _draw_ground(painter: QPainter, layout: PlaneLayout, band: Band, boxes: Boxes, theme: Theme) -> None:
    top, bottom = layout.y_of(band.low + 1), layout.y_of(band.low)
    left, right = layout.x_of(0.0), layout.x_of(boxes.steps)
    painter.setPen(QPen(QColor(theme.muted), 0))
    painter.drawLine(QLineF(left, bottom, right, bottom))
    painter.setPen(QPen(QColor(theme.line), 0))
    painter.drawLine(QLineF(left, top, right, top))


def _draw_heading(
    painter: QPainter, layout: PlaneLayout, band: Band, look: Look, baseline: OnchipBaseline | None
) -> None:
    """Draws the heading just above the band, at the left of the visible part."""
    bottom = layout.y_of(band.low + 1)
    if not layout.plot.top() - 1 <= bottom <= layout.plot.bottom() + layout.line:
        return
    box = QRectF(layout.plot.left() + GAP, bottom - layout.line - 1, layout.plot.width() - 2 * GAP, layout.line)
    painter.setPen(QColor(look.theme.error if band.error else look.theme.text))
    shown = elided(heading(band, look, baseline), layout.metrics, box.width())
    painter.drawText(box, LEFT, shown)


def _draw_peak(painter: QPainter, layout: PlaneLayout, band: Band, theme: Theme) -> None:
    """Draws a line at the step with the most bytes in use."""
    if band.peak_step < 0:
        return
    x = layout.x_of(band.peak_step + 0.5)
    painter.setPen(QPen(QColor(theme.warning), 1, Qt.PenStyle.DashLine))
    painter.drawLine(QLineF(x, layout.y_of(band.low), x, layout.y_of(band.low + 1)))


def _draw_block(
    painter: QPainter,
    layout: PlaneLayout,
    plan: Onchip,
    boxes: Boxes,
    place: int,
    colours: dict[str, str],
    look: Look,
) -> None:
    block, box = int(boxes.block[place]), box_of(layout, boxes, place)
    name = name_of(plan, block)
    fill = colours[name]
    painter.fillRect(box, QColor(fill))
    if plan.blocks.temporary[block]:
        painter.fillRect(box, QBrush(QColor(blend(fill, look.theme.surface, 0.45)), Qt.BrushStyle.BDiagPattern))
    painter.setPen(QPen(QColor(look.theme.surface), 1))
    painter.drawRect(box)
    shown = box.intersected(layout.plot)
    if shown.width() < NAMED or shown.height() < layout.line:
        return
    room = shown.adjusted(4, 0, -4, 0)
    text = name
    if shown.height() >= 2 * layout.line:
        below = QRectF(room.left(), room.center().y(), room.width(), layout.line)
        _say(painter, below, size(int(plan.blocks.size[block]), look.bytes_as), fill, layout)
        room = QRectF(room.left(), room.center().y() - layout.line, room.width(), layout.line)
    _say(painter, room, text, fill, layout)


def _say(painter: QPainter, room: QRectF, text: str, fill: str, layout: PlaneLayout) -> None:
    """Draws text on a background of its own, as it would be hard to read on hatching."""
    shown = elided(text, layout.metrics, room.width())
    ground = QRectF(room.left() - 2, room.center().y() - layout.line / 2, 0, layout.line)
    ground.setWidth(advance(shown, layout.metrics) + 4)
    painter.fillRect(ground, QColor(fill))
    painter.setPen(QColor(text_on(fill)))
    painter.drawText(room, LEFT, shown)


def scene_of(plan: Onchip, scope: int | None = None, comparison: Comparison | None = None) -> PlanScene:
    """The scene of one memory, or of all; with a baseline, where its blocks lay."""
    boxes = boxes_of(plan, scope)
    baseline = None if comparison is None else onchip_baseline(comparison)
    return PlanScene(plan, boxes, baseline, None if baseline is None else ghosts_of(baseline, plan, boxes))


def has_blocks(profile: Profile) -> bool:
    return profile.onchip is not None and len(profile.onchip.blocks) > 0


PLOTS = (
    scene_plot(
        "onchip",
        tr("On-chip memory"),
        has_blocks,
        lambda profile, _: None if profile.onchip is None else scene_of(profile.onchip),
    ),
)
