"""The on-chip memory panel."""

from __future__ import annotations

from app.analysis.onchip import scope_names
from app.analysis.table import Table
from app.analysis.tables.ascend_load import blocks as blocks_table
from app.language import tr
from app.panels.chart_panel import CanvasPanel
from app.panels.onchip.picture import PlanScene, has_blocks, scene_of
from app.panels.panel import NO_ROWS
from app.panels.registry import SPECS
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.widgets.controls import Controls
from app.widgets.fields import Chooser
from app.widgets.plane.canvas import PlaneCanvas


class OnchipPanel(CanvasPanel):
    """Chooser of the memory above; its blocks over the steps of the intermediate code, or the table, below."""

    spec = SPECS["onchip"]
    empty = tr("This memory plan has no blocks.")
    as_left = True
    kind = "onchip_block"

    def build(self) -> None:
        self._scene: PlanScene | None = None
        self.memory = Chooser(tr("Memory"), self)
        self.canvas: PlaneCanvas[PlanScene] = PlaneCanvas(self.context.display, self)
        self.add_twin(self.canvas, tr("The same blocks as a table: to sort, copy and export"))
        controls = Controls(self, self.memory, self.as_table, (self.table.bar, 3), 1, folds=(self.as_table,))
        self.lay_out((self.twin, 1), home=self.canvas, controls=controls)
        self.link_canvas()
        self.memory.currentIndexChanged.connect(self._draw)
        self.twin.turned.connect(self.memory.setDisabled)

    def has_data(self, profile: Profile) -> bool:
        return has_blocks(profile)

    def clear(self) -> None:
        self._scene = None
        self.canvas.set_scene(None)

    def fill(self, profile: Profile) -> None:
        assert profile.onchip is not None
        self.twin.renew()
        names = scope_names(profile.onchip)
        titles = [name or tr("memory {number}", number=number) for number, name in enumerate(names)]
        self.memory.offer([tr("All memories"), *titles], [None, *range(len(names))])
        self.memory.setVisible(len(names) > 1)
        self._draw()

    def _draw(self) -> None:
        plan = None if self.profile is None else self.profile.onchip
        if plan is not None:
            self._scene = scene_of(plan, self.memory.number, self.comparison)
            self.canvas.set_scene(self._scene)
            self.follow()

    def table_of(self, profile: Profile) -> Table | None:
        return blocks_table(profile)

    def marked_rows(self) -> I64:
        return self.items[self.canvas.marks.selected]

    @property
    def items(self) -> I64:
        return NO_ROWS if self._scene is None else self._scene.boxes.block
