"""Tool tips over a plot: the part under the pointer, and its meaning."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF

from app.widgets.display import Look
from app.widgets.plot.layout import PlotLayout
from app.widgets.plot.legend import Entry, entries_at
from app.widgets.plot.picture import PlotPicture

NEAR = 6.0
"""Pixels: a line within this distance is under the pointer."""


def part_tip(layout: PlotLayout, picture: PlotPicture, look: Look, point: QPointF) -> str:
    """The tool tip: over a legend entry its meaning; over the plot the part, its amount and its meaning; else ""."""
    named = entries_at(layout, picture, look.theme, point)
    if named:
        return "\n".join(_entry(picture, entry) for entry in named)
    block = layout.block_at(point)
    if block is None or picture.grouped:
        return ""
    place = picture.largest(block)
    layer = layer_at(layout, picture, place, point.y())
    return "" if layer is None else picture.layer_tip(place, layer, look)


def layer_at(layout: PlotLayout, picture: PlotPicture, place: int, y: float) -> int | None:
    """The layer of a place drawn at height ``y``; None above the stack, or away from the lines. Layers without data
    there are not drawn."""
    known = [(number, float(layer[place])) for number, layer in enumerate(picture.layers)]
    known = [(number, amount) for number, amount in known if not math.isnan(amount)]
    if picture.lines:
        away, nearest = min(((abs(layout.y_of(amount) - y), number) for number, amount in known), default=(math.inf, 0))
        return nearest if away <= NEAR else None
    top = 0.0
    for number, amount in known:
        top += amount
        if layout.y_of(top) <= y:
            return number
    return None


def _entry(picture: PlotPicture, entry: Entry) -> str:
    about = picture.about(entry.layer)
    return f"{entry.name}: {about}" if about else entry.name
