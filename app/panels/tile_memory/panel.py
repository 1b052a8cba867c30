"""The tile memory panel: choosers above; bars, a histogram, a grid or a table below."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QWidget

from app.analysis.table import Table
from app.analysis.tile_figures import Choice, Content, choices, content_of
from app.language import tr
from app.panels.panel import Panel
from app.panels.registry import SPECS
from app.panels.tile_memory.bar import ChoiceBar
from app.panels.tile_memory.contents import LEAST, NONE, ChosenTiles, ContentStrip
from app.panels.tile_memory.shown import Alone, Shown, table_of
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Ranges, Selection
from app.views.chart.histogram import HistogramPicture
from app.views.look import Look
from app.views.tile_memory.places import Places, View
from app.widgets.abilities import HasPicture, ShowsTable
from app.widgets.chart.canvas import ChartCanvas
from app.widgets.controls import Controls
from app.widgets.floor.scene import FloorScene
from app.widgets.frame import pages_of
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.plot.scene import PlotScene, plot_scene
from app.widgets.table.profile_table import Make, ProfileTable, differences_of
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular

LACKING = tr("The file has no such breakdown of memory.")


class TileMemoryPanel(Panel, ShowsTable):
    """Tiles are selected by clicking, dragging, or typing, in every view; figures of the selected tiles are at the
    bottom. With a baseline, each view shows that as an outline, or the difference."""

    spec = SPECS["tile_memory"]
    empty = tr("This profile has no memory per tile: the graph file does not contain it.")
    compares = True

    def build(self) -> None:
        display = self.context.display
        self._content: Content | None = None
        self._shown: Shown | None = None
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
        self._rows = ProfileTable(self.context, self.table, self.spec.id)
        self.strip = ContentStrip(self.context, self)
        self.readout = self.strip.readout
        self.pages = pages_of(self, (self.canvas, self.histogram, self.floor, self.table))
        self.splitter = self.strip.under(self.pages, share=0.5, least=LEAST)
        controls = Controls(self, (self.bar, 3), (self.table.bar, 2))
        self.lay_out((self.splitter, 1), home=self.canvas, controls=controls)
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

    def show_table(self, table_id: str, row: int = -1, *, of_baseline: bool = False) -> None:
        """Opens the contents of the selected tiles at a table of them; other tables are not here."""
        del row, of_baseline
        self.strip.show_table(table_id)

    def shown_table(self) -> Table | None:
        profile, shown, comparison = self.profile, self._shown, self.comparison
        if profile is None or shown is None:
            return None
        if self._front is self.table:
            return self.table.shown_table()
        if self.view == "histogram":
            return shown.histogram_table(self.bar.part, limit=self.limit.isChecked())
        make = self._maker()
        return make(profile) if comparison is None else differences_of(comparison, make, None, False, lambda: None)

    def _maker(self) -> Make:
        """What makes the table of the view for either profile."""
        assert self._content is not None
        choice, chosen = self.bar.choice, self._chosen.counted(self._content.tiles)
        assert choice is not None
        return partial(_table, choice=choice, gaps=self.gaps.isChecked(), view=self.view, tiles=chosen[0], of=chosen[1])

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
        self._content = self._shown = self._places = None
        self._rows.clear()
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
        self._content, self._shown = content, None
        if content is None:
            self._places = None
            self.canvas.set_scene(None)
            self.readout.say(self.lacks(LACKING))
            return
        self.bar.offer_parts([(title, about) for _, title, _, about in content.parts])
        self.bar.tiles.set_tiles(content.tiles, content.per_ipu)
        self._shown = self._compared(content)
        self._places = self._shown.places(self.view)
        self._draw(self._shown, self._places)
        self._turn()
        self.follow()

    def _compared(self, content: Content) -> Shown:
        """The figure beside that of the baseline, alone without one."""
        comparison, choice = self.comparison, self.bar.choice
        before = None
        if comparison is not None and choice is not None:
            before = content_of(comparison.before, choice, gaps=self.gaps.isChecked())
        differ = before is not None and content.adds_up and before.tiles != content.tiles
        self.bar.compare(before is not None, tiles_differ=differ)
        if before is None:
            return Alone(content)
        from app.panels.tile_memory.compared import compared  # only with a baseline

        return compared(before, content, difference=self.bar.sides.difference, per_tile=self.bar.per_tile)

    def _draw(self, shown: Shown, where: Places) -> None:
        limit = self.limit.isChecked()
        if self.view == "histogram":
            self.histogram.show_picture(shown.histogram(self.bar.part, limit=limit))
        elif self.view == "floor":
            self.floor.set_scene(FloorScene(shown.floor(self.bar.part)))
        else:
            picture = shown.bars(where, limit=limit, lines=self.bar.lines.isChecked())
            self.canvas.set_scene(plot_scene(picture, flags=shown.flags(where, picture)))

    def _turn(self) -> None:
        """Shows the page of the view, or its table, which is built on first use."""
        wanted = self.as_table.isChecked() or self.view == "figures"
        if wanted and self._shown is not None:
            histogram = self.view == "histogram"
            table = self._shown.histogram_table(self.bar.part, limit=self.limit.isChecked()) if histogram else None
            if table is not None:
                self._rows.show_alone(table)
            elif not histogram:
                self._rows.show(self._maker())
        pages: dict[str, QWidget] = {"histogram": self.histogram, "floor": self.floor}
        self.pages.setCurrentWidget(self.table if wanted else pages.get(self.view, self.canvas))

    def show_look(self, _: Look) -> None:
        self._say()

    def _say(self, pointed: str = "") -> None:
        """Shows the hovered figure, or else the distribution over the tiles of the selection or the range."""
        self.readout.say(pointed or self._spread())

    def _spread(self) -> str:
        content, shown, profile = self._content, self._shown, self.profile
        if content is None or shown is None or profile is None:
            return self.lacks(LACKING)
        words = shown.words(self.bar.part, *self._chosen.counted(content.tiles), self.context.display.look)
        if self.comparison is None or not isinstance(shown, Alone):
            return words
        return tr("The baseline has no such figures; {name} alone: {words}", name=profile.name, words=words)

    # -- selection ----------------------------------------------------------------------------------------

    def show_selection(self, selection: Selection | None, reveal: bool) -> None:
        content, where = self._content, self._places
        tiles = self._chosen.follow(selection, 0 if content is None else content.tiles)
        self.bar.tiles.show_tiles(tiles)
        self.floor.mark(tiles)
        if where is not None:
            self.canvas.mark(where.places_of(tiles), reveal=reveal)
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
        shown, picture = self._shown, self.histogram.picture
        if shown is not None and picture is not None:
            members = picture.bins.members(shown.amounts(self.bar.part), int(chosen[0]), int(chosen[-1]))
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


def _table(profile: Profile, *, choice: Choice, gaps: bool, view: View, tiles: I64, of: str) -> Table | None:
    """The table of a view of either profile; None if it has no such figures."""
    content = content_of(profile, choice, gaps=gaps)
    return None if content is None else table_of(content, view, tiles, of)
