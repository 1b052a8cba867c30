"""Bytes and cycles of every compute set, vertex type or exchange on every tile."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget

from app.analysis.links import translate
from app.analysis.matrices import Matrix, available, falling_rows
from app.analysis.matrix_tables import columns_table, rows_table
from app.analysis.table import Table
from app.document.document import Update
from app.panels.heat_table import SECTIONS
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Ranges, Selection, TileRange
from app.widgets.context import Context
from app.widgets.frame import bar_of, fill, pages_of
from app.widgets.heat.canvas import HeatCanvas
from app.widgets.heat.picture import HeatPicture, heat_picture
from app.widgets.readout import Readout
from app.widgets.refresh import Refresh
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget
from app.widgets.theme import Theme
from app.widgets.tile_axis import TileAxis

SOURCE = "heat"
EMPTY = "This profile has no figures per compute set and tile: the graph was written without them."
NONE: I64 = np.empty(0, np.int64)


def picture_of(profile: Profile, matrix: Matrix, *, log: bool, order: I64 | None = None) -> HeatPicture:
    """The picture of a matrix, its rows in the file's order or in ``order``, with the IPUs' borders where they are
    known."""
    target = profile.target
    per_ipu = (target.tiles_per_ipu or 0) if target is not None and matrix.columns == "tile" else 0
    title = matrix.columns.replace("_", " ").capitalize()
    axis = TileAxis(matrix.values.shape[1], title, per_ipu, names=matrix.column_names)
    values = matrix.values if order is None else matrix.values[order]

    def name(row: int) -> str:
        return matrix.row_names.get(row if order is None else int(order[row]))

    return heat_picture(
        f"{matrix.group}: {matrix.title}",
        *(values, matrix.unit, matrix.rows.replace("_", " ").capitalize(), name, axis),
        log=log,
        clock_hz=target.clock_hz if target is not None else None,
    )


class HeatPanel(QWidget):
    """Chooser above, heat map (or its table) below, the figure under the pointer at the bottom."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._matrices: list[Matrix] = []
        self._shown: tuple[Profile, str, bool, bool] | None = None
        self._order: I64 | None = None
        self.chooser = QComboBox(self)
        self.chooser.setAccessibleName("Figures to show")
        self.chooser.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.chooser.setMinimumContentsLength(24)
        self.log = QCheckBox("Logarithmic colours", self)
        self.log.setToolTip("Tell small figures apart, at the price of large ones")
        self.sorted = QCheckBox("Largest rows first", self)
        self.as_table = QCheckBox("Table", self)
        self.as_table.setToolTip("The same figures as a table: to sort, copy and export")
        self.by_column = QCheckBox("A row a tile", self)
        self.by_column.hide()
        self.canvas = HeatCanvas(context.display, self)
        self.table = TableWidget(context.display, self)
        self._link = LinkedTable(context, self.table, SOURCE)
        self.readout = Readout(context.display, self)
        self._build()
        self._connect()
        self._refresh.request()

    def _build(self) -> None:
        bar = bar_of((self.chooser, 3), self.log, self.sorted, self.as_table, self.by_column, 2)
        self.pages = pages_of(self, (self.canvas, self.table))
        self.stack = fill(self, self._context.display, bar, self.pages, self.readout)
        self.setFocusProxy(self.canvas)
        self._point(-1, -1, "")

    def _connect(self) -> None:
        document = self._context.document
        self._refresh = Refresh(self, self._show)
        document.updated.connect(self._updated)
        document.selection.changed.connect(self._selected)
        document.hover.changed.connect(self._hovered)
        document.ranges.changed.connect(self._ranged)
        self.chooser.currentIndexChanged.connect(self._draw)
        self.log.toggled.connect(self._draw)
        self.sorted.toggled.connect(self._draw)
        self.as_table.toggled.connect(self._turn)
        self.by_column.toggled.connect(self._turn)
        self.canvas.pointed.connect(self._point)
        self.canvas.row_chosen.connect(self._choose_row)
        self.canvas.columns_chosen.connect(self._choose_columns)
        self.canvas.range_wanted.connect(self._set_range)

    # -- abilities ----------------------------------------------------------------------------------------

    def shown_table(self) -> Table | None:
        matrix = self.matrix
        return None if matrix is None else self.table.shown_table() or rows_table(matrix)

    def shown_rows(self) -> I64 | None:
        return self.table.shown_rows() if self.as_table.isChecked() else None

    def selected_rows(self) -> I64:
        return self.table.selected_rows() if self.as_table.isChecked() else self._rows(self.canvas.marks.rows)

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        self.canvas.draw_picture(painter, place, theme)

    # -- contents -----------------------------------------------------------------------------------------

    @property
    def matrix(self) -> Matrix | None:
        place = self.chooser.currentIndex()
        return self._matrices[place] if 0 <= place < len(self._matrices) else None

    def _updated(self, update: Update) -> None:
        if update.profile is None or update.touches("target", "programs", *SECTIONS):
            self._refresh.request()

    def _show(self) -> None:
        profile = self._context.document.profile
        wanted = self.matrix.id if self.matrix is not None else ""
        self._matrices = [] if profile is None else [matrix for matrix in available(profile) if matrix.values.size]
        self.chooser.blockSignals(True)
        self.chooser.clear()
        for matrix in self._matrices:
            self.chooser.addItem(f"{matrix.group}: {matrix.title}")
        ids = [matrix.id for matrix in self._matrices]
        self.chooser.setCurrentIndex(ids.index(wanted) if wanted in ids else 0 if ids else -1)
        self.chooser.blockSignals(False)
        self._shown = None
        if self._matrices:
            self.stack.show_content()
        else:
            self.stack.show_empty(EMPTY)
        self._draw()

    def _draw(self) -> None:
        profile, matrix = self._context.document.profile, self.matrix
        if profile is None or matrix is None:
            self.canvas.set_picture(None)
            return
        now = profile, matrix.id, self.log.isChecked(), self.sorted.isChecked()
        if now == self._shown:
            return
        self._shown = now
        self.chooser.setToolTip(matrix.help)
        figure = "sum" if matrix.summary == "sum" else f"largest cell. {matrix.help}"
        self.sorted.setToolTip(f"Rows by their {figure}")
        across = matrix.columns.replace("_", " ")
        self.by_column.setText(f"A row a {across}")
        self.by_column.setToolTip(f"The {'sums' if matrix.summary == 'sum' else 'largest cells'} of each {across}")
        self._order = falling_rows(matrix) if self.sorted.isChecked() else None
        self.canvas.set_picture(picture_of(profile, matrix, log=self.log.isChecked(), order=self._order))
        self._turn()
        self._selected(self._context.document.selection.value)
        self._ranged(self._context.document.ranges.value)

    def _turn(self) -> None:
        """Between the picture and its table, which is made when it is first wanted."""
        matrix = self.matrix
        if self.as_table.isChecked() and matrix is not None:
            self._link.show(columns_table(matrix) if self.by_column.isChecked() else rows_table(matrix))
        self.pages.setCurrentWidget(self.table if self.as_table.isChecked() else self.canvas)
        self.readout.setVisible(not self.as_table.isChecked())
        for box in (self.log, self.sorted):
            box.setVisible(not self.as_table.isChecked())
        self.by_column.setVisible(self.as_table.isChecked())

    # -- selection ----------------------------------------------------------------------------------------

    def _selected(self, selection: Selection | None) -> None:
        profile, matrix = self._context.document.profile, self.matrix
        if profile is None or matrix is None or selection is None:
            self.canvas.mark(NONE, NONE)
            return
        reveal = selection.source != SOURCE
        if selection.kind == matrix.columns:
            columns = np.array(selection.indices, np.int64)
            self.canvas.mark(NONE, columns[columns < matrix.values.shape[1]], reveal=reveal)
            return
        rows = matrix.rows_of(translate(profile, selection, matrix.rows))
        self.canvas.mark(self._places(rows), NONE, reveal=reveal)

    def _hovered(self, hover: Selection | None) -> None:
        matrix = self.matrix
        if matrix is None or (hover is not None and hover.source == SOURCE):
            return
        rows = columns = None
        if hover is not None and hover.kind == matrix.rows:
            found = self._places(matrix.rows_of(np.array([hover.first], np.int64)))
            rows = range(int(found[0]), int(found[0]) + 1) if len(found) else None
        elif hover is not None and hover.kind == matrix.columns and hover.first < matrix.values.shape[1]:
            columns = range(hover.first, hover.first + 1)
        self.canvas.hover(rows, columns)

    def _choose_row(self, row: int) -> None:
        if self.matrix is not None:
            chosen = Selection(self.matrix.rows, (self.matrix.item(self._row(row)),), SOURCE)
            self._context.document.selection.set(chosen)

    def _choose_columns(self, first: int, last: int) -> None:
        if self.matrix is not None:
            chosen = Selection(self.matrix.columns, tuple(range(first, last + 1)), SOURCE)
            self._context.document.selection.set(chosen)

    def _set_range(self, first: int, last: int) -> None:
        if self.matrix is not None and self.matrix.columns == "tile":
            ranges = self._context.document.ranges
            ranges.set(Ranges(ranges.value.time, TileRange(tuple(range(first, last + 1)))))

    def _ranged(self, ranges: Ranges) -> None:
        tiles = ranges.tiles if self.matrix is not None and self.matrix.columns == "tile" else None
        self.canvas.set_range(None if tiles is None else np.array(tiles.tiles, np.int64))

    def _point(self, row: int, _: int, text: str) -> None:
        hint = "Point at a cell for its figure. Ctrl+wheel zooms, drag selects tiles, a click selects the row."
        self.readout.say(text or hint, muted=not text)
        matrix = self.matrix
        if matrix is not None:
            hover = Selection(matrix.rows, (matrix.item(self._row(row)),), SOURCE) if row >= 0 else None
            self._context.document.hover.set(hover)

    def _row(self, place: int) -> int:
        """The row of the matrix that is drawn at a place."""
        return place if self._order is None else int(self._order[place])

    def _rows(self, places: I64) -> I64:
        return places if self._order is None else self._order[places]

    def _places(self, rows: I64) -> I64:
        """Where rows of the matrix are drawn, rising."""
        return rows if self._order is None else np.flatnonzero(np.isin(self._order, rows)).astype(np.int64)
