"""The exchanges panel: a list at the left, a plot per tile of the chosen exchanges at the right."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from app.analysis.poplar.exchanges import Transfers, transfers
from app.analysis.poplar.names import KIND_TITLES
from app.analysis.table import Table, only
from app.analysis.tables.poplar_exchanges import exchanges, per_tile
from app.language import plural, tr
from app.panels.exchanges.picture import TITLES, Figure, Words, offered, picture_of, summary_line
from app.panels.panel import Panel
from app.panels.registry import SPECS
from app.profile.arrays import I64
from app.profile.poplar import EXCHANGE_KINDS
from app.profile.profile import Profile, Section
from app.profile.selection import Kind, Selection, TimeRange
from app.views.look import Look
from app.widgets.abilities import HasPicture
from app.widgets.controls import Controls
from app.widgets.fields import Chooser
from app.widgets.frame import check_of, split_of
from app.widgets.plot.sides_box import SidesBox
from app.widgets.plot.tiles import TilePlot
from app.widgets.refresh import Refresh
from app.widgets.table.profile_table import ProfileTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison

PLOT = "exchanges-plot"
FOLLOWED: tuple[Kind, ...] = ("exchange", "program", "step", "slice")

_ALL: Final[dict[str, str]] = {
    "internal": tr("all internal exchanges"),
    "external": tr("all external exchanges"),
    "host": tr("all host exchanges"),
}


class ExchangesPanel(Panel):
    """The plot follows the selection, made in the list or elsewhere; without one it sums over the whole list."""

    spec = SPECS["exchanges"]
    compares = True
    empty = tr("This profile has no exchanges; a Poplar graph profile (graph.json) has them.")

    def build(self) -> None:
        self.kind = Chooser(tr("Which exchanges to list"), self)
        self.figure = Chooser(tr("Figure to show for each tile"), self)
        about = tr("Count every run of an exchange (in the range, if set), or each exchange once")
        self.all_runs = check_of(tr("All runs"), about)
        self.as_table = check_of(tr("Table"), tr("The figures per tile as a table: to sort, copy and export"))
        self.list = TableWidget(self.context.display, self)
        self.list.view.names = "name"
        self._rows = ProfileTable(self.context, self.list, self.spec.id)
        self.sides = SidesBox(self)
        self.plot = TilePlot(self.context, PLOT, self)
        self._sums, self._sums_before = Sums(), Sums()
        self._later = Refresh(self, self._plot)
        boxes = self.all_runs, self.as_table
        inside = self.kind, (self.list.bar, 3), self.figure, self.sides
        controls = Controls(self, *inside, *boxes, 1, folds=boxes)
        self.lay_out((split_of((self.list, 480), (self.plot, 520)), 1), home=self.list, controls=controls)
        self.kind.currentIndexChanged.connect(self._fill)
        self.figure.currentIndexChanged.connect(self._plot)
        self.sides.currentIndexChanged.connect(self._plot)
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
        self._sums, self._sums_before = Sums(), Sums()
        self._rows.clear()
        self.plot.show_plot(None, "")

    def fill(self, profile: Profile) -> None:
        own = profile.exchanges
        assert own is not None
        if self.comparison is None:
            self._sums_before = Sums()
        there = [kind for kind in EXCHANGE_KINDS if len(own.of(kind) or ())]
        _offer(self.kind, [(tr("All exchanges"), "all"), *((KIND_TITLES[kind], kind) for kind in there)])
        self.kind.setVisible(len(there) > 1)
        _offer(self.figure, [(TITLES[figure], figure) for figure in offered(profile)])
        self.all_runs.setVisible(profile.steps is not None)
        self._fill()

    def _fill(self) -> None:
        """Rebuilds the list and the plot."""
        profile = self.profile
        if profile is None:
            return
        self._rows.show(partial(_list, kind=self.kind.currentData()))
        self._plot()

    def _plot(self) -> None:
        self.context.document.linked.attempt(self._plot_chosen)

    def _plot_chosen(self) -> None:
        profile, look = self.profile, self.context.display.look
        if profile is None or profile.exchanges is None:
            return
        figure: Figure = self.figure.currentData() or "bytes"
        chosen, words = self._chosen(profile, self.context.document.selection.value)
        stretch = self.context.document.ranges.value.time
        sums = self._sums.of(profile, chosen, all_runs=self.all_runs.isChecked(), stretch=stretch)
        if sums is None:
            self.plot.show_plot(None, self.lacks(tr("The file has no figures per tile for exchanges.")))
            return
        before = None if self.comparison is None else self._before(self.comparison, chosen)
        self.sides.setVisible(before is not None)
        picture = picture_of(profile, sums, figure, words, before, difference=self.sides.difference)
        says = summary_line(profile, sums, figure, look, before)
        if before is None and self.comparison is not None:
            says = tr("{says} · the baseline has no such figures for these runs", says=says)
        self.plot.show_plot(picture, says, partial(_per_tile, own=(profile, sums), before=before), tiles=sums.tiles)

    def _before(self, comparison: Comparison, chosen: I64) -> Transfers | None:
        """The sums of the baseline over what belongs to the chosen exchanges. A range has no counterpart there."""
        from app.analysis.compare.comparison import counterparts  # only with a baseline

        all_runs, profile = self.all_runs.isChecked(), comparison.before
        if all_runs and self.context.document.ranges.value.time is not None:
            return None
        whole = np.array_equal(chosen, listed(comparison.after, self.kind.currentData()))
        own = listed(profile, self.kind.currentData()) if whole else counterparts(comparison, "exchanges", chosen)
        return self._sums_before.of(profile, own, all_runs=all_runs, stretch=None)

    def _chosen(self, profile: Profile, selection: Selection | None) -> tuple[I64, Words]:
        """The exchanges to sum over, and their description."""
        runs = ""
        if self.all_runs.isChecked() and profile.steps is not None:
            runs = tr(", all runs") if self.context.document.ranges.value.time is None else tr(", runs in the range")
        if selection is not None and selection.kind in FOLLOWED:
            selected = self.shared.linked(selection, "exchange")
            if len(selected):
                return selected, Words(plural("{count:,} exchange", "{count:,} exchanges", count=len(selected)), runs)
        kind = self.kind.currentData()
        return listed(profile, kind), Words(_ALL.get(kind, tr("all exchanges")), runs)

    def show_selection(self, selection: Selection | None, _reveal: bool) -> None:
        """Updates the plot; a selection of tiles only marks them, as any other may refer to other exchanges."""
        if selection is None or selection.kind != "tile":
            self._plot()

    def recount(self) -> None:
        """Recomputes the figures, as executions of exchanges are counted within the range."""
        if self.all_runs.isChecked():
            self._later.request()


def listed(profile: Profile, kind: object) -> I64:
    """The exchanges of a kind (or of all), numbered across all kinds."""
    own = profile.exchanges
    if own is None:
        return np.empty(0, np.int64)
    for each in EXCHANGE_KINDS:
        if kind == each:
            first = own.first(each)
            return np.arange(first, first + len(own.of(each) or ()), dtype=np.int64)
    return np.arange(len(own), dtype=np.int64)


def _list(profile: Profile, *, kind: object) -> Table | None:
    """The table of the exchanges of a kind."""
    table, rows = exchanges(profile), listed(profile, kind)
    return table if table is None or len(rows) == table.rows else only(table, rows)


def _per_tile(profile: Profile, *, own: tuple[Profile, Transfers], before: Transfers | None) -> Table | None:
    """The table of the sums of the shown profile, which are ``own``, or of the baseline."""
    sums = own[1] if profile is own[0] else before
    return None if sums is None else per_tile(profile, sums)


def _offer(box: Chooser, entries: list[tuple[str, str]]) -> None:
    """Replaces the entries of ``box``; the chosen one stays if it is still offered."""
    values, chosen = [value for _, value in entries], box.currentData()
    box.offer([text for text, _ in entries], values, values.index(chosen) if chosen in values else 0)


MOST_CACHED = 8
"""Number of cached sums; one of a large graph takes a few megabytes."""


class Sums:
    """Caches the last few sums of one profile."""

    def __init__(self) -> None:
        self._of: tuple[Section | None, ...] = ()
        self._cached: dict[tuple[bytes, bool, TimeRange | None], Transfers | None] = {}

    def of(self, profile: Profile, chosen: I64, *, all_runs: bool, stretch: TimeRange | None) -> Transfers | None:
        """The result of ``transfers``, cached."""
        made_of = (profile.exchanges, profile.measured_cycles, profile.steps, profile.timeline)
        if len(made_of) != len(self._of) or any(new is not old for new, old in zip(made_of, self._of, strict=True)):
            self._of = made_of
            self._cached.clear()
        key = (chosen.tobytes(), all_runs, stretch if all_runs else None)
        if key not in self._cached:
            while len(self._cached) >= MOST_CACHED:
                self._cached.pop(next(iter(self._cached)))
            self._cached[key] = transfers(profile, chosen, all_runs=all_runs, stretch=stretch)
        return self._cached[key]
