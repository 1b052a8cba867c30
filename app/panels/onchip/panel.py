"""The on-chip memory panel."""

from __future__ import annotations

import numpy as np

from app.analysis.onchip import scope_names
from app.analysis.table import Table
from app.analysis.tables.ascend_load import blocks as blocks_table
from app.language import tr
from app.panels.onchip import SPEC
from app.panels.onchip.scene import PlanScene
from app.panels.panel import Panel
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.views.onchip.bands import boxes_of
from app.widgets.abilities import HasPicture
from app.widgets.chooser import Chooser
from app.widgets.controls import Controls
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.tabular import Tabular
from app.widgets.twin import Twin

NONE: I64 = np.empty(0, np.int64)


class OnchipPanel(Panel):
    """Chooser of the memory above; its blocks over the steps of the intermediate code, or the table, below."""

    spec = SPEC
    empty = tr("This memory plan has no blocks.")
    as_left = True
    compares = True

    def build(self) -> None:
        self._scene: PlanScene | None = None
        self.memory = Chooser(tr("Memory"), self)
        self.canvas: PlaneCanvas[PlanScene] = PlaneCanvas(self.context.display, self)
        tip = tr("The same blocks as a table: to sort, copy and export")
        self.twin = Twin(self.context, self.spec.id, self.canvas, self._table, self._marked, tip, compares=True)
        self.as_table, self.table = self.twin.box, self.twin.table
        controls = Controls(self, self.memory, self.as_table, (self.table.bar, 3), 1, folds=(self.as_table,))
        self.lay_out((self.twin, 1), home=self.canvas, controls=controls)
        self.memory.currentIndexChanged.connect(self._draw)
        self.twin.turned.connect(self.memory.setDisabled)
        self.canvas.chosen.connect(self._choose)
        self.canvas.pointed.connect(self._point)

    def tabular(self) -> Tabular:
        return self.twin

    def picture(self) -> HasPicture:
        return self.canvas

    def clear(self) -> None:
        self._scene = None
        self.canvas.set_scene(None)

    def fill(self, profile: Profile) -> None:
        plan = profile.onchip
        if plan is None or blocks_table(profile) is None:
            self.clear()
            self.say_empty(self.lacks(self.empty))
            return
        self.twin.renew()
        names = scope_names(plan)
        titles = [name or tr("memory {number}", number=number) for number, name in enumerate(names)]
        self.memory.offer([tr("All memories"), *titles], [None, *range(len(names))])
        self.memory.setVisible(len(names) > 1)
        self._draw()

    def _draw(self) -> None:
        plan = None if self.profile is None else self.profile.onchip
        if plan is None:
            return
        boxes, baseline = boxes_of(plan, self.memory.number), None
        if self.comparison is not None:
            from app.views.onchip.compared import ghosts_of, onchip_baseline  # only with a baseline

            baseline = onchip_baseline(self.comparison)
        ghosts = None if baseline is None else ghosts_of(baseline, plan, boxes)
        self._scene = PlanScene(plan, boxes, baseline, ghosts)
        self.canvas.set_scene(self._scene)
        self.follow()

    def _table(self, profile: Profile) -> Table | None:
        return blocks_table(profile)

    def _marked(self) -> I64:
        if self._scene is None:
            return NONE
        return self._scene.boxes.block[self.canvas.marks.selected]

    def show_selection(self, selection: Selection | None, reveal: bool) -> None:
        self.canvas.mark(self._places(selection).tolist(), reveal=reveal)

    def show_hover(self, hover: Selection | None) -> None:
        places = self._places(hover) if hover is not None and hover.kind == "onchip_block" else NONE
        self.canvas.hover(int(places[0]) if len(places) else -1)

    def _places(self, selection: Selection | None) -> I64:
        if self._scene is None:
            return NONE
        blocks = self.shared.items(selection, "onchip_block")
        return np.flatnonzero(np.isin(self._scene.boxes.block, blocks)).astype(np.int64)

    def _choose(self, places: I64, adding: bool) -> None:
        if self._scene is not None:
            self.shared.toggle("onchip_block", int(self._scene.boxes.block[places[0]]), adding=adding)

    def _point(self, place: int) -> None:
        there = self._scene is not None and place >= 0
        self.shared.point("onchip_block", int(self._scene.boxes.block[place]) if there and self._scene else -1)
