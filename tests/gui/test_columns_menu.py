"""The menu of a table's header hides columns, fits them and begins a filter."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from app.analysis.table import Column, Table
from app.widgets.display import Display
from app.widgets.table.widget import TableWidget

TABLE = Table("t", "T", (Column("a", "A & B", np.arange(3)), Column("c", "C", np.arange(3))))


@pytest.fixture
def shown(qtbot: QtBot) -> TableWidget:
    widget = TableWidget(Display())
    qtbot.addWidget(widget)
    widget.set_table(TABLE)
    return widget


def choose(shown: TableWidget, text: str, place: QPoint) -> list[str]:
    """Opens the menu at ``place`` of the header, triggers the entry and returns all of them."""
    shown.view.horizontalHeader().customContextMenuRequested.emit(place)
    (menu,) = [menu for menu in shown.view.findChildren(QMenu) if menu.isVisible()]
    actions = [action for action in menu.actions() if not action.isSeparator()]
    entries = [action.text() for action in actions]
    next(action for action in actions if action.text() == text).trigger()
    menu.close()
    return entries


def test_a_column_is_hidden_and_comes_back(shown: TableWidget) -> None:
    nowhere = QPoint(100_000, 2)
    assert choose(shown, "C", nowhere) == ["A & B", "C", "Fit widths"]
    assert shown.view.isColumnHidden(1)
    choose(shown, "C", nowhere)
    assert not shown.view.isColumnHidden(1)


def test_the_column_under_the_pointer_is_filtered(shown: TableWidget) -> None:
    wanted: list[int] = []
    shown.view.filter_wanted.disconnect()
    shown.view.filter_wanted.connect(wanted.append)
    entries = choose(shown, "Filter by “A && B”…", QPoint(3, 3))
    assert entries[0] == "Filter by “A && B”…"
    assert wanted == [0]


def test_widths_are_fitted_again(shown: TableWidget) -> None:
    fitted = shown.view.columnWidth(0)
    shown.view.setColumnWidth(0, 300)
    choose(shown, "Fit widths", QPoint(100_000, 2))
    assert shown.view.columnWidth(0) == fitted
