"""Message boxes in plain text, since messages contain paths and names."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from app.views.texts import paragraph


class MessageBox(QMessageBox):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)

    def setText(self, text: str) -> None:
        super().setText(paragraph(text))

    def setInformativeText(self, text: str) -> None:
        super().setInformativeText(paragraph(text))
