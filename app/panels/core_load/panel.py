"""The core load panel."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.analysis.ascend.core_cards import TITLES, Metric, advice, instructions_per_cycle, metrics
from app.analysis.links import translate
from app.analysis.table import Table
from app.analysis.tables.ascend_load import core_load as core_table
from app.document.document import Update
from app.panels.core_load.canvas import CoreCards
from app.panels.core_load.draw import picture_of
from app.profile.arrays import I64
from app.profile.core_load import CoreLoad
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.widgets.choice_box import ChoiceBox
from app.widgets.context import Context
from app.widgets.display import Look
from app.widgets.empty import OrEmpty
from app.widgets.labels import Label
from app.widgets.refresh import Refresh
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular
from app.widgets.texts import shown_line
from app.widgets.theme import Theme

SOURCE = "core_load"
TABLE = "core_load/table"
EMPTY = "This file has no load of cores (block 0x0C)."
NO_FIGURES = "The file names cores, but has no figures for them."
LOWEST = 96


class CoreLoadPanel(QWidget, Tabular):
    """Choice of the figure and advice above, cards (or the table) below, instructions per cycle where there are any."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.shown_as = ChoiceBox(self)
        self.shown_as.setAccessibleName("Show as")
        self.shown_as.setToolTip("Which figure the cards show")
        self.as_table = QCheckBox("Table", self)
        self.as_table.setToolTip("The same figures as a table: to sort, copy and export")
        self.advice = Label(parent=self)
        self.advice.setWordWrap(True)
        self.advice.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.advice.setContentsMargins(8, 0, 8, 4)
        self.cards = CoreCards(context.display, self)
        self.area = QScrollArea(self)
        self.area.setAccessibleName("Cores")
        self.area.setWidget(self.cards)
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusProxy(self.cards)
        self.table = TableWidget(context.display, self)
        self.per_cycle = TableWidget(context.display, self)
        self.per_cycle.line.hide()
        self._link = LinkedTable(context, self.table, TABLE)
        self._build()
        self._connect()
        self._look_changed(context.display.look)
        self._refresh.request()

    def _build(self) -> None:
        bar = QHBoxLayout()
        bar.setContentsMargins(8, 4, 8, 4)
        bar.addWidget(self.shown_as)
        bar.addWidget(self.as_table)
        bar.addStretch(1)
        self.pages = QStackedWidget(self)
        self.pages.addWidget(self.area)
        self.pages.addWidget(self.table)
        content = QWidget(self)
        inside = QVBoxLayout(content)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(0)
        inside.addLayout(bar)
        inside.addWidget(self.advice)
        inside.addWidget(self.pages, 1)
        inside.addWidget(self.per_cycle)
        self.stack = OrEmpty(self._context.display, content, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.stack)
        self.setFocusProxy(self.cards)

    def _connect(self) -> None:
        document = self._context.document
        self._refresh = Refresh(self, self._list)
        document.updated.connect(self._updated)
        document.selection.changed.connect(self._selected)
        document.hover.changed.connect(self._hovered)
        self._context.display.changed.connect(self._look_changed)
        self.shown_as.currentIndexChanged.connect(self._show)
        self.as_table.toggled.connect(self._show)
        self.cards.chosen.connect(self._choose)
        self.cards.pointed.connect(self._point)

    def sizeHint(self) -> QSize:
        return QSize(900, 360)

    # -- abilities ----------------------------------------------------------------------------------------

    def shown_table(self) -> Table | None:
        profile = self._context.document.profile
        return None if profile is None else core_table(profile)

    def shown_rows(self) -> I64 | None:
        return self.table.shown_rows() if self.as_table.isChecked() else None

    def selected_rows(self) -> I64:
        return self.table.selected_rows()

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        self.cards.draw_picture(painter, place, theme)

    # -- contents -----------------------------------------------------------------------------------------

    @property
    def figure(self) -> Metric:
        found: Metric = self.shown_as.currentData() or "cycles"
        return found

    def _updated(self, update: Update) -> None:
        if update.profile is None or update.touches("core_load", "target"):
            self._refresh.request()

    def _list(self) -> None:
        profile = self._context.document.profile
        load = None if profile is None else profile.core_load
        if load is None or not len(load.core):
            self.cards.set_picture(None)
            self.stack.show_empty(EMPTY)
            return
        found, before = metrics(load), self.figure
        self.shown_as.blockSignals(True)
        self.shown_as.clear()
        for metric in found:
            self.shown_as.addItem(shown_line(TITLES[metric]), metric)
        self.shown_as.setCurrentIndex(found.index(before) if before in found else 0)
        self.shown_as.blockSignals(False)
        said = advice(load)
        self.advice.setText("\n".join(f"▲ {line}" for line in said))
        self.advice.setVisible(bool(said))
        if found:
            self.stack.show_content()
            self._show()
        else:
            self.stack.show_empty(NO_FIGURES)

    def _show(self) -> None:
        profile = self._context.document.profile
        load = None if profile is None else profile.core_load
        if profile is None or load is None:
            return
        clock = profile.target.clock_hz if profile.target is not None else None
        self.cards.set_picture(picture_of(load, self.figure, self._context.display.look), clock)
        self._show_tables(profile, load)
        self._selected(self._context.document.selection.value)

    def _show_tables(self, profile: Profile, load: CoreLoad) -> None:
        if self.as_table.isChecked():
            table = core_table(profile)
            assert table is not None
            self._link.show(table)
        self.pages.setCurrentWidget(self.table if self.as_table.isChecked() else self.area)
        rates = instructions_per_cycle(load) if self.figure == "simt_instructions" else None
        if rates is not None:
            self.per_cycle.set_table(rates)
            self.per_cycle.line.hide()
            rows = (rates.rows + 2) * self.per_cycle.view.cell_delegate.row_height
            self.per_cycle.setMaximumHeight(
                max(rows + self.per_cycle.view.horizontalScrollBar().sizeHint().height(), LOWEST)
            )
        self.per_cycle.setVisible(rates is not None)

    def _look_changed(self, look: Look) -> None:
        self.advice.setStyleSheet(f"color: {look.theme.warning}")
        self._refresh.request()

    # -- selection ----------------------------------------------------------------------------------------

    def _cores(self, selection: Selection | None) -> frozenset[int]:
        profile = self._context.document.profile
        if profile is None or selection is None:
            return frozenset()
        return frozenset(translate(profile, selection, "core").tolist())

    def _selected(self, selection: Selection | None) -> None:
        cores = self._cores(selection)
        self.cards.mark(cores)
        place = self.cards.place_of(cores)
        if selection is not None and selection.source != SOURCE and not place.isNull():
            self.area.ensureVisible(round(place.center().x()), round(place.center().y()), 0, round(place.height() / 2))

    def _hovered(self, hover: Selection | None) -> None:
        if hover is None or hover.source != SOURCE:
            self.cards.hover(hover.first if hover is not None and hover.kind == "core" else -1)

    def _choose(self, cores: tuple[int, ...], adding: bool) -> None:
        held = self._context.document.selection
        before = held.value.indices if adding and held.value is not None and held.value.kind == "core" else ()
        held.set(Selection("core", tuple(dict.fromkeys((*before, *cores))), SOURCE))

    def _point(self, core: int) -> None:
        self._context.document.hover.set(Selection("core", (core,), SOURCE) if core >= 0 else None)
