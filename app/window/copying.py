"""The text that "Copy" and "Copy cell" put on the clipboard."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QPlainTextEdit, QTextEdit, QWidget

from app.widgets.abilities import Copies, CopiesCell
from app.window.command import nearest, nearest_table

LARGEST_CELLS = 1_000_000
"""Most cells copied from a list that is not Tabular; more would overload the clipboard."""


def can_copy(focus: QWidget | None) -> bool:
    if isinstance(focus, (QPlainTextEdit, QTextEdit)):
        return focus.textCursor().hasSelection()
    return nearest_table(focus) is not None or any(
        nearest(focus, kind) is not None for kind in (Copies, QAbstractItemView)
    )


def copied(focus: QWidget | None) -> str:
    """Returns the selected text or rows of the focused widget; "" if nothing is selected."""
    if isinstance(focus, (QPlainTextEdit, QTextEdit)):
        return focus.textCursor().selection().toPlainText()
    copies = nearest(focus, Copies)
    if copies is not None:
        return copies.copy_text()
    tabular = nearest_table(focus)
    if tabular is not None:
        from app.analysis.export import tsv

        table, rows = tabular.shown_table(), tabular.selected_rows()
        return tsv(table, rows) if table is not None and len(rows) else ""
    view = nearest(focus, QAbstractItemView)
    return "" if view is None else _cells(view)


def can_copy_cell(focus: QWidget | None) -> bool:
    return nearest(focus, CopiesCell) is not None


def copied_cell(focus: QWidget | None) -> str:
    """Returns the text of the current cell of a table or tree; "" if there is none."""
    copies = nearest(focus, CopiesCell)
    return "" if copies is None else copies.cell_text()


def _cells(view: QAbstractItemView) -> str:
    """Returns the selected cells of a plain list or tree: tabs between columns, newlines between rows."""
    indexes = view.selectionModel().selectedIndexes()[:LARGEST_CELLS]
    lines: dict[tuple[object, int], list[str]] = {}
    for index in sorted(indexes, key=lambda index: (index.row(), index.column())):
        line = lines.setdefault((index.parent(), index.row()), [])
        line.append(str(index.data(Qt.ItemDataRole.DisplayRole) or ""))
    return "\n".join("\t".join(line) for line in lines.values())
