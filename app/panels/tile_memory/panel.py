"""The tile memory panel: choosers above; bars, a histogram, a grid or a table below."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.analysis import bins
from app.analysis.table import Table
from app.analysis.tables.tile_memory import figures_table, ipu_table, tile_table
from app.analysis.tile_breakdowns import Content, choices, content_of
from app.language import tr
from app.panels.panel import Panel
from app.panels.tile_memory import SPEC
from app.panels.tile_memory.bar import ChoiceBar
from app.panels.tile_memory.chosen import NONE, ChosenTiles
from app.panels.tile_memory.contents import LEAST, ContentStrip
from app.panels.tile_memory.picture import amounts, bars_of, floor_of, histogram_of
from app.panels.tile_memory.places import Places, View, places
from app.panels.tile_memory.spread import words
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Ranges, Selection
from app.widgets.abilities import HasPicture
from app.widgets.chart.canvas import ChartCanvas
from app.widgets.chart.histogram import HistogramPicture
from app.widgets.display import Look
from app.widgets.floor.scene import FloorScene
from app.widgets.frame import bar_of, column_of, pages_of
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.plot.scene import PlotScene, plot_scene
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular

LACKING = tr("This file does not break the memory down that way.")


class TileMemoryPanel(Panel):
    """Tiles are selected by clicking, dragging, or typing, in every view; figures of the selected tiles are at the
    bottom."""

    spec = SPEC
    empty = tr("This profile has no memory per tile: the graph was written without it.")

    def build(self) -> None:
        display = self.context.display
        self._content: Content | None = None
        self._places: Places | None = None
        self._chosen = ChosenTiles(self.context.document, self.shared)
        self.bar = ChoiceBar(self)
        self.breakdown, self.gaps, self.limit, self.as_table = (
            *(self.bar.figure, self.bar.gaps, self.bar.limit, self.bar.as_table),
        )
        self.canvas: PlaneCanvas[PlotScene] = PlaneCanvas(display, self)
        self.histogram: ChartCanvas[HistogramPicture] = ChartCanvas(display, self)
        self.floor: PlaneCanvas[FloorScene] = PlaneCanvas(display, self)
        self.table = TableWidget(display, self)
        self._link = LinkedTable(self.context, self.table, self.spec.id)
        self.strip = ContentStrip(self.context, self)
        self.readout = self.strip.readout
        self.pages = pages_of(self, (self.canvas, self.histogram, self.floor, self.table))
        upper = column_of(bar_of((self.bar, 1)), (self.pages, 1))
        self.splitter = self.strip.under(upper, share=0.5, least=LEAST)
        self.lay_out((self.splitter, 1), home=self.canvas)
        self._connect()

    def _connect(self) -> None:
        self.bar.changed.connect(self._fill)
        self.bar.turned.connect(self._turn)
        self.bar.tiles.typed.connect(lambda tiles: self._chosen.choose(tiles, adding=False))
        self.canvas.pointed.connect(self._point)
        self.canvas.chosen.connect(self._choose)
        self.canvas.range_wanted.connect(self._set_range)
        self.histogram.pointed.connect(lambda _, text: self._say(text))
        self.histogram.chosen.connect(self._choose_bins)
        self.floor.pointed.connect(self._point_tile)
        self.floor.chosen.connect(lambda tiles, adding: self._chosen.choose(tiles, adding=adding))

    # -- abilities ----------------------------------------------------------------------------------------

    def tabular(self) -> Tabular:
        return self

    def shown_table(self) -> Table | None:
        content = self._content
        if content is None:
            return None
        if self.view == "ipu":
            return ipu_table(content)
        if self.view == "figures":
            return figures_table(content, *self._chosen.counted(content.tiles))
        if self.view == "histogram":
            picture = histogram_of(content, self.bar.part, limit=self.limit.isChecked())
            return None if picture is None else bins.table(picture.title, picture.bins, content.unit, "tiles")
        return tile_table(content)

    def shown_rows(self) -> I64 | None:
        return self.table.shown_rows() if self._front is self.table else None

    def selected_rows(self) -> I64:
        if self._front is self.table:
            return self.table.selected_rows()
        return self._chosen.tiles if self.view in ("tile", "sorted", "floor") else NONE

    def picture(self) -> HasPicture:
        pictures: dict[View, HasPicture] = {"histogram": self.histogram, "floor": self.floor}
        return pictures.get(self.view, self.canvas)

    # -- contents -----------------------------------------------------------------------------------------

    @property
    def view(self) -> View:
        return self.bar.view

    @property
    def _front(self) -> QWidget | None:
        return self.pages.currentWidget()

    def why_empty(self, profile: Profile | None) -> str:
        memory = None if profile is None else profile.tile_memory
        return "" if memory is not None and memory.tiles else self.empty

    def clear(self) -> None:
        self._content = self._places = None
        self.strip.show_profile(None)

    def fill(self, profile: Profile) -> None:
        self.strip.show_profile(profile)
        self.bar.offer(choices(profile))
        self._fill()

    def _fill(self) -> None:
        """Shows the chosen figure in the chosen view."""
        profile, choice = self.profile, self.bar.choice
        if profile is None or profile.tile_memory is None:
            return
        content = None if choice is None else content_of(profile, choice, gaps=self.gaps.isChecked())
        self._content = content
        if content is None:
            self._places = None
            self.canvas.set_scene(None)
            self.readout.say(LACKING)
            return
        self.bar.offer_parts([(title, about) for _, title, _, about in content.parts])
        self.bar.tiles.set_tiles(content.tiles, content.per_ipu)
        self._places = places(content, self.view)
        self._draw(content)
        self._turn()
        self.follow()

    def _draw(self, content: Content) -> None:
        limit = self.limit.isChecked()
        if self.view == "histogram":
            self.histogram.show_picture(histogram_of(content, self.bar.part, limit=limit))
        elif self.view == "floor":
            self.floor.set_scene(FloorScene(floor_of(content, self.bar.part)))
        elif self._places is not None:
            picture = bars_of(content, self._places, limit=limit, lines=self.bar.lines.isChecked())
            self.canvas.set_scene(plot_scene(picture))

    def _turn(self) -> None:
        """Shows the page of the view, or its table, which is built on first use."""
        wanted = self.as_table.isChecked() or self.view == "figures"
        table = self.shown_table() if wanted else None
        if table is not None:
            self._link.show(table)
        pages: dict[str, QWidget] = {"histogram": self.histogram, "floor": self.floor}
        self.pages.setCurrentWidget(self.table if wanted else pages.get(self.view, self.canvas))

    def show_look(self, _: Look) -> None:
        self._say()

    def _say(self, pointed: str = "") -> None:
        """Shows the hovered figure, or else the distribution over the tiles of the selection or the range."""
        self.readout.say(pointed or self._spread())

    def _spread(self) -> str:
        content = self._content
        if content is None:
            return LACKING
        return words(content, self.bar.part, *self._chosen.counted(content.tiles), self.context.display.look)

    # -- selection ----------------------------------------------------------------------------------------

    def show_selection(self, selection: Selection | None, reveal: bool) -> None:
        content, where = self._content, self._places
        tiles = self._chosen.follow(selection, 0 if content is None else content.tiles)
        self.bar.tiles.show_tiles(tiles)
        self.floor.mark(tiles)
        if where is not None:
            self.canvas.mark(where.places_of(tiles), reveal=reveal)
        if selection is not None and selection.kind == "tile" and len(tiles):
            self.strip.offer(self.splitter.height())
        self._count()

    def _count(self) -> None:
        """Updates figures of the tiles that are currently selected."""
        content = self._content
        self.strip.show_tiles(NONE if content is None else self._chosen.counted(content.tiles)[0])
        if self.view == "figures":
            self._turn()
        self._say()

    def show_hover(self, hover: Selection | None) -> None:
        tile = hover.first if hover is not None and hover.kind == "tile" else -1
        self.floor.hover(tile)
        inside = self._places is not None and 0 <= tile < len(self._places.place_of)
        self.canvas.hover(int(self._places.place_of[tile]) if inside and self._places is not None else -1)

    def show_ranges(self, _: Ranges) -> None:
        tiles = None if self._content is None else self._chosen.within(self._content.tiles)
        self.floor.set_range(tiles)
        where = self._places
        self.canvas.set_range(None if tiles is None or where is None else where.places_of(tiles))
        self._count()

    def _choose(self, places: I64, adding: bool) -> None:
        if self._places is not None:
            self._chosen.choose(self._places.tiles_of(int(places[0]), int(places[-1])), adding=adding)

    def _choose_bins(self, chosen: I64, adding: bool) -> None:
        content, picture = self._content, self.histogram.picture
        if content is not None and picture is not None:
            values, _ = amounts(content, self.bar.part)
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
