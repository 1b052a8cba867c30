"""The legend of a plot: drawing and hit testing."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from app.language import tr
from app.widgets.plot.groups import MARK, folds
from app.widgets.plot.layout import SWATCH, PlotLayout
from app.widgets.plot.picture import ALL, PlotPicture
from app.widgets.texts import elided
from app.widgets.theme import Theme

FLAGS = Qt.AlignmentFlag.AlignVCenter.value | Qt.TextFlag.TextSingleLine.value


class Entry(Struct, frozen=True):
    """A legend entry; ``layer``: index of its layer in the picture, -1 for the sum of all."""

    layer: int
    name: str
    fill: str


def entries(picture: PlotPicture, theme: Theme) -> list[Entry]:
    """The legend entries from the top of the stack to its bottom (or from left to right); of lines in their order, the
    sum first. Empty for a single layer."""
    if len(picture.names) < 2:
        return []
    layers = [
        Entry(layer, name, fill)
        for layer, (name, fill) in enumerate(zip(picture.names, picture.fills(theme), strict=True))
    ]
    every = [Entry(-1, ALL, theme.text)] if picture.lines else []
    return every + layers[:: 1 if picture.grouped or picture.lines else -1]


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
    chosen = {entry.layer for entry in fullest[: room - 1]}
    hidden = [entry for entry in candidates if entry.layer not in chosen]
    return [entry for entry in candidates if entry.layer in chosen], hidden, line


def _sum(picture: PlotPicture, entry: Entry) -> float:
    return float(np.nansum(picture.layers[entry.layer]))


def draw_legend(painter: QPainter, layout: PlotLayout, picture: PlotPicture, theme: Theme) -> None:
    """Draws the entries that fit, and how many more there are."""
    place, metrics = layout.legend, layout.metrics
    visible, hidden, line = shown(place, picture, theme, metrics)
    marks = picture.grouped and folds(picture, layout.view, layout.plot.width())
    for number, entry in enumerate(visible):
        y = place.top() + number * line
        height = MARK if picture.lines or (marks and number) else SWATCH
        painter.fillRect(QRectF(place.left(), y + (line - height) / 2, SWATCH, height), QColor(entry.fill))
        painter.setPen(QColor(theme.text))
        box = QRectF(place.left() + SWATCH + 6, y, place.width() - SWATCH - 6, line)
        painter.drawText(box, FLAGS, elided(entry.name, metrics, box.width()))
    if hidden:
        painter.setPen(QColor(theme.muted))
        box = QRectF(place.left(), place.top() + len(visible) * line, place.width(), line)
        painter.drawText(box, FLAGS, tr("and {count} more", count=len(hidden)))


def entries_at(layout: PlotLayout, picture: PlotPicture, theme: Theme, point: QPointF) -> list[Entry]:
    """The entry under the pointer; the hidden ones if it points at their number."""
    place = layout.legend
    visible, hidden, line = shown(place, picture, theme, layout.metrics)
    number = int((point.y() - place.top()) // line)
    if not place.contains(point) or number > len(visible):
        return []
    return visible[number : number + 1] if number < len(visible) else hidden
