"""Marks fields with invalid content: with an icon, and in the theme's error colour (by a rule of the window's style
sheet)."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLineEdit

from app.widgets.icons import icon
from app.widgets.style_property import set_style_property
from app.widgets.tips import set_tip

PROPERTY = "invalid"
ICON = "invalidIcon"


def mark_invalid(field: QLineEdit, why: str) -> None:
    """Marks ``field`` as invalid because of ``why``, the tool tip of its icon; "" marks it as valid again."""
    shown = field.findChild(QAction, ICON)
    if why and shown is None:
        shown = field.addAction(icon("circle-alert", "error"), QLineEdit.ActionPosition.TrailingPosition)
        shown.setObjectName(ICON)
        shown.setParent(field)
    if shown is not None:
        shown.setVisible(bool(why))
        set_tip(shown, why)
    if bool(field.property(PROPERTY)) != bool(why):
        set_style_property(field, PROPERTY, bool(why))
