"""The core load panel."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea

from app.analysis.ascend.cores import TITLES, Metric, advice, instructions_per_cycle, metrics
from app.analysis.table import Table
from app.analysis.tables.ascend_load import core_load as core_table
from app.language import tr
from app.panels.core_load import SPEC
from app.panels.core_load.canvas import CoreCards
from app.panels.core_load.draw import picture_of
from app.panels.panel import NO_ROWS, Panel
from app.profile.arrays import I64
from app.profile.core_load import CoreLoad
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.views.look import Look
from app.widgets.abilities import HasPicture
from app.widgets.chooser import Chooser
from app.widgets.controls import Controls
from app.widgets.labels import Label
from app.widgets.limits import Limits
from app.widgets.table.profile_table import ProfileTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular
from app.widgets.tips import set_tip
from app.widgets.twin import Twin

TABLE = "core_load/table"
NO_FIGURES = tr("The file lists cores, but has no figures for them.")
LOWEST = 96


class CoreLoadPanel(Panel):
    """Choice of the metric and advice above, cards (or the table) below, instructions per cycle if the file has
    them."""

    spec = SPEC
    empty = tr("This file has no core load (block 0x0C).")
    compares = True

    def build(self) -> None:
        display = self.context.display
        self.shown_as = Chooser(tr("Show as"), self)
        set_tip(self.shown_as, tr("Which figure the cards show"))
        self.advice = Label(parent=self)
        self.advice.setProperty("tone", "warning")
        self.advice.setWordWrap(True)
        self.advice.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.advice.setContentsMargins(8, 0, 8, 4)
        self.cards = CoreCards(display, self)
        self.area = QScrollArea(self)
        self.area.setAccessibleName(tr("Cores"))
        self.area.setWidget(self.cards)
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusProxy(self.cards)
        self.twin = Twin(self.context, TABLE, self.area, self._table, self._marked, compares=True)
        self.as_table, self.table = self.twin.box, self.twin.table
        self.per_cycle = TableWidget(display, self)
        self.per_cycle.bar.hide()
        self._rates = ProfileTable(self.context, self.per_cycle, TABLE)
        self.limits = Limits(display, self)
        controls = Controls(self, self.shown_as, self.as_table, (self.table.bar, 3), 1, folds=(self.as_table,))
        self.lay_out(self.limits, self.advice, (self.twin, 1), self.per_cycle, home=self.cards, controls=controls)
        self.shown_as.currentIndexChanged.connect(self._draw)
        self.cards.chosen.connect(self._choose)
        self.cards.pointed.connect(lambda core: self.shared.point("core", core))
        self.show_look(display.look)

    def sizeHint(self) -> QSize:
        return QSize(900, 360)

    def tabular(self) -> Tabular:
        return self.twin

    def picture(self) -> HasPicture:
        return self.cards

    # -- contents -----------------------------------------------------------------------------------------

    @property
    def figure(self) -> Metric:
        metric: Metric = self.shown_as.currentData() or "cycles"
        return metric

    def clear(self) -> None:
        self.cards.set_picture(None)

    def fill(self, profile: Profile) -> None:
        load = profile.core_load
        if load is None or not len(load.core):
            self.clear()
            self.say_empty(self.lacks(self.empty))
            return
        offered, before = metrics(load), self.figure
        self.shown_as.offer([TITLES[metric] for metric in offered], offered, _place(offered, before))
        remarks = advice(load)
        self.advice.setText("\n".join(f"▲ {line}" for line in remarks))
        self.advice.setVisible(bool(remarks))
        if offered:
            self._draw()
        else:
            self.say_empty(self.lacks(NO_FIGURES))

    def _draw(self) -> None:
        profile = self.profile
        load = None if profile is None else profile.core_load
        if profile is None or load is None:
            return
        clock = profile.target.clock_hz if profile.target is not None else None
        look, comparison = self.context.display.look, self.comparison
        if comparison is None:
            self.cards.set_picture(picture_of(load, self.figure, look), clock)
            self.limits.say(())
        else:
            from app.analysis.compare.operators.cores import before_of_cores, not_compared

            target = comparison.before.target
            picture = picture_of(load, self.figure, look, before_of_cores(comparison, self.figure))
            self.cards.set_picture(picture, clock, None if target is None else target.clock_hz)
            self.limits.say((*comparison.limits, *not_compared(comparison)))
        self.twin.renew()
        self._show_rates(load)
        self.follow()

    def _show_rates(self, load: CoreLoad) -> None:
        rates = instructions_per_cycle(load) if self.figure == "simt_instructions" else None
        if rates is not None:
            self._rates.show(_rates_of, table=rates)
            self.per_cycle.bar.hide()
            rows = (rates.rows + 2) * self.per_cycle.view.cell_delegate.row_height
            self.per_cycle.setMaximumHeight(
                max(rows + self.per_cycle.view.horizontalScrollBar().sizeHint().height(), LOWEST)
            )
        self.per_cycle.setVisible(rates is not None)

    def _table(self, profile: Profile) -> Table | None:
        return core_table(profile)

    def _marked(self) -> I64:
        table = None if self.profile is None else self._table(self.profile)
        if table is None or table.keys is None:
            return NO_ROWS
        return np.flatnonzero(np.isin(table.keys, self.shared.items(self.shared.selection, "core"))).astype(np.int64)

    def show_look(self, _: Look) -> None:
        self.refill()

    # -- selection ----------------------------------------------------------------------------------------

    def show_selection(self, selection: Selection | None, reveal: bool) -> None:
        cores = frozenset(self.shared.items(selection, "core").tolist())
        self.cards.mark(cores)
        place = self.cards.place_of(cores)
        if reveal and not place.isNull():
            self.area.ensureVisible(round(place.center().x()), round(place.center().y()), 0, round(place.height() / 2))

    def show_hover(self, hover: Selection | None) -> None:
        self.cards.hover(hover.first if hover is not None and hover.kind == "core" else -1)

    def _choose(self, cores: tuple[int, ...], adding: bool) -> None:
        before = self.shared.selection
        already = before.indices if adding and before is not None and before.kind == "core" else ()
        self.shared.select("core", dict.fromkeys((*already, *cores)))


def _rates_of(profile: Profile) -> Table | None:
    return None if profile.core_load is None else instructions_per_cycle(profile.core_load)


def _place(offered: list[Metric], wanted: Metric) -> int:
    return offered.index(wanted) if wanted in offered else 0
