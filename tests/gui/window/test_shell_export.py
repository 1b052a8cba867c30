"""Copy, find in panel, export."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QFileDialog,
    QPushButton,
    QTableWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.analysis import tables
from app.analysis.table import Column, Table
from app.analysis.tables import issues
from app.panels.spec import PanelSpec
from app.profile.arrays import I64
from app.profile.profile import Origin, Profile
from app.profile.selection import Ranges, TileRange
from app.views.look import LIGHT, Theme
from app.widgets.abilities import HasPicture
from app.widgets.context import Context
from app.widgets.tabular import Tabular
from app.window import dialogs, exports
from app.window.commands.edit import can_copy, copied
from app.window.export_dialog import ExportDialog, export
from app.window.exports import Export, InForce, first_exports
from app.window.main_window import MainWindow
from fakes.dialogs import answer, cancel, dialog, name_field, save_as
from fakes.pointer import release_buttons
from fakes.shell import PANELS, TablePanel, ascend, make_window, spec

CONTROL = Qt.KeyboardModifier.ControlModifier


class Shown(QWidget, Tabular, HasPicture):
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

    def rows_text(self) -> str:
        return "Only even ones."

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
    release_buttons(window)  # a double click of QTest leaves the button down, and panels wait for its release
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
    first = list(first_exports(shop.keys.last_focus, profile, LIGHT))
    assert [(item.title, item.detail) for item in first] == [
        ("Cores", "table, as shown, 2 rows"),
        ("Core load", "image, as shown"),
    ]
    assert first[0].name == "mat_mul-cores"


def test_tables_are_listed_after_what_is_shown_and_made_in_threads(
    shop: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a large profile a table may take seconds, and all of them together much memory."""
    makers: list[threading.Thread] = []

    def make(profile: Profile) -> Table | None:
        makers.append(threading.current_thread())
        return issues.make(profile)

    monkeypatch.setattr(tables, "TABLES", (tables.TableSpec("issues", "Issues", make),))
    export(shop)
    shown = dialog(qtbot, ExportDialog)
    qtbot.waitUntil(lambda: "Issues" in lines(shown))
    assert lines(shown)[:3] == ["Cores", "Core load", "Issues"]
    assert shown.list.currentIndex().row() == 0
    assert len(makers) == 1
    choose_row(shown, 2)
    by_enter(shown)
    save_as(qtbot, tmp_path / "issues.csv")
    assert wrote(qtbot, shop, tmp_path / "issues.csv").startswith(b"severity")
    assert len(makers) == 2
    assert threading.main_thread() not in makers


def test_the_tables_are_those_of_the_profile_that_the_dialog_was_opened_for(shop: MainWindow, qtbot: QtBot) -> None:
    export(shop)
    shown = dialog(qtbot, ExportDialog)
    qtbot.waitUntil(lambda: bool(shown._tables))
    before = shown._tables
    with qtbot.waitSignal(shop.tables.changed):
        shop.document.finish(shop.document.add(ascend("other"), 2))
        shop.tables.get()
    assert shown._tables is before
    shown.reject()


def lines(shown: ExportDialog) -> list[str]:
    return [shown.list.topLevelItem(row).text(0) for row in range(shown.list.topLevelItemCount())]  # type: ignore[union-attr]


def test_the_content_is_what_is_shown(shop: MainWindow, tmp_path: Path) -> None:
    profile = shop.document.profile
    assert profile is not None
    in_force = InForce(ranges=Ranges(tiles=TileRange((1, 2))))
    table, picture = first_exports(shop.keys.last_focus, profile, LIGHT, in_force=in_force)
    assert made(table, tmp_path / "table.csv") == b"core,busy [%]\n3,7.5\n1,2.5\n"
    document = json.loads(made(table, tmp_path / "table.json"))
    assert document["rows"][0]["core"] == 3
    assert document["settings"] == {"rows": "2 of 4. Only even ones.", "tiles": "tiles 1–2"}
    assert document["source"]["profile"] == "mat mul"
    image = QImage.fromData(made(picture, tmp_path / "picture.png"))
    assert image.pixelColor(5, 5) == QColor("#ff0000")
    assert "Tiles: tiles 1–2" in image.text("Description")
    assert b"<svg" in made(picture, tmp_path / "picture.svg")


def made(chosen: Export, path: Path) -> bytes:
    chosen.prepare(path.suffix, False)(path, [], lambda _: None)
    return path.read_bytes()


# -- by hand: the real dialogs ----------------------------------------------------------------------------


def wrote(qtbot: QtBot, window: MainWindow, path: Path) -> bytes:
    qtbot.waitUntil(lambda: window.footer.currentMessage() == f"Wrote {path}")
    return path.read_bytes()


def choose_row(shown: ExportDialog, row: int) -> None:
    for _ in range(row):
        QTest.keyClick(shown.list, Qt.Key.Key_Down)


def by_enter(shown: ExportDialog) -> None:
    QTest.keyClick(shown.list, Qt.Key.Key_Return)


def by_button(shown: ExportDialog) -> None:
    (button,) = [made for made in shown.findChildren(QPushButton) if made.text() == "&Save as…"]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def by_double_click(shown: ExportDialog) -> None:
    item = shown.list.currentItem()
    assert item is not None
    place = shown.list.visualItemRect(item).center()
    QTest.mouseClick(shown.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    QTest.mouseDClick(shown.list.viewport(), Qt.MouseButton.LeftButton, pos=place)


@pytest.mark.parametrize("confirm", [by_enter, by_button, by_double_click])
@pytest.mark.parametrize(
    ("row", "name", "begin"),
    [
        (0, "out.csv", b"core,busy [%]"),
        (0, "out.tsv", b"core\tbusy [%]"),
        (0, "out.json", b'{"table":"cores"'),
        (1, "out.png", b"\x89PNG"),
        (1, "out.svg", b"<?xml"),
    ],
)
def test_export_by_hand(
    shop: MainWindow,
    qtbot: QtBot,
    tmp_path: Path,
    row: int,
    name: str,
    begin: bytes,
    confirm: Callable[[ExportDialog], None],
) -> None:
    shop.actions_.actions["file.export"].trigger()
    shown = dialog(qtbot, ExportDialog)
    choose_row(shown, row)
    confirm(shown)
    save_as(qtbot, tmp_path / name)
    assert wrote(qtbot, shop, tmp_path / name).startswith(begin)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_cancelling_either_dialog_writes_nothing(shop: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    export(shop)
    cancel(qtbot, ExportDialog)
    export(shop)
    by_enter(dialog(qtbot, ExportDialog))
    name_field(dialog(qtbot, QFileDialog)).setText(str(tmp_path / "out.csv"))
    cancel(qtbot)
    assert QApplication.activeModalWidget() is None
    assert list(tmp_path.iterdir()) == []


def test_a_name_without_suffix_gets_that_of_the_chosen_type(shop: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    export(shop)
    by_enter(dialog(qtbot, ExportDialog))
    shown = dialog(qtbot, QFileDialog)
    assert name_field(shown).text() == "mat_mul-cores.csv"
    kinds = shown.findChild(QComboBox, "fileTypeCombo")
    assert kinds is not None
    QTest.keyClick(kinds, Qt.Key.Key_Down)
    assert name_field(shown).text() == "mat_mul-cores.tsv"
    save_as(qtbot, tmp_path / "run.v2")
    assert wrote(qtbot, shop, tmp_path / "run.v2.tsv").startswith(b"core\t")


def test_an_existing_file_is_replaced_only_after_a_question(shop: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    for there, typed in (("out.csv", "out.csv"), ("out.csv", "out"), ("run.v2.csv", "run.v2")):
        (tmp_path / there).write_text("mine")
        export(shop)
        by_enter(dialog(qtbot, ExportDialog))
        save_as(qtbot, tmp_path / typed)
        assert answer(qtbot, "Cancel") == f"{there} already exists. Do you want to replace it?"
        assert (tmp_path / there).read_text() == "mine"
        save_as(qtbot, tmp_path / typed)
        answer(qtbot, "Replace")
        assert wrote(qtbot, shop, tmp_path / there).startswith(b"core,")
        shop.footer.clearMessage()


def test_what_cannot_be_written_is_a_notice(shop: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    export(shop)
    by_enter(dialog(qtbot, ExportDialog))
    save_as(qtbot, tmp_path / "no" / "x.csv")
    qtbot.waitUntil(shop.notices.isVisible)
    assert f"{tmp_path / 'no' / 'x.csv'}: cannot be written: No such file or directory" in shop.notices.text
    assert shop.footer.currentMessage() == ""


def test_a_file_that_is_open_is_never_replaced(shop: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    read = tmp_path / "profile.json"
    read.write_text("{}")
    profile = replace(ascend(), origin=Origin("ascend-trace", (read,)))
    shop.document.finish(shop.document.add(profile, 2))
    export(shop)
    by_enter(dialog(qtbot, ExportDialog))
    save_as(qtbot, read)
    answer(qtbot, "Replace")
    qtbot.waitUntil(shop.notices.isVisible)
    assert "choose another name" in shop.notices.text
    assert read.read_text() == "{}"


def test_file_filters_come_from_the_registry() -> None:
    first, *_, last = dialogs.filters().split(";;")
    assert first.startswith("Profiles (")
    assert "*.popef" in first
    assert last == "All files (*)"


def test_what_a_file_does_not_hold_becomes_a_notice(
    shop: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exports, "save_table", lambda *_, **__: "1 text is truncated")
    export(shop)
    by_enter(dialog(qtbot, ExportDialog))
    save_as(qtbot, tmp_path / "x.csv")
    qtbot.waitUntil(shop.notices.isVisible)
    assert f"{tmp_path / 'x.csv'}: 1 text is truncated" in shop.notices.text
    assert shop.footer.currentMessage() == f"Wrote {tmp_path / 'x.csv'}"


# -- one list, searched ------------------------------------------------------------------------------------


def seen(shown: ExportDialog) -> list[str]:
    items = [shown.list.topLevelItem(row) for row in range(shown.list.topLevelItemCount())]
    return [f"{item.text(0)}: {item.text(1)}" for item in items if item is not None and not item.isHidden()]


@pytest.fixture
def asked(shop: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> ExportDialog:
    """The dialog, with two tables, one of which the panel shows."""
    panel = Shown(shop.display)  # type: ignore[arg-type]
    qtbot.addWidget(panel)
    own = panel.shown_table()
    specs = (tables.TableSpec("cores", "Cores", lambda _: own), tables.TableSpec("issues", "Issues", issues.make))
    monkeypatch.setattr(tables, "TABLES", specs)
    export(shop)
    shown = dialog(qtbot, ExportDialog)
    qtbot.waitUntil(lambda: "Issues" in lines(shown))
    return shown


def test_a_table_that_the_panel_shows_is_listed_once(asked: ExportDialog, qtbot: QtBot, tmp_path: Path) -> None:
    assert lines(asked).count("Cores") == 1
    assert seen(asked)[0] == "Cores: table, as shown, 2 rows"
    assert asked.shown.isEnabled()
    asked.shown.click()
    assert seen(asked)[0] == "Cores: table, 4 rows"
    by_enter(asked)
    save_as(qtbot, tmp_path / "all.csv")
    qtbot.waitUntil((tmp_path / "all.csv").exists)
    assert len((tmp_path / "all.csv").read_text().splitlines()) == 5


def test_typing_searches_and_enter_exports_what_was_found(asked: ExportDialog, qtbot: QtBot, tmp_path: Path) -> None:
    QTest.keyClicks(asked.list, "i")
    assert asked.search.hasFocus()
    QTest.keyClicks(asked.search, "ssu")
    assert [text.split(":")[0] for text in seen(asked)] == ["Issues"]
    assert not asked.shown.isEnabled()
    asked.format.setCurrentIndex(asked.format.findData(".json"))
    QTest.keyClick(asked.search, Qt.Key.Key_Return)
    assert name_field(dialog(qtbot, QFileDialog)).text() == "mat_mul-issues.json"
    save_as(qtbot, tmp_path / "issues")
    qtbot.waitUntil((tmp_path / "issues.json").exists)


def test_kinds_and_no_matches(asked: ExportDialog) -> None:
    asked.kind.setCurrentIndex(asked.kind.findData("image"))
    assert seen(asked) == ["Core load: image, as shown", "Whole timeline: image"]
    assert not asked.remarks.isEnabled()
    asked.kind.setCurrentIndex(asked.kind.findData("profile"))
    assert seen(asked) == ["Report: HTML page", "Every table and plot: folder"]
    assert not asked.format.isEnabled()
    asked.search.setText("nothing like it")
    assert seen(asked) == []
    assert not asked.none.isHidden()
    assert not asked.save.isEnabled()
    asked.accept()
    assert asked.isVisible()
    asked.reject()


def test_the_report_is_asked_for_in_the_same_list(asked: ExportDialog, qtbot: QtBot) -> None:
    asked.search.setText("report")
    QTest.keyClick(asked.search, Qt.Key.Key_Return)
    assert dialog(qtbot, QFileDialog).windowTitle() == "Save report"
    cancel(qtbot)
