"""Draws bars that stand side by side, one for each layer of a place: rectangles, so that a picture stays sharp."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter

from app.profile.arrays import F64
from app.widgets.plot.fold import fold
from app.widgets.plot.picture import PlotPicture
from app.widgets.span import Span
from app.widgets.theme import Theme

AIR = 0.25
"""Share of a place that stays free between two groups."""
NARROWEST = 2.0
"""Bars narrower than this are folded: each pixel column then shows the largest bar of its places."""


class Bar(NamedTuple):
    """A bar between two pixel columns; ``amount`` NaN: no data."""

    layer: int
    left: float
    right: float
    amount: float


def draw_groups(painter: QPainter, bars: QRectF, view: Span, top: float, picture: PlotPicture, theme: Theme) -> None:
    """The bars of what ``view`` sees into ``bars``, whose upper edge stands for ``top``."""
    fills = [QColor(fill) for fill in picture.fills(theme)]
    nothing = QColor(theme.no_data)
    painter.save()
    painter.setClipRect(bars)
    for bar in laid_out(picture, view, bars.left(), bars.width()):
        width = max(bar.right - bar.left, 1.0)
        if math.isnan(bar.amount):
            painter.fillRect(QRectF(bar.left, bars.top(), width, bars.height()), nothing)
        elif bar.amount > 0:
            height = max(bar.amount / top * bars.height(), 1.0)
            painter.fillRect(QRectF(bar.left, bars.bottom() - height, width, height), fills[bar.layer])
    painter.restore()


def laid_out(picture: PlotPicture, view: Span, left: float, width: float) -> Iterator[Bar]:
    """Where each bar stands that ``view`` sees between ``left`` and ``left`` + ``width``."""
    layers: F64 = np.stack([np.asarray(layer, np.float64) for layer in picture.layers])
    count = len(layers)
    scale = width / max(view.width, 1e-9)
    step = scale * (1 - AIR) / count
    if step < NARROWEST:
        yield from _folded(picture, layers, view, left, width)
        return
    first, last = max(math.floor(view.start), 0), min(math.ceil(view.end), picture.axis.size)
    for place in range(first, last):
        begin = left + (place - view.start + AIR / 2) * scale
        for layer in range(count):
            near, far = round(begin + layer * step), round(begin + (layer + 1) * step)
            yield Bar(layer, near, max(far - (far - near > 3), near + 1), float(layers[layer, place]))


def _folded(picture: PlotPicture, layers: F64, view: Span, left: float, width: float) -> Iterator[Bar]:
    columns = max(round(width), 1)
    worst = fold(picture.totals, view.start, view.end, columns).worst
    layer = np.argmax(np.where(np.isnan(layers), -np.inf, layers), axis=0)
    for x, place in enumerate(worst.tolist()):
        yield Bar(int(layer[place]), left + x, left + x + 1, float(picture.totals[place]))
