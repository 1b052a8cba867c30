"""The liveness panel: the curve, the tree, and both definitions of the peak."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtWidgets import QPushButton

from app.analysis.poplar.liveness import curve, listed_nodes, peaks
from app.analysis.trees import live_tree
from app.document.background import Background, Task
from app.formats.errors import FormatError
from app.language import tr
from app.panels.liveness import SPEC
from app.panels.liveness.picture import Live, live, memory_of_all, peak_words, peaks_compared, stations_of
from app.panels.liveness.variables_view import VariablesView
from app.panels.panel import Panel
from app.profile.arrays import I64, union
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection
from app.views.look import Look
from app.widgets.abilities import HasPicture
from app.widgets.controls import Controls
from app.widgets.frame import check_of, column_of, pages_of, split_of
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.plot.scene import PlotScene
from app.widgets.plot.sides_box import SidesBox
from app.widgets.readout import Readout
from app.widgets.shared import Shared
from app.widgets.tabs import Tabs
from app.widgets.tabular import Tabular
from app.widgets.tips import set_tip
from app.widgets.tree.compared import ComparedTree
from app.widgets.tree.widget import TreeWidget

if TYPE_CHECKING:
    from app.analysis.compare.live_steps import LiveSteps

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

    spec = SPEC
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
        from app.analysis.compare.live_steps import live_steps  # only with a baseline

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
        if self._aligned is None or self.comparison is None:
            shown = live(profile, always=always, limit=limit, look=look)
        else:
            from app.panels.liveness.compared import live_compared  # only with a baseline

            difference = self.sides.difference
            shown = live_compared(
                self.comparison, self._aligned, difference=difference, always=always, limit=limit, look=look
            )
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
