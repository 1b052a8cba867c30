"""The view of a table: columns are sized by a sample of their cells, rows are selected as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QModelIndex, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QHeaderView, QTableView, QWidget

from app.analysis.export import tsv
from app.analysis.table import Table
from app.profile.arrays import I64
from app.views.look import Look
from app.views.table import extremes, sample, widest
from app.widgets.abilities import ITEM, Copies, HasItemMenus
from app.widgets.display import Display
from app.widgets.table.delegate import PADDING, CellDelegate, CellDrawing
from app.widgets.table.empty import empty_columns, is_empty
from app.widgets.table.model import Row, TableModel, is_text, visible_strips
from app.widgets.texts import advance

WIDEST = 420
NARROWEST = 56
ENOUGH, LEAST_REST = 360, 200
"""Pixels of a column of long texts: the width that is enough, and its minimum."""
LEAST_NAME = 120
"""Minimum of a column of names beside a figure."""
SORT_MARK = 16
MARK = 20
SMOOTH_ROWS = 10_000_000
"""More rows than this scroll row by row: their height in pixels would exceed Qt's coordinates."""
MOST_STRETCHES = 64
"""Selections made elsewhere are selected here too; with more runs of rows than this they are only marked, since Qt's
time for them grows with their square."""

Flag = QItemSelectionModel.SelectionFlag


class TableView(QTableView, Copies, HasItemMenus):
    """Signals: ``chosen`` when the user changes the selected rows, ``pointed`` (row of the table, or -1) as the
    pointer moves over rows, ``opened`` (row of the table) on a double click or Enter, ``arranged`` when groups of rows
    are opened or closed. ``meant``: the column of the context menu. Source text gets the width that the other columns
    leave, at least ``least_rest`` pixels. ``names``: the key of a column of names that comes before kinds and numbers,
    and leaves room for the first figure in a narrow view. ``elided``: the key of a column that becomes narrower, so
    that the other columns need not be scrolled to."""

    chosen = Signal()
    pointed = Signal(int)
    opened = Signal(int)
    arranged = Signal()

    def __init__(
        self,
        display: Display,
        parent: QWidget | None = None,
        model: type[TableModel] = TableModel,
        delegate: type[CellDelegate] = CellDelegate,
    ) -> None:
        super().__init__(parent)
        self.items = model(self)
        self.setModel(self.items)
        self.cell_delegate = delegate(self.items, display.theme, self.font(), self)
        self.setItemDelegate(self.cell_delegate)
        self._quiet = False
        self._fitted: list[int] = []
        self._rest_width = -1
        self.meant = -1
        self.names = ""
        self.least_rest = LEAST_REST
        self.elided = ""
        self.hidden_first: frozenset[str] = frozenset()
        """Keys of the columns that are hidden until the user shows them."""
        self.empty: frozenset[int] = frozenset()
        """Columns that were hidden because nothing is in them."""
        self._elided_width = -1
        self._set_up()
        self.selectionModel().selectionChanged.connect(self._selection_changed)
        self.activated.connect(self._activated)
        display.changed.connect(self._look_changed)
        self._look_changed(display.look)

    def _set_up(self) -> None:
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # scrolling moves what is painted
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setCornerButtonEnabled(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._set_row_height()
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setSectionsMovable(True)
        head.setMinimumSectionSize(NARROWEST // 2)
        head.setTextElideMode(Qt.TextElideMode.ElideRight)
        head.setSortIndicatorClearable(True)
        head.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)

    def _set_row_height(self) -> None:
        rows, height = self.verticalHeader(), self.cell_delegate.row_height
        rows.setMinimumSectionSize(min(height, rows.defaultSectionSize()))
        rows.setDefaultSectionSize(height)
        rows.setMinimumSectionSize(height)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.cell_delegate.set_font(self.font())
            self._set_row_height()
            self.fit_columns()

    # -- contents -----------------------------------------------------------------------------------------

    def set_table(self, table: Table) -> None:
        """Shows ``table``; sorting and widths set by the user are kept if the columns are the same."""
        before, other = [column.key for column in self.items.table.columns], self.items.table.id != table.id
        same = before == [column.key for column in table.columns]
        smooth = table.rows <= SMOOTH_ROWS
        mode = QAbstractItemView.ScrollMode
        self.setVerticalScrollMode(mode.ScrollPerPixel if smooth else mode.ScrollPerItem)
        self.cell_delegate.hovered = -1
        if not same:
            self.cell_delegate.drawn, self.items.tips = {}, {}
        self.items.set_table(table)
        if not same:
            with_units = any(column.units is not None and not column.numeric for column in table.columns)
            self.empty = empty_columns(table)
            for place, column in enumerate(table.columns):
                unsaid = place in self.empty or column.key in self.hidden_first
                self.setColumnHidden(place, unsaid or (with_units and column.key == "unit"))
            self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
            if self.names:
                self._put_names_first()
            self.fit_columns()
        else:
            self.follow_contents()
            self._widen(sampled=other)

    def follow_contents(self) -> None:
        """Shows columns that were hidden as they were empty, and no longer are, and hides those that are empty now: a
        range may cut slices, and the next one none. None is hidden while a mouse button is down."""
        table = self.items.table
        filled = frozenset(place for place in self.empty if not is_empty(table.columns[place]))
        drags = QApplication.mouseButtons() != Qt.MouseButton.NoButton
        emptied = frozenset() if drags else empty_columns(table) - self.empty
        for place in filled | emptied:
            self.setColumnHidden(place, place in emptied)
        self.empty = (self.empty - filled) | emptied

    def fit_columns(self) -> None:
        """Fits the column widths to a sample of the rows."""
        table = self.items.table
        for place, column in enumerate(table.columns):
            drawn = self.cell_delegate.drawn.get(place)
            self.setColumnWidth(place, self._needed(place, sample(table, column)) if drawn is None else drawn.width)
        self._fitted = [self.columnWidth(place) for place in range(len(table.columns))]
        last = bool(table.columns) and is_text(table.columns[-1])
        self.horizontalHeader().setStretchLastSection(last and self._rest_place < 0)
        self._rest_width = self._elided_width = -1
        self.give_rest()

    def _put_names_first(self) -> None:
        """Moves kinds and numbers to the end, so that figures stand beside the names."""
        head, columns = self.horizontalHeader(), self.items.table.columns
        last = [place for place, column in enumerate(columns) if column.role in ("kind", "key")]
        first = [place for place in range(len(columns)) if place not in last]
        for visual, place in enumerate((*first, *last)):
            head.moveSection(head.visualIndex(place), visual)

    @property
    def _rest_place(self) -> int:
        columns = self.items.table.columns
        return next(
            (place for place, column in enumerate(columns) if column.role == "code" or column.key == self.names), -1
        )

    def give_rest(self) -> None:
        """Gives the column of long texts, or of names, the width that is left to it."""
        place = self._rest_place
        if place < 0 or self.isColumnHidden(place) or self._rest_width not in (-1, self.columnWidth(place)):
            return  # hidden, or resized by the user
        head, column = self.horizontalHeader(), self.items.table.columns[place]
        in_order = [head.logicalIndex(visual) for visual in range(head.count())]
        shown = [one for one in in_order if not self.isColumnHidden(one)]
        before, after = shown[: shown.index(place)], shown[shown.index(place) + 1 :]
        self._elide([*before, *after])
        wanted = self._needed(place, sample(self.items.table, column))
        room = self.viewport().width() - sum(map(self.columnWidth, before))
        beside = [self.columnWidth(one) for one in after]
        names = column.key == self.names
        least = min(wanted, LEAST_NAME if names else self.least_rest)
        self.setColumnWidth(place, (_width_of_names if names else _width_of_texts)(wanted, least, room, beside))
        self._rest_width = self.columnWidth(place)

    def wanted_width(self, place: int) -> int:
        """Width in pixels of a column where there is room for all: that of its contents, or the user's."""
        width = self.columnWidth(place)
        given = self.items.table.columns[place].key == self.elided and width == self._elided_width
        return self._fitted[place] if given and place < len(self._fitted) else width

    def _elide(self, others: list[int]) -> None:
        """Makes the column ``elided`` as wide as its contents, or so narrow that the least width of long texts is left
        beside the columns ``others``, unless the user has resized it."""
        place = next((place for place in others if self.items.table.columns[place].key == self.elided), -1)
        wanted = self.wanted_width(place) if place >= 0 else -1
        if self._fitted[place : place + 1] != [wanted]:
            return
        beside = sum(self.columnWidth(other) for other in others if other != place)
        left = self.viewport().width() - beside - self.least_rest
        self.setColumnWidth(place, max(min(wanted, left), min(wanted, LEAST_NAME)))
        self._elided_width = self.columnWidth(place)

    def _widen(self, *, sampled: bool) -> None:
        """Widens columns for longer values (``sampled``: and texts), except those that the user has resized."""
        table = self.items.table
        for place, column in enumerate(table.columns):
            width = self.wanted_width(place)
            if place in (self._rest_place, *self.cell_delegate.drawn) or self._fitted[place : place + 1] != [width]:
                continue
            rows = sample(table, column) if sampled else extremes(column)
            if rows and (needed := self._needed(place, rows)) > width:
                self.setColumnWidth(place, needed)
                self._fitted[place] = self.columnWidth(place)
        self.give_rest()

    def _needed(self, place: int, rows: list[int]) -> int:
        """Width in pixels for the title and the cells of these rows."""
        cells, head = self.items.cells, self.horizontalHeader().fontMetrics()
        longest = widest((cells.text(place, row) for row in rows), partial(self.cell_delegate.width_of, place))
        air = PADDING if is_text(self.items.column(place)) else 0
        title = advance(cells.header(place), head) + 2 * PADDING + SORT_MARK
        return min(max(title, longest + air, NARROWEST), WIDEST)

    def make_room(self, place: int) -> None:
        """Makes a column at least as wide as its title with the filter icon."""
        head = self.horizontalHeader()
        title = advance(self.items.cells.header(place), head.fontMetrics())
        needed = title + 2 * PADDING + SORT_MARK + MARK
        if self.columnWidth(place) < needed:
            self.setColumnWidth(place, min(needed, WIDEST))

    def draw_cells(self, drawn: Mapping[int, CellDrawing]) -> None:
        """Sets the columns whose cells are drawn by a CellDrawing; the others are drawn by default. A column takes the
        width of its drawing when it is new, and when that changes."""
        before, self.cell_delegate.drawn = self.cell_delegate.drawn, drawn
        self.items.tips = {place: drawing.tip for place, drawing in drawn.items()}
        for place, drawing in drawn.items():
            if place not in before or before[place].width != drawing.width:
                self.setColumnWidth(place, drawing.width)
        self.give_rest()
        self.viewport().update()

    # -- selection ----------------------------------------------------------------------------------------

    def selected_source_rows(self) -> I64:
        """Selected rows of the table in display order: int64."""
        if self.items.marks is not None:
            return self.items.source_rows(np.flatnonzero(self.items.marks[self.items.rows]))
        marked = np.zeros(len(self.items.rows), np.bool_)
        selection = self.selectionModel().selection()
        for part in map(selection.at, range(selection.count())):
            marked[part.top() : part.bottom() + 1] = True
        return self.items.source_rows(np.flatnonzero(marked))

    def mark(self, source: I64, *, scroll: bool = True) -> None:
        """Selects these rows of the table without emitting ``chosen``, and scrolls to the first."""
        shown = self.items.shown_rows(source)
        many = np.count_nonzero(np.diff(shown) != 1) >= MOST_STRETCHES
        self._quiet = True
        try:
            self.items.mark(source if many else None)
            if many or not len(shown):
                self.clearSelection()
                self.viewport().update()
            if not len(shown):
                return
            if not many:
                self.selectionModel().select(_stretches(self.items, shown), Flag.ClearAndSelect | Flag.Rows)
            first = self.items.index(int(shown[0]), max(self.currentIndex().column(), 0))
            seen = self.viewport().rect().contains(self.visualRect(first).center())
            at, across = self.verticalScrollBar().value(), self.horizontalScrollBar().value()
            self.selectionModel().setCurrentIndex(first, Flag.NoUpdate)  # this scrolls
            if not scroll:
                self.verticalScrollBar().setValue(at)
            elif not seen:
                self.scrollTo(first, QAbstractItemView.ScrollHint.PositionAtCenter)
            self.horizontalScrollBar().setValue(across)  # whole rows are marked, so there is no need to scroll sideways
        finally:
            self._quiet = False

    def show_row(self, source: int) -> None:
        """Scrolls a row of the table to the middle, without selecting it."""
        shown = self.items.shown_rows(np.array([source])).tolist()
        if shown:
            self.scrollTo(self.items.index(shown[0], 0), QAbstractItemView.ScrollHint.PositionAtCenter)

    def choose_row(self, source: int) -> bool:
        """Selects a row of the table as the user would, and scrolls it to the middle; False if it is filtered out."""
        shown = self.items.shown_rows(np.array([source])).tolist()
        if not shown:
            return False
        index = self.items.index(shown[0], max(self.currentIndex().column(), 0))
        self.selectionModel().setCurrentIndex(index, Flag.ClearAndSelect | Flag.Rows)
        self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)
        return True

    def copy_text(self) -> str:
        """The selected rows as TSV with a header."""
        rows = self.selected_source_rows()
        return tsv(self.items.table, rows) if len(rows) else ""

    def step(self, direction: int) -> None:
        """Selects the next or previous row as the user would."""
        if not len(self.items.rows):
            return
        row = min(max(self.currentIndex().row() + direction, 0), len(self.items.rows) - 1)
        index = self.items.index(row, max(self.currentIndex().column(), 0))
        self.selectionModel().setCurrentIndex(index, Flag.ClearAndSelect | Flag.Rows)
        self.scrollTo(index)

    def step_to(self, sources: I64, direction: int) -> None:
        """Selects the next (+1) or previous (-1) of these rows of the table, as the user would."""
        shown = self.items.shown_rows(sources)
        here = self.currentIndex().row()
        ahead = shown[shown > here] if direction > 0 else shown[shown < here][::-1] if here >= 0 else shown[::-1]
        if len(ahead):
            index = self.items.index(int(ahead[0]), max(self.currentIndex().column(), 0))
            self.selectionModel().setCurrentIndex(index, Flag.ClearAndSelect | Flag.Rows)
            self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def hover_row(self, source: int) -> None:
        """Outlines a row of the table; -1 for none."""
        shown = self.items.shown_rows(np.array([source])).tolist() if source >= 0 else []
        self._outline(shown[0] if shown else -1)

    # -- the context menu ---------------------------------------------------------------------------------

    def menu_places_at(self, point: QPoint | None) -> tuple[str, ...]:
        """The menu places of a header or a cell, whose row the click has selected already. ``point`` is in this
        widget's coordinates."""
        head, self.meant = self.horizontalHeader(), self.currentIndex().column()
        if point is not None and head.isVisible() and head.geometry().contains(point):
            self.meant = head.logicalIndexAt(head.mapFrom(self, point))
            return ("header",) if self.meant >= 0 else ()
        index = self.currentIndex() if point is None else self.indexAt(self.viewport().mapFrom(self, point))
        if not index.isValid():
            return ("table",)
        self.meant = index.column()
        if index != self.currentIndex():
            self.selectionModel().setCurrentIndex(index, Flag.NoUpdate)  # "Copy cell" copies the current one
        table = self.items.table
        return ("cell", ITEM) if table.selects is not None or table.row_items is not None else ("cell",)

    # -- Qt's side ----------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.give_rest()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints all visible cells at once, instead of Qt's call of style and delegate for each."""
        focused = self.currentIndex() if self.hasFocus() or self.viewport().hasFocus() else QModelIndex()
        focus = (focused.row(), focused.column()) if focused.isValid() else None
        strips = visible_strips(self.horizontalHeader(), event.rect())
        with QPainter(self.viewport()) as painter:
            self.cell_delegate.paint_area(painter, event.rect(), self._rows_in(event.rect()), strips, focus)

    def _rows_in(self, area: QRect) -> list[Row]:
        """The rows that intersect an area of the viewport."""
        first, last, count = self.rowAt(area.top()), self.rowAt(area.bottom()), len(self.items.rows)
        if first < 0:
            return []
        stop = count if last < 0 else last + 1
        selected = self.selectionModel().isSelected
        tops = range(self.rowViewportPosition(first), 1 << 31, self.cell_delegate.row_height)
        return [
            Row(row, source, top, selected(self.items.index(row, 0)))
            for row, source, top in zip(range(first, stop), self.items.rows[first:stop].tolist(), tops, strict=False)
        ]

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        row = self.indexAt(event.position().toPoint()).row()
        self._outline(row)
        self.pointed.emit(int(self.items.rows[row]) if row >= 0 else -1)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._outline(-1)
        self.pointed.emit(-1)

    def _outline(self, row: int) -> None:
        before, self.cell_delegate.hovered = self.cell_delegate.hovered, row
        for changed in {before, row}:
            if 0 <= changed < len(self.items.rows):
                top = self.rowViewportPosition(changed)
                self.viewport().update(0, top, self.viewport().width(), self.rowHeight(changed))

    def _selection_changed(self) -> None:
        if not self._quiet:
            if self.items.marks is not None:
                self.items.mark(None)
                self.viewport().update()
            self.chosen.emit()

    def _activated(self, index: QModelIndex) -> None:
        self.opened.emit(int(self.items.rows[index.row()]))

    def _look_changed(self, look: Look) -> None:
        self.items.set_look(look)
        theme = look.theme
        self.cell_delegate.set_theme(theme)
        self.viewport().update()


def _width_of_names(wanted: int, least: int, room: int, beside: list[int]) -> int:
    """The width of a column of names in ``room`` pixels: as many as it wants, if the first of the columns ``beside``
    is seen, too."""
    return max(min(room - sum(beside[:1]), wanted), least)


def _width_of_texts(wanted: int, least: int, room: int, beside: list[int]) -> int:
    """The width of a column of long texts in ``room`` pixels: what the columns ``beside`` leave. If that is too little,
    it fills the room, and they have to be scrolled to."""
    left = room - sum(beside)
    return left if left >= min(wanted, ENOUGH) else max(room, least)


def _stretches(model: TableModel, shown: I64) -> QItemSelection:
    """The selection of these rows, with one range for each run of adjacent rows."""
    breaks = np.flatnonzero(np.diff(shown) != 1) + 1
    starts = np.concatenate(([0], breaks))
    ends = np.concatenate((breaks, [len(shown)])) - 1
    last = model.columnCount() - 1
    selection = QItemSelection()
    for top, bottom in zip(shown[starts].tolist(), shown[ends].tolist(), strict=True):
        selection.select(model.index(top, 0), model.index(bottom, last))
    return selection
