"""Cells of compared figures: amounts with the unit of their row, differences with their sign and colour, shares as
bars on both sides of zero."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QPainter

from app.analysis.table import Column
from app.language import labelled
from app.views.colours import blend, legible
from app.views.look import Look
from app.views.table.cells import Cells
from app.views.theme import LIGHT, Theme
from app.views.units import change, exact, format_value, signed_percent
from app.widgets.table.delegate import PADDING
from app.widgets.table.model import TableModel

SIGNED: Final = frozenset(("difference", "percent", "share"))
"""Keys of the columns whose figures have a sign."""
FULL: Final = 100.0
"""The share of a full bar, in percent."""
BAR: Final = 0.25
WIDTH: Final = 128
BAR_WIDTH: Final = 44
"""Pixels of the part of the cell that bars take, left of the figure."""


class SignedCells(Cells):
    """Each amount in the unit that suits it; figures of signed columns with a plus, too."""

    def text(self, column: int, row: int) -> str | None:
        named = self.table.columns[column]
        if not named.numeric or (named.units is None and named.key not in SIGNED):
            return super().text(column, row)
        value = named.value(row)
        if value is None or isinstance(value, (str, bool)):
            return None
        unit = named.unit_of(row)
        if named.key in SIGNED:
            return signed_percent(value) if unit == "%" else change(value, unit, self.look, self.clock_hz)  # type: ignore[arg-type]
        return format_value(value, unit, self.look, self.clock_hz)  # type: ignore[arg-type]


class SignedModel(TableModel):
    """Differences are coloured by their sign, which they show as well."""

    cells_type = SignedCells
    theme: Theme = LIGHT

    def set_look(self, look: Look) -> None:
        self.theme = look.theme
        super().set_look(look)

    def ink(self, column: int, source: int) -> str | None:
        named = self.column(column)
        if named.key not in SIGNED or not named.numeric:
            return None
        value = named.value(source)
        if not isinstance(value, (int, float)) or not value:
            return None
        return legible(*signed_colours(self.theme, value))


def signed_colours(theme: Theme, value: float) -> tuple[str, str]:
    """The colour of a difference, and that of a bar of it behind the text."""
    colour = theme.more if value > 0 else theme.less
    return colour, blend(theme.surface, colour, BAR)


class ShareCell:
    """Draws a share as a bar to the side of its sign, as far as FULL percent, and leaves the rest to the figure."""

    width = WIDTH

    def __init__(self, column: Column) -> None:
        self._column = column

    def draw(self, painter: QPainter, rect: QRect, row: int, theme: Theme) -> QRect | None:
        """Draws the bar; the text is drawn over it."""
        value = self._column.value(row)
        if isinstance(value, (int, float)) and value:
            middle = rect.x() + PADDING + BAR_WIDTH // 2
            length = max(round(BAR_WIDTH // 2 * min(abs(value) / FULL, 1.0)), 1)
            colour = QColor(signed_colours(theme, value)[1])
            painter.fillRect(middle if value > 0 else middle - length, rect.y() + 3, length, rect.height() - 7, colour)
            painter.fillRect(middle, rect.y() + 2, 1, rect.height() - 5, QColor(theme.muted))
        return rect.adjusted(BAR_WIDTH, 0, 0, 0)

    def tip(self, row: int) -> str:
        """All digits."""
        value = self._column.value(row)
        return labelled(self._column.title, exact(value, "%")) if value is not None else ""
