"""The tensor map panel."""

from __future__ import annotations

import numpy as np

from app.analysis.matrix import Matrix
from app.analysis.table import Table
from app.analysis.tables.tensor_map import places, tensors
from app.analysis.tensor_map.sizes import Spread, spread
from app.language import tr
from app.panels.panel import Panel
from app.panels.tensor_map import SPEC
from app.panels.tensor_map.picture import (
    bars_of,
    computations,
    heat_of,
    tensor_line,
    tile_bytes,
    tiles_line,
    wanted_tensors,
)
from app.profile.arrays import I64, Bool
from app.profile.profile import Profile
from app.profile.selection import Ranges, Selection
from app.profile.tensor_map import TensorMap
from app.widgets.abilities import HandlesEscape, HasPicture, Searchable
from app.widgets.chooser import Chooser
from app.widgets.display import Look
from app.widgets.frame import bar_of, check_of, pages_of, split_of
from app.widgets.heat.scene import HeatScene
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.plot.scene import PlotScene, plot_scene
from app.widgets.readout import Readout
from app.widgets.search_field import SearchField
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular
from app.widgets.twin import Twin

FROM_TILES = "tensor_map/tiles"
EMPTY = tr("The tensor map names no tensors.")
LETTERS = 14
NO_MATCH = tr("No tensor is called so.")
NO_PLACES = tr("Nothing of the map lies on these tiles.")
NONE: I64 = np.empty(0, np.int64)


class TensorMapPanel(Panel, Searchable, HandlesEscape):
    """Choice of tensors above; tensors by tiles (or the table of tensors) in the middle; below them the tiles of the
    selected tensor, or the tensors on the selected tiles."""

    spec = SPEC
    empty = EMPTY

    def build(self) -> None:
        context, display = self.context, self.context.display
        self._tensor_map: TensorMap | None = None
        self._sums: Spread | None = None
        self._matrix: Matrix | None = None
        self._within: Bool | None = None
        self.computation = Chooser(tr("Computation"), self, LETTERS)
        self.field = SearchField(tr("Instruction or TensorFlow name"), self)
        self.largest = check_of(tr("Largest first"), tr("Rows by their bytes"), on=True)
        self.log = check_of(
            tr("Logarithmic colours"), tr("Tell small figures apart, at the price of large ones"), on=True
        )
        self.over = check_of(tr("In tile memory"), tr("Lay the bars over what the graph profile says of each tile"))
        self.heat: PlaneCanvas[HeatScene] = PlaneCanvas(display, self)
        tip = tr("The tensors as a table: to sort, copy and export")
        self.twin = Twin(context, self.spec.id, self.heat, self._table, self._marked, tip)
        self.as_table, self.table = self.twin.box, self.twin.table
        self.bars: PlaneCanvas[PlotScene] = PlaneCanvas(display, self)
        self.on_tiles = TableWidget(display, self)
        self._tiles_link = LinkedTable(context, self.on_tiles, FROM_TILES)
        self.readout = Readout(display, self)
        self.below = pages_of(self, (self.bars, self.on_tiles))
        self.split = split_of((self.twin, 500), (self.below, 300), below=True)
        self.split.setStretchFactor(0, 5)
        self.split.setStretchFactor(1, 3)
        bar = bar_of(self.computation, (self.field, 2), self.largest, self.log, self.over, self.as_table, 1)
        self.lay_out(bar, (self.split, 1), self.readout, home=self.heat)
        self._connect()

    def _connect(self) -> None:
        self.computation.activated.connect(self._fill)
        self.field.textChanged.connect(self._fill)
        self.field.left.connect(self.heat.setFocus)
        self.field.stepped.connect(self.find_step)
        for box in (self.largest, self.log):
            box.toggled.connect(self._fill)
            self.twin.turned.connect(box.setHidden)
        self.over.toggled.connect(lambda _: self.follow())
        self.heat.pointed.connect(self._point)
        self.heat.chosen.connect(self._choose)
        for canvas in (self.heat, self.bars):
            canvas.range_wanted.connect(self._set_range)
        self.bars.chosen.connect(lambda tiles, _: self.shared.select("tile", tiles))
        self.bars.pointed.connect(self._point_tile)

    # -- abilities ----------------------------------------------------------------------------------------

    def tabular(self) -> Tabular:
        return self.twin

    def picture(self) -> HasPicture:
        return self.heat

    def start_find(self) -> None:
        self.field.setFocus()
        self.field.selectAll()

    def handle_escape(self) -> bool:
        """Clears the search."""
        searched = bool(self.field.text())
        self.field.clear()
        return searched

    def find_step(self, direction: int) -> None:
        """Selects the next or previous tensor that passes the filter."""
        if self.as_table.isChecked():
            self.table.view.step(direction)
        else:
            self.heat.step_item(direction)

    # -- contents -----------------------------------------------------------------------------------------

    def clear(self) -> None:
        self._take(None)
        self.heat.set_scene(None)
        self.bars.set_scene(None)

    def fill(self, profile: Profile) -> None:
        self._take(profile.tensor_map)
        if profile.tensor_map is None or not len(profile.tensor_map):
            self.say_empty(self.empty)
            return
        self.over.setVisible(tile_bytes(profile) is not None)
        self._fill()

    def _take(self, placement: TensorMap | None) -> None:
        if placement is not self._tensor_map:
            self._tensor_map, self._sums = placement, None if placement is None else spread(placement)
            self._offer(placement)

    def _offer(self, placement: TensorMap | None) -> None:
        listed = [] if placement is None else computations(placement)
        names, ids = [name for name, _ in listed], [ids for _, ids in listed]
        self.computation.offer([tr("All computations"), *names], [None, *ids])
        self.computation.setVisible(len(listed) > 1)
        self.field.blockSignals(True)
        self.field.clear()
        self.field.blockSignals(False)

    def _fill(self) -> None:
        """Shows the filtered tensors, as a map or as a table."""
        profile, placement = self.profile, self._tensor_map
        if profile is None or placement is None:
            return
        wanted = wanted_tensors(placement, self.computation.currentData(), self.field.text().strip())
        self._within = None if wanted.all() else wanted
        first, log = self.largest.isChecked(), self.log.isChecked()
        shown = heat_of(profile, self._within, largest_first=first, log=log, sums=self._sums)
        self._matrix = None if shown is None else shown[0]
        self.heat.set_scene(None if shown is None else HeatScene(shown[1]))
        self.twin.renew(empty=NO_MATCH)
        self.follow()

    def _table(self, profile: Profile) -> Table | None:
        return tensors(profile, self._within)

    def _marked(self) -> I64:
        if self._matrix is None or self.heat.scene is None:
            return NONE
        chosen = [self._matrix.item(int(row)) for row in self.heat.scene.split(self.heat.marks.selected)[0]]
        shown = np.arange(len(self._tensor_map or ())) if self._within is None else np.flatnonzero(self._within)
        return np.flatnonzero(np.isin(shown, chosen)).astype(np.int64)

    def show_look(self, _: Look) -> None:
        self._say()

    def _say(self, text: str = "") -> None:
        """Shows what is hovered, or else what is selected."""
        self.readout.say(text or self._summary())

    def _summary(self) -> str:
        profile, placement, sums = self.profile, self._tensor_map, self._sums
        if profile is None or placement is None or sums is None:
            return ""
        if self._matrix is None:
            return NO_MATCH
        chosen, tiles = self._chosen()
        if len(chosen) == 1:
            return tensor_line(placement, sums, int(chosen[0]), self.context.display.look)
        return tiles_line(profile, tiles, self.context.display.look)

    # -- selection ----------------------------------------------------------------------------------------

    def _chosen(self) -> tuple[I64, I64]:
        """(tensors, tiles) of the selection; one of them is empty."""
        selection, placement = self.shared.selection, self._tensor_map
        if selection is None or placement is None:
            return NONE, NONE
        if selection.kind == "mapped_tensor":
            rows = np.array(selection.indices, np.int64)
            return rows[(rows >= 0) & (rows < len(placement))], NONE
        return NONE, self.shared.items(selection, "tile")

    def show_selection(self, selection: Selection | None, reveal: bool) -> None:
        profile = self.profile
        if profile is None or self._tensor_map is None:
            return
        chosen, tiles = self._chosen()
        if self._matrix is not None and self.heat.scene is not None:
            inside = tiles[(tiles >= 0) & (tiles < self._matrix.values.shape[1])]
            elsewhere = reveal and selection is not None and selection.source != FROM_TILES
            self.heat.mark(self.heat.scene.items(self._matrix.rows_of(chosen), inside), reveal=elsewhere)
        if selection is not None and selection.source == FROM_TILES:  # the list stays while its own rows are selected
            self._say()
            return
        table = places(profile, tiles) if len(tiles) else None
        if table is not None:
            self._tiles_link.show(table, empty=NO_PLACES)
            self.on_tiles.view.mark(NONE, scroll=False)  # all rows are on these tiles, so none is marked
            self.below.setCurrentWidget(self.on_tiles)
        else:
            over = self.over.isChecked() and not self.over.isHidden()
            shown = bars_of(profile, int(chosen[0]) if len(chosen) else None, over_memory=over)
            self.bars.set_scene(plot_scene(shown))
            self.below.setCurrentWidget(self.bars)
        self._say()

    def show_hover(self, hover: Selection | None) -> None:
        scene, rows, columns = self.heat.scene, NONE, NONE
        if self._matrix is None or scene is None or (hover is not None and hover.source == FROM_TILES):
            return
        if hover is not None and hover.kind == "mapped_tensor":
            rows = self._matrix.rows_of(np.array([hover.first], np.int64))
        elif hover is not None and hover.kind == "tile" and hover.first < self._matrix.values.shape[1]:
            columns = np.array([hover.first], np.int64)
        items = scene.items(rows, columns)
        self.heat.hover(int(items[0]) if len(items) else -1)

    def show_ranges(self, ranges: Ranges) -> None:
        tiles = None if ranges.tiles is None else np.array(ranges.tiles.tiles, np.int64)
        if tiles is not None and self._matrix is not None:
            tiles = tiles[tiles < self._matrix.values.shape[1]]
        self.heat.set_range(tiles)
        self.bars.set_range(tiles)

    def _choose(self, items: I64, _adding: bool) -> None:
        """Selects the tensor of a row, or the tiles of columns."""
        if self._matrix is None or self.heat.scene is None:
            return
        rows, tiles = self.heat.scene.split(items)
        if len(rows):
            self.shared.select("mapped_tensor", (self._matrix.item(int(rows[0])),))
        else:
            self.shared.select("tile", tiles)

    def _set_range(self, first: int, last: int) -> None:
        self.shared.limit_to_tiles(range(first, last + 1))

    def _point(self, row: int, text: str) -> None:
        self._say(text)
        if self._matrix is not None:
            inside = self.heat.scene is not None and 0 <= row < self.heat.scene.picture.rows
            self.shared.point("mapped_tensor", self._matrix.item(row) if inside else -1)

    def _point_tile(self, tile: int, text: str) -> None:
        self._say(text)
        self.shared.point("tile", tile)
