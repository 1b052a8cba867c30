"""Amounts by two keys, such as the bandwidth between two ranks, as a chart of shaded cells."""

from __future__ import annotations

import math
from functools import cache, partial
from typing import Final

from msgspec import Struct

from app.analysis.table import Unit
from app.language import labelled, tr
from app.views.chart.model import FIXED, Axis, Bar, Chart, Column, Key, Note, Paint, Tick
from app.views.heat.scale import ramp
from app.views.look import Look, Theme
from app.views.units import format_value

MOST_SIDE: Final = 64
"""Most rows and columns that are drawn: cells must be seen, and are looked through for the pointer."""
_SHADES: Final = 32


class Cell(Struct, frozen=True):
    """``row``, ``column``: places; ``amount``: not negative; ``tip``: further lines of its tool tip; ``marked``:
    whether it has a mark."""

    row: int
    column: int
    amount: float
    tip: str = ""
    marked: bool = False


class CellsPicture(Struct, frozen=True):
    """Cells at ``rows`` and ``columns``, by their names; ``across``: what the columns are; ``figure``: what the amounts
    are; ``mark``: what a mark means."""

    title: str
    figure: str
    unit: Unit
    across: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[Cell, ...]
    mark: str = ""

    def chart(self, look: Look) -> Chart:
        """A chart with a shade for each amount, the first row at the top. What has no cell has no data."""
        known = [cell.amount for cell in self.cells if math.isfinite(cell.amount)]
        most, least = max(known, default=0.0), min(known, default=0.0)
        columns, height = len(self.columns), len(self.rows)
        ends = ((least, 0), (most, _SHADES - 1)) if most > least else ((most, _SHADES - 1),)
        return Chart(
            self.title,
            self.title,
            Axis(
                self.across,
                0.0,
                float(max(columns, 1)),
                least=FIXED,
                named=tuple(Tick(place + 0.5, name) for place, name in enumerate(self.columns)),
                grid=False,
            ),
            Axis(
                "",
                0.0,
                float(max(height, 1)),
                least=FIXED,
                named=tuple(Tick(height - place - 0.5, name) for place, name in reversed([*enumerate(self.rows)])),
                grid=False,
            ),
            kind=tr("Chart"),
            sideways=True,
            bars=tuple(self._bar(cell, least, most) for cell in self.cells if math.isfinite(cell.amount)),
            columns=tuple(self._column(cell, look) for cell in self.cells),
            notes=tuple(Note(self._middle(cell), "●", "right") for cell in self.cells if cell.marked),
            keys=tuple(Key(format_value(amount, self.unit, look), shade(number)) for amount, number in ends),
        )

    def _middle(self, cell: Cell) -> tuple[float, float]:
        return cell.column + 0.3, len(self.rows) - cell.row - 0.5

    def _bar(self, cell: Cell, least: float, most: float) -> Bar:
        share = (cell.amount - least) / (most - least) if most > least else 1.0
        low = len(self.rows) - cell.row - 1.0
        return Bar(cell.column + 0.03, cell.column + 0.97, low + 0.06, low + 0.94, shade(round(share * (_SHADES - 1))))

    def _column(self, cell: Cell, look: Look) -> Column:
        low = len(self.rows) - cell.row - 1.0
        lines = [
            f"{self.rows[cell.row]}, {self.columns[cell.column]}",
            labelled(self.figure, format_value(cell.amount, self.unit, look)),
            *([cell.tip] if cell.tip else []),
            *([self.mark] if cell.marked else []),
        ]
        return Column(low, low + 1.0, "\n".join(lines), (float(cell.column), cell.column + 1.0))


@cache
def shade(number: int) -> Paint:
    """One of the colours of amounts, from the least to the most."""
    return partial(_shaded, number)


def _shaded(number: int, theme: Theme) -> str:
    colours = ramp(theme)
    red, green, blue = colours[number * (len(colours) - 1) // (_SHADES - 1)].round().astype(int).tolist()
    return f"#{red:02x}{green:02x}{blue:02x}"
