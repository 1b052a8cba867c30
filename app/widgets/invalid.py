"""Marks a field whose content cannot be taken, in the theme's colour of errors (a rule of the window's stylesheet)."""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit

PROPERTY = "invalid"


def mark_invalid(field: QLineEdit, invalid: bool) -> None:
    """Shows, or no longer shows, that what stands in ``field`` cannot be taken."""
    if bool(field.property(PROPERTY)) == invalid:
        return
    field.setProperty(PROPERTY, invalid)
    field.style().unpolish(field)
    field.style().polish(field)
