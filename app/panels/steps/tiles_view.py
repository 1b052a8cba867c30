"""The page of tiles over time, linked to the document."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.analysis.poplar.tile_shares import Sums
from app.analysis.poplar.tile_time import TileTime, tile_time
from app.analysis.table import Table
from app.analysis.tables.poplar_tile_time import tiles
from app.language import tr
from app.panels.steps.tiles_scene import TilesScene
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Ranges, Selection
from app.widgets.abilities import HasPicture
from app.widgets.context import Context
from app.widgets.display import Look
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.plane.scene import draw_whole
from app.widgets.readout import Readout
from app.widgets.tabular import Tabular
from app.widgets.theme import Theme

SOURCE = "steps-tiles"
MOST_MARKED = 5000


class TilesView(QWidget, Tabular, HasPicture):
    """A click selects a tile; the tool tip describes what is under the pointer, the line below explains the colours."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._profile: Profile | None = None
        self.canvas: PlaneCanvas[TilesScene] = PlaneCanvas(context.display, self)
        self.readout = Readout(context.display, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.canvas, 1)
        layout.addWidget(self.readout)
        self.setFocusProxy(self.canvas)
        document = context.document
        document.selection.changed.connect(self._selected)
        document.hover.changed.connect(self._hovered)
        document.ranges.changed.connect(self._ranged)
        self.canvas.chosen.connect(self._choose)
        self.canvas.pointed.connect(self._point)

    def show_profile(self, profile: Profile | None) -> None:
        """Shows a profile; the scene is rebuilt only if its data changed."""
        before, self._profile = self._profile, profile
        if self.canvas.scene is not None and _same(before, profile):
            return
        scene = None if profile is None else scene_of(profile)
        self.canvas.set_scene(scene)
        self.readout.say("" if scene is None else words_of(scene.tile_time))
        self._ranged(self._context.document.ranges.value)
        self._selected(self._context.document.selection.value)

    # -- abilities ----------------------------------------------------------------------------------------

    def shown_table(self) -> Table | None:
        """The same data as a table: a row per tile."""
        stretch = self._context.document.ranges.value.time
        return None if self._profile is None else tiles(self._profile, stretch)

    def shown_rows(self) -> I64 | None:
        return None

    def selected_rows(self) -> I64:
        return self.canvas.marks.selected

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        self.canvas.draw_picture(painter, place, theme)

    # -- the document -------------------------------------------------------------------------------------

    def _ranged(self, ranges: Ranges) -> None:
        scene = self.canvas.scene
        if scene is not None and scene.stretch != ranges.time:
            self.canvas.set_scene(replace(scene, stretch=ranges.time))

    def _selected(self, selection: Selection | None) -> None:
        """Marks selected tiles; a selected step marks none, as it often runs on all of them."""
        marked = selection.indices if selection is not None and selection.kind == "tile" else ()
        if self.canvas.scene is not None:
            self.canvas.mark(marked[:MOST_MARKED], reveal=selection is not None and selection.source != SOURCE)

    def _hovered(self, hover: Selection | None) -> None:
        if hover is None or hover.source != SOURCE:
            self.canvas.hover(hover.first if hover is not None and hover.kind == "tile" else -1)

    def _choose(self, tiles: I64, adding: bool) -> None:
        before = self.canvas.selected if adding else frozenset()
        chosen = before.symmetric_difference(tiles.tolist())
        selection = Selection("tile", tuple(sorted(chosen)), SOURCE) if chosen else None
        self._context.document.selection.set(selection)
        self.canvas.mark(chosen)

    def _point(self, tile: int) -> None:
        self._context.document.hover.set(Selection("tile", (tile,), SOURCE) if tile >= 0 else None)


MADE_OF = ("steps", "measured_cycles", "compute_sets", "exchanges", "target")


def _same(one: Profile | None, other: Profile | None) -> bool:
    return one is not None and other is not None and all(getattr(one, key) is getattr(other, key) for key in MADE_OF)


def scene_of(profile: Profile) -> TilesScene | None:
    """The scene; None if no step has cycles per tile."""
    times = tile_time(profile)
    if times is None or profile.steps is None:
        return None
    target = profile.target
    group = (target.tiles_per_ipu or 0) if target is not None else 0
    return TilesScene(times, profile.steps, Sums(), group, target.clock_hz if target is not None else None)


def words_of(times: TileTime) -> str:
    """Where the cycles of each type come from, after the types missing from the image."""
    missing = [tr("{kind}: not drawn, the file has no cycles of each tile", kind=kind) for kind in times.without]
    return " · ".join([*missing, *(f"{part.type}: {part.words}" for part in times.parts)])


def draw(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    """Draws the whole run on all tiles."""
    scene, look = scene_of(profile), Look(theme=theme)
    if scene is not None:
        draw_whole(painter, place, scene, look)
