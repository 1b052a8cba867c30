"""How tables were left, so that one comes back as it was when others were shown in its place meanwhile: the tables of
another profile, or another of the same one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from app.analysis.column_filter import ColumnFilter

if TYPE_CHECKING:
    from app.widgets.table.widget import TableWidget

MOST = 64


@dataclass(frozen=True, slots=True)
class LeftTable:
    """What is searched for, the filters of columns, and the column (-1 none) that the rows are sorted by."""

    text: str
    filters: dict[str, ColumnFilter]
    section: int
    order: Qt.SortOrder


class LeftTables:
    """By the keys of the columns: tables of the same kind are left alike, whatever profile they are of."""

    def __init__(self) -> None:
        self._left: dict[tuple[str, ...], LeftTable] = {}

    def leave(self, keys: tuple[str, ...], widget: TableWidget) -> None:
        """Another table is about to be shown."""
        if not keys:
            return
        head = widget.view.horizontalHeader()
        self._left.pop(keys, None)
        self._left[keys] = LeftTable(
            widget.field.text(), widget.filters.filters, head.sortIndicatorSection(), head.sortIndicatorOrder()
        )
        if len(self._left) > MOST:
            del self._left[next(iter(self._left))]

    def bring_back(self, keys: tuple[str, ...], widget: TableWidget) -> None:
        """A table of these columns is shown, without order and filters."""
        left = self._left.get(keys)
        if left is None:
            return
        if left.section >= 0:
            widget.view.horizontalHeader().setSortIndicator(left.section, left.order)
        if left.filters:
            widget.filters.restore(left.filters)
        if left.text:
            widget.search_for(left.text)
