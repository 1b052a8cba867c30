"""Which cells of the source panel's tables are drawn, and by what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtGui import QFont

from app.analysis.ascend.parts import parts_of
from app.analysis.table import Table
from app.panels.source.registers import RegisterCell
from app.panels.source.stalls import StallCell
from app.profile.arrays import I64
from app.profile.typed import TypedColumn
from app.widgets.table.delegate import CellDrawing
from app.widgets.theme import Theme


def stall_cells(
    table: Table, columns: Sequence[TypedColumn], core: int, font: QFont, rows: I64 | None = None
) -> dict[int, StallCell]:
    """Of the columns that say what a percentage is made of; ``rows``: which row of ``columns`` each row shows."""
    parts = parts_of(columns, core, rows)
    return {
        place: StallCell(parts[column.key], column.title, font)
        for place, column in enumerate(table.columns)
        if column.key in parts
    }


def register_cells(table: Table, key: str, cell: RegisterCell) -> dict[int, CellDrawing]:
    """Of the column of register states."""
    return {place: cell for place, column in enumerate(table.columns) if column.key == key}


def reasons(cells: Mapping[int, StallCell], theme: Theme) -> dict[str, str]:
    """Every reason that the cells show, with its colour."""
    return {reason: colour.name() for cell in cells.values() for reason, colour in cell.colours(theme).items()}
