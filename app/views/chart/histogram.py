"""A histogram as a chart: bars over bins drawn with equal width, whatever they span."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from app.analysis.bins import Bins
from app.analysis.table import Unit
from app.language import labelled, tr
from app.profile.arrays import I64
from app.views.chart.model import FIXED, Axis, Bar, Chart, Column, Reference, Series, Style, Tick
from app.views.colours import QUIET, fitted
from app.views.look import Look, Theme
from app.views.plot import Limit
from app.views.units import change, format_value, plain
from app.views.units import place as place_text

HEADROOM = 1.08
DASHES = (4.0, 2.5)


class HistogramPicture(Struct, frozen=True, eq=False):
    """``what``: what is counted ("tiles"); ``unit``: that of the edges; ``limit``: a vertical line at an amount;
    ``baseline``: int64[bins], the counts of a baseline, drawn as a dashed outline; ``signed``: of differences."""

    title: str
    bins: Bins
    unit: Unit
    what: str
    limit: Limit | None = None
    clock_hz: float | None = None
    baseline: I64 | None = None
    signed: bool = False

    def chart(self, look: Look) -> Chart:
        """A chart with counts on the y axis, and amounts at the edges of the bins on the x axis."""
        counts = self.bins.counts
        most = max(int(own.max(initial=0)) for own in (counts, self.baseline) if own is not None)
        top = max(most * HEADROOM, 1.0)
        scale = tr(", logarithmic") if self.bins.log else ""
        zeros = (
            tr(", without {zeros:,} {what} of zero", zeros=self.bins.zeros, what=self.what) if self.bins.zeros else ""
        )
        caption = tr("{what} by amount{scale}{zeros}", what=self.what.capitalize(), scale=scale, zeros=zeros)
        edges = tuple(Tick(float(number), _edge_text(self, number, look)) for number in range(len(counts) + 1))
        return bins_chart(
            self.title,
            [float(count) for count in counts.tolist()],
            [self.describe(number, look) for number in range(len(counts))],
            Axis(caption, 0.0, float(max(len(counts), 1)), least=FIXED, named=edges, grid=False),
            Axis("", 0.0, top, least=FIXED),
            references=_limits(self, look),
            series=() if self.baseline is None else (_outline(self.baseline),),
        )

    def describe(self, number: int, look: Look) -> str:
        """The tool tip of a bar."""
        write = change if self.signed else format_value
        low, high = (write(_whole(self.bins.edges[number + step]), self.unit, look, self.clock_hz) for step in (0, 1))
        count = plain(int(self.bins.counts[number]))
        if self.baseline is not None:
            before = plain(int(self.baseline[number]))
            count = tr("{count} (baseline {before})", count=count, before=before)
        return tr("{count} {what} of {low} to {high}", count=count, what=self.what, low=low, high=high)


def bins_chart(
    title: str,
    heights: Sequence[float],
    abouts: Sequence[str],
    x: Axis,
    y: Axis,
    *,
    references: tuple[Reference, ...] = (),
    series: tuple[Series, ...] = (),
    heading: str | None = None,
    selectable: bool = True,
) -> Chart:
    """A chart with a bar for each bin; a bin is 1 wide."""
    return Chart(
        title,
        title if heading is None else heading,
        x,
        y,
        kind=tr("Histogram"),
        bars=tuple(Bar(n, n + 1, 0.0, high, _fill) for n, high in enumerate(heights) if high),
        columns=tuple(Column(n, n + 1, about) for n, about in enumerate(abouts)),
        references=references,
        series=series,
        sweeps=selectable,
        selectable=selectable,
    )


def _outline(counts: I64) -> Series:
    """The dashed outline over the bars of other counts."""
    corners: list[tuple[float, float]] = [(0.0, 0.0)]
    for number, count in enumerate(counts.tolist()):
        corners += [(float(number), float(count)), (number + 1.0, float(count))]
    corners.append((float(len(counts)), 0.0))
    title = tr("Baseline")
    style = Style(lambda theme: theme.baseline, width=1.5, dashes=DASHES)
    return Series(-1, title, line=tuple(corners), title=title, style=style)


def _edge_text(picture: HistogramPicture, number: int, look: Look) -> str:
    """The label of an edge, precise to a tenth of a bin."""
    edges = picture.bins.edges
    width = float(edges[number] - edges[number - 1] if number else edges[1] - edges[0])
    return place_text(_whole(edges[number]), picture.unit, width / 10, look, picture.clock_hz)


def _fill(theme: Theme) -> str:
    return fitted(QUIET, theme)


def _limits(picture: HistogramPicture, look: Look) -> tuple[Reference, ...]:
    """The line of the limit, placed within its bin; none if it is outside all bins."""
    limit, edges = picture.limit, picture.bins.edges
    if limit is None or not edges[0] <= limit.value <= edges[-1]:
        return ()
    number = min(int((edges <= limit.value).sum()), len(edges) - 1) - 1
    share = (limit.value - edges[number]) / (edges[number + 1] - edges[number])
    text = labelled(limit.name, format_value(limit.value, picture.unit, look, picture.clock_hz))
    return (Reference(number + float(share), text),)


def _whole(amount: float) -> float | int:
    value = float(amount)
    return int(value) if value.is_integer() else value
