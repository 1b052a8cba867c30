"""Flows of chosen categories, sorted so that those in view are soon found: by their earlier end, with a running
maximum of the later ends, which says where the first that can reach into a window stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from app.analysis.time.path import WORK
from app.profile.arrays import F64, I64, U8, Bool, distinct, expand
from app.views.timeline.layout import Layout
from app.views.timeline.model import Model

if TYPE_CHECKING:
    from app.analysis.time.model import TimeModel

MOST_CATEGORIES = 255
LINED, FOOT = 12, 3
"""Pixels that a row must be high to have a line at its foot, and how high that stands; in others it is in the
middle."""


class Centres(Struct, frozen=True, eq=False):
    """Where rows and lanes have their middles, and ``feet``: where rows have a line at their foot, in pixels of the
    rows: int64, -1 for what is left out."""

    rows: I64
    lanes: I64
    feet: I64

    @classmethod
    def of(cls, layout: Layout, rows: int, lanes: int) -> Centres:
        row_y, lane_y, feet = (np.full(count, -1, np.int64) for count in (rows, lanes, rows))
        for bands in (layout.row_bands, layout.pins):
            places = expand(bands.first_row, bands.first_row + bands.rows)
            number = places - np.repeat(bands.first_row, bands.rows)
            step, middle = np.where(bands.folded > 0, 0, bands.row_height), bands.rows_y + bands.row_height // 2
            down = np.repeat(step, bands.rows) * number
            row_y[places] = np.repeat(middle, bands.rows) + down
            above = np.where(bands.row_height >= LINED, bands.row_height - FOOT, bands.row_height // 2)
            feet[places] = np.repeat(bands.rows_y + above, bands.rows) + down
        shown = np.flatnonzero(layout.lane_bands.place >= 0)
        place = layout.lane_bands.place[shown]
        lane_y[shown] = layout.bands.y[place] + layout.bands.height[place] // 2
        return cls(row_y, lane_y, feet)


class FlowLines(Struct, frozen=True, eq=False):
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
        used = distinct(flows.category)
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


def rows_of(model: Model, slices: I64) -> I64:
    """int64: the row of each slice, -1 for none."""
    row = np.searchsorted(model.rows.first, slices, "right") - 1
    return np.where(slices >= 0, row, -1).astype(np.int64)


class Flows(Struct, eq=False):
    """Whose arrows are drawn besides those of the selection. ``lines``: those of the chosen categories, None where none
    are chosen."""

    model: Model
    lines: FlowLines | None = None
    _centres: tuple[Layout, Centres] | None = None

    def show(self, names: tuple[str, ...]) -> None:
        """Draws the arrows of these categories."""
        self.lines = FlowLines.of(self.model, names) if names else None

    @property
    def names(self) -> tuple[str, ...]:
        """The categories whose arrows are drawn."""
        return () if self.lines is None else self.lines.names

    def centres(self, layout: Layout) -> Centres:
        """The middles of rows and lanes, made once for a layout."""
        if self._centres is None or self._centres[0] is not layout:
            rows, lanes = self.model.rows.count, len(self.model.timeline.lanes.thread)
            self._centres = layout, Centres.of(layout, rows, lanes)
        return self._centres[1]


class PathLines(Struct, frozen=True, eq=False):
    """The pieces of a path, which follow one another: ``start``, ``end``: float64; ``row``: int64, -1 outside of all
    slices; ``works``: bool, no waiting."""

    start: F64
    end: F64
    row: I64
    works: Bool

    @classmethod
    def of(cls, model: Model, time: TimeModel) -> PathLines:
        path, nodes = time.path, np.append(time.graph.slice, -1)  # the last one stands for no node
        return cls(path.start, path.end, rows_of(model, nodes[path.node]), path.part == WORK)
