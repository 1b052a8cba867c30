"""Everything that a profile holds, as tables to view, copy and export."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from app.analysis.table import Table, row_with
from app.analysis.tables import ListedTable, by_id, specs
from app.document.background import Background, Task
from app.formats.errors import FormatError
from app.language import tr
from app.panels.panel import Panel
from app.panels.registry import SPECS
from app.profile.profile import Profile
from app.store.token import Token
from app.widgets.abilities import HasViewState, ShowsTable
from app.widgets.fields import Chooser
from app.widgets.frame import split_of
from app.widgets.table.profile_table import ProfileTable, WantedRow
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular
from app.widgets.tips import tip

if TYPE_CHECKING:
    from app.analysis.view_links.view_link import ViewState

LIST_WIDTH = 200
LIST_MARGIN = 28
"""Extra width for the scroll bar of the list."""
LIST_SHARE = 0.4
SLOW_SECONDS = 0.03
"""A table that takes longer to make is made in a thread."""
EMPTY = tr("This profile contains no tables.")


class TableGroup(Struct, frozen=True):
    """Tables of one kind: usually one, several if the file has one per block."""

    title: str
    tables: tuple[ListedTable, ...]

    @property
    def label(self) -> str:
        """Its title, and its rows if these are known."""
        rows = [table.rows for table in self.tables if table.rows is not None]
        return f"{self.title}  ({sum(rows):,})" if len(rows) == len(self.tables) else self.title


class Listing(Struct, frozen=True, eq=False):
    """All tables of a profile. ``shown``: the one that is shown first; ``slow``: the ids of those that take so long to
    make that the window would stand still."""

    groups: list[TableGroup]
    shown: Table | None
    slow: frozenset[str]


class TablesPanel(Panel, ShowsTable, HasViewState):
    """The list of tables at the left, the chosen one at the right: the first one until the user chooses one or works
    with it. Which table is first changes while sections arrive."""

    spec = SPECS["tables"]
    empty = tr("Nothing is open. Drop a file on the window, or use Open.")
    patient = True
    compares = True

    def build(self) -> None:
        self._groups: list[TableGroup] = []
        self._slow: frozenset[str] = frozenset()
        self._ready: Table | None = None
        self._listing, self._making = Background(self), Background(self)
        self._wanted = ""
        self._wanted_row: WantedRow | None = None
        self._moved = False
        self.names = QListWidget(self)
        self.names.setObjectName("names")
        self.names.setAccessibleName(tr("Tables of this profile"))
        self.names.setFrameShape(QListWidget.Shape.NoFrame)
        self.names.setMinimumWidth(LIST_WIDTH // 2)
        self.names.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.parts = Chooser(tr("Table of this group"), self, 16)
        self.table = TableWidget(self.context.display, self)
        self.shown = ProfileTable(self.context, self.table, self.spec.id)
        self.table.bar.insert(0, self.parts, 2)
        self._splitter = split_of((self.names, LIST_WIDTH), (self.table, 4 * LIST_WIDTH))
        self._splitter.setStretchFactor(1, 1)
        self._splitter.splitterMoved.connect(self._list_moved)
        self.lay_out((self._splitter, 1), home=self.table, controls=self.table.bar)
        self.names.currentRowChanged.connect(self._choose)
        self.parts.currentIndexChanged.connect(self._choose_part)
        for used in (self.names.currentRowChanged, self.parts.currentIndexChanged, self.table.view.chosen):
            used.connect(self._keep)
        self.table.field.textChanged.connect(self._keep)
        self.context.document.entries_changed.connect(self._entries_changed)
        self.show_look(self.context.display.look)

    def show_table(self, table_id: str, row: int = -1, *, of_baseline: bool = False) -> None:
        """Shows a table by its id and selects a row of it, now or as soon as it has been read."""
        self._wanted, self._wanted_row = table_id, WantedRow(row, of_baseline) if row >= 0 else None
        for place, group in enumerate(self._groups):
            if any(table_id in (table.id, table.id.split("/")[0]) for table in group.tables):
                if self.names.currentRow() == place:
                    self._choose(place)
                self.names.setCurrentRow(place)  # chooses another one
                self._keep()
                return

    def view_state(self) -> ViewState:
        """The id of the table."""
        listed = self._listed(self.parts.currentIndex())
        return {} if listed is None else {"table": listed.id}

    def restore_view(self, saved: ViewState) -> None:
        """Shows a table; ``row``: the number of the row of it that is selected, or a text in it."""
        table_id, row = saved.get("table"), saved.get("row")
        if isinstance(table_id, str) and self.profile is not None:
            table = by_id(self.profile, table_id) if isinstance(row, str | int) else None
            if table is None:
                place = -1
            elif isinstance(row, int):
                place = row if 0 <= row < table.rows else -1
            else:
                place = row_with(table, str(row))
            self.show_table(table_id, place)

    def tabular(self) -> Tabular:
        return self.table

    def _entries_changed(self) -> None:
        """Updates the empty state when reading has finished or another profile is shown."""
        if not self._groups:
            self.refill()

    def clear(self) -> None:
        self._groups, self._ready = [], None
        self._making.cancel()
        self.shown.clear()

    def fill(self, profile: Profile) -> Iterator[object]:
        """Makes all tables in a thread, one at a time, and lists them when all have been made; with a baseline, its
        tables as well."""
        comparison = self.comparison
        profiles = (profile,) if comparison is None else (profile, comparison.before)
        listing = yield from self._listing.waited(partial(_listing_of, profiles, self._wanted))
        self._groups, self._slow, self._ready = listing.groups, listing.slow, listing.shown
        if self._groups:
            self._list()
        else:
            self.say_empty(self.lacks(EMPTY))

    def _list(self) -> None:
        self.names.blockSignals(True)
        self.names.clear()
        for group in self._groups:
            item = QListWidgetItem(group.label)
            name = group.tables[0].id.split("/")[0]
            item.setToolTip(
                tip(tr("{group}: {name} is the name that `export --table` takes", group=group.title, name=name))
            )
            self.names.addItem(item)
        ids = [[table.id for table in group.tables] for group in self._groups]
        row = next((row for row, group in enumerate(ids) if self._wanted in group), 0)
        self.names.setCurrentRow(row)
        self.names.blockSignals(False)
        self._choose(row)
        self._fit_list()

    def _fit_list(self) -> None:
        """Fits the list to its names, unless the user has resized it; the table keeps the larger part."""
        whole, needed = self._splitter.width(), self.names.sizeHintForColumn(0) + LIST_MARGIN
        wide = max(min(needed, int(whole * LIST_SHARE)), LIST_WIDTH // 2)
        if not self._moved and whole > LIST_WIDTH:
            self._splitter.setSizes([wide, whole - wide - self._splitter.handleWidth()])

    def _list_moved(self) -> None:
        self._moved = True

    def _choose(self, row: int) -> None:
        if not 0 <= row < len(self._groups):
            return
        tables = self._groups[row].tables
        ids = [table.id for table in tables]
        self.parts.offer(
            [table.title for table in tables], chosen=ids.index(self._wanted) if self._wanted in ids else 0
        )
        self.parts.setVisible(len(tables) > 1)
        self._choose_part(self.parts.currentIndex())

    def _listed(self, part: int) -> ListedTable | None:
        """That part of the current group."""
        row = self.names.currentRow()
        tables = self._groups[row].tables if 0 <= row < len(self._groups) else ()
        return tables[part] if 0 <= part < len(tables) else None

    def _keep(self) -> None:
        """Keeps the current table when the panel is filled again: the user chose it, or works with it."""
        listed = self._listed(self.parts.currentIndex())
        if listed is not None and listed.id != self._wanted:
            self._wanted, self._wanted_row = listed.id, None

    def _choose_part(self, part: int) -> None:
        listed, profile = self._listed(part), self.profile
        if profile is None or listed is None:
            return
        self._making.cancel()
        ready, self._ready = self._ready, None
        if self.comparison is not None:
            self._show_table(listed.id, None)
        elif ready is not None and ready.id == listed.id:
            self._show_table(listed.id, ready)
        elif listed.id in self._slow:
            show = partial(self._show_made, listed.id)
            self._making.run(Task(lambda *_: by_id(profile, listed.id), show, self._say_failed))
        else:
            self._show_made(listed.id, by_id(profile, listed.id))

    def _show_made(self, table_id: str, table: Table | None) -> None:
        if table is not None:
            self._show_table(table_id, table)

    def _show_table(self, table_id: str, table: Table | None) -> None:
        """Shows a table that was made (with a baseline, it is made later)."""
        wanted = None
        if table_id == self._wanted:
            wanted, self._wanted_row = self._wanted_row, None
        if table is not None and table.note:
            table = replace(table, note=self.lacks(table.note))
        self.shown.show(partial(by_id, table_id=table_id), table=table, choose=wanted)

    def _say_failed(self, error: FormatError) -> None:
        self.say_empty(str(error))


def _listing_of(profiles: Sequence[Profile], wanted: str, token: Token) -> Listing:
    """The tables of all ``profiles``; of those with one id, the first. The one that is ``wanted`` is shown first, else
    the first of all."""
    groups: list[TableGroup] = []
    slow: set[str] = set()
    first: Table | None = None
    for spec in specs(*profiles):
        begin = time.thread_time()
        tables: dict[str, ListedTable] = {}
        for one in profiles:
            if spec.is_slow(one) and wanted != spec.id and first is not None:
                tables.setdefault(spec.id, ListedTable(spec.id, spec.title, None))
                slow.add(spec.id)
                continue
            for table in spec.tables(one):
                token.check()
                if table.id == wanted or first is None:
                    first = table
                tables.setdefault(table.id, ListedTable(table.id, table.title, table.rows))
        token.check()
        if time.thread_time() - begin > SLOW_SECONDS:
            slow |= tables.keys()
        if tables:
            groups.append(TableGroup(spec.title, tuple(tables.values())))
    return Listing(groups, first if len(profiles) == 1 else None, frozenset(slow))
