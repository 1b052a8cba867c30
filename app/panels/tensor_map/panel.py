"""The tensor map panel."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from app.analysis.matrix import Matrix
from app.analysis.table import Table
from app.analysis.tables.tensorflow import places, tensors
from app.analysis.tensor_map import Spread, spread
from app.document.background import Background, Task
from app.formats.errors import FormatError
from app.language import tr
from app.panels.panel import Panel
from app.panels.registry import SPECS
from app.panels.tensor_map.picture import (
    bars_of,
    computations,
    heat_of,
    tensor_line,
    tile_bytes,
    tiles_line,
)
from app.profile.arrays import I64, among
from app.profile.profile import Profile
from app.profile.selection import Ranges, Selection
from app.profile.tensorflow import TensorMap
from app.views.look import Look
from app.views.plot import PlotPicture
from app.views.tensor_map.rows import SIDES, Filter, ShownRows
from app.widgets.abilities import HandlesEscape, HasPicture, Searchable
from app.widgets.controls import Controls
from app.widgets.fields import Chooser, SearchField
from app.widgets.frame import check_of, pages_of, split_of
from app.widgets.heat.picture import HeatPicture
from app.widgets.heat.scene import HeatScene
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.plot.layout import scale_width
from app.widgets.plot.scene import PlotScene, plot_scene
from app.widgets.table.profile_table import ProfileTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular
from app.widgets.texts import Readout
from app.widgets.twin import Twin

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison
    from app.views.tensor_map.compared import MatchedTensors

FEW = 20_000
"""Tensors of larger maps are matched in the background."""
FROM_TILES = "tensor_map/tiles"
EMPTY = tr("The tensor map names no tensors.")
LETTERS = 14
NO_MATCH = tr("No tensor has this name.")
NO_PLACES = tr("These tiles have no mapped tensors.")
NONE: I64 = np.empty(0, np.int64)


def _has_map(profile: Profile) -> bool:
    return profile.tensor_map is not None and len(profile.tensor_map) > 0


def _rows(matrix: Matrix) -> ShownRows:
    keys = np.arange(len(matrix.values), dtype=np.int64) if matrix.keys is None else matrix.keys
    return ShownRows(keys, matrix.values.shape[1])


class TensorMapPanel(Panel, Searchable, HandlesEscape):
    """Choice of tensors above; tensors by tiles (or the table of tensors) in the middle; below them the tiles of the
    selected tensor, or the tensors on the selected tiles. With a baseline, these show both maps or their difference."""

    spec = SPECS["tensor_map"]
    empty = EMPTY
    compares = True

    def build(self) -> None:
        context, display = self.context, self.context.display
        self._tensor_map: TensorMap | None = None
        self._sums: Spread | None = None
        self._rows: ShownRows | None = None
        self._filter = Filter()
        self._background = Background(self)
        self._matched: tuple[Comparison, MatchedTensors | None] | None = None
        self.sides = Chooser(tr("Which side is shown"), self)
        self.sides.offer(list(SIDES.values()), list(SIDES))
        self.sides.hide()
        self.computation = Chooser(tr("Computation"), self, LETTERS)
        self.field = SearchField(tr("Instruction or TensorFlow name"), self)
        self.largest = check_of(tr("Largest first"), tr("Rows by their bytes"), on=True)
        self.log = check_of(
            tr("Log colours"), tr("Show more contrast between small values, less between large ones"), on=True
        )
        self.over = check_of(
            tr("In tile memory"), tr("Show the bars over the memory of each tile from the graph profile")
        )
        self.heat: PlaneCanvas[HeatScene] = PlaneCanvas(display, self)
        tip = tr("The tensors as a table: to sort, copy and export")
        self.twin = Twin(context, self.spec.id, self.heat, self._table, self._marked, tip, compares=True)
        self.as_table, self.table = self.twin.box, self.twin.table
        self.bars: PlaneCanvas[PlotScene] = PlaneCanvas(display, self)
        self.on_tiles = TableWidget(display, self)
        self._tiles_table = ProfileTable(context, self.on_tiles, FROM_TILES)
        self.readout = Readout(display, self)
        self.below = pages_of(self, (self.bars, self.on_tiles))
        self.split = split_of((self.twin, 500), (self.below, 300), below=True)
        self.split.setStretchFactor(0, 5)
        self.split.setStretchFactor(1, 3)
        boxes = self.largest, self.log, self.over, self.as_table
        folds = self.log, self.largest, self.over, self.as_table
        table = self.table.bar, 2
        controls = Controls(self, self.computation, (self.field, 2), self.sides, *boxes, table, 1, folds=folds)
        self.lay_out((self.split, 1), self.readout, home=self.heat, controls=controls)
        self._connect()

    def _connect(self) -> None:
        self.computation.activated.connect(self._fill)
        self.field.textChanged.connect(self._fill)
        self.field.left.connect(self.heat.setFocus)
        self.field.stepped.connect(self.find_step)
        for box in (self.largest, self.log):
            box.toggled.connect(self._fill)
            self.twin.turned.connect(box.setHidden)
        self.sides.activated.connect(self._fill)
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
        self._background.cancel()
        self._matched = None
        self._tiles_table.clear()
        self.heat.set_scene(None)
        self.bars.set_scene(None)

    def fill(self, profile: Profile) -> None:
        self._take(profile.tensor_map)
        if profile.tensor_map is None or not len(profile.tensor_map):
            self.say_empty(self.lacks(self.empty))
            return
        self.over.setVisible(tile_bytes(profile) is not None and self._compared is None)
        self.sides.setVisible(self._compared is not None)
        self._fill()

    @property
    def _compared(self) -> Comparison | None:
        """The comparison, if the baseline has a map, too."""
        comparison = self.comparison
        return comparison if comparison is not None and _has_map(comparison.before) else None

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
        self._filter = Filter(self.computation.currentData(), self.field.text().strip())
        self._background.cancel()
        comparison = self._compared
        if comparison is not None:
            self._match(comparison)
            return
        wanted = self._filter.wanted(placement)
        within = None if wanted.all() else wanted
        first, log = self.largest.isChecked(), self.log.isChecked()
        shown = heat_of(profile, within, largest_first=first, log=log, sums=self._sums)
        self._show_map(None if shown is None else (_rows(shown[0]), shown[1]))

    def _show_map(self, shown: tuple[ShownRows, HeatPicture] | None) -> None:
        self._rows = None if shown is None else shown[0]
        below = None if self.profile is None else bars_of(self.profile, None)
        left = None if below is None else lambda _, look, metrics: scale_width(below, look, metrics)
        self.heat.set_scene(None if shown is None else HeatScene(shown[1], left=left))
        self.twin.renew(empty=NO_MATCH)
        self.follow()

    def _match(self, comparison: Comparison) -> None:
        """Shows both maps once their tensors are matched; those of large maps are in the background."""
        from app.views.tensor_map.compared import matched_tensors

        if self._matched is not None and self._matched[0] is comparison:
            self._show_both(comparison, self._matched[1])
            return

        def show(matched: MatchedTensors | None) -> None:
            self._matched = comparison, matched
            self._show_both(comparison, matched)

        before, after = comparison.before.tensor_map, comparison.after.tensor_map
        if len(before or ()) + len(after or ()) <= FEW:
            show(matched_tensors(comparison))
        else:
            self._background.run(Task(lambda token, _: matched_tensors(comparison, token.check), show, self._fail))

    def _show_both(self, comparison: Comparison, matched: MatchedTensors | None) -> None:
        from app.panels.tensor_map.compared import HeatView, heat_of_both

        view = HeatView(self.sides.currentData(), self.largest.isChecked(), self.log.isChecked())
        self._show_map(None if matched is None else heat_of_both(comparison, matched, self._filter, view))

    def _fail(self, error: FormatError) -> None:
        self._show_map(None)
        self.readout.say(tr("The maps cannot be compared: {error}", error=error))

    def _table(self, profile: Profile) -> Table | None:
        """Of either profile, in a thread for a comparison."""
        own = profile.tensor_map
        if own is None:
            return None
        wanted = self._filter.wanted(own)
        return tensors(profile, None if wanted.all() else wanted)

    def _marked(self) -> I64:
        placement = self._tensor_map
        if self._rows is None or self.heat.scene is None or placement is None:
            return NONE
        chosen = [self._rows.item(int(row)) for row in self.heat.scene.split(self.heat.marks.selected)[0]]
        shown = self._filter.rows(placement)
        return np.flatnonzero(among(shown, chosen)).astype(np.int64)

    def show_look(self, _: Look) -> None:
        self._say()

    def _say(self, text: str = "") -> None:
        """Shows what is hovered, or else what is selected."""
        self.readout.say(text or self._summary())

    def _summary(self) -> str:
        profile, placement, sums = self.profile, self._tensor_map, self._sums
        if profile is None or placement is None or sums is None:
            return ""
        if self._rows is None:
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
        if self._rows is not None and self.heat.scene is not None:
            inside = tiles[(tiles >= 0) & (tiles < self._rows.tiles)]
            elsewhere = reveal and selection is not None and selection.source != FROM_TILES
            self.heat.mark(self.heat.scene.items(self._rows.rows_of(chosen), inside), reveal=elsewhere)
        if selection is not None and selection.source == FROM_TILES:  # the list stays while its own rows are selected
            self._say()
            return
        table = places(profile, tiles) if len(tiles) else None
        if table is not None:
            self._tiles_table.show(partial(places, tiles=tiles), table=table, empty=NO_PLACES)
            self.on_tiles.view.mark(NONE, scroll=False)  # all rows are on these tiles, so none is marked
            self.below.setCurrentWidget(self.on_tiles)
        else:
            left = None if self.heat.scene is None else self.heat.scene.left_of  # the axes of tiles line up
            self.bars.set_scene(plot_scene(self._bars(profile, int(chosen[0]) if len(chosen) else None), left))
            self.below.setCurrentWidget(self.bars)
        self._say()

    def _bars(self, profile: Profile, tensor: int | None) -> PlotPicture | None:
        """The tiles of a tensor, or of all, alone or beside those of the baseline."""
        matched = self._matched
        if self._compared is None or matched is None or matched[0] is not self._compared or matched[1] is None:
            over = self.over.isChecked() and not self.over.isHidden()
            return bars_of(profile, tensor, over_memory=over)
        from app.panels.tensor_map.compared import bars_of_both

        return bars_of_both(self._compared, matched[1], tensor, self.sides.currentData())

    def show_hover(self, hover: Selection | None) -> None:
        scene, rows, columns = self.heat.scene, NONE, NONE
        if self._rows is None or scene is None or (hover is not None and hover.source == FROM_TILES):
            return
        if hover is not None and hover.kind == "mapped_tensor":
            rows = self._rows.rows_of(np.array([hover.first], np.int64))
        elif hover is not None and hover.kind == "tile" and hover.first < self._rows.tiles:
            columns = np.array([hover.first], np.int64)
        items = scene.items(rows, columns)
        self.heat.hover(int(items[0]) if len(items) else -1)

    def show_ranges(self, ranges: Ranges) -> None:
        tiles = None if ranges.tiles is None else np.array(ranges.tiles.tiles, np.int64)
        if tiles is not None and self._rows is not None:
            tiles = tiles[tiles < self._rows.tiles]
        self.heat.set_range(tiles)
        self.bars.set_range(tiles)

    def _choose(self, items: I64, _adding: bool) -> None:
        """Selects the tensor of a row, or the tiles of columns."""
        if self._rows is None or self.heat.scene is None:
            return
        rows, tiles = self.heat.scene.split(items)
        if len(rows):
            tensor = self._rows.item(int(rows[0]))
            if tensor >= 0:  # not one of the baseline
                self.shared.select("mapped_tensor", (tensor,))
        else:
            self.shared.select("tile", tiles)

    def _set_range(self, first: int, last: int) -> None:
        self.shared.limit_to_tiles(range(first, last + 1))

    def _point(self, row: int, text: str) -> None:
        self._say(text)
        if self._rows is not None:
            inside = self.heat.scene is not None and 0 <= row < self.heat.scene.picture.rows
            self.shared.point("mapped_tensor", self._rows.item(row) if inside else -1)

    def _point_tile(self, tile: int, text: str) -> None:
        self._say(text)
        self.shared.point("tile", tile)
