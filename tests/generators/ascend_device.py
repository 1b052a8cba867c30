"""Source blocks as the on-device producer writes them: one core, no cycles, stall samples and register states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import orjson

from generators.ascend_bin import DEVICE_TYPES, Program, block, device_instructions
from generators.ascend_details import STALLS
from generators.ascend_kernel import texts

REASONS = (*STALLS, "Active")
TYPES = {"Address Range": 0, "Instructions Executed": 1, "Line": 1, "Stall Sampling(All Samples)": 100}


def line_json(seed: int = 0) -> bytes:
    """0x03: executions and stall samples of each line."""
    rng = np.random.RandomState(seed)
    record: dict[str, Any] = orjson.loads(Program(("ALL",), seed=seed).line_json())
    rows = [row for file in record["Files"] for row in file["Lines"]]
    counts = rng.randint(0, 60, (len(rows), len(REASONS)))
    for row, samples in zip(rows, counts.tolist(), strict=True):
        for unknown in ("Cycles", "GPR Count", "Process Bytes"):
            row.pop(unknown, None)
        named = {reason: count for reason, count in zip(REASONS, samples, strict=True) if count}
        row["Stall Sampling(All Samples)"] = [{"Percent": sum(samples) / int(counts.sum()), "Details": named}]
    return orjson.dumps({"Cores": ["ALL"], "Files Dtype": {"Lines": TYPES}, "Files": record["Files"]})


def source_texts() -> bytes:
    """0x01, once for each source."""
    return b"".join(block(0x01, text.encode(), path=path) for path, text in texts().items())


def device_source(count: int = 200, seed: int = 0) -> bytes:
    """Texts, lines and ``count`` instructions."""
    instructions = block(0x04, device_instructions(count, seed), version=0)
    return source_texts() + block(0x03, line_json(seed)) + instructions


State = tuple[str, int, int]
"""A register, what the instruction does with it (1 read, 2 write, 3 both, 4 in use), and for how long it lives."""


def instructions_with_states(rows: Sequence[Sequence[State]], address: int = 0x1000) -> bytes:
    """Instructions whose cells hold these states."""
    records = [
        {
            "Address": hex(address + 4 * number),
            "GPR Status": [{"regIndex": name, "regStatus": use, "survivalTime": life} for name, use, life in row],
            "Pipe": "SCALAR",
            "Source": f"OP{number} XD:X1",
        }
        for number, row in enumerate(rows)
    ]
    types = {"Instructions": DEVICE_TYPES}
    text = orjson.dumps({"Cores": ["ALL"], "Instructions Dtype": types, "Instructions": records})
    return block(0x04, text, version=0)


def live_states(counts: Sequence[int]) -> list[list[State]]:
    """States of instructions with so many live registers each, as a compiler allocates them: the lowest free register
    is written, the last one read for the last time."""
    rows: list[list[State]] = []
    ends: list[int] = []
    for number, count in enumerate(counts):
        states: list[State] = []
        for register in range(max(count, len(ends))):
            after = next((k for k, later in enumerate(counts[number:]) if later <= register), len(counts) - number)
            if register >= len(ends):
                ends.append(number + after)
                states.append((f"R{register}", 2, after))
            elif register < count:
                states.append((f"R{register}", 1 if ends[register] == number + 1 else 4, after))
        ends = ends[:count]
        rows.append(states)
    return rows
