"""Item delegate for a list column with muted text."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem


class MutedColumn(QStyledItemDelegate):
    """Draws text in the palette's placeholder colour, which follows the theme."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        palette = option.palette
        palette.setBrush(QPalette.ColorRole.Text, palette.placeholderText())
        option.palette = palette
