"""The panel of vertex types: their figures, how full threads are, and vertices that were measured one by one."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget

from app.analysis.poplar.threads import has_estimates, thread_use
from app.analysis.table import Table
from app.analysis.tables.poplar_lists import vertex_types
from app.analysis.tables.poplar_vertices import threads_table
from app.document.document import Update
from app.panels.vertex_types.measured import MeasuredVertices, vertices_of
from app.panels.vertex_types.threads import SOURCE as THREADS
from app.panels.vertex_types.threads import chosen_sets, picture_of, words
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Ranges, Selection
from app.widgets.choice_box import ChoiceBox
from app.widgets.context import Context
from app.widgets.frame import bar_of, fill, pages_of
from app.widgets.plot.tiles import TilePlot
from app.widgets.refresh import Refresh
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular
from app.widgets.texts import shown_line
from app.widgets.theme import Theme
from app.widgets.tips import set_tip

SOURCE = "vertex_types"
SECTIONS = ("vertex_types", "vertex_type_bytes", "compute_sets", "execution", "steps", "target")
EMPTY = "This profile names no vertex types; a Poplar graph profile (graph.json) has them."
Page: TypeAlias = Literal["types", "threads", "vertices"]
TITLES: Final[dict[Page, str]] = {
    "types": "Vertex types",
    "threads": "Thread use per tile",
    "vertices": "Cycles of vertices",
}


class VertexTypesPanel(QWidget, Tabular):
    """What is shown is chosen above; each page follows the selection."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.chooser = ChoiceBox(self)
        self.chooser.setAccessibleName("What to show of the vertex types")
        about = "Count each compute set as often as it ran (in the range, where one is set), or once"
        self.all_runs = _check("All runs", about, self)
        self.by_set = _check("By compute set", "A row a vertex type in a compute set", self, on=False)
        self.as_table = _check("Table", "The same figures as a table: to sort, copy and export", self, on=False)
        self.types = TableWidget(context.display, self)
        self._link = LinkedTable(context, self.types, SOURCE)
        self.threads = TilePlot(context, THREADS, self)
        self.vertices = MeasuredVertices(context, self)
        self._build()
        self._connect()
        self._refresh.request()

    def _build(self) -> None:
        self.chooser.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        bar = bar_of(self.chooser, self.all_runs, self.by_set, self.as_table, 1)
        self._places: dict[Page, QWidget] = {"types": self.types, "threads": self.threads, "vertices": self.vertices}
        self.pages = pages_of(self, tuple(self._places.values()))
        self.stack = fill(self, self._context.display, bar, self.pages)
        self.setFocusProxy(self.types)

    def _connect(self) -> None:
        document = self._context.document
        self._refresh = Refresh(self, self._show)
        self._later = Refresh(self, self._fill)
        document.updated.connect(self._updated)
        document.selection.changed.connect(self._selected)
        document.ranges.changed.connect(self._ranged)
        self.chooser.currentIndexChanged.connect(self._fill)
        for box in (self.all_runs, self.by_set, self.as_table):
            box.toggled.connect(self._fill)

    # -- abilities ----------------------------------------------------------------------------------------

    def shown_table(self) -> Table | None:
        return self._shown.shown_table()

    def shown_rows(self) -> I64 | None:
        return self._shown.shown_rows()

    def selected_rows(self) -> I64:
        return self._shown.selected_rows()

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        """The page in front, where it is a picture."""
        if self.page == "threads":
            self.threads.draw_picture(painter, place, theme)
        elif self.page == "vertices":
            self.vertices.draw_picture(painter, place, theme)

    # -- contents -----------------------------------------------------------------------------------------

    @property
    def page(self) -> Page:
        data: Page | None = self.chooser.currentData()
        return data or "types"

    @property
    def _shown(self) -> TableWidget | TilePlot | MeasuredVertices:
        return {"types": self.types, "threads": self.threads, "vertices": self.vertices}[self.page]  # type: ignore[return-value]

    def _updated(self, update: Update) -> None:
        if update.profile is None or update.touches(*SECTIONS):
            self._refresh.request()

    def _show(self) -> None:
        profile = self._context.document.profile
        pages = [] if profile is None else _pages(profile)
        before = self.page
        self.chooser.blockSignals(True)
        self.chooser.clear()
        for page in pages:
            self.chooser.addItem(shown_line(TITLES[page]), page)
        self.chooser.setCurrentIndex(pages.index(before) if before in pages else 0)
        self.chooser.blockSignals(False)
        if pages:
            self.stack.show_content()
            self._fill()
        else:
            self.stack.show_empty(EMPTY)

    def _fill(self) -> None:
        """Makes the page that is in front."""
        profile = self._context.document.profile
        if profile is None:
            return
        self.all_runs.setVisible(self.page == "threads" and profile.steps is not None)
        self.as_table.setVisible(self.page == "threads")
        self.by_set.setVisible(self.page == "vertices")
        self.pages.setCurrentWidget(self._places[self.page])
        self.setFocusProxy(self._places[self.page])
        if self.page == "types":
            table = vertex_types(profile)
            if table is not None:
                self._link.show(table)
        elif self.page == "threads":
            self._fill_threads(profile)
        else:
            self.vertices.show_profile(profile, by_set=self.by_set.isChecked())

    def _fill_threads(self, profile: Profile) -> None:
        sets = chosen_sets(profile, self._context.document.selection.value)
        all_runs, stretch = self.all_runs.isChecked(), self._context.document.ranges.value.time
        found = thread_use(profile, sets, all_runs=all_runs, stretch=stretch)
        if found is not None:
            ranged = all_runs and stretch is not None and profile.steps is not None
            picture = picture_of(profile, found, sets, ranged=ranged)
            self.threads.show_plot(picture, lambda: threads_table(profile, found), words(found))
            self.threads.turn(table=self.as_table.isChecked())

    def _selected(self, selection: Selection | None) -> None:
        """Threads are those of the selected compute sets; a tile changes nothing of that."""
        profile = self._context.document.profile
        if profile is not None and self.page == "threads" and (selection is None or selection.kind != "tile"):
            self._fill_threads(profile)

    def _ranged(self, _: Ranges) -> None:
        """How often compute sets ran is counted in the range."""
        if self.page == "threads" and self.all_runs.isChecked():
            self._later.request()


def _pages(profile: Profile) -> list[Page]:
    pages: list[Page] = ["types"] if profile.vertex_types is not None else []
    if has_estimates(profile):
        pages.append("threads")
    if vertices_of(profile) is not None:
        pages.append("vertices")
    return pages


def _check(text: str, about: str, parent: QWidget, *, on: bool = True) -> QCheckBox:
    box = QCheckBox(text, parent)
    box.setChecked(on)
    set_tip(box, about)
    return box
