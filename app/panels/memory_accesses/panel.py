"""The memory accesses panel."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QCheckBox, QWidget

from app.analysis.links import translate
from app.analysis.subset import subset
from app.analysis.table import Table
from app.analysis.tables.ascend_cache import memory_accesses as accesses_table
from app.document.background import Background, Question
from app.document.document import Update
from app.formats.errors import FormatError
from app.panels.memory_accesses.filters import FilterBar
from app.panels.memory_accesses.raster import Bars
from app.panels.memory_accesses.records import Filter, kinds_of, records, space_name
from app.panels.memory_accesses.scene import AccessScene
from app.profile.arrays import I64
from app.profile.memory_accesses import MemoryAccesses
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.widgets.context import Context
from app.widgets.frame import bar_of, fill, pages_of
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.readout import Readout
from app.widgets.refresh import Refresh
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget
from app.widgets.theme import Theme

SOURCE = "memory_accesses"
EMPTY = "The file has a block of memory accesses, but there are none in it."
FILTERED = "Only the accesses that the filters above let through."
SMALL = 100_000
"""More accesses than this are placed in the background."""
NONE: I64 = np.empty(0, np.int64)


class MemoryAccessesPanel(QWidget):
    """Filters above; bars over record numbers, or the table, below."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._scene: AccessScene | None = None
        self._tabulated: AccessScene | None = None
        self.filters = FilterBar(self)
        self.compact = QCheckBox("Close gaps", self)
        self.compact.setChecked(True)
        self.compact.setToolTip("Draw long stretches of addresses that nothing touches shorter than they are")
        self.as_table = QCheckBox("Table", self)
        self.as_table.setToolTip("The same accesses as a table: to sort, copy and export")
        self.count = Readout(context.display, self)
        self.canvas = PlaneCanvas(context.display, self)
        self.table = TableWidget(context.display, self)
        self._link = LinkedTable(context, self.table, SOURCE)
        self._background = Background(self)
        self._lay_out()
        self._connect()
        self._refresh.request()

    def _lay_out(self) -> None:
        bar = bar_of(self.filters, self.compact, self.as_table, (self.count, 1))
        self.pages = pages_of(self, (self.canvas, self.table))
        self.stack = fill(self, self._context.display, bar, self.pages)
        self.setFocusProxy(self.canvas)

    def _connect(self) -> None:
        document = self._context.document
        self._refresh = Refresh(self, self._show)
        document.updated.connect(self._updated)
        document.selection.changed.connect(self._selected)
        document.hover.changed.connect(self._hovered)
        self.filters.changed.connect(self._draw)
        self.compact.toggled.connect(self._draw)
        self.as_table.toggled.connect(self._turn)
        self.canvas.chosen.connect(self._choose)
        self.canvas.pointed.connect(self._point)
        self.canvas.legend_clicked.connect(self.filters.toggle)

    # -- abilities ----------------------------------------------------------------------------------------

    def shown_table(self) -> Table | None:
        if self.as_table.isChecked():
            return self.table.shown_table()
        profile = self._context.document.profile
        return None if profile is None or self._scene is None else _table(profile, self._scene)

    def shown_rows(self) -> I64 | None:
        return self.table.shown_rows() if self.as_table.isChecked() else None

    def selected_rows(self) -> I64:
        if self.as_table.isChecked():
            return self.table.selected_rows()
        return self.canvas.marks.selected

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        self.canvas.draw_picture(painter, place, theme)

    # -- contents -----------------------------------------------------------------------------------------

    def _updated(self, update: Update) -> None:
        if update.profile is None or update.touches("memory_accesses"):
            self._refresh.request()

    @property
    def _section(self) -> MemoryAccesses | None:
        profile = self._context.document.profile
        return None if profile is None else profile.memory_accesses

    def _show(self) -> None:
        section = self._section
        if section is None or not len(section.record):
            self._scene = None
            self._background.cancel()
            self.canvas.set_scene(None)
            if section is not None:
                self.stack.show_empty(EMPTY)
            return
        self.stack.show_content()
        if self._scene is not None and self._scene.section is not section:
            self._scene = None
            self.canvas.set_scene(None)
        self.filters.offer(section)
        self._draw()

    def _draw(self) -> None:
        section = self._section
        if section is None:
            return
        wanted, compact = self.filters.wanted, self.compact.isChecked()
        if len(section.record) <= SMALL:
            self._background.cancel()
            self._take(scene_of(section, wanted, compact=compact))
            return
        self.count.say(f"placing {len(section.record):,} accesses", muted=True)
        self._background.ask(Question(lambda *_: prepared(section, wanted, compact), self._take, self._fail))

    def _fail(self, error: FormatError) -> None:
        self.stack.show_empty(f"The accesses cannot be placed: {error.text}")

    def _take(self, scene: AccessScene) -> None:
        section = self._section
        if section is None or scene.section is not section:
            return
        self._scene = scene
        self.canvas.set_scene(self._scene)
        shown, total = len(self._scene.bars.records.row), len(section.record)
        self.count.say(f"{shown:,} accesses" if shown == total else f"{shown:,} of {total:,} accesses", muted=True)
        self._turn()
        self._mark(self._context.document.selection.value)

    def _turn(self) -> None:
        """Between the picture and its table, which is made when it is first wanted."""
        profile, tabular = self._context.document.profile, self.as_table.isChecked()
        if tabular and profile is not None and self._scene is not None and self._tabulated is not self._scene:
            self._tabulated = self._scene
            made = _table(profile, self._scene)
            if made is not None:
                self._link.show(made)
        self.compact.setEnabled(not tabular)
        self.pages.setCurrentWidget(self.table if tabular else self.canvas)

    # -- selection ----------------------------------------------------------------------------------------

    def _selected(self, selection: Selection | None) -> None:
        self._mark(selection, reveal=selection is not None and selection.source != SOURCE)

    def _mark(self, selection: Selection | None, *, reveal: bool = False) -> None:
        self.canvas.mark(self._places(selection).tolist(), reveal=reveal)

    def _places(self, selection: Selection | None) -> I64:
        """Places among the records that are shown."""
        profile, scene = self._context.document.profile, self._scene
        if profile is None or scene is None or selection is None:
            return NONE
        rows = translate(profile, selection, "access")
        return np.flatnonzero(np.isin(scene.bars.records.row, rows)).astype(np.int64) if len(rows) else NONE

    def _hovered(self, hover: Selection | None) -> None:
        if hover is None or hover.source != SOURCE:
            places = self._places(hover) if hover is not None and hover.kind == "access" else NONE
            self.canvas.hover(int(places[0]) if len(places) else -1)

    def _choose(self, places: I64, adding: bool) -> None:
        if self._scene is None:
            return
        row, held = int(self._scene.bars.records.row[places[0]]), self._context.document.selection
        before = held.value.indices if adding and held.value is not None and held.value.kind == "access" else ()
        rows = set(before) ^ {row}
        held.set(Selection("access", tuple(sorted(rows)), SOURCE) if rows else None)

    def _point(self, place: int) -> None:
        row = int(self._scene.bars.records.row[place]) if self._scene is not None and place >= 0 else -1
        self._context.document.hover.set(Selection("access", (row,), SOURCE) if row >= 0 else None)


def scene_of(section: MemoryAccesses, wanted: Filter, *, compact: bool) -> AccessScene:
    """What passes a filter, as a picture."""
    made = Bars(records(section, wanted, compact=compact))
    where = "" if wanted.space is None else f" to {space_name(wanted.space)}"
    present = int(np.bitwise_or.reduce(kinds_of(section.operation), initial=0))
    return AccessScene(section, made, wanted, present, compact, f"Memory accesses{where}: address over record number")


def prepared(section: MemoryAccesses, wanted: Filter, compact: bool) -> AccessScene:
    """The same, with everything made that the first frames need."""
    scene = scene_of(section, wanted, compact=compact)
    scene.bars.prepare()
    return scene


def _table(profile: Profile, scene: AccessScene) -> Table | None:
    made = accesses_table(profile)
    rows = scene.bars.records.row
    if made is None or len(rows) == made.rows:
        return made
    return subset(made, rows, FILTERED)
