"""Export everything…: the dialog, its job in the status bar, and what is in the folder at the end."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox
from pytestqt.exceptions import capture_exceptions
from pytestqt.qtbot import QtBot

from app.analysis.tables import available
from app.exports.everything import Choice, FolderExport, Subject
from app.store.table_files import kinds
from app.window.footer import ProgressRow
from app.window.main_window import MainWindow
from app.window.saving import EverythingDialog, EverythingSaver
from fakes.dialogs import answer, dialog
from fakes.shell import ascend


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def asked(window: MainWindow, qtbot: QtBot) -> EverythingDialog:
    action = window.actions_.actions["file.export_everything"]
    qtbot.waitUntil(action.isEnabled)
    action.trigger()
    return dialog(qtbot, EverythingDialog)


def test_everything_by_the_dialog(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    for name in ("mat mul", "softmax"):
        window.document.finish(window.document.add(ascend(name), 1))
    shown = asked(window, qtbot)
    assert Path(shown.folder.text()).name == "softmax-export"
    assert not shown.compared.isVisible()
    shown.folder.setText(str(tmp_path / "one"))
    shown.tables.setCurrentIndex(shown.tables.findData(".json"))
    shown.plots.setCurrentIndex(shown.plots.findData(""))
    QTest.keyClick(shown.folder, Qt.Key.Key_Return)
    count = len(available(ascend()))
    qtbot.waitUntil(lambda: f"{count} tables and 0 plots are in {tmp_path / 'one'}" in window.notices.text)
    assert {"index.json", "slices.json", "lanes.json"} <= files(tmp_path / "one")
    assert len(files(tmp_path / "one")) == 1 + count

    (tmp_path / "all").mkdir()
    (tmp_path / "all" / "mine.txt").write_text("mine")
    shown = asked(window, qtbot)
    shown.folder.setText(str(tmp_path / "all"))
    shown.every.setChecked(True)
    shown.plots.setCurrentIndex(shown.plots.findData(""))
    QTest.mouseClick(shown.ok, Qt.MouseButton.LeftButton)
    dialog(qtbot, QMessageBox)
    assert "is not empty" in answer(qtbot, "Cancel")
    assert files(tmp_path / "all") == {"mine.txt"}
    QTest.mouseClick(shown.ok, Qt.MouseButton.LeftButton)
    answer(qtbot, "Replace")
    qtbot.waitUntil(lambda: f"{2 * count} tables" in window.notices.text)
    assert {"mine.txt", "index.json", "mat_mul/slices.csv", "softmax/slices.csv"} <= files(tmp_path / "all")
    qtbot.waitUntil(lambda: not window.footer.findChildren(ProgressRow, "writing"))


def saver(window: MainWindow, folder: Path) -> EverythingSaver:
    made = EverythingSaver(window, folder)
    made.start([Subject(ascend())], Choice(), replace=False)
    return made


def test_cancelled_it_leaves_nothing(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    made = saver(window, tmp_path / "out")
    with qtbot.waitSignal(made.destroyed):
        made._writing.row.cancel.click()
    assert not list(tmp_path.iterdir())
    assert window.footer.currentMessage() == "Export cancelled"


def test_what_cannot_be_written_is_a_notice(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    saver(window, tmp_path / "no" / "out")
    qtbot.waitUntil(lambda: "cannot be written: No such file or directory" in window.notices.text)


def test_a_kind_that_cannot_be_written_here_says_why(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kinds, "find_spec", lambda _: None)
    window.document.finish(window.document.add(ascend(), 1))
    shown = asked(window, qtbot)
    model = shown.tables.model()
    assert isinstance(model, QStandardItemModel)
    states = {model.item(row).text(): model.item(row).isEnabled() for row in range(model.rowCount())}
    assert states["CSV"]
    assert not states["Parquet – .parquet files need pyarrow: pip install 'tilesight[parquet]'"]
    shown.reject()


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), TypeError("a defect")])
def test_what_fails_at_the_end_leaves_nothing_and_says_so(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(_: FolderExport) -> None:
        raise error

    monkeypatch.setattr(FolderExport, "finish", fail)
    made = EverythingSaver(window, tmp_path / "out")
    unexpected = isinstance(error, TypeError)
    with capture_exceptions() as errors, qtbot.waitSignal(made.destroyed):
        made.start([Subject(ascend())], Choice(plots=""), replace=False)
    assert [kind for kind, *_ in errors] == ([TypeError] if unexpected else [])
    why = "unexpected error: TypeError: a defect" if unexpected else "No space left on device"
    assert f"{tmp_path / 'out'}: cannot be written: {why}" in window.notices.text
    assert not list(tmp_path.iterdir())
    qtbot.waitUntil(lambda: not window.footer.findChildren(ProgressRow, "writing"))
