"""The panel of tile memory: what is chosen above, bars, a histogram, a grid or a table below."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from app.analysis import bins
from app.analysis.table import Table
from app.document.document import Update
from app.panels.tile_memory.bar import ChoiceBar
from app.panels.tile_memory.chosen import NONE, ChosenTiles
from app.panels.tile_memory.content import (
    Content,
    choices,
    content_of,
    figures_table,
    ipu_table,
    tile_table,
)
from app.panels.tile_memory.contents import LEAST, ContentStrip
from app.panels.tile_memory.picture import amounts, bars_of, floor_of, histogram_of
from app.panels.tile_memory.places import Places, View, places
from app.panels.tile_memory.spread import words
from app.profile.arrays import I64
from app.profile.selection import Ranges, Selection
from app.widgets.chart.canvas import ChartCanvas
from app.widgets.chart.histogram import HistogramPicture
from app.widgets.context import Context
from app.widgets.empty import OrEmpty
from app.widgets.floor.scene import FloorScene
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.plot.scene import PlotScene, plot_scene
from app.widgets.refresh import Refresh
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular
from app.widgets.theme import Theme

SOURCE = "tile_memory"
SECTIONS = ("tile_memory", "target", "compute_sets", "measured_cycles", "steps", "exchanges")
EMPTY = "This profile has no memory per tile: the graph was written without it."
LACKING = "This file does not break the memory down that way."


class TileMemoryPanel(QWidget, Tabular):
    """Tiles are selected by click, drag, or typing, in every view; figures of those chosen stand at the bottom."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._content: Content | None = None
        self._places: Places | None = None
        self._chosen = ChosenTiles(context.document, SOURCE)
        self.bar = ChoiceBar(self)
        self.breakdown, self.gaps, self.limit, self.as_table = (
            *(self.bar.figure, self.bar.gaps, self.bar.limit, self.bar.as_table),
        )
        self.canvas: PlaneCanvas[PlotScene] = PlaneCanvas(context.display, self)
        self.histogram: ChartCanvas[HistogramPicture] = ChartCanvas(context.display, self)
        self.floor: PlaneCanvas[FloorScene] = PlaneCanvas(context.display, self)
        self.table = TableWidget(context.display, self)
        self._link = LinkedTable(context, self.table, SOURCE)
        self.strip = ContentStrip(context, self)
        self.readout = self.strip.readout
        self._build()
        self._connect()
        self._refresh.request()

    def _build(self) -> None:
        self.pages = QStackedWidget(self)
        for page in (self.canvas, self.histogram, self.floor, self.table):
            self.pages.addWidget(page)
        upper = QWidget(self)
        inside = QVBoxLayout(upper)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(0)
        head = QHBoxLayout()
        head.setContentsMargins(8, 4, 8, 4)
        head.addWidget(self.bar)
        inside.addLayout(head)
        inside.addWidget(self.pages, 1)
        self.splitter = QSplitter(Qt.Orientation.Vertical, self)
        self.splitter.addWidget(upper)
        self.splitter.addWidget(self.strip)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 0)
        self.stack = OrEmpty(self._context.display, self.splitter, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.stack)
        self.setFocusProxy(self.canvas)

    def _connect(self) -> None:
        document = self._context.document
        self._refresh = Refresh(self, self._show)
        document.updated.connect(self._updated)
        document.selection.changed.connect(self._selected)
        document.hover.changed.connect(self._hovered)
        document.ranges.changed.connect(self._ranged)
        self._context.display.changed.connect(self._say)
        self.bar.changed.connect(self._fill)
        self.bar.turned.connect(self._turn)
        self.strip.opened.connect(self._opened)
        self.bar.tiles.typed.connect(lambda tiles: self._chosen.choose(tiles, adding=False))
        self.canvas.pointed.connect(self._point)
        self.canvas.chosen.connect(self._choose)
        self.canvas.range_wanted.connect(self._set_range)
        self.histogram.pointed.connect(lambda _, text: self._say(text))
        self.histogram.chosen.connect(self._choose_bins)
        self.floor.pointed.connect(self._point_tile)
        self.floor.chosen.connect(lambda tiles, adding: self._chosen.choose(tiles, adding=adding))

    # -- abilities ----------------------------------------------------------------------------------------

    def shown_table(self) -> Table | None:
        found = self._content
        if found is None:
            return None
        if self.view == "ipu":
            return ipu_table(found)
        if self.view == "figures":
            return figures_table(found, *self._chosen.counted(found.tiles))
        if self.view == "histogram":
            picture = histogram_of(found, self.bar.part, limit=self.limit.isChecked())
            return None if picture is None else bins.table(picture.title, picture.bins, found.unit, "tiles")
        return tile_table(found)

    def shown_rows(self) -> I64 | None:
        return self.table.shown_rows() if self._front is self.table else None

    def selected_rows(self) -> I64:
        if self._front is self.table:
            return self.table.selected_rows()
        return self._chosen.tiles if self.view in ("tile", "sorted", "floor") else NONE

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        shown: ChartCanvas[HistogramPicture] | PlaneCanvas[FloorScene] | PlaneCanvas[PlotScene] = self.canvas
        if self.view in ("histogram", "floor"):
            shown = self.histogram if self.view == "histogram" else self.floor
        shown.draw_picture(painter, place, theme)

    # -- contents -----------------------------------------------------------------------------------------

    @property
    def view(self) -> View:
        return self.bar.view

    @property
    def _front(self) -> QWidget | None:
        return self.pages.currentWidget()

    def _updated(self, update: Update) -> None:
        if update.profile is None or update.touches(*SECTIONS):
            self._refresh.request()

    def _show(self) -> None:
        profile = self._context.document.profile
        memory = None if profile is None else profile.tile_memory
        if profile is None or memory is None or not memory.tiles:
            self._content = self._places = None
            self.strip.show_profile(None)
            self.stack.show_empty(EMPTY)
            return
        self.stack.show_content()
        self.strip.show_profile(profile)
        self.bar.offer(choices(profile))
        self._fill()

    def _fill(self) -> None:
        """The chosen figure, in the chosen view."""
        profile = self._context.document.profile
        choice = self.bar.choice
        if profile is None or self.stack.is_empty:
            return
        found = None if choice is None else content_of(profile, choice, gaps=self.gaps.isChecked())
        self._content = found
        if found is None:
            self._places = None
            self.canvas.set_scene(None)
            self.readout.say(LACKING)
            return
        self.bar.offer_parts([(title, about) for _, title, _, about in found.parts])
        self.bar.tiles.set_tiles(found.tiles, found.per_ipu)
        self._places = places(found, self.view)
        self._draw(found)
        self._turn()
        self._selected(self._context.document.selection.value)
        self._ranged(self._context.document.ranges.value)

    def _draw(self, found: Content) -> None:
        limit = self.limit.isChecked()
        if self.view == "histogram":
            self.histogram.show_picture(histogram_of(found, self.bar.part, limit=limit))
        elif self.view == "floor":
            self.floor.set_scene(FloorScene(floor_of(found, self.bar.part)))
        elif self._places is not None:
            picture = bars_of(found, self._places, limit=limit, lines=self.bar.lines.isChecked())
            self.canvas.set_scene(plot_scene(picture))

    def _turn(self) -> None:
        """The page of the view, or its table, which is made when it is first wanted."""
        wanted = self.as_table.isChecked() or self.view == "figures"
        table = self.shown_table() if wanted else None
        if table is not None:
            self._link.show(table)
        pages: dict[str, QWidget] = {"histogram": self.histogram, "floor": self.floor}
        self.pages.setCurrentWidget(self.table if wanted else pages.get(self.view, self.canvas))

    def _say(self, pointed: object = "") -> None:
        """The figure under the pointer, else the spread over the tiles of the selection or the range."""
        self.readout.say(pointed if isinstance(pointed, str) and pointed else self._spread())

    def _spread(self) -> str:
        found = self._content
        if found is None:
            return LACKING
        return words(found, self.bar.part, *self._chosen.counted(found.tiles), self._context.display.look)

    # -- selection ----------------------------------------------------------------------------------------

    def _selected(self, selection: Selection | None) -> None:
        found, where = self._content, self._places
        tiles = self._chosen.follow(selection, 0 if found is None else found.tiles)
        self.bar.tiles.show_tiles(tiles)
        self.floor.mark(tiles)
        if where is not None:
            reveal = selection is not None and selection.source != SOURCE
            self.canvas.mark(where.places_of(tiles), reveal=reveal)
        if selection is not None and selection.kind == "tile" and len(tiles):
            self.strip.offer(self.splitter.height())
        self._recount()

    def _recount(self) -> None:
        """Figures of the tiles that are chosen now."""
        found = self._content
        self.strip.show_tiles(NONE if found is None else self._chosen.counted(found.tiles)[0])
        if self.view == "figures":
            self._turn()
        self._say()

    def _opened(self, wanted: bool) -> None:
        """Gives what is below half of the room, or takes it back."""
        height = self.splitter.height()
        lower = max(height // 2, LEAST + self.readout.height()) if wanted else self.readout.height()
        self.splitter.setSizes([height - lower, lower])

    def _hovered(self, hover: Selection | None) -> None:
        if hover is None or hover.source != SOURCE:
            tile = hover.first if hover is not None and hover.kind == "tile" else -1
            self.floor.hover(tile)
            inside = self._places is not None and 0 <= tile < len(self._places.place_of)
            self.canvas.hover(int(self._places.place_of[tile]) if inside and self._places is not None else -1)

    def _ranged(self, ranges: Ranges) -> None:
        del ranges
        tiles = None if self._content is None else self._chosen.within(self._content.tiles)
        self.floor.set_range(tiles)
        where = self._places
        self.canvas.set_range(None if tiles is None or where is None else where.places_of(tiles))
        self._recount()

    def _choose(self, places: I64, adding: bool) -> None:
        if self._places is not None:
            self._chosen.choose(self._places.tiles_of(int(places[0]), int(places[-1])), adding=adding)

    def _choose_bins(self, chosen: I64, adding: bool) -> None:
        found, picture = self._content, self.histogram.picture
        if found is not None and picture is not None:
            values, _ = amounts(found, self.bar.part)
            members = picture.bins.members(values, int(chosen[0]), int(chosen[-1]))
            self._chosen.choose(members, adding=adding)

    def _set_range(self, first: int, last: int) -> None:
        if self._places is not None:
            whole = self.view == "sorted" and len(self._chosen.tiles) > 0
            self._chosen.limit(self._chosen.tiles if whole else self._places.tiles_of(first, last))

    def _point(self, place: int, text: str) -> None:
        tile = -1
        if self._places is not None and place >= 0 and self.view != "ipu":
            tile = int(self._places.tiles[place])
        self._point_tile(tile, text)

    def _point_tile(self, tile: int, text: str) -> None:
        self._say(text)
        self._chosen.point(tile)
