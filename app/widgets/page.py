"""A scrolling page of text."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from app.views.look import Look
from app.views.texts import shown_line
from app.widgets.abilities import Copies, CopiesText, HasItemMenus
from app.widgets.display import Display
from app.widgets.empty import OrEmpty
from app.widgets.sheet import Sheet

TEXT = "text"
"""In ``Command.places``: a text of a page."""


class Page(QScrollArea, Copies, CopiesText, HasItemMenus):
    """Shows a sheet, which is replaced as more is known, or an empty state. ``copy_text``: the sheet for the
    clipboard."""

    def __init__(self, display: Display, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._display = display
        self.sheet = Sheet(display)
        self.stack = OrEmpty(display, self.sheet, self)
        self.setWidget(self.stack)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(shown_line(name))
        self._meant = ""
        display.changed.connect(self._look_changed)
        self._look_changed(display.look)

    def _look_changed(self, look: Look) -> None:
        """With larger texts, words may be wider than the page."""
        policy = Qt.ScrollBarPolicy
        self.setHorizontalScrollBarPolicy(
            policy.ScrollBarAsNeeded if look.text_size > 100 else policy.ScrollBarAlwaysOff
        )

    def show_sheet(self, sheet: Sheet) -> None:
        before = self.verticalScrollBar().value()
        self.sheet = sheet
        self.stack.replace(sheet)
        self.stack.show_content()
        self.verticalScrollBar().setValue(before)

    def show_empty(self, text: str) -> None:
        self.stack.show_empty(text)

    def copy_text(self) -> str:
        return "" if self.stack.is_empty else self.sheet.text

    def text_meant(self) -> str:
        return self._meant

    def menu_places_at(self, point: QPoint | None) -> tuple[str, ...]:
        """That of a text under the pointer, which is remembered."""
        under = None if point is None or self.stack.is_empty else self.childAt(point)
        self._meant = "" if under is None else self.sheet.text_of(under)
        return (TEXT,) if self._meant else ()
