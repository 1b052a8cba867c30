"""The vertex types panel: their figures, thread utilization, and vertices measured individually."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from PySide6.QtWidgets import QWidget

from app.analysis.poplar.vertices import ThreadUse, has_estimates, thread_use
from app.analysis.table import Table
from app.analysis.tables.poplar_lists import threads_table, vertex_types
from app.language import tr
from app.panels.panel import Panel
from app.panels.vertex_types import SPEC
from app.panels.vertex_types.distribution import vertices_of
from app.panels.vertex_types.measured import MeasuredVertices
from app.panels.vertex_types.threads import SOURCE as THREADS
from app.panels.vertex_types.threads import chosen_sets, picture_of, words
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.widgets.abilities import HasPicture
from app.widgets.chooser import Chooser
from app.widgets.controls import Controls
from app.widgets.frame import check_of, pages_of
from app.widgets.plot.sides_box import SidesBox
from app.widgets.plot.tiles import TilePlot
from app.widgets.refresh import Refresh
from app.widgets.table.profile_table import ProfileTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison

Page: TypeAlias = Literal["types", "threads", "vertices"]
TITLES: Final[dict[Page, str]] = {
    "types": tr("Vertex types"),
    "threads": tr("Thread use per tile"),
    "vertices": tr("Cycles of vertices"),
}


class VertexTypesPanel(Panel):
    """The chooser above sets the page; each page follows the selection."""

    spec = SPEC
    compares = True
    empty = tr("This profile names no vertex types; a Poplar graph profile (graph.json) has them.")

    def build(self) -> None:
        self._stale = True
        self._later = Refresh(self, self._fill)
        self.chooser = Chooser(tr("View of the vertex types"), self)
        about = tr("Count every run of a compute set (in the range, if set), or each compute set once")
        self.all_runs = check_of(tr("All runs"), about, on=True)
        self.by_set = check_of(tr("By compute set"), tr("One row per vertex type and compute set"))
        self.as_table = check_of(tr("Table"), tr("The same figures as a table: to sort, copy and export"))
        self.types = TableWidget(self.context.display, self)
        self._rows = ProfileTable(self.context, self.types, self.spec.id)
        self.sides = SidesBox(self)
        self.threads = TilePlot(self.context, THREADS, self)
        self.vertices = MeasuredVertices(self.context, self)
        self._places: dict[Page, QWidget] = {"types": self.types, "threads": self.threads, "vertices": self.vertices}
        self.pages = pages_of(self, tuple(self._places.values()))
        folds = self.all_runs, self.by_set, self.as_table
        controls = Controls(self, self.chooser, self.sides, *folds, (self.types.bar, 3), 1, folds=folds)
        self.lay_out((self.pages, 1), home=self.types, controls=controls)
        self.chooser.currentIndexChanged.connect(self._fill)
        self.sides.currentIndexChanged.connect(self._fill)
        for box in (self.all_runs, self.by_set, self.as_table):
            box.toggled.connect(self._fill)

    def tabular(self) -> Tabular:
        pages: dict[Page, Tabular] = {"types": self.types, "threads": self.threads, "vertices": self.vertices.table}
        return pages[self.page]

    def picture(self) -> HasPicture | None:
        """The page in front, if it is a picture."""
        pages: dict[Page, HasPicture] = {"threads": self.threads, "vertices": self.vertices}
        return pages.get(self.page)

    # -- contents -----------------------------------------------------------------------------------------

    @property
    def page(self) -> Page:
        data: Page | None = self.chooser.currentData()
        return data or "types"

    def why_empty(self, profile: Profile | None) -> str:
        return "" if profile is not None and _pages(profile) else self.empty

    def fill(self, profile: Profile) -> None:
        pages, before = _pages(profile), self.page
        self.chooser.offer([TITLES[page] for page in pages], pages, pages.index(before) if before in pages else 0)
        self._fill()

    def _fill(self) -> None:
        """Fills the page in front."""
        profile = self.profile
        if profile is None:
            return
        self.all_runs.setVisible(self.page == "threads" and profile.steps is not None)
        self.as_table.setVisible(self.page == "threads")
        self.by_set.setVisible(self.page == "vertices")
        self.sides.setVisible(self.page == "threads" and self.comparison is not None)
        self.pages.setCurrentWidget(self._places[self.page])
        self.setFocusProxy(self._places[self.page])
        if self.page == "types":
            self._rows.show(vertex_types)
        elif self.page == "threads":
            self._stale = True
        else:
            self.vertices.show_profile(profile, by_set=self.by_set.isChecked())
        self.follow()

    def _fill_threads(self, profile: Profile) -> None:
        sets = chosen_sets(self.shared.linked, self.shared.selection)
        self._stale = False
        all_runs, stretch = self.all_runs.isChecked(), self.context.document.ranges.value.time
        use = thread_use(profile, sets, all_runs=all_runs, stretch=stretch)
        if use is None:
            return
        ranged = all_runs and stretch is not None and profile.steps is not None
        picture, says = picture_of(profile, use, sets, ranged=ranged), words(use)
        before = None if self.comparison is None or ranged else self._before(self.comparison, sets)
        if before is not None:
            from app.panels.vertex_types.compared import picture_compared, words_compared  # only with a baseline

            picture = picture_compared(profile, (before, use), sets, difference=self.sides.difference)
            says = words_compared(before, use)
        elif self.comparison is not None:
            says = tr("{says} · the baseline has no such figures for these runs", says=says)
        self.sides.setEnabled(before is not None)
        make = partial(_use_of, own=(profile, use), before=before)
        self.threads.show_plot(picture, says, make, tiles=len(use.share))
        self.threads.turn(table=self.as_table.isChecked())

    def _before(self, comparison: Comparison, sets: I64 | None) -> ThreadUse | None:
        """The use of the baseline's threads by what belongs to these compute sets. A range has no counterpart there."""
        from app.analysis.compare.counterparts import counterparts  # only with a baseline

        own = None if sets is None else counterparts(comparison, "compute-sets", sets)
        return thread_use(comparison.before, own, all_runs=self.all_runs.isChecked())

    def show_selection(self, selection: Selection | None, _reveal: bool) -> None:
        """Updates the page; thread utilization is that of the selected compute sets, which selected tiles do not
        change."""
        other = self._stale or selection is None or selection.kind != "tile"
        if self.profile is not None and self.page == "threads" and other:
            self._fill_threads(self.profile)

    def recount(self) -> None:
        """Recomputes the figures, as runs of compute sets are counted within the range."""
        if self.page == "threads" and self.all_runs.isChecked():
            self._later.request()


def _use_of(profile: Profile, *, own: tuple[Profile, ThreadUse], before: ThreadUse | None) -> Table | None:
    """The table of the shown profile, whose figures are ``own``, or of the baseline."""
    use = own[1] if profile is own[0] else before
    return None if use is None else threads_table(profile, use)


def _pages(profile: Profile) -> list[Page]:
    pages: list[Page] = ["types"] if profile.vertex_types is not None else []
    if has_estimates(profile):
        pages.append("threads")
    if vertices_of(profile) is not None:
        pages.append("vertices")
    return pages
