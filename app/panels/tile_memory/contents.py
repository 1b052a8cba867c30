"""The strip below the tiles: which tiles the figures refer to, and, if opened, what takes their memory."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.analysis.poplar.tile_content import CONTENTS as LISTS
from app.analysis.poplar.tile_content import TileContents
from app.analysis.table import Table
from app.analysis.tables.poplar_tile_content import table_of
from app.document.background import Background, Task
from app.document.document import Document
from app.formats.errors import FormatError
from app.language import tr
from app.profile.arrays import I64, distinct, union
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection
from app.widgets.context import Context
from app.widgets.drawer import Drawer
from app.widgets.shared import Shared
from app.widgets.table.profile_table import ProfileTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabs import Tabs
from app.widgets.texts import Readout

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison

AT_ONCE = 500_000
"""Sums over more numbers of the file than this, which take some 10 ms, are computed in the background."""
FORMER_MS = 200
"""The longest time for which the contents of the tiles before are still shown, so that a click does not flicker."""
LEAST = 150
"""Least height of the figures in pixels."""
EMPTY = Table("", "", ())
COUNTING = tr("Adding up…")


class ContentStrip(Drawer):
    """The strip; its tables are created when they are first seen."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        about = tr("What takes the memory of the selected tiles, or of all tiles if none is selected")
        super().__init__(tr("Contents"), about, parent)
        self._context = context
        self._contents: TileContents | None = None
        self._tiles: I64 = NONE
        self._figures: ContentTables | None = None
        self.readout = Readout(context.display, self)
        self.line.addWidget(self.readout, 1)
        self.opened.connect(self._opened)

    @property
    def figures(self) -> ContentTables:
        """The tables, created on first use."""
        if self._figures is None:
            self._figures = ContentTables(self._context, self)
            self.put(self._figures)
        return self._figures

    def show_profile(self, profile: Profile | None) -> None:
        """Sets the profile, or more of it; ``show_tiles`` follows."""
        if profile is None:
            self._contents, self._tiles = None, NONE
            self._fill()
        elif self._contents is None or self._contents.profile is not profile:
            self._contents = TileContents(profile)

    def show_tiles(self, tiles: I64) -> None:
        """Sets the tiles that the figures refer to."""
        self._tiles = tiles
        self._fill()

    def show_table(self, table_id: str) -> None:
        """Opens the figures at one of their tables."""
        ids = [spec.table for spec in LISTS.values()]
        if table_id in ids:
            self.figures.tabs.setCurrentIndex(ids.index(table_id))
            self.toggle.setChecked(True)

    def _opened(self, wanted: bool) -> None:
        self.figures.setVisible(wanted)
        self._fill()

    def _fill(self) -> None:
        if self.is_open:
            self.figures.show_tiles(self._contents, self._tiles)


class ContentTables(QWidget):
    """A tab for each kind of contents of tiles, and the table of the current one."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(parent)
        self._contents: TileContents | None = None
        self._tiles: I64 = NONE
        self._compared: Comparison | None = None
        self._background = Background(self)
        self._former = QTimer(self, singleShot=True, interval=FORMER_MS)
        self._former.timeout.connect(self._say_counting)
        self.tabs = Tabs(tr("Contents of the tiles"), self, [each.title for each in LISTS.values()])
        self.table = TableWidget(context.display, self)
        self._baselines = context.document.baselines
        self._rows = ProfileTable(context, self.table, CONTENTS, own=True)  # own: all rows are on the selected tiles
        self.setMinimumHeight(LEAST)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        head = QHBoxLayout()
        head.addWidget(self.tabs)
        head.addWidget(self.table.bar, 1)
        whole.addLayout(head)
        whole.addWidget(self.table, 1)
        self.setFocusProxy(self.table)
        self.tabs.currentChanged.connect(self._fill)

    @property
    def kind(self) -> Kind:
        """The kind of items in the current table."""
        return tuple(LISTS)[max(self.tabs.currentIndex(), 0)]

    def show_tiles(self, contents: TileContents | None, tiles: I64) -> None:
        """Shows the contents of tiles; if nothing changed, the table is kept as it is."""
        same = contents is self._contents and self._compared is self._baselines.comparison
        if contents is None or not same or not np.array_equal(tiles, self._tiles):
            self._contents, self._tiles = contents, tiles
            self._fill(former=same)

    def _fill(self, *_: object, former: bool = False) -> None:
        """Shows the table of the current tab; ``former``: what is shown meanwhile are other tiles of this profile."""
        contents, tiles, kind = self._contents, self._tiles, self.kind
        self._background.cancel()
        self._former.stop()
        self._compared = self._baselines.comparison
        if contents is None or not len(tiles):
            self._rows.show_alone(EMPTY, empty=tr("There are no tiles."))
        elif self._compared is not None:  # in the background, too
            make = partial(_contents_of, contents=contents, kind=kind, tiles=tiles)
            self._rows.show(make, empty=LISTS[kind].nothing)
        elif contents.cost(kind, len(tiles)) <= AT_ONCE:
            self._take(table_of(contents, kind, tiles))
        else:
            if former and self.table.view.items.table.selects == kind:
                self._former.start()
            else:
                self._say_counting()
            self._background.run(Task(lambda *_: table_of(contents, kind, tiles), self._take, self._fail))

    def _say_counting(self) -> None:
        self._rows.show_alone(EMPTY, empty=COUNTING)

    def _take(self, table: Table | None) -> None:
        self._former.stop()
        self._rows.show_alone(EMPTY if table is None else table, empty=LISTS[self.kind].nothing)

    def _fail(self, error: FormatError) -> None:
        self._former.stop()
        self._rows.show_alone(EMPTY, empty=tr("The figures cannot be computed: {error}", error=error))


def _contents_of(profile: Profile, *, contents: TileContents, kind: Kind, tiles: I64) -> Table | None:
    """The contents of tiles of either profile, of those that it has."""
    own = contents if profile is contents.profile else TileContents(profile)
    there = tiles[tiles < own.tiles]
    return table_of(own, kind, there) if len(there) else None


CONTENTS = "tile-contents"
"""Source of selections made in the tables below the tiles; these do not change the selected tiles."""
NONE: I64 = np.empty(0, np.int64)


class ChosenTiles:
    """``tiles``: int64, rising: the selected tiles, or the tiles of items selected elsewhere."""

    def __init__(self, document: Document, shared: Shared) -> None:
        self._document = document
        self._shared = shared
        self._count = 0
        self.tiles: I64 = NONE

    def follow(self, selection: Selection | None, count: int) -> I64:
        """Updates ``tiles`` from a selection of any kind, limited to ``count`` tiles. A selection in the tables below
        the tiles does not change them, as its items are on these tiles."""
        self._count = count
        before = self.tiles[self.tiles < count]
        if selection is not None and selection.source == CONTENTS and len(before):
            self.tiles = before
            return before
        tiles = self._shared.linked(selection, "tile")
        self.tiles = distinct(tiles[(tiles >= 0) & (tiles < count)])
        return self.tiles

    def within(self, count: int) -> I64 | None:
        """The tiles of the range; None without one."""
        tile_range = self._document.ranges.value.tiles
        if tile_range is None:
            return None
        tiles = np.array(tile_range.tiles, np.int64)
        return tiles[tiles < count]

    def counted(self, count: int) -> tuple[I64, str]:
        """(tiles that figures refer to, their description): the selected ones, else the range, else all."""
        if len(self.tiles):
            return self.tiles, tr(" selected")
        within = self.within(count)
        return (np.arange(count), "") if within is None else (within, tr(" in the range"))

    def choose(self, tiles: I64, *, adding: bool) -> None:
        """Selects tiles of the profile; others are those of its baseline."""
        tiles = tiles[tiles < self._count]
        if adding:
            tiles = union(self.tiles, tiles)
        if len(tiles):
            self._shared.select("tile", tiles)

    def limit(self, tiles: I64) -> None:
        """Sets the range to these tiles."""
        self._shared.limit_to_tiles(tiles[tiles < self._count])

    def point(self, tile: int) -> None:
        """Publishes the hovered tile; -1 for none."""
        self._shared.point("tile", tile if tile < self._count else -1)
