"""The histogram of a tensor's values."""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct
from PySide6.QtWidgets import QWidget

from app.analysis.popef.values import Summary
from app.analysis.table import Table
from app.analysis.tables.popef import histogram_table
from app.language import tr
from app.profile.arrays import F64, I64
from app.views.chart.histogram import bins_chart
from app.views.chart.model import FIXED, Axis, Chart, Tick
from app.views.content import words
from app.views.look import Look
from app.views.units import MOST_DECIMALS, decimals_needed, plain, signed
from app.widgets.chart.canvas import ChartCanvas
from app.widgets.display import Display
from app.widgets.tabular import Tabular

TICKS = 4


class ValuesPicture(Struct, frozen=True, eq=False):
    """Bars of the histogram. ``log``: their heights are logarithms of the counts, so that rare values show beside
    frequent ones."""

    summary: Summary
    log: bool = False

    def chart(self, _look: Look) -> Chart:
        """The chart: counts upwards, the edges of the bins across."""
        summary, most = self.summary, int(self.summary.bins.max(initial=0))
        count = len(summary.bins)
        heights = np.log1p(summary.bins) if self.log else summary.bins
        top = (math.log1p(most) if self.log else float(most)) or 1.0
        edges = tuple(Tick(float(number), edge_text(summary.edges, number)) for number in range(count + 1))
        counts = tuple(Tick(share * top, "", plain(value)) for share, value in count_ticks(most, log=self.log))
        return bins_chart(
            tr("Values"),
            [float(height) for height in heights.tolist()],
            [words.bins(summary, number) for number in range(count)],
            Axis("", 0.0, float(max(count, 1)), least=FIXED, named=edges, grid=False),
            Axis("", 0.0, top, least=FIXED, named=counts),
            heading="",
            selectable=False,
        )


class Histogram(ChartCanvas[ValuesPicture], Tabular):
    """The histogram as a widget; it can be exported as a picture and as a table."""

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(display, parent)
        self.summary: Summary | None = None
        self.log = False

    def show_summary(self, summary: Summary | None) -> None:
        self.summary = summary
        shown = summary is not None and len(summary.bins) > 0
        self.show_picture(ValuesPicture(summary, self.log) if summary is not None and shown else None)

    def set_log(self, log: bool) -> None:
        self.log = log
        self.show_summary(self.summary)

    def shown_table(self) -> Table | None:
        summary = self.summary
        return None if summary is None else histogram_table(summary)

    def shown_rows(self) -> I64 | None:
        return None

    def selected_rows(self) -> I64:
        return np.empty(0, np.int64)


def count_ticks(most: int, *, log: bool) -> list[tuple[float, int]]:
    """(share of the height, count) of the ticks up to ``most``: whole counts, each at its true height."""
    shares = [step / TICKS for step in range(TICKS + 1)]
    counts = {round(math.expm1(share * math.log1p(most)) if log else share * most) for share in shares}
    top = math.log1p(most) if log else most
    return [((math.log1p(count) if log else count) / (top or 1), count) for count in sorted(counts)]


def edge_text(edges: F64, number: int) -> str:
    """An edge with enough digits to tell it from its neighbours."""
    value, width = float(edges[number]), float(edges[-1] - edges[0]) / max(len(edges) - 1, 1)
    decimals = decimals_needed(width / 10)
    if decimals == MOST_DECIMALS:  # powers of ten are easier to read
        return words.number_text(value)
    rounded = words.plain_number(round(value, decimals))
    return words.number_text(rounded) if isinstance(rounded, int) else signed(f"{rounded:.{decimals}f}".rstrip("0"))
