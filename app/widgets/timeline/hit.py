"""What lies under the pointer. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from app.profile.selection import TimeRange
from app.widgets.timeline.bands import Band
from app.widgets.timeline.note_boxes import note_at
from app.widgets.timeline.pick import pick
from app.widgets.timeline.state import Shown

Zone: TypeAlias = Literal["corner", "ruler", "notes", "names", "pin", "fold", "border", "body", "start", "end"]

GRIP = 4
"""Pixels around an edge in which it can be taken."""
PIN_ROOM = 18
"""Pixels at the left of a pinned lane in which a click lets it go."""
FOLD_FROM, FOLD_TO = 16, 32
"""Pixels from the left between which a click folds a lane of several rows, or opens it: where the triangle stands."""
HEAD_FOLD = 20
"""Pixels from the left in which a click folds a process, or opens it."""
SNAP = 5
"""Pixels within which a dragged edge goes to the end of a slice."""


@dataclass(frozen=True, slots=True)
class Hit:
    """``zone``: part of the picture ("start" and "end" are the edges of the range, "border" that of the names, "pin"
    that of a pinned lane, "fold" the triangle of a lane or process); ``time``: the moment there; ``band``; ``row``:
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
    if band.pinned and x < PIN_ROOM:
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
