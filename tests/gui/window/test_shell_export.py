"""Copy, find in panel, export."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QDialog, QFileDialog, QTableWidget, QWidget
from pytestqt.qtbot import QtBot

from app.analysis.table import Column, Table
from app.panels.panel import PanelSpec
from app.profile.arrays import I64
from app.widgets.context import Context
from app.widgets.theme import LIGHT, Theme
from app.window import dialogs
from app.window.copying import can_copy, copied
from app.window.export_dialog import export
from app.window.exports import exports
from app.window.main_window import MainWindow
from fakes.shell import PANELS, TablePanel, ascend, make_window, spec

CONTROL = Qt.KeyboardModifier.ControlModifier


class Shown(QWidget):
    """A panel with a table and a picture."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.resize(120, 80)

    def shown_table(self) -> Table | None:
        return Table(
            "cores", "Cores", (Column("core", "Core", np.arange(4)), Column("busy", "Busy", np.arange(4) * 2.5, "%"))
        )

    def shown_rows(self) -> I64 | None:
        return np.array([3, 1], np.int64)

    def selected_rows(self) -> I64:
        return np.array([1], np.int64)

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        painter.fillRect(place, QColor("#ff0000"))


@pytest.fixture
def shop(qtbot: QtBot) -> MainWindow:
    """A window whose focus is in such a panel."""
    shown: PanelSpec = spec("cores", "Core load", Shown)
    window = make_window(panels=(*PANELS, shown))
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.document.finish(window.document.add(ascend("mat mul"), 1))
    assert window.docks is not None
    window.docks.focus("cores")
    qtbot.waitUntil(lambda: isinstance(window.keys.last_focus, Shown))
    return window


def test_copy_takes_the_selected_rows_with_their_header(shop: MainWindow) -> None:
    shop.actions_.commands["edit.copy"].run(shop)
    assert QGuiApplication.clipboard().text() == "core\tbusy [%]\n1\t2.5\n"


def test_copy_of_a_plain_table(window: MainWindow, qtbot: QtBot) -> None:
    window.document.add(ascend(), 1)
    assert window.docks is not None
    window.docks.focus("instructions")
    table = window.docks.docks["instructions"].widget()
    assert isinstance(table, TablePanel)
    qtbot.waitUntil(table.hasFocus)
    table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
    table.selectRow(2)
    qtbot.waitUntil(window.actions_.actions["edit.copy"].isEnabled)
    QTest.keyClick(table, Qt.Key.Key_C, CONTROL)
    assert QGuiApplication.clipboard().text() == "2.0\t2.1\t2.2"


def test_nothing_to_copy(qtbot: QtBot) -> None:
    assert not can_copy(None)
    assert copied(None) == ""
    table = QTableWidget(2, 2)
    qtbot.addWidget(table)
    assert copied(table) == ""


def test_find_goes_to_the_field_of_the_panel(window: MainWindow, qtbot: QtBot) -> None:
    window.document.add(ascend(), 1)
    assert window.docks is not None
    window.docks.focus("timeline")
    qtbot.waitUntil(lambda: window.keys.last_focus is not None)
    window.actions_.commands["edit.find"].run(window)
    qtbot.waitUntil(lambda: window.docks is not None and window.docks.docks["timeline"].widget().field.hasFocus())  # type: ignore[attr-defined]


def test_what_has_the_focus_comes_first(shop: MainWindow) -> None:
    profile = shop.document.profile
    assert profile is not None
    found = list(exports(shop.keys.last_focus, profile, LIGHT))
    assert [(item.title, item.detail) for item in found[:2]] == [
        ("Cores", "table, as shown, 2 rows"),
        ("Core load", "picture, as shown"),
    ]
    assert ("Issues", "table, 1 row") in [(item.title, item.detail) for item in found]
    assert found[0].name == "mat_mul-cores"


def test_exports_write_what_is_shown(shop: MainWindow, tmp_path: Path) -> None:
    profile = shop.document.profile
    assert profile is not None
    table, picture = list(exports(shop.keys.last_focus, profile, LIGHT))[:2]
    table.write(tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text() == "core,busy [%]\n3,7.5\n1,2.5\n"
    table.write(tmp_path / "a.json")
    assert '"core":3' in (tmp_path / "a.json").read_text()
    picture.write(tmp_path / "a.png")
    assert QImage(str(tmp_path / "a.png")).pixelColor(5, 5) == QColor("#ff0000")
    picture.write(tmp_path / "a.svg")
    assert "<svg" in (tmp_path / "a.svg").read_text()


def test_export_asks_and_says_where_it_wrote(shop: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "out"
    monkeypatch.setattr(QDialog, "exec", lambda _: QDialog.DialogCode.Accepted)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), "TSV (*.tsv)"))
    export(shop)
    assert (tmp_path / "out.tsv").read_text().startswith("core\tbusy")
    assert "out.tsv" in shop.footer.currentMessage()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "no" / "x.csv"), ""))
    export(shop)
    assert "cannot be written" in shop.notices.text


def test_changing_ones_mind_writes_nothing(shop: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QDialog, "exec", lambda _: QDialog.DialogCode.Accepted)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("", ""))
    export(shop)
    assert list(tmp_path.iterdir()) == []


def test_file_filters_come_from_the_registry() -> None:
    first, *_, last = dialogs.filters().split(";;")
    assert first.startswith("Profiles (")
    assert "*.popef" in first
    assert last == "All files (*)"
