"""Seeded pipe traces as the newer tools write them (Ascend operator files, section 4.4; Ascend operator reports,
sections 2.3 and 5): words of pipe states with the busy times made of them, regions and marks on pipes, user marks and
trace points of the simulator, warps.

``python -m generators.device_trace OUT.json [SECONDS_OF_WORK]`` writes one with all of them.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any, TypeAlias

import orjson

Event: TypeAlias = dict[str, Any]

MHZ = 1650.0
STATE_PIPES = ("S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX")
"""By rising bit of the mask of a word."""
PIPES = ("SCALAR", "VECTOR", "MTE2", "MTE3")


def words(count: int, seed: int = 0) -> list[tuple[int, int]]:
    """(mask, cycles since the word before) of each word; no word repeats the mask of the one before, the last is 0."""
    dice = random.Random(seed)
    made, mask = [], 0
    for _ in range(count - 1):
        mask ^= 1 << dice.choice((0, 1, 4, 4, 5))
        made.append((mask, dice.randrange(1, 400)))
    return [*made, (0, dice.randrange(1, 400))]


def pipe_states(count: int = 40, seed: int = 0, channel: str = "aiv0", pid: int = 2) -> list[Event]:
    """Metadata, a record for each word, and a busy slice for each stretch in which a bit is set; times in cycles."""
    threads = {pipe: 1250 + number for number, pipe in enumerate(STATE_PIPES)}
    events: list[Event] = [
        {
            "ph": "M",
            "name": "thread_name",
            "pid": pid,
            "tid": tid,
            "args": {"name": f"{channel.upper()}/PIPE_{pipe}/status"},
        }
        for pipe, tid in threads.items()
    ]
    busy, since, now = list[Event](), dict[str, int](), 0
    for index, (mask, cycles) in enumerate(words(count, seed)):
        now += cycles
        raw = f"0x{0xF << 28 | mask << 16 | cycles:08x}"
        states = {f"state_PIPE_{pipe}": mask >> bit & 1 for bit, pipe in enumerate(STATE_PIPES)}
        args = {"channel": channel, "index": index, "raw": raw, "marker": mask, "delta_time": cycles, **states}
        place = {"pid": pid, "tid": threads["S"], "ts": now}
        events.append({"name": f"marker_{mask}", "cat": "PIPE_STATE", **place, "args": args, "ph": "X", "dur": 1})
        for bit, pipe in enumerate(STATE_PIPES):
            if mask >> bit & 1:
                since.setdefault(pipe, now)
            elif pipe in since:
                begin = since.pop(pipe)
                busy.append(_busy(pipe, begin, now, {"pid": pid, "tid": threads[pipe]}, raw))
    return events + busy


def _busy(pipe: str, begin: int, end: int, place: Event, raw: str) -> Event:
    args = {"pipe": f"PIPE_{pipe}", "start_raw": raw, "end_raw": raw, "start_abs_ts": begin, "end_abs_ts": end}
    name = {"name": f"PIPE_{pipe}_busy", "cat": "pipe_state_busy", "ph": "X"}
    return {**name, **place, "ts": begin, "dur": end - begin, "args": args}


def pipe_trace(count: int = 40, seed: int = 0, groups: int = 2, *, threads_by_name: bool = False) -> list[Event]:
    """Pipes of groups of cores with regions and marks on them; with ``threads_by_name``, these are threads of their
    own."""
    dice = random.Random(seed)
    events = list[Event]()
    for group in range(groups):
        for core in ("veccore0", "veccore1"):
            pid = f"group{group}.{core}"
            clocks = dict.fromkeys(PIPES, 1)
            for number in range(count):
                pipe = dice.choice(PIPES)
                begin, cycles = clocks[pipe] + dice.randrange(40), dice.randrange(1, 300)
                clocks[pipe] = begin + cycles
                events.append(_slice(pipe, pid, pipe, begin, cycles))
                if number % 5 == 0:
                    mark, region = f"MarkStamp{number}", f"Region{number % 3}"
                    events.append(_slice(mark, pid, mark if threads_by_name else pipe, begin + cycles // 2, 1))
                    events.append(_slice(region, pid, region if threads_by_name else pipe, begin, 2 * cycles + 7))
    return events


def user_marks(count: int = 12, seed: int = 0, core: str = "core0.veccore0") -> list[Event]:
    """Instructions with the ranges between TRACE_START and TRACE_STOP on the lane USERMARK, and some of these points
    themselves."""
    dice = random.Random(seed)
    events, now = list[Event](), 100
    for number in range(count):
        cycles = dice.randrange(20, 200)
        events.append(_slice("VADD", core, "VECTOR", now, cycles))
        marked = _slice(f"USER_DEFINE_{number % 10}", core, "USERMARK", now - 3, cycles + 8)
        marked["cname"] = "rail_load"
        marked["args"] = {"trace_start": "/src/k.cpp:10", "trace_stop": "/src/k.cpp:14"}
        events.append(marked)
        events.append(_slice("TRACE_START", core, "SCALAR", now - 4, 1))
        events.append(_slice("TRACE_STOP", core, "SCALAR", now + cycles + 6, 1))
        events.append(_slice("BAR", core, "ALL", now + cycles + 9, 1))
        now += cycles + 40
    return events


def warps(count: int = 8, seed: int = 0, core: str = "core0.veccore0") -> list[Event]:
    """A slice for each warp of a vector core, as a process of its own, with the order of its lanes."""
    dice = random.Random(seed)
    pid = f"warp.{core}"
    events = list[Event]()
    for number in range(count):
        warp = _slice(f"Warp_{number}", pid, f"Warp {number}", dice.randrange(30), dice.randrange(200, 900))
        warp["args"] = {"block_id": 0, "core_id": 0, "warp_id": number}
        events.append(warp)
        order = {"sort_index": number}
        events.append({"ph": "M", "name": "thread_sort_index", "pid": pid, "tid": f"Warp {number}", "args": order})
    return events


def _slice(name: str, pid: str, tid: str, begin: int, cycles: int) -> Event:
    times = {"ts": begin / MHZ, "dur": cycles / MHZ}
    return {"name": name, "ph": "X", **times, "pid": pid, "tid": tid, "args": {}}


def everything(count: int = 40, seed: int = 0) -> list[Event]:
    """Regions, marks, user marks, trace points and warps in one trace (pipe states are of another tool)."""
    return [*pipe_trace(count, seed), *user_marks(count // 3, seed), *warps(seed=seed)]


def text(events: list[Event]) -> bytes:
    """A trace file."""
    return orjson.dumps({"profilingType": "op", "displayTimeUnit": "ns", "schemaVersion": 1, "traceEvents": events})


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(text(everything(int(sys.argv[2]) if len(sys.argv) > 2 else 40)))
