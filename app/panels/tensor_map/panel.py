"""The tensor map panel."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QCheckBox, QSplitter, QWidget

from app.analysis.links import translate
from app.analysis.matrix import Matrix
from app.analysis.table import Table
from app.analysis.tables.tensor_map import places, tensors
from app.analysis.tensor_map.sizes import Spread, spread
from app.document.document import Update
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
from app.profile.selection import Ranges, Selection, TileRange
from app.profile.tensor_map import TensorMap
from app.widgets.abilities import Finds
from app.widgets.chooser import Chooser
from app.widgets.context import Context
from app.widgets.frame import bar_of, fill, pages_of
from app.widgets.heat.scene import HeatScene
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.plot.scene import PlotScene, plot_scene
from app.widgets.readout import Readout
from app.widgets.refresh import Refresh
from app.widgets.search_field import SearchField
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular
from app.widgets.theme import Theme
from app.widgets.tips import set_tip

SOURCE = "tensor_map"
FROM_TILES = "tensor_map/tiles"
EMPTY = "The tensor map names no tensors."
LETTERS = 14
NO_MATCH = "No tensor is called so."
NO_PLACES = "Nothing of the map lies on these tiles."
NONE: I64 = np.empty(0, np.int64)


class TensorMapPanel(QWidget, Tabular, Finds):
    """Which tensors, above; tensors by tiles (or the table of tensors); below them the tiles of the selected tensor,
    or the tensors on the selected tiles."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._found: TensorMap | None = None
        self._sums: Spread | None = None
        self._matrix: Matrix | None = None
        self._within: Bool | None = None
        self.computation = Chooser("Computation", self, LETTERS)
        self.field = SearchField("Instruction or TensorFlow name", self)
        self.largest = _check("Largest first", "Rows by their bytes", self)
        self.log = _check("Logarithmic colours", "Tell small figures apart, at the price of large ones", self)
        self.over = _check(
            "In tile memory", "Lay the bars over what the graph profile says of each tile", self, on=False
        )
        self.as_table = _check("Table", "The tensors as a table: to sort, copy and export", self, on=False)
        self.heat: PlaneCanvas[HeatScene] = PlaneCanvas(context.display, self)
        self.table = TableWidget(context.display, self)
        self.bars: PlaneCanvas[PlotScene] = PlaneCanvas(context.display, self)
        self.on_tiles = TableWidget(context.display, self)
        self._link = LinkedTable(context, self.table, SOURCE)
        self._tiles_link = LinkedTable(context, self.on_tiles, FROM_TILES)
        self.readout = Readout(context.display, self)
        self._build()
        self._connect()
        self._refresh.request()

    def _build(self) -> None:
        bar = bar_of(self.computation, (self.field, 2), self.largest, self.log, self.over, self.as_table, 1)
        self.pages = pages_of(self, (self.heat, self.table))
        self.below = pages_of(self, (self.bars, self.on_tiles))
        self.split = QSplitter(Qt.Orientation.Vertical, self)
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(self.pages)
        self.split.addWidget(self.below)
        self.split.setStretchFactor(0, 5)
        self.split.setStretchFactor(1, 3)
        self.stack = fill(self, self._context.display, bar, self.split, self.readout)
        self.setFocusProxy(self.heat)

    def _connect(self) -> None:
        document = self._context.document
        self._refresh = Refresh(self, self._show)
        document.updated.connect(self._updated)
        document.selection.changed.connect(self._selected)
        document.hover.changed.connect(self._hovered)
        document.ranges.changed.connect(self._ranged)
        self._context.display.changed.connect(self._say)
        self.computation.activated.connect(self._fill)
        self.field.textChanged.connect(self._fill)
        self.field.left.connect(self.heat.setFocus)
        self.field.stepped.connect(self.find_step)
        for box in (self.largest, self.log):
            box.toggled.connect(self._fill)
        self.as_table.toggled.connect(self._turn)
        self.over.toggled.connect(lambda _: self._selected(self._context.document.selection.value))
        self.heat.pointed.connect(self._point)
        self.heat.chosen.connect(self._choose)
        for canvas in (self.heat, self.bars):
            canvas.range_wanted.connect(self._set_range)
        self.bars.chosen.connect(lambda tiles, _: self._choose_tiles(tiles))
        self.bars.pointed.connect(self._point_tile)

    # -- abilities ----------------------------------------------------------------------------------------

    def shown_table(self) -> Table | None:
        profile = self._context.document.profile
        return self.table.shown_table() or (None if profile is None else tensors(profile, self._within))

    def shown_rows(self) -> I64 | None:
        return self.table.shown_rows() if self.as_table.isChecked() else None

    def selected_rows(self) -> I64:
        if self.as_table.isChecked() or self._matrix is None or self.heat.scene is None:
            return self.table.selected_rows()
        chosen = [self._matrix.item(int(row)) for row in self.heat.scene.split(self.heat.marks.selected)[0]]
        shown = np.arange(len(self._found or ())) if self._within is None else np.flatnonzero(self._within)
        return np.flatnonzero(np.isin(shown, chosen)).astype(np.int64)

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        self.heat.draw_picture(painter, place, theme)

    def start_find(self) -> None:
        self.field.setFocus()
        self.field.selectAll()

    def take_back(self) -> bool:
        """The search."""
        searched = bool(self.field.text())
        self.field.clear()
        return searched

    def find_step(self, direction: int) -> None:
        """The next or previous of the tensors that are left."""
        if self.as_table.isChecked():
            self.table.view.step(direction)
        else:
            self.heat.step_item(direction)

    # -- contents -----------------------------------------------------------------------------------------

    def _updated(self, update: Update) -> None:
        if update.profile is None or update.touches("tensor_map", "tile_memory", "target"):
            self._refresh.request()

    def _show(self) -> None:
        profile = self._context.document.profile
        found = None if profile is None else profile.tensor_map
        if found is not self._found:
            self._found, self._sums = found, None if found is None else spread(found)
            self._offer(found)
        if found is None:
            self.heat.set_scene(None)
            self.bars.set_scene(None)
            return
        if not len(found):
            self.stack.show_empty(EMPTY)
            return
        self.stack.show_content()
        self.over.setVisible(profile is not None and tile_bytes(profile) is not None)
        self._fill()

    def _offer(self, found: TensorMap | None) -> None:
        listed = [] if found is None else computations(found)
        names, ids = [name for name, _ in listed], [ids for _, ids in listed]
        self.computation.offer(["All computations", *names], [None, *ids])
        self.computation.setVisible(len(listed) > 1)
        self.field.blockSignals(True)
        self.field.clear()
        self.field.blockSignals(False)

    def _fill(self) -> None:
        """The tensors that are wanted, as a map or as a table."""
        profile, found = self._context.document.profile, self._found
        if profile is None or found is None:
            return
        wanted = wanted_tensors(found, self.computation.currentData(), self.field.text().strip())
        self._within = None if wanted.all() else wanted
        first, log = self.largest.isChecked(), self.log.isChecked()
        shown = heat_of(profile, self._within, largest_first=first, log=log, sums=self._sums)
        self._matrix = None if shown is None else shown[0]
        self.heat.set_scene(None if shown is None else HeatScene(shown[1]))
        self._turn()
        self._selected(self._context.document.selection.value)
        self._ranged(self._context.document.ranges.value)

    def _turn(self) -> None:
        """Between the map and the table of tensors, which is made when it is first wanted."""
        profile, as_table = self._context.document.profile, self.as_table.isChecked()
        table = None if profile is None or not as_table else tensors(profile, self._within)
        if table is not None:
            self._link.show(table, empty=NO_MATCH)
        self.pages.setCurrentWidget(self.table if as_table else self.heat)
        for box in (self.largest, self.log):
            box.setVisible(not as_table)

    def _say(self, text: str = "") -> None:
        """What is pointed at, else what is selected."""
        self.readout.say(text if isinstance(text, str) and text else self._summary())

    def _summary(self) -> str:
        profile, found, sums = self._context.document.profile, self._found, self._sums
        if profile is None or found is None or sums is None:
            return ""
        if self._matrix is None:
            return NO_MATCH
        chosen, tiles = self._chosen()
        if len(chosen) == 1:
            return tensor_line(found, sums, int(chosen[0]), self._context.display.look)
        return tiles_line(profile, tiles, self._context.display.look)

    # -- selection ----------------------------------------------------------------------------------------

    def _chosen(self) -> tuple[I64, I64]:
        """(tensors, tiles) of the selection: one of them is empty."""
        profile, selection, found = self._context.document.profile, self._context.document.selection.value, self._found
        if profile is None or selection is None or found is None:
            return NONE, NONE
        if selection.kind == "mapped_tensor":
            rows = np.array(selection.indices, np.int64)
            return rows[(rows >= 0) & (rows < len(found))], NONE
        return NONE, translate(profile, selection, "tile")

    def _selected(self, selection: Selection | None) -> None:
        profile, found = self._context.document.profile, self._found
        if profile is None or found is None:
            return
        chosen, tiles = self._chosen()
        if self._matrix is not None and self.heat.scene is not None:
            inside = tiles[(tiles >= 0) & (tiles < self._matrix.values.shape[1])]
            reveal = selection is not None and not selection.source.startswith(SOURCE)
            self.heat.mark(self.heat.scene.items(self._matrix.rows_of(chosen), inside), reveal=reveal)
        if selection is not None and selection.source == FROM_TILES:  # the list stays while its rows are looked at
            self._say()
            return
        table = places(profile, tiles) if len(tiles) else None
        if table is not None:
            self._tiles_link.show(table, empty=NO_PLACES)
            self.on_tiles.view.mark(NONE, scroll=False)  # all of them lie there, so none stands out
            self.below.setCurrentWidget(self.on_tiles)
        else:
            over = self.over.isChecked() and not self.over.isHidden()
            shown = bars_of(profile, int(chosen[0]) if len(chosen) else None, over_memory=over)
            self.bars.set_scene(plot_scene(shown))
            self.below.setCurrentWidget(self.bars)
        self._say()

    def _hovered(self, hover: Selection | None) -> None:
        scene, rows, columns = self.heat.scene, NONE, NONE
        if self._matrix is None or scene is None or (hover is not None and hover.source.startswith(SOURCE)):
            return
        if hover is not None and hover.kind == "mapped_tensor":
            rows = self._matrix.rows_of(np.array([hover.first], np.int64))
        elif hover is not None and hover.kind == "tile" and hover.first < self._matrix.values.shape[1]:
            columns = np.array([hover.first], np.int64)
        items = scene.items(rows, columns)
        self.heat.hover(int(items[0]) if len(items) else -1)

    def _ranged(self, ranges: Ranges) -> None:
        tiles = None if ranges.tiles is None else np.array(ranges.tiles.tiles, np.int64)
        if tiles is not None and self._matrix is not None:
            tiles = tiles[tiles < self._matrix.values.shape[1]]
        self.heat.set_range(tiles)
        self.bars.set_range(tiles)

    def _choose(self, items: I64, _adding: bool) -> None:
        """The tensor of a row, or the tiles of columns."""
        if self._matrix is None or self.heat.scene is None:
            return
        rows, tiles = self.heat.scene.split(items)
        if len(rows):
            tensor = self._matrix.item(int(rows[0]))
            self._context.document.selection.set(Selection("mapped_tensor", (tensor,), SOURCE))
        else:
            self._choose_tiles(tiles)

    def _choose_tiles(self, tiles: I64) -> None:
        self._context.document.selection.set(Selection("tile", tuple(tiles.tolist()), SOURCE))

    def _set_range(self, first: int, last: int) -> None:
        ranges = self._context.document.ranges
        ranges.set(Ranges(ranges.value.time, TileRange(tuple(range(first, last + 1)))))

    def _point(self, row: int, text: str) -> None:
        self._say(text)
        if self._matrix is not None:
            inside = self.heat.scene is not None and 0 <= row < self.heat.scene.picture.rows
            hover = Selection("mapped_tensor", (self._matrix.item(row),), SOURCE) if inside else None
            self._context.document.hover.set(hover)

    def _point_tile(self, tile: int, text: str) -> None:
        self._say(text)
        self._context.document.hover.set(Selection("tile", (tile,), SOURCE) if tile >= 0 else None)


def _check(text: str, what: str, parent: QWidget, *, on: bool = True) -> QCheckBox:
    box = QCheckBox(text, parent)
    box.setChecked(on)
    set_tip(box, what)
    return box
