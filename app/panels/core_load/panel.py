"""The core load panel."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QCheckBox, QFrame, QScrollArea

from app.analysis.ascend.cores import TITLES, Metric, advice, instructions_per_cycle, metrics
from app.analysis.table import Table
from app.analysis.tables.ascend_load import core_load as core_table
from app.language import plural, tr
from app.panels.chart_panel import ChartPanel
from app.panels.core_load.cards import CoreCards, idle_cores, picture_of
from app.panels.panel import NO_ROWS
from app.panels.registry import SPECS
from app.profile.arrays import I64, among
from app.profile.ascend import CoreLoad
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.views.look import Look
from app.widgets.abilities import HasPicture
from app.widgets.controls import Controls
from app.widgets.fields import Chooser
from app.widgets.table.profile_table import ProfileTable
from app.widgets.table.widget import TableWidget
from app.widgets.texts import Label
from app.widgets.tips import set_tip

TABLE = "core_load/table"
NO_FIGURES = tr("The file lists cores, but has no figures for them.")
LOWEST = 96


class CoreLoadPanel(ChartPanel):
    """Choice of the metric and advice above, cards (or the table) below, instructions per cycle if the file has
    them."""

    spec = SPECS["core_load"]
    empty = tr("This file has no core load (block 0x0C).")

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
        self.idle = QCheckBox(self)
        set_tip(self.idle, tr("Show a card for each of these cores"))
        self.idle.toggled.connect(self._draw)
        self.add_twin(self.area, source=TABLE)
        self.per_cycle = TableWidget(display, self)
        self.per_cycle.bar.hide()
        self._rates = ProfileTable(self.context, self.per_cycle, TABLE)
        controls = Controls(self, self.shown_as, self.as_table, (self.table.bar, 3), 1, folds=(self.as_table,))
        self.lay_out(self.advice, (self.twin, 1), self.idle, self.per_cycle, home=self.cards, controls=controls)
        self.shown_as.currentIndexChanged.connect(self._draw)
        self.cards.chosen.connect(self._choose)
        self.cards.pointed.connect(lambda core: self.shared.point("core", core))
        self.show_look(display.look)

    def sizeHint(self) -> QSize:
        return QSize(900, 360)

    def picture(self) -> HasPicture:
        return self.cards

    # -- contents -----------------------------------------------------------------------------------------

    @property
    def figure(self) -> Metric:
        metric: Metric = self.shown_as.currentData() or "cycles"
        return metric

    def has_data(self, profile: Profile) -> bool:
        return profile.core_load is not None and len(profile.core_load.core) > 0

    def clear(self) -> None:
        self.cards.set_picture(None)

    def fill(self, profile: Profile) -> None:
        load = profile.core_load
        assert load is not None
        offered, before = metrics(load), self.figure
        chosen = offered.index(before) if before in offered else 0
        self.shown_as.offer([TITLES[metric] for metric in offered], offered, chosen)
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
        comparison, before, baseline = self.comparison, None, None
        reasons: list[str] = []
        if comparison is not None:
            from app.analysis.compare.operators import before_of_cores, cores_not_compared

            before, baseline = before_of_cores(comparison, self.figure), comparison.before
            reasons = cores_not_compared(comparison)
        without = idle_cores(load, self.figure)
        self.idle.setText(plural("{count:,} core without load", "{count:,} cores without load", count=without))
        self.idle.setVisible(bool(without))
        picture = picture_of(load, self.figure, self.context.display.look, before, idle=self.idle.isChecked())
        self.cards.set_picture(picture, _clock_of(profile), _clock_of(baseline))
        self.say_limits(*reasons)
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

    def table_of(self, profile: Profile) -> Table | None:
        return core_table(profile)

    def marked_rows(self) -> I64:
        table = None if self.profile is None else self.table_of(self.profile)
        if table is None or table.keys is None:
            return NO_ROWS
        return np.flatnonzero(among(table.keys, self.shared.items(self.shared.selection, "core"))).astype(np.int64)

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


def _clock_of(profile: Profile | None) -> float | None:
    return None if profile is None or profile.target is None else profile.target.clock_hz
