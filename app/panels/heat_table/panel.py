"""Bytes and cycles of every compute set, vertex type or exchange on every tile."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget

from app.analysis.links import translate
from app.analysis.matrices import Matrix, available
from app.analysis.matrix_order import Order, both_figures, column_order, row_order
from app.analysis.matrix_tables import columns_table, rows_table
from app.analysis.table import Table
from app.document.document import Update
from app.panels.heat_table import SECTIONS
from app.panels.heat_table.arranged import Arranged
from app.panels.heat_table.order_box import OrderBox
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Ranges, Selection, TileRange
from app.widgets.choice_box import ChoiceBox
from app.widgets.context import Context
from app.widgets.frame import bar_of, fill, pages_of
from app.widgets.heat.canvas import HeatCanvas
from app.widgets.readout import Readout
from app.widgets.refresh import Refresh
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget
from app.widgets.texts import shown_line
from app.widgets.theme import Theme
from app.widgets.tips import set_tip

SOURCE = "heat"
EMPTY = "This profile has no figures per compute set and tile: the graph was written without them."
NONE: I64 = np.empty(0, np.int64)


class HeatPanel(QWidget):
    """Chooser above, heat map (or its table) below, the figure under the pointer at the bottom."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._matrices: list[Matrix] = []
        self._shown: tuple[Profile, str, bool, Order, Order] | None = None
        self._arranged: Arranged | None = None
        self._chosen: tuple[I64, I64] = NONE, NONE
        self.chooser = ChoiceBox(self)
        self.chooser.setAccessibleName("Figures to show")
        self.chooser.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.chooser.setMinimumContentsLength(16)
        self.log = QCheckBox("Log colours", self)
        self.log.setToolTip("Tell small figures apart, at the price of large ones")
        self.row_order = OrderBox(("file", "largest", "chosen", "name"), self)
        self.column_order = OrderBox(("file", "largest", "chosen"), self)
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
        orders = (self.row_order, 1), (self.column_order, 1)
        bar = bar_of((self.chooser, 3), self.log, *orders, self.as_table, self.by_column, 1)
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
        self.row_order.currentIndexChanged.connect(self._draw)
        self.column_order.currentIndexChanged.connect(self._draw)
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
        if self.as_table.isChecked() or self._arranged is None:
            return self.table.selected_rows()
        return self._arranged.rows_at(self.canvas.marks.rows)

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        self.canvas.draw_picture(painter, place, theme)

    # -- contents -----------------------------------------------------------------------------------------

    @property
    def matrix(self) -> Matrix | None:
        place = self.chooser.currentIndex()
        return self._matrices[place] if 0 <= place < len(self._matrices) else None

    def _updated(self, update: Update) -> None:
        if update.whole and self._context.document.selection.value is None:
            self._chosen = NONE, NONE  # what was selected in another profile orders nothing here
        if update.profile is None or update.touches("target", "programs", *SECTIONS):
            self._refresh.request()

    def _show(self) -> None:
        profile = self._context.document.profile
        wanted = self.matrix.id if self.matrix is not None else ""
        self._matrices = [] if profile is None else [matrix for matrix in available(profile) if matrix.values.size]
        self.chooser.blockSignals(True)
        self.chooser.clear()
        for matrix in self._matrices:
            self.chooser.addItem(shown_line(f"{matrix.group}: {matrix.title}"))
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
            self._arranged = None
            self.canvas.set_picture(None)
            return
        now = profile, matrix.id, self.log.isChecked(), self.row_order.order, self.column_order.order
        if now == self._shown:
            return
        self._shown = now
        self._say_what(matrix)
        self._arranged = self._arrange(matrix)
        self.canvas.set_picture(self._arranged.picture(profile, log=self.log.isChecked()))
        self._turn()
        self._mark(self._context.document.selection.value)
        self._ranged(self._context.document.ranges.value)

    def _say_what(self, matrix: Matrix) -> None:
        """Words of the bar that hang on what rows and columns are."""
        across = matrix.columns.replace("_", " ")
        figures = "sums" if matrix.column_summary == "sum" else "maxima"
        set_tip(self.chooser, matrix.help)
        self.row_order.say("row", f"{across}s", f"Rows by their sums. {matrix.help}")
        self.column_order.say(across, "rows", f"{across.capitalize()}s by their {figures}. {matrix.help}")
        self.by_column.setText(f"A row a {across}")
        set_tip(self.by_column, f"The {figures} of each {across}")

    def _arrange(self, matrix: Matrix) -> Arranged:
        before = self._arranged
        figures = before.figures if before is not None and before.matrix is matrix else both_figures(matrix)
        rows, columns = self._chosen
        return Arranged(
            matrix,
            figures,
            row_order(matrix, self.row_order.order, figures[0], columns),
            column_order(matrix, self.column_order.order, figures[1], rows),
        )

    def _turn(self) -> None:
        """Between the picture and its table, which is made when it is first wanted."""
        matrix = self.matrix
        if self.as_table.isChecked() and matrix is not None:
            self._link.show(columns_table(matrix) if self.by_column.isChecked() else rows_table(matrix))
        self.pages.setCurrentWidget(self.table if self.as_table.isChecked() else self.canvas)
        self.readout.setVisible(not self.as_table.isChecked())
        for box in (self.log, self.row_order, self.column_order):
            box.setVisible(not self.as_table.isChecked())
        self.by_column.setVisible(self.as_table.isChecked())

    # -- selection ----------------------------------------------------------------------------------------

    def _selected(self, selection: Selection | None) -> None:
        """Marks it; an order by what is selected follows."""
        matrix, profile = self.matrix, self._context.document.profile
        if matrix is None or profile is None:
            return
        rows, columns = self._chosen
        if selection is not None and selection.kind == matrix.columns:
            columns = np.unique(np.array(selection.indices, np.int64))
        elif selection is not None:
            found = matrix.rows_of(translate(profile, selection, matrix.rows))
            rows = found if len(found) else rows
        changed = not (np.array_equal(rows, self._chosen[0]) and np.array_equal(columns, self._chosen[1]))
        self._chosen = rows, columns
        if changed and "chosen" in (self.row_order.order, self.column_order.order):
            self._shown = None
            self._draw()
        else:
            self._mark(selection)

    def _mark(self, selection: Selection | None) -> None:
        profile, arranged = self._context.document.profile, self._arranged
        if profile is None or arranged is None or selection is None:
            self.canvas.mark(NONE, NONE)
            return
        reveal, matrix = selection.source != SOURCE, arranged.matrix
        if selection.kind == matrix.columns:
            columns = arranged.places_of_columns(np.array(selection.indices, np.int64))
            self.canvas.mark(NONE, columns, reveal=reveal)
        else:
            rows = arranged.places_of_rows(matrix.rows_of(translate(profile, selection, matrix.rows)))
            self.canvas.mark(rows, NONE, reveal=reveal)

    def _hovered(self, hover: Selection | None) -> None:
        arranged = self._arranged
        if arranged is None or (hover is not None and hover.source == SOURCE):
            return
        rows = columns = None
        if hover is not None and hover.kind == arranged.matrix.rows:
            rows = _one(arranged.places_of_rows(arranged.matrix.rows_of(np.array([hover.first], np.int64))))
        elif hover is not None and hover.kind == arranged.matrix.columns:
            columns = _one(arranged.places_of_columns(np.array([hover.first], np.int64)))
        self.canvas.hover(rows, columns)

    def _choose_row(self, place: int) -> None:
        if self._arranged is not None:
            matrix = self._arranged.matrix
            chosen = Selection(matrix.rows, (matrix.item(self._arranged.row(place)),), SOURCE)
            self._context.document.selection.set(chosen)

    def _choose_columns(self, first: int, last: int) -> None:
        if self._arranged is not None:
            chosen = tuple(self._arranged.columns_at(first, last).tolist())
            self._context.document.selection.set(Selection(self._arranged.matrix.columns, chosen, SOURCE))

    def _set_range(self, first: int, last: int) -> None:
        if self._arranged is not None and self._arranged.matrix.columns == "tile":
            ranges = self._context.document.ranges
            tiles = tuple(self._arranged.columns_at(first, last).tolist())
            ranges.set(Ranges(ranges.value.time, TileRange(tiles)))

    def _ranged(self, ranges: Ranges) -> None:
        arranged, tiles = self._arranged, ranges.tiles
        if arranged is None or tiles is None or arranged.matrix.columns != "tile":
            self.canvas.set_range(None)
        else:
            self.canvas.set_range(arranged.places_of_columns(np.array(tiles.tiles, np.int64)))

    def _point(self, row: int, column: int, text: str) -> None:
        """The figure under the pointer; others point at the row too (beside the cells: at the whole column)."""
        hint = "Point at a cell for its figure. Ctrl+wheel zooms, drag selects tiles, a click selects the row."
        self.readout.say(text or hint, muted=not text)
        arranged, hover = self._arranged, None
        if arranged is None:
            return
        if row >= 0:
            hover = Selection(arranged.matrix.rows, (arranged.matrix.item(arranged.row(row)),), SOURCE)
        elif column >= 0:
            hover = Selection(arranged.matrix.columns, (arranged.column(column),), SOURCE)
        self._context.document.hover.set(hover)


def _one(places: I64) -> range | None:
    return range(int(places[0]), int(places[0]) + 1) if len(places) else None
