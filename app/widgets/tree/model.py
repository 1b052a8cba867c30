"""The item model of a tree: an index holds a node number, values come from the columns of a table."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, Qt

from app.analysis.table import Column, Table
from app.analysis.trees import Hierarchy
from app.language import labelled, plural, tr
from app.profile.arrays import Bool, Ragged
from app.views.colours import colour
from app.views.look import Look
from app.views.table import NO_DATA_TEXT, Cells, right_aligned
from app.views.texts import CAPTION, shown_line
from app.views.tree.nodes import NO_ITEM, TOP, Nodes
from app.views.units import NO_DATA
from app.widgets.table.model import ALIGNED, Index
from app.widgets.tips import tip

Role = Qt.ItemDataRole
NOWHERE = QModelIndex()
NO_TABLE = Table("", "", ())
MOST_AROUND = 12
"""Number of ancestors that the tool tip of a row names."""
NOTHING = Hierarchy(NO_TABLE, np.empty(0, np.int64), (), Ragged(np.zeros(1, np.int64), np.empty(0, np.int64)))


class TreeModel(QAbstractItemModel):
    """Column 0 is the name of an item, or its kind if it has none. ``chosen``: which items are selected; they are
    marked at all of their nodes."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.nodes = Nodes(NOTHING)
        self.cells = Cells(NO_TABLE)
        self.chosen: Bool | None = None
        self._look: Look | None = None
        self._clock_hz: float | None = None
        self._kind = -1

    @property
    def table(self) -> Table:
        return self.nodes.hierarchy.table

    def set_hierarchy(self, hierarchy: Hierarchy | None, clock_hz: float | None = None) -> None:
        """Shows another tree, with all nodes collapsed."""
        self.beginResetModel()
        self.nodes = Nodes(hierarchy or NOTHING)
        self._clock_hz = clock_hz
        self.cells = Cells(self.table, self._look, clock_hz)
        self.chosen = None
        self._kind = _kind_place(self.table)
        self.endResetModel()

    def set_table(self, table: Table, clock_hz: float | None = None) -> None:
        """Replaces the values of the same items; every node keeps its place and number."""
        alike = [column.key for column in table.columns] == [column.key for column in self.table.columns]
        if not alike:
            self.beginResetModel()
        self.nodes.hierarchy = self.nodes.hierarchy.with_table(table)
        self._clock_hz = clock_hz
        self.cells = Cells(table, self._look, self._clock_hz)
        self._kind = _kind_place(table)
        if not alike:
            self.endResetModel()
        elif table.columns:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(table.columns) - 1)

    def set_look(self, look: Look) -> None:
        """Changes units or colours; the view repaints itself."""
        self._look = look
        self.cells = Cells(self.table, look, self._clock_hz)
        if self.table.columns:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.table.columns) - 1)

    def node_index(self, node: int, column: int = 0) -> QModelIndex:
        """The model index of a node."""
        return QModelIndex() if node == TOP else self.createIndex(self.nodes.row(node), column, node)

    def item(self, index: Index) -> int:
        """The item of an index; -1 for groups and for invalid indexes."""
        return int(self.nodes.item[index.internalId()]) if index.isValid() else NO_ITEM

    def kind(self, item: int) -> str | None:
        """The kind of an item, as the file calls it."""
        return self.cells.text(self._kind, item) if self._kind >= 0 and item >= 0 else None

    def label(self, node: int) -> str:
        """The text of column 0."""
        item = int(self.nodes.item[node])
        title = self.nodes.title(node)
        if item < 0:
            return title
        name = self.cells.text(0, item)
        if name is None:
            name = self.kind(item) or tr("no name")
        again = tr("  (recursive: not expanded again)") if self.nodes.repeats(node) else ""
        return labelled(title, f"{name}{again}") if title else name + again

    def _whole(self, node: int) -> str:
        """The tool tip of a node: its label, its kind, and its ancestors, the nearest first."""
        kind, label = self.kind(int(self.nodes.item[node])), self.label(node)
        lines = [label] if kind is None or kind in label else [label, kind]
        around = list(islice(self.nodes.above(node), MOST_AROUND))
        lines += [tr("in {label}", label=shown_line(self.label(other), CAPTION)) for other in around]
        more = self.nodes.level(node) - len(around)
        if more:
            lines.append(plural("and {count:,} more level above", "and {count:,} more levels above", count=more))
        return "\n".join(lines)

    # -- for the delegate ---------------------------------------------------------------------------------

    def own_text(self, _column: int, _item: int) -> str | None:
        return None

    def ink(self, _column: int, _item: int) -> str | None:
        return None

    def swatch(self, item: int) -> str | None:
        """The colour of an item's kind; None if it has none."""
        kind = None if self._look is None else self.kind(item)
        return None if kind is None or self._look is None else colour(kind, self._look.theme)

    def marked(self, item: int) -> bool:
        return self.chosen is not None and item >= 0 and bool(self.chosen[item])

    def column(self, section: int) -> Column:
        return self.table.columns[section]

    # -- Qt's side ----------------------------------------------------------------------------------------

    def index(self, row: int, column: int, parent: Index = NOWHERE) -> QModelIndex:
        node = parent.internalId() if parent.isValid() else TOP
        inside = 0 <= row < self.nodes.count(node) and 0 <= column < len(self.table.columns)
        if not inside or (parent.isValid() and parent.column() != 0):
            return QModelIndex()
        return self.createIndex(row, column, self.nodes.child(node, row))

    def parent(self, index: Index = NOWHERE) -> QModelIndex:  # type: ignore[override]
        return self.node_index(self.nodes.parent(index.internalId())) if index.isValid() else QModelIndex()

    def rowCount(self, parent: Index = NOWHERE) -> int:
        if parent.isValid() and parent.column() != 0:
            return 0
        return self.nodes.count(parent.internalId() if parent.isValid() else TOP)

    def hasChildren(self, parent: Index = NOWHERE) -> bool:
        return self.rowCount(parent) > 0

    def columnCount(self, _: Index = NOWHERE) -> int:
        return len(self.table.columns)

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid():
            return None
        column, item = index.column(), int(self.nodes.item[index.internalId()])
        if role in (Role.DisplayRole, Role.AccessibleTextRole):
            if column == 0:
                return self.label(index.internalId())
            text = self.cells.text(column, item) if item >= 0 else ""
            return text if text is not None else NO_DATA if role == Role.DisplayRole else NO_DATA_TEXT
        if role == Role.ToolTipRole:
            return tip(self.cells.tip(column, item) if column and item >= 0 else self._whole(index.internalId()))
        if role == Role.TextAlignmentRole:
            return ALIGNED[right_aligned(self.table.columns[column])]
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.table.columns):
            return None
        if role == Role.DisplayRole:
            return self.cells.header(section)
        if role == Role.ToolTipRole:
            return tip(self.cells.help(section))
        if role == Role.TextAlignmentRole:
            return ALIGNED[right_aligned(self.table.columns[section])]
        return None


def _kind_place(table: Table) -> int:
    """The column with the kind of each item; -1 if there is none."""
    return next((place for place, column in enumerate(table.columns) if column.role == "kind"), -1)
