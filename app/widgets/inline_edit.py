"""A field for editing a name in place."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from app.views.texts import shown_line

NARROWEST = 240
"""Pixels, so that a sentence can be read while it is written."""


DRAFT_MS = 250
"""After so many ms without a key, what is written so far is accepted for now: it is not lost if the program dies."""


class InlineEdit(QLineEdit):
    """Enter and losing the focus accept the new name, Escape restores the old one. Signals: ``written`` (str) if it was
    changed, also while it is being written; ``closed`` after that."""

    written = Signal(str)
    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._owner = parent
        self._before = self._reported = ""
        self._draft = QTimer(self, interval=DRAFT_MS, singleShot=True)
        self._draft.timeout.connect(self.report)
        self.textEdited.connect(self._draft.start)
        self.hide()

    def edit(self, place: QRect, text: str, what: str) -> None:
        """Opens over ``place`` of its parent with ``text`` selected; ``what`` is the accessible name."""
        self._before = self._reported = text
        box = place.adjusted(0, -2, 0, 2)
        box.setWidth(max(box.width(), NARROWEST))
        middle = box.center().y()
        box.setHeight(max(box.height(), self.minimumSizeHint().height()))
        box.moveTop(middle - box.height() // 2)
        box.moveRight(min(box.right(), self._owner.width() - 1))
        self.setGeometry(box)
        self.setAccessibleName(shown_line(what))
        self.setText(text)
        self.show()
        self.raise_()
        self.selectAll()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._close()
        elif event.key() == Qt.Key.Key_Escape:
            self.setText(self._before)
            self._close()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self._close(give_back=False)

    def _close(self, *, give_back: bool = True) -> None:
        if not self.isVisible():
            return
        self.hide()
        if give_back:
            self._owner.setFocus(Qt.FocusReason.OtherFocusReason)
        self.report()
        self.closed.emit()

    def report(self) -> None:
        """Accepts what is written so far, for now."""
        self._draft.stop()
        if self.text() != self._reported:
            self._reported = self.text()
            self.written.emit(self.text())
