"""A column of a list that steps back."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem


class MutedColumn(QStyledItemDelegate):
    """Text in the colour of placeholders, which follows the theme."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        palette = option.palette
        palette.setBrush(QPalette.ColorRole.Text, palette.placeholderText())
        option.palette = palette
