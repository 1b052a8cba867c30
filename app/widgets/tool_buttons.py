"""Flat buttons of the bars above pictures."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton, QWidget

from app.widgets.texts import shown_line
from app.widgets.tips import set_tip


def tool_button(text: str, what: str, parent: QWidget) -> QToolButton:
    """A button with a short ``text`` or sign; ``what`` it does is its tool tip and accessible name."""
    button = QToolButton(parent)
    button.setText(text)
    set_tip(button, what)
    button.setAccessibleName(shown_line(what))
    button.setAutoRaise(True)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button
