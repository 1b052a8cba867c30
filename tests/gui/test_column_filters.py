"""Filters on single columns, as a person meets them."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QListWidget, QPushButton
from pytestqt.qtbot import QtBot

from app.analysis.column_filter import ColumnFilter
from app.analysis.table import Coded, Column, Table
from app.profile.strings import Strings
from app.widgets.abilities import FiltersColumns
from app.widgets.display import Display
from app.widgets.table.filters import FilterPopup
from app.widgets.table.widget import TableWidget

CHECKED, UNCHECKED = Qt.CheckState.Checked, Qt.CheckState.Unchecked
Role = Qt.ItemDataRole


def sample(rows: int = 8) -> Table:
    pipes = Strings.of(["CUBE", "MTE2", "SCALAR"])
    return Table(
        "sample",
        "Sample",
        (
            Column("address", "Address", np.arange(rows) * 4 + 0x1000, hexadecimal=True),
            Column("pipe", "Pipe", Coded(np.arange(rows, dtype=np.int32) % 4 - 1, pipes)),
            Column("cycles", "Cycles", np.arange(rows) * 10, "cycles", missing=np.arange(rows) == 2),
            Column("bytes", "Bytes", np.arange(rows) * 1024 * 400, "B"),
        ),
    )


@pytest.fixture
def table(qtbot: QtBot) -> TableWidget:
    widget = TableWidget(Display())
    qtbot.addWidget(widget)
    widget.set_table(sample())
    widget.resize(700, 300)
    widget.show()
    return widget


def popup(table: TableWidget, place: int) -> FilterPopup:
    table.filters.ask(place)
    found = next(widget for widget in table.view.findChildren(FilterPopup) if widget.isVisible())
    assert isinstance(found, FilterPopup)
    return found


def check(values: QListWidget, beginning: str, state: Qt.CheckState) -> None:
    items = (values.item(place) for place in range(values.count()))
    next(item for item in items if item.text().startswith(beginning)).setCheckState(state)


def shown(table: TableWidget) -> list[int]:
    rows: list[int] = table.view.items.rows.tolist()
    return rows


def test_values_are_ticked_with_how_many_rows_they_have(table: TableWidget) -> None:
    asked = popup(table, 1)
    said = [asked.values.item(place).text() for place in range(asked.values.count())]
    assert said == ["CUBE   (2)", "MTE2   (2)", "SCALAR   (2)", "no data   (2)"]
    assert asked.missing.isHidden()
    check(asked.values, "CUBE", UNCHECKED)
    check(asked.values, "no data", UNCHECKED)
    assert shown(table) == [2, 3, 6, 7]
    assert table.note.text() == "Only rows with Pipe MTE2, SCALAR."
    assert table.count.text == "4 of 8 rows"
    asked.close()


def test_what_is_typed_just_before_it_closes_counts_unless_it_is_cleared(table: TableWidget) -> None:
    asked = popup(table, 0)
    QTest.keyClicks(asked.low, "0x1014")
    QTest.keyClick(asked.low, Qt.Key.Key_Return)
    assert shown(table) == [5, 6, 7]
    asked = popup(table, 0)
    QTest.keyClicks(asked.low, "0")
    next(button for button in asked.findChildren(QPushButton) if button.text() == "Clear").click()
    assert len(shown(table)) == 8


def test_a_stretch_is_typed_in_the_unit_of_the_header(qtbot: QtBot, table: TableWidget) -> None:
    asked = popup(table, 3)
    assert table.view.items.cells.header(3) == "Bytes (MiB)"
    QTest.keyClicks(asked.low, "1")
    qtbot.waitUntil(lambda: shown(table) == [3, 4, 5, 6, 7])
    QTest.keyClicks(asked.high, "2")
    qtbot.waitUntil(lambda: shown(table) == [3, 4, 5])
    QTest.keyClick(asked.high, Qt.Key.Key_Return)
    assert not [widget for widget in table.view.findChildren(FilterPopup) if widget.isVisible()]


def test_addresses_are_typed_as_they_are_shown(qtbot: QtBot, table: TableWidget) -> None:
    asked = popup(table, 0)
    assert asked.low.placeholderText() == "0x1000"
    QTest.keyClicks(asked.low, "0x1010")
    qtbot.waitUntil(lambda: shown(table) == [4, 5, 6, 7])
    assert "Address from 0x1010" in table.note.text()
    asked.close()


def test_filters_hold_together_are_marked_and_taken_back(table: TableWidget) -> None:
    table.filters.set("cycles", ColumnFilter(low=10, missing=False))
    table.filters.set("pipe", ColumnFilter(values=frozenset({"CUBE"}), missing=False))
    assert shown(table) == [1, 5]
    model = table.view.items
    decorated = [model.headerData(place, Qt.Orientation.Horizontal, Role.DecorationRole) for place in range(4)]
    assert [icon is not None for icon in decorated] == [False, True, True, False]
    assert table.filters.button.text() == "✕ 2 column filters"
    table.filters.button.click()
    assert shown(table) == list(range(8))
    assert table.filters.button.isHidden()
    assert table.note.text() == ""


def test_they_go_on_with_sorting_searching_and_another_table_of_the_same_columns(table: TableWidget) -> None:
    table.filters.set("cycles", ColumnFilter(low=30))
    table.view.items.sort(2, Qt.SortOrder.DescendingOrder)
    assert shown(table) == [7, 6, 5, 4, 3, 2]
    table.field.setText("cube")
    assert shown(table) == [5]
    table.set_table(sample(7))
    assert shown(table) == [5]
    table.clear_filters()
    assert shown(table) == [6, 5, 4, 3, 1, 0, 2]
    table.filters.set("cycles", ColumnFilter(low=30))
    table.set_table(Table("other", "Other", (Column("n", "N", np.arange(3)),)))
    assert shown(table) == [0, 1, 2]
    assert table.filters.filters == {}


def test_nothing_left_offers_the_way_back(table: TableWidget) -> None:
    table.filters.set("pipe", ColumnFilter(values=frozenset(), missing=False))
    assert table.stack.is_empty
    assert "Pipe no values" in table.note.text()
    table.stack.empty._run()
    assert shown(table) == list(range(8))


def test_many_texts_are_filtered_by_what_they_contain(qtbot: QtBot, table: TableWidget) -> None:
    names = Strings.of(f"MOV_{number}" for number in range(1000))
    table.set_table(Table("long", "Long", (Column("text", "Source", Coded(np.arange(1000, dtype=np.int32), names)),)))
    asked = popup(table, 0)
    assert asked.values.isHidden()
    QTest.keyClicks(asked.text, "mov_99")
    qtbot.waitUntil(lambda: len(shown(table)) == 11)
    asked._clear()
    assert len(shown(table)) == 1000


def test_rows_like_the_current_cell_or_the_selected_ones_and_all_others(qtbot: QtBot, table: TableWidget) -> None:
    def at(row: int, column: int) -> None:
        table.view.choose_row(row)
        table.view.setCurrentIndex(table.view.items.index(shown(table).index(row), column))

    assert not table.can_filter_cells()
    at(1, 1)
    assert (table.cell_name(), table.cell_text()) == ("CUBE", "CUBE")
    table.filter_cells(out=False)
    assert shown(table) == [1, 5]
    assert table.note.text() == "Only rows with Pipe CUBE."
    table.clear_filters()
    at(1, 2)
    assert table.cell_name() == ""  # a figure is no name
    table.filter_cells(out=True)
    assert shown(table) == [0, 2, 3, 4, 5, 6, 7]
    assert table.note.text() == "Only rows with Cycles not 10 (or no data)."
    table.clear_filters()
    table.view.mark(np.array([1, 2]))
    table.view.selectionModel().setCurrentIndex(
        table.view.items.index(1, 1), QItemSelectionModel.SelectionFlag.NoUpdate
    )
    table.filter_cells(out=True)
    assert shown(table) == [0, 3, 4, 7]
    asked = popup(table, 1)
    states = [asked.values.item(place).checkState() for place in range(asked.values.count())]
    assert states == [UNCHECKED, UNCHECKED, CHECKED, CHECKED]
    check(asked.values, "MTE2", CHECKED)
    assert shown(table) == [0, 2, 3, 4, 6, 7]
    asked.close()


def test_all_none_and_what_was_chosen_before(table: TableWidget) -> None:
    asked = popup(table, 1)
    asked._none()
    assert shown(table) == []
    check(asked.values, "MTE2", CHECKED)
    assert shown(table) == [2, 6]
    asked.close()
    again = popup(table, 1)
    states = [again.values.item(place).checkState() for place in range(again.values.count())]
    assert states == [UNCHECKED, CHECKED, UNCHECKED, UNCHECKED]
    again._all()
    assert table.filters.filters == {}
    again.close()


def test_the_current_column_is_asked_for(table: TableWidget) -> None:
    assert isinstance(table, FiltersColumns)
    table.view.setCurrentIndex(table.view.items.index(0, 2))
    table.filter_column()
    QApplication.processEvents()
    asked = next(widget for widget in table.view.findChildren(FilterPopup) if widget.isVisible())
    assert asked.accessibleName() == "Filter by Cycles (cycles)" or asked.accessibleName() == "Filter by Cycles"
    asked.close()
