"""Items of menus that are named by something in a file."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from app.widgets.texts import caption
from app.widgets.tips import set_tip


def add_named(menu: QMenu, name: str, about: str = "") -> QAction:
    """An item at the end of ``menu`` that says ``name``, cut and without keys. ``about`` is its tool tip; Qt would take
    the name itself for one, and guess whether it is markup."""
    action = menu.addAction(caption(name))
    set_tip(action, about or name)
    return action
