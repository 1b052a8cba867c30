"""A search or filter field that passes some keys on to what it searches, with what the search respects inside of it."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QToolButton, QWidget

from app.views.texts import shown_line
from app.widgets.tool_buttons import icon_toggle

NARROWEST = 72
LEAST_TEXT = 60
"""Pixels of text that toggles must leave; where they cannot, they are in the menu of the panel."""
EDGE = 3
"""Pixels above, below and between toggles."""
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class SearchField(QLineEdit):
    """A search field. Signals: ``stepped`` (+1 on Enter, -1 with Shift), ``left`` on Down. Escape clears the field and
    propagates: the window then returns the focus to what was searched."""

    stepped = Signal(int)
    left = Signal()

    def __init__(self, hint: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._toggles: list[QToolButton] = []
        self.setPlaceholderText(shown_line(hint))
        self.setAccessibleName(shown_line(hint))
        self.setClearButtonEnabled(True)
        self.least = NARROWEST
        """Pixels that a row leaves to it, however narrow it is."""
        self.textChanged.connect(self._show_toggles)

    def toggle(self, name: str, what: str) -> QToolButton:
        """Adds a switch of the search inside of the field, seen while the field is used."""
        toggle = icon_toggle(name, what, self)
        toggle.setCursor(Qt.CursorShape.ArrowCursor)
        toggle.hide()
        toggle.installEventFilter(self)
        toggle.toggled.connect(self._show_toggles)
        self._toggles.append(toggle)
        return toggle

    @property
    def comfort(self) -> int:
        """The width in pixels from which on there is room for the toggles."""
        return max(self._wide + self.sizeHint().height() + LEAST_TEXT if self._toggles else 0, self.least)

    def minimumSizeHint(self) -> QSize:
        return QSize(self.comfort, super().minimumSizeHint().height())

    def folded(self) -> Iterator[QToolButton]:
        """The toggles, where the field has no room for them."""
        if not self._roomy:
            yield from self._toggles

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            self.stepped.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif event.key() == Qt.Key.Key_Down:
            self.left.emit()
        else:
            if event.key() == Qt.Key.Key_Escape:
                self.clear()
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._show_toggles()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._show_toggles()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_toggles()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusOut:
            self._show_toggles()
        return super().eventFilter(watched, event)

    @property
    def _side(self) -> int:
        return self.sizeHint().height() - 2 * EDGE

    @property
    def _wide(self) -> int:
        """The width of the toggles in pixels."""
        return (self._side + EDGE) * len(self._toggles)

    @property
    def _roomy(self) -> bool:
        return self.width() >= self.comfort

    def _show_toggles(self) -> None:
        """Shows the toggles while the field has the focus or a text, or one of them is set."""
        focus = QApplication.focusWidget()
        used = focus is self or focus in self._toggles or bool(self.text())
        shown = self._roomy and (used or any(toggle.isChecked() for toggle in self._toggles))
        clear = self.sizeHint().height()  # the button that clears, which Qt has room for where there is a text
        left = self.width() - clear - self._wide
        for place, toggle in enumerate(self._toggles):
            toggle.setGeometry(left + place * (self._side + EDGE), EDGE, self._side, self._side)
            toggle.setVisible(shown)
        self.setTextMargins(0, 0, self._wide + (0 if self.text() else clear) if shown else 0, 0)
