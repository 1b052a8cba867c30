"""A plot of amounts per tile, linked to the document: selection, hover and range are those of all panels."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from app.analysis.table import Table
from app.profile.arrays import I64, distinct, union
from app.profile.profile import Profile
from app.profile.selection import Ranges, Selection, TileRange
from app.views.look import Theme
from app.views.plot import PlotPicture
from app.widgets.abilities import HasPicture
from app.widgets.context import Context
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.plot.scene import PlotScene, plot_scene
from app.widgets.table.profile_table import Make, ProfileTable, differences_of
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular
from app.widgets.texts import Readout

NONE: I64 = np.empty(0, np.int64)


def _nothing(_: Profile) -> Table | None:
    return None


class TilePlot(QWidget, Tabular, HasPicture):
    """Bars, or their table, and below them the hovered value. Has the abilities Tabular and HasPicture."""

    def __init__(self, context: Context, source: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._source = source
        self._says = ""
        self._tiles: int | None = None
        self._make: Make = _nothing
        self.canvas: PlaneCanvas[PlotScene] = PlaneCanvas(context.display, self)
        self.table = TableWidget(context.display, self)
        self._rows = ProfileTable(context, self.table, source)
        self.readout = Readout(context.display, self)
        self.pages = QStackedWidget(self)
        self.pages.addWidget(self.canvas)
        self.pages.addWidget(self.table)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.pages, 1)
        layout.addWidget(self.readout)
        self.setFocusProxy(self.canvas)
        self._connect()

    def _connect(self) -> None:
        document = self._context.document
        document.selection.changed.connect(self._selected)
        document.hover.changed.connect(self._hovered)
        document.ranges.changed.connect(self._ranged)
        self.canvas.pointed.connect(self._point)
        self.canvas.chosen.connect(self._choose)
        self.canvas.range_wanted.connect(self._set_range)

    def show_plot(
        self, picture: PlotPicture | None, says: str, make: Make | None = None, *, tiles: int | None = None
    ) -> None:
        """Shows another picture; ``says`` is shown below while nothing is hovered; ``make`` returns its table for a
        profile, on demand (see ProfileTable); ``tiles``: how many the profile has, if the baseline has others."""
        self._make, self._says, self._tiles = make or _nothing, says, tiles
        self.canvas.set_scene(plot_scene(picture))
        self.turn(table=self.pages.currentWidget() is self.table)
        self._selected(self._context.document.selection.value)
        self._ranged(self._context.document.ranges.value)
        self._say("")

    def turn(self, *, table: bool) -> None:
        """Switches between the bars and their table, which is created on demand."""
        if table:
            self._rows.show(self._make)
        else:
            self._rows.clear()
        self.pages.setCurrentWidget(self.table if table else self.canvas)

    # -- abilities ----------------------------------------------------------------------------------------

    def shown_table(self) -> Table | None:
        if self.pages.currentWidget() is self.table:
            return self.table.shown_table()
        comparison, profile = self._context.document.baselines.comparison, self._context.document.profile
        if comparison is not None:
            return differences_of(comparison, self._make, None, False, lambda: None)
        return None if profile is None else self._make(profile)

    def shown_rows(self) -> I64 | None:
        return self.table.shown_rows() if self.pages.currentWidget() is self.table else None

    def selected_rows(self) -> I64:
        return self.table.selected_rows() if self.pages.currentWidget() is self.table else self.canvas.marks.selected

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        self.canvas.draw_picture(painter, place, theme)

    # -- inside -------------------------------------------------------------------------------------------

    @property
    def _size(self) -> int:
        """The number of tiles of the shown profile; those of a baseline cannot be selected."""
        size = 0 if self.canvas.scene is None else self.canvas.scene.size
        return size if self._tiles is None else min(self._tiles, size)

    def _selected(self, selection: Selection | None) -> None:
        """Marks selected tiles only: other items are not translated, since a panel often plots the very item that is
        selected."""
        tiles = NONE
        if selection is not None and selection.kind == "tile":
            tiles = np.array(selection.indices, np.int64)
            tiles = distinct(tiles[(tiles >= 0) & (tiles < self._size)])
        self.canvas.mark(tiles, reveal=selection is not None and selection.source != self._source)

    def _hovered(self, hover: Selection | None) -> None:
        if hover is None or hover.source != self._source:
            self.canvas.hover(hover.first if hover is not None and hover.kind == "tile" else -1)

    def _ranged(self, ranges: Ranges) -> None:
        tiles = None if ranges.tiles is None else np.array(ranges.tiles.tiles, np.int64)
        self.canvas.set_range(None if tiles is None else tiles[tiles < self._size])

    def _choose(self, chosen: I64, adding: bool) -> None:
        chosen = chosen[chosen < self._size]
        if adding:
            chosen = union(self.canvas.marks.selected, chosen)
        if len(chosen):
            self._context.document.selection.set(Selection("tile", tuple(chosen.tolist()), self._source))

    def _set_range(self, first: int, last: int) -> None:
        ranges = self._context.document.ranges
        ranges.set(Ranges(ranges.value.time, TileRange(tuple(range(first, min(last + 1, self._size))))))

    def _point(self, tile: int, text: str) -> None:
        self._say(text)
        self._context.document.hover.set(Selection("tile", (tile,), self._source) if 0 <= tile < self._size else None)

    def _say(self, text: str) -> None:
        self.readout.say(text or self._says, muted=not text)
