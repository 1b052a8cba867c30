"""The operator panel."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QFrame, QScrollArea, QSplitter, QVBoxLayout, QWidget

from app.analysis.ascend import durations
from app.analysis.ascend.base_info import in_waves
from app.analysis.ascend.waves import NotChecked, waves
from app.analysis.links import translate
from app.analysis.table import Table, Unit
from app.analysis.tables.ascend_operator import block_details
from app.document.document import Update
from app.panels.operator.page import page
from app.panels.operator.picture import picture_of
from app.profile.arrays import I64
from app.profile.operator import Operator
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.widgets.context import Context
from app.widgets.empty import OrEmpty
from app.widgets.plot.canvas import PlotCanvas
from app.widgets.readout import Readout
from app.widgets.refresh import Refresh
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular
from app.widgets.theme import Theme
from app.widgets.units import format_value, three_digits

SOURCE = "operator"
CHART = "operator/chart"
EMPTY = "This file has no base information (block 0x05)."
NO_BLOCKS = "The file says nothing about single blocks."
UNEVEN = 1.05
"""A block that takes longer than the mean by this factor is worth a word."""
NOTHING: I64 = np.empty(0, np.int64)


class OperatorPanel(QSplitter, Tabular):
    """Facts at the left; durations as bars and as a table at the right, each marking what is chosen in the other."""

    def __init__(self, context: Context) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._context = context
        self._keys = NOTHING
        self.facts = QScrollArea(self)
        self.facts.setAccessibleName("Properties")
        self.facts.setWidgetResizable(True)
        self.facts.setFrameShape(QFrame.Shape.NoFrame)
        self.facts.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.facts.setAccessibleName("Base information")
        self.sheet = OrEmpty(context.display, QWidget(), self.facts)
        self.facts.setWidget(self.sheet)
        self.canvas = PlotCanvas(context.display, self)
        self.readout = Readout(context.display, self)
        self.table = TableWidget(context.display, self)
        self._link = LinkedTable(context, self.table, SOURCE)
        self._build()
        self._connect()
        self._refresh.request()

    def _build(self) -> None:
        self.chart = QWidget(self)
        upper = QVBoxLayout(self.chart)
        upper.setContentsMargins(0, 0, 0, 0)
        upper.setSpacing(0)
        upper.addWidget(self.canvas, 1)
        upper.addWidget(self.readout)
        self.blocks = QSplitter(Qt.Orientation.Vertical, self)
        self.blocks.addWidget(self.chart)
        self.blocks.addWidget(self.table)
        self.blocks.setChildrenCollapsible(False)
        self.blocks.setSizes([600, 400])
        self.right = OrEmpty(self._context.display, self.blocks, self)
        self.addWidget(self.facts)
        self.addWidget(self.right)
        self.setChildrenCollapsible(False)
        self.setStretchFactor(1, 1)
        self.setSizes([280, 720])
        self.setFocusProxy(self.canvas)

    def _connect(self) -> None:
        document = self._context.document
        self._refresh = Refresh(self, self._show)
        document.updated.connect(self._updated)
        document.selection.changed.connect(self._selected)
        document.hover.changed.connect(self._hovered)
        self._context.display.changed.connect(self._refresh.request)
        self.canvas.chosen.connect(self._choose)
        self.canvas.pointed.connect(self._point)

    def sizeHint(self) -> QSize:
        return QSize(900, 360)

    # -- abilities ----------------------------------------------------------------------------------------

    def shown_table(self) -> Table | None:
        profile = self._context.document.profile
        return None if profile is None else block_details(profile)

    def shown_rows(self) -> I64 | None:
        return self.table.shown_rows()

    def selected_rows(self) -> I64:
        return self.table.selected_rows()

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        self.canvas.draw_picture(painter, place, theme)

    # -- contents -----------------------------------------------------------------------------------------

    def _updated(self, update: Update) -> None:
        if update.profile is None or update.touches("operator"):
            self._refresh.request()

    def _show(self) -> None:
        profile = self._context.document.profile
        base = None if profile is None else profile.operator
        if profile is None or base is None:
            self.sheet.show_empty(EMPTY)
            self.right.hide()
            return
        self.sheet.replace(page(base, self._context.display))
        self.sheet.show_content()
        self.right.show()
        self._show_blocks(profile, base)
        self._selected(self._context.document.selection.value)

    def _show_blocks(self, profile: Profile, base: Operator) -> None:
        picture, table = picture_of(base), block_details(profile)
        if table is None:
            self._keys = NOTHING
            self.canvas.set_picture(None)
            self.right.show_empty(NO_BLOCKS)
            return
        self.right.show_content()
        self._keys = table.keys if table.keys is not None else NOTHING
        self.canvas.set_picture(picture)
        self.chart.setVisible(picture is not None)
        self._link.show(table)
        self._say("")

    def _say(self, pointed: str) -> None:
        """The block under the pointer, else how evenly the blocks are."""
        profile = self._context.document.profile
        base = None if profile is None else profile.operator
        if pointed or base is None:
            self.readout.say(pointed)
            return
        unit: Unit = "" if durations.doubtful(base) else "µs"
        names, parts = durations.block_names(base), []
        for spread in durations.spreads(base):
            over = spread.longest / spread.mean if spread.mean > 0 else 1.0
            worse = f", {three_digits(over)} × the mean" if over >= UNEVEN else ""
            worse += f" (mean {format_value(spread.mean, unit)}, median {format_value(spread.median, unit)})"
            named = "" if spread.name == "Duration" else f"{spread.name}: "
            parts.append(f"{named}{format_value(spread.longest, unit)} in block {names[spread.block]}{worse}")
        found = waves(base)
        told = "" if isinstance(found, NotChecked) else in_waves(found)
        count = f"{len(names):,} block{'' if len(names) == 1 else 's'}{told}"
        self.readout.say(f"{count}, the longest " + " · ".join(parts) if parts else "")

    # -- selection ----------------------------------------------------------------------------------------

    def _places(self, selection: Selection | None) -> I64:
        """Bars that stand for ``selection``."""
        profile = self._context.document.profile
        if profile is None or selection is None:
            return NOTHING
        return np.flatnonzero(np.isin(self._keys, translate(profile, selection, "block"))).astype(np.int64)

    def _selected(self, selection: Selection | None) -> None:
        places = self._places(selection)
        self.canvas.mark(places, reveal=selection is not None and selection.source != CHART)

    def _hovered(self, hover: Selection | None) -> None:
        if hover is None or hover.source != CHART:
            places = self._places(hover if hover is not None and hover.kind == "block" else None)
            self.canvas.hover(int(places[0]) if len(places) else -1)

    def _choose(self, first: int, last: int, adding: bool) -> None:
        chosen = np.arange(first, min(last + 1, len(self._keys)))
        if adding:
            chosen = np.union1d(self.canvas.marks.selected, chosen)
        numbers = tuple(key for key in self._keys[chosen].tolist() if key >= 0)
        if numbers:
            self._context.document.selection.set(Selection("block", numbers, CHART))
        else:  # blocks without a number cannot be selected elsewhere
            self.table.view.mark(chosen)
            self.canvas.mark(chosen)

    def _point(self, place: int, text: str) -> None:
        self._say(text)
        key = int(self._keys[place]) if 0 <= place < len(self._keys) else -1
        self._context.document.hover.set(Selection("block", (key,), CHART) if key >= 0 else None)
