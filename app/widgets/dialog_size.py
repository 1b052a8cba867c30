"""The size of dialogs: larger with larger texts, and never larger than the screen."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QWidget

USUAL: Final = "usualFont"
"""Property of the application: the font it began with."""
MOST: Final = 0.88
"""Share of the screen that a dialog may take."""


def text_scale() -> float:
    """Returns how large texts are, compared with those of the system."""
    application = QApplication.instance()
    usual = None if application is None else application.property(USUAL)
    if not isinstance(usual, QFont) or usual.pointSizeF() <= 0:
        return 1.0
    return max(QApplication.font().pointSizeF() / usual.pointSizeF(), 1.0)


def resize_dialog(dialog: QWidget, width: int, height: int) -> None:
    """Resizes ``dialog`` to pixels that suit texts of the system's size, and to more if they are larger."""
    room = dialog.screen().availableSize() * MOST
    dialog.resize((QSize(width, height) * text_scale()).boundedTo(room))
