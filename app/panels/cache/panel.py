"""The cache panel."""

from __future__ import annotations

from typing import cast

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QCheckBox, QWidget

from app.analysis.links import translate
from app.analysis.table import Table
from app.analysis.tables.ascend_cache import cache_lines, cache_sets
from app.document.document import Update
from app.panels.cache.grid import MapGrid
from app.panels.cache.maps import CacheMap, Choice, Figure, choices
from app.panels.cache.scene import CacheScene, picture_of
from app.profile.arrays import I64
from app.profile.selection import Kind, Selection
from app.widgets.choice_box import ChoiceBox
from app.widgets.chooser import Chooser
from app.widgets.context import Context
from app.widgets.frame import bar_of, fill, pages_of
from app.widgets.refresh import Refresh
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget
from app.widgets.theme import Theme

SOURCE = "cache"
EMPTY = "The file has a block of cache figures, but no lines in it."
KINDS: tuple[Kind, ...] = ("cache_hit", "cache_miss", "cache_set")


class CachePanel(QWidget):
    """Choices above; maps of cache lines or sets, or their table, below."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._choices: tuple[Choice, ...] = ()
        self.maps = Chooser("Maps", self)
        self.figure = ChoiceBox(self)
        self.figure.setAccessibleName("Figures")
        self.figure.setToolTip("What the colours stand for")
        self.figure.addItem("Share (%)", "share")
        self.figure.addItem("Events", "count")
        self.as_table = QCheckBox("Table", self)
        self.as_table.setToolTip("The same figures as a table: to sort, copy and export")
        self.grid = MapGrid(context.display, self)
        self.table = TableWidget(context.display, self)
        self._link = LinkedTable(context, self.table, SOURCE)
        self._lay_out()
        self._connect()
        self._refresh.request()

    def _lay_out(self) -> None:
        bar = bar_of(self.maps, self.figure, self.as_table, 1)
        self.pages = pages_of(self, (self.grid, self.table))
        self.stack = fill(self, self._context.display, bar, self.pages)
        self.setFocusProxy(self.grid)

    def _connect(self) -> None:
        document = self._context.document
        self._refresh = Refresh(self, self._show)
        document.updated.connect(self._updated)
        document.selection.changed.connect(self._selected)
        document.hover.changed.connect(self._hovered)
        self.maps.currentIndexChanged.connect(self._draw)
        self.figure.currentIndexChanged.connect(self._draw)
        self.as_table.toggled.connect(self._turn)
        self.grid.chosen.connect(self._choose)
        self.grid.pointed.connect(self._point)

    # -- abilities ----------------------------------------------------------------------------------------

    def shown_table(self) -> Table | None:
        return self.table.shown_table() if self.as_table.isChecked() else self._table()

    def shown_rows(self) -> I64 | None:
        return self.table.shown_rows() if self.as_table.isChecked() else None

    def selected_rows(self) -> I64:
        if self.as_table.isChecked():
            return self.table.selected_rows()
        marked = {cell for canvas in self.grid.canvases for cell in canvas.selected}
        return np.array(sorted(marked), np.int64)

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        self.grid.draw_picture(painter, place, theme)

    # -- contents -----------------------------------------------------------------------------------------

    @property
    def choice(self) -> Choice | None:
        place = self.maps.currentIndex()
        return self._choices[place] if 0 <= place < len(self._choices) else None

    def _updated(self, update: Update) -> None:
        if update.profile is None or update.touches("cache", "instructions"):
            self._refresh.request()

    def _show(self) -> None:
        profile = self._context.document.profile
        cache = None if profile is None else profile.cache
        self._choices = () if cache is None else choices(cache)
        wanted = self.maps.currentText()
        titles = [choice.title for choice in self._choices]
        self.maps.offer(titles, chosen=titles.index(wanted) if wanted in titles else 0)
        if self._choices:
            self.stack.show_content()
        elif cache is not None:
            self.stack.show_empty(EMPTY)
        self._draw()

    def _draw(self) -> None:
        choice = self.choice
        made = () if choice is None else choice.make()
        figure: Figure = self.figure.currentData()
        self.grid.show_scenes([CacheScene(one, picture_of(one, figure), self._instructions) for one in made])
        self._turn()
        self._selected(self._context.document.selection.value)

    def _turn(self) -> None:
        table = self._table()
        if self.as_table.isChecked() and table is not None:
            self._link.show(table)
        self.pages.setCurrentWidget(self.table if self.as_table.isChecked() else self.grid)
        self.figure.setEnabled(not self.as_table.isChecked())

    def _table(self) -> Table | None:
        profile, choice = self._context.document.profile, self.choice
        if profile is None or choice is None:
            return None
        return cache_lines(profile) if choice.id.startswith("lines") else cache_sets(profile)

    # -- selection ----------------------------------------------------------------------------------------

    def _instructions(self, shown: CacheMap, cell: int) -> int | None:
        profile = self._context.document.profile
        if profile is None or profile.instructions is None:
            return None
        return len(translate(profile, Selection(shown.kind, (cell,)), "instruction"))

    def _selected(self, selection: Selection | None) -> None:
        profile = self._context.document.profile
        if profile is None or selection is None:
            self.grid.mark({})
            return
        wanted = {scene.shown.kind for scene in self.grid.scenes}
        own = selection.kind in KINDS and selection.source == SOURCE
        cells = {
            kind: translate(profile, selection, kind).tolist() for kind in wanted if not own or kind == selection.kind
        }
        self.grid.mark(cells, reveal=selection.source != SOURCE)

    def _hovered(self, hover: Selection | None) -> None:
        if hover is None or hover.source != SOURCE:
            self.grid.hover(None if hover is None else hover.kind, -1 if hover is None else hover.first)

    def _choose(self, kind: str, cell: int, adding: bool) -> None:
        held, chosen = self._context.document.selection, cast("Kind", kind)
        before = held.value.indices if adding and held.value is not None and held.value.kind == chosen else ()
        cells = set(before) ^ {cell}
        held.set(Selection(chosen, tuple(sorted(cells)), SOURCE) if cells else None)

    def _point(self, kind: str, cell: int) -> None:
        self._context.document.hover.set(Selection(cast("Kind", kind), (cell,), SOURCE) if cell >= 0 else None)
