"""The item model of all tables: rows are index arrays over columns, there is no object per row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeAlias

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QRect, Qt
from PySide6.QtWidgets import QHeaderView

from app.analysis.matching import BadPattern, matching_rows
from app.analysis.sorting import order_of, sort_keys
from app.analysis.table import Coded, Column, Table
from app.language import tr
from app.profile.arrays import I64, Array, Bool
from app.views.look import Look
from app.views.table import NO_DATA_TEXT, Cells, right_aligned
from app.views.units import NO_DATA
from app.widgets.icons import icon
from app.widgets.tips import tip

Index: TypeAlias = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
EMPTY = Table("", "", ())
NOWHERE = QModelIndex()
HOW_TO = tr("Click to sort; right-click to filter or to choose columns.")


class TableModel(QAbstractTableModel):
    """Shows ``table`` in the order ``rows``: the sorted rows without those filtered out. ``tips``: tool tips that
    replace the default ones of some columns, by row of the table; ``marks``: rows of the table that are shown as
    selected. ``cells_type``: formats the cells."""

    cells_type: ClassVar[type[Cells]] = Cells

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.table = EMPTY
        self.cells = self.cells_type(EMPTY)
        self.rows: I64 = np.empty(0, np.int64)
        self.tips: Mapping[int, Callable[[int], str]] = {}
        self.sorted_by: int | None = None
        self.descending = False
        self._look: Look | None = None
        self._clock_hz: float | None = None
        self._ordered: I64 | None = None  # all rows sorted; None: in table order
        self._orders: dict[tuple[int, bool], I64] = {}
        self._keys: dict[int, tuple[Array, Bool]] = {}
        self._search = ("", False, False)  # text, match case, regular expression
        self._searched: Bool | None = None
        self._within: Bool | None = None
        self._chosen: Bool | None = None
        self.marks: Bool | None = None
        self.filtered_columns: frozenset[int] = frozenset()

    # -- contents -----------------------------------------------------------------------------------------

    def set_table(self, table: Table) -> None:
        """Replaces the table. Sorting and search are kept if the columns are the same."""
        same = [c.key for c in table.columns] == [c.key for c in self.table.columns]
        self.beginResetModel()
        self.table = table
        self.cells = self.cells_type(table, self._look, self._clock_hz)
        self._orders.clear()
        self._keys.clear()
        self._within = self._chosen = self.marks = None
        self.filtered_columns = frozenset()
        if not same:
            self.sorted_by, self._search = None, ("", False, False)
        self._searched = self._find()
        self._ordered = None if self.sorted_by is None else self._order(self.sorted_by, self.descending)
        self._show()
        self.endResetModel()

    def set_look(self, look: Look) -> None:
        """Changes units or colours."""
        self._relook(look, self._clock_hz)

    def set_clock(self, clock_hz: float | None) -> None:
        """Sets the clock that converts cycles to time."""
        self._relook(self._look, clock_hz)

    def _relook(self, look: Look | None, clock_hz: float | None) -> None:
        if (look, clock_hz) != (self._look, self._clock_hz):
            self._look, self._clock_hz = look, clock_hz
            self.cells = self.cells_type(self.table, look, clock_hz)
            if len(self.rows) and self.table.columns:
                self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, self.columnCount() - 1))
            if self.table.columns:
                self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.table.columns) - 1)

    def search(self, text: str, *, case: bool = False, regex: bool = False) -> None:
        """Shows only rows that match ``text``; raises BadPattern and changes nothing if it is an invalid regular
        expression."""
        before, self._search = self._search, (text, case, regex)
        try:
            matching = self._find()
        except BadPattern:
            self._search = before
            raise
        self.beginResetModel()
        self._searched = matching
        self._show()
        self.endResetModel()

    def limit(self, within: Bool | None) -> None:
        """Shows only these rows of the table (those in a range of tiles or time), in addition to the other filters;
        None for all."""
        if within is None and self._within is None:
            return
        self.beginResetModel()
        self._within = within
        self._show()
        self.endResetModel()

    def choose(self, chosen: Bool | None, columns: frozenset[int]) -> None:
        """Shows only these rows of the table, the result of the filters on single ``columns``, in addition to the other
        filters; None for all."""
        if chosen is None and self._chosen is None and columns == self.filtered_columns:
            return
        self.beginResetModel()
        self._chosen, self.filtered_columns = chosen, columns
        self._show()
        self.endResetModel()

    def mark(self, source: I64 | None) -> None:
        """Shows these rows of the table as selected, independent of the view's selection; None removes these marks."""
        if source is None:
            self.marks = None
        else:
            self.marks = np.zeros(self.table.rows, np.bool_)
            self.marks[source] = True

    @property
    def total(self) -> int:
        """How many rows there are without filters."""
        return self.table.rows

    @property
    def left_out(self) -> str:
        """Which rows are not shown for other reasons than filters, one sentence; "" for none."""
        return ""

    def source_rows(self, shown: I64) -> I64:
        """The rows of the table for rows of the model."""
        return self.rows[shown]

    def shown_rows(self, source: I64) -> I64:
        """The rows of the model for rows of the table, ascending; those filtered out are skipped."""
        if not len(source):
            return np.empty(0, np.int64)
        wanted = np.zeros(self.table.rows, np.bool_)
        wanted[source] = True
        return np.flatnonzero(wanted[self.rows]).astype(np.int64)

    def column(self, section: int) -> Column:
        return self.table.columns[section]

    # -- for the delegate ---------------------------------------------------------------------------------

    def source(self, index: Index) -> int:
        """The row of the table behind an index."""
        return int(self.rows[index.row()])

    def own_text(self, _column: int, _source: int) -> str | None:
        return None

    def ink(self, _column: int, _source: int) -> str | None:
        return None

    def marked(self, source: int) -> bool:
        return self.marks is not None and bool(self.marks[source])

    # -- Qt's side ----------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.table.columns)

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        column = index.column()
        if not (index.isValid() and index.row() < len(self.rows) and column < len(self.table.columns)):
            return None
        if role in (Role.DisplayRole, Role.AccessibleTextRole):
            text = self.cells.text(column, int(self.rows[index.row()]))
            return text if text is not None else NO_DATA if role == Role.DisplayRole else NO_DATA_TEXT
        if role == Role.TextAlignmentRole:
            return ALIGNED[right_aligned(self.table.columns[column])]
        if role == Role.ToolTipRole:
            row = int(self.rows[index.row()])
            own = self.tips[column](row) if column in self.tips else ""
            return tip(own or self.cells.tip(column, row))
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.table.columns):
            return None
        if role == Role.DisplayRole:
            return self.cells.header(section)
        if role == Role.DecorationRole and section in self.filtered_columns:
            return icon("funnel", "accent")
        if role == Role.ToolTipRole:
            return tip(f"{self.cells.help(section)}\n{HOW_TO}")
        if role == Role.TextAlignmentRole:
            return ALIGNED[right_aligned(self.table.columns[section])]
        if role == Role.InitialSortOrderRole and right_aligned(self.table.columns[section]):
            return Qt.SortOrder.DescendingOrder  # users who sort numbers look for the largest
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sorts by a column; -1 restores the order of the file."""
        self.layoutAboutToBeChanged.emit()  # with its arguments PySide 6.11 crashes
        before = self.rows
        self.descending = order == Qt.SortOrder.DescendingOrder
        self.sorted_by = column if 0 <= column < len(self.table.columns) else None
        self._ordered = None if self.sorted_by is None else self._order(self.sorted_by, self.descending)
        self._show()
        self._move_persistent(before)
        self.layoutChanged.emit()

    # -- inside -------------------------------------------------------------------------------------------

    def _find(self) -> Bool | None:
        text, case, regex = self._search
        return matching_rows(self.table, text, case=case, regex=regex) if text and self.table.rows else None

    def _order(self, column: int, descending: bool) -> I64:
        key = (column, descending)
        if column not in self._keys:
            self._keys[column] = sort_keys(self.table.columns[column])
        if key not in self._orders:
            self._orders[key] = order_of(*self._keys[column], descending=descending)
        return self._orders[key]

    def _show(self) -> None:
        rows = np.arange(self.table.rows, dtype=np.int64) if self._ordered is None else self._ordered
        for mask in (self._searched, self._within, self._chosen):
            if mask is not None:
                rows = rows[mask[rows]]
        self.rows = rows

    def _move_persistent(self, before: I64) -> None:
        old = self.persistentIndexList()
        if not old:
            return
        place = np.full(self.table.rows, -1, np.int64)
        place[self.rows] = np.arange(len(self.rows))
        moved = place[before[[index.row() for index in old]]].tolist()
        new = [self.index(row, index.column()) for row, index in zip(moved, old, strict=True)]
        self.changePersistentIndexList(old, new)


ALIGNED = {
    True: Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
    False: Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter,
}


def is_text(column: Column) -> bool:
    """Whether the cells are texts (which stretch, are elided and have no unit)."""
    return isinstance(column.values, (Coded, tuple))


class Row(Struct, frozen=True):
    """A visible row. ``identity``: what the hover mark is matched with (the row of the model, or the node of a tree);
    ``source``: the row of the table, -1 for none; ``top``: in pixels of the viewport. In a tree ``level`` is the number
    of ancestors, and ``opened`` whether it is expanded (None without children)."""

    identity: int
    source: int
    top: int
    selected: bool
    level: int = 0
    opened: bool | None = None


class Strip(Struct, frozen=True):
    """A visible column: its place in the table, and its extent in pixels of the viewport."""

    place: int
    left: int
    width: int


def visible_strips(head: QHeaderView, area: QRect) -> list[Strip]:
    """The columns that intersect ``area``, from left to right as the user arranged them, without hidden ones."""
    first, last = head.visualIndexAt(area.left()), head.visualIndexAt(area.right())
    if first < 0:
        return []
    places = map(head.logicalIndex, range(first, head.count() if last < 0 else last + 1))
    return [
        Strip(place, head.sectionViewportPosition(place), head.sectionSize(place))
        for place in places
        if not head.isSectionHidden(place)
    ]


class SidedModel(TableModel):
    """``sides``: bool[rows of the table] for the baseline and the comparison, whether it has figures of the row; None
    without a baseline."""

    sides: tuple[Bool, Bool] | None = None

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        """Assistive tools are told what is drawn."""
        if self.sides is not None and index.isValid() and role in (Role.DisplayRole, Role.AccessibleTextRole):
            own = self.own_text(index.column(), int(self.rows[index.row()]))
            return super().data(index, role) if own is None else own
        return super().data(index, role)

    def own_text(self, place: int, source: int) -> str | None:
        if self.sides is None:
            return None
        column = self.column(place)
        before, after = (bool(side[source]) for side in self.sides)
        side = column.key.rpartition("_")[2]
        blank = {"before": not before, "after": not after, "difference": not (before and after)}.get(side, True)
        return "" if blank and column.value(source) is None else None
