"""The cache panel."""

from __future__ import annotations

from typing import cast

import numpy as np

from app.analysis.compare.operators import cells_not_compared
from app.analysis.table import Table
from app.analysis.tables.ascend_load import cache_lines, cache_sets
from app.formats.errors import FormatError
from app.language import tr
from app.panels.cache.picture import CacheScene, MapGrid, Maps, maps_of, picture_of
from app.panels.chart_panel import ChartPanel
from app.panels.registry import SPECS
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection
from app.views.cache import CacheMap, Choice, choices
from app.widgets.abilities import HasPicture
from app.widgets.controls import Controls
from app.widgets.fields import ChoiceBox, Chooser

FIRST = "lines/0"
"""The maps that are shown first: shares of hits, as those of misses are the rest."""
MANY = 50_000
"""Maps of more cells than this are compared in the background."""
KINDS: tuple[Kind, ...] = ("cache_hit", "cache_miss", "cache_set")


class CachePanel(ChartPanel):
    """Choosers above; maps of cache lines or sets, or their table, below."""

    spec = SPECS["cache"]
    empty = tr("The cache block of the file contains no lines.")

    def build(self) -> None:
        self._choices: tuple[Choice, ...] = ()
        self._lines = True  # whether lines are shown, not sets
        self._maps: Maps | None = None
        self.maps = Chooser(tr("Maps"), self)
        self.figure = ChoiceBox(self)
        self.figure.setAccessibleName(tr("Figures"))
        self.figure.setToolTip(tr("What the colours show"))
        self.figure.addItem(tr("Share (%)"), "share")
        self.figure.addItem(tr("Events"), "count")
        self.grid = MapGrid(self.context.display, self)
        self.add_twin(self.grid)
        inside = self.maps, self.figure, self.as_table, (self.table.bar, 3), 1
        controls = Controls(self, *inside, folds=(self.figure, self.as_table))
        self.lay_out((self.twin, 1), home=self.grid, controls=controls)
        self.maps.currentIndexChanged.connect(self._draw)
        self.figure.currentIndexChanged.connect(self._draw)
        self.twin.turned.connect(self.figure.setDisabled)
        self.grid.chosen.connect(self._choose)
        self.grid.pointed.connect(self._point)

    def picture(self) -> HasPicture:
        return self.grid

    # -- contents -----------------------------------------------------------------------------------------

    @property
    def choice(self) -> Choice | None:
        place = self.maps.currentIndex()
        return self._choices[place] if 0 <= place < len(self._choices) else None

    def has_data(self, profile: Profile) -> bool:
        return profile.cache is not None and bool(choices(profile.cache))

    def clear(self) -> None:
        self._choices = ()
        self.maps.offer([])
        self._draw()

    def fill(self, profile: Profile) -> None:
        self._choices = () if profile.cache is None else choices(profile.cache)
        wanted = self.maps.currentText()
        titles = [choice.title for choice in self._choices]
        first = next((place for place, choice in enumerate(self._choices) if choice.id == FIRST), 0)
        self.maps.offer(titles, chosen=titles.index(wanted) if wanted in titles else first)
        self._draw()

    def _draw(self) -> None:
        """Draws the chosen maps; those of both sides as soon as they are made."""
        choice, comparison, maps = self.choice, self.comparison, self._maps
        self._lines = choice is None or choice.lines
        self._background.cancel()
        if choice is None:
            self._maps = None
            self._show_maps()
        elif maps is not None and comparison is not None and (maps.comparison, maps.choice) == (comparison, choice.id):
            self._show_maps()
        else:
            sides = () if comparison is None else (comparison.before, comparison.after)
            now = max(map(_cells, sides), default=0) <= MANY
            self.compute(lambda _: maps_of(choice, comparison), self._take, self._fail, now=now)

    def _take(self, maps: Maps) -> None:
        if maps.comparison is self.comparison:
            self._maps = maps
            self._show_maps()

    def _show_maps(self) -> None:
        maps, figure = self._maps, self.figure.currentData()
        self.say_limits(*(() if maps is None or maps.cells is None else cells_not_compared(maps.cells)))
        shown = () if maps is None else maps.maps
        self.grid.show_scenes([CacheScene(one, picture_of(one, figure), self._instructions) for one in shown])
        self.twin.renew()
        self.follow()

    def _fail(self, error: FormatError) -> None:
        self.limits.say((tr("The maps cannot be compared: {error}", error=error),))

    def table_of(self, profile: Profile) -> Table | None:
        return cache_lines(profile) if self._lines else cache_sets(profile)

    def marked_rows(self) -> I64:
        maps = zip(self.grid.scenes, self.grid.canvases, strict=False)
        marked = {cell for scene, canvas in maps for cell in canvas.selected if cell < scene.shown.own_cells}
        return np.array(sorted(marked), np.int64)

    # -- selection ----------------------------------------------------------------------------------------

    def _instructions(self, shown: CacheMap, cell: int) -> int | None:
        if self.profile is None or self.profile.instructions is None:
            return None
        return len(self.shared.items(Selection(shown.kind, (cell,)), "instruction"))

    def show_selection(self, selection: Selection | None, reveal: bool) -> None:
        if selection is None:
            self.grid.mark({})
            return
        wanted = {scene.shown.kind for scene in self.grid.scenes}
        own = selection.kind in KINDS and self.shared.own(selection)
        cells = {
            kind: self.shared.items(selection, kind).tolist() for kind in wanted if not own or kind == selection.kind
        }
        self.grid.mark(cells, reveal=reveal)

    def show_hover(self, hover: Selection | None) -> None:
        self.grid.hover(None if hover is None else hover.kind, -1 if hover is None else hover.first)

    def _choose(self, kind: str, cell: int, adding: bool) -> None:
        if all(cell >= scene.shown.own_cells for scene in self.grid.scenes):
            return  # only the baseline has it
        self.shared.toggle(cast("Kind", kind), cell, adding=adding)

    def _point(self, kind: str, cell: int) -> None:
        cell = -1 if all(cell >= scene.shown.own_cells for scene in self.grid.scenes) else cell
        self.shared.point(cast("Kind", kind), cell)


def _cells(profile: Profile) -> int:
    """How many lines or sets there are."""
    cache = profile.cache
    if cache is None:
        return 0
    return max(0 if cache.lines is None else len(cache.lines.line), 0 if cache.sets is None else len(cache.sets))
