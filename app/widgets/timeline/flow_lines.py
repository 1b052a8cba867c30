"""Flows of chosen categories as lines of a picture: those in sight, folded by pixel, no more than can be drawn. No Qt.

Cost follows what is in sight: arrows are sorted by their earlier end, and a running maximum of the later ends tells
where in that order the first that can reach into a window stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from app.profile.arrays import F64, I64, U8
from app.widgets.timeline.layout import Layout
from app.widgets.timeline.model import Model

if TYPE_CHECKING:
    from app.widgets.timeline.scene import Scene

MOST_DRAWN = 1_500
MOST_LOOKED_AT = 60_000
"""Of more arrows in sight than this, evenly chosen ones are looked at."""
MOST_CATEGORIES = 255
FOLD = 2.0
"""Arrows whose ends lie in the same squares of so many pixels are drawn as one."""
CELLS = 1 << 13
"""Squares across and down that are told apart; what lies farther out is all the same."""


@dataclass(frozen=True, slots=True, eq=False)
class Centres:
    """Where rows and lanes have their middles, in pixels of the rows: int64, -1 for what is left out."""

    rows: I64
    lanes: I64

    @classmethod
    def of(cls, layout: Layout, rows: int, lanes: int) -> Centres:
        row_y, lane_y = np.full(rows, -1, np.int64), np.full(lanes, -1, np.int64)
        for band in (*layout.row_bands, *layout.pins):
            place = np.zeros(band.rows, np.int64) if band.folded else np.arange(band.rows) * band.row_height
            row_y[band.first_row : band.first_row + band.rows] = band.rows_y + place + band.row_height // 2
        for lane, band in layout.lane_bands.items():
            lane_y[lane] = band.y + band.height // 2
        return cls(row_y, lane_y)


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


@dataclass(frozen=True, slots=True, eq=False)
class FlowLines:
    """Arrows of the categories ``names``, by rising ``begin`` (the earlier end). ``reach``: the latest end so far;
    ``*_row``: int64, -1 where no slice is known; ``number``: int64, which flow of the timeline."""

    names: tuple[str, ...]
    begin: F64
    reach: F64
    from_time: F64
    to_time: F64
    from_row: I64
    to_row: I64
    from_lane: I64
    to_lane: I64
    category: U8
    number: I64

    @classmethod
    def of(cls, model: Model, names: tuple[str, ...]) -> FlowLines:
        """The first MOST_CATEGORIES of ``names``; those that the timeline does not have hold nothing."""
        flows, strings = model.timeline.flows, model.timeline.strings
        names = names[:MOST_CATEGORIES]
        slot = np.zeros(len(strings) + 1, np.uint8)
        used = np.unique(flows.category)
        of_name = {strings.get(int(text)): int(text) for text in used.tolist()}
        for place, name in enumerate(names):
            if name in of_name:
                slot[of_name[name]] = place + 1
        whole = np.isfinite(flows.from_time) & np.isfinite(flows.to_time)
        chosen = np.flatnonzero((slot[flows.category] > 0) & whole)
        begin = np.minimum(flows.from_time[chosen], flows.to_time[chosen])
        order = np.argsort(begin, kind="stable")
        chosen = chosen[order]
        start, end = flows.from_time[chosen], flows.to_time[chosen]
        return cls(
            names,
            begin[order],
            np.maximum.accumulate(np.maximum(start, end)) if len(chosen) else start,
            start,
            end,
            rows_of(model, flows.from_slice[chosen]),
            rows_of(model, flows.to_slice[chosen]),
            flows.from_lane[chosen].astype(np.int64),
            flows.to_lane[chosen].astype(np.int64),
            slot[flows.category[chosen]] - np.uint8(1),
            chosen,
        )

    def drawn(self, scene: Scene, centres: Centres) -> Drawn:
        """What a picture shows of them."""
        low = int(np.searchsorted(self.reach, scene.view.start))
        high = int(np.searchsorted(self.begin, scene.view.end, "right"))
        inside = low + np.flatnonzero(np.maximum(self.from_time, self.to_time)[low:high] >= scene.view.start)
        total = len(inside)
        inside = inside[:: max(1, -(-total // MOST_LOOKED_AT))]
        y0 = _heights(scene, centres, self.from_row[inside], self.from_lane[inside])
        y1 = _heights(scene, centres, self.to_row[inside], self.to_lane[inside])
        top, bottom = scene.body.y, scene.body.y + scene.body.height
        seen = ~np.isnan(y0) & ~np.isnan(y1) & (np.maximum(y0, y1) >= top) & (np.minimum(y0, y1) <= bottom)
        share = float(seen.mean()) if len(seen) else 0.0
        inside, y0, y1 = inside[seen], y0[seen], y1[seen]
        x0, x1 = scene.all_near_x(self.from_time[inside]), scene.all_near_x(self.to_time[inside])
        first, stands_for = folded(x0, y0, x1, y1, self.category[inside])
        if len(first) > MOST_DRAWN:
            kept = np.linspace(0, len(first) - 1, MOST_DRAWN).astype(np.int64)
            first, stands_for = first[kept], stands_for[kept]
        return Drawn(
            x0[first],
            y0[first],
            x1[first],
            y1[first],
            self.category[inside][first],
            stands_for,
            round(total * share),
            total > MOST_LOOKED_AT,
        )


def rows_of(model: Model, slices: I64) -> I64:
    """int64: the row of each slice, -1 for none."""
    row = np.searchsorted(model.rows.first, slices, "right") - 1
    return np.where(slices >= 0, row, -1).astype(np.int64)


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
