"""Links a table to the shared selection, hover and ranges."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject

from app.analysis.matching import rows_within
from app.analysis.table import Table
from app.language import tr
from app.profile.arrays import I64, among
from app.profile.selection import Ranges, Selection
from app.widgets.context import Context
from app.widgets.refresh import Refresh
from app.widgets.table.widget import TableWidget

MOST_SELECTED = 50_000
"""More rows than this are selected in the table only (to copy or export them)."""


class LinkedTable(QObject):
    """Selected rows become the shared selection, as items of kind ``Table.selects``; selections made elsewhere are
    translated and marked, with ``own`` only those of that kind. ``source`` is the panel's id."""

    def __init__(self, context: Context, widget: TableWidget, source: str, *, own: bool = False) -> None:
        super().__init__(widget)
        self._own = own
        self._context = context
        self._widget = widget
        self._source = source
        self._shown_at = -1
        self._unseen = True
        self._outdated = False
        self._late = Refresh(widget, self._scroll)
        document = context.document
        widget.view.chosen.connect(self._chosen)
        widget.view.pointed.connect(self._pointed)
        widget.filtered.connect(self._remark)
        document.selection.changed.connect(self._selected)
        document.hover.changed.connect(self._hovered)
        document.ranges.changed.connect(self._limit)

    def show(self, table: Table, *, empty: str = tr("No rows.")) -> None:
        """Shows another table with the shared selection marked."""
        profile = self._context.document.profile
        self._shown_at = self._context.document.showing
        if profile is not None and profile.target is not None:
            self._widget.view.items.set_clock(profile.target.clock_hz)
        self._unseen = self._unseen or table.id != self._table.id
        self._widget.set_table(table, empty=empty)
        self._limit(self._context.document.ranges.value)
        if self._unseen:
            self._late.request()
        self._remark()

    @property
    def _table(self) -> Table:
        return self._widget.view.items.table

    @property
    def stale(self) -> bool:
        """Whether the rows are still those of the previous profile, until they are replaced."""
        return self._shown_at != self._context.document.showing

    @property
    def awaits_sight(self) -> bool:
        """Whether the table will scroll to the selection when it is seen next."""
        return self._unseen

    def _chosen(self) -> None:
        rows, table = self._widget.view.selected_source_rows(), self._table
        if self.stale or not 0 < len(rows) <= MOST_SELECTED:
            return
        several = table.row_items
        kind = table.selects if several is None else several.kind
        if kind is None:
            return
        if several is not None:
            keys = several.items_of(rows)[:MOST_SELECTED]
        else:
            keys = rows if table.keys is None else table.keys[rows]
            keys = keys[keys >= 0]
        if len(keys):
            chosen = tuple(dict.fromkeys(keys.tolist()))
            self._context.document.selection.set(Selection(kind, chosen, self._source))

    def _selected(self, selection: Selection | None) -> None:
        if selection is not None and selection.source == self._source:
            return
        if self._late.seen or not self._widget.window().isVisible():
            self._context.document.linked.attempt(self._mark)
        else:
            self._outdated = True
        if not self._late.seen:
            self._unseen = True
            self._late.request()

    def _mark(self) -> None:
        self._outdated = False
        self._widget.view.mark(self._rows_of(self._context.document.selection.value))

    def _scroll(self) -> None:
        """Scrolls to the selection, which was made while the table was out of sight, or another one was shown."""
        if self._unseen and not self.stale:
            self._unseen = False
            view = self._widget.view
            marked = view.items.marks is not None or view.selectionModel().hasSelection()
            if marked or self._outdated:  # else the panel has taken the marks back
                self._context.document.linked.attempt(self._mark_again)

    def _mark_again(self) -> None:
        rows = self._rows_of(self._context.document.selection.value)
        if len(rows) or self._outdated:
            self._widget.view.mark(rows)
        self._outdated = False

    def _remark(self) -> None:
        self._context.document.linked.attempt(self._mark_still)

    def _mark_still(self) -> None:
        self._outdated = False
        self._widget.view.mark(self._rows_of(self._context.document.selection.value), scroll=False)

    def _rows_of(self, selection: Selection | None) -> I64:
        """Rows of the table that ``selection`` translates to."""
        profile, table = self._context.document.profile, self._table
        several = table.row_items
        if selection is not None and profile is not None and several is not None and not self.stale:
            return several.rows_of(self._context.document.linked.items(profile, selection, several.kind))
        if selection is None or profile is None or table.selects is None or self.stale:
            return np.empty(0, np.int64)
        if self._own and selection.kind != table.selects:
            return np.empty(0, np.int64)
        items = self._context.document.linked.items(profile, selection, table.selects)
        if table.keys is None:
            return items[(items >= 0) & (items < table.rows)]
        return np.flatnonzero(among(table.keys, items)).astype(np.int64)

    def _pointed(self, row: int) -> None:
        if self._table.selects is not None and not self.stale:
            key = self._table.key(row) if row >= 0 else -1
            pointed = Selection(self._table.selects, (key,), self._source) if key >= 0 else None
            self._context.document.hover.set(pointed)

    def _hovered(self, hover: Selection | None) -> None:
        if hover is None or hover.source != self._source:
            rows = self._rows_of(hover) if hover is not None and hover.kind == self._table.selects else None
            self._widget.view.hover_row(int(rows[0]) if rows is not None and len(rows) else -1)

    def _limit(self, ranges: Ranges) -> None:
        if self.stale:
            return
        profile = self._context.document.profile
        within = None if profile is None else rows_within(profile, self._table, ranges)
        why = tr("Only rows inside the range are shown.") if within is not None else ""
        self._widget.limit(within, why)
