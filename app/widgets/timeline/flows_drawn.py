"""Flows as lines of a picture: those in sight, folded by pixel, no more than can be drawn. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.profile.arrays import F64, I64, U8
from app.widgets.timeline.flow_lines import Centres, FlowLines
from app.widgets.timeline.scene import Scene

MOST_DRAWN = 1_500
MOST_LOOKED_AT = 60_000
"""Of more arrows in sight than this, evenly chosen ones are looked at."""
FOLD = 2.0
"""Arrows whose ends lie in the same squares of so many pixels are drawn as one."""
CELLS = 1 << 13
"""Squares across and down that are told apart; what lies farther out is all the same."""


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """Lines to draw, float64 pixels of the picture; ``category``: uint8, index into FlowLines.names; ``stands_for``:
    int64, how many arrows each is; ``total``: arrows in sight, ``estimated`` where they are too many to be counted."""

    x0: F64
    y0: F64
    x1: F64
    y1: F64
    category: U8
    stands_for: I64
    total: int
    estimated: bool


def drawn_of(lines: FlowLines, scene: Scene, centres: Centres) -> Drawn:
    """What a picture shows of them."""
    low = int(np.searchsorted(lines.reach, scene.view.start))
    high = int(np.searchsorted(lines.begin, scene.view.end, "right"))
    inside = low + np.flatnonzero(np.maximum(lines.from_time, lines.to_time)[low:high] >= scene.view.start)
    total = len(inside)
    inside = inside[:: max(1, -(-total // MOST_LOOKED_AT))]
    y0 = _heights(scene, centres, lines.from_row[inside], lines.from_lane[inside])
    y1 = _heights(scene, centres, lines.to_row[inside], lines.to_lane[inside])
    top, bottom = scene.body.y, scene.body.y + scene.body.height
    seen = ~np.isnan(y0) & ~np.isnan(y1) & (np.maximum(y0, y1) >= top) & (np.minimum(y0, y1) <= bottom)
    share = float(seen.mean()) if len(seen) else 0.0
    inside, y0, y1 = inside[seen], y0[seen], y1[seen]
    x0, x1 = scene.all_near_x(lines.from_time[inside]), scene.all_near_x(lines.to_time[inside])
    first, stands_for = folded(x0, y0, x1, y1, lines.category[inside])
    if len(first) > MOST_DRAWN:
        kept = np.linspace(0, len(first) - 1, MOST_DRAWN).astype(np.int64)
        first, stands_for = first[kept], stands_for[kept]
    return Drawn(
        x0[first],
        y0[first],
        x1[first],
        y1[first],
        lines.category[inside][first],
        stands_for,
        round(total * share),
        total > MOST_LOOKED_AT,
    )


def folded(x0: F64, y0: F64, x1: F64, y1: F64, category: U8) -> tuple[I64, I64]:
    """(first of each, how many): arrows that would be drawn over one another as one."""
    if not len(x0):
        none = np.empty(0, np.int64)
        return none, none
    key = category.astype(np.int64)
    for part in (x0, y0, x1, y1):
        cell = np.floor(part / FOLD).astype(np.int64)
        key = key * CELLS + np.clip(cell + CELLS // 4, 0, CELLS - 1)
    _, first, count = np.unique(key, return_index=True, return_counts=True)
    return first.astype(np.int64), count.astype(np.int64)


def _heights(scene: Scene, centres: Centres, row: I64, lane: I64) -> F64:
    """float64: where ends stand in the picture, NaN for those whose lane is left out."""
    known = (lane >= 0) & (lane < len(centres.lanes))
    of_lane = np.append(centres.lanes, -1)[np.where(known, lane, -1)]
    y = np.where(row >= 0, np.append(centres.rows, -1)[row], of_lane)
    line = np.where(y < scene.layout.fixed, y, y - scene.view.top)
    return np.where(y < 0, np.nan, scene.body.y + line)
