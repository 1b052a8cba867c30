"""Rooflines of two profiles: an arrow from each point of the baseline to that of the comparison. Imported only with a
baseline."""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from app.analysis.compare.comparison import Comparison
from app.language import tr
from app.views.chart.model import Arrow, Axis, Chart, LineLabel, Series, Style
from app.views.roofline.chart import Roof, RoofChart, charts_of, decades
from app.views.roofline.described import axes_of, line_of, series_of
from app.views.roofline.words import about, roof_label, slope_label, standing
from app.views.theme import Theme
from app.views.units import change, exact, percent, percent_change

BASELINE = 1 << 32
"""Items of a chart from this number on are rows of the baseline's roofline."""
DASHES = (4.0, 3.0)
SAME = 1e-9
"""Roofs and points that differ by no more than this share are the same."""


class RoofPair(Struct, frozen=True):
    """A roof of each side, None where that side has none."""

    before: Roof | None
    after: Roof | None

    @property
    def roof_moved(self) -> bool:
        """Whether both have the roof, and its bandwidth or compute is another one."""
        one, other = self.before, self.after
        return (
            one is not None
            and other is not None
            and not (_same(one.bandwidth, other.bandwidth) and _same(one.compute, other.compute))
        )

    @property
    def point_moved(self) -> bool:
        one, other = self.before, self.after
        return one is not None and other is not None and not (_same(one.x, other.x) and _same(one.y, other.y))


class ComparedChart(Struct, frozen=True):
    """``chart``: that of the comparison (without roofs, if only the baseline has it), with axes that hold both."""

    chart: RoofChart
    pairs: tuple[RoofPair, ...]

    def before_of(self, row: int) -> Roof | None:
        """The roof of the baseline that belongs to a row of the comparison."""
        return next((pair.before for pair in self.pairs if pair.after is not None and pair.after.row == row), None)

    def partner(self, item: int) -> int:
        """The row of the comparison that an item of the chart stands for; -1 for none."""
        if item < BASELINE:
            return item
        for pair in self.pairs:
            if pair.before is not None and pair.before.row == item - BASELINE:
                return -1 if pair.after is None else pair.after.row
        return -1

    def described(self, hidden: frozenset[int] = frozenset()) -> Chart:
        """The chart; ``hidden``: items that are in the legend only."""
        x, y = axes_of(self.chart)
        shown = [_after(pair, x, y) for pair in self.pairs if pair.after is not None]
        shown += [_before(pair, pair.before, x, y) for pair in self.pairs if pair.before is not None]
        covered = {
            BASELINE + pair.before.row
            for pair in self.pairs
            if pair.before is not None and pair.after is not None and pair.after.row in hidden
        }
        heading = tr("{title} · {unit} · dashed and hollow: baseline", title=self.chart.title, unit=y.title)
        title = tr("Roofline {chart}", chart=self.chart.title)
        hidden |= covered
        return Chart(title, heading, x, y, tuple(shown), hidden, arrows=tuple(self._arrows(hidden)))

    def _arrows(self, hidden: frozenset[int]) -> Iterator[Arrow]:
        for pair in self.pairs:
            one, other = pair.before, pair.after
            if pair.point_moved and one is not None and other is not None and other.row not in hidden:
                yield Arrow((one.x, one.y), (other.x, other.y))


def compared_charts(comparison: Comparison) -> tuple[ComparedChart, ...]:
    """The charts of the comparison, then those that only the baseline has; roofs are matched as in the table
    "roofline"."""
    own = () if comparison.before.roofline is None else charts_of(comparison.before.roofline)
    other = () if comparison.after.roofline is None else charts_of(comparison.after.roofline)
    table = comparison.table("roofline")
    partner = {} if table is None else dict(zip(table.rows_after.tolist(), table.rows_before.tolist(), strict=True))
    roofs = {roof.row: roof for chart in own for roof in chart.roofs}
    matched = {row for after, row in partner.items() if after >= 0}
    alone: dict[str, list[Roof]] = {chart.title: [] for chart in own}
    for chart in own:
        alone[chart.title] += [roof for roof in chart.roofs if roof.row not in matched]
    made = []
    for chart in other:
        pairs = [RoofPair(roofs.get(partner.get(roof.row, -1)), roof) for roof in chart.roofs]
        made.append(_around(chart, [*pairs, *(RoofPair(roof, None) for roof in alone.pop(chart.title, ()))]))
    for chart in own:
        if chart.title in alone:
            empty = replace(chart, roofs=(), left_out=0, beyond=0)
            made.append(_around(empty, [RoofPair(roof, None) for roof in alone.pop(chart.title)]))
    return tuple(one for one in made if one.pairs or one.chart.left_out)


def not_compared(comparison: Comparison) -> list[str]:
    """Why points have no baseline, if they have none."""
    return [] if comparison.before.roofline is not None else [tr("The baseline has no roofline.")]


def _around(chart: RoofChart, pairs: list[RoofPair]) -> ComparedChart:
    """The chart with axes that hold the roofs and points of both."""
    roofs = [roof for pair in pairs for roof in (pair.before, pair.after) if roof is not None]
    across = [place for roof in roofs for place in (roof.x, roof.ridge)]
    up = [place for roof in roofs for place in (roof.y, roof.compute)]
    return ComparedChart(replace(chart, x=decades(across), y=decades(up)), tuple(pairs))


def _after(pair: RoofPair, x: Axis, y: Axis) -> Series:
    """The roof and point of the comparison, with what differs in its texts."""
    roof, before = pair.after, pair.before
    assert roof is not None
    series = series_of(roof, x, y)
    if before is None:
        return replace(series, detail=tr("{standing} · only in the comparison", standing=standing(roof)))
    was = tr(
        "{share}, baseline {before} · {verdict}",
        share=percent(100 * roof.ratio),
        before=percent(100 * before.ratio),
        verdict=roof.verdict,
    )
    label = f"{roof.name} {percent_change(roof.y - before.y, before.y)}" if pair.point_moved else roof.name
    labels = (*series.labels[:2], LineLabel(label, 0, "point"))
    return replace(series, detail=was, labels=labels, about="\n".join((series.about, *_differences(before, roof))))


def _before(pair: RoofPair, roof: Roof, x: Axis, y: Axis) -> Series:
    """The point of the baseline, hollow; its roof, dashed, if that is another one."""
    alone = pair.after is None
    drawn = alone or pair.roof_moved
    labels: tuple[LineLabel, ...] = ()
    if drawn:
        slope, flat = (tr("{text}, baseline", text=text) for text in (slope_label(roof), roof_label(roof)))
        labels = LineLabel(flat, 1, "end"), LineLabel(slope, 0, "along")
    title = tr("{roof} (only in the baseline)", roof=roof.title) if alone else ""
    return Series(
        item=BASELINE + roof.row,
        name=f"{roof.name}\0",
        line=line_of(roof, x, y) if drawn else (),
        rings=((roof.x, roof.y), *(((roof.ridge, roof.compute),) if drawn else ())),
        points=((roof.x, roof.y),),
        labels=labels,
        title=title,
        detail=standing(roof) if alone else "",
        about=tr("Baseline: {about}", about=about(roof)),
        style=Style(_ink, "", 1.5 if drawn else 0.0, DASHES),
    )


def _ink(theme: Theme) -> str:
    return theme.baseline


def _differences(before: Roof, after: Roof) -> list[str]:
    """Lines of a tool tip: each figure of the baseline with its difference, where it has one."""
    figures = (
        (tr("Bandwidth"), before.bandwidth, after.bandwidth, "TB/s"),
        (tr("Compute"), before.compute, after.compute, "TOps/s"),
        (tr("Arithmetic intensity"), before.x, after.x, "Ops/Byte"),
        (tr("Performance"), before.y, after.y, "TOps/s"),
    )
    lines: list[str] = [
        tr(
            "Baseline, {title}: {before} ({change})",
            title=title.lower(),
            before=exact(old, unit),
            change=percent_change(new - old, old) if not _same(old, new) else tr("same"),
        )
        for title, old, new, unit in figures
    ]
    lines.append(
        tr(
            "Baseline, ratio: {before} ({change})",
            before=exact(round(100 * before.ratio, 6), "%"),
            change=change(round(100 * (after.ratio - before.ratio), 6), "%"),
        )
    )
    return lines


def _same(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=SAME)
