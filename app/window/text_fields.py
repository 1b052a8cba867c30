"""Which widgets take keys for themselves."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QKeySequenceEdit,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

TEXT_FIELDS = (QLineEdit, QTextEdit, QPlainTextEdit, QAbstractSpinBox, QKeySequenceEdit)


def is_text_field(widget: QWidget) -> bool:
    """Whether letters belong to ``widget``: it is a field one types in (or the field inside one)."""
    if isinstance(widget, (QTextEdit, QPlainTextEdit)):
        return not widget.isReadOnly()
    return isinstance(widget, TEXT_FIELDS) or (isinstance(widget, QComboBox) and widget.isEditable())


def takes_letters(widget: QWidget) -> bool:
    """Whether typed letters choose something in ``widget``: a field, a list, a table, a choice."""
    return is_text_field(widget) or isinstance(widget, (QAbstractItemView, QComboBox))


def takes_space(widget: QWidget) -> bool:
    """Whether the space bar uses ``widget``: a button is pressed, a choice opened, an entry ticked."""
    if isinstance(widget, QAbstractItemView):
        return bool(widget.model() and widget.currentIndex().flags() & Qt.ItemFlag.ItemIsUserCheckable)
    return isinstance(widget, QAbstractButton) or (isinstance(widget, QComboBox) and not widget.isEditable())
