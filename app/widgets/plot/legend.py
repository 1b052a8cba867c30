"""The legend of a plot, and bars in groups: drawing and hit testing."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from app.language import tr
from app.profile.arrays import F64, Bool
from app.views.axis import Span
from app.views.differences import ONLY_BASELINE, ONLY_COMPARISON
from app.views.look import Theme
from app.views.plot import ALL, BASELINE, LESS, MORE, PlotPicture, fold
from app.widgets.plot.layout import BETWEEN, SWATCH, PlotLayout, entry_width
from app.widgets.plot.outline import draw_dashes, draw_hatch
from app.widgets.texts import elided

Shape: TypeAlias = Literal["fill", "dashed", "only_before", "only_after"]
NO_LAYER: Final = -2
FLAGS = Qt.AlignmentFlag.AlignVCenter.value | Qt.TextFlag.TextSingleLine.value


class Entry(Struct, frozen=True):
    """A legend entry; ``layer``: index of its layer in the picture, -1 for the sum of all and NO_LAYER for others.
    ``shape``: how it looks in the plot."""

    layer: int
    name: str
    fill: str
    shape: Shape = "fill"


def entries(picture: PlotPicture, theme: Theme) -> list[Entry]:
    """The legend entries from the top of the stack to its bottom (or from left to right); of lines in their order, the
    sum first. Empty for a single layer."""
    if not picture.legend_names:
        return []
    layers = [
        Entry(layer, name, fill)
        for layer, (name, fill) in enumerate(zip(picture.names, picture.fills(theme), strict=True))
    ]
    if len(layers) == 1:
        signs = ((MORE, theme.more), (LESS, theme.less)) if picture.signed else ()
        layers = [Entry(NO_LAYER, name, fill) for name, fill in signs]
        return [*_outline(picture, theme), *layers, *_alone(picture, theme)]
    every = [Entry(-1, ALL, theme.text)] if picture.lines else []
    ordered = layers[:: 1 if picture.grouped or picture.lines else -1]
    return [*_outline(picture, theme), *every, *ordered, *_alone(picture, theme)]


def _outline(picture: PlotPicture, theme: Theme) -> list[Entry]:
    there = picture.sides is not None and not picture.signed
    return [Entry(NO_LAYER, BASELINE, theme.baseline, "dashed")] if there else []


def _alone(picture: PlotPicture, theme: Theme) -> list[Entry]:
    """The entries of the marks of places that only one side has."""
    if picture.sides is None:
        return []
    parts: tuple[tuple[Bool, str, Shape], ...] = (
        (picture.sides.only_before, ONLY_BASELINE, "only_before"),
        (picture.sides.only_after, ONLY_COMPARISON, "only_after"),
    )
    return [Entry(NO_LAYER, text, theme.baseline, shape) for places, text, shape in parts if bool(places.any())]


def shown(
    place: QRectF, picture: PlotPicture, theme: Theme, metrics: QFontMetricsF
) -> tuple[list[Entry], list[Entry], float]:
    """(entries that fit, entries that are only counted, line height). Of a stack, the largest layers are named, in the
    order of the stack."""
    line = metrics.height() + 4
    room = max(1, int(place.height() / line))
    candidates = entries(picture, theme)
    if len(candidates) <= room:
        return candidates, [], line
    fullest = (
        candidates if picture.grouped or picture.lines else sorted(candidates, key=lambda entry: -_sum(picture, entry))
    )
    chosen = {entry.name for entry in fullest[: room - 1]}
    hidden = [entry for entry in candidates if entry.name not in chosen]
    return [entry for entry in candidates if entry.name in chosen], hidden, line


def _sum(picture: PlotPicture, entry: Entry) -> float:
    """What it is worth showing: marks before all layers."""
    return math.inf if entry.layer < 0 else float(np.nansum(np.abs(picture.layers[entry.layer])))


def draw_legend(painter: QPainter, layout: PlotLayout, picture: PlotPicture, theme: Theme) -> None:
    """Draws the entries that fit, and how many more there are."""
    marks = picture.grouped and folds(picture, layout.view, layout.plot.width())
    for number, (box, named) in enumerate(_places(layout, picture, theme)):
        if len(named) > 1:
            painter.setPen(QColor(theme.muted))
            painter.drawText(box, FLAGS, tr("and {count} more", count=len(named)))
            continue
        height = MARK if picture.lines or (marks and number) else SWATCH
        swatch = QRectF(box.left(), box.center().y() - height / 2, SWATCH, height)
        _draw_swatch(painter, swatch, named[0], theme)
        painter.setPen(QColor(theme.text))
        words = box.adjusted(SWATCH + 6, 0, 0, 0)
        painter.drawText(words, FLAGS, elided(named[0].name, layout.metrics, words.width()))


def _places(layout: PlotLayout, picture: PlotPicture, theme: Theme) -> list[tuple[QRectF, list[Entry]]]:
    """Where each entry is; the last place may be that of all entries that do not fit."""
    place, metrics = layout.legend, layout.metrics
    if layout.row:
        left, spots = place.left(), []
        for entry in entries(picture, theme):
            width = entry_width(entry.name, metrics)
            spots.append((QRectF(left, place.top(), width, place.height()), [entry]))
            left += width + BETWEEN
        return spots
    visible, hidden, line = shown(place, picture, theme, metrics)
    named = [[entry] for entry in visible] + ([hidden] if hidden else [])
    return [
        (QRectF(place.left(), place.top() + number * line, place.width(), line), each)
        for number, each in enumerate(named)
    ]


def _draw_swatch(painter: QPainter, box: QRectF, entry: Entry, theme: Theme) -> None:
    if entry.shape == "dashed":
        draw_dashes(painter, [box.center() - QPointF(SWATCH / 2, 0), box.center() + QPointF(SWATCH / 2, 0)], theme)
    elif entry.shape == "fill":
        painter.fillRect(box, QColor(entry.fill))
    else:
        draw_hatch(painter, box, theme, before=entry.shape == "only_before")


def entries_at(layout: PlotLayout, picture: PlotPicture, theme: Theme, point: QPointF) -> list[Entry]:
    """The entry under the pointer; the hidden ones if it points at their number."""
    return next((named for box, named in _places(layout, picture, theme) if box.contains(point)), [])


AIR = 0.25
"""Share of a place left free between two groups."""
NARROWEST = 2.0
"""Pixels: narrower bars are folded. Each pixel column then shows the largest amount of each layer over its places, the
first layer as a bar and the others as marks over it, so that none hides another."""
MARK = 3.0
"""Height of a mark in pixels."""


class Bar(NamedTuple):
    """A bar between two x positions in pixels; ``amount`` NaN: no data; ``mark``: only its upper end is drawn."""

    layer: int
    left: float
    right: float
    amount: float
    mark: bool = False


def draw_groups(painter: QPainter, bars: QRectF, view: Span, top: float, picture: PlotPicture, theme: Theme) -> None:
    """Draws the visible bars into ``bars``, whose upper edge is ``top``."""
    fills = [QColor(fill) for fill in picture.fills(theme)]
    nothing = QColor(theme.no_data)
    painter.save()
    painter.setClipRect(bars)
    for bar in laid_out(picture, view, bars.left(), bars.width()):
        width = max(bar.right - bar.left, 1.0)
        if math.isnan(bar.amount):
            painter.fillRect(QRectF(bar.left, bars.top(), width, bars.height()), nothing)
        elif bar.amount > 0:
            height = max(bar.amount / top * bars.height(), MARK if bar.mark else 1.0)
            shown = MARK if bar.mark else height
            painter.fillRect(QRectF(bar.left, bars.bottom() - height, width, shown), fills[bar.layer])
    painter.restore()


def laid_out(picture: PlotPicture, view: Span, left: float, width: float) -> Iterator[Bar]:
    """The visible bars between the pixels ``left`` and ``left`` + ``width``."""
    layers: F64 = np.stack([np.asarray(layer, np.float64) for layer in picture.layers])
    count = len(layers)
    scale = width / max(view.width, 1e-9)
    step = scale * (1 - AIR) / count
    if folds(picture, view, width):
        yield from _folded(layers, view, left, width)
        return
    first, last = max(math.floor(view.start), 0), min(math.ceil(view.end), picture.axis.size)
    for place in range(first, last):
        begin = left + (place - view.start + AIR / 2) * scale
        for layer in range(count):
            near, far = round(begin + layer * step), round(begin + (layer + 1) * step)
            yield Bar(layer, near, max(far - (far - near > 3), near + 1), float(layers[layer, place]))


def folds(picture: PlotPicture, view: Span, width: float) -> bool:
    """Whether bars would be too narrow to be drawn side by side."""
    return width / max(view.width, 1e-9) * (1 - AIR) / max(len(picture.layers), 1) < NARROWEST


def _folded(layers: F64, view: Span, left: float, width: float) -> Iterator[Bar]:
    """The folded bars, layer by layer, so that marks are over bars; a column has no data only if no layer has any."""
    columns = max(round(width), 1)
    most = [fold(layer, view.start, view.end, columns).most for layer in layers]
    nothing = np.all(np.isnan(most), axis=0)
    for layer, amounts in enumerate(most):
        for x, amount in enumerate(amounts.tolist()):
            if layer == 0 and nothing[x]:
                yield Bar(0, left + x, left + x + 1, math.nan)
            elif amount > 0:
                yield Bar(layer, left + x, left + x + 1, amount, mark=layer > 0)
