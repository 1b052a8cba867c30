"""Seeded memory_info.json (Ascend operator files, section 2.14): buffers placed by first fit, as a compiler does.

``python -m generators.memory_plan FOLDER [BUFFERS]`` writes one.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import orjson

SCOPES = {"ub": 192 * 1024, "cbuf": 512 * 1024, "cc": 128 * 1024}
ALIGN = 32
NAMES = ("x", "weight", "scale", "acc", "exp", "row_max", "row_sum", "mask", "out", "bias")


def plan(buffers: int = 30, seed: int = 0, kernel: str = "softmax_kernel", scopes: int = 2) -> dict[str, Any]:
    """``buffers`` of each memory; every fourth is a double buffer, every fifth temporary."""
    rng = np.random.RandomState(seed)
    records = []
    for scope, size in list(SCOPES.items())[:scopes]:
        placed: list[tuple[int, int, int, int]] = []  # start, end, offset, bytes
        made = []
        for number in range(buffers):
            start = int(rng.randint(0, 4 * buffers))
            end = start + int(rng.randint(2, 2 * buffers))
            length = ALIGN * int(rng.randint(4, size // 8 // ALIGN))
            offsets = []
            for _ in range(2 if number % 4 == 0 else 1):
                offset = _fit(placed, start, end, length)
                if offset + length <= size:
                    placed.append((start, end, offset, length))
                    offsets.append(offset)
            if offsets:
                name = f"{NAMES[number % len(NAMES)]}_{number}"
                where = f"softmax.py:{40 + number}:12"
                made.append(_buffer(name, start, end, length, offsets, number % 5 == 0, where))
        records.append({"scope": scope, "status": "success", "memory_info_array": made})
    return {"Header": {"KernelName": kernel}, "Record": records}


def _buffer(
    name: str, start: int, end: int, length: int, offsets: list[int], temporary: bool, where: str
) -> dict[str, Any]:
    return {
        "buffer": name,
        "alloc_time_in_ir": start,
        "extent": 8 * length,
        "is_tmpbuf": temporary,
        "life_time_in_ir": [start, end],
        "offset": offsets,
        "source_location": where,
    }


def _fit(placed: list[tuple[int, int, int, int]], start: int, end: int, length: int) -> int:
    """The lowest offset that is free from ``start`` to ``end``."""
    offset = 0
    for _, _, other, size in sorted((p for p in placed if p[0] <= end and p[1] >= start), key=lambda p: p[2]):
        if offset + length <= other:
            break
        offset = max(offset, other + size)
    return offset


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 30
    (folder / "memory_info.json").write_bytes(orjson.dumps(plan(count), option=orjson.OPT_INDENT_2))
