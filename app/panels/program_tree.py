"""The programs as a tree of containment and calls."""

from __future__ import annotations

from functools import partial

import numpy as np

from app.analysis.poplar.program_figures import ProgramFigures, cheap, program_figures
from app.analysis.trees import Hierarchy, program_tree, programs_table
from app.document.background import Background, Task
from app.language import tr
from app.panels.panel import Panel
from app.panels.registry import SPECS
from app.profile.arrays import I64
from app.profile.poplar import Programs
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.widgets.tabular import Tabular
from app.widgets.tree.compared import ComparedTree
from app.widgets.tree.widget import TreeWidget

NONE: I64 = np.empty(0, np.int64)


class ProgramTree(Panel):
    """Control programs and functions at the top, calls resolved. Selecting a row selects the program; a selection from
    elsewhere is marked wherever it occurs. Figures of large trees are computed in the background."""

    spec = SPECS["tree"]
    empty = tr("This file names no programs; a Poplar graph profile (graph.json) has them.")
    as_left = True
    compares = True

    def build(self) -> None:
        self._shown: Programs | None = None
        self._choosing = False
        self._background = Background(self)
        self.tree = TreeWidget(self.context.display, self)
        self.compared = ComparedTree(self.context, self.tree)
        self.lay_out((self.tree, 1), home=self.tree, controls=self.tree.bar)
        self.compared.shown.connect(self.follow)
        self.tree.view.chosen.connect(self._chosen)
        self.tree.view.pointed.connect(self._point)
        self.tree.match_selected.connect(self._choose_item)

    def tabular(self) -> Tabular:
        return self.tree

    def clear(self) -> None:
        self._background.cancel()
        self.compared.end()
        self._shown = None
        self.tree.set_hierarchy(None, empty=self.empty, key=self.context.document.current_id)

    def fill(self, profile: Profile) -> None:
        self._background.cancel()
        if self.comparison is not None:
            self._shown = None
            self.compared.show(self.comparison, tree_of, empty=self.empty)
            return
        self.compared.end()
        figures = program_figures(profile) if cheap(profile) else None  # slower figures are computed in the background
        if profile.programs is not self._shown:
            self._shown = profile.programs
            clock = None if profile.target is None else profile.target.clock_hz
            hierarchy = program_tree(profile, figures or ProgramFigures())
            self.tree.set_hierarchy(hierarchy, empty=self.empty, clock_hz=clock, key=self.context.document.current_id)
        elif figures is not None:
            self._fill(profile, figures)
        if figures is None:
            self._request_figures(profile)

    def _request_figures(self, profile: Profile) -> None:
        """Computes the figures in the background."""
        take = partial(self._take, profile)
        self._background.run(Task(lambda *_: program_figures(profile), take, lambda _: None))

    def _take(self, profile: Profile, figures: ProgramFigures | None) -> None:
        if profile.programs is self._shown and figures is not None:
            self._fill(profile, figures)

    def _fill(self, profile: Profile, figures: ProgramFigures) -> None:
        table = programs_table(profile, figures)
        if table is not None:
            clock = None if profile.target is None else profile.target.clock_hz
            self.tree.set_table(table, clock_hz=clock)

    def show_selection(self, selection: Selection | None, reveal: bool) -> None:
        """Marks every occurrence of the selection; if it was made by selecting a row here, that row only."""
        if self._choosing:
            return
        items = self.compared.items_of(self.shared.linked(selection, "program"))
        if reveal and len(items):
            self.tree.view.reveal(int(items[0]))
        self.tree.view.mark(items)

    def show_hover(self, hover: Selection | None) -> None:
        items = NONE if hover is None or hover.kind != "program" else np.array([hover.first], np.int64)
        items = self.compared.items_of(items)
        self.tree.view.hover_item(int(items[0]) if len(items) else -1)

    def _point(self, item: int) -> None:
        keys = self.compared.keys_of(np.array([item], np.int64)) if item >= 0 else NONE
        self.shared.point("program", int(keys[0]) if len(keys) else -1)

    def _chosen(self) -> None:
        items = self.tree.view.chosen_items()
        if len(items):
            self._select(items)
            self.tree.view.items.chosen = None

    def _choose_item(self, item: int) -> None:
        items = np.array([item], np.int64)
        self._select(items)
        self.tree.view.mark(items)

    def _select(self, items: I64) -> None:
        keys = self.compared.keys_of(items)
        if len(keys):  # not a program of the baseline
            self._choosing = True
            self.shared.select("program", keys)
            self._choosing = False


def tree_of(profile: Profile) -> Hierarchy | None:
    """The tree of a profile with all figures."""
    return program_tree(profile, program_figures(profile) or ProgramFigures())
