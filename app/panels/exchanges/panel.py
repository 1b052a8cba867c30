"""The panel of exchanges: the list at the left, what the chosen ones do on each tile at the right."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QCheckBox, QComboBox, QSplitter, QWidget

from app.analysis.links import translate
from app.analysis.table import Table
from app.analysis.table_rows import only
from app.analysis.tables.poplar_exchanges import exchanges, per_tile
from app.document.document import Update
from app.panels.exchanges.picture import TITLES, Figure, Words, offered, picture_of, said
from app.panels.exchanges.sums import Sums
from app.profile.arrays import I64
from app.profile.exchanges import EXCHANGE_KINDS
from app.profile.profile import Profile
from app.profile.selection import Kind, Ranges, Selection
from app.widgets.choice_box import ChoiceBox
from app.widgets.context import Context
from app.widgets.frame import bar_of, fill
from app.widgets.plot.tiles import TilePlot
from app.widgets.refresh import Refresh
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular
from app.widgets.texts import shown_line
from app.widgets.theme import Theme

SOURCE, PLOT = "exchanges", "exchanges-plot"
SECTIONS = ("exchanges", "programs", "steps", "measured_cycles", "target")
EMPTY = "This profile has no exchanges; a Poplar graph profile (graph.json) has them."
FOLLOWED: tuple[Kind, ...] = ("exchange", "program", "step", "slice")
NAME_WIDTH = 170


class ExchangesPanel(QWidget, Tabular):
    """The plot follows what is selected, in the list or elsewhere; without a selection it adds up the whole list."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.kind = ChoiceBox(self)
        self.kind.setAccessibleName("Which exchanges to list")
        self.figure = ChoiceBox(self)
        self.figure.setAccessibleName("What to show of each tile")
        self.all_runs = QCheckBox("All runs", self)
        self.all_runs.setToolTip("Count each exchange as often as it ran (in the range, where one is set), or once")
        self.as_table = QCheckBox("Table", self)
        self.as_table.setToolTip("The figures per tile as a table: to sort, copy and export")
        self.list = TableWidget(context.display, self)
        self._link = LinkedTable(context, self.list, SOURCE)
        self.plot = TilePlot(context, PLOT, self)
        self._sums = Sums()
        self._build()
        self._connect()
        self._refresh.request()

    def _build(self) -> None:
        for box in (self.kind, self.figure):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        bar = bar_of(self.kind, self.figure, self.all_runs, self.as_table, 1)
        self.splitter = QSplitter(Qt.Orientation.Horizontal, self)
        self.splitter.addWidget(self.list)
        self.splitter.addWidget(self.plot)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setSizes([420, 580])
        self.stack = fill(self, self._context.display, bar, self.splitter)
        self.setFocusProxy(self.list)

    def _connect(self) -> None:
        document = self._context.document
        self._refresh = Refresh(self, self._show)
        self._later = Refresh(self, self._plot)
        document.updated.connect(self._updated)
        document.selection.changed.connect(self._selected)
        document.ranges.changed.connect(self._ranged)
        self._context.display.changed.connect(self._refresh.request)
        self.kind.currentIndexChanged.connect(self._fill)
        self.figure.currentIndexChanged.connect(self._plot)
        self.all_runs.toggled.connect(self._plot)
        self.as_table.toggled.connect(lambda wanted: self.plot.turn(table=wanted))

    # -- abilities: those of the list; the table per tile is the plot's own ---------------------------------

    def shown_table(self) -> Table | None:
        return self.list.shown_table()

    def shown_rows(self) -> I64 | None:
        return self.list.shown_rows()

    def selected_rows(self) -> I64:
        return self.list.selected_rows()

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        self.plot.draw_picture(painter, place, theme)

    # -- contents -----------------------------------------------------------------------------------------

    def _updated(self, update: Update) -> None:
        if update.profile is None or update.touches(*SECTIONS):
            self._refresh.request()

    def _show(self) -> None:
        profile = self._context.document.profile
        if profile is None or profile.exchanges is None or not len(profile.exchanges):
            self._sums = Sums()
            self.plot.show_plot(None, lambda: None, "")
            self.stack.show_empty(EMPTY)
            return
        self.stack.show_content()
        own = profile.exchanges
        there = [kind for kind in EXCHANGE_KINDS if len(own.of(kind) or ())]
        _refill(self.kind, [("All exchanges", "all"), *((kind.capitalize(), kind) for kind in there)])
        self.kind.setVisible(len(there) > 1)
        _refill(self.figure, [(TITLES[figure], figure) for figure in offered(profile)])
        self.all_runs.setVisible(profile.steps is not None)
        self._fill()

    def _fill(self) -> None:
        """Makes the list anew, and the plot with it."""
        profile = self._context.document.profile
        table = None if profile is None else exchanges(profile)
        if profile is None or table is None:
            return
        rows = self._listed(profile)
        self._link.show(table if len(rows) == table.rows else only(table, rows))
        self.list.view.setColumnWidth(2, NAME_WIDTH)
        self._plot()

    def _plot(self) -> None:
        profile, look = self._context.document.profile, self._context.display.look
        if profile is None or profile.exchanges is None:
            return
        figure: Figure = self.figure.currentData() or "bytes"
        chosen, words = self._chosen(profile, self._context.document.selection.value)
        stretch = self._context.document.ranges.value.time
        found = self._sums.of(profile, chosen, all_runs=self.all_runs.isChecked(), stretch=stretch)
        if found is None:
            self.plot.show_plot(None, lambda: None, "The file has no figures per tile for exchanges.")
            return
        picture = picture_of(profile, found, figure, words)
        self.plot.show_plot(picture, lambda: per_tile(profile, found), said(profile, found, figure, look))

    def _listed(self, profile: Profile) -> I64:
        """The exchanges of the kind that is listed, counted in one row."""
        own, kind = profile.exchanges, self.kind.currentData()
        if own is None:
            return np.empty(0, np.int64)
        if kind not in EXCHANGE_KINDS:
            return np.arange(len(own), dtype=np.int64)
        first = own.first(kind)
        return np.arange(first, first + len(own.of(kind) or ()), dtype=np.int64)

    def _chosen(self, profile: Profile, selection: Selection | None) -> tuple[I64, Words]:
        """The exchanges that are added up, and in words which they are."""
        runs = ""
        if self.all_runs.isChecked() and profile.steps is not None:
            runs = ", all runs" if self._context.document.ranges.value.time is None else ", runs in the range"
        if selection is not None and selection.kind in FOLLOWED:
            found = translate(profile, selection, "exchange")
            if len(found):
                return found, Words("1 exchange" if len(found) == 1 else f"{len(found):,} exchanges", runs)
        kind = self.kind.currentData()
        return self._listed(profile), Words(
            f"all {kind} exchanges" if kind in EXCHANGE_KINDS else "all exchanges", runs
        )

    def _selected(self, selection: Selection | None) -> None:
        """Tiles only mark; anything else may be about other exchanges."""
        if self.stack.is_empty or (selection is not None and selection.kind == "tile"):
            return
        self._plot()

    def _ranged(self, _: Ranges) -> None:
        """How often exchanges ran is counted in the range."""
        if not self.stack.is_empty and self.all_runs.isChecked():
            self._later.request()


def _refill(box: QComboBox, entries: list[tuple[str, str]]) -> None:
    """Other entries; what was chosen stays where it is still there."""
    before = box.currentData()
    box.blockSignals(True)
    box.clear()
    for text, data in entries:
        box.addItem(shown_line(text), data)
    ids = [data for _, data in entries]
    box.setCurrentIndex(ids.index(before) if before in ids else 0)
    box.blockSignals(False)
