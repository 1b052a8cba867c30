"""The liveness panel: the curve, the tree, the variables live at the selected steps, and both peaks."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtWidgets import QPushButton, QWidget

from app.analysis.poplar.liveness import NO_VARIABLES, curve, listed_nodes, peaks
from app.analysis.table import Table
from app.analysis.tables.poplar_live import LiveTables
from app.analysis.trees import live_tree
from app.document.background import Background, Task
from app.formats.errors import FormatError
from app.language import tr
from app.panels.liveness.picture import Live, live, memory_of_all, peak_words, peaks_compared, stations_of
from app.panels.panel import Panel
from app.panels.registry import SPECS
from app.profile.arrays import I64, union
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection
from app.views.look import Look
from app.widgets.abilities import HasPicture
from app.widgets.context import Context
from app.widgets.controls import Controls
from app.widgets.frame import check_of, column_of, pages_of, split_of
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.plot.scene import PlotScene
from app.widgets.plot.sides_box import SidesBox
from app.widgets.shared import Shared
from app.widgets.table.profile_table import ProfileTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabs import Tabs
from app.widgets.tabular import Tabular
from app.widgets.texts import Readout
from app.widgets.tips import set_tip
from app.widgets.tree.compared import ComparedTree
from app.widgets.tree.widget import TreeWidget

if TYPE_CHECKING:
    from app.analysis.compare.timelines import LiveSteps

TREE = "liveness-tree"
FOLLOWED: tuple[Kind, ...] = ("liveness", "program", "step", "slice", "compute_set", "exchange", "live_variable")
"""Kinds of selections that map to some program steps; a tile is live through all of them."""
SHOWN = ("name", "bytes")
"""Columns that fit beside the curve; copies and exports contain all columns."""
INDENT = 10
NODES, VARIABLES = 0, 1
"""Pages beside the curve."""
NONE: I64 = np.empty(0, np.int64)


class LivenessPanel(Panel):
    """Choices and the peak above, the curve at the left, the tree or the live variables at the right. Selecting a
    variable marks its steps on the curve; the table keeps its rows. The panel's table is the one in front."""

    spec = SPECS["liveness"]
    compares = True
    empty = tr("This file has no live bytes by program; Poplar writes them into the graph profile (memory.liveness).")

    def build(self) -> None:
        display = self.context.display
        self._from_tree = Shared(self.context.document, TREE)
        self._nodes = NONE
        self._turned_by_hand = False
        self.always = check_of(tr("Always live"), tr("Include always-live memory"), on=True)
        self.limit = check_of(tr("Limit"), tr("Show the total memory of all tiles"))
        self.sides = SidesBox(self)
        self._background = Background(self)
        self._aligned: LiveSteps | None = None
        self.peak = QPushButton(tr("Peak"), self)
        set_tip(self.peak, tr("Select the program step with the most live bytes"))
        self.peaks = Readout(display, self)
        self.shown: Live | None = None
        self.canvas: PlaneCanvas[PlotScene] = PlaneCanvas(display, self)
        self.readout = Readout(display, self)
        self.tree = TreeWidget(display, self)
        self.tree.view.step = INDENT
        self.compared = ComparedTree(self.context, self.tree)
        self.variables = VariablesView(self.context, self)
        self.pages = pages_of(self, (self.tree, self.variables))
        self.tabs = Tabs(tr("What to show next to the curve"), self, (tr("Nodes"), tr("Variables")))
        left = column_of((self.canvas, 1), self.readout)
        self.splitter = split_of((left, 540), (self.pages, 460))
        inside = self.sides, self.always, self.limit, self.peak
        controls = Controls(self, *inside, (self.peaks, 1), self.tabs, folds=(self.peaks, self.limit, self.always))
        self.lay_out((self.splitter, 1), home=self.canvas, controls=controls)
        self._connect()

    def _connect(self) -> None:
        for box in (self.always, self.limit):
            box.toggled.connect(self._draw)
        self.sides.currentIndexChanged.connect(self._draw)
        self.compared.shown.connect(self.follow)
        self.tabs.currentChanged.connect(self._turn)
        self.tabs.tabBarClicked.connect(self._turn_by_hand)
        self.peak.clicked.connect(self.show_peak)
        self.canvas.pointed.connect(self._point)
        self.canvas.chosen.connect(self._choose)
        self.tree.view.chosen.connect(self._choose_rows)
        self.tree.match_selected.connect(lambda item: self._select_items(np.array([item], np.int64)))

    def tabular(self) -> Tabular:
        return self._front

    def picture(self) -> HasPicture:
        return self.canvas

    # -- contents -----------------------------------------------------------------------------------------

    def why_empty(self, profile: Profile | None) -> str:
        return "" if profile is not None and live_tree(profile) is not None else self.empty

    def clear(self) -> None:
        self.shown = self._aligned = None
        self._background.cancel()
        self.compared.end()
        self.canvas.set_scene(None)
        self.variables.set_profile(None)

    def fill(self, profile: Profile) -> None:
        self.variables.set_profile(profile)
        self._nodes = NONE
        if not self._turned_by_hand:
            self.tabs.setCurrentIndex(VARIABLES if self.variables.has_data else NODES)
        self._fill_tree(profile)
        self._align()
        self.limit.setEnabled(memory_of_all(profile) is not None)
        self._say_peaks(profile)

    def _fill_tree(self, profile: Profile) -> None:
        if self.comparison is not None:
            self.compared.show(self.comparison, live_tree, empty=self.empty)
            return
        self.compared.end()
        self.tree.set_hierarchy(live_tree(profile), empty=self.empty, key=self.context.document.current_id)
        self.tree.view.show_columns(SHOWN)

    def _align(self) -> None:
        """Aligns the program steps with those of the baseline, in the background; the curve is alone until then."""
        comparison, self._aligned = self.comparison, None
        self._background.cancel()
        self.sides.hide()
        if comparison is None or curve(comparison.before) is None:
            return
        from app.analysis.compare.timelines import live_steps  # only with a baseline

        def take(steps: LiveSteps | None) -> None:
            self._aligned = steps
            self.sides.setVisible(steps is not None)
            self._draw()

        def fail(error: FormatError) -> None:
            self.readout.say(tr("The program steps cannot be aligned: {error}", error=error))

        self._background.run(Task(lambda token, _: live_steps(comparison, token.check), take, fail))

    def show_look(self, _: Look) -> None:
        """Updates the peaks; the tree follows by itself and keeps its expanded nodes."""
        if self.profile is not None and not self.stack.is_empty:
            self._say_peaks(self.profile)

    def _say_peaks(self, profile: Profile) -> None:
        both, comparison, look = peaks(profile), self.comparison, self.context.display.look
        text, explained = ("", "") if both is None else peak_words(both, look)
        before = None if comparison is None else peaks(comparison.before)
        if both is not None and before is not None:
            text = peaks_compared(before, both, look)
        self.peaks.say(text)
        set_tip(self.peaks, f"{text}\n\n{explained}")
        self._draw()

    def _draw(self) -> None:
        profile, look = self.profile, self.context.display.look
        if profile is None:
            return
        always, limit = self.always.isChecked(), self.limit.isChecked()
        aligned, comparison = self._aligned, self.comparison
        before = None if aligned is None or comparison is None else (comparison.before, aligned)
        shown = live(profile, always=always, limit=limit, look=look, before=before, difference=self.sides.difference)
        self.shown = shown
        self.canvas.set_scene(None if shown is None else PlotScene(shown.picture, shown.flags))
        self.always.setEnabled(shown is not None and shown.curve.always is not None)
        self.peak.setEnabled(shown is not None and shown.curve.peak is not None)
        self.follow()
        self._list_variables()
        self._point(-1, "")

    # -- selection ----------------------------------------------------------------------------------------

    def show_peak(self) -> None:
        """Selects the node of the program's peak and reveals it."""
        shown = self.shown
        if shown is not None and shown.curve.peak is not None:
            peak = shown.curve.nodes[shown.curve.peak : shown.curve.peak + 1]
            self.context.document.selection.set(Selection("liveness", tuple(peak.tolist())))

    def show_selection(self, selection: Selection | None, reveal: bool) -> None:
        profile, shown = self.profile, self.shown
        if profile is None or profile.liveness is None or shown is None:
            return
        followed = selection is not None and selection.kind in FOLLOWED
        nodes = self.shared.linked(selection, "liveness") if followed else NONE
        places = shown.places_of(stations_of(shown.curve, profile.liveness, nodes))
        self.canvas.mark(places, reveal=reveal or selection is None)
        if selection is None or (followed and selection.kind != "live_variable"):
            self._nodes = nodes
            self._list_variables()
        if not self._from_tree.own(selection):
            items = self.compared.items_of(nodes)
            if len(items):
                self.tree.view.reveal(int(items[0]))
            self.tree.view.mark(items)

    @property
    def _front(self) -> TreeWidget | VariablesView:
        return self.variables if self.tabs.currentIndex() == VARIABLES else self.tree

    def _turn_by_hand(self, _: int) -> None:
        self._turned_by_hand = True

    def _turn(self, _: int) -> None:
        self.pages.setCurrentWidget(self._front)
        self._list_variables()

    def _list_variables(self) -> None:
        """Lists the variables live at the selected program steps, if their page is visible."""
        profile = self.profile
        if self._front is not self.variables or profile is None or profile.liveness is None:
            return
        nodes = listed_nodes(profile, self._nodes)
        before = NONE if self._aligned is None else self._aligned.nodes_before(self._nodes)
        description = self.variables.show_nodes(nodes, before, always=self.always.isChecked())
        self.tabs.rename(VARIABLES, description)

    def _choose(self, moments: I64, adding: bool) -> None:
        shown = self.shown
        if shown is not None:
            if adding:
                moments = union(self.canvas.marks.selected, moments)
            nodes = shown.nodes_at(moments)
            if len(nodes):  # not steps of the baseline
                self.shared.select("liveness", nodes)

    def _choose_rows(self) -> None:
        items = self.tree.view.chosen_items()
        if len(items):
            self._select_items(items)
            self.tree.view.items.chosen = None

    def _select_items(self, items: I64) -> None:
        nodes = self.compared.keys_of(items)
        if len(nodes):
            self._from_tree.select("liveness", nodes)

    def _point(self, moment: int, text: str) -> None:
        hint = tr("Point at a bar for its value. Click to select its program step, drag to select several.")
        self.readout.say(text or hint, muted=not text)
        shown = self.shown
        nodes = NONE if shown is None or moment < 0 else shown.nodes_at(np.array([moment], np.int64))
        self.shared.point("liveness", int(nodes[0]) if len(nodes) else -1)


SOURCE: Final = "live-variables"
NOT_HERE: Final = tr("No data: the file does not list the variables of this program step.")
NOTHING: Final = Table("live-variables", tr("Live variables"), ())


class VariablesView(TableWidget):
    """A table of the variables live at some nodes; at the peak if none are selected."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(context.display, parent)
        self._baselines = context.document.baselines
        self._rows = ProfileTable(context, self, SOURCE)
        self._profile: Profile | None = None
        self._tables: LiveTables | None = None
        self.has_data = False

    def set_profile(self, profile: Profile | None) -> None:
        """Sets the profile; the next ``show_nodes`` makes its table."""
        self._profile = profile
        self._tables = None if profile is None else LiveTables(profile)
        self.has_data = profile is not None and profile.live_variables is not None

    def show_nodes(self, nodes: I64, before: I64, *, always: bool) -> str:
        """Shows the variables live at ``nodes`` (none: at the peak), compared with those live at the nodes ``before``
        of the baseline, if there is one; returns a short description of them."""
        profile, tables = self._profile, self._tables
        if profile is None or tables is None or not self.has_data:
            self._rows.show_alone(NOTHING, empty=NO_VARIABLES)
            return tr("Variables")
        peak = tables.peak
        if not len(nodes) and peak is not None:
            nodes = np.array([peak], np.int64)
        table = tables.at(nodes, always=always)
        if table is None:
            self._rows.show_alone(NOTHING, empty=NOT_HERE)
            return tr("Variables")
        if self._baselines.comparison is None:
            self._rows.show_alone(table)
        else:
            self._rows.show(partial(_live_at, own=(profile, table), before=before, always=always), table=table)
        at_peak = len(nodes) == 1 and int(nodes[0]) == peak
        step = tables.where(nodes).removeprefix("any of ").replace("program step", "step")
        return tr("Variables at {step}{part}", step=step, part=" (peak)" if at_peak else "")


def _live_at(profile: Profile, *, own: tuple[Profile, Table], before: I64, always: bool) -> Table | None:
    """The table of the shown profile, which is ``own``; of the baseline, that of its nodes ``before`` (none: of its
    peak)."""
    if profile is own[0]:
        return own[1]
    tables = LiveTables(profile)
    if not len(before) and tables.peak is not None:
        before = np.array([tables.peak], np.int64)
    return tables.at(before, always=always) if len(before) else None
