"""A roofline chart in the terms of the chart widget. No Qt."""

from __future__ import annotations

from app.language import tr
from app.panels.roofline.chart import Roof, RoofChart
from app.panels.roofline.words import about, roof_label, slope_label, standing
from app.widgets.chart.model import Axis, Chart, LineLabel, Pair, Series


def described(chart: RoofChart, hidden: frozenset[int] = frozenset()) -> Chart:
    """The chart; roofs whose rows are in ``hidden`` appear in the legend only."""
    (left, right), (low, high) = chart.x, chart.y
    x = Axis("Ops/Byte", 10.0**left, 10.0**right, log=True)
    y = Axis("TOps/s", 10.0**low, 10.0**high, log=True)
    series = tuple(_series(roof, x, y) for roof in chart.roofs)
    return Chart(tr("Roofline {chart}", chart=chart.title), f"{chart.title} · {y.title}", x, y, series, hidden)


def _series(roof: Roof, x: Axis, y: Axis) -> Series:
    """The slope from the edge of the chart, the flat roof beyond the ridge, and the point."""
    ridge: Pair = (roof.ridge, roof.compute)
    start = min(max(x.low, y.low / roof.bandwidth), roof.ridge)
    return Series(
        item=roof.row,
        name=roof.name,
        line=((start, start * roof.bandwidth), ridge, (x.high, roof.compute)),
        points=((roof.x, roof.y),),
        rings=(ridge,),
        labels=(
            LineLabel(roof_label(roof), 1, "end"),
            LineLabel(slope_label(roof), 0, "along"),
            LineLabel(roof.name, 0, "point"),
        ),
        title=roof.title,
        detail=standing(roof),
        about=about(roof),
    )
