"""The on-chip memory panel."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QCheckBox, QWidget

from app.analysis.links import translate
from app.analysis.onchip import scope_names
from app.analysis.table import Table
from app.analysis.tables.onchip import blocks as blocks_table
from app.document.document import Update
from app.panels.onchip.bands import boxes_of
from app.panels.onchip.scene import PlanScene
from app.profile.arrays import I64
from app.profile.selection import Selection
from app.widgets.chooser import Chooser
from app.widgets.context import Context
from app.widgets.frame import bar_of, fill, pages_of
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.refresh import Refresh
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget
from app.widgets.theme import Theme

SOURCE = "onchip"
EMPTY = "This memory plan has no blocks."
NONE: I64 = np.empty(0, np.int64)


class OnchipPanel(QWidget):
    """Which memory, above; its blocks over the steps of the intermediate code, or the table, below."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._scene: PlanScene | None = None
        self.memory = Chooser("Memory", self)
        self.as_table = QCheckBox("Table", self)
        self.as_table.setToolTip("The same blocks as a table: to sort, copy and export")
        self.canvas = PlaneCanvas(context.display, self)
        self.table = TableWidget(context.display, self)
        self._link = LinkedTable(context, self.table, SOURCE)
        self._lay_out()
        self._connect()
        self._refresh.request()

    def _lay_out(self) -> None:
        bar = bar_of(self.memory, self.as_table, 1)
        self.pages = pages_of(self, (self.canvas, self.table))
        self.stack = fill(self, self._context.display, bar, self.pages)
        self.setFocusProxy(self.canvas)

    def _connect(self) -> None:
        document = self._context.document
        self._refresh = Refresh(self, self._show)
        document.updated.connect(self._updated)
        document.selection.changed.connect(self._selected)
        document.hover.changed.connect(self._hovered)
        self.memory.currentIndexChanged.connect(self._draw)
        self.as_table.toggled.connect(self._turn)
        self.canvas.chosen.connect(self._choose)
        self.canvas.pointed.connect(self._point)

    # -- abilities ----------------------------------------------------------------------------------------

    def shown_table(self) -> Table | None:
        profile = self._context.document.profile
        return self.table.shown_table() or (None if profile is None else blocks_table(profile))

    def shown_rows(self) -> I64 | None:
        return self.table.shown_rows() if self.as_table.isChecked() else None

    def selected_rows(self) -> I64:
        if self.as_table.isChecked():
            return self.table.selected_rows()
        if self._scene is None:
            return NONE
        return self._scene.boxes.block[self.canvas.marks.selected]

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        self.canvas.draw_picture(painter, place, theme)

    # -- contents -----------------------------------------------------------------------------------------

    def _updated(self, update: Update) -> None:
        if update.profile is None or update.touches("onchip"):
            self._refresh.request()

    def _show(self) -> None:
        profile = self._context.document.profile
        plan = None if profile is None else profile.onchip
        table = None if profile is None else blocks_table(profile)
        if plan is None or table is None:
            self._scene = None
            self.canvas.set_scene(None)
            if plan is not None:
                self.stack.show_empty(EMPTY)
            return
        self.stack.show_content()
        self._link.show(table)
        names = scope_names(plan)
        titles = [name or f"memory {number}" for number, name in enumerate(names)]
        self.memory.offer(["All memories", *titles], [None, *range(len(names))])
        self.memory.setVisible(len(names) > 1)
        self._draw()

    def _draw(self) -> None:
        profile = self._context.document.profile
        if profile is None or profile.onchip is None:
            return
        plan = profile.onchip
        memory = self.memory.currentData()
        self._scene = PlanScene(plan, boxes_of(plan, memory if isinstance(memory, int) else None))
        self.canvas.set_scene(self._scene)
        self._mark(self._context.document.selection.value)

    def _turn(self) -> None:
        self.pages.setCurrentWidget(self.table if self.as_table.isChecked() else self.canvas)
        self.memory.setEnabled(not self.as_table.isChecked())

    # -- selection ----------------------------------------------------------------------------------------

    def _selected(self, selection: Selection | None) -> None:
        self._mark(selection, reveal=selection is not None and selection.source != SOURCE)

    def _mark(self, selection: Selection | None, *, reveal: bool = False) -> None:
        self.canvas.mark(self._places(selection).tolist(), reveal=reveal)

    def _places(self, selection: Selection | None) -> I64:
        profile = self._context.document.profile
        if profile is None or self._scene is None or selection is None:
            return NONE
        blocks = translate(profile, selection, "onchip_block")
        return np.flatnonzero(np.isin(self._scene.boxes.block, blocks)).astype(np.int64)

    def _hovered(self, hover: Selection | None) -> None:
        if hover is None or hover.source != SOURCE:
            places = self._places(hover) if hover is not None and hover.kind == "onchip_block" else NONE
            self.canvas.hover(int(places[0]) if len(places) else -1)

    def _choose(self, places: I64, adding: bool) -> None:
        if self._scene is None:
            return
        block, held = int(self._scene.boxes.block[places[0]]), self._context.document.selection
        before = held.value.indices if adding and held.value is not None and held.value.kind == "onchip_block" else ()
        blocks = set(before) ^ {block}
        held.set(Selection("onchip_block", tuple(sorted(blocks)), SOURCE) if blocks else None)

    def _point(self, place: int) -> None:
        block = int(self._scene.boxes.block[place]) if self._scene is not None and place >= 0 else -1
        self._context.document.hover.set(Selection("onchip_block", (block,), SOURCE) if block >= 0 else None)
