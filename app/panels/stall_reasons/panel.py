"""Stall reasons of warps: samples per reason as bars and as a table."""

from __future__ import annotations

import numpy as np

from app.analysis.tables.ascend_load import stall_reasons as reasons_table
from app.language import tr
from app.panels.panel import Panel
from app.panels.stall_reasons import SPEC
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.stall_reasons import StallReasons
from app.widgets.abilities import HasPicture
from app.widgets.chart.bars import MOST_BARS, BarsPicture, NamedBar, bars_picture
from app.widgets.chart.canvas import ScrolledBars
from app.widgets.frame import split_of
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular
from app.widgets.theme import OKABE_ITO
from app.widgets.units import percent, plain

COLOUR = OKABE_ITO[0]


def order_of(stalls: StallReasons) -> I64:
    """Rows by falling count, rows without data last."""
    return np.argsort(-np.nan_to_num(stalls.count, nan=-1.0), kind="stable").astype(np.int64)


def picture_of(stalls: StallReasons) -> BarsPicture:
    """A bar per reason, the most frequent first."""
    total = float(np.nansum(stalls.count))
    bars = []
    for row in order_of(stalls)[:MOST_BARS].tolist():
        count, name = float(stalls.count[row]), stalls.reasons.get(row)
        share = 100 * count / total if total > 0 else float("nan")
        part = percent(share) if share == share else ""
        figure = tr("{count} samples", count=plain(count)) if count == count else tr("no data")
        formula = (
            tr("\n{part} of all {total} samples = 100 · samples / all samples", part=part, total=plain(total))
            if part
            else ""
        )
        bars.append(NamedBar(name, part, count, COLOUR, f"{name}\n{figure}{formula}"))
    title = tr("Samples in which a warp did not issue, by reason")
    return bars_picture(title, "", tuple(bars), count=len(stalls.count))


class StallReasonsPanel(Panel):
    """Bars at the left, the table at the right; selecting in one marks the other."""

    spec = SPEC
    empty = tr("The file has a block of stall reasons, but none in it.")

    def build(self) -> None:
        self._order: I64 = np.empty(0, np.int64)
        self.bars = ScrolledBars(self.context.display, self)
        self.table = TableWidget(self.context.display, self)
        self._link = LinkedTable(self.context, self.table, self.spec.id)
        self.lay_out((split_of((self.bars, 550), (self.table, 450)), 1), home=self.bars.canvas)
        self.bars.canvas.chosen.connect(self._chosen_bar)
        self.table.view.chosen.connect(self._chosen_row)

    def tabular(self) -> Tabular:
        return self.table

    def picture(self) -> HasPicture:
        return self.bars.canvas

    def clear(self) -> None:
        self.bars.canvas.show_picture(None)

    def fill(self, profile: Profile) -> None:
        stalls, table = profile.stall_reasons, reasons_table(profile)
        if stalls is None or table is None:
            self.clear()
            self.say_empty(self.empty)
            return
        self._order = order_of(stalls)
        self.bars.canvas.show_picture(picture_of(stalls))
        self._link.show(table)

    def _chosen_bar(self, places: I64) -> None:
        self.table.view.mark(self._order[places])

    def _chosen_row(self) -> None:
        rows = self.table.selected_rows()
        self.bars.canvas.mark(np.flatnonzero(np.isin(self._order[:MOST_BARS], rows)))
