"""What warps waited for: samples of each reason as bars and as a table."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from app.analysis.table import Table
from app.analysis.tables.ascend_load import stall_reasons as reasons_table
from app.document.document import Update
from app.profile.arrays import I64
from app.profile.stall_reasons import StallReasons
from app.widgets.bars.chart import ScrolledBars
from app.widgets.bars.picture import MOST_BARS, Bar, BarsPicture, bars_picture
from app.widgets.context import Context
from app.widgets.empty import OrEmpty
from app.widgets.refresh import Refresh
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget
from app.widgets.theme import OKABE_ITO, Theme
from app.widgets.units import percent, plain

SOURCE = "stall_reasons"
COLOUR = OKABE_ITO[0]
EMPTY = "The file has a block of stall reasons, but none in it."


def order_of(found: StallReasons) -> I64:
    """Rows by falling count, those without data last."""
    return np.argsort(-np.nan_to_num(found.count, nan=-1.0), kind="stable").astype(np.int64)


def picture_of(found: StallReasons) -> BarsPicture:
    """One bar a reason, the most frequent first."""
    total = float(np.nansum(found.count))
    bars = []
    for row in order_of(found)[:MOST_BARS].tolist():
        count, name = float(found.count[row]), found.reasons.get(row)
        share = 100 * count / total if total > 0 else float("nan")
        part = percent(share) if share == share else ""
        told = f"{plain(count)} samples" if count == count else "no data"
        formula = f"\n{part} of all {plain(total)} samples = 100 · samples / all samples" if part else ""
        bars.append(Bar(name, part, count, COLOUR, f"{name}\n{told}{formula}"))
    title = "Samples in which a warp did not issue, by reason"
    return bars_picture(title, "", tuple(bars), count=len(found.count))


class StallReasonsPanel(QWidget):
    """Bars at the left, the table at the right; what is chosen in one is marked in the other."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._order: I64 = np.empty(0, np.int64)
        self.bars = ScrolledBars(context.display, self)
        self.table = TableWidget(context.display, self)
        self._link = LinkedTable(context, self.table, SOURCE)
        splitter = QSplitter(Qt.Orientation.Horizontal, self)
        splitter.addWidget(self.bars)
        splitter.addWidget(self.table)
        splitter.setChildrenCollapsible(False)
        splitter.setSizes([550, 450])
        self.stack = OrEmpty(context.display, splitter, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.stack)
        self.setFocusProxy(self.bars.chart)
        self._refresh = Refresh(self, self._show)
        context.document.updated.connect(self._updated)
        self.bars.chart.chosen.connect(self._chosen_bar)
        self.table.view.chosen.connect(self._chosen_row)
        self._refresh.request()

    # -- abilities ----------------------------------------------------------------------------------------

    def shown_table(self) -> Table | None:
        return self.table.shown_table()

    def shown_rows(self) -> I64 | None:
        return self.table.shown_rows()

    def selected_rows(self) -> I64:
        return self.table.selected_rows()

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        self.bars.chart.draw_picture(painter, place, theme)

    # -- contents -----------------------------------------------------------------------------------------

    def _updated(self, update: Update) -> None:
        if update.profile is None or update.touches("stall_reasons"):
            self._refresh.request()

    def _show(self) -> None:
        profile = self._context.document.profile
        found = None if profile is None else profile.stall_reasons
        table = None if profile is None else reasons_table(profile)
        if found is None or table is None:
            self.bars.chart.set_picture(None)
            if found is not None:
                self.stack.show_empty(EMPTY)
            return
        self.stack.show_content()
        self._order = order_of(found)
        self.bars.chart.set_picture(picture_of(found))
        self._link.show(table)

    def _chosen_bar(self, place: int) -> None:
        self.table.view.mark(self._order[place : place + 1])

    def _chosen_row(self) -> None:
        rows = self.table.selected_rows()
        places = np.flatnonzero(np.isin(self._order, rows[:1]))
        self.bars.chart.mark(int(places[0]) if len(places) else -1)
