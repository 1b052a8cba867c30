"""Drives the real dialogs by keys, as a person does."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QLineEdit, QMessageBox
from pytestqt.qtbot import QtBot

Shown = TypeVar("Shown", bound=QDialog)


def dialog(qtbot: QtBot, kind: type[Shown]) -> Shown:
    """The dialog that is in front, once it is one of this kind."""
    front: list[Shown] = []

    def is_shown() -> bool:
        front[:] = [widget for widget in [QApplication.activeModalWidget()] if isinstance(widget, kind)]
        return bool(front) and front[0].isVisible()

    qtbot.waitUntil(is_shown)
    return front[0]


def name_field(shown: QFileDialog) -> QLineEdit:
    field = shown.findChild(QLineEdit, "fileNameEdit")
    assert field is not None
    return field


def save_as(qtbot: QtBot, path: Path | str) -> str:
    """Puts ``path`` into the dialog that asks where to save, and presses Enter; returns the name it offered."""
    shown = dialog(qtbot, QFileDialog)
    field = name_field(shown)
    offered = field.text()
    field.setText(str(path))  # typed keys would open the list of completions, which needs a screen
    QTest.keyClick(field, Qt.Key.Key_Return)
    return offered


def answer(qtbot: QtBot, button: str) -> str:
    """Presses the button of a question with this text (mnemonic left out); returns what was asked."""
    box = dialog(qtbot, QMessageBox)
    wanted = next(made for made in box.buttons() if made.text().replace("&", "") == button)
    QTest.mouseClick(wanted, Qt.MouseButton.LeftButton)
    return box.text()


def cancel(qtbot: QtBot, kind: type[QDialog] = QFileDialog) -> None:
    """Esc."""
    QTest.keyClick(dialog(qtbot, kind), Qt.Key.Key_Escape)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
