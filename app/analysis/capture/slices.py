"""The slices of kernels and collectives on the timeline (Ascend captures, section 4).

A kernel's slice is in the lane of its stream on its rank's hardware, has its name, and starts with it: never by time
alone. The table cuts times to nanoseconds and the trace rounds them, so starts differ by up to one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from app.analysis.capture.ranks import once, origin
from app.analysis.part import Part, Pointer
from app.analysis.timeline.times import slice_lanes
from app.language import tr
from app.profile.arrays import F64, I32, I64, Integers, distinct
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.profile.strings import Strings
from app.profile.timeline import Timeline

NEAR: Final = 2.0
"""Nanoseconds by which the starts of a row and its slice may differ."""
RANK: Final = re.compile(r"Rank (\d{1,9}) · (.*)", re.DOTALL)
"""What processes of the timelines of several ranks are called."""
_DEVICE: Final = re.compile(r"(.*) \(NPU (\d{1,9})\)", re.DOTALL)
"""What processes of one database with several devices are called."""
_HARDWARE: Final = re.compile(r"Ascend Hardware( \[.*\])?")
"""The process of the streams, with its labels."""
_STREAM: Final = re.compile(r"Stream (\d{1,18})")
_GROUP: Final = re.compile(r"Group .*Communication")
_NO_RANK: Final = -1
_ANY: Final = -2
"""The stream of collectives: their lanes are those of groups."""


def kernel_slices(profile: Profile) -> I64:
    """int64[kernels]: the slice of each kernel, -1 none. A million take about two seconds."""
    return once(profile, _of_kernels)


def collective_slices(profile: Profile) -> I64:
    """int64[collectives]: the slice of each collective in the lane of a group, -1 none."""
    return once(profile, _of_collectives)


def rank_of_process(profile: Profile, process: str) -> tuple[int, str]:
    """(the rank of a process of the timeline as a row of the capture, its name without the rank); -1 for none."""
    own = profile.capture
    named, placed = RANK.fullmatch(process), _DEVICE.fullmatch(process)
    if own is None:
        return _NO_RANK, process
    if named is not None:
        rows, name = np.flatnonzero(own.rank == int(named[1])), named[2]
    elif placed is not None:
        rows, name = np.flatnonzero(own.device == int(placed[2])), placed[1]
    else:
        rows, name = np.arange(1 if len(own) == 1 else 0), process
    return (int(rows[0]) if len(rows) else _NO_RANK), name


def _of_kernels(profile: Profile) -> I64:
    own, line = profile.kernels, profile.timeline
    if own is None or line is None:
        return np.full(0 if own is None else len(own), -1, np.int64)
    return _joined(profile, line, own.strings, own.rank, own.stream, own.name, own.start, _hardware(profile, line))


def _of_collectives(profile: Profile) -> I64:
    own, line = profile.collectives, profile.timeline
    if own is None or line is None:
        return np.full(0 if own is None else len(own), -1, np.int64)
    stream = np.full(len(own), _ANY, np.int64)
    return _joined(profile, line, own.strings, own.rank, stream, own.name, own.start, _groups(profile, line))


def _hardware(profile: Profile, line: Timeline) -> dict[int, tuple[int, int]]:
    """The lanes of streams: lane -> (rank, stream)."""
    lanes = {}
    for lane, rank, process, thread in _lanes(profile, line):
        stream = _STREAM.match(thread)
        if _HARDWARE.fullmatch(process) is not None and stream is not None:
            lanes[lane] = rank, int(stream[1])
    return lanes


def _groups(profile: Profile, line: Timeline) -> dict[int, tuple[int, int]]:
    """The lanes of communication groups: lane -> (rank, any stream)."""
    return {
        lane: (rank, _ANY) for lane, rank, _, thread in _lanes(profile, line) if _GROUP.fullmatch(thread) is not None
    }


def _lanes(profile: Profile, line: Timeline) -> list[tuple[int, int, str, str]]:
    """(lane, rank, process without its rank, thread) of all lanes that belong to a rank."""
    strings, known = line.strings, {}
    for process in distinct(line.lanes.process).tolist():
        known[process] = rank_of_process(profile, strings.get(process))
    made = []
    for lane, (process, thread) in enumerate(zip(line.lanes.process.tolist(), line.lanes.thread.tolist(), strict=True)):
        rank, name = known[process]
        if rank != _NO_RANK:
            made.append((lane, rank, name, strings.get(thread)))
    return made


def _joined(
    profile: Profile,
    line: Timeline,
    strings: Strings,
    rank: I32,
    stream: I64,
    name: I32,
    start: I64,
    lanes: dict[int, tuple[int, int]],
) -> I64:
    """int64[rows]: the nearest slice of each row in the lane with its rank and stream, of its name."""
    found = np.full(len(rank), -1, np.int64)
    if not lanes or line.seconds_per_unit is None:
        return found
    lane = slice_lanes(line)
    known = np.zeros(len(line.lanes.process), np.bool_)
    known[list(lanes)] = True
    slices = np.flatnonzero(known[lane])
    own = np.array([lanes.get(number, (_NO_RANK, 0)) for number in range(len(known))], np.int64)
    names = _same_names(line, slices, strings, name)
    zero = origin(profile)
    whole = int(zero)
    times = (start - whole) - float(zero - whole), line.slices.start[slices] * line.seconds_per_unit * 1e9
    keys = [
        np.concatenate((of_row, of_slice))
        for of_row, of_slice in (
            (rank.astype(np.int64), own[lane[slices], 0]),
            (stream, own[lane[slices], 1]),
            (names[name], line.slices.name[slices].astype(np.int64)),
        )
    ]
    place = _nearest(keys, np.concatenate(times), len(rank))
    there = np.flatnonzero((place >= 0) & (start >= 0))
    found[there] = slices[place[there]]
    return found


def _same_names(line: Timeline, slices: I64, strings: Strings, name: Integers) -> I64:
    """int64[texts]: the id that each text of ``strings`` that is a name has on the timeline, -2 for none."""
    known = {line.strings.get(one): one for one in reversed(distinct(line.slices.name[slices]).tolist())}
    same = np.full(len(strings) + 1, -2, np.int64)
    for one in distinct(name).tolist():
        same[one] = known.get(strings.get(one), -2)
    return same


def _nearest(keys: list[I64], time: F64, count: int) -> I64:
    """int64[count]: for the first ``count`` entries the place among the others of the one with the same keys and the
    nearest time, -1 if none is within NEAR."""
    order = np.lexsort((time, *keys))
    group = np.zeros(len(order), np.int64)
    group[1:] = np.cumsum(np.any([key[order][1:] != key[order][:-1] for key in keys], axis=0))
    other = order >= count
    places = np.arange(len(order))
    before = np.maximum.accumulate(np.where(other, places, -1))
    after = np.minimum.accumulate(np.where(other, places, len(order))[::-1])[::-1]
    best, gap = np.full(len(order), -1, np.int64), np.full(len(order), np.inf)
    for side in (before, after):
        inside = (side >= 0) & (side < len(order))
        at = np.where(inside, side, 0)
        distance = np.where(inside & (group[at] == group), np.abs(time[order[at]] - time[order]), np.inf)
        nearer = (distance <= NEAR) & (distance < gap)
        best[nearer], gap[nearer] = order[at[nearer]] - count, distance[nearer]
    nearest = np.empty(len(order), np.int64)
    nearest[order] = best
    return nearest[:count]


_MOST: Final = 8


def kernel_parts(profile: Profile, kernels: I64) -> Iterator[Part]:
    """The calls that launched the first of ``kernels``."""
    return _parts(profile, kernels, kernel_slices)


def collective_parts(profile: Profile, rows: I64) -> Iterator[Part]:
    """The calls that launched the first of these collectives."""
    return _parts(profile, rows, collective_slices)


def launching_slices(profile: Profile, slice_: int) -> I64:
    """int64: the slices at the starts of the arrows that lead to ``slice_``, in the order of the arrows."""
    line = profile.timeline
    if line is None or slice_ < 0:
        return np.empty(0, np.int64)
    rows = np.flatnonzero((line.flows.to_slice == slice_) & (line.flows.from_slice >= 0))
    return line.flows.from_slice[rows]


def _parts(profile: Profile, rows: I64, slices: Callable[[Profile], I64]) -> Iterator[Part]:
    line, known = profile.timeline, slices(profile)
    if line is None or not len(rows) or not 0 <= rows[0] < len(known):
        return
    calls = launching_slices(profile, int(known[rows[0]]))[:_MOST].tolist()
    if calls:
        names = [line.strings.get(int(line.slices.name[call])) for call in calls]
        pointers = tuple(
            Pointer((name,), Selection("slice", (call,), "details")) for name, call in zip(names, calls, strict=True)
        )
        yield Part(tr("Launched by"), (), pointers)
