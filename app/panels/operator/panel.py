"""The operator panel."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QSize

from app.analysis.ascend import launch
from app.analysis.ascend.launch import NotChecked, in_waves, waves
from app.analysis.table import Table, Unit
from app.analysis.tables.ascend_report import block_details
from app.document.background import Background, Task
from app.language import labelled, plural, tr
from app.panels.operator import SPEC
from app.panels.operator.picture import picture_of
from app.panels.panel import Panel
from app.profile.arrays import I64, union
from app.profile.operator import Operator
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.views.line import Line
from app.views.look import Look
from app.views.plot.picture import PlotPicture
from app.views.units import exact, format_value, three_digits
from app.widgets.abilities import HasPicture
from app.widgets.display import Display
from app.widgets.empty import OrEmpty
from app.widgets.frame import column_of, split_of
from app.widgets.limits import Limits
from app.widgets.page import Page
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.plot.scene import PlotScene, plot_scene
from app.widgets.readout import Readout
from app.widgets.shared import Shared
from app.widgets.sheet import Sheet
from app.widgets.table.profile_table import ProfileTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison
    from app.analysis.compare.operators.blocks import ComparedDurations

MANY = 10_000
"""More blocks than this are compared in the background."""
CHART = "operator/chart"
NO_BLOCKS = tr("The file has no data for single blocks.")
UNEVEN = 1.05
"""The longest block is compared with the mean if it takes at least this many times as long."""
NOTHING: I64 = np.empty(0, np.int64)


class OperatorPanel(Panel):
    """Facts at the left; durations as bars and as a table at the right; selecting in one marks the other."""

    spec = SPEC
    empty = tr("This file has no base information (block 0x05).")
    compares = True

    def build(self) -> None:
        display = self.context.display
        self.shared = Shared(self.context.document, CHART)
        self._keys = NOTHING
        self._background = Background(self)
        self.facts = Page(display, tr("Base information"), self)
        self.sheet = self.facts.stack
        self.canvas: PlaneCanvas[PlotScene] = PlaneCanvas(display, self)
        self.readout = Readout(display, self)
        self.table = TableWidget(display, self)
        self._shown = ProfileTable(self.context, self.table, self.spec.id)
        self.limits = Limits(display, self)
        self.chart = column_of((self.canvas, 1), self.readout)
        self.blocks = split_of((self.chart, 600), (self.table, 400), below=True)
        self.right = OrEmpty(display, self.blocks, self)
        split = split_of((self.facts, 280), (self.right, 720))
        split.setStretchFactor(1, 1)
        self.lay_out(self.limits, (split, 1), home=self.canvas, controls=self.table.bar)
        self.canvas.chosen.connect(self._choose)
        self.canvas.pointed.connect(self._point)

    def sizeHint(self) -> QSize:
        return QSize(900, 360)

    def tabular(self) -> Tabular | None:
        return None if self.right.is_empty else self.table

    def picture(self) -> HasPicture:
        return self.canvas

    def show_look(self, _: Look) -> None:
        self.refill()

    # -- contents -----------------------------------------------------------------------------------------

    def clear(self) -> None:
        self._shown.clear()
        self._background.cancel()

    def fill(self, profile: Profile) -> None:
        self._background.cancel()
        base, comparison = profile.operator, self.comparison
        if base is None:
            return
        if comparison is None:
            self.facts.show_sheet(page(base, self.context.display))
            self.limits.say(())
            table = block_details(profile)
            own = NOTHING if table is None or table.keys is None else table.keys
            self._show_blocks(picture_of(base), table, own)
        else:
            self._compare(comparison, base)

    def _compare(self, comparison: Comparison, base: Operator) -> None:
        from app.analysis.compare.operators.blocks import compared_durations
        from app.panels.operator import compared

        self.facts.show_sheet(compared.page(comparison, self.context.display, _remarks(base)))
        if max(map(_blocks, (comparison.before, comparison.after))) <= MANY:
            self._show_compared(comparison, base, compared_durations(comparison))
            return
        work = partial(compared_durations, comparison)
        show = partial(self._show_compared, comparison, base)
        self._background.run(Task(lambda *_: work(), show, lambda error: self.limits.say((str(error),))))

    def _show_compared(self, comparison: Comparison, base: Operator, both: ComparedDurations | None) -> None:
        from app.analysis.compare.operators.blocks import not_compared
        from app.analysis.compare.operators.rows import taken_keys
        from app.panels.operator import compared

        if comparison is not self.comparison:
            return
        self.limits.say((*comparison.limits, *not_compared(comparison, both)))
        table = block_details(comparison.after)
        picture = None if both is None else compared.compared_picture(both, base)
        own = NOTHING if table is None or table.keys is None else table.keys
        self._show_blocks(picture, table, own if both is None else taken_keys(own, both.rows_after))
        self.follow()

    def _show_blocks(self, picture: PlotPicture | None, table: Table | None, keys: I64) -> None:
        """Shows bars and table; ``keys``: the numbers of the blocks that the bars are, -1 for none."""
        if table is None:
            self._keys = NOTHING
            self.canvas.set_scene(None)
            self.right.show_empty(self.lacks(NO_BLOCKS))
            return
        self.right.show_content()
        self._keys = keys
        self.canvas.set_scene(plot_scene(picture))
        self.chart.setVisible(picture is not None)
        self._shown.show(block_details, table=table)
        self._say("")

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

    def _places(self, selection: Selection | None) -> I64:
        """Indices of the bars that ``selection`` refers to."""
        return np.flatnonzero(np.isin(self._keys, self.shared.items(selection, "block"))).astype(np.int64)

    def show_selection(self, selection: Selection | None, reveal: bool) -> None:
        self.canvas.mark(self._places(selection), reveal=reveal)

    def show_hover(self, hover: Selection | None) -> None:
        places = self._places(hover if hover is not None and hover.kind == "block" else None)
        self.canvas.hover(int(places[0]) if len(places) else -1)

    def _choose(self, chosen: I64, adding: bool) -> None:
        chosen = chosen[chosen < len(self._keys)]
        if adding:
            chosen = union(self.canvas.marks.selected, chosen)
        numbers = [key for key in self._keys[chosen].tolist() if key >= 0]
        if numbers:
            self.shared.select("block", numbers)
        else:  # blocks without a number cannot be selected in other panels
            self.table.view.mark(chosen if self.comparison is None else NOTHING)
            self.canvas.mark(chosen)

    def _point(self, place: int, text: str) -> None:
        self._say(text)
        self.shared.point("block", int(self._keys[place]) if 0 <= place < len(self._keys) else -1)


def _blocks(profile: Profile) -> int:
    """How many rows the block table has."""
    base = profile.operator
    return len(base.blocks[0].values) if base is not None and base.blocks else 0


def about_blocks(base: Operator) -> str:
    """How many blocks there are, and how much longer the longest took than the mean; "" without durations."""
    unit: Unit = "" if launch.doubtful(base) else "µs"
    names: Sequence[str] = launch.block_names(base)
    parts: list[str] = []
    for spread in launch.spreads(base):
        over = spread.longest / spread.mean if spread.mean > 0 else 1.0
        longest, block = format_value(spread.longest, unit), names[spread.block]
        mean = tr(
            "mean {mean}, median {median}",
            mean=format_value(spread.mean, unit),
            median=format_value(spread.median, unit),
        )
        text = (
            tr(
                "longest {longest} in block {block}, {over} × the mean",
                longest=longest,
                block=block,
                over=three_digits(over),
            )
            if over >= UNEVEN
            else tr("longest {longest} in block {block}", longest=longest, block=block)
        )
        parts += [text if spread.name == tr("Duration") else labelled(spread.name, text), mean]
    schedule = waves(base)
    blocks: str = plural("{count:,} block", "{count:,} blocks", count=len(names))
    if not isinstance(schedule, NotChecked):
        blocks = in_waves(schedule, blocks)
    return " · ".join([blocks, *parts]) if parts else ""


THROTTLED = tr("The chip ran clearly below its rated frequency; times are longer than necessary.")


def page(base: Operator, display: Display) -> Sheet:
    """Name, facts and advice."""
    sheet = Sheet(display)
    sheet.title(base.name or tr("Operator without a name"))
    for text in _remarks(base):
        sheet.say(f"▲ {text}", "warning")
    sheet.space(4)
    sheet.facts(_line(fact) for fact in launch.facts(base))
    sheet.end()
    return sheet


def _remarks(base: Operator) -> tuple[str, ...]:
    """What the file advises, or that the chip was throttled."""
    return (*base.advice, *((THROTTLED,) if launch.throttled(base) and not base.advice else ()))


def _line(fact: launch.Fact) -> Line:
    shown = format_value(fact.value, fact.unit)
    full = exact(fact.value, fact.unit)
    help_ = "\n".join(part for part in (fact.help, full if full != shown else "") if part)
    return Line(fact.label, shown, help_)
