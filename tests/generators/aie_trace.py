"""Traces of AMD AI Engine tiles as the parser of mlir-aie writes them: first the names of processes (``core_trace for
tile2,0``: row, column) and threads (eight events), then begins and ends in cycles from each process's own start."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import orjson
from msgspec import Struct

PARTS = {
    "core": ("INSTR_EVENT_0", "INSTR_EVENT_1", "INSTR_VECTOR", "MEMORY_STALL", "STREAM_STALL", "LOCK_STALL"),
    "mem": ("DMA_S2MM_0_START_TASK", "DMA_MM2S_0_START_TASK", "DMA_S2MM_0_STALLED_LOCK"),
    "memtile": ("PORT_RUNNING_0", "PORT_RUNNING_1"),
    "shim": ("DMA_S2MM_0_START_TASK", "PORT_RUNNING_0"),
}


class Traced(Struct, frozen=True):
    """``columns`` of tiles, each with a shim tile (row 0), a memory tile (row 1) and ``cores`` above."""

    seed: int = 3
    columns: int = 2
    cores: int = 3
    rounds: int = 20


def events(run: Traced) -> list[dict[str, Any]]:
    """The events; LOCK_STALL takes the larger part of the time of the first core, and none of the last."""
    dice = Random(run.seed)
    tiles = [("core", row + 2) for row in range(run.cores)] + [("mem", 2), ("shim", 0), ("memtile", 1)]
    traced = [(part, row, column) for part, row in tiles for column in range(run.columns)]
    made: list[dict[str, Any]] = []
    for pid, (part, row, column) in enumerate(traced):
        named = {"name": f"{part}_trace for tile{row},{column}"}
        made.append({"name": "process_name", "ph": "M", "pid": pid, "args": named})
        for tid, name in enumerate(PARTS[part]):
            made.append({"name": "thread_name", "ph": "M", "pid": pid, "tid": tid, "args": {"name": name}})
    for pid, (part, row, _) in enumerate(traced):
        time = 0
        for number in range(run.rounds * len(PARTS[part])):
            tid = number % len(PARTS[part])
            name = PARTS[part][tid]
            length = 40 * (run.cores + 1 - row) if name == "LOCK_STALL" else dice.randrange(1, 12)
            for phase, moment in (("B", time), ("E", time + length)):
                made.append({"name": name, "ts": moment, "ph": phase, "pid": pid, "tid": tid, "args": {}})
            time += length + dice.randrange(3)
    return made


def write(path: Path, run: Traced | None = None) -> Path:
    """The trace as a bare array."""
    path.write_bytes(orjson.dumps(events(run or Traced())))
    return path
