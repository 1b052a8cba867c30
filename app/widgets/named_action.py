"""Menu items named after something in a file."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from app.views.texts import caption
from app.widgets.tips import set_tip


def add_named(menu: QMenu, name: str, about: str = "") -> QAction:
    """Adds an item called ``name`` to ``menu``, truncated and without a mnemonic. ``about``: its tool tip (default: the
    name). Without one Qt would use the name, and guess whether it is markup."""
    action = menu.addAction(caption(name))
    set_tip(action, about or name)
    return action
