"""What the events of a trace of AMD AI Engine tiles add up to: one row per lane, which is an event of a tile."""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.timeline.intervals import busy
from app.analysis.timeline.pipes import name_kinds
from app.analysis.timeline.times import slice_lanes
from app.profile.arrays import F64, I32, I64, Bool, combine_at
from app.profile.kept import kept
from app.profile.profile import Profile
from app.profile.tenstorrent import DeviceRun
from app.profile.timeline import Timeline

_CORE: Final = "core_trace"
"""How the names of processes of cores begin."""


class TileEvents(Struct, frozen=True, eq=False):
    """One row per lane. ``core``: int32, row of the tile; ``process``, ``event``: text ids of the timeline; ``count``:
    int64; ``cycles``: float64, in which the event was on, each moment once; ``share``: float64, percentage of the time
    from the first to the last event of its process, NaN if that is 0."""

    core: I32
    process: I32
    event: I32
    count: I64
    cycles: F64
    share: F64


def counts_by_tile(line: Timeline) -> bool:
    """Whether each process counts cycles from its own first event, whatever unit the user chose."""
    return "tiles" in (line.basis, line.read_in and line.read_in.basis)


def tile_events(profile: Profile) -> TileEvents | None:
    """None for any other profile."""
    line, run = profile.timeline, profile.device_run
    if line is None or run is None or not counts_by_tile(line):
        return None
    return kept(line, partial(_made, run), "tile_events") if len(run.lane_core) == len(line.lanes.process) else None


def _made(run: DeviceRun, line: Timeline) -> TileEvents:
    count = np.diff(line.slices.first[line.lanes.first_row])
    cycles = busy(line)
    process = line.lanes.process[slice_lanes(line)]
    begin, end = np.full(len(line.strings), np.inf), np.full(len(line.strings), -np.inf)
    combine_at(np.minimum, begin, process, line.slices.start)
    combine_at(np.maximum, end, process, line.slices.start + line.slices.duration)
    span = (end - begin)[line.lanes.process]
    share = np.where(span > 0, 100 * cycles / np.where(span > 0, span, 1.0), np.nan)
    return TileEvents(run.lane_core, line.lanes.process, line.lanes.thread, count, cycles, share)


def stalls(profile: Profile) -> I64:
    """The rows of ``tile_events`` whose events are stalls, with a known share."""
    own, line = tile_events(profile), profile.timeline
    if own is None or line is None:
        return np.empty(0, np.int64)
    return np.flatnonzero(name_kinds(line.strings).waits[own.event] & (own.share >= 0)).astype(np.int64)


def of_core(line: Timeline, own: TileEvents, rows: I64) -> Bool:
    """bool[rows]: which rows of ``tile_events`` are of the core of a tile, not of its memory, DMA or interface."""
    return np.array([line.strings[text].startswith(_CORE) for text in own.process[rows].tolist()], np.bool_)


def shares_of_events(profile: Profile) -> dict[str, F64]:
    """Events by the part of the tile that was traced, ``LOCK_STALL (core_trace)``, those that are on longest first:
    float64[tiles], share of the time, NaN for a tile without the event."""
    own, line, cores = tile_events(profile), profile.timeline, profile.worker_cores
    if own is None or line is None or cores is None:
        return {}
    made: dict[str, F64] = {}
    for row in np.argsort(-own.cycles, kind="stable").tolist():
        part = line.strings[int(own.process[row])].partition(" ")[0]
        values = made.setdefault(f"{line.strings[int(own.event[row])]} ({part})", np.full(len(cores), np.nan))
        values[own.core[row]] = own.share[row]
    return made
