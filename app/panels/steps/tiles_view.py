"""The page of tiles over time, linked to the document."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from app.analysis.poplar.tile_time import Sums, TileTime, tile_time
from app.analysis.table import Table
from app.analysis.tables.poplar_steps import tiles
from app.language import labelled, tr
from app.panels.steps.tiles_scene import TilesScene
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Ranges, Selection
from app.views.look import Look, Theme
from app.views.names_apart import side_names
from app.views.steps.difference_frames import baseline_range, table_of
from app.views.texts import shown_line
from app.widgets.abilities import HasPicture
from app.widgets.context import Context
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.plane.scene import draw_whole
from app.widgets.table.profile_table import differences_of
from app.widgets.tabular import Tabular
from app.widgets.texts import Readout

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison

SOURCE = "steps-tiles"


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
        self.halves = QSplitter(Qt.Orientation.Vertical, self)
        self.halves.addWidget(self.canvas)
        self.below: PlaneCanvas[TilesScene] | None = None
        self._comparison: Comparison | None = None
        layout.addWidget(self.halves, 1)
        layout.addWidget(self.readout)
        self.setFocusProxy(self.canvas)
        document = context.document
        document.selection.changed.connect(self._selected)
        document.hover.changed.connect(self._hovered)
        document.ranges.changed.connect(self._ranged)
        self.canvas.chosen.connect(self._choose)
        self.canvas.pointed.connect(self._point)

    def show_profile(self, profile: Profile | None, comparison: Comparison | None = None) -> None:
        """Shows a profile, and the baseline below it; the scenes are rebuilt only if their data changed."""
        before, self._profile = self._profile, profile
        former, self._comparison = self._comparison, comparison
        if self.canvas.scene is not None and _same(before, profile) and comparison is former:
            return
        scene = None if profile is None else scene_of(profile)
        other = None if comparison is None or scene is None else scene_of(comparison.before)
        if scene is not None and other is not None and comparison is not None:
            longest = max(scene.length, other.length)
            name = shown_line(side_names(comparison.after, comparison.before)[1])
            title = tr("Baseline: {name}", name=name)
            other = replace(other, least=longest, title=title)
            scene = replace(scene, least=longest)
        self.canvas.set_scene(scene)
        self._show_below(other)
        self.readout.say("" if scene is None else words_of(scene.tile_time))
        self._ranged(self._context.document.ranges.value)
        self._selected(self._context.document.selection.value)

    def drop_baseline(self) -> None:
        """Ends the comparison; the next ``show_profile`` shows the profile alone."""
        if self._comparison is not None:
            self._comparison = None
            self.canvas.set_scene(None)
            self._show_below(None)

    def _show_below(self, scene: TilesScene | None) -> None:
        """Shows the scene of the baseline; None: none."""
        if scene is None and self.below is None:
            return
        if self.below is None:
            below: PlaneCanvas[TilesScene] = PlaneCanvas(self._context.display, self)
            self.below = below
            self.halves.addWidget(below)
            self.halves.setChildrenCollapsible(False)
            self.canvas.viewed.connect(lambda: below.share_view(self.canvas))
            below.viewed.connect(lambda: self.canvas.share_view(below))
            below.chosen.connect(self._choose)
            below.pointed.connect(self._point)
        self.below.set_scene(scene)
        self.below.setVisible(scene is not None)
        if scene is not None:
            self.below.share_view(self.canvas)

    # -- abilities ----------------------------------------------------------------------------------------

    def shown_table(self) -> Table | None:
        """The same data as a table: a row per tile; with a baseline, how it differs."""
        stretch, comparison = self._context.document.ranges.value.time, self._comparison
        if comparison is not None:
            return differences_of(comparison, partial(table_of, tiles, comparison, stretch), None, False, lambda: None)
        return None if self._profile is None else tiles(self._profile, stretch)

    def shown_rows(self) -> I64 | None:
        return None

    def selected_rows(self) -> I64:
        return self.canvas.marks.selected

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        below = self.below
        if below is None or below.scene is None:
            self.canvas.draw_picture(painter, place, theme)
            return
        half = QRectF(place.left(), place.top(), place.width(), place.height() / 2)
        self.canvas.draw_picture(painter, half, theme)
        below.draw_picture(painter, half.translated(0, half.height()), theme)

    # -- the document -------------------------------------------------------------------------------------

    def _ranged(self, ranges: Ranges) -> None:
        scene = self.canvas.scene
        if scene is not None and scene.stretch != ranges.time:
            self.canvas.set_scene(replace(scene, stretch=ranges.time))
        below, comparison = self.below, self._comparison
        if below is not None and below.scene is not None and comparison is not None:
            own = baseline_range(comparison, ranges.time)
            if below.scene.stretch != own:
                below.set_scene(replace(below.scene, stretch=own))

    def _selected(self, selection: Selection | None) -> None:
        """Marks selected tiles; a selected step marks none, as it often runs on all of them."""
        marked = selection.indices if selection is not None and selection.kind == "tile" else ()
        if self.canvas.scene is not None:
            self.canvas.mark(marked, reveal=selection is not None and selection.source != SOURCE)
        if self.below is not None and self.below.scene is not None:
            self.below.mark(marked)

    def _hovered(self, hover: Selection | None) -> None:
        if hover is None or hover.source != SOURCE:
            item = hover.first if hover is not None and hover.kind == "tile" else -1
            self.canvas.hover(item)
            if self.below is not None:
                self.below.hover(item)

    def _choose(self, tiles: I64, adding: bool) -> None:
        before = self.canvas.selected if adding else frozenset()
        chosen = before.symmetric_difference(tiles.tolist())
        selection = Selection("tile", tuple(sorted(chosen)), SOURCE) if chosen else None
        self._context.document.selection.set(selection)
        self.canvas.mark(chosen)
        if self.below is not None and self.below.scene is not None:
            self.below.mark(chosen)

    def _point(self, tile: int) -> None:
        self._context.document.hover.set(Selection("tile", (tile,), SOURCE) if tile >= 0 else None)
        if self.below is not None:
            self.canvas.hover(tile)
            self.below.hover(tile)


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
    missing = [tr("{kind}: not drawn, the file has no cycles per tile", kind=kind) for kind in times.without]
    return " · ".join([*missing, *(labelled(part.type, part.words) for part in times.parts)])


def draw(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    """Draws the whole run on all tiles."""
    scene, look = scene_of(profile), Look(theme=theme)
    if scene is not None:
        draw_whole(painter, place, scene, look)
