"""The roofline panel."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QTabBar, QWidget

from app.analysis.links import translate
from app.analysis.table import Table
from app.analysis.tables.ascend_memory import roofline as roofline_table
from app.document.document import Update
from app.panels.roofline.chart import GROUPS, RoofChart, charts_of
from app.panels.roofline.described import described
from app.panels.roofline.row import ChartsRow
from app.panels.roofline.words import remarks
from app.profile.arrays import I64
from app.profile.selection import Selection
from app.widgets.context import Context
from app.widgets.frame import bar_of, fill, pages_of
from app.widgets.readout import Readout
from app.widgets.refresh import Refresh
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget
from app.widgets.texts import caption, shown_line
from app.widgets.theme import Theme

SOURCE = "roofline"
EMPTY = "No line of this roofline can be drawn: bandwidth, compute or the point is missing or not above 0."
BESIDE = 430
"""Charts of a tab stand side by side where each has this many pixels."""


class RooflinePanel(QWidget):
    """Tabs of charts above; below, the charts of one tab, or the table of all."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._charts: tuple[RoofChart, ...] = ()
        self._hidden: set[int] = set()
        self.groups = _tabs("Kinds of rooflines", self)
        self.titles = _tabs("Rooflines", self)
        self.as_table = QCheckBox("Table", self)
        self.as_table.setToolTip("The same figures as a table: to sort, copy and export")
        self.charts = ChartsRow(context.display, self)
        self.table = TableWidget(context.display, self)
        self._link = LinkedTable(context, self.table, SOURCE)
        self.readout = Readout(context.display, self)
        self._lay_out()
        self._connect()
        self._refresh.request()

    def _lay_out(self) -> None:
        bar = bar_of(self.groups, self.titles, 1, self.as_table)
        self.pages = pages_of(self, (self.charts, self.table))
        self.stack = fill(self, self._context.display, bar, self.pages, self.readout)
        self.setFocusProxy(self.charts)

    def _connect(self) -> None:
        document = self._context.document
        self._refresh = Refresh(self, self._show)
        document.updated.connect(self._updated)
        document.selection.changed.connect(self._selected)
        document.hover.changed.connect(self._hovered)
        self._context.display.changed.connect(self._draw)
        self.groups.currentChanged.connect(self._choose_group)
        self.titles.currentChanged.connect(self._draw)
        self.as_table.toggled.connect(self._turn)
        self.charts.chosen.connect(self._chosen)
        self.charts.pointed.connect(self._pointed)
        self.charts.toggled.connect(self._toggle)

    # -- abilities ----------------------------------------------------------------------------------------

    def shown_table(self) -> Table | None:
        profile = self._context.document.profile
        return self.table.shown_table() or (None if profile is None else roofline_table(profile))

    def shown_rows(self) -> I64 | None:
        return self.table.shown_rows() if self.as_table.isChecked() else None

    def selected_rows(self) -> I64:
        if self.as_table.isChecked():
            return self.table.selected_rows()
        selection = self._context.document.selection.value
        roofs = selection is not None and selection.kind == "roof"
        return np.array(selection.indices if roofs and selection is not None else (), np.int64)

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        self.charts.draw_picture(painter, place, theme)

    # -- contents -----------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._draw()

    def _updated(self, update: Update) -> None:
        if update.profile is None or update.touches("roofline"):
            self._refresh.request()

    def _show(self) -> None:
        profile = self._context.document.profile
        section = None if profile is None else profile.roofline
        self._charts = () if section is None else charts_of(section)
        self._hidden.clear()
        if section is None or profile is None:
            self.charts.show_charts([])
            return
        wanted = self.groups.tabText(self.groups.currentIndex())
        present = [group for group in GROUPS if any(chart.group == group for chart in self._charts)]
        _fill(self.groups, present, wanted)
        self.groups.setVisible(len(present) > 1)
        self.readout.say(remarks(self._charts, section.advice, len(section.titles)), muted=True)
        table = roofline_table(profile)
        if table is not None:
            self._link.show(table)
        if any(chart.roofs for chart in self._charts):
            self.stack.show_content()
        else:
            self.stack.show_empty(EMPTY, "Show the table", self._show_table)
        self._choose_group()

    def _show_table(self) -> None:
        self.as_table.setChecked(True)
        self.stack.show_content()

    def _choose_group(self) -> None:
        group = self.groups.tabText(self.groups.currentIndex())
        wanted = self.titles.tabText(self.titles.currentIndex())
        titles = [chart.title for chart in self._charts if chart.group == group]
        _fill(self.titles, titles, wanted)
        self._draw()

    def _draw(self) -> None:
        """The charts of the tab side by side where there is room, else the chosen one."""
        group = self.groups.tabText(self.groups.currentIndex())
        charts = [chart for chart in self._charts if chart.group == group]
        together = len(charts) * BESIDE <= self.width()
        self.titles.setVisible(len(charts) > 1 and not together)
        if not together:
            place = min(max(self.titles.currentIndex(), 0), max(len(charts) - 1, 0))
            charts = charts[place : place + 1]
        hidden = frozenset(self._hidden)
        self.charts.show_charts([described(chart, hidden) for chart in charts])
        self._selected(self._context.document.selection.value)

    def _turn(self) -> None:
        tabular = self.as_table.isChecked()
        self.pages.setCurrentWidget(self.table if tabular else self.charts)
        self.groups.setEnabled(not tabular)
        self.titles.setEnabled(not tabular)

    # -- selection ----------------------------------------------------------------------------------------

    def _selected(self, selection: Selection | None) -> None:
        self.charts.mark(self._rows_of(selection))

    def _hovered(self, hover: Selection | None) -> None:
        if hover is None or hover.source != SOURCE:
            rows = self._rows_of(hover) if hover is not None and hover.kind == "roof" else []
            self.charts.hover(rows[0] if rows else -1)

    def _rows_of(self, selection: Selection | None) -> list[int]:
        profile = self._context.document.profile
        return [] if profile is None or selection is None else translate(profile, selection, "roof").tolist()

    def _chosen(self, row: int, adding: bool) -> None:
        held = self._context.document.selection
        rows = set(self._rows_of(held.value)) if adding else set()
        rows ^= {row}
        held.set(Selection("roof", tuple(sorted(rows)), SOURCE) if rows else None)

    def _pointed(self, row: int) -> None:
        self._context.document.hover.set(Selection("roof", (row,), SOURCE) if row >= 0 else None)

    def _toggle(self, row: int) -> None:
        self._hidden ^= {row}
        self._draw()


def _tabs(name: str, parent: QWidget) -> QTabBar:
    tabs = QTabBar(parent)
    tabs.setAccessibleName(shown_line(name))
    tabs.setDrawBase(False)
    tabs.setExpanding(False)
    tabs.setUsesScrollButtons(True)
    return tabs


def _fill(tabs: QTabBar, titles: Sequence[str], wanted: str) -> None:
    """These tabs, the one called ``wanted`` in front if it is among them."""
    tabs.blockSignals(True)
    while tabs.count():
        tabs.removeTab(0)
    for title in titles:
        tabs.addTab(caption(title))
    tabs.setCurrentIndex(titles.index(wanted) if wanted in titles else 0 if titles else -1)
    tabs.blockSignals(False)
