"""Roofline charts, of one profile or with those of a baseline: roofs and points, texts, and the chart as drawn."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.ascend import paths as formulas
from app.analysis.ascend.paths import Group
from app.language import labelled, plural, tr
from app.profile.ascend import Roofline
from app.views.chart.model import Arrow, Axis, Chart, LineLabel, Pair, Series, Style
from app.views.look import Theme
from app.views.units import change, exact, percent, percent_change, plain, three_digits

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison

DIFFERS = 0.005
"""A stored ratio differs from the recomputed one if it deviates by more than this fraction."""
BEFORE, NEAR = 0.7, 0.12
"""Decades that a chart shows at least before its first and after its last point."""
LEAST = 2
MOST_CHARTS = 200
"""Number of charts per group that get a tab; the table has all of them."""
MOST_ROOFS = 100
"""Number of lines per chart, as more would hide each other; the table has all of them."""
BASELINE = 1 << 32
"""Items of a chart from this number on are rows of the baseline's roofline."""
GROUPS: tuple[Group, ...] = (tr("Memory unit"), tr("Memory transfer"), tr("Pipeline"), tr("Other"))


class Roof(Struct, frozen=True):
    """One roof with its point: ``row`` of the section, ``bandwidth`` in TB/s, ``compute`` in TOps/s, ``x`` in Ops/Byte,
    ``y`` in TOps/s; ``ratio`` and ``stored`` (None: not in the file) are fractions."""

    row: int
    name: str
    compute_name: str
    bandwidth: float
    compute: float
    x: float
    y: float
    ratio: float
    stored: float | None
    verdict: str

    @property
    def ridge(self) -> float:
        """Ops/Byte at which the slope meets the flat roof."""
        return self.compute / self.bandwidth

    @property
    def differs(self) -> bool:
        """Whether the file's own ratio differs from the recomputed one."""
        return self.stored is not None and abs(self.stored - self.ratio) > DIFFERS * max(abs(self.ratio), 1e-9)

    @property
    def title(self) -> str:
        return f"{self.name or 'unnamed'} ({self.compute_name})" if self.compute_name else self.name or "unnamed"

    def ceiling(self, x: float) -> float:
        """The attainable TOps/s at ``x``."""
        return min(x * self.bandwidth, self.compute)


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


class RoofChart(Struct, frozen=True):
    """One chart: the roofs that are drawn, and the decades of its axes (exponents of ten). ``left_out``: number of
    roofs that cannot be drawn; ``beyond``: number of roofs omitted because there are too many. ``pairs``: of a chart
    with a baseline, the roofs of both; the axes hold them all, and an arrow leads from each point of the baseline to
    that of the comparison."""

    title: str
    group: Group
    roofs: tuple[Roof, ...]
    left_out: int
    beyond: int
    x: tuple[int, int]
    y: tuple[int, int]
    pairs: tuple[RoofPair, ...] | None = None

    def roof(self, row: int) -> Roof | None:
        """The roof of a row of the section; None if it is not in this chart."""
        return next((roof for roof in self.roofs if roof.row == row), None)

    def partner(self, item: int) -> int:
        """The row of the comparison that an item of the chart stands for; -1 for none."""
        if item < BASELINE:
            return item
        for pair in self.pairs or ():
            if pair.before is not None and pair.before.row == item - BASELINE:
                return -1 if pair.after is None else pair.after.row
        return -1


def charts_of(section: Roofline, comparison: Comparison | None = None) -> tuple[RoofChart, ...]:
    """The first MOST_CHARTS charts of each group in the order of the file, including charts without drawable lines;
    with a baseline, those of both."""
    charts = _alone(section)
    return charts if comparison is None else _compared(charts, comparison)


def _alone(section: Roofline) -> tuple[RoofChart, ...]:
    ratios, verdicts = formulas.ratios(section), formulas.verdicts(section)
    drawable = formulas.drawable(section)
    made = []
    order = np.argsort(section.chart, kind="stable")
    first = np.searchsorted(section.chart[order], np.arange(len(section.titles) + 1))
    for number, title in _first_titles(section):
        rows = order[first[number] : first[number + 1]].tolist()
        whole = [row for row in rows if drawable[row] and _finite(section, row)]
        roofs = tuple(
            Roof(
                row=row,
                name=section.strings.get(int(section.bandwidth_name[row])),
                compute_name=section.strings.get(int(section.compute_name[row])),
                bandwidth=float(section.bandwidth[row]),
                compute=float(section.compute[row]),
                x=float(section.intensity[row]),
                y=float(section.performance[row]),
                ratio=float(ratios[row]),
                stored=None if section.ratio[row] != section.ratio[row] else float(section.ratio[row]),
                verdict=verdicts[row],
            )
            for row in whole[:MOST_ROOFS]
        )
        across = [place for roof in roofs for place in (roof.x, roof.ridge)]
        up = [place for roof in roofs for place in (roof.y, roof.compute)]
        left_out, beyond = len(rows) - len(whole), len(whole) - len(roofs)
        made.append(RoofChart(title, formulas.group(title), roofs, left_out, beyond, decades(across), decades(up)))
    return tuple(made)


def _first_titles(section: Roofline) -> Iterator[tuple[int, str]]:
    """Yields number and title of each chart that gets a tab."""
    counts: Counter[str] = Counter()
    for number, title in enumerate(section.titles):
        group = formulas.group(title)
        counts[group] += 1
        if counts[group] <= MOST_CHARTS:
            yield number, title


def decades(places: list[float]) -> tuple[int, int]:
    """Exponents of ten that enclose all points, with room below for the slopes that lead to them."""
    low = min((math.log10(place) for place in places), default=0.0)
    high = max((math.log10(place) for place in places), default=1.0)
    first, last = math.floor(low - BEFORE), math.ceil(high + NEAR)
    return first, max(last, first + LEAST)


def _finite(section: Roofline, row: int) -> bool:
    columns = (section.bandwidth, section.compute, section.intensity, section.performance)
    return all(1e-150 < float(column[row]) < 1e150 for column in columns)


VERDICTS: dict[str, str] = {
    tr("memory bound"): tr("More than 80 % of its roof, left of the ridge: bandwidth is the limit."),
    tr("compute bound"): tr("More than 80 % of its roof, right of the ridge: compute is the limit."),
    tr("latency bound"): tr(
        "80 % of its roof or less: neither bandwidth nor compute is the limit; the operator waits."
    ),
}


def about(roof: Roof) -> str:
    """The tool tip of a roof and its point."""
    lines = [
        roof.title,
        tr("Bandwidth: {bandwidth}", bandwidth=exact(roof.bandwidth, "TB/s")),
        tr("Compute: {compute}", compute=exact(roof.compute, "TOps/s")),
        tr("Ridge: {ridge} Ops/Byte = compute / bandwidth", ridge=three_digits(roof.ridge)),
        tr("Arithmetic intensity: {x}", x=exact(roof.x, "Ops/Byte")),
        tr("Performance: {y}", y=exact(roof.y, "TOps/s")),
        tr(
            "Ratio: {ratio} = 100 · performance / min(intensity · bandwidth, compute)",
            ratio=exact(round(100 * roof.ratio, 6), "%"),
        ),
    ]
    if roof.stored is None:
        lines.append(tr("The file contains no ratio."))
    else:
        own = exact(round(100 * roof.stored, 6), "%")
        lines.append(
            tr("Ratio in the file: {part}, different", part=own)
            if roof.differs
            else tr("Ratio in the file: {part}, the same", part=own)
        )
    lines.append(labelled(roof.verdict.capitalize(), VERDICTS.get(roof.verdict, "")) if roof.verdict else "")
    return "\n".join(line for line in lines if line)


def standing(roof: Roof) -> str:
    """The second line of a legend's entry."""
    share = percent(100 * roof.ratio)
    own = (
        tr(" (in the file: {stored})", stored=percent(100 * roof.stored))
        if roof.differs and roof.stored is not None
        else ""
    )
    return f"{share}{own} · {roof.verdict}"


def slope_label(roof: Roof) -> str:
    return tr("{roof} {bandwidth} TB/s", roof=roof.name, bandwidth=plain(roof.bandwidth)).strip()


def roof_label(roof: Roof) -> str:
    return tr("{compute_name} {compute} TOps/s", compute_name=roof.compute_name, compute=plain(roof.compute)).strip()


def verdict_of_file(advice: str) -> str:
    """The file's own verdict with a comma for its colon: ``latency bound:memory caused`` lacks a space."""
    first, _, rest = advice.partition(":")
    return f"{first.strip()}, {rest.strip()}" if rest.strip() else first.strip()


def remarks(charts: tuple[RoofChart, ...], advice: str, total: int = 0) -> str:
    """Remarks that apply to all charts; ``total``: the number of charts in the file."""
    roofs = [roof for chart in charts for roof in chart.roofs]
    different = sum(roof.differs for roof in roofs)
    silent = sum(roof.stored is None for roof in roofs)
    left_out = sum(chart.left_out for chart in charts)
    parts = []
    if advice:
        parts.append(tr("The file's verdict: {verdict_of_file}", verdict_of_file=verdict_of_file(advice)))
    if different:
        parts.append(
            plural(
                "{different} of {count:,} ratio in the file differs from recomputation",
                "{different} of {count:,} ratios in the file differ from recomputation",
                count=len(roofs),
                different=different,
            )
        )
    elif silent < len(roofs):
        parts.append(
            plural(
                "{number} of {count:,} ratio in the file matches recomputation",
                "{number} of {count:,} ratios in the file match recomputation",
                count=len(roofs),
                number=len(roofs) - silent,
            )
        )
    if left_out:
        parts.append(tr("{left_out} not drawn: a value is missing or not above 0", left_out=left_out))
    beyond = sum(chart.beyond for chart in charts)
    if beyond:
        parts.append(
            tr(
                "{beyond:,} more only in the table: a chart shows at most {most_roofs}",
                beyond=beyond,
                most_roofs=MOST_ROOFS,
            )
        )
    if total > len(charts):
        parts.append(
            plural(
                "{count:,} more chart only in the table",
                "{count:,} more charts only in the table",
                count=total - len(charts),
            )
        )
    return " · ".join(parts)


def described(chart: RoofChart, hidden: frozenset[int] = frozenset()) -> Chart:
    """The chart; items in ``hidden`` (rows of roofs) appear in the legend only."""
    x, y = axes_of(chart)
    title = tr("Roofline {chart}", chart=chart.title)
    pairs = chart.pairs
    if pairs is None:
        series = tuple(series_of(roof, x, y) for roof in chart.roofs)
        return Chart(title, f"{chart.title} · {y.title}", x, y, series, hidden)
    shown = [_after(pair, x, y) for pair in pairs if pair.after is not None]
    shown += [_before(pair, pair.before, x, y) for pair in pairs if pair.before is not None]
    hidden |= {
        BASELINE + pair.before.row
        for pair in pairs
        if pair.before is not None and pair.after is not None and pair.after.row in hidden
    }
    arrows = tuple(
        Arrow((pair.before.x, pair.before.y), (pair.after.x, pair.after.y))
        for pair in pairs
        if pair.point_moved and pair.before is not None and pair.after is not None and pair.after.row not in hidden
    )
    heading = tr("{title} · {unit} · dashed and hollow: baseline", title=chart.title, unit=y.title)
    return Chart(title, heading, x, y, tuple(shown), hidden, arrows=arrows)


def axes_of(chart: RoofChart) -> tuple[Axis, Axis]:
    """Both axes."""
    (left, right), (low, high) = chart.x, chart.y
    return Axis("Ops/Byte", 10.0**left, 10.0**right, log=True), Axis("TOps/s", 10.0**low, 10.0**high, log=True)


def line_of(roof: Roof, x: Axis, y: Axis) -> tuple[Pair, ...]:
    """The slope from the edge of the chart, and the flat roof beyond the ridge."""
    start = min(max(x.low, y.low / roof.bandwidth), roof.ridge)
    return (start, start * roof.bandwidth), (roof.ridge, roof.compute), (x.high, roof.compute)


def series_of(roof: Roof, x: Axis, y: Axis) -> Series:
    """The line of a roof, its ridge, and the point."""
    return Series(
        item=roof.row,
        name=roof.name,
        line=line_of(roof, x, y),
        points=((roof.x, roof.y),),
        rings=((roof.ridge, roof.compute),),
        labels=(
            LineLabel(roof_label(roof), 1, "end"),
            LineLabel(slope_label(roof), 0, "along"),
            LineLabel(roof.name, 0, "point"),
        ),
        title=roof.title,
        detail=standing(roof),
        about=about(roof),
    )


DASHES = (4.0, 3.0)
SAME = 1e-9
"""Roofs and points that differ by no more than this share are the same."""


def _compared(after: tuple[RoofChart, ...], comparison: Comparison) -> tuple[RoofChart, ...]:
    """The charts of the comparison, then those that only the baseline has; roofs are matched as in the table
    "roofline"."""
    before = () if comparison.before.roofline is None else _alone(comparison.before.roofline)
    table = comparison.table("roofline")
    partner = {} if table is None else dict(zip(table.rows_after.tolist(), table.rows_before.tolist(), strict=True))
    roofs = {roof.row: roof for chart in before for roof in chart.roofs}
    matched = {row for after_row, row in partner.items() if after_row >= 0}
    alone: dict[str, list[Roof]] = {chart.title: [] for chart in before}
    for chart in before:
        alone[chart.title] += [roof for roof in chart.roofs if roof.row not in matched]
    made = []
    for chart in after:
        pairs = [RoofPair(roofs.get(partner.get(roof.row, -1)), roof) for roof in chart.roofs]
        made.append(_around(chart, [*pairs, *(RoofPair(roof, None) for roof in alone.pop(chart.title, ()))]))
    for chart in before:
        if chart.title in alone:
            empty = replace(chart, roofs=(), left_out=0, beyond=0)
            made.append(_around(empty, [RoofPair(roof, None) for roof in alone.pop(chart.title)]))
    return tuple(chart for chart in made if chart.pairs or chart.left_out)


def not_compared(comparison: Comparison) -> list[str]:
    """Why points have no baseline, if they have none."""
    return [] if comparison.before.roofline is not None else [tr("The baseline has no roofline.")]


def _around(chart: RoofChart, pairs: list[RoofPair]) -> RoofChart:
    """The chart with axes that hold the roofs and points of both."""
    roofs = [roof for pair in pairs for roof in (pair.before, pair.after) if roof is not None]
    across = [place for roof in roofs for place in (roof.x, roof.ridge)]
    up = [place for roof in roofs for place in (roof.y, roof.compute)]
    return replace(chart, x=decades(across), y=decades(up), pairs=tuple(pairs))


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
