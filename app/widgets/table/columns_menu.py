"""The visible columns of a table: a submenu of the header's context menu."""

from __future__ import annotations

from PySide6.QtWidgets import QMenu, QTableView, QWidget

from app.analysis.table import Table
from app.language import tr
from app.widgets.named_action import add_named


def columns_menu(view: QTableView, table: Table, parent: QWidget) -> QMenu:
    """A menu with an item for each column, checked if it is visible."""
    menu = QMenu(tr("Columns"), parent)
    for column, named in enumerate(table.columns):
        action = add_named(menu, named.title)
        action.setCheckable(True)
        action.setChecked(not view.isColumnHidden(column))
        action.toggled.connect(lambda shown, column=column: view.setColumnHidden(column, not shown))
    return menu
