"""The grid of tiles as a scene whose axes zoom together."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF, QPainter

from app.language import tr
from app.profile.arrays import I64
from app.widgets.display import Look
from app.widgets.floor.draw import FloorPicture, draw_floor
from app.widgets.floor.layout import FloorPlan, lay_out_plan
from app.widgets.floor.marks import draw_marks
from app.widgets.plane.scene import Hit, Marks, PlainScene, neighbour
from app.widgets.plane.view import Extent, PlaneView

DEEPEST = 16.0
"""The largest zoom factor."""


@dataclass(frozen=True, slots=True, eq=False)
class FloorScene(PlainScene):
    """Items are tiles; a drag selects those in a box, arrow keys go to the next one."""

    picture: FloorPicture
    kind = tr("Grid of tiles")
    drag = "box"
    together = True

    @property
    def title(self) -> str:
        return self.picture.heat.title

    @property
    def shape(self) -> tuple[object, ...]:
        return self.picture.tiles, self.picture.per_ipu

    def whole(self) -> PlaneView:
        return PlaneView.whole(1.0, 1.0, (1.0 / DEEPEST, 1.0 / DEEPEST))

    def lay_out(self, place: QRectF, view: PlaneView, _look: Look, metrics: QFontMetricsF) -> FloorPlan:
        return lay_out_plan(place, self.picture.tiles, self.picture.per_ipu, view, metrics)

    def draw(self, painter: QPainter, layout: FloorPlan, look: Look) -> None:
        draw_floor(painter, layout, self.picture, look)

    def draw_marks(self, painter: QPainter, layout: FloorPlan, marks: Marks, look: Look) -> None:
        draw_marks(painter, layout, self.picture.tiles, marks, look.theme)

    def item_at(self, layout: FloorPlan, point: QPointF) -> int:
        return layout.cells.tile_at(point) if layout.plot.contains(point) else -1

    def words(self, hit: Hit, look: Look) -> str:
        return self.picture.describe(hit.item, look) if hit.item < self.picture.tiles else ""

    def extent(self, layout: FloorPlan, items: I64) -> Extent | None:
        box = QRectF()
        for tile in items[items < self.picture.tiles].tolist():
            box = box.united(layout.cells.cell_rect(tile))
        if box.isEmpty():
            return None
        (left, top), (right, bottom) = layout.at(box.topLeft()), layout.at(box.bottomRight())
        return Extent((left, right), (top, bottom))

    def step(self, item: int, direction: int) -> int:
        return neighbour(item, direction, self.picture.tiles)

    def beside(self, layout: FloorPlan, item: int, across: int, down: int) -> int:
        """The tile to the side of ``item``; the first tile if none is selected."""
        step = across + down * layout.cells.columns
        return min(max(item + step, 0), self.picture.tiles - 1) if item >= 0 else min(0, self.picture.tiles - 1)

    def swept(self, layout: FloorPlan, box: QRectF) -> I64:
        return layout.cells.tiles_in(box.intersected(layout.plot))
