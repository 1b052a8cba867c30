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


COLUMNS, CORES, ROUNDS, SLOW = 4, 2, 10, 2
"""Of the sample: what the memory of column SLOW sends comes late."""
FILE = "matrix_multiply_aie.json"


def sample() -> list[dict[str, Any]]:
    """A product of matrices on two rows of cores: each takes a tile of the operands from its locks, works with stalls
    for the banks of its memory, and hands its result to a stream."""
    dice, parts = Random(11), dict[tuple[str, int, int], list[tuple[str, int, int]]]()
    for column in range(COLUMNS):
        for row in range(2, 2 + CORES):
            own, time = list[tuple[str, int, int]](), 0
            for _ in range(ROUNDS):
                late = dice.randrange(420, 520) if column == SLOW else dice.randrange(60, 110)
                own.append(("LOCK_STALL", time, time + late))
                time += late
                own.append(("INSTR_EVENT_0", time, time + 1))
                for _ in range(3):
                    busy, conflict = dice.randrange(90, 120), dice.randrange(6, 14)
                    own += [("INSTR_VECTOR", time, time + busy), ("MEMORY_STALL", time + busy, time + busy + conflict)]
                    time += busy + conflict
                own.append(("INSTR_EVENT_1", time, time + 1))
                own.append(("STREAM_STALL", time, time + dice.randrange(8, 24)))
                time = own[-1][2] + 2
            parts["core", row, column] = own
        parts["memtile", 1, column] = _in_turn(dice, ("PORT_RUNNING_0", 150), ("PORT_STALLED_1", 40))
        late = 430 if column == SLOW else 70
        parts["shim", 0, column] = _in_turn(dice, ("PORT_RUNNING_0", 260), ("DMA_MM2S_0_MEMORY_STARVATION", late))
    return _events(parts)


def _in_turn(dice: Random, *names: tuple[str, int]) -> list[tuple[str, int, int]]:
    """Events one after the other, about as long as stated."""
    made, time = list[tuple[str, int, int]](), 0
    for _ in range(ROUNDS):
        for name, length in names:
            made.append((name, time, time + dice.randrange(length * 4 // 5, length * 6 // 5)))
            time = made[-1][2]
    return made


def _events(parts: dict[tuple[str, int, int], list[tuple[str, int, int]]]) -> list[dict[str, Any]]:
    """The file of the events (name, start, end) of each (part, row, column)."""
    named, begun = list[dict[str, Any]](), list[dict[str, Any]]()
    for pid, ((part, row, column), own) in enumerate(parts.items()):
        title = {"name": f"{part}_trace for tile{row},{column}"}
        named.append({"name": "process_name", "ph": "M", "pid": pid, "args": title})
        threads = list(dict.fromkeys(name for name, _, _ in own))
        for tid, name in enumerate(threads):
            named.append({"name": "thread_name", "ph": "M", "pid": pid, "tid": tid, "args": {"name": name}})
        for name, start, end in own:
            for phase, moment in (("B", start), ("E", end)):
                event = {"name": name, "ts": moment, "ph": phase, "pid": pid, "tid": threads.index(name), "args": {}}
                begun.append(event)
    return named + begun


def write(path: Path, run: Traced | None = None) -> Path:
    """The trace as a bare array."""
    path.write_bytes(orjson.dumps(events(run or Traced())))
    return path
