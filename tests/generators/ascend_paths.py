"""Block 0x08 for every diagram there is (Ascend operator files, sections 3.1 and 3.2), with figures as odd as wanted.

``python -m generators.ascend_paths FOLDER`` writes one file for each.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from generators.ascend_bin import block

CUBE_A5 = (0, 1, 2, 37, 38, 6, 7, 8, 39, 41, 40)
MIX_A5 = (*CUBE_A5, 42, 43, 46, 44, 12, 16, 13, 17, 14, 18, 15, 19, 48, 49, 52, 53, 54, 55)
DETAIL_A5 = (47, 45, 50, 51)
APART = (35, 36, 37, 38)
CUBE = tuple(range(12))

KINDS: dict[str, tuple[str, str, tuple[int, ...]]] = {
    "910b-vector": ("910B", "vector", (0, 1, 12, 13, 14, 15)),
    "910b-cube": ("910B", "cube", CUBE),
    "910b-cube-v2": ("910B", "cube", (*(path for path in CUBE if path not in (4, 5)), *APART)),
    "910b-mix": ("910B", "mix", tuple(range(20))),
    "910b-mix-v2": ("910B", "mix", (*(path for path in range(20) if path not in (4, 5)), *APART)),
    "310p": ("310P", "AiCore", (0, 1, 6, 7, 8, 13, 14, 15, 20, 21, 22, 23, 24, 25)),
    "a5-vector": ("910A5", "vector", (0, 1, 12, 13, 14, 15, 48, 52, 54)),
    "a5-vector-v2": ("910A5", "vector", (0, 1, 12, 13, 14, 15, 48, 50, 52, 54)),
    "a5-cube": ("910A5", "cube", CUBE_A5),
    "a5-mix": ("910A5", "mix", MIX_A5),
    "a5-mix-v2": ("910A5", "mix", (*MIX_A5, *DETAIL_A5)),
}
"""Chip, operator type and the paths that the producer writes, by the diagram that it is drawn as."""


def unit(path: int, rng: np.random.RandomState, **changes: Any) -> dict[str, Any]:
    """One path with made-up figures; ``changes`` replaces some of them."""
    made = {
        "memory_path": path,
        "request": str(int(rng.randint(100, 60000))),
        "bandwidth": f"{rng.uniform(0.1, 900):.6f}",
        "peak_ratio": f"{rng.uniform(0, 100):.6f}",
        "display": 1,
    }
    return {**made, **changes}


def payload(
    kind: str,
    blocks: Iterable[str] = ("0", "1"),
    seed: int = 0,
    extra: Mapping[int, Mapping[str, Any]] | None = None,
    **entry: Any,
) -> bytes:
    """0x08 of a diagram: ``extra`` changes figures of paths, or adds paths; ``entry`` replaces keys of every block."""
    soc, operator_type, paths = KINDS[kind]
    rng, changed = np.random.RandomState(seed), dict(extra or {})
    added = tuple(path for path in changed if path not in paths)
    entries = []
    for name in blocks:
        hit, miss = (int(count) for count in rng.randint(2000, 70000, 2))
        units = [unit(path, rng, **changed.get(path, {})) for path in (*paths, *added)]
        made: dict[str, Any] = {"core_no": name, "op_type": operator_type, "soc": soc, "memory_unit": units}
        made["advice"] = ["aicore compute usage lower than 20%"]
        made["L2cache"] = {"hit": str(hit), "miss": str(miss), "total_request": str(hit + miss)}
        made["L2cache"]["hit_ratio"] = f"{100 * hit / (hit + miss):.6f}"
        for key in ("Cube", "Vector", "Vector1"):
            cycles = int(rng.randint(1000, 300000))
            made[key] = {"cycle": cycles, "total_cycles": 400000, "ratio": cycles / 4000}
        entries.append({**made, **entry})
    return orjson.dumps({"core_memory_map": entries})


def file(kind: str, **wanted: Any) -> bytes:
    """A file with nothing but this block; the arguments of ``payload``."""
    return block(0x08, payload(kind, **wanted))


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for kind in KINDS:
        (folder / f"{kind}.bin").write_bytes(file(kind))
