"""The compute workload panel."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from PySide6.QtCore import QSize, Qt

from app.analysis.ascend import workload as view
from app.analysis.ascend.launch import block_number
from app.analysis.sorting import natural_order
from app.language import plural, tr
from app.panels.chart_panel import ChartPanel
from app.panels.registry import SPECS
from app.panels.workload.picture import block_name, not_compared, parts_of, picture_of, with_sides
from app.profile.arrays import I64, Bool
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.views.chart.bars import BarsPicture
from app.widgets.abilities import HasPicture
from app.widgets.chart.canvas import ScrolledBars
from app.widgets.controls import Controls
from app.widgets.empty import OrEmpty
from app.widgets.fields import Chooser
from app.widgets.frame import column_of, split_of
from app.widgets.table.model import TableModel
from app.widgets.tabs import Tabs
from app.widgets.texts import Label, Readout

TOGETHER = 5_000
"""Blocks that are named in one turn of the event loop."""
NO_SHARES = tr("The file has no shares for this block (block 0x06); the table has the rest.")
NO_ROWS = tr("The file has no table for this block (block 0x07).")


class WorkloadPanel(ChartPanel):
    """Choice of the block above; bars and advice at the left, tables of the sub-blocks at the right."""

    spec = SPECS["workload"]
    empty = tr("This file has no compute workload (blocks 0x06 and 0x07).")

    def build(self) -> None:
        display = self.context.display
        self._shares: list[view.Share] = []
        self._tables: list[view.SubBlockTable] = []
        self._parts: list[str] = []
        self.blocks = Chooser(tr("Block"), self)
        self.blocks.hide()  # Qt computes the minimum width once, here while there are no items
        self.blocks.setToolTip(tr("Block; step through with the arrow keys"))
        self.readout = Readout(display, self)
        self.bars: ScrolledBars[BarsPicture] = ScrolledBars(display, self)
        self.advice = Label(parent=self)
        self.advice.setProperty("tone", "warning")
        self.advice.setWordWrap(True)
        self.advice.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.advice.setContentsMargins(8, 4, 8, 4)
        self.parts = Tabs(tr("Sub-block"), self)
        self.add_table(model=WorkloadModel)
        self.chart, self.rows = OrEmpty(display, self.bars), OrEmpty(display, self.table)
        left = column_of(self.advice, (self.chart, 1))
        inside = self.blocks, (self.readout, 1), self.parts, (self.table.bar, 2)
        controls = Controls(self, *inside, folds=(self.readout,))
        split = split_of((left, 450), (self.rows, 550))
        self.lay_out((split, 1), home=self.bars.canvas, controls=controls)
        self.blocks.currentIndexChanged.connect(self._draw)
        self.blocks.activated.connect(self._choose)
        self.parts.currentChanged.connect(self._show_part)
        self.bars.canvas.chosen.connect(self._chosen_bar)

    def sizeHint(self) -> QSize:
        return QSize(900, 360)

    def picture(self) -> HasPicture:
        return self.bars.canvas

    # -- contents -----------------------------------------------------------------------------------------

    @property
    def block(self) -> str:
        """Id of the shown block."""
        return str(self.blocks.currentData() or "")

    def has_data(self, profile: Profile) -> bool:
        return profile.workload is not None and len(profile.workload.block) > 0

    def clear(self) -> None:
        self._shares, self._tables, self._parts = [], [], []
        self.profile_table.clear()

    def fill(self, profile: Profile) -> Iterator[None]:
        """Names many blocks in pieces: there may be a hundred thousand."""
        comparison = self.comparison
        own, other = view.block_ids(profile), [] if comparison is None else view.block_ids(comparison.baseline)
        ids = [*own, *sorted(set(other).difference(own))]
        many = len(ids) > TOGETHER
        if many:
            yield
        blocks = natural_order(ids)
        if many:
            yield
        titles: list[str] = []
        for first in range(0, len(blocks), TOGETHER):
            names = (block_name(block) for block in blocks[first : first + TOGETHER])
            titles += [name[:1].upper() + name[1:] for name in names]
            if many:
                yield
        if comparison is not None:
            titles = with_sides(titles, blocks, own, other)
        before = self.block
        self.blocks.offer(titles, blocks, blocks.index(before) if before in blocks else 0)
        self.blocks.show()
        self._draw()

    def _draw(self) -> None:
        profile = self.profile
        if profile is None or not self.blocks.count():
            return
        comparison = self.comparison
        picture, self._shares = picture_of(profile, self.block, comparison)
        self._tables, self._parts = view.tables(profile, self.block), parts_of(profile, self.block, comparison)
        self.say_limits(*(() if comparison is None else not_compared(comparison, self.block)))
        self.bars.canvas.show_picture(picture if self._shares else None)
        if self._shares:
            self.chart.show_content()
        else:
            self.chart.show_empty(self.lacks(NO_SHARES))
        advice = view.advice(profile, self.block)
        self.advice.setText("\n".join(f"▲ {line}" for line in advice))
        self.advice.setVisible(bool(advice))
        count = self.blocks.count()
        self.readout.say(plural("of {count:,} block", "of {count:,} blocks", count=count), muted=True)
        self._show_parts()

    def _show_parts(self) -> None:
        names = [part or tr("block") for part in self._parts]
        self.parts.offer(names)
        self.parts.setVisible(len(names) > 1)
        if names:
            self.rows.show_content()
            self._show_part(self.parts.currentIndex())
        else:
            self.rows.show_empty(self.lacks(NO_ROWS))

    def _show_part(self, place: int) -> None:
        if not 0 <= place < len(self._parts):
            return
        model, alone = self.table.view.items, self.comparison is None
        assert isinstance(model, WorkloadModel)
        model.absent = self._tables[place].absent if alone else {}
        make = partial(view.sub_block_table, block=self.block, sub_block=self._parts[place])
        self.profile_table.show(make, table=self._tables[place].table if alone else None)

    # -- selection ----------------------------------------------------------------------------------------

    def _choose(self, _: int) -> None:
        number = block_number(self.block)
        if number >= 0:
            self.shared.select("block", (number,))

    def show_selection(self, selection: Selection | None, reveal: bool) -> None:
        """Shows the first of the blocks that are selected elsewhere."""
        wanted = set(self.shared.items(selection, "block").tolist()) if reveal else set()
        if wanted and block_number(self.block) not in wanted:
            numbers = (block_number(str(self.blocks.itemData(place))) for place in range(self.blocks.count()))
            place = next((place for place, number in enumerate(numbers) if number in wanted), -1)
            if place >= 0:
                self.blocks.setCurrentIndex(place)

    def _chosen_bar(self, places: I64) -> None:
        """Shows the table of the sub-block that a bar belongs to."""
        names, place = self._parts, int(places[0])
        if place < len(self._shares) and self._shares[place].sub_block in names:
            self.parts.setCurrentIndex(names.index(self._shares[place].sub_block))


class WorkloadModel(TableModel):
    """The table's model: names exist for some units only, so empty name cells are not shown as missing."""

    absent: Mapping[str, Bool] = {}

    def own_text(self, column: int, source: int) -> str | None:
        absent = self.absent.get(self.column(column).key)
        return "" if absent is not None and absent[source] else None
