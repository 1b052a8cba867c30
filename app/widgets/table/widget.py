"""A table with its filter bar, row count, note and empty state, and how it was left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct
from PySide6.QtCore import Qt

from app.analysis.column_filter import ColumnFilter
from app.language import plain_text

if TYPE_CHECKING:
    from app.analysis.view_links.view_link import ViewState, ViewValue

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from app.analysis.column_filter import MOST_VALUES
from app.analysis.matching import BadPattern
from app.analysis.table import Table, emptied
from app.language import plural, tr
from app.profile.arrays import I64, Bool
from app.views.look import Look
from app.views.table import Differences
from app.views.texts import shown_line
from app.widgets.abilities import (
    Copies,
    CopiesCell,
    FiltersColumns,
    HandlesEscape,
    HasColumns,
    HasViewState,
    PairsRows,
    Searchable,
)
from app.widgets.buttons import add_named, icon_toggle
from app.widgets.controls import Controls
from app.widgets.display import Display
from app.widgets.empty import OrEmpty
from app.widgets.fields import SearchField, mark_invalid
from app.widgets.table.delegate import CellDelegate
from app.widgets.table.filters import ColumnFilters
from app.widgets.table.model import TableModel, is_text
from app.widgets.table.view import TableView
from app.widgets.tabular import Tabular
from app.widgets.texts import Label, Readout, paint_text
from app.widgets.tips import set_tip

if TYPE_CHECKING:
    from app.analysis.compare.matching import Pair
    from app.analysis.view_links.view_link import ViewState

SLOW_ROWS = 300_000
PAUSE_MS = 150
"""A table longer than SLOW_ROWS is filtered when typing pauses (milliseconds), others on every letter."""
COUNT = 72
"""Pixels for the number of rows; with less room it folds away."""


class TableWidget(
    QWidget, Tabular, Copies, CopiesCell, Searchable, HasColumns, FiltersColumns, HandlesEscape, HasViewState, PairsRows
):
    """Signal ``filtered`` when the visible rows change. Abilities: Tabular, Copies, CopiesCell, Searchable, HasColumns,
    FiltersColumns, HandlesEscape, HasViewState, PairsRows. ``differences``: what the rows compare, if they do;
    ``bar``: its controls, which the heading of a panel may take."""

    filtered = Signal()

    def __init__(
        self,
        display: Display,
        parent: QWidget | None = None,
        model: type[TableModel] = TableModel,
        delegate: type[CellDelegate] = CellDelegate,
        view: type[TableView] = TableView,
    ) -> None:
        super().__init__(parent)
        self.view = view(display, self, model, delegate)
        self.stack = OrEmpty(display, self.view, self)
        self.field = SearchField(tr("Filter rows"), self)
        self.case = self.field.toggle("case-sensitive", tr("Match case"))
        self.regex = self.field.toggle("regex", tr("Regular expression"))
        self.count = Readout(display, self, pad=4, least=COUNT)
        self.filters = ColumnFilters(self.view, self)
        self.doubt = icon_toggle("info", tr("Show what is uncertain about this table"), self)
        self.doubt.hide()
        self.note = Label(parent=self)
        self._states = TableStates()
        self.differences: Differences | None = None
        self._limit_text = ""
        self.bar_stays = False
        """Whether the bar is there without rows, too, because it decides which rows are shown."""
        self._empty: tuple[str, str] = (tr("No rows."), "")
        self._timer = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._build()
        self._timer.timeout.connect(self._apply)
        self.field.textChanged.connect(self._typed)
        self.field.left.connect(self._enter_rows)
        self.field.stepped.connect(self._enter_rows)
        self.case.toggled.connect(self._apply)
        self.regex.toggled.connect(self._apply)
        self.doubt.toggled.connect(self._say_note)
        self.filters.changed.connect(self._filtered_by_column)
        self.view.arranged.connect(self._say_count)
        display.changed.connect(self._look_changed)
        self._look_changed(display.look)

    def _build(self) -> None:
        self.note.setWordWrap(True)
        self.note.setContentsMargins(8, 4, 8, 4)
        self.note.hide()
        inside = (self.field, 3), self.filters.button, self.doubt, (self.count, 1)
        self.bar = Controls(self, *inside, folds=(self.count, self.filters.button), spacing=4)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.bar)
        layout.addWidget(self.note)
        layout.addWidget(self.stack, 1)
        self.setFocusProxy(self.view)

    # -- contents -----------------------------------------------------------------------------------------

    def set_table(self, table: Table, *, empty: str = tr("No rows.")) -> None:
        """Shows ``table``, or the message ``empty`` if it has no rows."""
        self.differences = None
        before, keys = self._columns, tuple(column.key for column in table.columns)
        same = keys == before
        if not same:
            self._states.save(before, self._state())
        self._empty = (empty, "")
        self.view.set_table(table)
        self.filters.table_changed()
        self.view.setAccessibleName(shown_line(table.title))
        if not same:
            self.field.blockSignals(True)
            self.field.clear()
            self.field.blockSignals(False)
            saved = self._states.of(keys)
            if saved is not None:
                self._restore(saved)
        self._say_note()
        self._say_count()

    @property
    def _columns(self) -> tuple[str, ...]:
        return tuple(column.key for column in self.view.items.table.columns)

    def release_rows(self) -> None:
        """Releases the rows, since their profile was closed, but keeps the columns with their order, widths and
        filters."""
        self.view.cell_delegate.drawn, self.view.items.tips = {}, {}
        self.set_table(emptied(self.view.items.table), empty=self._empty[0])

    def limit(self, within: Bool | None, why: str = "") -> None:
        """Shows only these rows; ``why``: a note above the table."""
        self._limit_text = why if within is not None else ""
        self.view.items.limit(within)
        self._say_note()
        self._say_count()

    # -- abilities ----------------------------------------------------------------------------------------

    def shown_table(self) -> Table | None:
        table = self.view.items.table
        return table if table.columns else None

    def shown_rows(self) -> I64 | None:
        return self.view.items.rows

    def rows_text(self) -> str:
        text = self.field.text()
        searched = tr("Only rows that contain “{text}”.", text=text) if text else ""
        parts = searched, self.filters.text, self._limit_text, self.view.items.left_out
        return " ".join(part for part in parts if part)

    def selected_rows(self) -> I64:
        return self.view.selected_source_rows()

    def view_state(self) -> ViewState:
        return as_plain(self._state(), self._columns)

    def restore_view(self, saved: ViewState) -> None:
        self._restore(from_plain(saved, self._columns))

    def copy_text(self) -> str:
        return self.view.copy_text()

    def cell_text(self) -> str:
        index, items = self.view.currentIndex(), self.view.items
        if not index.isValid():
            return ""
        value = items.column(index.column()).value(items.source(index))
        return "" if value is None else str(value)

    def cell_name(self) -> str:
        index, items = self.view.currentIndex(), self.view.items
        return self.cell_text() if index.isValid() and is_text(items.column(index.column())) else ""

    def start_find(self) -> None:
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def find_step(self, direction: int) -> None:
        self.view.step(direction)

    def search_for(self, text: str) -> None:
        """Shows only rows that contain ``text``, immediately."""
        self.field.blockSignals(True)
        self.field.setText(text)
        self.field.blockSignals(False)
        self._apply()

    def clear_filters(self) -> None:
        """Clears the search text and all column filters."""
        self.field.clear()
        self.filters.clear()

    def choose_row(self, row: int) -> None:
        """Selects a row of the table, and clears the filters if they hide it."""
        if 0 <= row < self.view.items.table.rows and not self.view.choose_row(row):
            self.clear_filters()
            self._apply()
            self.view.choose_row(row)

    def handle_escape(self) -> bool:
        """Clears the search text first, then the column filters."""
        if self.field.text():
            self.field.clear()
            return True
        filtered = bool(self.filters.filters)
        self.filters.clear()
        return filtered

    def filter_column(self) -> None:
        """Opens the filter of the current column."""
        self.filters.ask(self._meant())

    def can_filter_cells(self) -> bool:
        return self.view.currentIndex().isValid()

    def filter_cells(self, *, out: bool) -> None:
        index, items = self.view.currentIndex(), self.view.items
        if not index.isValid():
            return
        own, chosen = items.source(index), self.view.selected_source_rows()
        rows = chosen[:MOST_VALUES].tolist() if own in chosen else []
        self.filters.filter_cells(index.column(), {own, *rows}, out=out)

    def sort_column(self, *, descending: bool) -> None:
        order = Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder
        self.view.horizontalHeader().setSortIndicator(self._meant(), order)

    def sorted_column(self) -> bool:
        return self.view.items.sorted_by is not None

    def unsort(self) -> None:
        self.view.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)

    def hide_column(self) -> None:
        """Hides the current column, unless it is the last visible one."""
        shown = [place for place in range(len(self.view.items.table.columns)) if not self.view.isColumnHidden(place)]
        if len(shown) > 1:
            self.view.setColumnHidden(self._meant(), True)

    def show_columns(self) -> None:
        for place in range(len(self.view.items.table.columns)):
            self.view.setColumnHidden(place, False)

    def any_column_hidden(self) -> bool:
        return any(self.view.isColumnHidden(place) for place in range(len(self.view.items.table.columns)))

    def fit_columns(self) -> None:
        self.view.fit_columns()

    def columns_menu(self, parent: QWidget) -> QMenu:
        return columns_menu(self.view, self.view.items.table, parent)

    def rows_to_pair(self) -> tuple[Pair, ...] | None:
        return None if self.differences is None else self.differences.pair(self.selected_rows())

    def rows_to_unpair(self) -> tuple[Pair, ...] | None:
        return None if self.differences is None else self.differences.unpair(self.selected_rows())

    def _meant(self) -> int:
        """The column of the context menu, else of the current cell, else the first."""
        here = self.view.currentIndex().column()
        return max(self.view.meant if self.view.meant >= 0 else here, 0)

    # -- inside -------------------------------------------------------------------------------------------

    def _state(self) -> TableState:
        head = self.view.horizontalHeader()
        return TableState(
            self.field.text(), self.filters.filters, head.sortIndicatorSection(), head.sortIndicatorOrder()
        )

    def _restore(self, state: TableState) -> None:
        self.view.horizontalHeader().setSortIndicator(state.section, state.order)
        self.filters.restore(state.filters)
        self.search_for(state.text)
        self._say_note()

    def _enter_rows(self) -> None:
        """Moves the focus from the search field to the rows."""
        self._apply()
        self.view.setFocus()
        if not self.view.selectionModel().hasSelection():
            self.view.step(0)

    def _typed(self) -> None:
        if self.view.items.table.rows > SLOW_ROWS:
            self._timer.start()
        else:
            self._apply()

    def _apply(self) -> None:
        self._timer.stop()
        chosen = self.view.selected_source_rows()
        try:
            self.view.items.search(self.field.text(), case=self.case.isChecked(), regex=self.regex.isChecked())
        except BadPattern as error:
            self.count.say(str(error)[:60])
            mark_invalid(self.field, str(error))
            return
        mark_invalid(self.field, "")
        self._say_count()
        self.view.mark(chosen)
        self.filtered.emit()

    def _filtered_by_column(self) -> None:
        self._say_note()
        self._say_count()
        self.filtered.emit()

    def _say_count(self) -> None:
        rows, left = self.view.items.total, len(self.view.items.rows)
        text = f"{rows:,}" if left == rows else tr("{left:,} of {rows:,}", left=left, rows=rows)
        self.count.say(plural("{text} row", "{text} rows", count=rows, text=text), muted=True)
        self.bar.setVisible(rows > 0 or self.bar_stays)
        if left:
            self.stack.show_content()
        elif rows:
            self.stack.show_empty(
                tr("No rows match the filters and the range."), tr("Clear filters"), self.clear_filters
            )
        else:
            self.stack.show_empty(*self._empty)

    def _say_note(self) -> None:
        note, doubtful = self.view.items.table.note, self.view.items.table.doubtful
        self.doubt.setVisible(doubtful and bool(note))
        if doubtful:
            set_tip(self.doubt, note)
        parts = ("" if doubtful and not self.doubt.isChecked() else note, self._limit_text, self.filters.text)
        text = "\n".join(part for part in parts if part)
        self.note.setText(text)
        set_tip(self.note, text)
        self.note.setVisible(bool(text))

    def _look_changed(self, look: Look) -> None:
        paint_text(self.note, look.theme.muted)


def columns_menu(view: TableView, table: Table, parent: QWidget) -> QMenu:
    """A menu with an item for each column, checked if it is visible; it says which are hidden as they are empty."""
    menu = QMenu(tr("Columns"), parent)
    for column, named in enumerate(table.columns):
        empty = column in view.empty
        action = add_named(menu, tr("{title} (empty)", title=named.title) if empty else named.title)
        action.setCheckable(True)
        action.setChecked(not view.isColumnHidden(column))
        action.toggled.connect(lambda shown, column=column: view.setColumnHidden(column, not shown))
    return menu


MOST_STATES = 64
MOST_FILTERS = 20


class NamedFilter(Struct, frozen=True, omit_defaults=True):
    """A column filter as a link has it."""

    column: str
    filter: ColumnFilter


class TableState(Struct, frozen=True):
    """The search text, the column filters by key, and the sorted column (-1 for none) with its order."""

    text: str
    filters: dict[str, ColumnFilter]
    section: int
    order: Qt.SortOrder


class TableStates:
    """Saved states by column keys: tables of the same kind share one, whatever profile they belong to."""

    def __init__(self) -> None:
        self._states: dict[tuple[str, ...], TableState] = {}

    def save(self, keys: tuple[str, ...], state: TableState) -> None:
        """Saves the state of a table with these columns; the oldest one is dropped beyond MOST_STATES."""
        if not keys:
            return
        self._states.pop(keys, None)
        self._states[keys] = state
        if len(self._states) > MOST_STATES:
            del self._states[next(iter(self._states))]

    def of(self, keys: tuple[str, ...]) -> TableState | None:
        """The state that was saved for a table with these columns."""
        return self._states.get(keys)


def as_plain(state: TableState, keys: Sequence[str]) -> dict[str, ViewValue]:
    """A state as plain values by name, for a link; ``keys``: the columns of the table."""
    plain: dict[str, ViewValue] = {}
    if state.text:
        plain["filter"] = state.text
    if 0 <= state.section < len(keys):
        plain["sort"] = keys[state.section]
        plain["descending"] = state.order == Qt.SortOrder.DescendingOrder
    filters = [NamedFilter(key, wanted) for key, wanted in state.filters.items()]
    if filters:
        plain["columns"] = [
            msgspec.json.encode(one, order="deterministic", enc_hook=plain_text).decode() for one in filters
        ]
    return plain


def from_plain(saved: ViewState, keys: Sequence[str]) -> TableState:
    """The state that a link describes; what does not fit the columns ``keys`` is ignored."""
    sort, text, columns = saved.get("sort"), saved.get("filter"), saved.get("columns")
    filters = {}
    for own in columns[:MOST_FILTERS] if isinstance(columns, list) else ():
        try:
            named = msgspec.json.decode(own, type=NamedFilter)
        except (msgspec.MsgspecError, RecursionError):
            continue
        if named.column in keys and not named.filter.idle:
            filters[named.column] = named.filter
    return TableState(
        text if isinstance(text, str) else "",
        filters,
        keys.index(sort) if isinstance(sort, str) and sort in keys else -1,
        Qt.SortOrder.DescendingOrder if saved.get("descending") is True else Qt.SortOrder.AscendingOrder,
    )
