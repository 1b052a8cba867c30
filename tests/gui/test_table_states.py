"""A table comes back as it was left when others were shown in its place."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.analysis.column_filter import ColumnFilter
from app.analysis.table import Column, Table
from app.panels.tables import TablesPanel
from app.widgets.context import Context
from app.widgets.table.widget import TableWidget
from fakes.shell import ascend, bare


def numbers(first: str, second: str, count: int) -> Table:
    values = np.arange(count, dtype=np.int64)
    return Table("numbers", "Numbers", (Column(first, first, values), Column(second, second, values[::-1].copy())))


def test_search_order_and_filters_come_back(qtbot: QtBot, context: Context) -> None:
    widget = TableWidget(context.display)
    qtbot.addWidget(widget)
    one, other = numbers("a", "b", 30), numbers("c", "d", 5)
    widget.set_table(one)
    widget.search_for("1")
    widget.filters.set("a", ColumnFilter(low=12))
    widget.view.sortByColumn(1, Qt.SortOrder.AscendingOrder)
    rows = widget.view.items.rows.tolist()
    assert rows == sorted(rows, reverse=True)
    widget.set_table(other)
    assert (widget.field.text(), widget.filters.filters, len(widget.view.items.rows)) == ("", {}, 5)
    widget.set_table(one)
    assert widget.view.items.rows.tolist() == rows
    assert widget.field.text() == "1"
    assert widget.view.horizontalHeader().sortIndicatorSection() == 1
    widget.set_table(other)
    assert len(widget.view.items.rows) == 5
    widget.set_table(numbers("a", "b", 40))  # of another profile
    assert max(widget.view.items.rows.tolist()) > 30
    assert widget.field.text() == "1"


def test_the_chosen_table_and_its_search_come_back_with_the_profile(qtbot: QtBot, context: Context) -> None:
    document = context.document
    first, second = document.add(ascend(), 1), document.add(bare(), 2)
    document.show(first)
    panel = TablesPanel(context)
    qtbot.addWidget(panel)
    panel.show()
    qtbot.waitUntil(lambda: panel.names.count() > 0)
    panel.show_table("slices")
    panel.table.search_for("store")
    assert len(panel.table.view.items.rows) == 1
    document.show(second)
    qtbot.waitUntil(lambda: not panel.stack.isHidden() and panel._groups == [])
    document.show(first)
    qtbot.waitUntil(lambda: len(panel._groups) > 0)
    table = panel.table.shown_table()
    assert table is not None
    assert table.id == "slices"
    assert panel.table.field.text() == "store"
    assert len(panel.table.view.items.rows) == 1
