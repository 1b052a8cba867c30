"""The cache panel."""

from __future__ import annotations

from typing import cast

import numpy as np

from app.analysis.table import Table
from app.analysis.tables.ascend_cache import cache_lines, cache_sets
from app.language import tr
from app.panels.cache import SPEC
from app.panels.cache.grid import MapGrid
from app.panels.cache.maps import CacheMap, Choice, Figure, choices
from app.panels.cache.scene import CacheScene, picture_of
from app.panels.panel import Panel
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection
from app.widgets.abilities import HasPicture
from app.widgets.choice_box import ChoiceBox
from app.widgets.chooser import Chooser
from app.widgets.frame import bar_of
from app.widgets.tabular import Tabular
from app.widgets.twin import Twin

KINDS: tuple[Kind, ...] = ("cache_hit", "cache_miss", "cache_set")


class CachePanel(Panel):
    """Choosers above; maps of cache lines or sets, or their table, below."""

    spec = SPEC
    empty = tr("The file has a block of cache figures, but no lines in it.")

    def build(self) -> None:
        self._choices: tuple[Choice, ...] = ()
        self.maps = Chooser(tr("Maps"), self)
        self.figure = ChoiceBox(self)
        self.figure.setAccessibleName(tr("Figures"))
        self.figure.setToolTip(tr("What the colours stand for"))
        self.figure.addItem(tr("Share (%)"), "share")
        self.figure.addItem(tr("Events"), "count")
        self.grid = MapGrid(self.context.display, self)
        self.twin = Twin(self.context, self.spec.id, self.grid, self._table, self._marked)
        self.as_table, self.table = self.twin.box, self.twin.table
        self.lay_out(bar_of(self.maps, self.figure, self.as_table, 1), (self.twin, 1), home=self.grid)
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
            self.say_empty(self.empty)
        self._draw()

    def _draw(self) -> None:
        choice = self.choice
        made = () if choice is None else choice.make()
        figure: Figure = self.figure.currentData()
        self.grid.show_scenes([CacheScene(one, picture_of(one, figure), self._instructions) for one in made])
        self.twin.renew()
        self.follow()

    def _table(self, profile: Profile) -> Table | None:
        choice = self.choice
        if choice is None:
            return None
        return cache_lines(profile) if choice.id.startswith("lines") else cache_sets(profile)

    def _marked(self) -> I64:
        marked = {cell for canvas in self.grid.canvases for cell in canvas.selected}
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
        self.shared.toggle(cast("Kind", kind), cell, adding=adding)

    def _point(self, kind: str, cell: int) -> None:
        self.shared.point(cast("Kind", kind), cell)
