"""The memory path diagram as a scene of boxes and arrows, which zooms in proportion."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF, QPainter

from app.analysis.ascend.diagram.figures import BlockFigures
from app.analysis.ascend.diagram.parts import Arrow, Box
from app.language import tr
from app.panels.memory_paths.draw import draw_marked, draw_paths
from app.panels.memory_paths.layout import DEEPEST, Layout, arrow_at, box_at, lay_out
from app.panels.memory_paths.texts import all_notes, drawn
from app.views.look import Look
from app.views.memory_paths.changes import about_box_before, about_changes
from app.views.memory_paths.words import Show, about_box, about_path
from app.views.plane.nearest import nearest_beside
from app.widgets.plane.scene import Bounds, Hit, Marks, PlainScene, neighbour
from app.widgets.plane.view import Extent, PlaneView


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
