"""The design document's questions about the timeline, answered from the model: field by field and type by type.

Times are whole nanoseconds. Ids are texts: a process by its place among the processes (from 1), a thread by its lane,
a slice and a flow by its index; ``units`` lists them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import orjson

from app.analysis.timeline import flows_of, lane_slices, slice_lanes, slice_rows
from app.profile.arrays import F64, I64
from app.profile.profile import Profile
from app.profile.timeline import Timeline

Body = dict[str, Any]

TENSOR_FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "inputShapes": ("Input Shapes", "input_shapes"),
    "inputDataTypes": ("Input Data Types", "input_data_types"),
    "inputFormats": ("Input Formats", "input_formats"),
    "outputShapes": ("Output Shapes", "output_shapes"),
    "outputDataTypes": ("Output Data Types", "output_data_types"),
    "outputFormats": ("Output Formats", "output_formats"),
    "attrInfo": ("Attr Info", "attr_info"),
}
"""Fields of a slice's detail, and how the arguments of its event may spell them; empty texts where they do not."""


def units(profile: Profile) -> Body:
    """Processes with their threads, in the order in which they are shown: the ids that the others ask for."""
    timeline = profile.timeline
    if timeline is None:
        return {"units": []}
    made: dict[str, Body] = {}
    for lane, process in enumerate(timeline.lanes.process.tolist()):
        number = process_of(timeline, lane)
        unit = made.setdefault(
            number, {"processId": number, "processName": timeline.strings.get(process), "threads": []}
        )
        name = timeline.strings.get(int(timeline.lanes.thread[lane]))
        unit["threads"].append({"threadId": str(lane), "threadName": name})
    return {"units": list(made.values())}


def thread_traces_summary(
    profile: Profile, process: str, start: float = 0, end: float = np.inf, time_per_px: float = 0
) -> Body:
    """unit/threadTracesSummary: when any thread of a process was busy between ``start`` and ``end``. Stretches with
    less than a pixel between them are one."""
    timeline = profile.timeline
    if timeline is None:
        return {"data": []}
    found = lane_slices(timeline, _lanes_of(timeline, process))
    begins, ends = _times(timeline, found)
    seen = (begins <= end) & (ends >= start)
    begins, ends = begins[seen], ends[seen]
    order = np.argsort(begins, kind="stable")
    begins, reach = begins[order], np.maximum.accumulate(ends[order])
    fresh = np.concatenate(([True], begins[1:] - reach[:-1] > max(time_per_px, 0)))[: len(begins)]
    first = np.flatnonzero(fresh)
    last = np.concatenate((first[1:], [len(begins)]))[: len(first)] - 1
    pairs = zip(begins[first].tolist(), reach[last].tolist(), strict=True)
    return {"data": [{"startTime": a, "duration": b - a} for a, b in pairs]}


def thread_traces(
    profile: Profile, process: str, thread: str, start: float = 0, end: float = np.inf, time_per_px: float = 0
) -> Body:
    """unit/threadTraces: the slices of a thread, one list a row of stacking. Of the slices that begin in one pixel
    and are shorter than it, the longest stands for all."""
    timeline = profile.timeline
    lane = _lane(timeline, thread)
    if timeline is None or lane < 0 or process_of(timeline, lane) != process:
        return {"data": []}
    rows = []
    first_row = int(timeline.lanes.first_row[lane])
    for row in range(first_row, int(timeline.lanes.first_row[lane + 1])):
        found = np.arange(timeline.slices.first[row], timeline.slices.first[row + 1])
        begins, ends = _times(timeline, found)
        seen = np.flatnonzero((begins <= end) & (ends >= start))
        kept = seen[folded(begins[seen], ends[seen] - begins[seen], time_per_px)]
        rows.append([_slice(timeline, int(found[place]), row - first_row, thread) for place in kept.tolist()])
    return {"data": rows}


def folded(start: I64, duration: I64, time_per_px: float) -> I64:
    """int64: which of these slices are drawn at ``time_per_px``, rising: those as long as a pixel, and of the shorter
    ones that begin in the same pixel the longest (the first of several). 0 folds nothing."""
    every = np.arange(len(start), dtype=np.int64)
    if time_per_px <= 0:
        return every
    short = np.flatnonzero(duration < time_per_px)
    pixel = np.floor(start[short] / time_per_px).astype(np.int64)
    order = np.lexsort((short, -duration[short], pixel))
    firsts = np.concatenate(([True], np.diff(pixel[order]) != 0))[: len(order)]
    return np.union1d(np.flatnonzero(duration >= time_per_px), short[order[firsts]]).astype(np.int64)


def flows(profile: Profile, slice_id: str) -> Body:
    """unit/flows: the flows that begin or end at a slice, by category."""
    timeline, index = profile.timeline, _slice_index(profile, slice_id)
    if timeline is None or index < 0:
        return {"unitAllFlows": []}
    categories: dict[str, list[Body]] = {}
    for flow in flows_of(timeline, index).tolist():
        category = timeline.strings.get(int(timeline.flows.category[flow]))
        own = timeline.flows
        ends = (
            _flow_end(timeline, float(own.from_time[flow]), int(own.from_lane[flow]), int(own.from_slice[flow])),
            _flow_end(timeline, float(own.to_time[flow]), int(own.to_lane[flow]), int(own.to_slice[flow])),
        )
        made = {"title": "flow", "cat": category, "id": str(flow), "from": ends[0], "to": ends[1]}
        categories.setdefault(category, []).append(made)
    return {"unitAllFlows": [{"cat": category, "flows": found} for category, found in categories.items()]}


def thread_detail(profile: Profile, slice_id: str, record: Mapping[str, Any] | None = None) -> Body:
    """unit/threadDetail: what is known of a slice. ``record``: its event, decoded again from the file, for the
    arguments (as JSON text), shapes, types and formats; without it they are empty. ``selfTime`` is the duration
    without what slices inside it take."""
    timeline, index = profile.timeline, _slice_index(profile, slice_id)
    if timeline is None or index < 0:
        return {"emptyFlag": True, "data": {}}
    begins, ends = _times(timeline, np.array([index]))
    record = record or {}
    args = record.get("args")
    arguments = args if isinstance(args, Mapping) else {}
    data: Body = {
        "selfTime": round(_self_time(timeline, index) * _factor(timeline)),
        "args": orjson.dumps(dict(arguments)).decode() if arguments else "",
        "title": timeline.strings.get(int(timeline.slices.name[index])),
        "duration": int(ends[0] - begins[0]),
        "cat": str(record.get("cat", "")),
    }
    for field, spellings in TENSOR_FIELDS.items():
        data[field] = next((str(arguments[key]) for key in (field, *spellings) if key in arguments), "")
    return {"emptyFlag": False, "data": data}


def _self_time(timeline: Timeline, index: int) -> float:
    """As ``self_time`` has it, of one slice: without the slices of the rows below that lie inside it, each counted
    with the innermost one above that holds it."""
    slices, first = timeline.slices, timeline.slices.first
    begin, length = float(slices.start[index]), float(slices.duration[index])
    row = int(np.searchsorted(first, index, "right")) - 1
    lane = int(np.searchsorted(timeline.lanes.first_row, row, "right")) - 1
    left = length
    held: list[tuple[F64, F64]] = []
    for below in range(row + 1, int(timeline.lanes.first_row[lane + 1])):
        a, b = int(first[below]), int(first[below + 1])
        starts = slices.start[a:b]
        inside = slice(
            a + int(np.searchsorted(starts, begin)), a + int(np.searchsorted(starts, begin + length, "right"))
        )
        start, end = slices.start[inside], slices.start[inside] + slices.duration[inside]
        own = end <= begin + length
        for starts_above, ends_above in held:  # one in a row between holds it: then it is not ours
            holder = np.searchsorted(starts_above, start, "right") - 1
            own &= ~((holder >= 0) & (ends_above[np.maximum(holder, 0)] >= end)) if len(starts_above) else True
        left -= float((end - start)[own].sum())
        held.append((start, end))
    return max(left, 0.0)


def process_of(timeline: Timeline, lane: int) -> str:
    """The id of the process that a lane belongs to."""
    order = list(dict.fromkeys(timeline.lanes.process.tolist()))
    return str(order.index(int(timeline.lanes.process[lane])) + 1)


def _lanes_of(timeline: Timeline, process: str) -> I64:
    order = list(dict.fromkeys(timeline.lanes.process.tolist()))
    place = int(process) - 1 if process.isascii() and process.isdecimal() and len(process) < 10 else -1
    if not 0 <= place < len(order):
        return np.empty(0, np.int64)
    return np.flatnonzero(timeline.lanes.process == order[place]).astype(np.int64)


def _lane(timeline: Timeline | None, thread: str) -> int:
    place = int(thread) if thread.isascii() and thread.isdecimal() and len(thread) < 10 else -1
    return place if timeline is not None and 0 <= place < len(timeline.lanes.process) else -1


def _slice_index(profile: Profile, slice_id: str) -> int:
    known = slice_id.isascii() and slice_id.isdecimal() and len(slice_id) < 18
    index, timeline = int(slice_id) if known else -1, profile.timeline
    return index if timeline is not None and 0 <= index < len(timeline.slices.start) else -1


def _factor(timeline: Timeline) -> float:
    """Nanoseconds in a unit of the timeline; 1 where no clock is known."""
    if timeline.seconds_per_unit is None:
        return 1.0
    return 1000.0 if timeline.unit == "µs" else timeline.seconds_per_unit * 1e9


def _times(timeline: Timeline, index: I64) -> tuple[I64, I64]:
    """Starts and ends of slices, each rounded by itself (Ascend operator files, section 4.2)."""
    slices, factor = timeline.slices, _factor(timeline)
    starts: F64 = slices.start[index]
    ends = starts + slices.duration[index]
    return np.rint(starts * factor).astype(np.int64), np.rint(ends * factor).astype(np.int64)


def _slice(timeline: Timeline, index: int, depth: int, thread: str) -> Body:
    begins, ends = _times(timeline, np.array([index]))
    return {
        "name": timeline.strings.get(int(timeline.slices.name[index])),
        "duration": int(ends[0] - begins[0]),
        "startTime": int(begins[0]),
        "endTime": int(ends[0]),
        "depth": depth,
        "threadId": thread,
        "cname": timeline.strings.get(int(timeline.slices.category[index])),
        "id": str(index),
    }


def _flow_end(timeline: Timeline, time: float, lane: int, index: int) -> Body:
    """Where a flow begins or ends, with the slice that lies there."""
    made: Body = {
        "pid": process_of(timeline, lane) if lane >= 0 else "",
        "tid": str(lane) if lane >= 0 else "",
        "timestamp": round(time * _factor(timeline)),
        "duration": 0,
        "depth": 0,
        "name": "",
        "id": "",
        "metaType": "",
        "rankId": "",
    }
    if index >= 0:
        begins, ends = _times(timeline, np.array([index]))
        row = int(slice_rows(timeline)[index])
        depth = row - int(timeline.lanes.first_row[slice_lanes(timeline)[index]])
        name = timeline.strings.get(int(timeline.slices.name[index]))
        made |= {"duration": int(ends[0] - begins[0]), "depth": depth, "name": name, "id": str(index)}
    return made
