"""Tables and trees paint all visible cells at once; the picture is the same as that of cells painted one by one."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QItemSelectionModel
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.analysis.table import Coded, Column, Role, Table
from app.analysis.trees import Hierarchy
from app.profile.arrays import Ragged
from app.profile.strings import Strings
from app.views.look import CONTRAST, DARK, LIGHT, Look, Theme
from app.widgets.code.table import CodeDelegate, CodeModel
from app.widgets.display import Display
from app.widgets.table.delegate import DifferenceCell
from app.widgets.table.severity import SeverityModel
from app.widgets.table.view import TableView
from app.widgets.tree.view import TreeView
from oracles.cells_one_by_one import picture

ROWS = 60
WORDS = ("error", "warning", "model/encoder/layer_1/attention/query/MatMul", "张量重排", "a\tb – “c”", "info")


def strings(*texts: str) -> Coded:
    return Coded(np.arange(ROWS, dtype=np.int32) % (len(texts) + 1) - 1, Strings.of(texts))


def table(role: Role = "") -> Table:
    number = np.arange(ROWS)
    return Table(
        "t",
        "T",
        (
            Column("severity", "Severity", strings(*WORDS)),
            Column("bytes", "Bytes", number * 1025**2, "B", missing=number % 7 == 2),
            Column("share", "Share", np.linspace(-5, 110, ROWS), "%"),
            Column("difference", "Difference", (number - 12.5) * 3, "µs", signed=True),
            Column("code", "Code", strings("  if (a)	return 12; // b", "\x00}", "x" * 300), role=role),
            Column("address", "Address", number * 4096, hexadecimal=True),
        ),
    )


def shown(qtbot: QtBot, view: TableView | TreeView, theme: Theme, width: int) -> None:
    palette = view.palette()
    palette.setColor(palette.ColorRole.Base, QColor(theme.surface))
    view.setPalette(palette)
    qtbot.addWidget(view)
    view.resize(width, 420)
    view.show()
    view.activateWindow()
    view.setFocus()
    QApplication.processEvents()
    assert view.hasFocus()


def assert_same(view: TableView | TreeView, theme: Theme, scale: float = 1.0) -> None:
    QApplication.processEvents()  # lays out
    wanted = picture(view, theme, scale)
    image = QImage(wanted.size(), wanted.format())
    image.setDevicePixelRatio(scale)
    view.viewport().render(image)
    assert image == wanted


@pytest.mark.parametrize("theme", [LIGHT, DARK, CONTRAST], ids=lambda theme: theme.name)
def test_a_table(qtbot: QtBot, theme: Theme) -> None:
    view = TableView(Display(Look(theme)), None, SeverityModel)
    shown(qtbot, view, theme, 700)
    data = table()
    view.set_table(data)
    assert_same(view, theme)
    column = data.columns[3]
    view.draw_cells({3: DifferenceCell(column, 60.0, 90, (column, column))})
    view.cell_delegate.bars = {1: 4e7}
    view.cell_delegate.statuses = (np.arange(ROWS) % 5 % 3).astype(np.uint8)
    view.items.search("r")
    view.selectRow(3)
    view.selectionModel().setCurrentIndex(view.items.index(5, 2), QItemSelectionModel.SelectionFlag.NoUpdate)
    view.hover_row(6)
    view.verticalScrollBar().setValue(13)
    assert_same(view, theme)
    view.items.search("")
    view.items.mark(np.arange(0, ROWS, 3))
    view.clearSelection()
    view.horizontalHeader().moveSection(4, 0)
    view.setColumnHidden(2, True)
    view.setColumnWidth(4, 31)
    view.setColumnWidth(0, 900)
    view.horizontalScrollBar().setValue(77)
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())
    assert view.horizontalScrollBar().value() == 77
    assert_same(view, theme)
    assert_same(view, theme, 2.0)


def test_a_table_of_code(qtbot: QtBot) -> None:
    view = TableView(Display(Look(DARK)), None, CodeModel, CodeDelegate)
    shown(qtbot, view, DARK, 700)
    view.set_table(table("code"))
    assert isinstance(view.items, CodeModel)
    view.items.colouring.spans = [[(2, 2, "keyword"), (16, 2, "number")]] * ROWS
    view.items.sides = np.arange(ROWS) % 3 > 0, np.arange(ROWS) % 4 > 0
    assert_same(view, DARK)


def hierarchy() -> Hierarchy:
    lengths = np.zeros(ROWS, np.int64)
    lengths[:6] = 9
    lengths[6] = 5
    kinds = Column("type", "Type", strings("Sequence", "OnTileExecute", "DoExchange"), role="kind")
    whole = table()
    columns = (Column("name", "Name", whole.columns[0].values), kinds, *whole.columns[1:4])
    below = Ragged.of(lengths, np.arange(1, 1 + int(lengths.sum())))
    return Hierarchy(Table("p", "P", columns), np.zeros(1, np.int64), ("control program 0",), below)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_a_tree(qtbot: QtBot, theme: Theme) -> None:
    view = TreeView(Display(Look(theme)))
    shown(qtbot, view, theme, 500)
    view.set_hierarchy(hierarchy())
    view.expandToDepth(1)
    view.setCurrentIndex(view.items.index(2, 0, view.items.index(0, 0)))
    view.hover_item(4)
    assert_same(view, theme)
    view.mark(np.array([3, 5, 11]))
    view.expandAll()
    view.verticalScrollBar().setValue(95)
    view.setColumnWidth(0, 90)
    view.setColumnHidden(1, True)
    view.setColumnWidth(2, 700)
    view.horizontalScrollBar().setValue(41)
    view._outline(view.indexAt(view.viewport().rect().center()).internalId())
    assert view.horizontalScrollBar().value() == 41
    view.viewport().grab()  # decides how far rows are indented
    assert_same(view, theme)
    assert_same(view, theme, 1.5)
