"""Saved states of tables, restored when a table is shown again after others in its place: those of another profile, or
of the same one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from PySide6.QtCore import Qt

from app.analysis.column_filter import ColumnFilter

if TYPE_CHECKING:
    from app.widgets.table.widget import TableWidget

MOST_STATES = 64


class TableState(Struct, frozen=True):
    """The search text, the column filters, and the sorted column (-1 for none) with its order."""

    text: str
    filters: dict[str, ColumnFilter]
    section: int
    order: Qt.SortOrder


class TableStates:
    """Saved states by column keys: tables of the same kind share one, whatever profile they belong to."""

    def __init__(self) -> None:
        self._states: dict[tuple[str, ...], TableState] = {}

    def save(self, keys: tuple[str, ...], widget: TableWidget) -> None:
        """Saves the state of a table before another one is shown."""
        if not keys:
            return
        head = widget.view.horizontalHeader()
        self._states.pop(keys, None)
        self._states[keys] = TableState(
            widget.field.text(), widget.filters.filters, head.sortIndicatorSection(), head.sortIndicatorOrder()
        )
        if len(self._states) > MOST_STATES:
            del self._states[next(iter(self._states))]

    def restore(self, keys: tuple[str, ...], widget: TableWidget) -> None:
        """Restores the saved state to a table with these columns, which is unsorted and unfiltered."""
        left = self._states.get(keys)
        if left is None:
            return
        if left.section >= 0:
            widget.view.horizontalHeader().setSortIndicator(left.section, left.order)
        if left.filters:
            widget.filters.restore(left.filters)
        if left.text:
            widget.search_for(left.text)
