"""Tables on screen: order, filter, marks, and what is written to the shared selection."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QItemSelectionModel, QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from pytestqt.qtbot import QtBot

from app.analysis.table import Coded, Column, RowItems, Table
from app.document.document import Document
from app.profile.profile import Origin, Profile
from app.profile.selection import Ranges, Selection, TileRange
from app.profile.strings import Strings
from app.views.units import NO_DATA
from app.widgets.context import Context
from app.widgets.display import Display
from app.widgets.table.linked import LinkedTable
from app.widgets.table.model import TableModel
from app.widgets.table.view import TableView
from app.widgets.table.widget import TableWidget

Role = Qt.ItemDataRole
DESCENDING = Qt.SortOrder.DescendingOrder


def sample(rows: int = 6) -> Table:
    names = Strings.of(["beta", "alpha", "<b>gamma</b>"])
    return Table(
        "sample",
        "Sample",
        (
            Column("name", "Name", Coded(np.arange(rows, dtype=np.int32) % 4 - 1, names)),
            Column("bytes", "Bytes", np.arange(rows) * 1024, "B", missing=np.arange(rows) == 2, help="Sum of regions."),
            Column("share", "Share", np.linspace(0, 100, rows), "%", share_of="all bytes"),
        ),
        selects="tile",
        keys=np.arange(rows)[::-1] + 10,
    )


def texts(model: TableModel, column: int) -> list[str]:
    return [model.index(row, column).data() for row in range(model.rowCount())]


@pytest.fixture
def table(qtbot: QtBot) -> TableWidget:
    widget = TableWidget(Display())
    qtbot.addWidget(widget)
    widget.set_table(sample())
    widget.resize(600, 300)
    widget.show()
    return widget


@pytest.fixture
def context() -> Context:
    document = Document()
    document.add(Profile(name="p", origin=Origin("test", (Path("p"),))), job=1)
    return Context(document, Display())


def click(qtbot: QtBot, widget: TableWidget, row: int, modifier: Qt.KeyboardModifier) -> None:
    view = widget.view
    place = QPoint(20, view.rowViewportPosition(row) + 4)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, modifier, place)


def test_the_model_keeps_its_promises(qtbot: QtBot) -> None:
    model = TableModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_table(sample())
    model.sort(1, DESCENDING)
    model.search("alpha")
    model.search("")
    model.limit(np.array([True, False, True, True, False, True]))
    model.sort(-1)
    model.set_table(sample(0))
    assert tester.model() is model
    assert model.rowCount() == 0


def test_numbers_missing_cells_and_headers(table: TableWidget) -> None:
    model = table.view.items
    assert texts(model, 0) == [NO_DATA, "beta", "alpha", "<b>gamma</b>", NO_DATA, "beta"]
    assert texts(model, 1) == ["0.00", "1.00", NO_DATA, "3.00", "4.00", "5.00"]
    assert model.headerData(1, Qt.Orientation.Horizontal) == "Bytes (KiB)"
    assert "Sum of regions." in model.headerData(1, Qt.Orientation.Horizontal, Role.ToolTipRole)
    assert "5,120 B" in model.index(5, 1).data(Role.ToolTipRole)
    assert "(not zero)" in model.index(2, 1).data(Role.ToolTipRole)
    assert "of all bytes" in model.index(5, 2).data(Role.ToolTipRole)
    assert model.index(0, 1).data(Role.TextAlignmentRole) & Qt.AlignmentFlag.AlignRight


def test_a_name_from_a_file_is_never_markup(table: TableWidget) -> None:
    assert "&lt;b&gt;gamma" in table.view.items.index(3, 0).data(Role.ToolTipRole)


def test_a_click_on_a_header_sorts_figures_from_the_largest(qtbot: QtBot, table: TableWidget) -> None:
    head = table.view.horizontalHeader()
    place = QPoint(head.sectionPosition(1) + 20, head.height() // 2)
    QTest.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert texts(table.view.items, 1) == ["5.00", "4.00", "3.00", "1.00", "0.00", NO_DATA]
    QTest.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert texts(table.view.items, 1) == ["0.00", "1.00", "3.00", "4.00", "5.00", NO_DATA]
    QTest.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert table.view.items.sorted_by is None


def test_sorting_keeps_the_selected_row(qtbot: QtBot, table: TableWidget) -> None:
    click(qtbot, table, 3, Qt.KeyboardModifier.NoModifier)
    table.view.sortByColumn(1, DESCENDING)
    assert table.selected_rows().tolist() == [3]
    assert table.view.selectionModel().isRowSelected(2)


def test_the_filter_leaves_matching_rows(qtbot: QtBot, table: TableWidget) -> None:
    QTest.keyClicks(table.field, "BETA")
    assert texts(table.view.items, 0) == ["beta", "beta"]
    assert table.count.text == "2 of 6 rows"
    QTest.mouseClick(table.case, Qt.MouseButton.LeftButton)
    assert table.stack.is_empty
    table.field.setText("^(alp|be)")
    QTest.mouseClick(table.regex, Qt.MouseButton.LeftButton)
    assert texts(table.view.items, 0) == ["beta", "alpha", "beta"]
    table.field.setText("(")
    assert "invalid regular expression" in table.count.text
    assert table.view.items.rowCount() == 3
    QTest.keyClick(table.field, Qt.Key.Key_Escape)
    assert table.count.text == "6 rows"


def test_copy_is_tsv_with_a_header_of_raw_figures(qtbot: QtBot, table: TableWidget) -> None:
    assert table.copy_text() == ""
    click(qtbot, table, 1, Qt.KeyboardModifier.NoModifier)
    click(qtbot, table, 2, Qt.KeyboardModifier.ShiftModifier)
    assert table.copy_text() == "name\tbytes [B]\tshare [%]\nbeta\t1024\t20.0\nalpha\t\t40.0\n"


def test_a_single_cell_is_copied_as_it_is(qtbot: QtBot, table: TableWidget) -> None:
    assert table.cell_text() == ""
    click(qtbot, table, 3, Qt.KeyboardModifier.NoModifier)
    assert table.cell_text() == "<b>gamma</b>"
    table.view.setCurrentIndex(table.view.items.index(2, 1))
    assert table.cell_text() == ""


def test_copy_and_export_follow_sort_and_filter(table: TableWidget) -> None:
    table.view.sortByColumn(1, DESCENDING)
    table.field.setText("beta")
    rows = table.shown_rows()
    assert rows is not None
    assert rows.tolist() == [5, 1]
    assert table.shown_table() is table.view.items.table


def test_the_same_columns_keep_their_order_and_filter(table: TableWidget) -> None:
    table.view.sortByColumn(1, DESCENDING)
    table.field.setText("beta")
    table.set_table(sample(10))
    assert texts(table.view.items, 1) == ["9.00", "5.00", "1.00"]
    other = Table("o", "O", (Column("x", "X", np.array([1.0, np.nan])),))
    table.set_table(other)
    assert table.field.text() == ""
    assert texts(table.view.items, 0) == ["1", NO_DATA]


def test_empty_tables_say_why(table: TableWidget) -> None:
    table.set_table(sample(0), empty="No issues found.")
    assert table.stack.is_empty
    assert table.stack.empty.text == "No issues found."


def test_a_click_writes_the_selection_and_others_are_marked(qtbot: QtBot, table: TableWidget, context: Context) -> None:
    link = LinkedTable(context, table, "sample")
    link.show(sample())
    click(qtbot, table, 1, Qt.KeyboardModifier.NoModifier)
    assert context.document.selection.value == Selection("tile", (14,), "sample")
    context.document.selection.set(Selection("tile", (10, 15), "elsewhere"))
    assert table.selected_rows().tolist() == [0, 5]
    assert context.document.selection.value == Selection("tile", (10, 15), "elsewhere")
    context.document.selection.set(Selection("blob", (1,), "elsewhere"))
    assert table.selected_rows().tolist() == []


def test_a_table_scrolls_to_what_was_selected_while_it_was_hidden(
    qtbot: QtBot, table: TableWidget, context: Context
) -> None:
    link = LinkedTable(context, table, "sample")
    link.show(sample(5000))
    qtbot.waitUntil(lambda: not link.awaits_sight)
    at = table.view.verticalScrollBar()
    at.setValue(0)
    table.hide()
    context.document.selection.set(Selection("tile", (1010,), "elsewhere"))
    at.setValue(0)
    table.show()
    qtbot.waitUntil(lambda: not link.awaits_sight)
    assert at.value() > 0
    at.setValue(0)
    table.hide()
    table.show()
    qtbot.waitUntil(lambda: not link.awaits_sight)
    assert at.value() == 0  # nothing new was selected


def test_a_row_may_stand_for_several_things(qtbot: QtBot, table: TableWidget, context: Context) -> None:
    link = LinkedTable(context, table, "sample")
    group_of_item = np.array([2, 0, 2, 1, -1], np.int32)
    link.show(replace(sample(3), selects=None, row_items=RowItems("tile", group_of_item, np.array([0, 1, 2]))))
    click(qtbot, table, 2, Qt.KeyboardModifier.NoModifier)
    assert context.document.selection.value == Selection("tile", (0, 2), "sample")
    context.document.selection.set(Selection("tile", (1, 4), "elsewhere"))
    assert table.selected_rows().tolist() == [0]


def test_the_pointer_writes_the_hover(qtbot: QtBot, table: TableWidget, context: Context) -> None:
    link = LinkedTable(context, table, "sample")
    link.show(sample())
    QTest.mouseMove(table.view.viewport(), QPoint(20, table.view.rowViewportPosition(2) + 4))
    qtbot.waitUntil(lambda: context.document.hover.value == Selection("tile", (13,), "sample"))
    context.document.hover.set(Selection("tile", (15,), "elsewhere"))
    assert table.view.cell_delegate.hovered == 0


def test_a_range_of_tiles_limits_a_table_of_tiles(table: TableWidget, context: Context) -> None:
    LinkedTable(context, table, "sample").show(sample())
    context.document.ranges.set(Ranges(tiles=TileRange((10, 11, 99))))
    assert table.view.items.rows.tolist() == [4, 5]
    assert "range" in table.note.text()
    context.document.edits.undo()
    assert table.view.items.rowCount() == 6
    assert table.note.text() == ""


def test_selecting_everything_and_sorting_a_long_table_is_quick(qtbot: QtBot, table: TableWidget) -> None:
    rows = 200_000
    table.set_table(Table("long", "Long", (Column("n", "N", np.arange(rows)), Column("m", "M", np.arange(rows) % 7))))
    table.view.selectAll()
    table.view.sortByColumn(1, DESCENDING)
    assert len(table.selected_rows()) == rows
    assert table.view.items.rows[:2].tolist() == [6, 13]
    table.view.selectionModel().clear()
    model = table.view.items
    flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    table.view.selectionModel().select(model.index(rows // 2, 0), flags)
    chosen = table.selected_rows().tolist()
    table.view.sortByColumn(0, DESCENDING)
    assert table.selected_rows().tolist() == chosen


def test_many_scattered_rows_are_marked_as_a_whole(qtbot: QtBot) -> None:
    widget = TableWidget(Display())
    qtbot.addWidget(widget)
    widget.set_table(Table("long", "Long", (Column("n", "N", np.arange(10_000)),), "instruction"))
    widget.resize(300, 200)
    widget.show()
    every_third = np.arange(0, 10_000, 3)
    widget.view.mark(every_third)
    model = widget.view.items
    assert [model.marked(row) for row in range(4)] == [True, False, False, True]
    assert np.array_equal(widget.selected_rows(), every_third)
    model.sort(0, DESCENDING)
    assert widget.selected_rows()[:2].tolist() == [9999, 9996]
    place = widget.view.visualRect(model.index(1, 0)).center()
    QTest.mouseClick(widget.view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert widget.selected_rows().tolist() == [9998]
    widget.view.mark(np.empty(0, np.int64))
    assert not len(widget.selected_rows())


def test_columns_grow_with_their_figures_unless_their_width_was_chosen(qtbot: QtBot) -> None:
    def made(table_id: str, names: tuple[str, ...], scale: int) -> Table:
        numbers = np.arange(len(names)) * scale
        return Table(table_id, "T", (Column("n", "Name", names), Column("a", "A", numbers), Column("b", "B", numbers)))

    view = TableView(Display())
    qtbot.addWidget(view)
    view.set_table(made("one", ("x", "y"), 1))
    before = [view.columnWidth(place) for place in range(3)]
    view.setColumnWidth(2, 60)
    view.set_table(made("one", ("x", "y" * 30), 10**12))
    after = [view.columnWidth(place) for place in range(3)]
    assert after[0] == before[0]  # texts are looked at where another table comes, not at each change
    assert after[1] > before[1]
    assert after[2] == 60
    view.set_table(made("two", ("x", "y" * 30), 1))
    assert view.columnWidth(0) > before[0]
    assert view.columnWidth(1) == after[1]
