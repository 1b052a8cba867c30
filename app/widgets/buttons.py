"""Flat buttons of the bars above pictures, tables and trees, and entries of menus that are named after something in
a file or checked in a row.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from app.views.texts import caption, shown_line
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


def add_named(menu: QMenu, name: str, about: str = "") -> QAction:
    """Adds an item called ``name`` to ``menu``, truncated and without a mnemonic. ``about``: its tool tip (default: the
    name). Without one Qt would use the name, and guess whether it is markup."""
    action = menu.addAction(caption(name))
    set_tip(action, about or name)
    return action


class CheckMenu(QMenu):
    """Stays open when checkable items are triggered; closes on all others."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if not self._tick(self.actionAt(event.position().toPoint())):
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        wanted = event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if not (wanted and self._tick(self.activeAction())):
            super().keyPressEvent(event)

    def _tick(self, action: QAction | None) -> bool:
        if action is None or not action.isCheckable() or not action.isEnabled():
            return False
        action.trigger()
        return True
