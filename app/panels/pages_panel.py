"""Panels of a picture at the left, and at the right a tab for each of several tables."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar

import numpy as np
from msgspec import Struct
from PySide6.QtWidgets import QWidget

from app.analysis.capture.ranks import listed_numbers, rank_numbers
from app.analysis.table import Table, only
from app.analysis.tables import by_id
from app.formats.errors import FormatError
from app.language import tr
from app.panels.chart_panel import ChartPanel
from app.panels.panel import NO_ROWS
from app.panels.spec import PlotSpec, chart_plot
from app.profile.arrays import I64, among, distinct
from app.profile.profile import Profile
from app.widgets.abilities import HasPicture
from app.widgets.chart.canvas import Picture, ScrolledBars
from app.widgets.controls import Controls
from app.widgets.fields import Chooser
from app.widgets.frame import split_of
from app.widgets.tabs import Tabs

Drawn = tuple[Picture, I64]
Draw = Callable[[Table, Table | None], Drawn]

SMALL = 100_000
"""Up to so many rows, tables are made at once."""


def drawn(
    draw: Draw, table_id: str, profile: Profile, before: Profile | None = None, rank: int | None = None
) -> Drawn | None:
    """(the picture of a table of ``profile``, with that of a baseline, of one rank or all; the bar of each row); None
    without rows."""
    table = of_rank(by_id(profile, table_id), rank)
    if table is None or not table.rows:
        return None
    return draw(table, None if before is None else of_rank(by_id(before, table_id), rank))


def of_rank(table: Table | None, rank: int | None) -> Table | None:
    """The rows of the rank with this number, all for None."""
    ranks = (
        None if table is None or rank is None else next((each for each in table.columns if each.key == "rank"), None)
    )
    if table is None or ranks is None or not isinstance(ranks.values, np.ndarray):
        return table
    return only(table, np.flatnonzero(ranks.values == rank))


class Page(Struct, frozen=True):
    """A tab with a table. ``section``: what it is made from; making it only to see whether it has rows takes too long
    where there are a million. ``ranks``: so many are needed at least. ``draw``: the picture of its rows, which runs in
    a thread; None where that of the first tab stays."""

    title: str
    table: str
    section: str
    ranks: int = 1
    draw: Draw | None = None

    def offered(self, profile: Profile) -> bool:
        rows, capture = profile.section(self.section), profile.capture
        return bool(rows) and (capture is None or len(capture) >= self.ranks)


class PagesPanel(ChartPanel):
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
        return of_rank(by_id(profile, self.shown_id), self.rank) or Table(self.shown_id, "", ())

    @property
    def rank(self) -> int | None:
        """The number of the rank that is shown; None for all."""
        return None

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


class BarsPanel(PagesPanel):
    """The picture has a bar (or a cell) for rows of a table; what is selected in one is marked in the other."""

    def build(self) -> None:
        self._bars: I64 = NO_ROWS
        self._page = self.tables[0]
        self.ranks = Chooser(tr("Rank"), self)
        self.ranks.hide()
        self.bars: ScrolledBars[Picture] = ScrolledBars(self.context.display, self)
        self.add_pages(self.bars.canvas, self.bars, self.ranks)
        self.bars.canvas.chosen.connect(self._chosen_bars)
        self.table.view.chosen.connect(self._chosen_rows)
        self.ranks.currentIndexChanged.connect(self.draw)

    @property
    def rank(self) -> int | None:
        return self.ranks.number

    @property
    def drawn_page(self) -> Page:
        """The tab whose picture is shown."""
        return next((page for page in self.tables if page.table == self.shown_id and page.draw), self.tables[0])

    def picture(self) -> HasPicture:
        return self.bars.canvas

    def fill(self, profile: Profile) -> None:
        numbers = listed_numbers(rank_numbers(profile))
        names = [tr("Rank {rank}", rank=number) for number in numbers]
        chosen = self.ranks.number
        place = numbers.index(chosen) + 1 if chosen in numbers else 0
        self.ranks.offer([tr("All ranks"), *names], [None, *numbers], place)
        self.ranks.setVisible(len(numbers) > 1)
        super().fill(profile)

    def clear(self) -> None:
        super().clear()
        self._take(None)

    def draw(self) -> None:
        profile, comparison, page = self.profile, self.comparison, self.drawn_page
        if profile is not None and page.draw is not None:
            before = None if comparison is None else comparison.before
            work = partial(drawn, page.draw, page.table, profile, before, self.rank)
            self.compute(lambda _: work(), partial(self._show_drawn, page), self.fail, now=rows_of(profile) <= SMALL)

    def _show_drawn(self, page: Page, result: Drawn | None) -> None:
        """Shows the picture, then the table: what takes long has been computed for the picture and is kept."""
        self._take(result)
        self._page = page
        super()._show_table()

    def _show_table(self) -> None:
        if self.drawn_page is self._page:
            super()._show_table()
        else:
            self.draw()

    def _take(self, result: Drawn | None) -> None:
        picture, self._bars = (None, NO_ROWS) if result is None else result
        self.bars.canvas.show_picture(picture)

    @property
    def _linked(self) -> bool:
        """Whether the table has the rows that the bars show."""
        return self.shown_id == self._page.table and self.comparison is None

    def _chosen_bars(self, bars: I64) -> None:
        if self._linked:
            self.table.view.mark(np.flatnonzero(among(self._bars, bars)))

    def _chosen_rows(self) -> None:
        chart = self.bars.canvas.chart
        if self._linked and chart is not None and len(self._bars):
            bars = distinct(self._bars[self.table.selected_rows()])
            self.bars.canvas.mark(bars[(bars >= 0) & (bars < len(chart.columns))])


def rows_of(profile: Profile) -> int:
    """How many kernels, collectives, operations, transfers and blocks of tasks there are."""
    sections = (profile.kernels, profile.collectives, profile.operations, profile.noc_transfers)
    tasks = 0 if profile.core_tasks is None else len(profile.core_tasks.blocks)
    return tasks + sum(len(rows) for rows in sections if rows is not None)


def table_plot(plot_id: str, title: str, draw: Draw, table_id: str, section: str) -> PlotSpec:
    """A plot of the bars of a table; offered where the profile has the ``section`` and that is not empty."""

    def picture(profile: Profile) -> Picture | None:
        result = drawn(draw, table_id, profile)
        return None if result is None else result[0]

    return chart_plot(plot_id, title, lambda profile: bool(profile.section(section)), picture)
