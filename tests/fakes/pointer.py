"""The mouse, of which Qt remembers for the whole process what another test has left it like."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget


def release_buttons(window: QWidget) -> None:
    """Releases what another test has left pressed: a focus that moves meanwhile counts as the user's choice."""
    for button in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton):
        if QApplication.mouseButtons() & button:
            QTest.mouseRelease(window, button)
    assert not QApplication.mouseButtons()
