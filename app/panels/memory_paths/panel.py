"""The memory paths panel."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QSplitter, QVBoxLayout, QWidget

from app.analysis.ascend.diagram.figures import BlockFigures, figures_of
from app.analysis.links import translate
from app.analysis.table import Table
from app.analysis.tables.ascend_memory import memory_paths
from app.document.document import Update
from app.panels.memory_paths.blocks import names_of, numbers_of, tables_of
from app.panels.memory_paths.scene import PathsScene
from app.panels.memory_paths.words import SHOWN
from app.profile.arrays import I64
from app.profile.selection import Selection
from app.widgets.chooser import Chooser
from app.widgets.context import Context
from app.widgets.frame import bar_of, fill
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.refresh import Refresh
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular
from app.widgets.theme import Theme

SOURCE, TABLES = "memory_paths", "memory_paths-tables"
BESIDE = 640
"""Pixels a panel must be wide for the tables to stand beside the diagram; in a narrower one they stand below."""
ROOMY = 1000
"""Pixels from which on tables stand there without being asked for: beside them the diagram can still be read."""
EMPTY = "The file has a memory graph, but no block in it."
NONE: I64 = np.empty(0, np.int64)


class MemoryPathsPanel(QWidget, Tabular):
    """Choices above; the diagram of one block, and beside it a table of all blocks."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._tables: list[Table] = []
        self._title = ""  # of the table that a person chose
        self._wanted: bool | None = None  # whether a person wants tables; None while that was not said
        self.block = Chooser("Block", self, 14)
        self.shown = Chooser("Labels", self)
        self.shown.offer(list(SHOWN.values()), list(SHOWN))
        self.all_paths = QCheckBox("Show all", self)
        self.all_paths.setToolTip("Also paths that the file says not to display")
        self.as_table = QCheckBox("Tables", self)
        self.as_table.setToolTip("The memory tables of all blocks beside the diagram, and its own figures as tables")
        self.canvas: PlaneCanvas[PathsScene] = PlaneCanvas(context.display, self)
        self.side = QWidget(self)
        self.chooser = Chooser("Table to show", self.side, 18)
        self.table = TableWidget(context.display, self.side)
        self._link = LinkedTable(context, self.table, TABLES)
        self._lay_out()
        self._connect()
        self._refresh.request()

    def _lay_out(self) -> None:
        bar = bar_of(self.block, self.shown, self.all_paths, self.as_table, 1)
        inside = QVBoxLayout(self.side)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(0)
        inside.addLayout(bar_of((self.chooser, 1)))
        inside.addWidget(self.table, 1)
        self.halves = QSplitter(Qt.Orientation.Horizontal, self)
        self.halves.addWidget(self.canvas)
        self.halves.addWidget(self.side)
        self.halves.setChildrenCollapsible(False)
        self.halves.setSizes([560, 440])
        self.stack = fill(self, self._context.display, bar, self.halves)
        self.setFocusProxy(self.canvas)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        beside = self.width() >= max(BESIDE, self.height())
        self.halves.setOrientation(Qt.Orientation.Horizontal if beside else Qt.Orientation.Vertical)
        self._offer_tables()

    def _connect(self) -> None:
        document = self._context.document
        self._refresh = Refresh(self, self._show)
        document.updated.connect(self._updated)
        document.selection.changed.connect(self._selected)
        document.hover.changed.connect(self._hovered)
        self.block.currentIndexChanged.connect(self._draw)
        self.block.activated.connect(self._choose_block)
        self.shown.currentIndexChanged.connect(self._draw)
        self.all_paths.toggled.connect(self._draw)
        self.as_table.toggled.connect(self._turn)
        self.as_table.clicked.connect(self._want)
        self.chooser.currentIndexChanged.connect(self._fill)
        self.chooser.activated.connect(self._choose_table)
        self.canvas.chosen.connect(self._choose_path)
        self.canvas.pointed.connect(self._point)

    # -- abilities: those of the diagram, where there is one; the table has its own -------------------------

    def shown_table(self) -> Table | None:
        if self.figures is None:
            return self.table.shown_table() if self._tables else None
        profile = self._context.document.profile
        return None if profile is None else memory_paths(profile, self.entry)

    def shown_rows(self) -> I64 | None:
        return self.table.shown_rows() if self.figures is None else None

    def selected_rows(self) -> I64:
        if self.figures is None:
            return self.table.selected_rows()
        table, figures = self.shown_table(), self.figures
        if table is None or table.keys is None or figures is None:
            return NONE
        rows = [figures.shown[path].row for path in self.canvas.selected if path in figures.shown]
        return np.flatnonzero(np.isin(table.keys, rows)).astype(np.int64)

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        self.canvas.draw_picture(painter, place, theme)

    # -- contents -----------------------------------------------------------------------------------------

    @property
    def figures(self) -> BlockFigures | None:
        """What the diagram shows."""
        return None if self.canvas.scene is None else self.canvas.scene.figures

    @property
    def entry(self) -> int:
        """The row of the blocks that is shown; -1 none."""
        return self.block.currentIndex()

    def _updated(self, update: Update) -> None:
        if update.profile is None or update.touches("memory_paths", "memory_tables"):
            self._refresh.request()

    def _show(self) -> None:
        profile = self._context.document.profile
        wanted = self.block.currentText()
        names = names_of(profile)
        self.block.offer(names, chosen=names.index(wanted) if wanted in names else 0)
        pictured = profile is not None and profile.memory_paths is not None
        for widget in (self.shown, self.as_table):
            widget.setVisible(pictured)
        self._offer_tables()
        self._tables = [] if profile is None else tables_of(profile)
        self._offer()
        if names:
            self.stack.show_content()
        else:
            self.stack.show_empty(EMPTY)
        self._selected(self._context.document.selection.value)
        self._draw()

    def _draw(self) -> None:
        profile = self._context.document.profile
        figures: BlockFigures | None = None
        if profile is not None and profile.memory_paths is not None and self.entry >= 0:
            found = profile.memory_paths
            figures = figures_of(found, self.entry, show_all=self.all_paths.isChecked())
            self.all_paths.setVisible(not bool(found.display.all()))
        self.canvas.set_scene(None if figures is None else PathsScene(figures, self.shown.currentData()))
        self._turn()
        self._mark(self._context.document.selection.value)

    def _offer(self) -> None:
        """The tables of another profile, or more of this one; that of the name that a person chose stays chosen."""
        titles = [table.title for table in self._tables]
        self.chooser.offer(titles, chosen=titles.index(self._title) if self._title in titles else 0)
        self._fill()

    def _fill(self) -> None:
        """The table that is chosen."""
        place = self.chooser.currentIndex()
        if 0 <= place < len(self._tables):
            self._link.show(self._tables[place])

    def _choose_table(self) -> None:
        self._title = self.chooser.currentText()

    def _offer_tables(self) -> None:
        """As a person wants it; while nobody said, where there is room."""
        profile = self._context.document.profile
        has_tables = profile is not None and profile.memory_tables is not None
        self.as_table.setChecked(has_tables and self.width() >= ROOMY if self._wanted is None else self._wanted)

    def _want(self, wanted: bool) -> None:
        """A person asked for the tables, or for the diagram alone: so it stays for other files."""
        self._wanted = wanted

    def _turn(self) -> None:
        """With the tables, or the diagram alone; without a diagram the tables alone."""
        pictured = self.figures is not None
        self.canvas.setVisible(pictured)
        self.side.setVisible(len(self._tables) > 0 and (self.as_table.isChecked() or not pictured))

    # -- selection ----------------------------------------------------------------------------------------

    def _selected(self, selection: Selection | None) -> None:
        """Goes to the block that a selection stands for, and marks its paths."""
        profile = self._context.document.profile
        if profile is None or selection is None or selection.source == SOURCE:
            self._mark(selection)
            return
        entries: list[int] = []
        if selection.kind == "block":
            entries = [entry for entry, own in enumerate(numbers_of(profile)) if own == selection.first]
        elif profile.memory_paths is not None:
            rows = translate(profile, selection, "memory_path")
            rows = rows[(rows >= 0) & (rows < len(profile.memory_paths.entry))]
            entries = np.unique(profile.memory_paths.entry[rows]).tolist()
        if entries and self.entry not in entries:
            self.block.setCurrentIndex(entries[0])
        self._mark(selection)

    def _mark(self, selection: Selection | None) -> None:
        self.canvas.mark(self._paths_of(selection))

    def _hovered(self, hover: Selection | None) -> None:
        if hover is None or hover.source != SOURCE:
            paths = self._paths_of(hover) if hover is not None and hover.kind == "memory_path" else []
            self.canvas.hover(paths[0] if paths else -1)

    def _paths_of(self, selection: Selection | None) -> list[int]:
        profile, figures = self._context.document.profile, self.figures
        if profile is None or figures is None or selection is None:
            return []
        rows = set(translate(profile, selection, "memory_path").tolist())
        return [path for path, found in figures.shown.items() if found.row in rows]

    def _choose_path(self, paths: I64, adding: bool) -> None:
        figures, held = self.figures, self._context.document.selection
        if figures is None:
            return
        rows = {figures.shown[known].row for known in self.canvas.selected} if adding else set()
        rows ^= {figures.shown[int(paths[0])].row}
        held.set(Selection("memory_path", tuple(sorted(rows)), SOURCE) if rows else None)

    def _choose_block(self) -> None:
        """A block that a person chose is the selection for other panels too."""
        profile = self._context.document.profile
        if profile is not None and self.entry >= 0:
            number = numbers_of(profile)[self.entry]
            if number >= 0:
                self._context.document.selection.set(Selection("block", (number,), SOURCE))

    def _point(self, path: int) -> None:
        figures = self.figures
        found = figures.shown.get(path) if figures is not None else None
        self._context.document.hover.set(None if found is None else Selection("memory_path", (found.row,), SOURCE))
