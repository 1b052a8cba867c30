"""What a tool tip over a plot says: the part under the pointer, and what it means."""

from __future__ import annotations

from PySide6.QtCore import QPointF
from PySide6.QtGui import QFontMetricsF

from app.widgets.display import Look
from app.widgets.plot.layout import PlotLayout
from app.widgets.plot.legend import Entry, entries_at
from app.widgets.plot.picture import PlotPicture

NEAR = 6.0
"""So far from a line, in pixels, the pointer means it."""


def told(layout: PlotLayout, picture: PlotPicture, look: Look, metrics: QFontMetricsF, point: QPointF) -> str:
    """For a name of the legend its meaning; over the plot the part, its amount and its meaning; else ""."""
    named = entries_at(layout, picture, look.theme, metrics, point)
    if named:
        return "\n".join(_entry(picture, entry) for entry in named)
    block = layout.block_at(point)
    if block is None or picture.grouped:
        return ""
    place = picture.largest(block)
    layer = layer_at(layout, picture, place, point.y())
    return "" if layer is None else picture.tell(place, layer, look)


def layer_at(layout: PlotLayout, picture: PlotPicture, place: int, y: float) -> int | None:
    """The layer of a place that is drawn at a height; None over the stack, or beside the lines."""
    if picture.lines:
        away = [abs(layout.y_of(float(layer[place])) - y) for layer in picture.layers]
        nearest = min(range(len(away)), key=lambda layer: away[layer], default=0)
        return nearest if away and away[nearest] <= NEAR else None
    top = 0.0
    for number, layer in enumerate(picture.layers):
        top += float(layer[place])
        if layout.y_of(top) <= y:
            return number
    return None


def _entry(picture: PlotPicture, entry: Entry) -> str:
    about = picture.about(entry.layer)
    return f"{entry.name}: {about}" if about else entry.name
