"""The vertex types panel: their figures, thread use per tile, and vertices that were measured individually."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from app.analysis.kinds import KINDS
from app.analysis.poplar.vertices import ThreadUse, has_estimates, of, thread_use
from app.analysis.table import Table
from app.analysis.tables.poplar_lists import groups, threads_table, vertex_types
from app.language import plural, tr
from app.panels.panel import Panel
from app.panels.registry import SPECS
from app.panels.vertex_types.picture import (
    ALL_TYPES,
    FOLLOWED,
    chosen_sets,
    histogram_of,
    threads_line,
    threads_picture,
    vertices_of,
)
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection
from app.views.chart.histogram import HistogramPicture
from app.views.look import Theme
from app.views.units import format_value
from app.widgets.abilities import HasPicture
from app.widgets.chart.canvas import ChartCanvas
from app.widgets.context import Context
from app.widgets.controls import Controls
from app.widgets.fields import Chooser
from app.widgets.frame import check_of, column_of, pages_of, split_of, stack_in
from app.widgets.plot.sides_box import SidesBox
from app.widgets.plot.tiles import TilePlot
from app.widgets.refresh import Refresh
from app.widgets.table.profile_table import ProfileTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular
from app.widgets.texts import Readout

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison

THREADS, VERTICES = "thread-use", "vertices"
"""Sources of selections made in these parts."""
NAME_WIDTH = 210
"""Width of the name column that leaves room for figures in half a panel."""
Page: TypeAlias = Literal["types", "threads", "vertices"]
TITLES: Final[dict[Page, str]] = {
    "types": tr("Vertex types"),
    "threads": tr("Thread use per tile"),
    "vertices": tr("Cycles of vertices"),
}


class VertexTypesPanel(Panel):
    """The chooser above sets the page; each page follows the selection."""

    spec = SPECS["vertex_types"]
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
        before = None if self.comparison is None or ranged else self._before(self.comparison, sets)
        difference = self.sides.difference
        picture = threads_picture(profile, use, sets, ranged=ranged, before=before, difference=difference)
        says = threads_line(use, before)
        if before is None and self.comparison is not None:
            says = tr("{says} · the baseline has no such figures for these runs", says=says)
        self.sides.setEnabled(before is not None)
        make = partial(_use_of, own=(profile, use), before=before)
        self.threads.show_plot(picture, says, make, tiles=len(use.share))
        self.threads.turn(table=self.as_table.isChecked())

    def _before(self, comparison: Comparison, sets: I64 | None) -> ThreadUse | None:
        """The use of the baseline's threads by what belongs to these compute sets. A range has no counterpart there."""
        from app.analysis.compare.comparison import counterparts  # only with a baseline

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


class MeasuredVertices(QWidget, HasPicture):
    """The table at the left, the histogram of the selected types (or of all) at the right."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._profile: Profile | None = None
        self.by_set = False
        self.table = TableWidget(context.display, self)
        self._rows = ProfileTable(context, self.table, VERTICES)
        self.histogram: ChartCanvas[HistogramPicture] = ChartCanvas(context.display, self)
        self.readout = Readout(context.display, self)
        self.splitter = split_of((self.table, 560), (column_of((self.histogram, 1), self.readout), 440))
        stack_in(self, self.splitter)
        self.setFocusProxy(self.table)
        context.document.selection.changed.connect(self._selected)
        self.histogram.pointed.connect(self._point)

    def show_profile(self, profile: Profile | None, *, by_set: bool) -> None:
        """Shows the vertices of a profile: a row per type, or per type and compute set."""
        self._profile, self.by_set = profile, by_set
        if profile is not None:
            self._rows.show(partial(groups, sets=by_set))
            if self._comparison is None:
                self.table.view.setColumnWidth(0, NAME_WIDTH)
        self._selected(self._context.document.selection.value)

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        self.histogram.draw_picture(painter, place, theme)

    def chosen(self, selection: Selection | None) -> tuple[I64, str]:
        """(vertices that a selection refers to, their description)."""
        profile = self._profile
        vertices = None if profile is None else vertices_of(profile)
        if profile is None or vertices is None:
            return np.empty(0, np.int64), ""
        chosen = self.wanted(selection)
        if chosen is None:
            return of(vertices), ALL_TYPES
        kind, wanted = chosen
        several = tr("{count:,} selected {part}", count=len(wanted), part=KINDS[kind].several)
        words = several if len(wanted) > 1 else KINDS[kind].name(profile, int(wanted[0]))
        return (of(vertices, types=wanted) if kind == "vertex_type" else of(vertices, sets=wanted)), words

    def wanted(self, selection: Selection | None) -> tuple[Kind, I64] | None:
        """(kind, items): the vertex types or compute sets that a selection refers to; None for all."""
        profile = self._profile
        if profile is None or selection is None or selection.kind not in FOLLOWED:
            return None
        kind: Kind = "vertex_type" if selection.kind == "vertex_type" else "compute_set"
        items = self._context.document.linked.items(profile, selection, kind)
        return (kind, items) if len(items) else None

    @property
    def _comparison(self) -> Comparison | None:
        return self._context.document.baselines.comparison

    def _selected(self, _: Selection | None) -> None:
        self._context.document.linked.attempt(self._draw)

    def _draw(self) -> None:
        profile, selection = self._profile, self._context.document.selection.value
        if profile is None:
            return
        chosen, what = self.chosen(selection)
        self.histogram.show_picture(histogram_of(profile, chosen, what, self.wanted(selection), self._comparison))
        self._point(-1, "")

    def _point(self, _: int, text: str) -> None:
        self.readout.say(text or self._about(), muted=not text)

    def _about(self) -> str:
        profile = self._profile
        vertices = None if profile is None else vertices_of(profile)
        if vertices is None:
            return ""
        chosen, what = self.chosen(self._context.document.selection.value)
        cycles = vertices.cycles[chosen]
        cycles = cycles[cycles >= 0]
        if not len(cycles):
            return tr("{what}: no vertex was measured", what=what)
        look = self._context.display.look
        middle, most = (format_value(value, "cycles", look) for value in (float(np.median(cycles)), int(cycles.max())))
        return plural(
            "{what}: {count:,} vertex · median {middle} · max {most}",
            "{what}: {count:,} vertices · median {middle} · max {most}",
            count=len(cycles),
            what=what,
            middle=middle,
            most=most,
        )
