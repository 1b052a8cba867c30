"""The lanes “Overlap Analysis” of Ascend's PyTorch profiler: what a device spends its time on."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.profile.arrays import F64, distinct
from app.profile.timeline import Timeline

PROCESS: Final = "Overlap Analysis"
PARTS: Final = ("Computing", "Communication", "Communication(Not Overlapped)", "Free")


class Overlap(Struct, frozen=True):
    """One device. ``process``: the name of its process; ``span``: from the first start to the last end of its lanes;
    ``busy``: by lane, the time in which its slices run, each moment counted once; both in the unit of the timeline."""

    process: str
    span: float
    busy: dict[str, float]


def overlaps(timeline: Timeline, busy: F64) -> list[Overlap]:
    """The devices, in their order. ``busy``: float64[lanes]."""
    lanes, slices, strings = timeline.lanes, timeline.slices, timeline.strings
    devices: list[Overlap] = []
    for process in distinct(lanes.process).tolist():
        name = strings.get(process) if process >= 0 else ""
        if not name.startswith(PROCESS):
            continue
        parts, start, end = dict[str, float](), np.inf, -np.inf
        for lane in np.flatnonzero(lanes.process == process).tolist():
            a, b = slices.first[lanes.first_row[lane : lane + 2]].tolist()
            called = strings.get(int(lanes.thread[lane]))
            if a == b or called not in PARTS:
                continue
            parts[called] = parts.get(called, 0.0) + float(busy[lane])
            start = min(start, float(slices.start[a:b].min()))
            end = max(end, float((slices.start[a:b] + slices.duration[a:b]).max()))
        if parts and end > start:
            ordered: dict[str, float] = {part: parts[part] for part in PARTS if part in parts}
            devices.append(Overlap(name, end - start, ordered))
    return devices
