"""The plot of sync delays at the end of the page."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QWidget

from app.analysis.tile_figures import sync_delay
from app.language import tr
from app.profile.arrays import I64, distinct, union
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.views.axis import TileAxis
from app.views.plot import PlotPicture, plot_picture
from app.widgets.context import Context
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.plot.scene import PlotScene
from app.widgets.tips import set_tip

SOURCE = "summary"
TITLE = tr("Sync delay per tile")


def sync_picture(profile: Profile) -> PlotPicture | None:
    """Cycles from each tile's sync request to its release; None if the file does not have them."""
    values, target = sync_delay(profile), profile.target
    if values is None or target is None or not len(values):
        return None
    axis = TileAxis(len(values), group=target.tiles_per_ipu or 0)
    return plot_picture(TITLE, "cycles", axis, [(TITLE, values)], clock_hz=target.clock_hz)


class SyncPlot(PlaneCanvas[PlotScene]):
    """A click selects a tile in all panels; tiles selected elsewhere are marked."""

    def __init__(self, context: Context, picture: PlotPicture, parent: QWidget) -> None:
        super().__init__(context.display, parent)
        self._context = context
        self.page_scrolls = True
        self.set_scene(PlotScene(picture))
        self.pointed.connect(self._hover_tile)
        self.chosen.connect(self._choose_tiles)
        context.document.selection.changed.connect(self._selected)
        self._selected(context.document.selection.value)

    def _selected(self, selection: Selection | None) -> None:
        tiles = np.empty(0, np.int64)
        if selection is not None and selection.kind == "tile" and self.scene is not None:
            tiles = np.array(selection.indices, np.int64)
            tiles = distinct(tiles[(tiles >= 0) & (tiles < self.scene.size)])
        self.mark(tiles)

    def _hover_tile(self, tile: int, text: str) -> None:
        set_tip(self, text)
        self._context.document.hover.set(Selection("tile", (tile,), SOURCE) if tile >= 0 else None)

    def _choose_tiles(self, chosen: I64, adding: bool) -> None:
        if adding:
            chosen = union(self.marks.selected, chosen)
        self._context.document.selection.set(Selection("tile", tuple(chosen.tolist()), SOURCE))
