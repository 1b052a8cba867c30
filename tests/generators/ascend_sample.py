"""The bundled Ascend operator: its trace runs the very instructions that its source and instruction tables hold."""

from __future__ import annotations

from typing import Any

import orjson

from generators import ascend_details as details
from generators import ascend_trace
from generators.ascend_bin import Program, block, core_names, detail_blocks, source_blocks
from generators.ascend_details import Shape
from generators.ascend_kernel import Instruction, instructions

SEED, CORES, EVENTS = 7, 2, 4000


def operator() -> bytes:
    """All blocks that a simulator and a device write of one mixed operator (third generation)."""
    trace = kernel_trace(EVENTS, CORES, SEED)
    shape = Shape(name="matmul_leakyrelu", duration_us=end_of(trace), blocks=CORES, seed=SEED)
    made = [
        *source_blocks(Program(tuple(core_names(CORES)), seed=SEED)),
        *detail_blocks(shape),
        block(0x02, orjson.dumps(trace)),
        block(0x0A, details.memory_accesses(shape)),
        block(0x0B, details.cache_sets(shape)),
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
    return round(max(ends), 1)
