"""The menus of the bar: examples, tables and the history."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from app.document.query_history import QueryHistory
from app.language import plural, tr
from app.query.examples import examples
from app.query.session import QueryTable
from app.views.texts import shown_line
from app.widgets.named_action import add_named
from app.widgets.tips import set_tip

MOST_LISTED: Final = 40


class MenuButton(QToolButton):
    """A button with a menu that is filled when it opens, by ``fill``."""

    def __init__(self, text: str, what: str, fill: Callable[[QMenu], None], parent: QWidget) -> None:
        super().__init__(parent)
        self.setText(text)
        set_tip(self, what)
        self.setAccessibleName(shown_line(text))
        self.setAutoRaise(True)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        menu.aboutToShow.connect(partial(self._fill, menu, fill))
        self.setMenu(menu)

    @staticmethod
    def _fill(menu: QMenu, fill: Callable[[QMenu], None]) -> None:
        menu.clear()
        fill(menu)


class QueryMenus(QWidget):
    """The three buttons. Signals: ``statement`` (text) when an example is chosen, which is run; ``recalled`` (text) for
    one of the history, which is only shown; ``table`` (name) for a table."""

    statement = Signal(str)
    recalled = Signal(str)
    table = Signal(str)

    def __init__(self, history: QueryHistory, parent: QWidget) -> None:
        super().__init__(parent)
        self._history = history
        self.known: list[QueryTable] = []
        self.examples = MenuButton(tr("Examples"), tr("Queries for this profile"), self._list_examples, parent)
        self.tables = MenuButton(
            tr("Tables"), tr("The tables of this profile; a click inserts the name"), self._list_tables, parent
        )
        self.history = MenuButton(tr("History"), tr("Statements run earlier"), self._list_history, parent)
        self.hide()

    def _list_examples(self, menu: QMenu) -> None:
        for example in examples(self.known):
            action = add_named(menu, example.title, example.statement)
            action.triggered.connect(partial(self.statement.emit, example.statement))
        if menu.isEmpty():
            menu.addAction(tr("No examples for this profile")).setEnabled(False)

    def _list_tables(self, menu: QMenu) -> None:
        for table in self.known:
            columns = ", ".join(f"{name} [{unit}]" if unit else name for name, unit in table.columns)
            rows = plural("{count:,} row", "{count:,} rows", count=table.rows)
            action = add_named(menu, f"{table.name}  ({rows})", f"{table.title}: {columns}")
            action.triggered.connect(partial(self.table.emit, table.name))
        if menu.isEmpty():
            menu.addAction(tr("No tables")).setEnabled(False)

    def _list_history(self, menu: QMenu) -> None:
        for statement in self._history.statements[:MOST_LISTED]:
            action = add_named(menu, " ".join(statement.split()), statement)
            action.triggered.connect(partial(self.recalled.emit, statement))
        if menu.isEmpty():
            menu.addAction(tr("No statements yet")).setEnabled(False)
        menu.addSeparator()
        if self._history.can_undo_clear:
            menu.addAction(tr("Restore cleared history")).triggered.connect(self._history.undo_clear)
        clear = menu.addAction(tr("Clear history"))
        clear.setEnabled(bool(self._history.statements))
        clear.triggered.connect(self._history.clear)
