"""The column filters of a table: their state, description and removal, and the popup in which they are typed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace
from PySide6.QtCore import QObject, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.analysis.column_filter import (
    ColumnFilter,
    Distinct,
    Value,
    has_gaps,
    limits,
    matching,
    occurring,
    only,
    without,
)
from app.analysis.matching import whole_number
from app.analysis.table import Column
from app.language import plural, tr
from app.views.table import NO_DATA_TEXT
from app.views.texts import shown_line
from app.views.units import Scale, exact, plain
from app.widgets.table.view import TableView
from app.widgets.texts import Label
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


PAUSE_MS = 120
LIST_HEIGHT = 220
CHECKED, UNCHECKED = Qt.CheckState.Checked, Qt.CheckState.Unchecked


class FilterPopup(QFrame):
    """Signal ``changed`` (ColumnFilter) on every edit. Closes on Escape and on a click outside."""

    changed = Signal(object)

    def __init__(self, column: Column, title: str, scale: Scale | None, now: ColumnFilter, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("filter")
        self._column, self._scale, self._filter = column, scale, now
        self._entries = occurring(column)
        self._timer = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._timer.timeout.connect(self._send)
        self.setAccessibleName(shown_line(tr("Filter by {title}", title=title)))
        layout = QVBoxLayout(self)
        heading = Label(title, self)
        heading.setObjectName("headingText")
        layout.addWidget(heading)
        self.low, self.high, self.text = QLineEdit(self), QLineEdit(self), QLineEdit(self)
        self.values = QListWidget(self)
        self.values.setObjectName("lines")
        self.missing = QCheckBox(tr("Rows without data"), self)
        self._build(layout)
        self._fill()
        for field in (self.low, self.high, self.text):
            field.textChanged.connect(self._typed)
            field.returnPressed.connect(self.close)
        self.values.itemChanged.connect(self._send)
        self.missing.toggled.connect(self._send)

    def _build(self, layout: QVBoxLayout) -> None:
        numeric, listed = limits(self._column) is not None, self._entries is not None
        stretch = QGridLayout()
        for row, (name, field) in enumerate(((tr("From"), self.low), (tr("To"), self.high))):
            label = Label(name, self)
            label.setBuddy(field)
            stretch.addWidget(label, row, 0)
            stretch.addWidget(field, row, 1)
            field.setAccessibleName(shown_line(name))
            field.setVisible(numeric)
            label.setVisible(numeric)
        layout.addLayout(stretch)
        self.text.setPlaceholderText(tr("Contains"))
        self.text.setAccessibleName(tr("Contains"))
        self.text.setClearButtonEnabled(True)
        self.text.setVisible(not numeric and not listed)
        layout.addWidget(self.text)
        self.values.setAccessibleName(tr("Values"))
        self.values.setMaximumHeight(LIST_HEIGHT)
        self.values.setVisible(listed)
        layout.addWidget(self.values)
        buttons = QHBoxLayout()
        for name, run in ((tr("All"), self._all), (tr("None"), self._none)):
            button = QPushButton(name, self)
            button.clicked.connect(run)
            button.setVisible(listed)
            buttons.addWidget(button)
        clear = QPushButton(tr("Clear"), self)
        clear.setToolTip(tr("Remove the filter of this column"))
        clear.clicked.connect(self._clear)
        buttons.addWidget(clear)
        layout.addWidget(self.missing)
        layout.addLayout(buttons)

    def _fill(self) -> None:
        """Shows the current filter."""
        extremes = limits(self._column)
        if extremes is not None:
            for field, hint, value in (
                (self.low, extremes[0], self._filter.low),
                (self.high, extremes[1], self._filter.high),
            ):
                field.setPlaceholderText(shown_line(self._said(hint)))
                field.setText("" if value is None else self._said(value))
        self.text.setText(self._filter.text)
        self.missing.setChecked(self._filter.missing)
        self.missing.setVisible(self._entries is None)  # else it is one of the values
        for entry in self._entries or ():
            self.values.addItem(self._item(entry))

    def _item(self, entry: Distinct) -> QListWidgetItem:
        shown = NO_DATA_TEXT if entry.value is None else shown_line(self._shown(entry.value)) or tr("(empty)")
        item = QListWidgetItem(f"{shown}   ({entry.rows:,})")
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        wanted = self._filter.missing if entry.value is None else self._wants(entry.value)
        item.setCheckState(CHECKED if wanted else UNCHECKED)
        return item

    def _wants(self, value: Value) -> bool:
        allowed = self._filter.values is None or value in self._filter.values
        return allowed and value not in self._filter.excluded

    def _shown(self, value: Value) -> str:
        if self._column.hexadecimal and isinstance(value, int):
            return f"{value:#x}"
        return exact(value, self._column.unit)

    def _said(self, value: float) -> str:
        """A number in the column's display unit, in the form in which it can be typed."""
        if self._column.hexadecimal:
            return f"{int(value):#x}"
        scaled = value / (1.0 if self._scale is None else self._scale.factor)
        return plain(scaled).replace(",", "").replace("−", "-") if float(scaled).is_integer() else f"{scaled:.6g}"

    def _typed_number(self, field: QLineEdit) -> float | None:
        text = field.text().strip().replace(",", "").replace("−", "-")
        if not text:
            return None
        whole = whole_number(text)
        try:
            value = float(whole if whole is not None else text)
        except (ValueError, OverflowError):
            return None
        return value if self._column.hexadecimal or self._scale is None else value * self._scale.factor

    # -- choosing -----------------------------------------------------------------------------------------

    def _typed(self) -> None:
        self._timer.start()

    def _all(self) -> None:
        self._check(CHECKED)

    def _none(self) -> None:
        self._check(UNCHECKED)

    def _check(self, state: Qt.CheckState) -> None:
        self.values.blockSignals(True)
        for place in range(self.values.count()):
            self.values.item(place).setCheckState(state)
        self.values.blockSignals(False)
        self._send()

    def _clear(self) -> None:
        self._timer.stop()
        self._filter = ColumnFilter()
        self.changed.emit(self._filter)
        self.close()

    def chosen(self) -> ColumnFilter:
        """The filter as edited."""
        made = ColumnFilter(
            low=self._typed_number(self.low),
            high=self._typed_number(self.high),
            text=self.text.text(),
            missing=self.missing.isChecked(),
        )
        if self._entries is None:  # too many to list: what was chosen of them stays
            return replace(made, values=self._filter.values, excluded=self._filter.excluded)
        checked = [self.values.item(place).checkState() == CHECKED for place in range(self.values.count())]
        wanted = {entry.value for entry, on in zip(self._entries, checked, strict=True) if on}
        gone = any(entry.value is None for entry in self._entries)
        values = None if all(checked) else frozenset(value for value in wanted if value is not None)
        if values is not None and len(values) == len(self._entries) - gone:
            values = None
        return replace(made, values=values, missing=None in wanted if gone else True)

    def _send(self) -> None:
        self._timer.stop()
        self._filter = self.chosen()
        self.changed.emit(self._filter)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Filters by what was typed just before, too."""
        if self._timer.isActive():
            self._send()
        super().closeEvent(event)

    def show_at(self, place: QPoint) -> None:
        """Opens at a position on screen, moved to fit inside the screen."""
        self.adjustSize()
        room = self.screen().availableGeometry()
        size: QSize = self.size()
        x = min(place.x(), room.right() - size.width())
        y = min(place.y(), room.bottom() - size.height())
        self.move(max(x, room.left()), max(y, room.top()))
        self.show()
        fields = (self.low, self.text, self.values)
        next((field for field in fields if not field.isHidden()), self.missing).setFocus()
