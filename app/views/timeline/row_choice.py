"""What a person chose of the rows of a timeline: folded, pinned, filtered and moved lanes and processes."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.profile.arrays import I64, Bool
from app.views.timeline.model import Processes


class RowChoice(Struct, frozen=True):
    """What a person chose of the rows. ``folded_groups``, ``folded_lanes``; ``pins``: lanes that stand at the top, in
    this order; ``lanes``, ``counters``: those that a filter leaves, None all; ``lane_order``, ``group_order``: the
    lanes and processes that do not stand where the file has them, in their order. A folded process shows all of its
    lanes."""

    folded_groups: frozenset[int] = frozenset()
    folded_lanes: frozenset[int] = frozenset()
    pins: tuple[int, ...] = ()
    lanes: frozenset[int] | None = None
    counters: frozenset[int] | None = None
    lane_order: tuple[int, ...] = ()
    group_order: tuple[int, ...] = ()

    def lanes_of(self, groups: Processes) -> I64:
        """int64: all lanes in their order, those of a process one after another, processes in the file's order."""
        order = np.array(self.lane_order, np.int64)
        if not len(order):
            return groups.lanes
        group = np.full(int(max(order.max(), groups.lanes.max(initial=0))) + 1, -1, np.int64)
        group[groups.lanes] = groups.of_lanes()
        return rearranged(groups.lanes, order[np.argsort(group[order], kind="stable")])

    def groups_of(self, groups: Processes) -> I64:
        """int64: all processes in their order."""
        return rearranged(np.arange(len(groups)), np.array(self.group_order, np.int64))

    def lanes_left(self, lanes: I64) -> Bool:
        """bool[lanes]: which of these lanes stand in their own process."""
        return _left(self.lanes, lanes) & ~among(frozenset(self.pins), lanes)

    def counters_left(self, counters: I64) -> Bool:
        """bool[counters]: which of these counter tracks are shown."""
        return _left(self.counters, counters)


def rearranged(items: I64, order: I64) -> I64:
    """int64: ``items``, of which those in ``order`` follow each other like that, in the places that they have among the
    others."""
    known = order[np.isin(order, items)]
    if not len(known):
        return items
    result = items.copy()
    result[np.isin(items, known)] = known
    return result


def ranks(order: I64, count: int) -> I64:
    """int64[count]: the place of each item in ``order``, -1 for those that are not in it."""
    places = np.full(count, -1, np.int64)
    places[order] = np.arange(len(order))
    return places


def _left(left: frozenset[int] | None, index: I64) -> Bool:
    return np.ones(len(index), np.bool_) if left is None else among(left, index)


def among(chosen: frozenset[int], index: I64) -> Bool:
    """bool[index]: which of these are among the chosen ones."""
    if not chosen or not len(index):
        return np.zeros(len(index), np.bool_)
    return np.isin(index, np.fromiter(chosen, np.int64, len(chosen)))
