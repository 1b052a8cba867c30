"""The column filters of a table: their state, description and removal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QToolButton, QWidget

from app.analysis.column_filter import ColumnFilter, Value, has_gaps, matching, only, without
from app.analysis.table import Column
from app.language import plural, tr
from app.views.units import exact
from app.widgets.table.filter_popup import FilterPopup
from app.widgets.table.view import TableView
from app.widgets.tips import set_tip

MOST_NAMED = 3


class ColumnFilters(QObject):
    """Signal ``changed`` when the filtered rows change. ``button`` is visible while there is a filter, and clears them
    all."""

    changed = Signal()

    def __init__(self, view: TableView, parent: QWidget) -> None:
        super().__init__(parent)
        self._view = view
        self._filters: dict[str, ColumnFilter] = {}
        self._keys: list[str] = []
        self.button = QToolButton(parent)
        self.button.setAutoRaise(True)
        self.button.hide()
        self.button.clicked.connect(self.clear)

    @property
    def filters(self) -> dict[str, ColumnFilter]:
        """The filters by column key."""
        return dict(self._filters)

    @property
    def text(self) -> str:
        """A description of the filters; "" without any."""
        table = self._view.items.table
        parts = [words(column, self._filters[column.key]) for column in table.columns if column.key in self._filters]
        return tr("Only rows with {filters}.", filters="; ".join(parts)) if parts else ""

    def ask(self, place: int) -> None:
        """Opens the filter popup of a column."""
        table = self._view.items.table
        if not 0 <= place < len(table.columns) or not table.rows:
            return
        column, cells = table.columns[place], self._view.items.cells
        now = self._filters.get(column.key, ColumnFilter())
        popup = FilterPopup(column, cells.header(place), cells.scales[place], now, self._view)
        popup.changed.connect(lambda wanted, key=column.key: self.set(key, wanted))
        head = self._view.horizontalHeader()
        corner = QPoint(max(head.sectionViewportPosition(place), 0), head.height())
        popup.show_at(head.mapToGlobal(corner))

    def set(self, key: str, wanted: ColumnFilter) -> None:
        """Sets the filter of one column; an idle filter removes it."""
        if wanted.idle:
            self._filters.pop(key, None)
        else:
            self._filters[key] = wanted
        self._apply()
        self.changed.emit()

    def filter_cells(self, place: int, rows: Iterable[int], *, out: bool) -> None:
        """Leaves rows whose value in a column is that of one of ``rows`` (of the table), or (``out``) all others."""
        column = self._view.items.table.columns[place]
        cells = {column.value(row) for row in rows}
        now = self._filters.get(column.key, ColumnFilter())
        self.set(column.key, without(now, cells) if out else only(column, cells))

    def restore(self, filters: Mapping[str, ColumnFilter]) -> None:
        """Replaces all filters by those of a saved state; without the signal."""
        self._filters = dict(filters)
        self._apply()

    def clear(self) -> None:
        """Removes all filters."""
        if self._filters:
            self._filters = {}
            self._apply()
            self.changed.emit()

    def table_changed(self) -> None:
        """Called after the table changed: filters are kept if its columns are the same."""
        keys = [column.key for column in self._view.items.table.columns]
        if keys != self._keys:
            self._keys, self._filters = keys, {}
        self._apply()

    def _apply(self) -> None:
        items = self._view.items
        places = {place for place, column in enumerate(items.table.columns) if column.key in self._filters}
        items.choose(matching(items.table, self._filters), frozenset(places))
        for place in places:
            self._view.make_room(place)
        count = len(places)
        self.button.setText(plural("✕ {count} column filter", "✕ {count} column filters", count=count))
        set_tip(self.button, tr("Clear: {filters}", filters=self.text))
        self.button.setVisible(bool(count))


def words(column: Column, wanted: ColumnFilter) -> str:
    """The description of a filter: ``Cycles from 100 to 200 cycles``, ``Pipe CUBE, MTE2 or 3 others``."""
    parts: list[str] = []

    def text_of(value: float) -> str:
        whole = int(value) if float(value).is_integer() else value
        return f"{int(value):#x}" if column.hexadecimal else exact(whole, column.unit)

    if wanted.low is not None and wanted.low == wanted.high:
        parts.append(text_of(wanted.low))
    else:
        if wanted.low is not None:
            parts.append(tr("from {value}", value=text_of(wanted.low)))
        if wanted.high is not None:
            parts.append(tr("to {value}", value=text_of(wanted.high)))
    if wanted.text:
        parts.append(tr("containing “{text}”", text=wanted.text))
    if wanted.values is not None:
        parts.append(_named(wanted.values) if wanted.values else tr("no values"))
    if wanted.excluded:
        parts.append(tr("not {values}", values=_named(wanted.excluded)))
    if parts:
        return f"{column.title} {' '.join(parts)}" + (
            tr(" (or no data)") if wanted.missing and has_gaps(column) else ""
        )
    return tr("data in {column}", column=column.title)


def _named(values: Iterable[Value]) -> str:
    """Some of the values, and how many others there are."""
    named = sorted(exact(value, "") for value in values)
    shown = named[:MOST_NAMED] if len(named) > MOST_NAMED + 1 else named
    rest, several = len(named) - len(shown), ", ".join(shown)
    return (
        plural(
            "{names} or {count:,} other",
            "{names} or {count:,} others",
            count=rest,
            names=several,
        )
        if rest
        else several
    )
