"""A picture and its table twin: the same values to look at, or to sort, copy and export."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from weakref import WeakMethod

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QStackedWidget, QWidget

from app.analysis.table import Table
from app.language import tr
from app.profile.arrays import I64, among
from app.profile.profile import Profile
from app.widgets.context import Context
from app.widgets.table.profile_table import Make, ProfileTable, differences_of
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular
from app.widgets.tips import set_tip

SAME = tr("The same figures as a table: to sort, copy and export")


class Twin(QStackedWidget, Tabular):
    """Switches between a picture and its table. ``make`` and ``marked`` are methods of the panel: they return the table
    of a profile, which is created on demand, and the rows selected in the picture. The check box ``box`` switches to
    the table and emits ``turned``. ``compares``: the table shows how it differs from the baseline's (``make`` is called
    with that, too, and in a thread)."""

    turned = Signal(bool)

    def __init__(
        self,
        context: Context,
        source: str,
        picture: QWidget,
        make: Make,
        marked: Callable[[], I64],
        tip: str = SAME,
        *,
        compares: bool = False,
    ) -> None:
        super().__init__()
        self._make, self._marked = WeakMethod(make), WeakMethod(marked)
        self._document = context.document
        self._compares = compares
        self._picture = picture
        self._empty = ""
        self._stale = True
        self.box = QCheckBox(tr("Table"), self)
        set_tip(self.box, tip)
        self.table = TableWidget(context.display, self)
        self._shown = ProfileTable(context, self.table, source)
        for page in (picture, self.table):
            self.addWidget(page)
        self.box.toggled.connect(self._turn)

    @property
    def tabular(self) -> bool:
        """Whether the table is shown."""
        return self.box.isChecked()

    def renew(self, *, empty: str = tr("No rows.")) -> None:
        """Marks the table as stale after the picture changed, and refreshes it if it is shown; ``empty``: why it has no
        rows."""
        self._stale, self._empty = True, empty
        if self.tabular:
            self._show_table()

    def shown_table(self) -> Table | None:
        return self.table.shown_table() if self.tabular else self._made()

    def shown_rows(self) -> I64 | None:
        return self.table.shown_rows() if self.tabular else None

    def rows_text(self) -> str:
        return self.table.rows_text() if self.tabular else ""

    def selected_rows(self) -> I64:
        marked = self._marked()
        if self.tabular or marked is None:
            return self.table.selected_rows()
        return self._in_made(marked())

    def _in_made(self, rows: I64) -> I64:
        """The rows of the table beside the picture for rows of that of the profile: with a baseline, those of the same
        items."""
        if not self._compares or not len(rows) or self._document.baselines.comparison is None:
            return rows
        own, made = self._own_table(), self._made()
        if own is None or made is None:
            return rows
        keys = rows if own.keys is None else own.keys[rows]
        return rows[:0] if made.keys is None else np.flatnonzero(among(made.keys, keys)).astype(np.int64)

    def _turn(self, tabular: bool) -> None:
        if tabular and self._stale:
            self._show_table()
        self.setCurrentWidget(self.table if tabular else self._picture)
        self.turned.emit(tabular)

    def _show_table(self) -> None:
        if self._compares:
            self._shown.show(partial(_make, self._make), empty=self._empty)
        else:
            table = self._own_table()
            if table is None:
                return
            self._shown.show_alone(table, empty=self._empty)
        self._stale = False

    def _own_table(self) -> Table | None:
        profile = self._document.profile
        return None if profile is None else _make(self._make, profile)

    def _made(self) -> Table | None:
        """The table without its widget, to export it beside the picture."""
        comparison = self._document.baselines.comparison if self._compares else None
        if comparison is None:
            return self._own_table()
        return differences_of(comparison, partial(_make, self._make), None, False, lambda: None)


def _make(method: WeakMethod[Make], profile: Profile) -> Table | None:
    make = method()
    return None if make is None else make(profile)
