"""Marks fields with invalid content in the theme's error colour (by a rule of the window's stylesheet)."""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit

PROPERTY = "invalid"


def mark_invalid(field: QLineEdit, invalid: bool) -> None:
    """Marks ``field`` as invalid, or as valid again."""
    if bool(field.property(PROPERTY)) == invalid:
        return
    field.setProperty(PROPERTY, invalid)
    field.style().unpolish(field)
    field.style().polish(field)
