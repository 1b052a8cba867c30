"""The bundled Ascend operator: its trace runs the very instructions that its source and instruction tables hold."""

from __future__ import annotations

import math
from typing import Any

import orjson

from generators import ascend_details as details
from generators import ascend_trace
from generators.ascend_bin import block, core_names, detail_blocks, source_blocks
from generators.ascend_kernel import Instruction, instructions
from generators.ascend_run import Run, RunProgram, accesses
from generators.ascend_steps import at_clock, counters, in_order, shortened, transfers, waiting

SEED, CORES, EVENTS = 7, 2, 4000
SHORTER = 4.7
"""When core 0 has done its share, in microseconds: it has fewer tiles than core 1."""


def operator() -> bytes:
    """All blocks that a simulator and a device write of one mixed operator (third generation). Their figures agree: see
    ``ascend_run``."""
    trace = kernel_trace(EVENTS, CORES, SEED)
    at_clock(trace["traceEvents"])
    events = shortened([event for event in trace["traceEvents"] if event["ph"] != "C"], "core0", SHORTER)
    names = tuple(core_names(CORES))
    kernel = RunProgram(names)
    in_order(events, kernel)
    waiting(events)
    moved = transfers(events, kernel)
    end = end_of({"traceEvents": events})
    run = Run(
        name="matmul_leakyrelu",
        duration_us=math.ceil(10 * end) / 10,
        blocks=CORES,
        seed=SEED,
        events=events,
        transfers=moved,
    )
    trace["traceEvents"] = [*events, *counters(moved)]
    made = [
        *source_blocks(RunProgram(names, seed=SEED, events=tuple(events), transfers=tuple(moved))),
        *detail_blocks(run),
        block(0x02, orjson.dumps(trace)),
        block(0x0A, accesses(moved, kernel)),
        block(0x0B, details.cache_sets(run)),
    ]
    return b"".join(made)


def kernel_trace(events: int, cores: int, seed: int) -> dict[str, Any]:
    """A trace that runs the instructions of the kernel."""
    trace: dict[str, Any] = orjson.loads(b"".join(ascend_trace.chunks(events, cores, seed)))
    kernel: dict[str, list[Instruction]] = {}
    for made in instructions():
        kernel.setdefault(made.pipe, []).append(made)
    ordinals = {made.address: n for pipe in ascend_trace.PIPES for n, made in enumerate(ascend_trace.program(pipe))}
    for event in trace["traceEvents"]:
        args = event.get("args", {})
        if "pc_addr" in args:
            own = kernel[event["tid"]]
            made = own[ordinals[int(args["pc_addr"], 16)] % len(own)]
            event["name"] = made.name
            args["pc_addr"] = hex(made.address)
            args["code"] = f"{made.file}:{made.line}"
    return trace


def end_of(trace: dict[str, Any]) -> float:
    """When the last slice ends, in microseconds."""
    ends = [float(event["ts"]) + float(event.get("dur", 0)) for event in trace["traceEvents"] if "ts" in event]
    return max(ends)
