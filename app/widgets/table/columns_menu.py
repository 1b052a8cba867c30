"""The menu of a table's header: filter by a column, which columns are shown, how wide they are."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu, QTableView

from app.analysis.table import Table


def show_columns_menu(
    view: QTableView, table: Table, place: QPoint, filter_by: Callable[[int], object], fit: Callable[[], object]
) -> None:
    """At ``place`` of the header. ``filter_by`` gets the column that was clicked."""
    menu = QMenu(view)
    clicked = view.horizontalHeader().logicalIndexAt(place)
    if 0 <= clicked < len(table.columns):
        title = table.columns[clicked].title.replace("&", "&&")
        menu.addAction(f"Filter by “{title}”…").triggered.connect(lambda: filter_by(clicked))
        menu.addSeparator()
    for column, named in enumerate(table.columns):
        action = menu.addAction(named.title)
        action.setCheckable(True)
        action.setChecked(not view.isColumnHidden(column))
        action.toggled.connect(lambda shown, column=column: view.setColumnHidden(column, not shown))
    menu.addSeparator()
    menu.addAction("Fit widths").triggered.connect(fit)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.popup(view.horizontalHeader().mapToGlobal(place))
