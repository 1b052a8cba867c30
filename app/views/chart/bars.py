"""Horizontal bars with names at the left and values at the right, as a chart."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial

from msgspec import Struct

from app.analysis.table import Unit
from app.language import tr
from app.views.chart.model import FIXED, Axis, Bar, Chart, Column, Note, Tick
from app.views.colours import blend, fitted
from app.views.look import Look, Theme
from app.views.units import NO_DATA, Scale, scale_for

MOST_BARS = 500
"""Most bars of one chart: nobody reads more, and their names are measured for every layout."""
THICK = 0.66
"""Thickness of a bar as a share of the row."""
THIN, APART = 0.2, 0.06
"""Of the bar of a baseline, and between it and the other, as shares of the row."""
TRACK = 0.35
"""Share of the line colour in the track behind a bar."""


class NamedBar(Struct, frozen=True):
    """A bar. ``amount`` NaN: no data; ``part``: muted text after the name; ``tip``: the tool tip. ``before``: the
    amount of the baseline, which gets a bar of its own below (NaN: no data; None: there is no baseline)."""

    name: str
    part: str
    amount: float
    colour: str
    tip: str = ""
    before: float | None = None

    @property
    def known(self) -> bool:
        """Whether either side has data."""
        return not math.isnan(self.amount) or (self.before is not None and not math.isnan(self.before))


class BarsPicture(Struct, frozen=True):
    """A picture of bars; ``full``: the amount of a bar of full width (100 for percentages)."""

    title: str
    unit: Unit
    bars: tuple[NamedBar, ...]
    full: float

    def texts(self, look: Look) -> list[str]:
        """The value of each bar, all in one scale."""
        scale = scale_for(self.full, self.unit, look)
        return [_figure(bar, scale) for bar in self.bars]

    def chart(self, look: Look) -> Chart:
        """A chart with one row per bar, the first at the top."""
        count = len(self.bars)
        middles = [count - number - 0.5 for number in range(count)]
        rows = list(zip(self.bars, middles, strict=True))
        names = tuple(Tick(middle, bar.name, bar.part) for bar, middle in reversed(rows))
        figures = zip(self.bars, middles, self.texts(look), strict=True)
        return Chart(
            self.title,
            self.title,
            Axis("", 0.0, self.full, least=FIXED, scale=scale_for(self.full, self.unit, look)),
            Axis("", 0.0, float(max(count, 1)), least=FIXED, named=names, grid=False),
            kind=tr("Chart"),
            sideways=True,
            bars=(*self._tracks(middles), *self._fills(middles)),
            columns=tuple(Column(middle - 0.5, middle + 0.5, bar.tip) for bar, middle in rows),
            notes=tuple(Note((0.0, middle), tr("no data"), "right") for bar, middle in rows if not bar.known),
            figures=tuple(Tick(middle, text) if bar.known else Tick(middle, "", text) for bar, middle, text in figures),
        )

    def _tracks(self, middles: list[float]) -> Iterator[Bar]:
        for bar, middle in zip(self.bars, middles, strict=True):
            yield Bar(0.0, self.full, *thick(middle), _track if bar.known else _no_data)

    def _fills(self, middles: list[float]) -> Iterator[Bar]:
        fills = {bar.colour: partial(_fill, bar.colour) for bar in self.bars}
        for bar, middle in zip(self.bars, middles, strict=True):
            low, high = thick(middle)
            if bar.before is not None and bar.before > 0:
                yield Bar(0.0, min(bar.before, self.full), low, low + THIN, _baseline)
            if bar.amount > 0:
                low = low if bar.before is None else low + THIN + APART
                yield Bar(0.0, min(bar.amount, self.full), low, high, fills[bar.colour])


def bars_picture(
    title: str, unit: Unit, bars: tuple[NamedBar, ...], full: float = 0.0, count: int | None = None
) -> BarsPicture:
    """A picture of ``bars``; ``full`` is raised to the largest finite amount. Only the first MOST_BARS are shown, and
    the title says so; ``count``: their total number if ``bars`` is already truncated."""
    count = len(bars) if count is None else count
    amounts = [amount for bar in bars for amount in (bar.amount, bar.before) if amount is not None]
    largest = max((amount for amount in amounts if math.isfinite(amount)), default=0.0)
    if count > MOST_BARS:
        title, bars = (
            tr("{title} (the first {most_bars:,} of {count:,})", title=title, most_bars=MOST_BARS, count=count),
            bars[:MOST_BARS],
        )
    return BarsPicture(title, unit, bars, max(full, largest) or 1.0)


def _figure(bar: NamedBar, scale: Scale) -> str:
    """``41.0 %``, with a baseline ``41.0 % (+3.1 %)``; short, since figures take room from the bars."""
    text = NO_DATA if math.isnan(bar.amount) else scale.text(bar.amount)
    if bar.before is None or not bar.known:
        return text
    if math.isnan(bar.before):
        return f"{text} ({NO_DATA})"
    if math.isnan(bar.amount):
        return tr("was {before}", before=scale.text(bar.before))
    difference = bar.amount - bar.before
    return f"{text} ({'+' if difference > 0 else ''}{scale.text(difference)})"


def thick(middle: float) -> tuple[float, float]:
    """The lower and the upper edge of the bar in a row, whose middle this is."""
    return middle - THICK / 2, middle + THICK / 2


def _track(theme: Theme) -> str:
    return blend(theme.surface, theme.line, TRACK)


def _baseline(theme: Theme) -> str:
    return theme.baseline


def _no_data(theme: Theme) -> str:
    return theme.no_data


def _fill(colour: str, theme: Theme) -> str:
    return fitted(colour, theme)
