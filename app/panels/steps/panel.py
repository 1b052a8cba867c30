"""The panel of steps: the run as a flame by names, and what the steps of the range took."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from app.analysis.links import translate
from app.analysis.step_tree import StepTree, step_tree
from app.analysis.table import Table
from app.analysis.tables import poplar_steps
from app.analysis.tables.poplar_step_columns import note
from app.document.document import Update
from app.panels.steps.flame import FlameView
from app.panels.steps.pages import MAKERS, TITLES, Page, pages_of
from app.panels.steps.spent_view import SpentView
from app.panels.steps.tiles_view import TilesView
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Ranges, Selection, TimeRange
from app.widgets.context import Context
from app.widgets.empty import OrEmpty
from app.widgets.readout import Readout
from app.widgets.refresh import Refresh
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular
from app.widgets.texts import caption
from app.widgets.theme import Theme
from app.widgets.tree.widget import TreeWidget

SOURCE = "steps"
SECTIONS = (
    *("steps", "timeline", "compute_sets", "vertex_types", "programs", "target", "execution", "measured_cycles"),
    *("tile_memory", "exchanges"),
)
EMPTY = "This profile has no steps: they are in the execution profile (execution.json) of a run that was profiled."
MOST_CHOSEN = 50_000
AT_ONCE = 50_000
"""Pages of so many steps are filled as soon as they are chosen, those of more as soon as there is time."""
SHOWN = ("name", "cycles", "share", "steps", "own", "data")


Front: TypeAlias = FlameView | TreeWidget | TableWidget | TilesView | SpentView


class StepsPanel(QWidget, Tabular):
    """One page at a time; the figures are those of the range, and made when their page is in front."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._pages: list[Page] = []
        self._wanted: Page = "flame"
        self._tree: StepTree | None = None
        self.tabs = QTabBar(self)
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setAccessibleName("What to show of the steps")
        self.scope = Readout(context.display, self)
        self.flame = FlameView(context, self)
        self.flat = FlameView(context, self, flat=True)
        self.tree = TreeWidget(context.display, self)
        self.table = TableWidget(context.display, self)
        self._link = LinkedTable(context, self.table, SOURCE)
        self.tiles = TilesView(context, self)
        self.spent = SpentView(context, self)
        self._widgets: dict[Page, Front] = {
            "flame": self.flame,
            "flat": self.flat,
            "names": self.tree,
            "tiles": self.tiles,
            "spent": self.spent,
        }
        self._build()
        self._connect()
        self._refresh.request()

    def _build(self) -> None:
        self.pages = QStackedWidget(self)
        for widget in (*self._widgets.values(), self.table):
            self.pages.addWidget(widget)
        content = QWidget(self)
        inside = QVBoxLayout(content)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(0)
        head = QHBoxLayout()
        head.setSpacing(0)
        head.addWidget(self.tabs)
        head.addWidget(self.scope, 1)
        inside.addLayout(head)
        inside.addWidget(self.pages, 1)
        self.stack = OrEmpty(self._context.display, content, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.stack)
        self.setFocusProxy(self.flame)

    def _connect(self) -> None:
        document = self._context.document
        self._refresh = Refresh(self, self._show)
        self._figures = Refresh(self, self._fill)
        document.updated.connect(self._updated)
        document.selection.changed.connect(self._selected)
        document.ranges.changed.connect(self._ranged)
        self.tabs.currentChanged.connect(self._turned)
        self.tree.view.chosen.connect(self._choose)
        self.tree.found.connect(lambda node: self._select(np.array([node], np.int64)))

    # -- abilities ----------------------------------------------------------------------------------------

    def shown_table(self) -> Table | None:
        profile, front = self._context.document.profile, self._front
        if isinstance(front, FlameView):
            return None if profile is None else poplar_steps.names(profile, self._stretch)
        return front.shown_table()

    def shown_rows(self) -> I64 | None:
        return None if isinstance(self._front, FlameView | TreeWidget) else self._front.shown_rows()

    def selected_rows(self) -> I64:
        front = self._front
        return np.empty(0, np.int64) if isinstance(front, FlameView) else front.selected_rows()

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        """What is in front, where it is a picture; else the flame."""
        front = self._front
        pictured = front if isinstance(front, SpentView | TilesView | FlameView) else self.flame
        pictured.draw_picture(painter, place, theme)

    # -- contents -----------------------------------------------------------------------------------------

    @property
    def page(self) -> Page:
        place = self.tabs.currentIndex()
        return self._pages[place] if 0 <= place < len(self._pages) else "flame"

    @property
    def _front(self) -> Front:
        """The widget of the page; most pages are the one table."""
        return self._widgets.get(self.page, self.table)

    @property
    def _stretch(self) -> TimeRange | None:
        return self._context.document.ranges.value.time

    def _updated(self, update: Update) -> None:
        if update.profile is None or update.touches(*SECTIONS):
            self._refresh.request()

    def _show(self) -> Iterator[None]:
        profile = self._context.document.profile
        self._pages = [] if profile is None else pages_of(profile)
        self.tabs.blockSignals(True)
        while self.tabs.count():
            self.tabs.removeTab(0)
        for page in self._pages:
            self.tabs.addTab(caption(TITLES[page]))
        self.tabs.setCurrentIndex(self._pages.index(self._wanted) if self._wanted in self._pages else 0)
        self.tabs.blockSignals(False)
        self._tree = None
        if self._pages:
            self.stack.show_content()
            yield from self._fill()
        else:
            yield from self.flame.show_profile(None)
            yield from self.flat.show_profile(None)
            self.stack.show_empty(EMPTY)

    def _turned(self) -> None:
        """A page was chosen; it stays in front while more arrives."""
        self._wanted = self.page
        self._figures.request()
        profile = self._context.document.profile
        if profile is not None and profile.steps is not None and len(profile.steps) <= AT_ONCE:
            self._figures.now()

    def _fill(self) -> Iterator[None]:
        """The page that is in front, for the range; a long flame in pieces."""
        profile, page = self._context.document.profile, self.page
        if profile is None or not self._pages:
            return
        self.pages.setCurrentWidget(self._front)
        self.setFocusProxy(self._front)
        self.scope.say(note(self._stretch) if page == "names" else "", muted=True)
        front = self._front
        if isinstance(front, FlameView):
            yield from front.show_profile(profile)
        elif page == "names":
            self._fill_tree(profile)
        elif page == "tiles":
            self.tiles.show_profile(profile)
        elif page == "spent":
            self.spent.show_profile(profile, self._stretch)
        else:
            table = MAKERS[page](profile, self._stretch)
            if table is not None:
                self._link.show(table, empty="No step of the range is of that kind.")

    def _fill_tree(self, profile: Profile) -> None:
        self._tree = step_tree(profile, self._stretch)
        if self._tree is None:
            return
        clock = profile.target.clock_hz if profile.target is not None else None
        shown = self._context.document.current_id
        self.tree.set_hierarchy(self._tree.hierarchy, empty=EMPTY, clock_hz=clock, key=shown)
        self.tree.view.show_columns(SHOWN)
        self._selected(self._context.document.selection.value)

    # -- selection ----------------------------------------------------------------------------------------

    def _selected(self, selection: Selection | None) -> None:
        """In the tree, the names of the selected steps are marked."""
        profile, tree = self._context.document.profile, self._tree
        if profile is None or tree is None or self.page != "names":
            return
        if selection is None or selection.source == SOURCE:
            return
        steps = translate(profile, selection, "step") if selection.kind != "tile" else np.empty(0, np.int64)
        of_step = tree.totals.paths.of_step
        nodes = np.unique(of_step[steps[(steps >= 0) & (steps < len(of_step))]]).astype(np.int64)
        if len(nodes) == 1:
            self.tree.view.reveal(int(nodes[0]))
        self.tree.view.mark(nodes)

    def _ranged(self, _: Ranges) -> None:
        if not isinstance(self._front, FlameView):
            self._figures.request()

    def _choose(self) -> None:
        nodes = self.tree.view.chosen_items()
        if len(nodes):
            self._select(nodes)
            self.tree.view.items.chosen = None

    def _select(self, nodes: I64) -> None:
        if self._tree is not None:
            steps = self._tree.steps_of(nodes)[:MOST_CHOSEN]
            if len(steps):
                self._context.document.selection.set(Selection("step", tuple(steps.tolist()), SOURCE))
