"""What the menu of a table's header does: columns are sorted, hidden, brought back and fitted."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from pytestqt.qtbot import QtBot

from app.analysis.table import Column, Table
from app.widgets.abilities import ITEM, HasColumns, HasItemMenus
from app.widgets.display import Display
from app.widgets.table.widget import TableWidget

TABLE = Table("t", "T", (Column("a", "A & B", np.array([2, 1, 3])), Column("c", "C", np.arange(3))), "tile")


@pytest.fixture
def shown(qtbot: QtBot) -> TableWidget:
    widget = TableWidget(Display())
    qtbot.addWidget(widget)
    widget.resize(400, 300)
    widget.set_table(TABLE)
    widget.show()
    return widget


def test_a_column_is_hidden_and_comes_back(shown: TableWidget) -> None:
    assert isinstance(shown, HasColumns)
    menu = shown.columns_menu(shown)
    assert [action.text() for action in menu.actions()] == ["A && B", "C"]
    menu.actions()[1].trigger()
    assert shown.view.isColumnHidden(1)
    assert shown.any_column_hidden()
    shown.show_columns()
    assert not shown.any_column_hidden()


def test_the_last_column_stays(shown: TableWidget) -> None:
    for _ in range(3):
        shown.hide_column()
    assert [shown.view.isColumnHidden(place) for place in range(2)] == [True, False]


def test_the_menu_is_about_the_column_under_the_pointer(shown: TableWidget) -> None:
    view = shown.view
    assert isinstance(view, HasItemMenus)
    head = view.horizontalHeader()
    place = head.mapTo(view, QPoint(head.sectionViewportPosition(1) + 5, 5))
    assert view.menu_places_at(place) == ("header",)
    shown.sort_column(descending=True)
    assert (view.items.sorted_by, view.items.descending) == (1, True)
    assert view.items.rows.tolist() == [2, 1, 0]
    shown.hide_column()
    assert view.isColumnHidden(1)
    shown.unsort()
    assert not shown.sorted_column()


def test_a_cell_is_a_thing_where_its_row_is_one(shown: TableWidget) -> None:
    view = shown.view
    cell = view.visualRect(view.items.index(1, 1)).center()
    place = view.viewport().mapTo(view, cell)
    assert view.menu_places_at(place) == ("cell", ITEM)
    assert (view.currentIndex().row(), view.currentIndex().column()) == (1, 1)
    assert view.menu_places_at(view.viewport().mapTo(view, QPoint(5, 290))) == ("table",)
    assert view.menu_places_at(None) == ("cell", ITEM)


def test_widths_are_fitted_again(shown: TableWidget) -> None:
    fitted = shown.view.columnWidth(0)
    shown.view.setColumnWidth(0, 300)
    shown.fit_columns()
    assert shown.view.columnWidth(0) == fitted
