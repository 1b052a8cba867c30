"""Flat buttons of the bars above pictures, tables and trees."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton, QWidget

from app.views.texts import shown_line
from app.widgets.icons import icon
from app.widgets.tips import set_tip


def tool_button(text: str, what: str, parent: QWidget) -> QToolButton:
    """A button with a short ``text``; ``what`` it does is its tool tip and accessible name."""
    button = QToolButton(parent)
    button.setText(text)
    set_tip(button, what)
    button.setAccessibleName(shown_line(what))
    button.setAutoRaise(True)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


def icon_button(name: str, what: str, parent: QWidget) -> QToolButton:
    """The same with an icon in place of the text."""
    button = tool_button("", what, parent)
    button.setIcon(icon(name))
    return button


def icon_toggle(name: str, what: str, parent: QWidget) -> QToolButton:
    """The same, checkable: what a search respects, for example."""
    button = icon_button(name, what, parent)
    button.setCheckable(True)
    return button
