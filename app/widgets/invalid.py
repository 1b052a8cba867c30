"""Marks fields with invalid content in the theme's error colour (by a rule of the window's style sheet)."""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit

from app.widgets.style_property import set_style_property

PROPERTY = "invalid"


def mark_invalid(field: QLineEdit, invalid: bool) -> None:
    """Marks ``field`` as invalid, or as valid again."""
    if bool(field.property(PROPERTY)) != invalid:
        set_style_property(field, PROPERTY, invalid)
