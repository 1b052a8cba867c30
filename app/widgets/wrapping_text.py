"""Wrapped plain text without a horizontal scroll bar: two automatic scroll bars shrink each other's viewport, and in a
low widget they can toggle forever, which freezes the window."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPlainTextEdit, QWidget


def wrapping_text(parent: QWidget) -> QPlainTextEdit:
    """A plain text editor that wraps lines; only the vertical scroll bar is shown as needed, which cannot reduce the
    number of lines."""
    text = QPlainTextEdit(parent)
    text.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return text
