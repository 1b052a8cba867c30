"""The command that saves blocks of an operator file."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.formats.ascend_bin import FORMAT
from app.formats.collect import read
from app.panels.registry import SPECS
from app.panels.tables import TablesPanel
from app.widgets.mnemonics import plain
from app.widgets.saving import BlockSaver
from app.window.commands.file import SAVER
from app.window.main_window import MainWindow
from fakes.dialogs import save_as
from fakes.shell import PANELS, make_window
from generators.ascend_bin import block


@pytest.fixture
def opened(qtbot: QtBot, tmp_path: Path) -> MainWindow:
    """A window whose tables panel shows the blocks of a file."""
    path = tmp_path / "visualize_data.bin"
    path.write_bytes(block(0x05, b'{"name":"x"}') + block(0x77, b"unknown content"))
    window = make_window(panels=(*PANELS, SPECS["tables"]))
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.document.finish(window.document.add(read(FORMAT, [path])[0], 1))
    assert window.docks is not None
    window.docks.focus("tables")
    return window


def table(window: MainWindow) -> TablesPanel:
    assert window.docks is not None
    panel = window.docks.docks["tables"].widget()
    assert isinstance(panel, TablesPanel)
    panel._refresh.now()
    panel.show_table("raw-blocks")
    panel.table.view.setFocus()
    return panel


def test_the_chosen_rows_are_saved(qtbot: QtBot, opened: MainWindow, tmp_path: Path) -> None:
    panel = table(opened)
    action = opened.actions_.actions["file.save_blocks"]
    opened.actions_.refresh()
    assert not action.isEnabled()
    panel.table.view.selectRow(1)
    opened.actions_.refresh()
    assert action.isEnabled()
    target = tmp_path / "block"
    action.trigger()
    save_as(qtbot, target)
    saver = opened.findChild(BlockSaver, SAVER)
    assert saver is not None
    qtbot.waitUntil(lambda: not saver.busy)
    assert target.read_bytes() == b"unknown content"
    assert opened.footer.currentMessage() == f"Saved {target}"
    menu = opened.actions_.place_menu("tables", "panel")
    assert "Save block content…" in [plain(entry.text()) for entry in menu.actions()]
    menu.deleteLater()


def test_what_cannot_be_saved_is_a_notice(qtbot: QtBot, opened: MainWindow, tmp_path: Path) -> None:
    panel = table(opened)
    panel.table.view.selectRow(0)
    opened.actions_.refresh()
    opened.actions_.actions["file.save_blocks"].trigger()
    save_as(qtbot, tmp_path / "none" / "x")
    qtbot.waitUntil(lambda: opened.notices.isVisible())
    assert "could not be saved" in opened.notices.text


def test_other_tables_have_no_blocks_to_save(opened: MainWindow) -> None:
    panel = table(opened)
    panel.show_table("operator")
    panel.table.view.selectRow(0)
    opened.actions_.refresh()
    assert not opened.actions_.actions["file.save_blocks"].isEnabled()
