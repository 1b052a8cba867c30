"""Cells of signed differences: a bar from the middle of the column, to the left for less, to the right for more."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QPainter

from app.analysis.table import Column
from app.views.colours import blend
from app.views.differences import both_sides
from app.views.theme import Theme

SHARE = 0.4


class DifferenceCell:
    """``full``: the difference with a bar over half of the cell; ``width``: that of the column; ``sides``: the columns
    of the baseline and of the comparison, for the tool tip."""

    def __init__(self, column: Column, full: float, width: int, sides: tuple[Column, Column]) -> None:
        self.column = column
        self.sides = sides
        self.full = full
        self.width = width

    def bar(self, row: int, rect: QRect) -> QRect | None:
        """The bar of a row of the table in its cell; None without a difference."""
        value = self.column.value(row)
        if not isinstance(value, int | float) or not value or not self.full:
            return None
        middle, half = rect.center().x(), rect.width() // 2
        length = max(round(half * min(abs(value) / self.full, 1.0)), 2)
        return QRect(middle if value > 0 else middle - length, rect.y() + 2, length, rect.height() - 5)

    def draw(self, painter: QPainter, rect: QRect, row: int, theme: Theme) -> QRect | None:
        """Draws the bar; the figure is written over it."""
        bar = self.bar(row, rect)
        if bar is not None:
            less = bar.x() < rect.center().x()
            painter.fillRect(bar, QColor(blend(theme.surface, theme.less if less else theme.more, SHARE)))
        return rect

    def tip(self, row: int) -> str:
        before, after = (column.value(row) for column in self.sides)
        if isinstance(before, str) or isinstance(after, str):
            return ""
        return both_sides(before, after, self.column.unit)
