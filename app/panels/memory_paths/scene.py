"""The memory path diagram as a scene of boxes and arrows, which zooms in proportion."""

from __future__ import annotations

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF, QPainter

from app.analysis.ascend.diagram.figures import BlockFigures
from app.analysis.ascend.diagram.parts import Arrow, Box
from app.language import tr
from app.panels.memory_paths.changes import about_box_before, about_changes
from app.panels.memory_paths.draw import draw_marked, draw_paths
from app.panels.memory_paths.layout import DEEPEST, Layout, arrow_at, box_at, lay_out
from app.panels.memory_paths.texts import all_notes, drawn
from app.panels.memory_paths.words import Show, about_box, about_path
from app.widgets.display import Look
from app.widgets.plane.scene import Bounds, Hit, Marks, PlainScene, neighbour
from app.widgets.plane.view import PlaneView


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
        return None if arrow is None else Hit(arrow.path, selectable=arrow.path in self.figures.shown)

    def describe(self, layout: Layout, point: QPointF, _look: Look) -> str:
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
        if arrow is None:
            return ""
        text = about_path(arrow.path, figures.shown.get(arrow.path))
        return "\n".join((text, *about_changes(arrow.path, figures)))

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

    def step(self, item: int, direction: int) -> int:
        """The next or previous path with figures, by number."""
        paths = sorted(self.figures.shown)
        place = neighbour(paths.index(item) if item in paths else -1, direction, len(paths))
        return paths[place] if place >= 0 else -1

    @property
    def _arrows(self) -> list[Arrow]:
        return drawn(self.figures.diagram, self.figures)
