"""Which slice is meant. No Qt."""

from __future__ import annotations

import numpy as np

from app.profile.arrays import I64
from app.widgets.timeline.bands import LANE, PROCESS, Band
from app.widgets.timeline.rows import Rows
from app.widgets.timeline.state import Shown

REACH = 3.0
"""Pixels around the pointer in which a slice narrower than that is still found."""
MOST_COMPARED = 65_536
MOST_LOOKED_FOR = 200


def pick(shown: Shown, row: int, moment: float) -> tuple[int | None, int]:
    """(the slice of a row at ``moment`` or within REACH pixels of it, how many share its pixel): the longest where
    several do."""
    step = shown.view.span / shown.place.body.width
    rows = shown.contents.rows
    low, high = rows.window(row, moment - step / 2, moment + step / 2)
    if low == high:
        low, high = rows.window(row, moment - REACH * step, moment + REACH * step)
        if low == high:
            return None, 0
        low = nearest(rows, low, high, moment)
        high = low + 1
    compared = min(high, low + MOST_COMPARED)
    return rows.among_all(low + int(np.argmax(rows.duration[low:compared]))), high - low


def nearest(rows: Rows, low: int, high: int, moment: float) -> int:
    """Of the slices [low, high) beside a moment the closest one."""
    high = min(high, low + MOST_COMPARED)
    start, end = rows.start[low:high], rows.start[low:high] + rows.duration[low:high]
    return low + int(np.argmin(np.maximum(start - moment, moment - end)))


def neighbour(shown: Shown, index: int, direction: int) -> int | None:
    """The slice before (-1) or after (+1) on the same row; what is hidden is passed over."""
    rows, row = shown.contents.rows, shown.model.rows.row_of(index)
    here = rows.place(index)
    hidden = here >= len(rows.start) or rows.among_all(here) != index
    wanted = here - 1 if direction < 0 else here if hidden else here + 1
    return rows.among_all(wanted) if rows.first[row] <= wanted < rows.first[row + 1] else None


def first_seen(shown: Shown) -> int | None:
    """The first slice in sight, from the top: where stepping begins when nothing is selected."""
    height = int(shown.place.body.height)
    for band in shown.layout.in_view(shown.view.top, height):
        for row in range(band.first_row, band.first_row + band.rows):
            low, high = shown.contents.rows.window(row, shown.view.start, shown.view.end)
            if high > low:
                return shown.contents.rows.among_all(low)
    return None


def neighbour_band(shown: Shown, lane: int, direction: int) -> Band | None:
    """The lane or folded process that stands above (-1) or below (+1) a lane; None at the ends. What is left out is
    passed over."""
    band, bands = shown.layout.lane_bands.get(lane), shown.layout.bands
    stops = np.flatnonzero((bands.kind == LANE) | ((bands.kind == PROCESS) & (bands.folded > 0) & (bands.rows > 0)))
    if band is not None:
        stops = stops[(bands.y[stops] - band.y) * direction > 0]
    if not len(stops):
        return None
    return bands[int(stops[0] if band is None or direction > 0 else stops[-1])]


def first_lane_seen(shown: Shown) -> Band | None:
    """The first lane or folded process that stands wholly in sight, from the top: where stepping begins when nothing is
    selected."""
    seen = [band for band in shown.layout.in_view(shown.view.top, int(shown.place.body.height)) if _steps_to(band)]
    whole = [band for band in seen if band.pinned or band.y >= shown.view.top + shown.layout.fixed]
    return next(iter((*whole, *seen)), None)


def _steps_to(band: Band) -> bool:
    """A lane, or a folded process that has some."""
    return band.kind == "lane" or (band.kind == "process" and band.folded and band.rows > 0)


def in_sight(shown: Shown, index: I64) -> bool:
    """Whether any of these slices (of the first MOST_LOOKED_FOR) stands in the part that is shown."""
    scene = shown.scene()
    return any(scene.slice_box(one) is not None for one in index[:MOST_LOOKED_FOR].tolist())
