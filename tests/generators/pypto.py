"""A PyPTO run in the published layout: attention over blocks of keys and values, one chain of updates per head, on
cube and vector cores with a scheduler that sends tasks in the order in which they become ready."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

FOLDER = "paged_attention_20260918_101500"
CLOCK = 50_000_000
ZERO = 1_000_000_001_000
NAMES = {0: "qk_matmul", 1: "softmax", 2: "pv_matmul", 3: "online_update", 4: "output_norm"}
CUBE = (0, 2)
LENGTH = {0: 410, 1: 220, 2: 460, 3: 130, 4: 300}
"""Cycles of a block of each function, before the dice."""


@dataclass
class Run:
    """``heads`` with ``tiles`` blocks of keys each; the first head has ``long`` times as many. ``busy``: vector cores
    that get tasks at all; ``latency``: cycles that the scheduler takes for each task."""

    seed: int = 7
    heads: int = 6
    tiles: int = 6
    long: int = 3
    cubes: int = 8
    vectors: int = 16
    busy: int = 12
    latency: int = 160
    level: int = 3
    width: int = 6
    rows: list[list[int]] = field(default_factory=list)
    handed: list[list[int]] = field(default_factory=list)
    phases: list[dict[str, Any]] = field(default_factory=list)
    tasks: list[dict[str, Any]] = field(default_factory=list)
    edges: list[dict[str, Any]] = field(default_factory=list)


def graph(run: Run) -> list[tuple[int, int, int, list[int]]]:
    """(token, function, blocks, tokens that it depends on), in the order in which they are submitted."""
    made: list[tuple[int, int, int, list[int]]] = []
    for head in range(run.heads):
        ring, last, number = head % 4, -1, 1000 * (head // 4)
        for _ in range(run.tiles * (run.long if head == 0 else 1)):
            tokens = [ring << 32 | number + step for step in range(4)]
            number += 4
            made += [(tokens[0], 0, 1, []), (tokens[1], 1, 1, [tokens[0]]), (tokens[2], 2, 1, [tokens[1]])]
            made.append((tokens[3], 3, 1, [tokens[2]] if last < 0 else [tokens[2], last]))
            last = tokens[3]
        made.append((ring << 32 | number, 4, 2, [last]))
    return made


def schedule(run: Run) -> Run:
    """Fills the columns of ``run``."""
    dice = random.Random(run.seed)
    free = dict.fromkeys(range(run.cubes + run.vectors), ZERO)
    used = {True: range(run.cubes), False: range(run.cubes, run.cubes + run.busy)}
    ended: dict[int, int] = {}
    sent, register = ZERO - 40, dict.fromkeys(free, 0)
    waiting = graph(run)
    while waiting:
        ready = [task for task in waiting if all(one in ended for one in task[3])]
        token, function, blocks, needs = min(ready, key=lambda task: max((ended[one] for one in task[3]), default=0))
        waiting.remove((token, function, blocks, needs))
        release = max((ended[one] for one in needs), default=ZERO)
        for _ in range(blocks):
            core = min(used[function in CUBE], key=lambda one: (free[one], one))
            sent = dispatch = max(sent + run.latency // 4, release + dice.randrange(8, run.latency))
            start = max(dispatch + dice.randrange(25, 60), free[core] + dice.randrange(4, 16))
            end = start + int(LENGTH[function] * dice.uniform(0.85, 1.2))
            row = [core, token, register[core], start, end, dice.randrange(3, 25), 0]
            run.rows.append(row[: run.width])
            run.handed.append([core, register[core], dispatch, end + dice.randrange(15, 40)])
            run.phases.append(
                {"kind": "dispatch", "start_cycles": dispatch - 12, "end_cycles": dispatch, "loop_iter": 0}
            )
            free[core], register[core] = end, register[core] + 1
            ended[token] = max(ended.get(token, 0), end)
        kernel = [function, -1, -1] if function in CUBE else [-1, function, -1]
        run.tasks.append(
            {"task_id": str(token), "scope": "auto", "kernel_ids": kernel, "block_num": blocks, "args": []}
        )
        run.edges += [_edge(one, token, place) for place, one in enumerate(needs)]
    return run


def _edge(before: int, after: int, place: int) -> dict[str, Any]:
    return {"pred": str(before), "succ": str(after), "arg": place, "source": "tensormap", "flags": ["wait"]}


def files(run: Run | None = None) -> dict[str, bytes]:
    """Name to content, as a run leaves them in its folder."""
    own = schedule(run or Run())
    kinds = ["aic"] * own.cubes + ["aiv"] * own.vectors
    records = {
        "chip_swimlane_level": own.level,
        "metadata": {
            "clock_freq_hz": CLOCK,
            "num_cores": len(kinds),
            "core_types": kinds,
            "core_to_thread": [core % 3 for core in range(len(kinds))],
        },
        "aicore_tasks": sorted(own.rows),
        "aicpu_tasks": own.handed,
        "aicpu_scheduler_phases": [own.phases[place::3] for place in range(3)],
    }
    names = {"level": 2, "orchestrator_name": "attention", "callable_id_to_name": {str(k): v for k, v in NAMES.items()}}
    deps = {"tasks": own.tasks, "tensors": [], "edges": own.edges}
    return {
        "chip_swimlane_records.json": orjson.dumps(records),
        "deps.json": orjson.dumps(deps),
        "name_map_attention.json": orjson.dumps(names),
        "pmu.csv": _counters(own).encode(),
    }


def _counters(run: Run) -> str:
    """Counters of the pipes, as many cycles of the core (1.5 GHz) as each block took."""
    dice, lines = (
        random.Random(run.seed),
        ["thread_id,core_id,task_id,func_id,core_type,pmu_total_cycles,vec_busy_cycles"],
    )
    lines[0] += ",cube_busy_cycles,mte2_busy_cycles,event_type"
    function = {int(task["task_id"]): max(task["kernel_ids"]) for task in run.tasks}
    for core, token, _, start, end, *_ in run.rows:
        total, cube = 30 * (end - start), function[token] in CUBE
        busy, moved = int(total * dice.uniform(0.3, 0.6)), int(total * dice.uniform(0.4, 0.8))
        shares = f"{0 if cube else busy},{busy if cube else 0},{moved},2"
        lines.append(f"{core % 3},{core},{token:#x},{function[token]},{int(not cube)},{total},{shares}")
    return "\n".join([*lines, ""])


def framework(run: Run | None = None) -> bytes:
    """The same tasks as the tile framework records them."""
    own = schedule(run or Run())
    cores = [
        {
            "blockIdx": core,
            "coreType": "AIC" if core < own.cubes else "AIV",
            "tasks": [
                {"subGraphId": token >> 32, "taskId": token & 0xFFFFFFFF, "execStart": start, "execEnd": end}
                for number, token, _, start, end, *_ in own.rows
                if number == core
            ],
        }
        for core in range(own.cubes + own.vectors)
    ]
    return orjson.dumps(cores)


def write(folder: Path, run: Run | None = None) -> list[Path]:
    """Writes a run into ``folder``; its files."""
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for name, content in files(run).items():
        (folder / name).write_bytes(content)
        made.append(folder / name)
    return made
