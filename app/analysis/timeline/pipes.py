"""What of a trace is not the work of a pipe: flags, barriers, scalar instructions, states of pipes; what names of
slices say of that; and the lanes “Overlap Analysis” of Ascend's PyTorch profiler: what a device spends its time on."""

from __future__ import annotations

import re
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.matching import matching_texts
from app.analysis.timeline.times import lane_counts, slice_lanes
from app.language import plural, tr
from app.profile.arrays import F64, Bool, among, distinct
from app.profile.pipes import PIPE_STATES, is_work, pipe_of, split_lane
from app.profile.strings import Strings, taken
from app.profile.timeline import Timeline

_KINDS: Final = re.compile(
    r"(?P<barriers>(?:pipe_?)?bar(?:rier)?(?:[._ ].*)?)"
    r"|(?P<sets>h?set_(?:flag|event)[is]?(?:_\w+)?(?:[._ ].*)?|notify[_ ]?record.*|event[_ ]?record.*)"
    r"|(?P<waits>h?wait_(?:flag|event)[is]?(?:_\w+)?(?:[._ ].*)?|try_waiti?"
    r"|notify[_ ]?wait.*|event[_ ]?wait.*|ffts_?wait.*|crosscorewait.*"
    r"|[\w@:.]*synchroni[sz]e\w*(?:[(: ].*)?"
    r"|(?:memory|stream|cascade|lock|group_core)_stall|port_stalled_\d+"
    r"|dma_\w+_(?:stalled_lock(?:_acquire)?|(?:stream|memory)_(?:starvation|backpressure))"
    r"|(?:\w+@)?(?:cuda|hip|aclrt)memcpy(?:2d|3d)?(?:to|from)?(?:array|symbol|withstream)?"
    r"|cumemcpy(?:[dha]to[dha]|2d|3d)?(?:_v\d)?)"
    r"|(?P<before>(?:cache|ccu)_time)",
    re.IGNORECASE,
)
"""The device's own words (also those of stalls of AMD AI Engine tiles and their DMAs), and host calls that block:
synchronisation, and copies that are not asynchronous; ``before``: the times that an instruction spends in front of its
pipe (Ascend operator files, section 4)."""
_HINTS: Final = ("wait", "sync", "bar", "set_", "record", "memcpy", "_time", "_stall", "starvation", "backpressure")
"""One of them is in every name that the pattern matches."""


class NameKinds(Struct, frozen=True, eq=False):
    """bool[texts + 1] each, the last entry serves -1, no name; no text is of two kinds."""

    waits: Bool
    barriers: Bool
    sets: Bool
    before: Bool


def name_kinds(strings: Strings) -> NameKinds:
    """What each text says as the name of a slice."""
    maybe = np.zeros(len(strings), np.bool_)
    for hint in _HINTS if len(strings) else ():
        maybe |= matching_texts(strings, hint)
    kinds = {kind: np.zeros(len(strings) + 1, np.bool_) for kind in NameKinds.__struct_fields__}
    asked = np.flatnonzero(maybe)
    for text, name in zip(asked.tolist(), taken(strings, asked).tolist(), strict=True):
        found = _KINDS.fullmatch(name)
        if found is not None and found.lastgroup is not None:
            kinds[found.lastgroup][text] = True
    return NameKinds(**kinds)


WORKING: Final = ("MTE1", "CUBE", "FIXP", "MTE2", "VECTOR", "MTE3")
QUIET: Final = ("SCALAR", "SCALARLDST", "FLOWCTRL", "CACHEMISS", "EVENT", "ALL")
"""Lanes of a core that are left out, with their instants."""

MOST_NAMES: Final = 4096


class Noise(Struct, frozen=True, eq=False):
    """``lanes``: bool[lanes], those that are left out; ``slices``: bool[slices], those on them, and flags, barriers and
    the like on the others; ``lane_count``: how many of the lanes have slices; ``slice_count``: how many of the slices
    are no instants."""

    lanes: Bool
    slices: Bool
    lane_count: int
    slice_count: int

    @property
    def text(self) -> str:
        """How much it is, for people."""
        lanes = plural("{count:,} lane", "{count:,} lanes", count=self.lane_count)
        slices = plural("{count:,} slice", "{count:,} slices", count=self.slice_count)
        return tr("{lanes} and {slices} hidden", lanes=lanes, slices=slices)


def has_pipes(timeline: Timeline) -> bool:
    """Whether any lane is a pipe that works; of very many names of threads, only the first are looked at."""
    texts = distinct(timeline.lanes.thread)[:MOST_NAMES].tolist()
    return any(pipe_of(split_lane(timeline.strings.get(text))[0]) in WORKING for text in texts)


def work_lanes(timeline: Timeline) -> Bool:
    """bool[lanes]: those whose slices are work, not remarks about it (regions, marks, states of pipes)."""
    others = [text for text, name in _threads(timeline).items() if not is_work(name)]
    return ~among(timeline.lanes.thread, others)


def noise(timeline: Timeline) -> Noise:
    """What is left out where only pipes are shown. Regions, marks, and what is not known stay."""
    quiet = [text for text, name in _threads(timeline).items() if _is_quiet(name)]
    lanes = among(timeline.lanes.thread, quiet)
    names = remark_names(timeline)
    slices: Bool = lanes[slice_lanes(timeline)] | names[timeline.slices.name]
    count = int(np.count_nonzero(slices)) - int(np.count_nonzero(slices[timeline.instants.slice]))
    return Noise(lanes, slices, int(np.count_nonzero(lanes & (lane_counts(timeline) > 0))), count)


def remark_names(timeline: Timeline) -> Bool:
    """bool[texts + 1]: names of flags, events, barriers and the like; the last entry serves -1, no name."""
    kinds = name_kinds(timeline.strings)
    return kinds.waits | kinds.barriers | kinds.sets | kinds.before


def _threads(timeline: Timeline) -> dict[int, str]:
    """The names of threads by text id."""
    return {text: timeline.strings.get(text) for text in distinct(timeline.lanes.thread).tolist()}


def _is_quiet(lane: str) -> bool:
    thread, what = split_lane(lane)
    return what == PIPE_STATES or (what in ("", "instants") and pipe_of(thread) in QUIET)


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
