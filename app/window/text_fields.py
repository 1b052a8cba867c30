"""Which widgets handle typed keys themselves."""

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
    """Whether ``widget`` is an editable text field, or the field inside one."""
    if isinstance(widget, (QTextEdit, QPlainTextEdit)):
        return not widget.isReadOnly()
    return isinstance(widget, TEXT_FIELDS) or (isinstance(widget, QComboBox) and widget.isEditable())


def takes_letters(widget: QWidget) -> bool:
    """Whether ``widget`` uses typed letters: a text field, list, table, tree or combo box."""
    return is_text_field(widget) or isinstance(widget, (QAbstractItemView, QComboBox))


def takes_space(widget: QWidget) -> bool:
    """Whether ``widget`` uses the space bar: to press a button, open a combo box or toggle a check box."""
    if isinstance(widget, QAbstractItemView):
        return bool(widget.model() and widget.currentIndex().flags() & Qt.ItemFlag.ItemIsUserCheckable)
    return isinstance(widget, QAbstractButton) or (isinstance(widget, QComboBox) and not widget.isEditable())
