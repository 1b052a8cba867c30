"""Panels of a whole Ascend capture: training steps, kernels, communication, and memory over time. Each has a picture at
the left and tables at the right."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar

import numpy as np
from msgspec import Struct
from PySide6.QtWidgets import QWidget

from app.analysis.table import Table
from app.analysis.tables import by_id
from app.formats.errors import FormatError
from app.language import tr
from app.panels.chart_panel import ChartPanel
from app.panels.panel import NO_ROWS
from app.panels.registry import SPECS
from app.panels.spec import PlotSpec, chart_plot
from app.profile.arrays import I64, among, distinct
from app.profile.profile import Profile
from app.views.capture import (
    MemoryPicture,
    collectives_picture,
    memory_picture,
    ranks_of,
    steps_picture,
    types_picture,
)
from app.views.chart.bars import MOST_BARS
from app.widgets.abilities import HasPicture
from app.widgets.chart.canvas import ChartCanvas, Picture, ScrolledBars
from app.widgets.controls import Controls
from app.widgets.fields import Chooser
from app.widgets.frame import split_of
from app.widgets.tabs import Tabs

Drawn = tuple[Picture, I64]
Draw = Callable[[Table, Table | None], Drawn]

SMALL = 100_000
"""Up to so many kernels and collectives, tables are made at once."""
STEPS, KERNEL_TYPES, COLLECTIVES = "steps-of-training", "kernel-types", "collectives"


def drawn(draw: Draw, table_id: str, profile: Profile, before: Profile | None = None) -> Drawn | None:
    """(the picture of a table of ``profile``, with that of a baseline; the bar of each row); None without rows."""
    table = by_id(profile, table_id)
    if table is None or not table.rows:
        return None
    return draw(table, None if before is None else by_id(before, table_id))


class Page(Struct, frozen=True):
    """A tab with a table. ``section``: what it is made from; making it only to see whether it has rows takes too long
    where there are a million. ``ranks``: so many are needed at least."""

    title: str
    table: str
    section: str
    ranks: int = 1

    def offered(self, profile: Profile) -> bool:
        rows, capture = profile.section(self.section), profile.capture
        return bool(rows) and capture is not None and len(capture) >= self.ranks


class _PagesPanel(ChartPanel):
    """A picture at the left, and at the right a tab for each of ``tables`` that the profile has."""

    tables: ClassVar[tuple[Page, ...]]

    def add_pages(self, home: QWidget, shown: QWidget, *controls: QWidget) -> None:
        """Makes the table and its tabs, and lays them out beside ``shown``, whose canvas is ``home``."""
        self.pages = Tabs(tr("Table"), self)
        self.add_table()
        split = split_of((shown, 500), (self.table, 500))
        bar = Controls(self, *controls, self.pages, (self.table.bar, 1))
        self.lay_out((split, 1), home=home, controls=bar)
        self.pages.currentChanged.connect(self._show_table)

    @property
    def shown_id(self) -> str:
        """Id of the table that is shown."""
        return next((page.table for page in self.tables if page.title == self.pages.chosen), self.tables[0].table)

    def table_of(self, profile: Profile) -> Table | None:
        return by_id(profile, self.shown_id) or Table(self.shown_id, "", ())

    def fill(self, profile: Profile) -> None:
        self.pages.offer([page.title for page in self.tables if page.offered(profile)])
        self.pages.setVisible(self.pages.count() > 1)
        self.draw()

    def clear(self) -> None:
        self._background.cancel()
        self.profile_table.clear()

    def draw(self) -> None:
        """Draws the picture of the shown profile."""
        raise NotImplementedError

    def _show_table(self) -> None:
        self.say_limits()
        self.profile_table.show(self.table_of)

    def fail(self, error: FormatError) -> None:
        """Says why the picture could not be made."""
        self.say_limits(str(error))


class _BarsPanel(_PagesPanel):
    """The picture has a bar for each row of the first of ``tables``; what is selected in one is marked in the other."""

    @staticmethod
    def bars_of(table: Table, before: Table | None, /) -> Drawn:
        """The picture of the first table, with that of a baseline; the bar of each row. Runs in a thread."""
        raise NotImplementedError

    def build(self) -> None:
        self._bars: I64 = NO_ROWS
        self.bars: ScrolledBars[Picture] = ScrolledBars(self.context.display, self)
        self.add_pages(self.bars.canvas, self.bars)
        self.bars.canvas.chosen.connect(self._chosen_bars)
        self.table.view.chosen.connect(self._chosen_rows)

    def picture(self) -> HasPicture:
        return self.bars.canvas

    def clear(self) -> None:
        super().clear()
        self._take(None)

    def draw(self) -> None:
        profile, comparison = self.profile, self.comparison
        if profile is not None:
            before = None if comparison is None else comparison.before
            work = partial(drawn, self.bars_of, self.tables[0].table, profile, before)
            self.compute(lambda _: work(), self._show_drawn, self.fail, now=rows_of(profile) <= SMALL)

    def _show_drawn(self, result: Drawn | None) -> None:
        """Shows the picture, then the table: what takes long has been computed for the picture and is kept."""
        self._take(result)
        self._show_table()

    def _take(self, result: Drawn | None) -> None:
        picture, self._bars = (None, NO_ROWS) if result is None else result
        self.bars.canvas.show_picture(picture)

    @property
    def _linked(self) -> bool:
        """Whether the table has the rows that the bars show."""
        return self.shown_id == self.tables[0].table and self.comparison is None

    def _chosen_bars(self, bars: I64) -> None:
        if self._linked:
            self.table.view.mark(np.flatnonzero(among(self._bars, bars)))

    def _chosen_rows(self) -> None:
        if self._linked and len(self._bars):
            bars = distinct(self._bars[self.table.selected_rows()])
            self.bars.canvas.mark(bars[(bars >= 0) & (bars < MOST_BARS)])


def rows_of(profile: Profile) -> int:
    """How many kernels and collectives there are."""
    return sum(len(rows) for rows in (profile.kernels, profile.collectives) if rows is not None)


class TrainingStepsPanel(_BarsPanel):
    """How the time of each rank and step is spent."""

    spec = SPECS["training_steps"]
    empty = tr("The capture has no kernels, and no table of its steps.")
    tables = (Page(tr("Steps"), STEPS, "training_steps"),)
    bars_of = staticmethod(steps_picture)


class KernelsPanel(_BarsPanel):
    """Kernels by type, each of them, and the operators and calls of the host."""

    spec = SPECS["kernels"]
    empty = tr("The capture has no kernels.")
    tables = (
        Page(tr("Types"), KERNEL_TYPES, "kernels"),
        Page(tr("Kernels"), "kernels", "kernels"),
        Page(tr("Operators"), "framework-operators", "framework_operators"),
        Page(tr("Calls"), "calls", "calls"),
    )
    bars_of = staticmethod(types_picture)


class CommunicationPanel(_BarsPanel):
    """Collectives, how late the ranks begin them, and the links between ranks."""

    spec = SPECS["communication"]
    empty = tr("The capture has no communication.")
    tables = (
        Page(tr("Collectives"), COLLECTIVES, "collectives"),
        Page(tr("Delays"), "collective-delays", "collectives", ranks=2),
        Page(tr("Links"), "links", "links"),
    )
    bars_of = staticmethod(collectives_picture)


class DeviceMemoryPanel(_PagesPanel):
    """Curves of one rank, and what took memory."""

    spec = SPECS["device_memory"]
    empty = tr("The capture has no record of memory: profile_memory was off.")
    tables = (
        Page(tr("Operators"), "memory-operators", "memory_operators"),
        Page(tr("Records"), "memory-record", "memory_record"),
    )

    def build(self) -> None:
        self.ranks = Chooser(tr("Rank"), self)
        self.ranks.hide()
        self.canvas: ChartCanvas[MemoryPicture] = ChartCanvas(self.context.display, self)
        self.add_pages(self.canvas, self.canvas, self.ranks)
        self.ranks.currentIndexChanged.connect(self.draw)

    def picture(self) -> HasPicture:
        return self.canvas

    def clear(self) -> None:
        super().clear()
        self.canvas.show_picture(None)

    def fill(self, profile: Profile) -> None:
        names = ranks_of(profile.capture)
        self.ranks.offer(names, list(range(len(names))), max(self.ranks.currentIndex(), 0))
        self.ranks.setVisible(len(names) > 1)
        super().fill(profile)
        self._show_table()

    def draw(self) -> None:
        profile = self.profile
        if profile is None or profile.memory_record is None:
            self.canvas.show_picture(None)
            return
        work = partial(memory_picture, profile.memory_record, ranks_of(profile.capture), self.ranks.number or 0)
        now = len(profile.memory_record) <= SMALL
        self.compute(lambda _: work(), self.canvas.show_picture, self.fail, now=now)


def _plot(plot_id: str, title: str, draw: Draw, table_id: str, section: str) -> PlotSpec:
    """A plot of the bars of a table; offered where the profile has the ``section``."""

    def picture(profile: Profile) -> Picture | None:
        result = drawn(draw, table_id, profile)
        return None if result is None else result[0]

    return chart_plot(plot_id, title, lambda profile: profile.section(section) is not None, picture)


def _memory(profile: Profile) -> MemoryPicture | None:
    record = profile.memory_record
    return None if record is None else memory_picture(record, ranks_of(profile.capture), 0)


PLOTS = (
    _plot("training-steps", tr("Training steps"), steps_picture, STEPS, "training_steps"),
    _plot("kernel-types", tr("Kernels by type"), types_picture, KERNEL_TYPES, "kernels"),
    _plot("collectives", tr("Collectives"), collectives_picture, COLLECTIVES, "collectives"),
    chart_plot(
        "device-memory",
        tr("Memory of the device"),
        lambda profile: profile.memory_record is not None,
        _memory,
    ),
)
