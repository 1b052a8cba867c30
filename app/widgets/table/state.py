"""Saved states of tables, restored when a table is shown again after others in its place: those of another profile, or
of the same one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct
from PySide6.QtCore import Qt

from app.analysis.column_filter import ColumnFilter

if TYPE_CHECKING:
    from app.analysis.view_links.view_link import ViewState, ViewValue
    from app.widgets.table.widget import TableWidget

MOST_STATES = 64
MOST_FILTERS = 20


class NamedFilter(Struct, frozen=True, omit_defaults=True):
    """A column filter as a link has it."""

    column: str
    filter: ColumnFilter


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


def state_as_plain(widget: TableWidget) -> dict[str, ViewValue]:
    """Search text, sorted column and column filters of a table as plain values by name."""
    state: dict[str, ViewValue] = {}
    if widget.field.text():
        state["filter"] = widget.field.text()
    columns, head = widget.view.items.table.columns, widget.view.horizontalHeader()
    section = head.sortIndicatorSection()
    if widget.sorted_column() and 0 <= section < len(columns):
        state["sort"] = columns[section].key
        state["descending"] = head.sortIndicatorOrder() == Qt.SortOrder.DescendingOrder
    filters = [NamedFilter(key, wanted) for key, wanted in widget.filters.filters.items()]
    if filters:
        state["columns"] = [msgspec.json.encode(one, order="deterministic").decode() for one in filters]
    return state


def restore_plain(widget: TableWidget, saved: ViewState) -> None:
    """Shows a table like that; what does not fit it is ignored."""
    sort, text, columns = saved.get("sort"), saved.get("filter"), saved.get("columns")
    keys = [column.key for column in widget.view.items.table.columns]
    order = Qt.SortOrder.DescendingOrder if saved.get("descending") is True else Qt.SortOrder.AscendingOrder
    widget.view.horizontalHeader().setSortIndicator(keys.index(sort) if sort in keys else -1, order)
    widget.clear_filters()
    for own in columns[:MOST_FILTERS] if isinstance(columns, list) else ():
        try:
            named = msgspec.json.decode(own, type=NamedFilter)
        except (msgspec.MsgspecError, RecursionError):
            continue
        if named.column in keys:
            widget.filters.set(named.column, named.filter)
    if isinstance(text, str) and text:
        widget.search_for(text)
