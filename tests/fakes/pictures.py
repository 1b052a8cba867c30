"""The contents of a canvas, for tests that know that it is not empty."""

from __future__ import annotations

import numpy as np

from app.views.plot import PlotPicture
from app.widgets.heat.picture import HeatPicture
from app.widgets.heat.scene import Block, HeatScene
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.plot.scene import PlotScene


def plot_shown(canvas: PlaneCanvas[PlotScene]) -> PlotPicture:
    assert canvas.scene is not None
    return canvas.scene.picture


def heat_shown(canvas: PlaneCanvas[HeatScene]) -> HeatPicture:
    assert canvas.scene is not None
    return canvas.scene.picture


def rows_marked(canvas: PlaneCanvas[HeatScene]) -> list[int]:
    """The rows of a heat map that are marked."""
    assert canvas.scene is not None
    return list(canvas.scene.split(canvas.marks.selected)[0])


def columns_marked(canvas: PlaneCanvas[HeatScene]) -> list[int]:
    """The same of its columns."""
    assert canvas.scene is not None
    return list(canvas.scene.split(canvas.marks.selected)[1])


def block_hovered(canvas: PlaneCanvas[HeatScene]) -> tuple[range, range] | None:
    """The outlined rows and columns of a heat map; None if there are none."""
    hit = canvas.marks.hovered
    if hit is None:
        return None
    assert isinstance(hit.place, Block)
    return hit.place[:2]


def choose_columns(canvas: PlaneCanvas[HeatScene], first: int, last: int) -> None:
    """As a drag over a heat map does."""
    assert canvas.scene is not None
    canvas.chosen.emit(np.arange(first, last + 1) + canvas.scene.picture.rows, False)
