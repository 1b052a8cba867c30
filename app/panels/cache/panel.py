"""The cache panel."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

import numpy as np

from app.analysis.table import Table
from app.analysis.tables.ascend_load import cache_lines, cache_sets
from app.document.background import Background, Task
from app.formats.errors import FormatError
from app.language import tr
from app.panels.cache import SPEC
from app.panels.cache.grid import MapGrid
from app.panels.cache.scene import CacheScene, picture_of
from app.panels.panel import Panel
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection
from app.views.cache.maps import CacheMap, Choice, Figure, choices
from app.widgets.abilities import HasPicture
from app.widgets.choice_box import ChoiceBox
from app.widgets.chooser import Chooser
from app.widgets.controls import Controls
from app.widgets.limits import Limits
from app.widgets.tabular import Tabular
from app.widgets.twin import Twin

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison
    from app.panels.cache.compared import ComparedMaps

MANY = 50_000
"""Maps of more cells than this are compared in the background."""
KINDS: tuple[Kind, ...] = ("cache_hit", "cache_miss", "cache_set")


class CachePanel(Panel):
    """Choosers above; maps of cache lines or sets, or their table, below."""

    spec = SPEC
    empty = tr("The cache block of the file contains no lines.")
    compares = True

    def build(self) -> None:
        self._choices: tuple[Choice, ...] = ()
        self._lines = True  # whether lines are shown, not sets
        self._both: ComparedMaps | None = None
        self._background = Background(self)
        self.maps = Chooser(tr("Maps"), self)
        self.figure = ChoiceBox(self)
        self.figure.setAccessibleName(tr("Figures"))
        self.figure.setToolTip(tr("What the colours show"))
        self.figure.addItem(tr("Share (%)"), "share")
        self.figure.addItem(tr("Events"), "count")
        self.grid = MapGrid(self.context.display, self)
        self.twin = Twin(self.context, self.spec.id, self.grid, self._table, self._marked, compares=True)
        self.as_table, self.table = self.twin.box, self.twin.table
        self.limits = Limits(self.context.display, self)
        inside = self.maps, self.figure, self.as_table, (self.table.bar, 3), 1
        controls = Controls(self, *inside, folds=(self.figure, self.as_table))
        self.lay_out(self.limits, (self.twin, 1), home=self.grid, controls=controls)
        self.maps.currentIndexChanged.connect(self._draw)
        self.figure.currentIndexChanged.connect(self._draw)
        self.twin.turned.connect(self.figure.setDisabled)
        self.grid.chosen.connect(self._choose)
        self.grid.pointed.connect(self._point)

    def tabular(self) -> Tabular:
        return self.twin

    def picture(self) -> HasPicture:
        return self.grid

    # -- contents -----------------------------------------------------------------------------------------

    @property
    def choice(self) -> Choice | None:
        place = self.maps.currentIndex()
        return self._choices[place] if 0 <= place < len(self._choices) else None

    def clear(self) -> None:
        self._choices = ()
        self.maps.offer([])
        self._draw()

    def fill(self, profile: Profile) -> None:
        self._choices = () if profile.cache is None else choices(profile.cache)
        wanted = self.maps.currentText()
        titles = [choice.title for choice in self._choices]
        self.maps.offer(titles, chosen=titles.index(wanted) if wanted in titles else 0)
        if not self._choices:
            self.say_empty(self.lacks(self.empty))
        self._draw()

    def _draw(self) -> None:
        choice, comparison = self.choice, self.comparison
        self._lines = choice is None or choice.id.startswith("lines")
        figure: Figure = self.figure.currentData()
        self._background.cancel()
        if choice is not None and comparison is not None:
            scenes = self._compared(comparison, choice, figure)
            if scenes is None:
                return  # the former maps stay until the others are there
        else:
            self._both = None
            made = () if choice is None else choice.make()
            scenes = [CacheScene(one, picture_of(one, figure), self._instructions) for one in made]
            self.limits.say(())
        self.grid.show_scenes(scenes)
        self.twin.renew()
        self.follow()

    def _compared(self, comparison: Comparison, choice: Choice, figure: Figure) -> list[CacheScene] | None:
        """The maps of differences to the baseline; None while they are computed."""
        from app.analysis.compare.operators.cache import not_compared
        from app.panels.cache.compared import compared_maps, compared_picture

        both = self._both
        if both is None or (both.comparison, both.choice) != (comparison, choice.id):
            if max(map(_cells, (comparison.before, comparison.after))) > MANY:
                work = partial(compared_maps, comparison, choice)
                self._background.run(Task(lambda *_: work(), self._take, self._fail))
                return None
            both = self._both = compared_maps(comparison, choice)
        self.limits.say((*comparison.limits, *not_compared(both.cells)))
        return [CacheScene(one, compared_picture(one, figure), self._instructions) for one in both.maps]

    def _take(self, both: ComparedMaps) -> None:
        if both.comparison is self.comparison:
            self._both = both
            self._draw()

    def _fail(self, error: FormatError) -> None:
        self.limits.say((tr("The maps cannot be compared: {error}", error=error),))

    def _table(self, profile: Profile) -> Table | None:
        return cache_lines(profile) if self._lines else cache_sets(profile)

    def _marked(self) -> I64:
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
