"""Stall reasons of warps: samples per reason as bars and as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.analysis.tables.ascend_load import stall_reasons as reasons_table
from app.language import tr
from app.panels.panel import Panel
from app.panels.stall_reasons import SPEC
from app.profile.arrays import I64
from app.profile.ascend import StallReasons
from app.profile.profile import Profile
from app.views.chart.bars import MOST_BARS
from app.views.stall_reasons.picture import order_of, picture_of
from app.widgets.abilities import HasPicture
from app.widgets.chart.canvas import ScrolledBars
from app.widgets.frame import split_of
from app.widgets.limits import Limits
from app.widgets.table.profile_table import ProfileTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison


class StallReasonsPanel(Panel):
    """Bars at the left, the table at the right; selecting in one marks the other."""

    spec = SPEC
    empty = tr("The stall reason block of the file is empty.")
    compares = True

    def build(self) -> None:
        self._order: I64 = np.empty(0, np.int64)
        self.bars = ScrolledBars(self.context.display, self)
        self.table = TableWidget(self.context.display, self)
        self._shown = ProfileTable(self.context, self.table, self.spec.id)
        self.limits = Limits(self.context.display, self)
        self.lay_out(
            self.limits,
            (split_of((self.bars, 550), (self.table, 450)), 1),
            home=self.bars.canvas,
            controls=self.table.bar,
        )
        self.bars.canvas.chosen.connect(self._chosen_bar)
        self.table.view.chosen.connect(self._chosen_row)

    def tabular(self) -> Tabular:
        return self.table

    def picture(self) -> HasPicture:
        return self.bars.canvas

    def clear(self) -> None:
        self.bars.canvas.show_picture(None)
        self._shown.clear()

    def fill(self, profile: Profile) -> None:
        stalls, table = profile.stall_reasons, reasons_table(profile)
        if stalls is None or table is None:
            self.clear()
            self.say_empty(self.lacks(self.empty))
            return
        comparison = self.comparison
        if comparison is None:
            self._order = order_of(stalls)
            self.bars.canvas.show_picture(picture_of(stalls))
            self.limits.say(())
        else:
            self._compare(comparison, stalls)
        self._shown.show(reasons_table, table=table)

    def _compare(self, comparison: Comparison, stalls: StallReasons) -> None:
        from app.views.stall_reasons.compared import compared_picture, not_compared  # only with a baseline

        picture, self._order = compared_picture(comparison.before.stall_reasons, stalls)
        self.bars.canvas.show_picture(picture)
        self.limits.say((*comparison.limits, *not_compared(comparison.before)))

    def _chosen_bar(self, places: I64) -> None:
        keys, rows = self.table.view.items.table.keys, self._order[places]
        self.table.view.mark(rows if keys is None else np.flatnonzero(np.isin(keys, rows[rows >= 0])))

    def _chosen_row(self) -> None:
        rows, keys = self.table.selected_rows(), self.table.view.items.table.keys
        rows = rows if keys is None else keys[rows][keys[rows] >= 0]
        self.bars.canvas.mark(np.flatnonzero(np.isin(self._order[:MOST_BARS], rows)))
