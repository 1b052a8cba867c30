"""Bytes and cycles of every compute set, vertex type or exchange on every tile."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget

from app.analysis.kinds import KINDS
from app.analysis.matrices import Matrix, available, columns_table, matrix_of, rows_table
from app.analysis.matrix import Order, both_figures, column_order, row_order
from app.analysis.table import Table
from app.document.background import Background, Task
from app.formats.errors import FormatError
from app.language import labelled, tr
from app.panels.heat_table.arranged import SIDES, Arranged
from app.panels.panel import Panel
from app.panels.registry import SPECS
from app.profile.arrays import I64, distinct
from app.profile.profile import Profile
from app.profile.selection import Ranges, Selection
from app.views.texts import shown_line
from app.widgets.abilities import HasPicture
from app.widgets.controls import Controls
from app.widgets.fields import ChoiceBox, Chooser
from app.widgets.frame import check_of
from app.widgets.heat.picture import HeatPicture
from app.widgets.heat.scene import HeatScene
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.tabular import Tabular
from app.widgets.texts import Readout
from app.widgets.tips import set_tip
from app.widgets.twin import Twin

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison
    from app.panels.heat_table.compared import ArrangedPair, Paired

HINT = tr("Point at a cell for its value. Ctrl+wheel zooms, a drag selects tiles, a click selects the row.")
NOT_COMPARED = tr("The baseline has no such figures: only the comparison is shown.")
FEW_CELLS = 1_000_000
"""Matrices with more cells are compared in the background."""
CHOOSER = 36
"""Least width of the chooser of figures in characters."""
WIDEST = 60
"""Greatest width of the chooser of figures in average characters."""
ALL = 100
"""Share of the room that a control gets up to its greatest width, before a stretch of 1."""
NONE: I64 = np.empty(0, np.int64)


class HeatPanel(Panel):
    """Chooser above, heat map (or its table) below, the hovered figure at the bottom."""

    spec = SPECS["heat"]
    empty = tr("This profile has no figures per compute set and tile: the graph file does not contain them.")
    compares = True

    def build(self) -> None:
        self._matrices: list[Matrix] = []
        self._shown: tuple[object, ...] | None = None
        self._arranged: Arranged | ArrangedPair | None = None
        self._paired: Paired | None = None
        self._listed = "", False
        self._hint: str = HINT
        self._background = Background(self)
        self._chosen: tuple[I64, I64] = NONE, NONE
        display = self.context.display
        self.chooser = Chooser(tr("Figures to show"), self, 16)
        self.chooser.setMaximumWidth(self.fontMetrics().averageCharWidth() * WIDEST)
        self.chooser.setMinimumWidth(self.fontMetrics().averageCharWidth() * CHOOSER)
        self.sides = Chooser(tr("Which side is shown"), self)
        self.sides.offer(list(SIDES.values()), list(SIDES))
        self.sides.hide()
        self.log = check_of(tr("Log colours"), tr("Show more contrast between small values, less between large ones"))
        self.row_order = OrderBox(("file", "largest", "chosen", "name"), self)
        self.column_order = OrderBox(("file", "largest", "chosen"), self)
        self.canvas: PlaneCanvas[HeatScene] = PlaneCanvas(display, self)
        self.twin = Twin(self.context, self.spec.id, self.canvas, self._table, self._marked, compares=True)
        self.as_table, self.table = self.twin.box, self.twin.table
        self.by_column = QCheckBox(tr("One row per tile"), self)
        self.by_column.hide()
        self.readout = Readout(display, self)
        orders = self.row_order, self.column_order
        boxes, table = (self.as_table, self.by_column), (self.table.bar, ALL)
        folds = self.log, self.column_order, self.row_order, self.as_table
        inside = (self.chooser, ALL), self.sides, self.log, *orders, *boxes, table, 1
        controls = Controls(self, *inside, folds=folds)
        self.lay_out((self.twin, 1), self.readout, home=self.canvas, controls=controls)
        self._connect()
        self._point(-1, "")

    def _connect(self) -> None:
        self.chooser.currentIndexChanged.connect(self._draw)
        self.sides.currentIndexChanged.connect(self._draw)
        self.log.toggled.connect(self._draw)
        self.row_order.currentIndexChanged.connect(self._draw)
        self.column_order.currentIndexChanged.connect(self._draw)
        self.twin.turned.connect(self._turned)
        self.by_column.toggled.connect(self._list)
        self.canvas.pointed.connect(self._point)
        self.canvas.chosen.connect(self._choose)
        self.canvas.range_wanted.connect(self._set_range)

    def tabular(self) -> Tabular:
        return self.twin

    def picture(self) -> HasPicture:
        return self.canvas

    # -- contents -----------------------------------------------------------------------------------------

    @property
    def matrix(self) -> Matrix | None:
        place = self.chooser.currentIndex()
        return self._matrices[place] if 0 <= place < len(self._matrices) else None

    def forget(self) -> None:
        """Drops the rows and columns to order by, which were selected in another profile."""
        self._chosen = NONE, NONE

    def clear(self) -> None:
        self._matrices = []
        self._background.cancel()
        self._shown = self._arranged = self._paired = None
        self.chooser.offer([])
        self.canvas.set_scene(None)

    def fill(self, profile: Profile) -> None:
        wanted = self.matrix.id if self.matrix is not None else ""
        self._matrices = [matrix for matrix in available(profile) if matrix.values.size]
        ids = [matrix.id for matrix in self._matrices]
        titles = [labelled(matrix.group, matrix.title) for matrix in self._matrices]
        self.chooser.offer(titles, chosen=ids.index(wanted) if wanted in ids else 0)
        self._shown = self._paired = None
        self.sides.setVisible(self.comparison is not None and not self.twin.tabular)
        if not self._matrices:
            self.say_empty(self.lacks(self.empty))
        self._draw()

    def _draw(self) -> None:
        profile, matrix = self.profile, self.matrix
        if profile is None or matrix is None:
            self._background.cancel()
            self._arranged = None
            self.canvas.set_scene(None)
            return
        orders, log = (self.row_order.order, self.column_order.order), self.log.isChecked()
        now = profile, matrix.id, log, orders, self.sides.currentData()
        if now == self._shown:
            return
        self._shown = now
        self._background.cancel()
        self._say_what(matrix)
        self._list()
        before = None if self.comparison is None else matrix_of(self.comparison.before, matrix.id)
        self.sides.setEnabled(before is not None)
        self._hint = HINT if self.comparison is None or before is not None else NOT_COMPARED
        if self.comparison is None or before is None:
            arranged = self._arrange(matrix)
            self._show_picture(arranged, arranged.picture(profile, log=log))
        else:
            self._compare(self.comparison, before, matrix)

    def _show_picture(self, arranged: Arranged | ArrangedPair, picture: HeatPicture) -> None:
        self._arranged = arranged
        matrix = arranged.matrix
        heading = tr(
            "{rows} × {columns}",
            rows=KINDS[matrix.rows].counted(picture.rows),
            columns=KINDS[matrix.columns].counted(picture.columns),
        )
        self.canvas.set_scene(HeatScene(picture, heading))
        self._point(-1, "")
        self.follow()

    def _compare(self, comparison: Comparison, before: Matrix, matrix: Matrix) -> None:
        """Shows the matrix beside that of the baseline; large ones are compared in the background, and the former
        picture stays until then."""
        from app.panels.heat_table.compared import Made, View, made  # only with a baseline

        orders = self.row_order.order, self.column_order.order
        view = View(self.sides.currentData(), self.log.isChecked(), orders, self._chosen)
        work = partial(made, comparison, before, matrix, view, self._paired)

        def show(result: Made) -> None:
            self._paired = result.paired
            self._show_picture(result.arranged, result.picture)

        if matrix.values.size + before.values.size <= FEW_CELLS:
            show(work(lambda: None))
        else:
            self._background.run(Task(lambda token, _: work(token.check), show, self._fail))

    def _fail(self, error: FormatError) -> None:
        self._arranged = None
        self.canvas.set_scene(None)
        self.readout.say(tr("The matrices cannot be compared: {error}", error=error))

    def _say_what(self, matrix: Matrix) -> None:
        """Updates the texts that depend on what rows and columns are."""
        across, adds = KINDS[matrix.columns], matrix.column_summary == "sum"
        title = across.title
        set_tip(self.chooser, matrix.help)
        self.row_order.say(tr("rows"), across.several, tr("Rows by their sums. {help}", help=matrix.help))
        self.column_order.say(
            across.several,
            tr("rows"),
            tr("{title} by their sums. {help}", title=title, help=matrix.help)
            if adds
            else tr("{title} by their maxima. {help}", title=title, help=matrix.help),
        )
        self.by_column.setText(tr("One row per {across}", across=across.one))
        set_tip(
            self.by_column,
            tr("The sums of each {across}", across=across.one)
            if adds
            else tr("The maxima of each {across}", across=across.one),
        )

    def _arrange(self, matrix: Matrix) -> Arranged:
        before = self._arranged
        same = isinstance(before, Arranged) and before.matrix is matrix
        figures = before.figures if same and isinstance(before, Arranged) else both_figures(matrix)
        rows, columns = self._chosen
        return Arranged(
            matrix,
            figures,
            row_order(matrix, self.row_order.order, figures[0], columns),
            column_order(matrix, self.column_order.order, figures[1], rows),
        )

    def _list(self) -> None:
        """Renews the table of the chosen matrix."""
        self._listed = "" if self.matrix is None else self.matrix.id, self.by_column.isChecked()
        self.twin.renew()

    def _turned(self, tabular: bool) -> None:
        for widget in (self.readout, self.log, self.row_order, self.column_order):
            widget.setVisible(not tabular)
        self.sides.setVisible(not tabular and self.comparison is not None)
        self.by_column.setVisible(tabular)

    def _table(self, profile: Profile) -> Table | None:
        """Of either profile, in a thread for a comparison."""
        matrix_id, by_column = self._listed
        matrix = matrix_of(profile, matrix_id)
        if matrix is None:
            return None
        return columns_table(matrix) if by_column else rows_table(matrix)

    def _marked(self) -> I64:
        if self._arranged is None or self.canvas.scene is None:
            return NONE
        return self._arranged.rows_at(self.canvas.scene.split(self.canvas.marks.selected)[0])

    # -- selection ----------------------------------------------------------------------------------------

    def show_selection(self, selection: Selection | None, reveal: bool) -> None:
        """Marks the selection, and sorts again if the order is by selected items."""
        matrix = self.matrix
        if matrix is None:
            return
        rows, columns = self._chosen
        if selection is not None and selection.kind == matrix.columns:
            columns = distinct(np.array(selection.indices, np.int64))
        elif selection is not None:
            selected = matrix.rows_of(self.shared.linked(selection, matrix.rows))
            rows = selected if len(selected) else rows
        changed = not (np.array_equal(rows, self._chosen[0]) and np.array_equal(columns, self._chosen[1]))
        self._chosen = rows, columns
        if changed and "chosen" in (self.row_order.order, self.column_order.order):
            self._shown = None
            self._draw()
        else:
            self._mark(selection, reveal=reveal)

    def _mark(self, selection: Selection | None, reveal: bool) -> None:
        arranged, scene = self._arranged, self.canvas.scene
        if arranged is None or scene is None or selection is None:
            self.canvas.mark(NONE)
            return
        matrix = arranged.matrix
        if selection.kind == matrix.columns:
            columns = arranged.places_of_columns(np.array(selection.indices, np.int64))
            self.canvas.mark(scene.items(NONE, columns), reveal=reveal)
        else:
            rows = arranged.places_of_items(self.shared.linked(selection, matrix.rows))
            self.canvas.mark(scene.items(rows, NONE), reveal=reveal)

    def show_hover(self, hover: Selection | None) -> None:
        arranged, scene, rows, columns = self._arranged, self.canvas.scene, NONE, NONE
        if arranged is None or scene is None:
            return
        if hover is not None and hover.kind == arranged.matrix.rows:
            rows = arranged.places_of_items(np.array([hover.first], np.int64))
        elif hover is not None and hover.kind == arranged.matrix.columns:
            columns = arranged.places_of_columns(np.array([hover.first], np.int64))
        items = scene.items(rows, columns)
        self.canvas.hover(int(items[0]) if len(items) else -1)

    def show_ranges(self, ranges: Ranges) -> None:
        arranged, tiles = self._arranged, ranges.tiles
        if arranged is None or tiles is None or arranged.matrix.columns != "tile":
            self.canvas.set_range(None)
        else:
            self.canvas.set_range(arranged.places_of_columns(np.array(tiles.tiles, np.int64)))

    def _choose(self, items: I64, _adding: bool) -> None:
        """Selects a row, or neighbouring columns."""
        arranged, scene = self._arranged, self.canvas.scene
        if arranged is None or scene is None:
            return
        matrix, (rows, columns) = arranged.matrix, scene.split(items)
        if len(rows):
            item = arranged.item_at(int(rows[0]))
            if item >= 0:  # not a row of the baseline
                self.shared.select(matrix.rows, (item,))
        else:
            self.shared.select(matrix.columns, arranged.columns_at(int(columns[0]), int(columns[-1])))

    def _set_range(self, first: int, last: int) -> None:
        if self._arranged is not None and self._arranged.matrix.columns == "tile":
            self.shared.limit_to_tiles(self._arranged.columns_at(first, last))

    def _point(self, item: int, text: str) -> None:
        """Shows the hovered figure, and publishes the hovered row (the column if the pointer is beside the cells)."""
        self.readout.say(text or self._hint, muted=not text)
        arranged, scene = self._arranged, self.canvas.scene
        if arranged is None or scene is None:
            return
        if 0 <= item < scene.picture.rows:
            self.shared.point(arranged.matrix.rows, arranged.item_at(item))
        elif item >= 0:
            self.shared.point(arranged.matrix.columns, arranged.column_at(item - scene.picture.rows))
        else:
            self.shared.point(arranged.matrix.rows, -1)


MOST = 30
"""Largest width in characters."""


class OrderBox(ChoiceBox):
    """A chooser of the order; its texts name what is ordered. It folds away rather than being elided."""

    def __init__(self, orders: Sequence[Order], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._orders = tuple(orders)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.setMaximumWidth(self.fontMetrics().averageCharWidth() * MOST)
        self.setAccessibleName(tr("Order"))
        self.addItems([""] * len(self._orders))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @property
    def order(self) -> Order:
        return self._orders[max(self.currentIndex(), 0)]

    def choose(self, order: Order) -> None:
        self.setCurrentIndex(self._orders.index(order))

    def say(self, what: str, others: str, figures: str) -> None:
        """Updates the texts. ``what``: what is ordered (rows, tiles); ``others``: the items whose selection it can be
        ordered by; ``figures``: the figures that define the largest."""
        words: dict[Order, str] = {
            "file": tr("File order of {what}", what=what),
            "largest": tr("Largest {what} first", what=what),
            "chosen": tr("By selected {others}", others=others),
            "name": tr("By name"),
        }
        for place, order in enumerate(self._orders):
            self.setItemText(place, shown_line(words[order]))
        self.setAccessibleName(shown_line(tr("Order of the {what}", what=what)))
        needs = tr("By selected {others}: select some in any panel, and the order follows.", others=others)
        set_tip(self, f"{figures}\n{needs}")
