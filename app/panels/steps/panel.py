"""The steps panel: the run as a flame graph by name, and figures of the steps in the range."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TypeAlias

import numpy as np

from app.analysis.table import Table
from app.analysis.tables import poplar_steps
from app.analysis.tables.poplar_steps import note
from app.analysis.trees import StepTree, step_tree
from app.language import tr
from app.panels.panel import NO_ROWS, Panel
from app.panels.registry import SPECS
from app.panels.steps.difference_flame import DifferenceFlame
from app.panels.steps.flame import FlameView
from app.panels.steps.pages import MAKERS, TITLES, Page
from app.panels.steps.pages import pages_of as pages_of_profile
from app.panels.steps.spent_view import SpentView
from app.panels.steps.tiles_view import TilesView
from app.profile.arrays import I64, distinct
from app.profile.profile import Profile
from app.profile.selection import Selection, TimeRange
from app.views.steps.difference_frames import MEASURE, baseline_range, table_of, tree_of
from app.views.units import plain
from app.widgets.abilities import HasPicture
from app.widgets.controls import Controls
from app.widgets.frame import pages_of
from app.widgets.refresh import Refresh
from app.widgets.table.profile_table import ProfileTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabs import Tabs
from app.widgets.tabular import Tabular
from app.widgets.texts import Readout
from app.widgets.tree.compared import ComparedTree
from app.widgets.tree.widget import TreeWidget

MOST_CHOSEN = 50_000
AT_ONCE = 50_000
"""Runs of up to this many steps fill a page as soon as it is chosen, longer ones when there is time."""
SHOWN = ("name", "cycles", "share", "steps", "own", "data")


Front: TypeAlias = FlameView | DifferenceFlame | TreeWidget | TableWidget | TilesView | SpentView


class StepsPanel(Panel):
    """One page at a time; figures are those of the range, computed when their page is visible."""

    spec = SPECS["steps"]
    compares = True
    empty = tr(
        "This profile has no steps: they are in the execution profile (execution.json) of a run that was profiled."
    )

    def build(self) -> None:
        context, display = self.context, self.context.display
        self._pages: list[Page] = []
        self._wanted: dict[bool, Page] = {False: "flame", True: "differences"}
        self._tree: StepTree | None = None
        self._figures = Refresh(self, self._fill)
        self.tabs = Tabs(tr("View of the steps"), self)
        self.scope = Readout(display, self)
        self.flame = FlameView(context, self)
        self.differences = DifferenceFlame(context, self)
        self.flat = FlameView(context, self, flat=True)
        self.tree = TreeWidget(display, self)
        self.table = TableWidget(display, self)
        self._shown = ProfileTable(context, self.table, self.spec.id)
        self.compared = ComparedTree(context, self.tree)
        self.tiles = TilesView(context, self)
        self.spent = SpentView(context, self)
        self._widgets: dict[Page, Front] = {
            "flame": self.flame,
            "flat": self.flat,
            "names": self.tree,
            "tiles": self.tiles,
            "spent": self.spent,
            "differences": self.differences,
        }
        self.pages = pages_of(self, (*self._widgets.values(), self.table))
        parts = self.flame.controls, self.differences.controls, self.flat.controls, self.tree.bar, self.table.bar
        bars = [(bar, 2) for bar in parts]
        controls = Controls(self, self.tabs, *bars, (self.scope, 1), folds=(self.scope,))
        self.lay_out((self.pages, 1), home=self.flame, controls=controls)
        self.tabs.currentChanged.connect(self._turned)
        self.tree.view.chosen.connect(self._choose)
        self.tree.match_selected.connect(lambda node: self._select(np.array([node], np.int64)))
        self.compared.shown.connect(self.follow)

    # -- abilities ----------------------------------------------------------------------------------------

    def tabular(self) -> Tabular:
        front = self._front
        if isinstance(front, FlameView | DifferenceFlame):
            return self
        return front.table if isinstance(front, SpentView) else front

    def shown_table(self) -> Table | None:
        """The table in front; for a flame graph, the table of names."""
        front = self._front
        if isinstance(front, DifferenceFlame):
            return None if front.frames is None else front.frames.differences.table(MEASURE)
        if isinstance(front, FlameView):
            return None if self.profile is None else poplar_steps.names(self.profile, self._stretch)
        return super().shown_table()

    def shown_rows(self) -> I64 | None:
        return None if self.tabular() is self else super().shown_rows()

    def selected_rows(self) -> I64:
        return NO_ROWS if self.tabular() is self else super().selected_rows()

    def picture(self) -> HasPicture:
        """The picture in front, or else the flame graph."""
        front = self._front
        return front if isinstance(front, SpentView | TilesView | FlameView | DifferenceFlame) else self.flame

    # -- contents -----------------------------------------------------------------------------------------

    @property
    def page(self) -> Page:
        place = self.tabs.currentIndex()
        return self._pages[place] if 0 <= place < len(self._pages) else "flame"

    @property
    def _front(self) -> Front:
        """The widget of the page; most pages share the table."""
        return self._widgets.get(self.page, self.table)

    @property
    def _stretch(self) -> TimeRange | None:
        return self.context.document.ranges.value.time

    def why_empty(self, profile: Profile | None) -> str:
        return "" if profile is not None and pages_of_profile(profile) else self.empty

    def clear(self) -> None:
        self._pages, self._tree = [], None
        self.tabs.offer([])
        self._end_comparison()
        self.spent.release()
        for view in (self.flame, self.flat):
            for _ in view.show_profile(None):
                pass

    def fill(self, profile: Profile) -> Iterator[None]:
        self.spent.release()
        if self.comparison is None:
            self._end_comparison()
        self._pages = pages_of_profile(profile, compared=self.comparison is not None)
        self.tabs.offer([TITLES[page] for page in self._pages], TITLES[self._wanted[self.comparison is not None]])
        self._tree = None
        yield from self._fill()

    def _end_comparison(self) -> None:
        """Drops what belongs to a baseline, on all pages."""
        self._shown.clear()
        self.compared.end()
        self.differences.show_comparison(None, None)
        self.tiles.drop_baseline()
        self.spent.drop_baseline()

    def _turned(self) -> None:
        """Handles the choice of a page, which stays in front while more data arrives."""
        self._wanted[self.comparison is not None] = self.page
        self._figures.request()
        profile = self.profile
        if profile is not None and profile.steps is not None and len(profile.steps) <= AT_ONCE:
            self._figures.now()

    def _fill(self) -> Iterator[None]:
        """Fills the page in front for the range; a long flame graph in pieces."""
        profile, page = self.profile, self.page
        if profile is None or not self._pages:
            return
        front, comparison = self._front, self.comparison
        self.pages.setCurrentWidget(front)
        self.setFocusProxy(front)
        self.scope.say(self._about_scope(page), muted=True)
        if isinstance(front, FlameView):
            yield from front.show_profile(profile)
        elif isinstance(front, DifferenceFlame):
            front.show_comparison(comparison, self._stretch)
        elif page == "names" and comparison is not None:
            self._tree = step_tree(profile, self._stretch)
            self.compared.show(comparison, partial(tree_of, comparison, self._stretch), empty=self.empty)
        elif page == "names":
            self._fill_tree(profile)
        elif page == "tiles":
            self.tiles.show_profile(profile, comparison)
        elif page == "spent":
            self.spent.show_profile(profile, self._stretch, comparison)
        else:
            make = partial(table_of, MAKERS[page], comparison, self._stretch)
            self._shown.show(make, empty=tr("No step in the range is of this kind."))

    def _about_scope(self, page: Page) -> str:
        """What the range is of the page in front, and that of the baseline."""
        comparison, stretch = self.comparison, self._stretch
        if comparison is None:
            return note(stretch) if page == "names" else ""
        if page in ("flame", "flat"):
            return tr("Only the comparison, step by step. Differences and the Timeline panel show both.")
        own = baseline_range(comparison, stretch)
        if stretch is None or own is None:
            return ""
        return tr(
            "In the baseline, the range covers cycles {start} to {end}.",
            start=plain(round(own.start)),
            end=plain(round(own.end)),
        )

    def _fill_tree(self, profile: Profile) -> None:
        self._tree = step_tree(profile, self._stretch)
        if self._tree is None:
            return
        clock = profile.target.clock_hz if profile.target is not None else None
        shown = self.context.document.current_id
        self.tree.set_hierarchy(self._tree.hierarchy, empty=self.empty, clock_hz=clock, key=shown)
        self.tree.view.show_columns(SHOWN)
        self.follow()

    # -- selection ----------------------------------------------------------------------------------------

    def show_selection(self, selection: Selection | None, reveal: bool) -> None:
        """Marks in the tree the names of steps that are selected elsewhere."""
        tree = self._tree
        if tree is None or self.page != "names" or selection is None or not reveal:
            return
        steps = self.shared.linked(selection, "step") if selection.kind != "tile" else NO_ROWS
        of_step = tree.totals.paths.of_step
        nodes = distinct(of_step[steps[(steps >= 0) & (steps < len(of_step))]]).astype(np.int64)
        items = self.compared.items_of(nodes)
        if len(items) == 1:
            self.tree.view.reveal(int(items[0]))
        self.tree.view.mark(items)

    def recount(self) -> None:
        if not isinstance(self._front, FlameView):
            self._figures.request()

    def _choose(self) -> None:
        nodes = self.tree.view.chosen_items()
        if len(nodes):
            self._select(nodes)
            self.tree.view.items.chosen = None

    def _select(self, nodes: I64) -> None:
        if self._tree is not None:
            steps = self._tree.steps_of(self.compared.keys_of(nodes))[:MOST_CHOSEN]
            if len(steps):
                self.shared.select("step", steps)
