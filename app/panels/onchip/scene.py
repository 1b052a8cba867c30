"""An on-chip memory plan as a scene of a plane. Items are indices of its boxes."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF, QPainter

from app.language import tr
from app.panels.onchip.draw import draw_ghosts, draw_marks, draw_plan
from app.profile.ascend_report import Onchip
from app.views.look import Look
from app.views.onchip.bands import GAP as BAND_GAP
from app.views.onchip.bands import Boxes
from app.views.onchip.compared import Ghosts, OnchipBaseline
from app.views.onchip.words import about, heading
from app.views.plane.nearest import nearest_beside
from app.widgets.plane.scene import Bounds, Hit, Marks, PlainScene, neighbour
from app.widgets.plane.view import GAP, PlaneLayout, PlaneView, lay_out
from app.widgets.texts import advance

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
