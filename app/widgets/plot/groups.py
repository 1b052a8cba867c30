"""Draws grouped bars, one for each layer of a place: as rectangles, so that exported pictures stay sharp."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter

from app.profile.arrays import F64
from app.views.plot.fold import fold
from app.views.plot.picture import PlotPicture
from app.views.span import Span
from app.views.theme import Theme

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
