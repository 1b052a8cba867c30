"""Plain text on lines that wrap, without a bar below them: two bars that come as needed take room from each other's
lines, and in a low place they come and go without end while the window stands still."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPlainTextEdit, QWidget


def wrapping_text(parent: QWidget) -> QPlainTextEdit:
    """An editor of such a text; the bar beside it comes as needed, since lines beside it are never fewer."""
    text = QPlainTextEdit(parent)
    text.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return text
