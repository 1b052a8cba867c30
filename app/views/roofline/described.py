"""A roofline chart in the terms of the chart widget."""

from __future__ import annotations

from app.language import tr
from app.views.chart.model import Axis, Chart, LineLabel, Pair, Series
from app.views.roofline.chart import Roof, RoofChart
from app.views.roofline.words import about, roof_label, slope_label, standing


def described(chart: RoofChart, hidden: frozenset[int] = frozenset()) -> Chart:
    """The chart; roofs whose rows are in ``hidden`` appear in the legend only."""
    x, y = axes_of(chart)
    series = tuple(series_of(roof, x, y) for roof in chart.roofs)
    return Chart(tr("Roofline {chart}", chart=chart.title), f"{chart.title} · {y.title}", x, y, series, hidden)


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
