"""What tests of panels with a baseline share."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.document.document import Document
from app.widgets.refresh import Refresh
from app.widgets.table.widget import TableWidget


def caught_up(panel: QWidget) -> None:
    """Runs all deferred work of a panel."""
    for refresh in panel.findChildren(Refresh):
        refresh.now()


def end_comparison(document: Document, panel: QWidget) -> None:
    """Ends the comparison of the shown profile."""
    assert document.current_id is not None
    document.baselines.end(document.current_id)
    caught_up(panel)


def cells(table: TableWidget, *keys: str) -> list[tuple[object, ...]]:
    """The cells of these columns, row by row."""
    own = table.view.items.table
    columns = {column.key: column for column in own.columns}
    return [tuple(columns[key].value(row) for key in keys) for row in range(own.rows)]
