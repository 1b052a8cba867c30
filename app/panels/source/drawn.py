"""The cells of the source panel's tables that are drawn rather than written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtGui import QFont

from app.analysis.ascend.typed_columns import parts_of
from app.analysis.table import Table
from app.panels.source.registers import RegisterCell
from app.panels.source.stalls import StallCell
from app.profile.arrays import I64
from app.profile.typed import TypedColumn
from app.views.theme import Theme
from app.widgets.table.delegate import CellDrawing


def stall_cells(
    table: Table, columns: Sequence[TypedColumn], core: int, font: QFont, rows: I64 | None = None
) -> dict[int, StallCell]:
    """Cells of the columns that break a percentage down by reason; ``rows``: the row of ``columns`` that each table row
    shows."""
    parts = parts_of(columns, core, rows)
    return {
        place: StallCell(parts[column.key], column.title, font)
        for place, column in enumerate(table.columns)
        if column.key in parts
    }


def register_cells(table: Table, key: str, cell: RegisterCell) -> dict[int, CellDrawing]:
    """Cells of the column of register states."""
    return {place: cell for place, column in enumerate(table.columns) if column.key == key}


def reasons(cells: Mapping[int, StallCell], theme: Theme) -> dict[str, str]:
    """All reasons in the cells, with their colours."""
    return {reason: colour.name() for cell in cells.values() for reason, colour in cell.colours(theme).items()}
