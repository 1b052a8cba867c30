"""Tiles of AMD AI Engines: traces that the parser of mlir-aie writes have a process for each tile and part of it that
was traced, ``core_trace for tile2,0`` (row, column), a thread for each event, and times in cycles."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

import numpy as np

from app.profile.arrays import distinct, sealed
from app.profile.strings import Strings
from app.profile.tenstorrent import TILES, DeviceRun, WorkerCores
from app.profile.timeline import Timeline

_PROCESS: Final = re.compile(r"(?:core|mem|shim|intfc|memtile)_trace for tile(\d{1,3}),(\d{1,3})(?: .*)?", re.DOTALL)


def _tile(process: str) -> tuple[int, int] | None:
    """(row, column) of the tile of a process; None for any other name."""
    match = _PROCESS.fullmatch(process)
    return None if match is None else (int(match[1]), int(match[2]))


def are_tiles(processes: Collection[str]) -> bool:
    """Whether all processes are tiles, and there is one."""
    return bool(processes) and all(_tile(name) is not None for name in processes)


def tiles_of(timeline: Timeline) -> tuple[WorkerCores, DeviceRun]:
    """The tiles of a timeline whose processes are such, by row, then column, and which lanes each has."""
    processes = distinct(timeline.lanes.process)
    places = {number: _tile(timeline.strings[number]) or (0, 0) for number in processes.tolist()}
    tiles = {place: row for row, place in enumerate(sorted(set(places.values())))}
    y, x = np.array([*tiles], np.int32).reshape(-1, 2).T
    of_process = np.array([tiles[place] for place in places.values()], np.int32)
    lanes = of_process[np.searchsorted(processes, timeline.lanes.process)]
    unknown = sealed(np.full(len(tiles), -1, np.int64))
    none = np.zeros(len(tiles), np.int32)
    cores = WorkerCores(
        device=sealed(none),
        x=sealed(x.copy()),
        y=sealed(y.copy()),
        logical=sealed(none.astype(np.bool_)),
        zones=unknown,
        firmware=unknown,
        kernel=unknown,
        kind=TILES,
    )
    return cores, DeviceRun(arch="", strings=Strings.of(()), lane_core=sealed(lanes))
