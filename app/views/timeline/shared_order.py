"""The order of lanes and processes of two timelines that are shown together."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from msgspec.structs import replace

from app.profile.arrays import I32, I64
from app.views.timeline.order import aligned, displaced
from app.views.timeline.row_choice import ranks
from app.views.timeline.state import Shown

Order: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""The lanes and the processes that were moved."""
UNMOVED: Order = (), ()


def order_of(shown: Shown) -> Order:
    """The lanes and the processes of a timeline that were moved, in their new order."""
    return shown.lanes.choice.lane_order, shown.lanes.choice.group_order


def follow_order(leader: Shown, other: Shown) -> None:
    """Moves the lanes and processes of ``other`` to the order of those of ``leader`` that they belong to. What belongs
    to none stays; without moved lanes, or processes, in ``leader`` they stand where the file has them. Nothing happens
    before it is known what belongs together."""
    partners = None if other.counterpart is None else other.counterpart.lane_partners
    if partners is None:
        return
    choice, groups = other.lanes.choice, other.model.groups
    lanes: tuple[int, ...] = ()
    if leader.lanes.choice.lane_order:
        rank = ranks(leader.lanes.choice.lanes_of(leader.model.groups), len(leader.model.group_of_lane))
        own = choice.lanes_of(groups)
        lanes = displaced(aligned(own, _looked_up(rank, partners[own]), groups.of_lanes()), groups.lanes)
    processes: tuple[int, ...] = ()
    if leader.lanes.choice.group_order:
        rank = ranks(leader.lanes.choice.groups_of(leader.model.groups), len(leader.model.groups))
        of_group = _partner_groups(leader, other, partners)
        order = choice.groups_of(groups)
        places = _looked_up(rank, of_group[order])
        processes = displaced(aligned(order, places, np.zeros(len(order), np.int64)), np.arange(len(groups)))
    if (lanes, processes) != order_of(other):
        other.lanes.choose(replace(choice, lane_order=lanes, group_order=processes))


def _looked_up(rank: I64, partners: I32 | I64) -> I64:
    """int64[partners]: the rank of each partner, -1 without one."""
    return np.where(partners >= 0, rank[np.maximum(partners, 0)], -1)


def _partner_groups(leader: Shown, other: Shown, partners: I32) -> I64:
    """int64[processes of other]: the process of ``leader`` that holds the partner of its first lane with one, or -1."""
    of_group = np.full(len(other.model.groups), -1, np.int64)
    matched = np.flatnonzero(partners >= 0)[::-1]  # the first lane is written last
    of_group[other.model.group_of_lane[matched]] = leader.model.group_of_lane[partners[matched]]
    return of_group
