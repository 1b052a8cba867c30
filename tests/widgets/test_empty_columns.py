"""Columns that say nothing are hidden, named in the list of columns, and in every copy."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.analysis.table import Coded, Column, Table
from app.profile.strings import Strings
from app.widgets.display import Display
from app.widgets.table.empty import empty_columns
from app.widgets.table.widget import TableWidget

ROWS = 2000
NAMES = Column("name", "Name", tuple(f"row {row}" for row in range(ROWS)), role="name")
LAST = np.zeros(ROWS)
LAST[-2] = 3.0


def column(key: str, values: object, **more: object) -> Column:
    return Column(key, key.title(), values, **more)  # type: ignore[arg-type]


EMPTY = (
    column("zeros", np.zeros(ROWS, np.int64)),
    column("nans", np.full(ROWS, np.nan)),
    column("missing", np.ones(ROWS), missing=np.ones(ROWS, np.bool_)),
    column("texts", ("",) * ROWS),
    column("coded", Coded(np.full(ROWS, -1), Strings.of(["x"]))),
    column("no", np.zeros(ROWS, np.bool_)),
)
FULL = (
    column("last", LAST),
    column("ipu", np.zeros(ROWS, np.int64), role="key"),
    column("address", np.zeros(ROWS, np.int64), hexadecimal=True),
)


@pytest.mark.parametrize("columns", [EMPTY, FULL])
def test_what_is_empty(columns: tuple[Column, ...]) -> None:
    table = Table("t", "T", (NAMES, *columns))
    assert empty_columns(table) == (frozenset(range(1, 7)) if columns is EMPTY else frozenset())


def test_differences_and_single_rows_are_answers() -> None:
    difference = column("change", np.zeros(ROWS), signed=True)
    assert not empty_columns(Table("t", "T", (NAMES, *EMPTY, difference)))
    assert not empty_columns(Table("t", "T", (column("zeros", np.zeros(1)),)))
    assert not empty_columns(Table("t", "T", EMPTY))


def test_hidden_named_copied_and_shown_once_filled(qtbot: QtBot) -> None:
    widget = TableWidget(Display())
    qtbot.addWidget(widget)
    table = Table("t", "T", (NAMES, *FULL, EMPTY[0]))
    widget.set_table(table)
    place = len(table.columns) - 1
    assert [widget.view.isColumnHidden(each) for each in range(place + 1)] == [*([False] * place), True]
    assert widget.any_column_hidden()
    menu = widget.columns_menu(widget)
    assert [action.text() for action in menu.actions()][-1] == "Zeros (empty)"
    widget.choose_row(0)
    assert widget.copy_text().splitlines()[0].endswith("\tzeros")
    menu.actions()[-1].setChecked(True)
    assert not widget.view.isColumnHidden(place)
    widget.set_table(table)
    assert not widget.view.isColumnHidden(place), "the user's choice stays"
    menu.actions()[-1].setChecked(False)
    widget.set_table(Table("t", "T", (NAMES, *FULL, column("zeros", np.ones(ROWS, np.int64)))))
    assert not widget.view.isColumnHidden(place)
    assert widget.view.columnWidth(place) > 20
    menu.deleteLater()


def test_a_column_that_is_empty_again_is_hidden_when_the_hand_rests(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    widget = TableWidget(Display())
    qtbot.addWidget(widget)
    cut = Table("t", "T", (NAMES, *FULL, column("zeros", np.ones(ROWS, np.int64))))
    place = len(cut.columns) - 1
    widget.set_table(cut)
    monkeypatch.setattr(QApplication, "mouseButtons", lambda: Qt.MouseButton.LeftButton)
    widget.set_table(Table("t", "T", (NAMES, *FULL, EMPTY[0])))
    assert not widget.view.isColumnHidden(place)
    monkeypatch.undo()
    widget.view.follow_contents()
    assert widget.view.isColumnHidden(place)
