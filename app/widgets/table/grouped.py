"""A table whose groups open beneath their row (see GroupedTable); other tables are shown as always."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace
from PySide6.QtCore import QModelIndex, QPoint, QRect, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter

from app.analysis.table import GroupedTable, Table
from app.language import plural, tr
from app.profile.arrays import I64, Bool
from app.views.tree.nodes import ARROW, STEP
from app.widgets.abilities import Expandable
from app.widgets.table.delegate import PADDING, CellDelegate, draw_arrow
from app.widgets.table.model import Index, Row, TableModel
from app.widgets.table.view import TableView
from app.widgets.tips import tip

NAME = 0
"""The column with the arrows."""
NONE: Bool = np.zeros(0, np.bool_)
Key = Qt.Key


class GroupedModel(TableModel):
    """Filters keep a group that matches with all its rows, else the rows that match beneath their group, which is open
    then. Groups with the names of those that were open are open in the next table. ``parents``: those of the table,
    None if it has no groups; ``opened``: bool[rows of the table], the groups that are open."""

    def __init__(self, parent: TableView | None = None) -> None:
        super().__init__(parent)
        self.parents: I64 | None = None
        self._members: I64 = np.empty(0, np.int64)
        self.opened = self._open = self._shut = NONE
        self._names: frozenset[str] = frozenset()

    def set_table(self, table: Table) -> None:
        if self.parents is not None:
            self._names = frozenset(self._name(row) for row in np.flatnonzero(self._open).tolist())
        groups = isinstance(table, GroupedTable) and len(table.parent) == table.rows > 0
        self.parents = table.parent if isinstance(table, GroupedTable) and groups else None
        self._members = table.members if isinstance(table, GroupedTable) and groups else np.empty(0, np.int64)
        self._open, self._shut = (np.zeros(table.rows, np.bool_) for _ in range(2))
        if self._names and self.parents is not None:
            for row in np.flatnonzero(self._members).tolist():
                self._open[row] = str(table.columns[NAME].value(row)) in self._names
        super().set_table(table)

    @property
    def total(self) -> int:
        if self.parents is None:
            return super().total
        return int(np.count_nonzero((self.parents < 0) | self.opened[self.parents]))

    @property
    def left_out(self) -> str:
        closed = bool(np.any((self._members > 0) & ~self.opened))
        return tr("Without the rows of closed groups.") if closed else ""

    def place(self, source: int) -> tuple[int, bool | None]:
        """(level, whether it is open, None for no group) of a row of the table."""
        if self.parents is None:
            return 0, None
        level = 1 if self.parents[source] >= 0 else 0
        return level, bool(self.opened[source]) if self._members[source] else None

    def group_of(self, source: int) -> int:
        """The row of the table above a row; -1 if there is none."""
        return -1 if self.parents is None else int(self.parents[source])

    def set_open(self, source: int, *, opened: bool) -> None:
        """Opens or closes a group of the table."""
        self._change(np.array([source]), opened=opened)

    def close_all(self) -> None:
        self._change(np.flatnonzero(self._members), opened=False)

    def search(self, text: str, *, case: bool = False, regex: bool = False) -> None:
        self._shut[:] = False
        super().search(text, case=case, regex=regex)

    def choose(self, chosen: Bool | None, columns: frozenset[int]) -> None:
        self._shut[:] = False
        super().choose(chosen, columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        members = 0
        if role == Qt.ItemDataRole.ToolTipRole and index.isValid() and self.parents is not None:
            members = int(self._members[self.source(index)]) if index.column() == NAME else 0
        if members:
            count = plural("{count:,} name", "{count:,} names", count=members)
            return tip(f"{self._name(self.source(index))}\n{count}")
        return super().data(index, role)

    def _name(self, source: int) -> str:
        return str(self.table.columns[NAME].value(source))

    def _change(self, groups: I64, *, opened: bool) -> None:
        before = self.rows
        self.layoutAboutToBeChanged.emit()
        self._open[groups], self._shut[groups] = opened, not opened
        self._show()
        self._move_persistent(before)
        self.layoutChanged.emit()

    def _show(self) -> None:
        parents = self.parents
        if parents is None:
            super()._show()
            return
        order = np.arange(self.table.rows) if self._ordered is None else self._ordered
        passing = np.ones(self.table.rows, np.bool_)
        for mask in (self._searched, self._within, self._chosen):
            if mask is not None:
                passing &= mask
        inside = parents >= 0
        members = inside & (passing | passing[parents])
        held = np.zeros(self.table.rows, np.bool_)
        held[parents[members]] = True
        self.opened = (self._open | (held & ~passing & ~self._shut)) & (self._members > 0)
        top = order[~inside[order] & (passing | held)[order]]
        beneath = order[(members & self.opened[parents])[order]]
        place = np.zeros(self.table.rows, np.int64)
        place[top] = np.arange(len(top))
        after = place[parents[beneath]]
        by_group = np.argsort(after, kind="stable")
        self.rows = np.insert(top, after[by_group] + 1, beneath[by_group])


class GroupedDelegate(CellDelegate):
    """Draws the arrows of groups, and indents what is beneath them."""

    model: GroupedModel

    def width_of(self, column: int, text: str) -> int:
        return super().width_of(column, text) + (ARROW + STEP if self._indents(column) else 0)

    def draw_texts(self, painter: QPainter, place: int, rows: Sequence[Row], rooms: Sequence[QRect | None]) -> None:
        if self._indents(place):
            moved: list[QRect | None] = []
            for row, room in zip(rows, rooms, strict=True):
                if room is not None and row.opened is not None:
                    arrow = QRect(room.x() + PADDING // 2, room.y(), ARROW, room.height())
                    draw_arrow(painter, arrow, self.muted_pen.color(), opened=row.opened)
                moved.append(None if room is None else room.adjusted(ARROW + row.level * STEP, 0, 0, 0))
            rooms = moved
        super().draw_texts(painter, place, rows, rooms)

    def _indents(self, place: int) -> bool:
        return place == NAME and self.model.parents is not None


class GroupedView(TableView, Expandable):
    """Groups open and close by their arrow, a double click, Enter, and in the column of names the keys Right and
    Left."""

    items: GroupedModel

    def toggle(self, row: int) -> bool:
        """Opens or closes the group in a row of the model; False if there is none."""
        source = int(self.items.rows[row]) if 0 <= row < len(self.items.rows) else -1
        opened = None if source < 0 else self.items.place(source)[1]
        if opened is None:
            return False
        self._set_open(source, opened=not opened)
        return True

    def open_below_current(self) -> None:
        row = self.currentIndex().row()
        if row >= 0 and self.items.place(int(self.items.rows[row]))[1] is False:
            self.toggle(row)

    def close_all(self) -> None:
        here = self.currentIndex()
        self._quiet = True
        try:
            group = self.items.group_of(self.items.source(here)) if here.isValid() else -1
            if group >= 0:
                self._go_to(group)
            self.items.close_all()
        finally:
            self._quiet = False
        self.arranged.emit()

    def menu_places_at(self, point: QPoint | None) -> tuple[str, ...]:
        places = super().menu_places_at(point)
        return ("node", *places) if self.items.parents is not None and "cell" in places else places

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self._is_arrow(event) or not self.toggle(self.rowAt(round(event.position().y()))):
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if not self._is_arrow(event) or not self.toggle(self.rowAt(round(event.position().y()))):
            super().mouseDoubleClickEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._handle_key(event.key()):
            super().keyPressEvent(event)

    def _handle_key(self, key: int) -> bool:
        here = self.currentIndex()
        if not here.isValid() or here.column() != NAME or key not in (Key.Key_Right, Key.Key_Left):
            return False
        source = self.items.source(here)
        opened, group = self.items.place(source)[1], self.items.group_of(source)
        if opened is (key == Key.Key_Left):
            return self.toggle(here.row())
        if key == Key.Key_Left and group >= 0:
            self._go_to(group)
            return True
        return False

    def _go_to(self, source: int) -> None:
        row = int(self.items.shown_rows(np.array([source]))[0])
        self.setCurrentIndex(self.items.index(row, NAME))

    def _set_open(self, source: int, *, opened: bool) -> None:
        self._quiet = True
        try:
            here = self.currentIndex()
            if not opened and here.isValid() and self.items.group_of(self.items.source(here)) == source:
                self._go_to(source)
            self.items.set_open(source, opened=opened)
        finally:
            self._quiet = False
        self.arranged.emit()

    def _is_arrow(self, event: QMouseEvent) -> bool:
        point = event.position().toPoint()
        index = self.indexAt(point)
        left = self.columnViewportPosition(NAME)
        button = event.button() == Qt.MouseButton.LeftButton
        return button and index.isValid() and index.column() == NAME and point.x() < left + ARROW + PADDING

    def _rows_in(self, area: QRect) -> list[Row]:
        rows = super()._rows_in(area)
        if self.items.parents is None:
            return rows
        places = [self.items.place(row.source) for row in rows]
        return [replace(row, level=level, opened=opened) for row, (level, opened) in zip(rows, places, strict=True)]

    def _activated(self, index: QModelIndex) -> None:
        if not self.toggle(index.row()):
            super()._activated(index)
