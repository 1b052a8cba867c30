"""The operator panel."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QCheckBox

from app.analysis.table import Table
from app.analysis.tables.ascend_report import block_details
from app.language import tr
from app.panels.chart_panel import CanvasPanel
from app.panels.operator.picture import about_blocks, page, picture_of, stated
from app.panels.panel import NO_ROWS
from app.panels.registry import SPECS
from app.profile.arrays import I64, among, union
from app.profile.ascend import Operator
from app.profile.profile import Profile
from app.views.look import Look
from app.views.plot import PlotPicture
from app.widgets.controls import Controls
from app.widgets.empty import OrEmpty
from app.widgets.frame import column_of, pages_of, split_of
from app.widgets.page import Page
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.plot.scene import PlotScene, plot_scene
from app.widgets.shared import Shared
from app.widgets.tabular import Tabular
from app.widgets.texts import Readout
from app.widgets.tips import set_tip
from app.widgets.twin import SAME

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison
    from app.analysis.compare.operators import ComparedDurations

MANY = 10_000
"""More blocks than this are compared in the background."""
CHART = "operator/chart"
NO_BLOCKS = tr("The file has no data for single blocks.")


class OperatorPanel(CanvasPanel):
    """Facts at the left that the summary does not have; durations as bars, or as their table, at the right."""

    spec = SPECS["operator"]
    empty = tr("This file has no base information (block 0x05).")
    kind = "block"

    def build(self) -> None:
        display = self.context.display
        self.shared = Shared(self.context.document, CHART)
        self._keys = NO_ROWS
        self.facts = Page(display, tr("Base information"), self)
        self.sheet = self.facts.stack
        self.canvas: PlaneCanvas[PlotScene] = PlaneCanvas(display, self)
        self.readout = Readout(display, self)
        self.add_table()
        self.chart = column_of((self.canvas, 1), self.readout)
        self.as_table = QCheckBox(tr("Table"), self)
        set_tip(self.as_table, SAME)
        self.as_table.toggled.connect(self._turn)
        self.blocks = pages_of(self, (self.chart, self.table))
        self.right = OrEmpty(display, self.blocks, self)
        split = split_of((self.facts, 280), (self.right, 720))
        split.setStretchFactor(1, 1)
        controls = Controls(self, self.as_table, (self.table.bar, 3), 1)
        self.lay_out((split, 1), home=self.canvas, controls=controls)
        self.link_canvas()

    def sizeHint(self) -> QSize:
        return QSize(900, 360)

    def tabular(self) -> Tabular | None:
        return None if self.right.is_empty else self.table

    def selected_rows(self) -> I64:
        """Those of the table, also while the bars are in front, when it does not follow the selection."""
        table = None if self.right.is_empty else self.table.shown_table()
        if table is None or table.keys is None or self.blocks.currentWidget() is self.table:
            return super().selected_rows()
        return np.flatnonzero(among(table.keys, self.shared.items(self.shared.selection, "block"))).astype(np.int64)

    def show_look(self, _: Look) -> None:
        self.refill()

    # -- contents -----------------------------------------------------------------------------------------

    def clear(self) -> None:
        self.profile_table.clear()
        self._background.cancel()

    def fill(self, profile: Profile) -> None:
        self._background.cancel()
        base, comparison = profile.operator, self.comparison
        if base is None:
            return
        self.facts.show_sheet(page(base, self.context.display, comparison, stated(profile)))
        if comparison is None:
            self.say_limits()
            self._show_blocks(picture_of(base), block_details(profile))
            return
        from app.analysis.compare.operators import compared_durations

        self.compute(
            lambda _: compared_durations(comparison),
            partial(self._show_compared, comparison, base),
            lambda error: self.limits.say((str(error),)),
            now=max(map(_blocks, (comparison.before, comparison.after))) <= MANY,
        )

    def _show_compared(self, comparison: Comparison, base: Operator, both: ComparedDurations | None) -> None:
        from app.analysis.compare.operators import blocks_not_compared

        if comparison is not self.comparison:
            return
        self.say_limits(*blocks_not_compared(comparison, both))
        picture = None if both is None else picture_of(base, both)
        self._show_blocks(picture, block_details(comparison.after), None if both is None else both.rows_after)
        self.follow()

    def _show_blocks(self, picture: PlotPicture | None, table: Table | None, rows: I64 | None = None) -> None:
        """Shows bars and table; ``rows``: the row that each bar is, -1 for none; None: each row is a bar."""
        if table is None:
            self._keys = NO_ROWS
            self.canvas.set_scene(None)
            self.right.show_empty(self.lacks(NO_BLOCKS))
            return
        self.right.show_content()
        self._keys = NO_ROWS if table.keys is None else table.keys
        if rows is not None:
            from app.analysis.compare.as_table import taken_keys

            self._keys = taken_keys(self._keys, rows)
        self.canvas.set_scene(plot_scene(picture))
        self.as_table.setVisible(picture is not None)
        self._turn()
        self.profile_table.show(block_details, table=table)
        self._say("")

    def _turn(self) -> None:
        """Shows the bars or their table, which stands alone where there are no durations."""
        tabular = self.as_table.isChecked() or self.canvas.scene is None
        self.blocks.setCurrentWidget(self.table if tabular else self.chart)

    def _say(self, pointed: str) -> None:
        """Shows the hovered block, or else how evenly the blocks are loaded."""
        base = None if self.profile is None else self.profile.operator
        if pointed or base is None:
            self.readout.say(pointed)
            return
        comparison = self.comparison
        before = None if comparison is None else comparison.before.operator
        texts = [about_blocks(base)]
        if before is not None:
            texts.append(tr("baseline: {text}", text=about_blocks(before) or tr("no durations")))
        self.readout.say(" · ".join(text for text in texts if text))

    # -- selection ----------------------------------------------------------------------------------------

    @property
    def items(self) -> I64:
        return self._keys

    def choose(self, chosen: I64, adding: bool) -> None:
        chosen = chosen[chosen < len(self._keys)]
        if adding:
            chosen = union(self.canvas.marks.selected, chosen)
        numbers = [key for key in self._keys[chosen].tolist() if key >= 0]
        if numbers:
            self.shared.select("block", numbers)
        else:  # blocks without a number cannot be selected in other panels
            self.table.view.mark(chosen if self.comparison is None else NO_ROWS)
            self.canvas.mark(chosen)

    def point(self, mark: int, text: str = "") -> None:
        self._say(text)
        super().point(mark)


def _blocks(profile: Profile) -> int:
    """How many rows the block table has."""
    base = profile.operator
    return len(base.blocks[0].values) if base is not None and base.blocks else 0
