"""The critical path of a timeline: lines along the lanes, joined where it goes from one to another."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.profile.arrays import F64, I64, Bool
from app.views.timeline.flows import Centres, PathLines
from app.views.timeline.scene import Scene

PIECES_A_PIXEL = 2
"""Where more pieces of the path are in view, the one at the beginning of each pixel is drawn."""
NEAR = 0.5
"""Pixels between two lines that are drawn as one."""


class DrawnPath(Struct, frozen=True, eq=False):
    """What a picture shows of it, float64 pixels: lines from ``x0`` to ``x1`` at ``y`` (``works``: bool), and joins at
    ``join`` from ``top`` to ``bottom``."""

    x0: F64
    x1: F64
    y: F64
    works: Bool
    join: F64
    top: F64
    bottom: F64


def drawn_path(lines: PathLines, scene: Scene, centres: Centres) -> DrawnPath:
    """What is in view: every piece, or where these are many that at each pixel."""
    view, body = scene.view, scene.body
    low = int(np.searchsorted(lines.end, view.start, "right"))
    high = int(np.searchsorted(lines.start, view.end))
    pieces = np.arange(low, high)
    if len(pieces) <= PIECES_A_PIXEL * body.width:
        x0, x1 = scene.all_near_x(lines.start[pieces]), scene.all_near_x(lines.end[pieces])
    else:
        edges = scene.pixels().edges()[:-1]
        pixels = np.flatnonzero((edges >= lines.start[low]) & (edges < lines.end[high - 1]))
        pieces = np.searchsorted(lines.end, edges[pixels], "right")
        x0 = body.x + pixels.astype(np.float64)
        x1 = x0 + 1.0
    y, works = _feet(scene, centres, lines.row[pieces]), lines.works[pieces]
    seen = np.flatnonzero(~np.isnan(y))
    x0, x1, y, works = x0[seen], x1[seen], y[seen], works[seen]
    begins = np.flatnonzero(_differs(y) | _differs(works) | (x0 > np.append(-np.inf, x1[:-1]) + NEAR))
    if len(begins):
        x0, x1, y, works = x0[begins], np.maximum.reduceat(x1, begins), y[begins], works[begins]
    after = np.flatnonzero(np.diff(y) != 0) + 1
    ends = y[after - 1], y[after]
    return DrawnPath(x0, np.maximum(x1, x0 + 1), y, works, x0[after], np.minimum(*ends), np.maximum(*ends))


def _differs(values: F64 | Bool) -> Bool:
    """bool: which are others than those before."""
    differs: Bool = np.append(True, values[1:] != values[:-1])[: len(values)]
    return differs


def _feet(scene: Scene, centres: Centres, row: I64) -> F64:
    """float64: the feet of rows in the picture, NaN for those whose lane is left out."""
    y = np.append(centres.feet, -1)[row]
    line = np.where(y < scene.layout.fixed, y, y - scene.view.top)
    return np.where(y < 0, np.nan, scene.body.y + line)
