"""The query panel."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from msgspec import Struct
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMenu, QPushButton, QToolButton, QWidget

from app.analysis.table import Table
from app.document.background import Background, Task
from app.document.user_choices import QueryHistory
from app.formats.errors import FormatError
from app.language import plural, tr
from app.panels.panel import Panel
from app.panels.query.chart_page import ChartPage
from app.panels.query.editor import SqlEditor
from app.panels.registry import SPECS
from app.profile.profile import Profile
from app.query.errors import QueryError
from app.query.examples import examples
from app.query.limits import SHOWN_ROWS, duckdb_installed
from app.query.session import QueryTable, Source, answer, listed, sources_of
from app.store.token import Token
from app.views.look import Look
from app.views.texts import shown_line
from app.views.units import duration
from app.widgets.abilities import HandlesEscape, HasPicture, RunsQueries
from app.widgets.buttons import add_named
from app.widgets.controls import Controls
from app.widgets.frame import check_of, column_of, pages_of, split_of
from app.widgets.table.profile_table import ProfileTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular
from app.widgets.texts import Label, Readout, paint_text
from app.widgets.tips import set_tip

NOT_RUN = tr("Write a statement and press Ctrl+Enter, or choose one of the examples.")
NO_ROWS = tr("The result has no rows.")
NO_DUCKDB = tr(
    "Queries need DuckDB, which is not part of this installation. Where Tilesight is installed by pip: "
    "pip install 'tilesight[sql]'."
)

LOWEST = 64
"""Pixels of the result in a low panel. A chart would ask for more than there is, and the border would jump when it gets
it."""


class QueryPanel(Panel, RunsQueries, HandlesEscape):
    """The statement above, its result below: as a table, or as a chart of two columns."""

    spec = SPECS["query"]
    empty = tr("Nothing is open. Drop a file on the window, or use Open.")
    requests = (NO_DUCKDB,)
    patient = True
    compares = True

    def build(self) -> None:
        display = self.context.display
        self._listing, self._running = Background(self), Background(self)
        self._read: tuple[Source, ...] = ()
        self._outcome: Outcome | None = None
        self.editor = SqlEditor(display, self)
        self.button = QPushButton(tr("Run"), self)
        self.menus = QueryMenus(self.context.document.queries, self)
        self.readout = Readout(display, self)
        self.charted = check_of(tr("Chart"), tr("The result as bars or as a line"))
        self.error = Label(parent=self)
        self.error.setWordWrap(True)
        self.error.setAlignment(Qt.AlignmentFlag.AlignTop)  # the beginning is seen where room is short
        self.error.setContentsMargins(8, 2, 8, 4)
        self.error.hide()
        self.table = TableWidget(display, self)
        self.rows = ProfileTable(self.context, self.table, self.spec.id)
        self.chart = ChartPage(display, self)
        self._pages = pages_of(self, (self.table, self.chart))
        menus = self.menus
        above = column_of((self.editor, 1), self.error)
        above.setContentsMargins(8, 4, 8, 4)
        self._pages.setMinimumHeight(LOWEST)
        self.splitter = split_of((above, 110), (self._pages, 390), below=True)
        self.splitter.setStretchFactor(1, 1)
        lists = menus.examples, menus.tables, menus.history
        inside = self.button, *lists, (self.readout, 1), (self.table.bar, 2), self.charted
        controls = Controls(self, *inside, folds=lists[::-1])
        self.lay_out((self.splitter, 1), home=self.editor, controls=controls)
        self._connect()
        self._show_outcome(None)
        self._say_running(busy=False)
        self.show_look(display.look)

    def _connect(self) -> None:
        self.button.clicked.connect(self._pressed)
        self.editor.run_wanted.connect(self.run_query)
        self.menus.statement.connect(self._run_example)
        self.menus.recalled.connect(self._recall)
        self.menus.table.connect(self.editor.insert_name)
        self.charted.toggled.connect(self._turn)
        self.table.filtered.connect(self._draw)
        self.table.view.items.layoutChanged.connect(self._draw)
        self.table.view.items.modelReset.connect(self._draw)
        self.chart.chosen.connect(self.table.choose_row)

    def sizeHint(self) -> QSize:
        return QSize(640, 420)

    def tabular(self) -> Tabular:
        return self.table

    def picture(self) -> HasPicture | None:
        return self.chart.canvas if self.charted.isChecked() and self._table is not None else None

    # -- contents -----------------------------------------------------------------------------------------

    def why_empty(self, profile: Profile | None) -> str:
        return super().why_empty(profile) or ("" if duckdb_installed() else NO_DUCKDB)

    def clear(self) -> None:
        self.forget()
        self._read = ()
        self._know([])

    def forget(self) -> None:
        """Drops the result of another profile."""
        self.cancel_query()
        self._show_outcome(None)

    def fill(self, profile: Profile) -> Iterator[object]:
        """Lists the tables in a thread. A result of what the profile was before is computed again."""
        comparison = self.comparison
        before, self._read = self._read, tuple(sources_of([profile], None if comparison is None else comparison.before))
        shown = self._outcome
        if before and shown is not None and not _same(before, self._read):
            self._start(shown.statement)
        tables = yield from self._listing.waited(partial(_listed, self._read))
        self._know(tables)

    def _know(self, tables: list[QueryTable]) -> None:
        self.menus.known = tables
        self.editor.know(tables)

    # -- running ------------------------------------------------------------------------------------------

    @property
    def can_run_query(self) -> bool:
        return bool(self._read) and not self.stack.is_empty

    @property
    def query_running(self) -> bool:
        return self._running.busy

    def run_query(self) -> None:
        statement = self.editor.toPlainText().strip()
        if self.can_run_query and statement:
            self.context.document.queries.add(statement)
            self._start(statement)

    def cancel_query(self) -> None:
        running = self.query_running
        self._running.cancel()
        self._say_running(busy=False)
        if running:
            self.readout.say(tr("Cancelled"), muted=True)

    def handle_escape(self) -> bool:
        running = self.query_running
        if running:
            self.cancel_query()
        return running

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc in the statement, too: there it would leave the text, as in other fields."""
        if event.key() != Qt.Key.Key_Escape or not self.handle_escape():
            super().keyPressEvent(event)

    def _pressed(self) -> None:
        if self.query_running:
            self.cancel_query()
        else:
            self.run_query()

    def _run_example(self, statement: str) -> None:
        self.editor.replace_text(statement)
        self.run_query()

    def _recall(self, statement: str) -> None:
        self.editor.replace_text(statement)
        self.editor.setFocus()

    def _start(self, statement: str) -> None:
        self._say_error("")
        self._running.run(Task(partial(_run, self._read, statement), self._show_outcome, self._failed))
        self._say_running(busy=True)

    def _failed(self, error: FormatError) -> None:
        self._say_running(busy=False)
        self.readout.say("")
        self._say_error(str(error))

    def _show_outcome(self, outcome: Outcome | None) -> None:
        """Shows the result of a statement, or what is wrong with it (the former result stays); None: nothing was
        run."""
        self._say_running(busy=False)
        if outcome is not None and outcome.error is not None:
            self.readout.say("")
            self._say_error(str(outcome.error))
            if outcome.error.offset >= 0 and outcome.statement == self.editor.toPlainText().strip():
                indent = len(self.editor.toPlainText()) - len(self.editor.toPlainText().lstrip())
                self.editor.mark(indent + outcome.error.offset, outcome.error.length)
            return
        self._outcome = outcome
        self._say_error("")
        if outcome is None or outcome.table is None:
            # without columns when there is nothing, else they would be fitted to an empty table
            self.rows.show_alone(Table("query", "", ()), empty=NOT_RUN)
            self.readout.say("")
        else:
            self.rows.show_alone(outcome.table, empty=NO_ROWS)
            self.readout.say(tr("Took {time}", time=duration(outcome.seconds)), muted=True)
        self._draw()

    def _say_running(self, *, busy: bool) -> None:
        self.button.setText(tr("Cancel") if busy else tr("Run"))
        set_tip(self.button, tr("Cancel the query (Esc)") if busy else tr("Run the statement (Ctrl+Enter)"))
        if busy:
            self.readout.say(tr("Running…"), muted=True)

    def _say_error(self, text: str) -> None:
        self.error.setText(text)
        set_tip(self.error, text)
        self.error.setVisible(bool(text))
        paint_text(self.error, self.context.display.theme.error)

    # -- the chart ----------------------------------------------------------------------------------------

    @property
    def _table(self) -> Table | None:
        return None if self._outcome is None else self._outcome.table

    def _turn(self, chart: bool) -> None:
        self._pages.setCurrentWidget(self.chart if chart else self.table)
        self._draw()

    def _draw(self) -> None:
        """Draws the rows that the table shows, in their order."""
        if not self.charted.isChecked():
            return
        table = self._table
        if table is None:
            self.chart.clear()
            return
        target = None if self.profile is None else self.profile.target
        rows = self.table.view.items.rows
        self.chart.show_rows(table, rows, None if target is None else target.clock_hz)

    def show_look(self, look: Look) -> None:
        paint_text(self.error, look.theme.error)


def _same(first: tuple[Source, ...], second: tuple[Source, ...]) -> bool:
    return [source.profile for source in first] == [source.profile for source in second]


def _listed(sources: tuple[Source, ...], token: Token) -> list[QueryTable]:
    return listed(sources, token.check)


def _run(sources: tuple[Source, ...], statement: str, token: Token, _progress: object) -> Outcome:
    return run(sources, statement, token)


class Outcome(Struct, frozen=True, eq=False):
    """The result of a statement, or why there is none; ``seconds`` it took."""

    statement: str
    table: Table | None
    error: QueryError | None
    seconds: float


def run(sources: Sequence[Source], statement: str, token: Token) -> Outcome:
    """Runs a statement; Cancelled if the token is."""
    begin = time.monotonic()
    table, error = None, None
    try:
        table = answer(sources, statement, token, SHOWN_ROWS)
    except QueryError as wrong:
        error = wrong
    return Outcome(statement, table, error, time.monotonic() - begin)


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
            rows = "" if table.rows is None else plural("{count:,} row", "{count:,} rows", count=table.rows)
            name = f"{table.name}  ({rows})" if rows else table.name
            action = add_named(menu, name, f"{table.title}: {columns}" if columns else table.title)
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
