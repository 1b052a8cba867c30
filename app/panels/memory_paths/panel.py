"""The memory paths panel."""

from __future__ import annotations

from functools import partial

import numpy as np
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent

from app.analysis.ascend.diagram.figures import BlockFigures, figures_of
from app.analysis.table import Table
from app.analysis.tables.ascend_memory import memory_paths
from app.language import tr
from app.panels.chart_panel import ChartPanel
from app.panels.memory_paths.diagram import PathsScene
from app.panels.panel import NO_ROWS
from app.panels.registry import SPECS
from app.profile.arrays import I64, among, distinct
from app.profile.ascend import MemoryPaths
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.views.memory_paths import SHOWN, names_of, numbers_of, paths_of_block, table_of, tables_of, titles_of
from app.widgets.abilities import HasPicture
from app.widgets.controls import Controls
from app.widgets.fields import Chooser
from app.widgets.frame import check_of, column_of, split_of
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.table.profile_table import differences_of
from app.widgets.tabular import Tabular

TABLES = "memory_paths-tables"
BESIDE = 640
"""From this width in pixels on, tables are beside the diagram, otherwise below it."""
ROOMY = 1000
"""From this width in pixels on, tables are shown by default, as the diagram remains readable beside them."""


class MemoryPathsPanel(ChartPanel):
    """Choices above; the diagram of one block, and a table of all blocks beside it."""

    spec = SPECS["memory_paths"]
    empty = tr("The memory graph of the file contains no block.")

    def build(self) -> None:
        self._tables: dict[str, Table | None] = {}  # by id; None: made for the comparison only
        self._titles: dict[str, str] = {}
        self._title = ""  # title of the table that the user chose
        self._wanted: bool | None = None  # whether the user wants tables; None before a choice was made
        self.block = Chooser(tr("Block"), self, 14)
        self.shown = Chooser(tr("Labels"), self)
        self.shown.offer(list(SHOWN.values()), list(SHOWN))
        self.all_paths = check_of(tr("Show all"), tr("Include paths that the file marks as hidden"))
        about = tr("Show the memory tables of all blocks next to the diagram, and its figures as tables")
        self.as_table = check_of(tr("Tables"), about)
        self.canvas: PlaneCanvas[PathsScene] = PlaneCanvas(self.context.display, self)
        self.chooser = Chooser(tr("Table to show"), self, 18)
        self.add_table(TABLES)
        self.table.bar.insert(0, self.chooser, 3)
        self.side = column_of((self.table, 1))
        self.halves = split_of((self.canvas, 560), (self.side, 440))
        inside = self.block, self.shown, self.all_paths, self.as_table, (self.table.bar, 3), 1
        controls = Controls(self, *inside, folds=(self.all_paths, self.as_table))
        self.lay_out((self.halves, 1), home=self.canvas, controls=controls)
        self._connect()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        beside = self.width() >= max(BESIDE, self.height())
        self.halves.setOrientation(Qt.Orientation.Horizontal if beside else Qt.Orientation.Vertical)
        self._offer_tables()

    def _connect(self) -> None:
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

    def tabular(self) -> Tabular:
        """The panel itself if there is a diagram, otherwise the table."""
        return self.table if self.figures is None else self

    def shown_table(self) -> Table | None:
        if self.figures is None:
            return self.table.shown_table() if self._tables else None
        profile, comparison = self.profile, self.comparison
        if profile is None or comparison is None:
            return None if profile is None else memory_paths(profile, self.entry)
        from app.analysis.compare.operators import entry_before

        before, after = comparison.baseline.memory_paths, profile.memory_paths
        own = -1 if before is None or after is None else entry_before(before, after, self.entry)
        make = partial(_paths_of_sides, comparison.before, own, self.entry)
        return differences_of(comparison, make, None, False, lambda: None)

    def shown_rows(self) -> I64 | None:
        return self.table.shown_rows() if self.figures is None else None

    def selected_rows(self) -> I64:
        figures = self.figures
        if figures is None:
            return self.table.selected_rows()
        table = self.shown_table()
        if table is None or table.keys is None:
            return NO_ROWS
        rows = [figures.shown[path].row for path in self.canvas.selected if path in figures.shown]
        return np.flatnonzero(among(table.keys, rows)).astype(np.int64)

    def picture(self) -> HasPicture | None:
        return None if self.figures is None else self.canvas

    @property
    def figures(self) -> BlockFigures | None:
        """The figures in the diagram."""
        return None if self.canvas.scene is None else self.canvas.scene.figures

    # -- contents -----------------------------------------------------------------------------------------

    @property
    def entry(self) -> int:
        """Index of the shown block; -1 for none."""
        return self.block.currentIndex()

    def clear(self) -> None:
        self._tables, self._titles = {}, {}
        self.profile_table.clear()
        self.block.offer([])
        self._draw()

    def fill(self, profile: Profile) -> None:
        names, wanted = names_of(profile), self.block.currentText()
        self.block.offer(names, chosen=names.index(wanted) if wanted in names else 0)
        for widget in (self.shown, self.as_table):
            widget.setVisible(profile.memory_paths is not None)
        self._offer_tables()
        self._list_tables(profile)
        self._offer()
        if not names:
            self.say_empty(self.lacks(self.empty))
        self._draw()

    def _draw(self) -> None:
        profile = self.profile
        figures: BlockFigures | None = None
        if profile is not None and profile.memory_paths is not None and self.entry >= 0:
            paths = profile.memory_paths
            figures = self._figures_of(paths)
            self.all_paths.setVisible(not bool(paths.display.all()))
        if figures is None:
            self.say_limits()
        self.canvas.set_scene(None if figures is None else PathsScene(figures, self.shown.currentData()))
        self._turn()
        self._mark(self.shared.selection)

    def _figures_of(self, paths: MemoryPaths) -> BlockFigures:
        """The figures of the chosen block; with a baseline, those of both."""
        comparison, show_all = self.comparison, self.all_paths.isChecked()
        if comparison is None:
            self.say_limits()
            return figures_of(paths, self.entry, show_all=show_all)
        from app.analysis.compare.operators import compared_figures, paths_not_compared

        self.say_limits(*paths_not_compared(comparison.baseline, comparison.after, self.entry))
        return compared_figures(comparison.baseline.memory_paths, paths, self.entry, show_all=show_all)

    def _list_tables(self, profile: Profile) -> None:
        """Makes the tables to choose from; with a baseline only their titles, also of those that only it has."""
        comparison = self.comparison
        if comparison is None:
            self._tables = {table.id: table for table in tables_of(profile)}
            self._titles = {table_id: table.title for table_id, table in self._tables.items() if table is not None}
        else:
            own = titles_of(profile)
            self._titles = own | {key: title for key, title in titles_of(comparison.before).items() if key not in own}
            self._tables = dict.fromkeys(self._titles)

    def _offer(self) -> None:
        """Fills the table chooser; the table that the user chose stays chosen, by its title."""
        titles = [self._titles[table_id] for table_id in self._tables]
        self.chooser.offer(titles, chosen=titles.index(self._title) if self._title in titles else 0)
        self._fill()

    def _fill(self) -> None:
        """Shows the chosen table."""
        place = self.chooser.currentIndex()
        if 0 <= place < len(self._tables):
            table_id, table = list(self._tables.items())[place]
            self.profile_table.show(partial(table_of, table_id=table_id), table=table)

    def _choose_table(self) -> None:
        self._title = self.chooser.currentText()

    def _offer_tables(self) -> None:
        """Shows tables according to the user's choice; before any choice, if there is room."""
        profile = self.profile
        has_tables = profile is not None and profile.memory_tables is not None
        self.as_table.setChecked(has_tables and self.width() >= ROOMY if self._wanted is None else self._wanted)

    def _want(self, wanted: bool) -> None:
        """Remembers whether the user wants tables, for other files too."""
        self._wanted = wanted

    def _turn(self) -> None:
        """Shows the diagram with or without tables; the tables alone if there is no diagram."""
        pictured = self.figures is not None
        self.canvas.setVisible(pictured)
        self.side.setVisible(len(self._tables) > 0 and (self.as_table.isChecked() or not pictured))

    # -- selection ----------------------------------------------------------------------------------------

    def show_selection(self, selection: Selection | None, reveal: bool) -> None:
        """Shows the block that the selection refers to, and marks its paths."""
        entries = self._entries_of(selection) if selection is not None and reveal else []
        if entries and self.entry not in entries:
            self.block.setCurrentIndex(entries[0])
        self._mark(selection)

    def _entries_of(self, selection: Selection) -> list[int]:
        """Indices of the blocks that a selection refers to."""
        profile = self.profile
        if profile is not None and selection.kind == "block":
            return [entry for entry, own in enumerate(numbers_of(profile)) if own == selection.first]
        if profile is None or profile.memory_paths is None:
            return []
        rows = self.shared.items(selection, "memory_path")
        rows = rows[(rows >= 0) & (rows < len(profile.memory_paths.entry))]
        return list(map(int, distinct(profile.memory_paths.entry[rows])))

    def _mark(self, selection: Selection | None) -> None:
        self.canvas.mark(self._paths_of(selection))

    def show_hover(self, hover: Selection | None) -> None:
        paths = self._paths_of(hover) if hover is not None and hover.kind == "memory_path" else []
        self.canvas.hover(paths[0] if paths else -1)

    def _paths_of(self, selection: Selection | None) -> list[int]:
        figures = self.figures
        if figures is None:
            return []
        rows = set(self.shared.items(selection, "memory_path").tolist())
        return [path for path, figure in figures.shown.items() if figure.row in rows]

    def _choose_path(self, paths: I64, adding: bool) -> None:
        figures = self.figures
        if figures is not None:
            marked = {figures.shown[known].row for known in self.canvas.selected} if adding else set()
            self.shared.select("memory_path", sorted(marked ^ {figures.shown[int(paths[0])].row}))

    def _choose_block(self) -> None:
        """Selects the block that the user chose, for all panels."""
        if self.profile is not None and self.entry >= 0:
            number = numbers_of(self.profile)[self.entry]
            if number >= 0:
                self.shared.select("block", (number,))

    def _point(self, path: int) -> None:
        figures = self.figures
        figure = figures.shown.get(path) if figures is not None else None
        self.shared.point("memory_path", -1 if figure is None else figure.row)


def _paths_of_sides(baseline: Profile, before: int, after: int, profile: Profile) -> Table | None:
    """The paths of a block of either side; ``before``, ``after``: its places there."""
    table = paths_of_block(profile, before if profile is baseline else after)
    return None if table is None else replace(table, id=f"memory-paths/{before}-{after}")
