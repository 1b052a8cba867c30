"""Find in panel: the panel's own search, or the first text field in it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QLineEdit, QWidget

from app.widgets.abilities import Searchable
from app.window.reach import nearest


def can_find(focus: QWidget | None) -> bool:
    return nearest(focus, Searchable) is not None or _field(focus) is not None


def start_find(focus: QWidget | None) -> None:
    finds = nearest(focus, Searchable)
    field = _field(focus)
    if finds is not None:
        finds.start_find()
    elif field is not None:
        field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        field.selectAll()


def find_step(focus: QWidget | None, direction: int) -> None:
    finds = nearest(focus, Searchable)
    if finds is not None:
        finds.find_step(direction)


def _field(focus: QWidget | None) -> QLineEdit | None:
    dock = nearest(focus, QDockWidget)
    fields = dock.findChildren(QLineEdit) if dock is not None else []
    return next((field for field in fields if field.isVisible() and field.isEnabled()), None)
