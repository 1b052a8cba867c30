"""The liveness panel: the curve, the tree, and both definitions of the peak."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QCheckBox, QPushButton, QSplitter, QTabBar, QVBoxLayout, QWidget

from app.analysis.links import translate
from app.analysis.live_tree import hierarchy
from app.analysis.poplar.live_variables import listed_nodes
from app.analysis.poplar.peaks import peaks
from app.analysis.table import Table
from app.document.document import Update
from app.panels.liveness.picture import Live, live, memory_of_all, peak_words, stations_of
from app.panels.liveness.variables_view import VariablesView
from app.profile.arrays import I64
from app.profile.selection import Kind, Selection
from app.widgets.context import Context
from app.widgets.frame import bar_of, fill, pages_of
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.plot.scene import PlotScene
from app.widgets.readout import Readout
from app.widgets.refresh import Refresh
from app.widgets.tabular import Tabular
from app.widgets.texts import caption
from app.widgets.theme import Theme
from app.widgets.tips import set_tip
from app.widgets.tree.widget import TreeWidget

SOURCE, TREE = "liveness", "liveness-tree"
SECTIONS = ("liveness", "live_variables", "tile_memory", "programs", "target")
EMPTY = "This file has no live bytes by program; Poplar writes them into the graph profile (memory.liveness)."
FOLLOWED: tuple[Kind, ...] = ("liveness", "program", "step", "slice", "compute_set", "exchange", "live_variable")
"""Kinds that stand for some moments; a tile lives through all of them."""
SHOWN = ("name", "bytes")
"""Columns that the tree has room for beside the curve; copying and exporting takes all."""
INDENT = 10
NODES, VARIABLES = 0, 1
"""Pages beside the curve."""
NONE: I64 = np.empty(0, np.int64)


class LivenessPanel(QWidget, Tabular):
    """Choices and the peak above, the curve at the left, the tree or the live variables at the right, which is its
    table. Who chooses a variable sees on the curve where it is live; the table stays where it was."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.always = _check("Always live", "Count and list what is always live too", self)
        self.limit = _check("Limit", "Show how much memory all tiles have together", self, on=False)
        self.peak = QPushButton("Peak", self)
        self.peak.setToolTip("Select the program step with the most live bytes")
        self.peaks = Readout(context.display, self)
        self.shown: Live | None = None
        self.canvas: PlaneCanvas[PlotScene] = PlaneCanvas(context.display, self)
        self.readout = Readout(context.display, self)
        self.tree = TreeWidget(context.display, self)
        self.tree.view.step = INDENT
        self.variables = VariablesView(context, self)
        self.pages = pages_of(self, (self.tree, self.variables))
        self.tabs = QTabBar(self)
        self._nodes = NONE
        self._turned_by_hand = False
        self._build()
        self._connect()
        self._refresh.request()

    def _build(self) -> None:
        bar = bar_of(self.always, self.limit, self.peak, (self.peaks, 1))
        left = QWidget(self)
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.canvas, 1)
        column.addWidget(self.readout)
        self.splitter = QSplitter(Qt.Orientation.Horizontal, self)
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setAccessibleName("What to show beside the curve")
        for title in ("Nodes", "Variables"):
            self.tabs.addTab(caption(title))
        right = QWidget(self)
        beside = QVBoxLayout(right)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(0)
        beside.addWidget(self.tabs)
        beside.addWidget(self.pages, 1)
        self.splitter.addWidget(left)
        self.splitter.addWidget(right)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setSizes([600, 400])
        self.stack = fill(self, self._context.display, bar, self.splitter)
        self.setFocusProxy(self.canvas)

    def _connect(self) -> None:
        document = self._context.document
        self._refresh = Refresh(self, self._show)
        document.updated.connect(self._updated)
        document.selection.changed.connect(self._selected)
        self._context.display.changed.connect(self._look_changed)
        for box in (self.always, self.limit):
            box.toggled.connect(self._draw)
        self.tabs.currentChanged.connect(self._turn)
        self.tabs.tabBarClicked.connect(self._turn_by_hand)
        self.peak.clicked.connect(self.show_peak)
        self.canvas.pointed.connect(self._point)
        self.canvas.chosen.connect(self._choose)
        self.tree.view.chosen.connect(self._choose_rows)
        self.tree.found.connect(lambda node: self._set(np.array([node], np.int64), TREE))

    # -- abilities ----------------------------------------------------------------------------------------

    def shown_table(self) -> Table | None:
        return self._front.shown_table()

    def shown_rows(self) -> I64 | None:
        return self._front.shown_rows()

    def selected_rows(self) -> I64:
        return self._front.selected_rows()

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        self.canvas.draw_picture(painter, place, theme)

    # -- contents -----------------------------------------------------------------------------------------

    def _updated(self, update: Update) -> None:
        if update.profile is None or update.touches(*SECTIONS):
            self._refresh.request()

    def _show(self) -> None:
        profile = self._context.document.profile
        tree = None if profile is None else hierarchy(profile)
        if profile is None or tree is None:
            self.shown = None
            self.canvas.set_scene(None)
            self.variables.set_profile(None)
            self.stack.show_empty(EMPTY)
            return
        self.stack.show_content()
        self.variables.set_profile(profile)
        self._nodes = NONE
        if not self._turned_by_hand:
            self.tabs.setCurrentIndex(VARIABLES if self.variables.has_data else NODES)
        self.tree.set_hierarchy(tree, empty=EMPTY, key=self._context.document.current_id)
        self.tree.view.show_columns(SHOWN)
        self.limit.setEnabled(memory_of_all(profile) is not None)
        self._look_changed()

    def _look_changed(self) -> None:
        """Figures and colours; the tree follows by itself, and stays open where it is."""
        profile = self._context.document.profile
        if profile is None or self.stack.is_empty:
            return
        found = peaks(profile)
        text, explained = ("", "") if found is None else peak_words(found, self._context.display.look)
        self.peaks.say(text)
        set_tip(self.peaks, f"{text}\n\n{explained}")
        self._draw()

    def _draw(self) -> None:
        profile, look = self._context.document.profile, self._context.display.look
        if profile is None:
            return
        shown = live(profile, always=self.always.isChecked(), limit=self.limit.isChecked(), look=look)
        self.shown = shown
        self.canvas.set_scene(None if shown is None else PlotScene(shown.picture, shown.flags))
        self.always.setEnabled(shown is not None and shown.curve.always is not None)
        self.peak.setEnabled(shown is not None and shown.flag is not None)
        self._selected(self._context.document.selection.value)
        self._list_variables()
        self._point(-1, "")

    # -- selection ----------------------------------------------------------------------------------------

    def show_peak(self) -> None:
        """Selects the node of the program peak and brings it to view."""
        shown = self.shown
        if shown is not None and shown.curve.peak is not None:
            self._set(shown.curve.nodes[shown.curve.peak : shown.curve.peak + 1], "")

    def _selected(self, selection: Selection | None) -> None:
        profile, shown = self._context.document.profile, self.shown
        if profile is None or profile.liveness is None or shown is None:
            return
        nodes = NONE
        if selection is not None and selection.kind in FOLLOWED:
            nodes = translate(profile, selection, "liveness")
        source = "" if selection is None else selection.source
        self.canvas.mark(stations_of(shown.curve, profile.liveness, nodes), reveal=source != SOURCE)
        if selection is None or (selection.kind in FOLLOWED and selection.kind != "live_variable"):
            self._nodes = nodes
            self._list_variables()
        if source != TREE:
            if len(nodes):
                self.tree.view.reveal(int(nodes[0]))
            self.tree.view.mark(nodes)

    @property
    def _front(self) -> TreeWidget | VariablesView:
        return self.variables if self.tabs.currentIndex() == VARIABLES else self.tree

    def _turn_by_hand(self, _: int) -> None:
        self._turned_by_hand = True

    def _turn(self, _: int) -> None:
        self.pages.setCurrentWidget(self._front)
        self._list_variables()

    def _list_variables(self) -> None:
        """The variables at the chosen program steps, if somebody looks at them."""
        profile = self._context.document.profile
        if self._front is not self.variables or profile is None or profile.liveness is None:
            return
        nodes = listed_nodes(profile, self._nodes)
        said = self.variables.show_nodes(nodes, always=self.always.isChecked())
        self.tabs.setTabText(VARIABLES, caption(said))

    def _choose(self, moments: I64, adding: bool) -> None:
        shown = self.shown
        if shown is not None:
            if adding:
                moments = np.union1d(self.canvas.marks.selected, moments)
            self._set(shown.curve.nodes[moments], SOURCE)

    def _choose_rows(self) -> None:
        nodes = self.tree.view.chosen_items()
        if len(nodes):
            self._set(nodes, TREE)
            self.tree.view.items.chosen = None

    def _set(self, nodes: I64, source: str) -> None:
        self._context.document.selection.set(Selection("liveness", tuple(nodes.tolist()), source))

    def _point(self, moment: int, text: str) -> None:
        hint = "Point at a bar for its figure; a click selects its program step, a drag several."
        self.readout.say(text or hint, muted=not text)
        shown = self.shown
        node = int(shown.curve.nodes[moment]) if shown is not None and moment >= 0 else -1
        self._context.document.hover.set(Selection("liveness", (node,), SOURCE) if node >= 0 else None)


def _check(text: str, about: str, parent: QWidget, *, on: bool = True) -> QCheckBox:
    box = QCheckBox(text, parent)
    box.setChecked(on)
    set_tip(box, about)
    return box
