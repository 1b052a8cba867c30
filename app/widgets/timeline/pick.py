"""What lies under the pointer, and which slice is meant. No Qt."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from msgspec import Struct

from app.profile.arrays import I64
from app.profile.selection import TimeRange
from app.views.timeline.bands import LANE, PROCESS, Band
from app.views.timeline.rows import Rows
from app.views.timeline.state import Shown
from app.widgets.timeline.note_strip import note_at

Zone: TypeAlias = Literal["corner", "ruler", "notes", "names", "pin", "fold", "border", "body", "start", "end"]

GRIP = 4
"""Pixels around an edge in which it can be taken."""
PIN_ROOM = 18
"""Pixels at the left of a lane in which a click pins or unpins it."""
FOLD_FROM, FOLD_TO = 16, 32
"""Pixels from the left between which a click folds a lane of several rows, or opens it: where the triangle stands."""
HEAD_FOLD = 20
"""Pixels from the left in which a click folds a process, or opens it."""
SNAP = 5
"""Pixels within which a dragged edge goes to the end of a slice."""
REACH = 3.0
"""Pixels around the pointer within which the pointer still meets a slice narrower than that."""
MOST_COMPARED = 65_536
MOST_LOOKED_FOR = 200


class Hit(Struct, frozen=True):
    """``zone``: part of the picture ("start" and "end" are the edges of the range, "border" that of the names, "pin"
    where a lane is pinned, "fold" the triangle of a lane or process); ``time``: the moment there; ``band``; ``row``:
    -1 where none is; ``index``: the slice, None where none is, and ``count``: how many share its pixel; ``note``: which
    note, None where none is."""

    zone: Zone
    time: float
    band: Band | None = None
    row: int = -1
    index: int | None = None
    count: int = 0
    note: int | None = None


def hit(shown: Shown, x: float, y: float, stretch: TimeRange | None) -> Hit:
    """What lies at ``x``, ``y`` of the picture; ``stretch`` is the range, whose edges can be taken."""
    scene = shown.scene()
    moment = scene.time(x)
    body = scene.body
    if abs(x - body.x) <= GRIP:
        return Hit("border", moment)
    if x < body.x and y < body.y:
        return Hit("corner", moment)
    if x >= body.x and stretch is not None:
        if abs(scene.x(stretch.end) - x) <= GRIP:
            return Hit("end", moment)
        if abs(scene.x(stretch.start) - x) <= GRIP:
            return Hit("start", moment)
    if y < shown.place.ruler:
        return Hit("ruler", moment)
    if y < body.y:
        return Hit("notes", moment, note=note_at(scene, x, y))
    below = shown.layout.under(int(y - body.y), shown.view.top)
    sticky = shown.layout.sticky(shown.view.top)
    seen = below >= shown.layout.fixed
    if seen and sticky is not None and not sticky[0].folded and sticky[1] <= below < sticky[1] + sticky[0].height:
        return Hit(name_zone(sticky[0], x) if x < body.x else "body", moment, sticky[0])
    band = shown.layout.at(below)
    if x < body.x:
        return Hit(name_zone(band, x), moment, band, shown.layout.row_at(below))
    row = shown.layout.row_at(below)
    index, count = pick(shown, row, moment) if row >= 0 else (None, 0)
    return Hit("body", moment, band, row, index, count)


def name_zone(band: Band | None, x: float) -> Zone:
    """Which part of the names lies at ``x``."""
    if band is not None and band.kind == "process":
        return "fold" if x < HEAD_FOLD else "names"
    if band is None or band.kind != "lane":
        return "names"
    if x < PIN_ROOM and not (band.rows > 1 and x >= FOLD_FROM):
        return "pin"
    return "fold" if band.rows > 1 and FOLD_FROM <= x < FOLD_TO else "names"


def snapped(shown: Shown, x: float, y: float) -> float:
    """The moment at ``x``, or the start or end of a slice on the row at ``y`` that lies close by."""
    scene = shown.scene()
    moment = min(max(scene.time(x), scene.view.start), scene.view.end)
    below = shown.layout.under(int(y - scene.body.y), shown.view.top)
    row = shown.layout.row_at(below) if y >= scene.body.y else -1
    if row < 0:
        return moment
    reach = SNAP * scene.view.span / scene.body.width
    low, high = shown.contents.rows.window(row, moment - reach, moment + reach)
    near = [shown.contents.rows.among_all(place) for place in ((low, high - 1) if high > low else ())]
    ends = [shown.model.start_of(index) for index in near]
    ends += [shown.model.start_of(index) + shown.model.duration_of(index) for index in near]
    best = min(ends, key=lambda end: abs(end - moment), default=moment)
    return best if abs(best - moment) <= reach else moment


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
    """The slice before (-1) or after (+1) on the same row; hidden slices are skipped."""
    rows, row = shown.contents.rows, shown.model.rows.row_of(index)
    here = rows.place(index)
    hidden = here >= len(rows.start) or rows.among_all(here) != index
    wanted = here - 1 if direction < 0 else here if hidden else here + 1
    return rows.among_all(wanted) if rows.first[row] <= wanted < rows.first[row + 1] else None


def end_of_row(shown: Shown, index: int, direction: int) -> int | None:
    """The first (-1) or last (+1) slice of the row of ``index``; hidden slices do not count."""
    rows, row = shown.contents.rows, shown.model.rows.row_of(index)
    first, after = int(rows.first[row]), int(rows.first[row + 1])
    return rows.among_all(first if direction < 0 else after - 1) if after > first else None


def beside_row(shown: Shown, index: int, direction: int) -> int | None:
    """The slice above (-1) or below (+1) ``index`` on another row of the same lane: the one that is there in the middle
    of ``index``, else the nearest; None at the edge of the lane, and where its rows are folded."""
    model, rows = shown.model, shown.contents.rows
    row, lane = model.rows.row_of(index) + direction, model.lane_of(index)
    first_row = model.timeline.lanes.first_row
    band = shown.layout.lane_bands.get(lane)
    if band is None or band.folded or not int(first_row[lane]) <= row < int(first_row[lane + 1]):
        return None
    low, high = int(rows.first[row]), int(rows.first[row + 1])
    if low == high:
        return None
    moment = model.start_of(index) + model.duration_of(index) / 2
    after = low + int(np.searchsorted(rows.start[low:high], moment, "right"))
    return rows.among_all(nearest(rows, max(low, after - 1), min(high, after + 1), moment))


def first_seen(shown: Shown, lane: int | None = None) -> int | None:
    """The first slice in sight, from the top (``lane``: on that lane): where stepping begins when nothing is
    selected."""
    height = int(shown.place.body.height)
    for band in shown.layout.in_view(shown.view.top, height):
        if lane is not None and not (band.kind == "lane" and band.index == lane):
            continue
        for row in range(band.first_row, band.first_row + band.rows):
            low, high = shown.contents.rows.window(row, shown.view.start, shown.view.end)
            if high > low:
                return shown.contents.rows.among_all(low)
    return None


def neighbour_band(shown: Shown, lane: int, direction: int) -> Band | None:
    """The lane or folded process that stands above (-1) or below (+1) a lane; None at the ends. What is left out is
    skipped."""
    band, bands = shown.layout.lane_bands.get(lane), shown.layout.bands
    stops = np.flatnonzero((bands.kinds == LANE) | ((bands.kinds == PROCESS) & (bands.folded > 0) & (bands.rows > 0)))
    if band is not None:
        stops = stops[(bands.y[stops] - band.y) * direction > 0]
    if not len(stops):
        return None
    return bands[int(stops[0] if band is None or direction > 0 else stops[-1])]


def lanes_between(shown: Shown, y: float, other: float) -> tuple[int, ...]:
    """The lanes that stand, at least in part, between two heights of the picture, from the top down; what is folded
    stands for all of its lanes."""
    body = shown.place.body
    first, last = sorted(min(max(int(place - body.y), 0), int(body.height) - 1) for place in (y, other))
    seen = shown.layout.in_view(shown.view.top, int(body.height))
    lines = [(shown.layout.line(band.y, shown.view.top), band) for band in seen]
    crossed = [band for line, band in lines if line <= last and line + band.height > first]
    kinds = [band for band in crossed if band.kind == "lane" or (band.kind == "process" and band.folded)]
    return tuple(lane for band in kinds for lane in shown.lanes.lanes_of(band))


def lanes_from(shown: Shown, lane: int, band: Band) -> tuple[int, ...]:
    """``lane`` and all lanes between it and ``band``, which is included."""
    start = shown.layout.lane_bands.get(lane)
    if start is None:
        return shown.lanes.lanes_of(band)
    bands = shown.layout.bands
    low, high = sorted((start.y, band.y))
    between = np.flatnonzero((bands.y >= low) & (bands.y <= high) & ((bands.kinds == LANE) | (bands.folded > 0)))
    lanes = dict.fromkeys((lane, *(one for place in between.tolist() for one in shown.lanes.lanes_of(bands[place]))))
    return tuple(lanes | dict.fromkeys(shown.lanes.lanes_of(band)))


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


def first_on_shown_lane(shown: Shown, index: I64) -> int:
    """The first of these slices (of the first MOST_LOOKED_FOR) whose lane is not left out; else the first."""
    few: list[int] = index[:MOST_LOOKED_FOR].tolist()
    return next((one for one in few if not shown.lanes.left_out(shown.model.lane_of(one))), few[0])
