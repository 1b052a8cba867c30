"""The view of a tree: rows of one height, figures in columns, only what is opened is laid out."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

import numpy as np
from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QTreeView, QWidget

from app.analysis.export import tsv
from app.analysis.hierarchy import Hierarchy
from app.analysis.table import Table
from app.profile.arrays import I64
from app.widgets.abilities import ITEM, Copies, HoldsThings, OpensBelow
from app.widgets.display import Display, Look
from app.widgets.table.fitting import sample, widest
from app.widgets.table.look import header_sheet
from app.widgets.tree.badges import BadgeDelegate
from app.widgets.tree.indents import ARROW, STEP, indents
from app.widgets.tree.model import TreeModel
from app.widgets.tree.nodes import TOP

LONGEST_CHAIN = 8
NAME_WIDTH = 260
NARROWEST_NAME = 110
"""Levels, a badge and the end of a name: the first figure is whole beside it in a small window."""
WIDEST = 200
NARROWEST = 56
MOST_OPENED = 5000
"""Rows that "open everything below" opens at the most: an unfolded tree may be without end."""


class TreeView(QTreeView, Copies, OpensBelow, HoldsThings):
    """Signals: ``chosen`` when a person chose rows, ``pointed`` (item, or -1) as the pointer moves over rows. ``step``:
    pixels that a level is indented, where there is room."""

    chosen = Signal()
    pointed = Signal(int)

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.items = TreeModel(self)
        self.setModel(self.items)
        self.cell_delegate = BadgeDelegate(self.items, display.theme, self.font(), self)
        self.setItemDelegate(self.cell_delegate)
        self._quiet = False
        self._name_width = self.columnWidth(0)
        self._fitted: list[int] = []
        self.setUniformRowHeights(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setAnimated(False)
        self.setMouseTracking(True)
        self.setFrameShape(QTreeView.Shape.NoFrame)
        self.setIndentation(0)  # the delegate indents, so that names stay readable at any depth
        self.setRootIsDecorated(False)
        self.step = STEP
        self.cell_delegate.arrow = self._arrow
        self.header().setSectionsMovable(False)
        self.header().setStretchLastSection(False)
        self.selectionModel().selectionChanged.connect(self._selection_changed)
        display.changed.connect(self._look_changed)
        self._look_changed(display.look)

    def set_hierarchy(self, hierarchy: Hierarchy | None, clock_hz: float | None = None) -> None:
        """Shows another tree, its roots opened one level where they are few."""
        before = [column.key for column in self.items.table.columns]
        self.items.set_hierarchy(hierarchy, clock_hz)
        if before != [column.key for column in self.items.table.columns]:
            self._fit_columns()
        if self.items.rowCount() <= 3:
            for row in range(self.items.rowCount()):
                self._open_chain(self.items.index(row, 0))

    def _open_chain(self, index: QModelIndex) -> None:
        """A row, and what lies below as long as that is one row alone, which says nothing by itself."""
        for _ in range(LONGEST_CHAIN):
            self.expand(index)
            if self.items.rowCount(index) != 1:
                return
            index = self.items.index(0, 0, index)

    def set_table(self, table: Table, clock_hz: float | None = None) -> None:
        """Shows other figures of the same items; what is opened, chosen and seen stays so."""
        before = [column.key for column in self.items.table.columns]
        if before == [column.key for column in table.columns]:
            self.items.set_table(table, clock_hz)
            self._fit_columns()
            self.viewport().update()
            return
        opened = [node for node in self.items.nodes.opened() if self.isExpanded(self.items.node_index(node))]
        current, top, chosen = self.currentIndex(), self.verticalScrollBar().value(), self.items.chosen
        node = current.internalId() if current.isValid() else TOP
        self._quiet = True
        try:
            self.items.set_table(table, clock_hz)
            for open_node in opened:
                self.expand(self.items.node_index(open_node))
            if node != TOP:
                self.setCurrentIndex(self.items.node_index(node))
        finally:
            self._quiet = False
        self.items.chosen = chosen
        self._fit_columns()
        self.executeDelayedItemsLayout()
        self.verticalScrollBar().setValue(top)

    def reveal(self, item: int) -> bool:
        """Opens the way to an item where it is met first, and scrolls to it; False for one that is not reached."""
        node = self.items.nodes.reveal(item)
        if node is None:
            return False
        index = self.items.node_index(node)
        self._quiet = True
        try:
            place = self.visualRect(index)  # empty as long as what it stands in is closed
            seen = not place.isEmpty() and 0 <= place.center().y() < self.viewport().height()
            across = self.horizontalScrollBar().value()
            self.setCurrentIndex(index)
            if not seen:
                self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)
            self.horizontalScrollBar().setValue(across if seen else 0)
        finally:
            self._quiet = False
        return True

    def set_current_quietly(self, index: QModelIndex) -> None:
        """The keyboard goes on from there; nothing is chosen."""
        self._quiet = True
        self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        self._quiet = False

    def mark(self, items: I64) -> None:
        """Shows these items as selected wherever they stand."""
        chosen = np.zeros(self.items.table.rows, np.bool_)
        chosen[items[(items >= 0) & (items < len(chosen))]] = True
        self.items.chosen = chosen
        self._quiet = True
        self.clearSelection()
        self._quiet = False
        self.viewport().update()

    def hover_item(self, item: int) -> None:
        """Outlines an item wherever it is seen; -1 none."""
        if item != self.cell_delegate.hovered_source:
            self.cell_delegate.hovered_source = item
            self.viewport().update()

    def chosen_items(self) -> I64:
        """Items of the selected rows, each once: int64."""
        selection = self.selectionModel().selection()
        items: dict[int, None] = {}
        for part in map(selection.at, range(selection.count())):
            parent = part.parent()
            for row in range(part.top(), part.bottom() + 1):
                items[self.items.item(self.items.index(row, 0, parent))] = None
        items.pop(-1, None)
        return np.fromiter(items, np.int64, len(items))

    def copy_text(self) -> str:
        """The rows of the chosen items as TSV with a header."""
        items = self.chosen_items()
        if not len(items) and self.items.chosen is not None:
            items = np.flatnonzero(self.items.chosen)
        return tsv(self.items.table, items) if len(items) else ""

    def open_below(self, index: QModelIndex) -> None:
        """Opens what lies below a row, MOST_OPENED rows at the most, level by level."""
        waiting = [index]
        opened = 0
        while waiting and opened < MOST_OPENED:
            here = waiting.pop(0)
            count = self.items.rowCount(here)
            if count:
                self.expand(here)
                opened += count
                waiting += [self.items.index(row, 0, here) for row in range(min(count, MOST_OPENED))]

    def open_below_current(self) -> None:
        """Opens the current row with what lies below it."""
        self.open_below(self.currentIndex().siblingAtColumn(0))

    def close_all(self) -> None:
        """Closes all rows."""
        self.collapseAll()

    def thing_at(self, point: QPoint | None) -> tuple[str, ...]:
        """A node: it has been chosen by the click. ``point`` is one of this widget."""
        index = self.currentIndex() if point is None else self.indexAt(self.viewport().mapFrom(self, point))
        return ("node", ITEM) if index.isValid() else ("tree",)

    # -- Qt's side ----------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Asterisk:
            self.open_below(self.currentIndex().siblingAtColumn(0))
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        wanted = indents(self._levels_in_sight(), self.columnWidth(0), self.step, self.cell_delegate.indents)
        if wanted != self.cell_delegate.indents:  # rows that only moved on the screen have to be drawn again
            self.cell_delegate.indents = wanted
            self.viewport().update()
        super().paintEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self._toggle_at(event):
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if not self._toggle_at(event):
            super().mouseDoubleClickEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        index = self.indexAt(event.position().toPoint())
        self._outline(index.internalId() if index.isValid() else -1)
        self.pointed.emit(self.items.item(index))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._outline(-1)
        self.pointed.emit(-1)

    def _arrow(self, index: QModelIndex | QPersistentModelIndex) -> bool | None:
        """Whether a row is open; None for one that holds nothing."""
        if not self.items.hasChildren(index):
            return None
        return self.isExpanded(self.items.node_index(index.internalId()))

    def _levels_in_sight(self) -> list[int]:
        levels, index, bottom = [], self.indexAt(QPoint(0, 0)), self.viewport().height()
        while index.isValid() and self.visualRect(index).top() < bottom:
            levels.append(self.items.nodes.level(index.internalId()))
            index = self.indexBelow(index)
        return levels

    def _toggle_at(self, event: QMouseEvent) -> bool:
        """Opens or closes the row whose triangle is under the pointer; False where there is none."""
        point = event.position().toPoint()
        index = self.indexAt(point)
        if event.button() != Qt.MouseButton.LeftButton or not index.isValid() or index.column():
            return False
        place = self.visualRect(index).left() + self.cell_delegate.indents.left(
            self.items.nodes.level(index.internalId())
        )
        opened = self._arrow(index) if place <= point.x() < place + ARROW else None
        if opened is None:
            return False
        self.setExpanded(index, not opened)
        return True

    def _outline(self, node: int) -> None:
        if node != self.cell_delegate.hovered and node != TOP:
            self.cell_delegate.hovered = node
            self.viewport().update()

    def _selection_changed(self) -> None:
        if not self._quiet:
            self.chosen.emit()

    def _look_changed(self, look: Look) -> None:
        self.items.set_look(look)
        self.cell_delegate.set_theme(look.theme)
        self.setStyleSheet(
            header_sheet(look.theme) + f"QTreeView {{ background: {look.theme.surface}; border: none; }}"
        )
        self._refit()
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._refit_names()

    def _fit_columns(self) -> None:
        """As wide as their figures and titles."""
        for place in range(1, self.items.columnCount()):
            self.setColumnWidth(place, self._fitting(place, self.items.table))
        self._fitted = [self.columnWidth(place) for place in range(self.items.columnCount())]
        self._fit_names()

    def _refit(self) -> None:
        """Figures are shown in another unit: the widths that nobody has chosen follow."""
        for place in range(1, self.items.columnCount()):
            if self._fitted[place : place + 1] == [self.columnWidth(place)]:
                self.setColumnWidth(place, self._fitting(place, self.items.table))
                self._fitted[place] = self.columnWidth(place)
        self._refit_names()

    def show_columns(self, keys: Collection[str]) -> None:
        """Hides all columns but these; copying and exporting takes all."""
        for place, column in enumerate(self.items.table.columns):
            self.setColumnHidden(place, column.key not in keys)
        self._fit_names()

    def _refit_names(self) -> None:
        if self.columnWidth(0) == self._name_width:  # nobody has chosen another one
            self._fit_names()

    def _fit_names(self) -> None:
        """What the other columns leave; where they leave little, names and the first figure fill the view."""
        shown = [place for place in range(1, self.items.columnCount()) if not self.isColumnHidden(place)]
        if not self.items.columnCount():
            return
        widths = [self.columnWidth(place) for place in shown]
        room = self.viewport().width()
        wanted = max(room - sum(widths), min(NAME_WIDTH, room - sum(widths[:1])), NARROWEST_NAME)
        self.setColumnWidth(0, wanted)
        self._name_width = self.columnWidth(0)

    def _fitting(self, place: int, table: Table) -> int:
        """The title is never cut."""
        texts = (self.items.cells.text(place, row) for row in sample(table, table.columns[place]))
        needed = min(widest(texts, partial(self.cell_delegate.width_of, place)), WIDEST)
        return max(self.header().sectionSizeHint(place), needed, NARROWEST)
