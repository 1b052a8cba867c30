"""Tile activity as a scene of a plane: time against tiles. Items are tiles."""

from __future__ import annotations

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from app.analysis.poplar.tile_time import Sums, TileTime
from app.language import tr
from app.panels.steps.tiles_draw import draw_axes, draw_ipus, draw_range, draw_tiles
from app.profile.selection import TimeRange
from app.profile.steps import Steps
from app.views.look import Look
from app.views.units import cycles_and_time
from app.views.visible_runs import visible_runs
from app.widgets.heat.marks import outline
from app.widgets.plane.scene import Bounds, Hit, Marks, PlainScene, neighbour
from app.widgets.plane.view import GAP, Extent, PlaneLayout, PlaneView, lay_out
from app.widgets.texts import advance

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
