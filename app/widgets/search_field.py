"""A search or filter field that passes some keys on to what it searches."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from app.views.texts import shown_line

NARROWEST = 72
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class SearchField(QLineEdit):
    """A search field. Signals: ``stepped`` (+1 on Enter, -1 with Shift), ``left`` on Down. Escape clears the field and
    propagates: the window then returns the focus to what was searched."""

    stepped = Signal(int)
    left = Signal()

    def __init__(self, hint: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setPlaceholderText(shown_line(hint))
        self.setAccessibleName(shown_line(hint))
        self.setClearButtonEnabled(True)
        self.setMinimumWidth(NARROWEST)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            self.stepped.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif event.key() == Qt.Key.Key_Down:
            self.left.emit()
        else:
            if event.key() == Qt.Key.Key_Escape:
                self.clear()
            super().keyPressEvent(event)
