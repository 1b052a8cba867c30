"""Source blocks as the on-device producer writes them: one core, no cycles, stall samples and register states."""

from __future__ import annotations

from typing import Any

import numpy as np
import orjson

from generators.ascend_bin import Program, block, device_instructions
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
