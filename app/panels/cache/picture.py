"""Maps of the cache, of one profile or with those of a baseline: each as a scene of 128 cells per row, the first row at
the top, whose items are cells; and a grid of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from app.analysis.compare.operators import ComparedCells, compared_cells
from app.language import tr
from app.panels.spec import PlotSpec
from app.profile.ascend import Cache
from app.profile.profile import Profile
from app.profile.selection import Kind
from app.views.axis import Span, TileAxis
from app.views.cache import WIDE, CacheMap, Choice, Figure, MapBaseline, about, choices, line_maps, set_maps, unit_of
from app.views.heat.diverging import diverging_scale
from app.views.heat.pyramid import Pyramid
from app.views.look import Look, Theme
from app.views.timeline.ticks import multiples, nice_step
from app.widgets.abilities import HasPicture
from app.widgets.display import Display
from app.widgets.heat.draw import draw_cells, draw_legend, outline
from app.widgets.heat.layout import HeatLayout
from app.widgets.heat.picture import Both, HeatPicture
from app.widgets.plane.axes import Tick, draw_title, draw_x, draw_y
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.plane.scene import Bounds, Hit, Marks, PlainScene, draw_whole, in_grid, neighbour, row_end
from app.widgets.plane.view import GAP, PlaneLayout, PlaneView, lay_out
from app.widgets.texts import advance

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison

LEAST = (8.0, 2.0)
TALLEST = 28.0
"""Greatest height of a row, so that a few rows are not stretched over the whole map."""
MOST_MARKED = 4000


def picture_of(shown: CacheMap, figure: Figure) -> HeatPicture:
    """The cells with their colour scale; of a map with a baseline, the differences from it around zero."""
    values, baseline, both = shown.matrix(figure), shown.baseline, None
    share = figure == "share"
    if baseline is None:
        pyramid = Pyramid(values, shown.scale(figure))
        title = (
            tr("{shown}: share of {of}", shown=shown.title, of=shown.of)
            if share
            else tr("{shown}: events", shown=shown.title)
        )
    else:
        title = (
            tr("{shown}: share, difference from the baseline", shown=shown.title)
            if share
            else tr("{shown}: events, difference from the baseline", shown=shown.title)
        )
        after, before = values, shown.as_matrix(baseline.share if share else baseline.count)
        values = after - before
        pyramid = Pyramid(values, diverging_scale(values))

        def both(row: int, column: int) -> Both:
            return float(before[row, column]), float(after[row, column])

    return HeatPicture(title, pyramid, unit_of(figure), tr("Row"), str, TileAxis(WIDE, tr("Column")), both=both)


class CacheScene(PlainScene, Struct, frozen=True, eq=False):
    """``picture`` of ``shown``; ``instructions`` returns how many instructions are linked to a cell (see
    ``about``)."""

    shown: CacheMap
    picture: HeatPicture
    instructions: Callable[[CacheMap, int], int | None]

    @property
    def title(self) -> str:
        return tr("Cache map, {picture}", picture=self.picture.title)

    @property
    def shape(self) -> tuple[object, ...]:
        return self.shown.kind, self.shown.rows

    def whole(self) -> PlaneView:
        return PlaneView.whole(float(WIDE), float(max(self.shown.rows, 1)), LEAST)

    def lay_out(self, place: QRectF, view: PlaneView, _look: Look, metrics: QFontMetricsF) -> PlaneLayout:
        widest = advance(f"{self.shown.rows * WIDE:,}", metrics)
        layout = lay_out(place, view, metrics, widest + 2 * GAP)
        plot = layout.plot
        height = min(plot.height(), math.floor(max(self.shown.rows, 1) * TALLEST))
        plot = QRectF(plot.left(), plot.top(), plot.width(), height)
        axis = QRectF(plot.left(), plot.bottom(), plot.width(), layout.axis.height())
        scale = QRectF(layout.scale.left(), plot.top(), layout.scale.width(), height)
        return replace(layout, plot=plot, axis=axis, scale=scale)

    def draw(self, painter: QPainter, layout: PlaneLayout, look: Look) -> None:
        painter.save()
        draw_head(painter, layout, self.picture, look)
        _draw_axes(painter, layout, self.shown.rows, look.theme)
        draw_cells(painter, self._heat(layout), self.picture, look.theme, painter.device().devicePixelRatio())
        rest = self.shown.rows * WIDE - self.shown.cells
        if rest:
            painter.setClipRect(layout.plot)
            behind = self._run(layout, self.shown.cells, rest)
            painter.fillRect(behind, QColor(look.theme.surface))
            painter.setPen(QPen(QColor(look.theme.line), 1))
            painter.drawLine(behind.topLeft(), behind.bottomLeft())
            painter.drawLine(behind.topLeft(), behind.topRight())
        painter.setClipping(False)
        painter.setPen(QPen(QColor(look.theme.line), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(layout.plot)
        painter.restore()

    def draw_marks(self, painter: QPainter, layout: PlaneLayout, marks: Marks, look: Look) -> None:
        painter.save()
        painter.setClipRect(layout.plot.adjusted(-2, -2, 2, 2))
        ink = QColor(look.theme.selection)
        for cell in marks.selected[:MOST_MARKED].tolist():
            box = self._run(layout, cell, 1)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(look.theme.surface), 4))
            painter.drawRect(box)
            painter.setPen(QPen(ink, 2))
            painter.drawRect(box)
        if marks.item >= 0:
            outline(painter, self._run(layout, marks.item, 1), look.theme)
        painter.restore()

    def item_at(self, layout: PlaneLayout, point: QPointF) -> int:
        """The cell under the pointer; if a pixel shows several cells, the one with the largest figure."""
        if not layout.plot.contains(point):
            return -1
        block = self._heat(layout).block_at(point)
        if block is None:
            return -1
        row, column = self.picture.largest(*block)
        cell = row * WIDE + column
        return cell if cell < self.shown.cells else -1

    def describe(self, layout: PlaneLayout, point: QPointF, look: Look) -> str:
        return self.words(Hit(self.item_at(layout, point)), look)

    def words(self, hit: Hit, _look: Look) -> str:
        return about(self.shown, hit.item, self.instructions) if 0 <= hit.item < self.shown.cells else ""

    def bounds(self, item: int) -> Bounds | None:
        if not 0 <= item < self.shown.cells:
            return None
        row, column = divmod(item, WIDE)
        top = self.shown.rows - row
        return column, column + 1, top - 1, top

    def step(self, item: int, direction: int) -> int:
        return neighbour(item, direction, self.shown.cells)

    def walk(self, _layout: PlaneLayout, hit: Hit, across: int, down: int) -> Hit:
        return Hit(in_grid(hit.item, across, down, WIDE, self.shown.cells))

    def end(self, hit: Hit | None, direction: int) -> Hit | None:
        if not self.shown.cells:
            return None
        return Hit(0 if hit is None else row_end(hit.item, direction, WIDE, self.shown.cells))

    def _heat(self, layout: PlaneLayout) -> HeatLayout:
        """The same geometry for a heat map, whose rows grow downwards."""
        view, rows = layout.view, float(self.shown.rows)
        down = Span(rows - view.y.end, rows - view.y.start, rows)
        seen = PlaneView(view.x, down)
        return HeatLayout(layout.head, layout.scale, layout.plot, layout.axis, seen, layout.metrics)

    def _run(self, layout: PlaneLayout, cell: int, count: int) -> QRectF:
        """The rectangle of neighbouring cells in a row."""
        row, column = divmod(cell, WIDE)
        top = layout.y_of(self.shown.rows - row)
        bottom = layout.y_of(self.shown.rows - row - 1)
        return QRectF(QPointF(layout.x_of(column), top), QPointF(layout.x_of(column + count), bottom))


def _draw_axes(painter: QPainter, layout: PlaneLayout, rows: int, theme: Theme) -> None:
    """Draws column numbers below, and at the left the first cell of each row."""
    view, plot = layout.view, layout.plot
    step = max(nice_step(view.x.width, int(plot.width() / 40)), 1.0)
    across = [Tick(n + 0.5, f"{n:,.0f}") for n in multiples(view.x.start, min(view.x.end, WIDE - 1), step)]
    draw_x(painter, layout, across, tr("column"), theme)
    step = max(nice_step(view.y.width, max(int(plot.height() / (1.5 * layout.line)), 1)), 1.0)
    down = multiples(rows - view.y.end, min(rows - view.y.start, rows - 1), step)
    draw_y(painter, layout, [Tick(rows - row - 0.5, f"{row * WIDE:,.0f}") for row in down], theme)


ROOMY = 460.0
RAMP = 56.0
SWATCH = 10.0
SINGLE = Qt.TextFlag.TextSingleLine.value


def draw_head(painter: QPainter, layout: PlaneLayout, picture: HeatPicture, look: Look) -> None:
    """Draws the heading: the full legend if the map is wide, otherwise only the ramp and its ends."""
    if layout.head.width() >= ROOMY:
        draw_legend(painter, layout.head, picture, look, layout.metrics)
        return
    figures = picture.legend(look, 2)
    least = picture.scale.low <= 0 and not picture.scale.signed
    low, high = ("> 0" if least else figures[0][1]), figures[-1][1]
    right = layout.head.right() - GAP - advance(high, layout.metrics)
    middle = layout.head.center().y()
    bar = QRectF(right - 4 - RAMP, middle - SWATCH / 2, RAMP, SWATCH)
    colours = (picture.scale.ramp(look.theme).astype(np.uint32) << np.array([16, 8, 0], np.uint32)).sum(
        axis=1, dtype=np.uint32
    )
    colours |= np.uint32(0xFF000000)
    painter.drawImage(bar, QImage(colours.data, len(colours), 1, len(colours) * 4, QImage.Format.Format_RGB32))
    left = bar.left() - 4 - advance(low, layout.metrics)
    painter.setPen(QColor(look.theme.muted))
    for x, text in ((right, high), (left, low)):
        box = QRectF(x, layout.head.top(), advance(text, layout.metrics) + 1, layout.head.height())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter.value | SINGLE, text)
    draw_title(painter, layout, picture.title, look.theme, layout.head.right() - left)


NARROW, LOW = 280.0, 84.0
"""Least width and height of a map, as long as the number of columns allows it."""


class MapGrid(QWidget, HasPicture):
    """A grid of map canvases. Signals: ``chosen`` (kind, cell, whether to extend the selection), ``pointed`` (kind,
    cell; -1 for none)."""

    chosen = Signal(str, int, bool)
    pointed = Signal(str, int)

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._display = display
        self.canvases: list[PlaneCanvas[CacheScene]] = []
        self.scenes: list[CacheScene] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(0)
        self._columns = 0
        self._grow(1)

    def show_scenes(self, scenes: Sequence[CacheScene]) -> None:
        """Shows each scene in a canvas of its own."""
        self._grow(len(scenes))
        self.scenes = list(scenes)
        for place, canvas in enumerate(self.canvases):
            there = place < len(scenes)
            canvas.set_scene(scenes[place] if there else None)
            canvas.setVisible(there or place == 0)
        self._columns = 0
        self._arrange()

    def mark(self, cells: dict[Kind, Iterable[int]], *, reveal: bool = False) -> None:
        """Marks these cells as selected, by the kind of item that a map shows."""
        for scene, canvas in zip(self.scenes, self.canvases, strict=False):
            canvas.mark(cells.get(scene.shown.kind, ()), reveal=reveal)

    def hover(self, kind: Kind | None, cell: int) -> None:
        """Outlines a cell that is hovered in another view."""
        for scene, canvas in zip(self.scenes, self.canvases, strict=False):
            canvas.hover(cell if scene.shown.kind == kind else -1)

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        """Draws all maps into ``place``."""
        parts = split(place, len(self.scenes))
        for canvas, part in zip(self.canvases[: len(self.scenes)], parts, strict=True):
            canvas.draw_picture(painter, part, theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        count = max(len(self.scenes), 1)
        columns = columns_for(count, float(self.width()), float(self.height()))
        if columns == self._columns:
            return
        self._columns = columns
        for place, canvas in enumerate(self.canvases):
            self._grid.removeWidget(canvas)
            self._grid.addWidget(canvas, place // columns, place % columns)
        rows = -(-count // columns)
        for row in range(self._grid.rowCount()):
            self._grid.setRowStretch(row, int(row < rows))
        for column in range(self._grid.columnCount()):
            self._grid.setColumnStretch(column, int(column < columns))

    def _grow(self, count: int) -> None:
        while len(self.canvases) < count:
            canvas: PlaneCanvas[CacheScene] = PlaneCanvas(self._display, self)
            place = len(self.canvases)
            canvas.chosen.connect(lambda cells, adding, place=place: self._choose(place, int(cells[0]), adding))
            canvas.pointed.connect(lambda cell, _, place=place: self._point(place, cell))
            canvas.setMinimumSize(120, 60)
            self.canvases.append(canvas)
            if place == 0:
                self.setFocusProxy(canvas)

    def _choose(self, place: int, cell: int, adding: bool) -> None:
        if place < len(self.scenes):
            self.chosen.emit(self.scenes[place].shown.kind, cell, adding)

    def _point(self, place: int, cell: int) -> None:
        """Publishes the hovered cell; a map that was just removed may still report that the pointer has left it."""
        if place < len(self.scenes):
            self.pointed.emit(self.scenes[place].shown.kind, cell)


def columns_for(count: int, width: float, height: float) -> int:
    """The least number of columns that leaves each map high enough, limited so that each stays wide enough."""
    most = max(1, min(count, int(width // NARROW)))
    for columns in range(1, most + 1):
        if height / -(-count // columns) >= LOW:
            return columns
    return most


def split(place: QRectF, count: int) -> list[QRectF]:
    """Divides ``place`` into a grid of ``count`` parts."""
    if not count:
        return []
    columns = columns_for(count, place.width(), place.height() / 2)
    rows = -(-count // columns)
    width, height = place.width() / columns, place.height() / rows
    return [
        QRectF(place.left() + number % columns * width, place.top() + number // columns * height, width, height)
        for number in range(count)
    ]


class Maps(Struct, frozen=True, eq=False):
    """``maps`` of the choice ``choice``; with a ``comparison``, those of both sides, and ``cells``: which line or set
    each cell is."""

    choice: str
    maps: tuple[CacheMap, ...]
    comparison: Comparison | None = None
    cells: ComparedCells | None = None


def maps_of(choice: Choice, comparison: Comparison | None = None) -> Maps:
    """The maps of a choice; may run in a thread."""
    after = choice.make()
    if comparison is None:
        return Maps(choice.id, after)
    cells = compared_cells(comparison, "cache-lines" if choice.lines else "cache-sets")
    cache = comparison.before.cache
    own = () if cache is None else choices(cache)
    before: Sequence[CacheMap] = next((one.make() for one in own if one.id == choice.id), ())
    maps = tuple(_both(shown, dict(enumerate(before)).get(place), cells) for place, shown in enumerate(after))
    return Maps(choice.id, maps, comparison, cells)


def _both(after: CacheMap, before: CacheMap | None, cells: ComparedCells) -> CacheMap:
    """A map whose cells are those of both sides."""
    none = np.full(max(int(cells.before.max(initial=-1)) + 1, 0), np.nan)
    shares = cells.of_sides(none if before is None else before.share, after.share)
    counts = cells.of_sides(none if before is None else before.count, after.count)
    lines = np.append(after.line, -1)[cells.after]
    if before is not None:
        lines = np.where(cells.after >= 0, lines, np.append(before.line, -1)[cells.before])
    baseline = MapBaseline(shares[0], counts[0], after.cells)
    return replace(after, share=shares[1], count=counts[1], line=lines.astype(np.int64), baseline=baseline)


def _plot(plot_id: str, title: str, maps_of: Callable[[Cache], tuple[CacheMap, ...]]) -> PlotSpec:
    def maps(profile: Profile) -> tuple[CacheMap, ...]:
        return () if profile.cache is None else maps_of(profile.cache)

    def draw(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
        shown = maps(profile)
        for one, part in zip(shown, split(place, len(shown)), strict=True):
            scene = CacheScene(one, picture_of(one, "share"), lambda _map, _cell: None)
            draw_whole(painter, part, scene, Look(theme=theme))

    return PlotSpec(plot_id, title, lambda profile: any(one.cells for one in maps(profile)), draw)


PLOTS = (
    _plot("cache-lines", tr("Hits and misses of cache lines"), line_maps),
    _plot("cache-sets", tr("Events of cache sets"), set_maps),
)
