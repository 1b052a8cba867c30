"""Scaling charts in the terms of the chart widget (items are indices into ``counts``), and the main result."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Final

from msgspec.structs import replace

from app.language import labelled, plural, tr
from app.views.chart.model import Axis, Bar, Chart, Column, Key, Note, Paint, Pair, Reference, Series, Style, Tick
from app.views.colours import GREY, MAGENTA, ORANGE, TEAL, VIOLET, colour, fitted
from app.views.look import Theme
from app.views.scaling.charts import BASELINE, WITHOUT, Bars, Curves, Line
from app.views.scaling.study import Study
from app.views.units import Scale, format_value, percent, plain, scale_for

AIR = 0.5
"""Doublings of free space left of the fewest replicas and right of the most."""
LEAST = 0.25
"""Narrowest range that a logarithmic axis can be zoomed to, in doublings."""
BAR = 0.62
"""Share of the distance between two numbers of replicas that a bar takes."""
REACH = 0.12
"""Doublings around a number of replicas that are marked in line charts."""
HEADROOM = 1.12
PARTS: Final[dict[str, str]] = {
    tr("Host"): "host",
    tr("Host to IPU"): "StreamCopy",
    tr("IPU"): "OnTileExecute",
    tr("IPU to IPU"): "GlobalExchange",
    tr("Waiting"): "Sync",
    tr("Constant"): "constant",
}
"""Kinds of steps whose colours the parts have."""
OWN: Final = {"host": VIOLET, "constant": GREY}
LINES: Final = {"what if": ORANGE, "fit": TEAL}


def curves_chart(chart: Curves, *, legend: bool = True) -> Chart:
    """Lines against replicas, with the replicas of the inputs and the limit."""
    low, high = chart.ends
    scale = None if chart.log else Scale(1.0, "%", 0)
    least = LEAST * math.log10(2) if chart.log else 1.0
    references = [Reference(chart.now, quiet=True)] if chart.now in chart.counts else []
    if chart.limit is not None:
        value, name = chart.limit
        figure = format_value(round(value) if value >= 10 else value, chart.unit)
        references.append(Reference(value, labelled(name, figure), across=True))
    return Chart(
        chart.title,
        chart.title,
        _replicas(chart.counts),
        Axis("", low, high, chart.log, least, scale=scale),
        tuple(_series(line, legend=legend) for line in chart.lines),
        columns=tuple(Column(*_around(count, REACH), chart.about(count)) for count in chart.counts),
        references=tuple(references),
    )


def bars_chart(chart: Bars) -> Chart:
    """Stacked parts against replicas, the totals before the sliders were moved, and the share of compiling above."""
    high = chart.top * HEADROOM
    half = _bar_width(chart.counts) / 2
    stretches = [_around(count, half) for count in chart.counts]
    shares = zip(chart.counts, chart.totals, chart.startup, strict=True)
    return Chart(
        chart.title,
        chart.title,
        _replicas(chart.counts),
        Axis("", 0.0, high, least=high / 64, scale=scale_for(chart.top, chart.unit)),
        tuple(_strokes(chart, stretches)),
        bars=tuple(_boxes(chart, stretches)),
        columns=tuple(
            Column(*stretch, chart.about(count)) for stretch, count in zip(stretches, chart.counts, strict=True)
        ),
        notes=tuple(
            Note((count, top), f"+{percent(100 * share)}") for count, top, share in shares if share is not None
        ),
        keys=tuple(Key(name, part_colour(name)) for name, _ in reversed(chart.layers)),
    )


def line_colour(role: str) -> Paint:
    """The colour of a line."""
    return partial(_line_colour, role)


def part_colour(name: str) -> Paint:
    """The colour of a part of the time, the same as for steps of that kind in every panel."""
    return partial(_part_colour, name)


def _line_colour(role: str, theme: Theme) -> str:
    known = {"model": theme.accent, "ideal": theme.muted, "measured": theme.text, "baseline": theme.baseline}
    return known.get(role) or fitted(LINES.get(role, MAGENTA), theme)


def _part_colour(name: str, theme: Theme) -> str:
    known = PARTS.get(name, name)
    own = OWN.get(known)
    return fitted(own, theme) if own else colour(known, theme)


def _style(role: str) -> Style:
    """Line styles differ in strokes and markers, not only in colour."""
    shade = line_colour(role)
    if role == "ideal":
        return Style(shade, width=1.0, dashes=(4, 2))
    if role == "fit":
        return Style(shade, dashes=(4, 2, 1, 2))
    if role == "baseline":
        return Style(shade, "square", dashes=(3, 2))
    if role == "measured":
        return Style(shade, "square", width=0.0)
    return Style(shade, "diamond" if role == "what if" else "circle")


def _series(line: Line, *, legend: bool) -> Series:
    places = tuple((float(count), value) for count, value in line.places)
    return Series(-1, line.name, places, places, title=line.name if legend else "", style=_style(line.role))


def _replicas(counts: Sequence[int]) -> Axis:
    """The axis of replicas: logarithmic, with a label for each number of replicas."""
    low, _ = _around(counts[0], AIR)
    _, high = _around(counts[-1], AIR)
    axis = Axis("", low, high, log=True, least=LEAST * math.log10(2))
    return replace(axis, named=tuple(Tick(axis.place(count), f"{count:,}") for count in counts))


def _around(count: float, doublings: float) -> Pair:
    return count * 2.0**-doublings, count * 2.0**doublings


def _bar_width(counts: Sequence[int]) -> float:
    """Width of a bar in doublings, so that bars do not touch."""
    apart = [math.log2(b / a) for a, b in pairwise(counts)]
    return BAR * min([1.0, *apart])


def _boxes(chart: Bars, stretches: Sequence[Pair]) -> Iterator[Bar]:
    """Yields the parts, each on top of the previous one; all boxes of one part are together."""
    below = [0.0] * len(stretches)
    for name, values in chart.layers:
        shade = part_colour(name)
        for number, (left, right) in enumerate(stretches):
            if values[number]:
                yield Bar(left, right, below[number], below[number] + values[number], shade)
        below = [low + value for low, value in zip(below, values, strict=True)]


def _strokes(chart: Bars, stretches: Sequence[Pair]) -> Iterator[Series]:
    """Yields a stroke below the bar of the inputs' replicas, and strokes where bars ended before the sliders were
    moved."""
    style = Style(lambda theme: theme.text)
    for count, (left, right) in zip(chart.counts, stretches, strict=True):
        if count == chart.now:
            yield Series(-1, "", ((left, 0.0), (right, 0.0)), style=replace(style, width=4.0))
    for value, (left, right) in zip(chart.before or (), stretches, strict=False):
        if not math.isnan(value):
            yield Series(-1, "", ((left / 1.04, value), (right * 1.04, value)), style=style)
    dashed = Style(line_colour("baseline"), width=2.0, dashes=(3, 2))
    title: str = BASELINE
    for value, (left, right) in zip(chart.baseline or (), stretches, strict=False):
        if not math.isnan(value):
            yield Series(-1, BASELINE, ((left / 1.06, value), (right * 1.06, value)), title=title, style=dashed)
            title = ""


def summary(study: Study) -> str:
    """The result at the replicas of the inputs, with the sliders' changes."""
    model = study.model
    if model is None:
        return ""
    shown = study.what_if or model.curve
    point = shown.at(model.replicas)
    if point is None:
        return tr("The fixed batch is too small for this many replicas.")
    update = point.update
    rate = plain(float(f"{point.throughput:.5g}"))
    parts = [
        plural(
            "{count:,} replica: {rate} samples/s",
            "{count:,} replicas: {rate} samples/s",
            count=model.replicas,
            rate=rate,
        ),
        tr("weight update {seconds}", seconds=format_value(update.seconds, "s")),
    ]
    if model.complete:
        parts.insert(1, tr("efficiency {efficiency}", efficiency=percent(100 * point.efficiency)))
        parts.append(tr("allreduce {share}", share=percent(100 * update.share(update.allreduce))))
    else:
        parts.append(WITHOUT)
    return " · ".join(parts if study.what_if is None else [tr("What if"), *parts])
