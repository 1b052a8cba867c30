"""Lanes and slices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from app.analysis.ascend.links import slice_instructions
from app.analysis.host_events.links import slice_events
from app.analysis.kinds.spec import KindSpec, Named, Trait, numbers, texts
from app.analysis.poplar.links import slice_steps
from app.analysis.poplar.parts import slice_parts
from app.analysis.timeline.links import lanes_of_slices, slices_of_lanes
from app.language import tr
from app.profile.arrays import Integers
from app.profile.profile import Profile


def _lanes(profile: Profile) -> Iterator[Named]:
    if profile.timeline is not None:
        yield Named(profile.timeline.strings, profile.timeline.lanes.thread)


def _processes(profile: Profile) -> Integers:
    """int32[lanes]: the process of each lane."""
    return np.empty(0, np.int32) if profile.timeline is None else profile.timeline.lanes.process


def _lane_traits(profile: Profile) -> list[Trait] | None:
    line = profile.timeline
    return None if line is None else texts(line.strings, line.lanes.process, line.lanes.thread)


def _slices(profile: Profile) -> Iterator[Named]:
    if profile.timeline is not None:
        slices = profile.timeline.slices
        yield Named(profile.timeline.strings, slices.name, slices.start)


def _slice_traits(profile: Profile) -> list[Trait] | None:
    line = profile.timeline
    if line is None:
        return None
    lanes, slices = line.lanes, line.slices
    lane_of_row = np.repeat(np.arange(len(lanes.thread)), np.diff(lanes.first_row))
    lane = np.repeat(lane_of_row, np.diff(slices.first))
    where = texts(line.strings, lanes.process[lane], lanes.thread[lane], slices.name)
    return [*where, *numbers(slices.start)]


KINDS: Final = (
    KindSpec(
        "lane",
        tr("lane"),
        tr("lanes"),
        ("lanes",),
        names=_lanes,
        owners=_processes,
        links={"slice": slices_of_lanes},
        traits=_lane_traits,
    ),
    KindSpec(
        "slice",
        tr("slice"),
        tr("slices"),
        ("slices",),
        described_by=("step",),
        names=_slices,
        links={
            "instruction": slice_instructions,
            "host_event": slice_events,
            "step": slice_steps,
            "lane": lanes_of_slices,
        },
        traits=_slice_traits,
        parts=slice_parts,
    ),
)
