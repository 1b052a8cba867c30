"""The lowered variables (vars.json) that go with a generated graph: they fill its categories, tile by tile."""

from __future__ import annotations

from typing import Any

import numpy as np

from generators.poplar_memory import REGIONS

PIECES = 3
"""Variables of a category on a tile, at most."""


def variables_of(graph: dict[str, Any], *, seed: int = 11, listed: float = 1.0) -> dict[str, Any]:
    """The content of vars.json for ``graph``. Bytes that are not overlapped are variables one behind the other, with
    gaps of alignment; overlapped bytes are variables at the addresses of others. ``listed``: the share of the
    categories whose variables are there."""
    random = np.random.default_rng(seed)
    memory, target = graph["memory"], graph["target"]
    names = list(memory["byCategory"])
    shown = set(names[: max(1, round(len(names) * listed))])
    entries: list[dict[str, Any]] = []
    for tile in range(len(memory["byTile"]["total"])):
        begins = {"nonInterleaved": 0, "interleaved": target["bytesPerTile"] // 2, "overflowed": target["bytesPerTile"]}
        ends = dict(begins)
        for region in REGIONS:
            for name in (name for name in names if name in shown):
                parts = memory["byCategory"][name][region]
                own, shared = int(parts["nonOverlapped"][tile]), int(parts["overlapped"][tile])
                for piece, size in enumerate(_pieces(own, random)):
                    at = -(-ends[region] // 8) * 8
                    entries.append(_entry(len(entries), f"{name}/v{piece}", name, tile, at, size, region))
                    ends[region] = at + size
                for piece, size in enumerate(_pieces(shared, random)):
                    at = begins[region]
                    entries.append(_entry(len(entries), f"{name}/shared{piece}", name, tile, at, size, region))
    entries.append({"var": len(entries), "info": {"allocated": False, "name": "never placed", "sizeBytes": 64}})
    random.shuffle(entries)
    return {
        "allocationOrderByTile": [],
        "numTiles": len(memory["byTile"]["total"]),
        "targetMemoryInfo": {"tileMemory": target["bytesPerTile"]},
        "vars": entries,
    }


def _pieces(size: int, random: np.random.Generator) -> list[int]:
    """``size`` in at most PIECES parts of whole words."""
    if size < 4 * PIECES:
        return [size] if size else []
    cuts = sorted({4 * int(cut) for cut in random.integers(1, size // 4, PIECES - 1)})
    return [end - begin for begin, end in zip([0, *cuts], [*cuts, size], strict=True)]


def _entry(number: int, name: str, category: str, tile: int, at: int, size: int, region: str) -> dict[str, Any]:
    info = {
        "allocated": True,
        "alignment": 8,
        "alwaysLive": "shared" not in name,
        "category": category,
        "equivalenceClass": number,
        "executable": False,
        "inInterleavedMem": region == "interleaved",
        "isConstant": category == "constant",
        "name": name,
        "offset": at,
        "sizeBytes": size,
        "tile": tile,
        "vertexCode": category == "vertexCode",
    }
    return {"var": number, "info": info}
