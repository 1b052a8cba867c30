"""Stall reasons of warps: samples per reason as bars and as a table."""

from __future__ import annotations

import numpy as np

from app.analysis.table import Table
from app.analysis.tables.ascend_load import stall_reasons
from app.language import tr
from app.panels.chart_panel import ChartPanel
from app.panels.panel import NO_ROWS
from app.panels.registry import SPECS
from app.panels.spec import chart_plot
from app.profile.arrays import I64, among
from app.profile.profile import Profile
from app.views.chart.bars import MOST_BARS, BarsPicture
from app.views.stall_reasons import picture_of
from app.widgets.abilities import HasPicture
from app.widgets.chart.canvas import ScrolledBars
from app.widgets.frame import split_of


def has_samples(profile: Profile) -> bool:
    return profile.stall_reasons is not None and len(profile.stall_reasons.count) > 0


class StallReasonsPanel(ChartPanel):
    """Bars at the left, the table at the right; selecting in one marks the other."""

    spec = SPECS["stall_reasons"]
    empty = tr("The stall reason block of the file is empty.")

    def build(self) -> None:
        self._rows: I64 = NO_ROWS
        self.bars: ScrolledBars[BarsPicture] = ScrolledBars(self.context.display, self)
        self.add_table()
        split = split_of((self.bars, 550), (self.table, 450))
        self.lay_out((split, 1), home=self.bars.canvas, controls=self.table.bar)
        self.bars.canvas.chosen.connect(self._chosen_bars)
        self.table.view.chosen.connect(self._chosen_rows)

    def picture(self) -> HasPicture:
        return self.bars.canvas

    def has_data(self, profile: Profile) -> bool:
        return has_samples(profile)

    def clear(self) -> None:
        self.bars.canvas.show_picture(None)
        self.profile_table.clear()

    def fill(self, profile: Profile) -> None:
        assert profile.stall_reasons is not None
        before = None if self.comparison is None else self.comparison.before
        picture, self._rows = picture_of(profile.stall_reasons, before)
        self.bars.canvas.show_picture(picture)
        lacks = before is not None and before.stall_reasons is None
        self.say_limits(tr("The baseline has no stall reasons.") if lacks else "")
        self.profile_table.show(self.table_of)

    def table_of(self, profile: Profile) -> Table | None:
        return stall_reasons(profile)

    def _chosen_bars(self, bars: I64) -> None:
        keys, rows = self.table.view.items.table.keys, self._rows[bars]
        self.table.view.mark(rows if keys is None else np.flatnonzero(among(keys, rows[rows >= 0])))

    def _chosen_rows(self) -> None:
        rows, keys = self.table.selected_rows(), self.table.view.items.table.keys
        rows = rows if keys is None else keys[rows][keys[rows] >= 0]
        self.bars.canvas.mark(np.flatnonzero(among(self._rows[:MOST_BARS], rows)))


def _picture(profile: Profile) -> BarsPicture | None:
    return None if profile.stall_reasons is None else picture_of(profile.stall_reasons)[0]


PLOTS = (chart_plot("stall-reasons", tr("Stall reasons"), has_samples, _picture),)
