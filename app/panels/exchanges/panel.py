"""The exchanges panel: a list at the left, a plot per tile of the chosen exchanges at the right."""

from __future__ import annotations

import numpy as np

from app.analysis.table_rows import only
from app.analysis.tables.poplar_exchanges import exchanges, per_tile
from app.language import plural, tr
from app.panels.exchanges import SPEC
from app.panels.exchanges.picture import TITLES, Figure, Words, offered, picture_of, summary_line
from app.panels.exchanges.sums import Sums
from app.panels.panel import Panel
from app.profile.arrays import I64
from app.profile.exchanges import EXCHANGE_KINDS
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection
from app.widgets.abilities import HasPicture
from app.widgets.chooser import Chooser
from app.widgets.display import Look
from app.widgets.frame import bar_of, check_of, split_of
from app.widgets.plot.tiles import TilePlot
from app.widgets.refresh import Refresh
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular

PLOT = "exchanges-plot"
FOLLOWED: tuple[Kind, ...] = ("exchange", "program", "step", "slice")
NAME_WIDTH = 170


class ExchangesPanel(Panel):
    """The plot follows the selection, made in the list or elsewhere; without one it sums over the whole list."""

    spec = SPEC
    empty = tr("This profile has no exchanges; a Poplar graph profile (graph.json) has them.")

    def build(self) -> None:
        self.kind = Chooser(tr("Which exchanges to list"), self)
        self.figure = Chooser(tr("What to show of each tile"), self)
        about = tr("Count each exchange as often as it ran (in the range, where one is set), or once")
        self.all_runs = check_of(tr("All runs"), about)
        self.as_table = check_of(tr("Table"), tr("The figures per tile as a table: to sort, copy and export"))
        self.list = TableWidget(self.context.display, self)
        self._link = LinkedTable(self.context, self.list, self.spec.id)
        self.plot = TilePlot(self.context, PLOT, self)
        self._sums = Sums()
        self._later = Refresh(self, self._plot)
        bar = bar_of(self.kind, self.figure, self.all_runs, self.as_table, 1)
        self.lay_out(bar, (split_of((self.list, 420), (self.plot, 580)), 1), home=self.list)
        self.kind.currentIndexChanged.connect(self._fill)
        self.figure.currentIndexChanged.connect(self._plot)
        self.all_runs.toggled.connect(self._plot)
        self.as_table.toggled.connect(lambda wanted: self.plot.turn(table=wanted))

    def tabular(self) -> Tabular:
        """The list; the plot has its own table per tile."""
        return self.list

    def picture(self) -> HasPicture:
        return self.plot

    def show_look(self, _: Look) -> None:
        self.refill()

    # -- contents -----------------------------------------------------------------------------------------

    def why_empty(self, profile: Profile | None) -> str:
        own = None if profile is None else profile.exchanges
        return "" if own is not None and len(own) else self.empty

    def clear(self) -> None:
        self._sums = Sums()
        self.plot.show_plot(None, lambda: None, "")

    def fill(self, profile: Profile) -> None:
        own = profile.exchanges
        assert own is not None
        there = [kind for kind in EXCHANGE_KINDS if len(own.of(kind) or ())]
        _offer(self.kind, [(tr("All exchanges"), "all"), *((kind.capitalize(), kind) for kind in there)])
        self.kind.setVisible(len(there) > 1)
        _offer(self.figure, [(TITLES[figure], figure) for figure in offered(profile)])
        self.all_runs.setVisible(profile.steps is not None)
        self._fill()

    def _fill(self) -> None:
        """Rebuilds the list and the plot."""
        profile = self.profile
        table = None if profile is None else exchanges(profile)
        if profile is None or table is None:
            return
        rows = self._listed(profile)
        self._link.show(table if len(rows) == table.rows else only(table, rows))
        self.list.view.setColumnWidth(2, NAME_WIDTH)
        self._plot()

    def _plot(self) -> None:
        profile, look = self.profile, self.context.display.look
        if profile is None or profile.exchanges is None:
            return
        figure: Figure = self.figure.currentData() or "bytes"
        chosen, words = self._chosen(profile, self.context.document.selection.value)
        stretch = self.context.document.ranges.value.time
        sums = self._sums.of(profile, chosen, all_runs=self.all_runs.isChecked(), stretch=stretch)
        if sums is None:
            self.plot.show_plot(None, lambda: None, tr("The file has no figures per tile for exchanges."))
            return
        picture = picture_of(profile, sums, figure, words)
        self.plot.show_plot(picture, lambda: per_tile(profile, sums), summary_line(profile, sums, figure, look))

    def _listed(self, profile: Profile) -> I64:
        """The exchanges of the listed kind, numbered across all kinds."""
        own, kind = profile.exchanges, self.kind.currentData()
        if own is None:
            return np.empty(0, np.int64)
        if kind not in EXCHANGE_KINDS:
            return np.arange(len(own), dtype=np.int64)
        first = own.first(kind)
        return np.arange(first, first + len(own.of(kind) or ()), dtype=np.int64)

    def _chosen(self, profile: Profile, selection: Selection | None) -> tuple[I64, Words]:
        """The exchanges to sum over, and their description."""
        runs = ""
        if self.all_runs.isChecked() and profile.steps is not None:
            runs = tr(", all runs") if self.context.document.ranges.value.time is None else tr(", runs in the range")
        if selection is not None and selection.kind in FOLLOWED:
            selected = self.shared.items(selection, "exchange")
            if len(selected):
                return selected, Words(plural("{count:,} exchange", "{count:,} exchanges", count=len(selected)), runs)
        kind = self.kind.currentData()
        return self._listed(profile), Words(
            tr("all {kind} exchanges", kind=kind) if kind in EXCHANGE_KINDS else tr("all exchanges"), runs
        )

    def show_selection(self, selection: Selection | None, _reveal: bool) -> None:
        """Updates the plot; a selection of tiles only marks them, as any other may refer to other exchanges."""
        if selection is None or selection.kind != "tile":
            self._plot()

    def recount(self) -> None:
        """Recomputes the figures, as executions of exchanges are counted within the range."""
        if self.all_runs.isChecked():
            self._later.request()


def _offer(box: Chooser, entries: list[tuple[str, str]]) -> None:
    """Replaces the entries of ``box``; the chosen one stays if it is still offered."""
    values, chosen = [value for _, value in entries], box.currentData()
    box.offer([text for text, _ in entries], values, values.index(chosen) if chosen in values else 0)
