"""The order of lanes and processes that a user chose by dragging their names."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.profile.arrays import I64
from app.views.timeline.bands import KINDS, PROCESS, Band
from app.views.timeline.layout import Layout
from app.views.timeline.model import Model


class Drop(Struct, frozen=True):
    """The place that a dragged lane or process is moved to: before the lane or process ``before``, or, where that is
    -1, behind ``after``. ``y``: the pixel of the rows where the gap is."""

    before: int
    after: int
    y: int


def moved(items: I64, item: int, drop: Drop) -> I64:
    """int64: ``items`` with ``item`` in its new place."""
    others = items[items != item]
    anchor = drop.before if drop.before >= 0 else drop.after
    place = int(np.flatnonzero(others == anchor)[0]) + (drop.before < 0)
    return np.insert(others, place, item)


def displaced(items: I64, filed: I64) -> tuple[int, ...]:
    """Those of ``items`` that the file (``filed``) has in another place, in their new order."""
    return tuple(items[items != filed].tolist())


def aligned(items: I64, place: I64, group: I64) -> I64:
    """int64: ``items`` with those that have a ``place`` (int64[items], -1 none) in the order of their places. They
    share the positions that they have in their ``group`` (int64[items], rising); all others stay."""
    placed = place >= 0
    order = items.copy()
    order[placed] = items[placed][np.lexsort((place[placed], group[placed]))]
    return order


def drop_at(layout: Layout, model: Model, band: Band, y: int) -> Drop | None:
    """The place that ``band`` is moved to when it is dragged to pixel ``y`` of the rows; None where it would stay, or
    cannot be moved: a pinned lane moves among pinned ones, another one in its process, a process among processes."""
    rivals = _rivals(layout, model, band)
    here = np.flatnonzero(layout.bands.indices[rivals] == band.index)
    if not len(here):
        return None
    middles = layout.bands.y[rivals] + layout.bands.height[rivals] // 2
    above = int((middles <= y).sum())
    return None if above in (int(here[0]), int(here[0]) + 1) else _gap(layout, rivals, above)


def next_drop(layout: Layout, model: Model, band: Band, direction: int) -> Drop | None:
    """The place one further down (+1) or up (-1); None at the ends, and for what cannot be moved."""
    rivals = _rivals(layout, model, band)
    here = np.flatnonzero(layout.bands.indices[rivals] == band.index)
    above = int(here[0]) + (2 if direction > 0 else -1) if len(here) else -1
    return _gap(layout, rivals, above) if 0 <= above <= len(rivals) else None


def _gap(layout: Layout, rivals: I64, above: int) -> Drop:
    """The gap below so many of ``rivals``."""
    bands = layout.bands
    if above < len(rivals):
        return Drop(int(bands.indices[rivals[above]]), -1, int(bands.y[rivals[above]]))
    last = int(rivals[-1])
    bottom = layout.height if bands.kinds[last] == PROCESS else int(bands.y[last] + bands.height[last])
    return Drop(-1, int(bands.indices[last]), bottom)


def _rivals(layout: Layout, model: Model, band: Band) -> I64:
    """int64: the bands that ``band`` can change places with, and itself, from the top down."""
    bands = layout.bands
    if band.kind == "counter":
        return np.empty(0, np.int64)
    like = (bands.kinds == KINDS.index(band.kind)) & (bands.pinned == band.pinned)
    if band.kind == "lane" and not band.pinned:
        group = model.group_of_lane
        like[like] = group[bands.indices[like]] == group[band.index]
    return np.flatnonzero(like).astype(np.int64)
