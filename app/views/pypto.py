"""The picture of a PyPTO run: what cores do for each function, working or waiting."""

from __future__ import annotations

from typing import Final

import numpy as np

from app.analysis.table import Table, Unit
from app.analysis.tables.pypto import WAITS
from app.language import labelled, tr
from app.profile.arrays import I64
from app.views.capture import amount_of, table_cell
from app.views.chart.bars import MOST_BARS
from app.views.chart.stacked import Part, StackedPicture, StackedRow, stacked_picture
from app.views.look import OKABE_ITO
from app.views.units import plain

_COLOURS: Final = (OKABE_ITO[1], OKABE_ITO[6], OKABE_ITO[4], "")
"""Of the parts of a gap; what the files do not explain is pale."""
PARTS: Final = (
    Part(tr("Work"), OKABE_ITO[2]),
    *(Part(title, colour) for (_, title, _), colour in zip(WAITS, _COLOURS, strict=True)),
)


def functions_picture(table: Table, before: Table | None = None) -> tuple[StackedPicture, I64]:
    """(a bar per function: the work of its blocks and what their cores wait before them, those of a baseline below;
    the bar of each row, -1 none)."""
    old = {} if before is None else {table_cell(before, "name", row): row for row in range(before.rows)}
    rows: list[StackedRow] = []
    bars = np.full(table.rows, -1, np.int64)
    for row in range(min(table.rows, MOST_BARS)):
        name = str(table_cell(table, "name", row) or tr("task"))
        bars[row] = len(rows)
        rows.append(_row(table, row, name))
        if before is not None and table_cell(table, "name", row) in old:
            rows.append(_row(before, old[table_cell(table, "name", row)], tr("{name}, baseline", name=name)))
    clock = table.clock(None)
    unit: Unit = "cycles" if clock is None else "s"
    count = table.rows + len(rows) - int(np.count_nonzero(bars >= 0))
    return stacked_picture(tr("Functions: work, and waits of the cores before it"), unit, PARTS, rows, count), bars


def _row(table: Table, row: int, name: str) -> StackedRow:
    clock = table.clock(None)
    scale = 1.0 if clock is None else 1.0 / clock
    amounts = (amount_of(table, key, row) * scale for key in ("total", *(key for key, _, _ in WAITS)))
    count = table_cell(table, "count", row)
    return StackedRow(name, tuple(amounts), labelled(tr("Blocks"), plain(count if isinstance(count, int) else 0)))
