"""The values of a slice as a table of cells."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import QAbstractItemView, QApplication, QTableView, QWidget

from app.analysis.table import Table
from app.analysis.tables.popef import values_table
from app.language import tr
from app.profile.arrays import I64, distinct
from app.store.payload import Values
from app.views.content.words import Written, number_text, place
from app.views.look import Look
from app.views.units import NO_DATA
from app.widgets.abilities import Copies
from app.widgets.display import Display
from app.widgets.tabular import Tabular
from app.widgets.texts import advance, number_font
from app.widgets.tips import tip

Role = Qt.ItemDataRole
NOWHERE = QModelIndex()
SAMPLE = 400
PADDING = 16
NARROWEST = 48
WIDEST = 240
MOST_COPIED = 1_000_000
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


class Sides(NamedTuple):
    """The same slice of the baseline and of the comparison."""

    before: Values
    after: Values


class ValuesModel(QAbstractTableModel):
    """Cells read straight from the array; headers are the indices of the slice."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.values: Values | None = None
        self._written: Written = number_text
        self._sides: Sides | None = None
        self.muted, self.less, self.more = QBrush(), QBrush(), QBrush()

    def show(self, values: Values | None, how: Written = number_text, sides: Sides | None = None) -> None:
        """Shows other values; ``how`` formats a value. ``sides``: the values are differences of these."""
        self.beginResetModel()
        self.values, self._written, self._sides = values, how, sides
        self.endResetModel()

    @property
    def are_differences(self) -> bool:
        """Whether the values are differences of two sides."""
        return self._sides is not None

    def text(self, row: int, column: int) -> str:
        """The text of a cell."""
        assert self.values is not None
        if self.values.missing is not None and self.values.missing[row, column]:
            return NO_DATA
        number = self.values.numbers[row, column].item()
        return ("+" if self._sides is not None and number > 0 else "") + self._written(number)

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = NOWHERE) -> int:
        return 0 if parent.isValid() or self.values is None else int(self.values.numbers.shape[0])

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = NOWHERE) -> int:
        return 0 if parent.isValid() or self.values is None else int(self.values.numbers.shape[1])

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Role.DisplayRole) -> Any:
        if self.values is None:
            return None
        if role == Role.DisplayRole:
            return self.text(index.row(), index.column())
        if role == Role.TextAlignmentRole:
            return RIGHT
        if role == Role.ToolTipRole:
            return tip(self._tip(self.values, index.row(), index.column()))
        return self._colour(self.values, index.row(), index.column()) if role == Role.ForegroundRole else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        if self.values is None or role not in (Role.DisplayRole, Role.TextAlignmentRole):
            return None
        if role == Role.TextAlignmentRole:
            return RIGHT
        across = orientation == Qt.Orientation.Horizontal
        if len(self.values.part.open) < (2 if across else 1):
            return tr("value") if across else ""
        return str((self.values.part.columns if across else self.values.part.rows)[section])

    def _colour(self, values: Values, row: int, column: int) -> QBrush | None:
        """That of missing values, and of differences."""
        if values.missing is not None and values.missing[row, column]:
            return self.muted
        if self._sides is None:
            return None
        number = values.numbers[row, column]
        return self.more if number > 0 else self.less if number < 0 else self.muted if number == 0 else None

    def _tip(self, values: Values, row: int, column: int) -> str:
        where = place(values.part, row, column)
        if self._sides is not None:
            before, after = (
                tr("no data")
                if side.missing is not None and side.missing[row, column]
                else f"{side.numbers[row, column].item()!r}"
                for side in self._sides
            )
            difference = self.text(row, column)
            return tr(
                "{where}: {before} before, {after} after, difference {difference}",
                where=where,
                before=before,
                after=after,
                difference=difference,
            )
        if values.missing is not None and values.missing[row, column]:
            return tr("{where}: the payload ends before this element", where=where)
        number = values.numbers[row, column]
        return f"{where} = {number.item()!r} ({number.dtype.name})"


class ValuesView(QTableView, Tabular, Copies):
    """A table view of values that can be copied and exported as a table."""

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.items = ValuesModel(self)
        self.setModel(self.items)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.horizontalHeader().setMinimumSectionSize(NARROWEST)
        self.setAccessibleName(tr("Values of the tensor"))
        display.changed.connect(self._look_changed)
        self._look_changed(display.look)

    def show_values(self, values: Values | None, how: Written = number_text, sides: Sides | None = None) -> None:
        """Shows other values, formatted by ``how``; all columns get the width that a sample of the values needs.
        ``sides``: the values are differences of these."""
        self.items.show(values, how, sides)
        if values is None or not values.numbers.size:
            return
        rows, columns = values.numbers.shape
        cells = distinct(np.linspace(0, rows * columns - 1, SAMPLE).astype(np.int64)).tolist()
        texts = [self.items.text(*divmod(cell, columns)) for cell in cells]
        widest = max(advance(text, self.fontMetrics()) for text in texts)
        self.horizontalHeader().setDefaultSectionSize(min(max(widest + PADDING, NARROWEST), WIDEST))

    # -- abilities ----------------------------------------------------------------------------------------

    def copy_text(self) -> str:
        """The bounding rectangle of the selected cells as TSV; a single cell with the exact value of the file."""
        chosen = self.selectionModel().selection()
        values = self.items.values
        if values is None or not chosen.count():
            return ""
        parts = [chosen.at(number) for number in range(chosen.count())]
        top, bottom = min(part.top() for part in parts), max(part.bottom() for part in parts)
        left, right = min(part.left() for part in parts), max(part.right() for part in parts)
        rows = min(bottom - top + 1, max(1, MOST_COPIED // (right - left + 1)))
        block = values.numbers[top : top + rows, left : right + 1]
        return "\n".join("\t".join(str(number) for number in row) for row in block.tolist())

    def shown_table(self) -> Table | None:
        """The slice as a table: an index, then a column for each index across."""
        values = self.items.values
        if values is None:
            return None
        table = values_table(values.part, values.numbers, values.missing)
        if not self.items.are_differences:
            return table
        return replace(table, title=tr("Differences {part}", part=values.part.text))

    def shown_rows(self) -> I64 | None:
        return None

    def selected_rows(self) -> I64:
        """int64: rows that contain a selected cell."""
        chosen = self.selectionModel().selection()
        parts = [chosen.at(number) for number in range(chosen.count())]
        rows = [np.arange(part.top(), part.bottom() + 1, dtype=np.int64) for part in parts]
        return distinct(np.concatenate(rows)) if rows else np.empty(0, np.int64)

    def _look_changed(self, look: Look) -> None:
        self.setFont(number_font(QApplication.font()))
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.setFont(QApplication.font())  # else it depends on when the style sheet arrives
        height = self.fontMetrics().height() + 6
        self.verticalHeader().setMinimumSectionSize(1)
        self.verticalHeader().setDefaultSectionSize(height)
        self.verticalHeader().setMinimumSectionSize(height)
        theme = look.theme
        self.items.muted = QBrush(QColor(theme.muted))
        self.items.less, self.items.more = QBrush(QColor(theme.less)), QBrush(QColor(theme.more))
