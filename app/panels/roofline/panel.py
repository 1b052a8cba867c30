"""The roofline panel."""

from __future__ import annotations

import numpy as np
from PySide6.QtGui import QResizeEvent

from app.analysis.table import Table
from app.analysis.tables.ascend_memory import roofline as roofline_table
from app.language import tr
from app.panels.chart_panel import ChartPanel
from app.panels.registry import SPECS
from app.panels.roofline.charts import ChartsRow
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.views.look import Look
from app.views.roofline import GROUPS, RoofChart, charts_of, described, not_compared, remarks
from app.widgets.abilities import HasPicture
from app.widgets.controls import Controls
from app.widgets.tabs import Tabs
from app.widgets.texts import Readout

EMPTY = tr("No line of this roofline can be drawn: bandwidth, compute or the point is missing or not above 0.")
BESIDE = 430
"""Charts of a tab are side by side if each has at least this many pixels."""


class RooflinePanel(ChartPanel):
    """Tabs of charts above; below, the charts of one tab, or the table of all."""

    spec = SPECS["roofline"]

    def build(self) -> None:
        self._charts: tuple[RoofChart, ...] = ()
        self._hidden: set[int] = set()
        self.groups = Tabs(tr("Kinds of rooflines"), self)
        self.titles = Tabs(tr("Rooflines"), self)
        self.charts = ChartsRow(self.context.display, self)
        self.add_twin(self.charts)
        self.readout = Readout(self.context.display, self)
        inside = self.groups, self.titles, (self.table.bar, 3), 1, self.as_table
        controls = Controls(self, *inside, folds=(self.as_table,))
        self.lay_out((self.twin, 1), self.readout, home=self.charts, controls=controls)
        self.groups.currentChanged.connect(self._choose_group)
        self.titles.currentChanged.connect(self._draw)
        for tabs in (self.groups, self.titles):
            self.twin.turned.connect(tabs.setDisabled)
        self.charts.chosen.connect(self._chosen)
        self.charts.pointed.connect(lambda row: self.shared.point("roof", self._row(row)))
        self.charts.toggled.connect(self._toggle)

    def picture(self) -> HasPicture:
        return self.charts

    # -- contents -----------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._draw()

    def show_look(self, _: Look) -> None:
        self._draw()

    def clear(self) -> None:
        self._charts = ()
        self.charts.show_charts([])

    def fill(self, profile: Profile) -> None:
        section, comparison = profile.roofline, self.comparison
        if section is None:
            self.limits.say(())
            return
        self._charts = charts_of(section, comparison)
        self.say_limits(*(() if comparison is None else not_compared(comparison)))
        self._hidden.clear()
        present = [group for group in GROUPS if any(chart.group == group for chart in self._charts)]
        self.groups.offer(present)
        self.groups.setVisible(len(present) > 1)
        self.readout.say(remarks(self._charts, section.advice, len(section.titles)), muted=True)
        self.twin.renew()
        if all(not chart.roofs and chart.pairs is None for chart in self._charts):
            self.say_empty(self.lacks(EMPTY), tr("Show the table"), self._show_table)
        self._choose_group()

    def _row(self, item: int) -> int:
        """The row of the roofline that an item of a chart stands for; -1 for none."""
        return max((chart.partner(item) for chart in self._charts), default=item)

    def _show_table(self) -> None:
        self.as_table.setChecked(True)
        self.stack.show_content()

    def _choose_group(self) -> None:
        self.titles.offer([chart.title for chart in self._charts if chart.group == self.groups.chosen])
        self._draw()

    def _draw(self) -> None:
        """Draws the charts of the tab side by side if there is room, otherwise only the chosen one."""
        charts = [chart for chart in self._charts if chart.group == self.groups.chosen]
        together = len(charts) * BESIDE <= self.width()
        self.titles.setVisible(len(charts) > 1 and not together)
        if not together:
            place = min(max(self.titles.currentIndex(), 0), max(len(charts) - 1, 0))
            charts = charts[place : place + 1]
        self.charts.show_charts([described(chart, frozenset(self._hidden)) for chart in charts])
        self.follow()

    def table_of(self, profile: Profile) -> Table | None:
        return roofline_table(profile)

    def marked_rows(self) -> I64:
        selection = self.shared.selection
        return np.array(selection.indices if selection is not None and selection.kind == "roof" else (), np.int64)

    # -- selection ----------------------------------------------------------------------------------------

    def show_selection(self, selection: Selection | None, _reveal: bool) -> None:
        self.charts.mark(self.shared.items(selection, "roof").tolist())

    def show_hover(self, hover: Selection | None) -> None:
        self.charts.hover(hover.first if hover is not None and hover.kind == "roof" else -1)

    def _chosen(self, item: int, adding: bool) -> None:
        row = self._row(item)
        if row < 0:
            return
        before = self.shared.items(self.shared.selection, "roof").tolist() if adding else ()
        self.shared.select("roof", sorted({*before} ^ {row}))

    def _toggle(self, row: int) -> None:
        self._hidden ^= {row}
        self._draw()
