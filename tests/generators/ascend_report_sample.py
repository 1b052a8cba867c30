"""The bundled OPPROF folder: metric tables of a run on a device, and what the simulator writes of the same operator.

The tables of instructions and lines hold exactly what the slices of the trace add up to.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

import orjson

from generators.ascend_bin import block, core_names
from generators.ascend_kernel import KERNEL, texts
from generators.ascend_metrics import Metrics
from generators.ascend_sample import end_of, kernel_trace
from generators.ascend_trace import CLOCK_MHZ

FOLDER = "OPPROF_20260821101500_QWERTYUIOPASDFGH"
SEED, CORES, EVENTS = 11, 2, 420
CYCLES = (1500, 3000)


def files() -> dict[str, bytes]:
    """All files by their path in the folder."""
    trace = kernel_trace(EVENTS, CORES, SEED)
    run = Metrics("mix", SEED, CORES, name="matmul_leakyrelu", duration=round(end_of(trace), 1) + 1.0, cycles=CYCLES)
    content = orjson.dumps(trace)
    made = run.files()
    made["HardwareInfo.jsonl"] = _hardware()
    made["simulator/visualize_data.bin"] = block(0x01, texts()[KERNEL].encode(), path=KERNEL) + block(0x02, content)
    made["simulator/trace.json"] = content
    for core in core_names(CORES):
        events = [event for event in trace["traceEvents"] if event["pid"] == core]
        folder = f"simulator/{core}"
        made[f"{folder}/trace.json"] = orjson.dumps({**trace, "traceEvents": events})
        made[f"{folder}/{core}_instr_exe.csv"] = _instructions(events)
        made[f"{folder}/{core}_code_exe.csv"] = _lines(events)
    return made


def _hardware() -> bytes:
    parts = (
        {"category": "Host Info", "operating system": "Linux", "CPU count": 64},
        {"category": "Device Info", "SoC name": "Ascend910B4", "AI core count": 20, "memory_total_size_MB": 32768},
        {"category": "AI Core Information", "frequency(MHz)": [1650]},
    )
    return b"".join(orjson.dumps(part) + b"\n" for part in parts)


def _instructions(events: Iterable[dict[str, Any]]) -> bytes:
    rows = []
    for (address, pipe, name), own in _grouped(
        events, lambda event: [(int(event["args"]["pc_addr"], 16), event["tid"], event["name"])]
    ).items():
        cycles, time = _spent(own)
        rows.append((-cycles, f'{name},{address},{pipe},{len(own)},{cycles},{time:.2f},"PIPE:{pipe},"'))
    titles = "instr,addr,pipe,call_count,cycles,running_time(us),detail"
    return "".join(f"{line}\n" for line in [titles, *(line for _, line in sorted(rows))]).encode()


def _lines(events: Iterable[dict[str, Any]]) -> bytes:
    """An instruction counts for every line of its stack."""
    rows = []
    for code, own in _grouped(events, lambda event: event["args"].get("code", "").split("\n")).items():
        cycles, time = _spent(own)
        rows.append((-cycles, f"{code},{len(own)},{cycles},{time:.2f}"))
    titles = "code,call_count,cycles,running_time(us)"
    return "".join(f"{line}\n" for line in [titles, *(line for _, line in sorted(rows))]).encode()


def _grouped(
    events: Iterable[dict[str, Any]], keys: Callable[[dict[str, Any]], Iterable[Any]]
) -> dict[Any, list[dict[str, Any]]]:
    grouped: dict[Any, list[dict[str, Any]]] = defaultdict(list)
    for event in events:
        if event["ph"] == "X" and "pc_addr" in event.get("args", {}):
            for key in keys(event):
                if key:
                    grouped[key].append(event)
    return grouped


def _spent(events: Iterable[dict[str, Any]]) -> tuple[int, float]:
    """(the sum of the cycles, microseconds of the union of all intervals)."""
    intervals = sorted((event["ts"], event["ts"] + event["dur"]) for event in events)
    cycles = round(sum(end - begin for begin, end in intervals) * CLOCK_MHZ)
    union, done = 0.0, 0.0
    for begin, end in intervals:
        union += max(end - max(begin, done), 0.0)
        done = max(done, end)
    return cycles, union
