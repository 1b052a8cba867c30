"""The memory of the generated Poplar graph: regions, categories and liveness that keep every documented identity."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from app.profile.arrays import I64
from generators.poplar_network import Network, Scale
from generators.poplar_numbers import BYTE_KINDS, Numbers
from generators.trees import rows

CATEGORIES = (
    "variable",
    "vertexCode",
    "internalExchangeCode",
    "controlCode",
    "message",
    "rearrangement",
    "vertexInstanceState",
    "vertexFieldData",
    "stack",
    "constant",
    "outputEdge",
    "hostExchangeCode",
    "multiple",
    "controlId",
    "controlTable",
    "copyDescriptor",
    "globalExchangeCode",
    "globalExchangePacketHeader",
    "globalMessage",
    "hostExchangePacketHeader",
    "hostMessage",
    "instrumentationResults",
    "sharedCodeStorage",
    "sharedDataStorage",
    "vectorListDescriptor",
)
REGIONS = ("interleaved", "nonInterleaved", "overflowed")
_ALWAYS, _HOT = 20, 21


def memory(numbers: Numbers) -> dict[str, Any]:
    """The ``memory`` object of the graph profile."""
    net, scale = numbers.net, numbers.scale
    parts = _categories(numbers)
    kinds = (*BYTE_KINDS, "totalBytes")
    return {
        "byTile": _by_tile(scale, parts),
        "byCategory": {name: _category(arrays) for name, arrays in parts.items()},
        "byComputeSet": {kind: rows(scale.compute_sets, partial(numbers.set_bytes, kind)) for kind in kinds},
        "byVertexType": {kind: rows(scale.vertex_types, partial(numbers.type_bytes, kind)) for kind in kinds},
        "liveness": _liveness(net, parts),
    }


Parts = dict[str, dict[tuple[str, bool], I64]]


def _categories(numbers: Numbers) -> Parts:
    """Bytes per category, region and overlap: layers lie on runs of tiles, the last tiles stay nearly empty, a few
    are hot, and ``over`` tiles do not fit."""
    scale = numbers.scale
    tiles = np.arange(scale.entries)
    busy = tiles < max(1, round(scale.entries * 0.95))
    unit = scale.bytes_per_tile // 64
    layer = tiles * 16 // scale.entries
    parts: Parts = {}
    for number, name in enumerate(CATEGORIES[: scale.categories]):
        random = numbers.random(_ALWAYS, number)
        parts[name] = {(region, o): np.zeros(scale.entries, np.int64) for region in REGIONS for o in (False, True)}
        own = parts[name]["nonInterleaved", False]
        if name == "variable":
            weights = random.integers(5 * unit, 12 * unit, 16)[layer]
            own[:] = np.where(busy, (weights + random.integers(0, unit // 2, scale.entries)) // 4 * 4, 400)
            partials = random.integers(unit // 4, 2 * unit, 16)[layer] + random.integers(0, unit // 8, scale.entries)
            parts[name]["interleaved", False][busy] = 8 * partials[busy]
            parts[name]["nonInterleaved", True][busy] = 4 * random.integers(0, 2 * unit, int(busy.sum()))
        elif number < 5:
            own[:] = 4 * random.integers(unit // 8, unit // 2, 16)[layer] * busy
            own[busy] += 4 * random.integers(0, unit // 16 + 1, int(busy.sum()))
        elif number < 12:
            own[busy] = 4 * random.integers(1, unit // 16 + 2)
    _hot(numbers, parts["variable"], unit)
    return parts


def _hot(numbers: Numbers, variable: dict[tuple[str, bool], I64], unit: int) -> None:
    """Where one tensor lies on too few tiles; it still fits, but on the tiles that are over."""
    scale = numbers.scale
    random = numbers.random(_HOT)
    chosen = random.permutation(scale.entries)
    hot = chosen[: max(1, scale.entries // 180)]
    half = scale.bytes_per_tile // 2
    variable["interleaved", False][hot] = half - 8 * random.integers(unit // 8, unit, len(hot))
    over = chosen[: scale.over]
    variable["interleaved", False][over] = half
    variable["overflowed", False][over] = 4 * random.integers(unit // 2, unit, len(over))


def _by_tile(scale: Scale, parts: Parts) -> dict[str, I64]:
    """Totals and gaps; the interleaved half begins in the middle of a tile, and what overflows lies behind the end."""
    region = {r: sum((p[r, False] for p in parts.values()), np.zeros(scale.entries, np.int64)) for r in REGIONS}
    gaps = {r: region[r] + np.where(region[r] > 0, 64 + region[r] % 32, 0) for r in REGIONS}
    gaps["interleaved"] = np.minimum(gaps["interleaved"], np.maximum(scale.bytes_per_tile // 2, region["interleaved"]))
    start = np.maximum(scale.bytes_per_tile // 2, gaps["nonInterleaved"])
    end = np.where(gaps["interleaved"] > 0, start + gaps["interleaved"], gaps["nonInterleaved"])
    out = {name: region[name] for name in REGIONS}
    out |= {f"{name}IncludingGaps": gaps[name] for name in REGIONS}
    out["total"] = sum(region.values(), np.zeros(scale.entries, np.int64))
    out["totalIncludingGaps"] = np.where(
        gaps["overflowed"] > 0, np.maximum(end, scale.bytes_per_tile) + gaps["overflowed"], end
    )
    return out


def _category(arrays: dict[tuple[str, bool], I64]) -> dict[str, Any]:
    out: dict[str, Any] = {
        region: {"nonOverlapped": arrays[region, False], "overlapped": arrays[region, True]} for region in REGIONS
    }
    out["total"] = sum(arrays.values(), np.zeros_like(arrays[REGIONS[0], False]))
    return out


def _liveness(net: Network, parts: Parts) -> dict[str, Any]:
    variable = parts["variable"]["nonInterleaved", False]
    temporary = variable // 2 + parts["variable"]["interleaved", False]
    always = sum((p["nonInterleaved", False] for p in parts.values()), np.zeros_like(variable)) - variable // 2
    tree = _Tree(net, int(temporary.sum() * 0.9))
    roots = [tree.node(program) for program in net.control]
    out: dict[str, Any] = {
        "alwaysLive": {"bytesByTile": always},
        "notAlwaysLive": {"byProgram": roots, "maxBytesByTile": temporary},
    }
    if net.scale.live_variables:
        add_variables(out, net.scale.live_variables, int(always.sum()))
    return out


LISTED = ("ids", "numbers", "records", "names", "sizes", "arrays")
"""Ways to list variables: places in a table, numbers without a table, and four that tell them in full."""


def _listed(how: str, numbers: list[int], names: list[str], sizes: list[int]) -> Any:
    own, bytes_ = [names[number] for number in numbers], [sizes[number] for number in numbers]
    if how == "ids":
        return list(numbers)
    if how == "numbers":
        return [100 + number for number in numbers]
    if how == "records":
        return [{"name": name, "size": size} for name, size in zip(own, bytes_, strict=True)]
    if how == "arrays":
        return {"names": own, "sizes": bytes_}
    return own if how == "names" else dict(zip(own, bytes_, strict=True))


def add_variables(liveness: dict[str, Any], how: str, always: int) -> None:
    """Lists variables at every leaf (and of what is always live) whose sizes add up to its bytes. One begins where the
    bytes grow, the oldest end where they fall."""
    names, sizes = ["weights", "constants"], [always - always // 4, always // 4]
    live: list[int] = []

    def walk(node: dict[str, Any]) -> None:
        for child in node["children"]:
            walk(child)
        if node["children"]:
            return
        total = sum(sizes[number] for number in live)
        while live and total > node["bytes"]:
            total -= sizes[live.pop(0)]
        if total < node["bytes"]:
            live.append(len(names))
            names.append(f"layer {len(names) // 3}/activation {len(names)}")
            sizes.append(node["bytes"] - total)
        node["variables"] = _listed(how, live, names, sizes)

    for root in liveness["notAlwaysLive"]["byProgram"]:
        walk(root)
    liveness["alwaysLive"]["variables"] = _listed(how, [0, 1], names, sizes)
    if how == "ids":
        liveness["variables"] = {"names": names, "sizes": sizes}


class _Tree:
    """One node for each program on each call stack; a parent has the most of its children. What is live grows on the
    way to the middle of the program (activations are kept) and falls on the way back."""

    def __init__(self, net: Network, most: int) -> None:
        self.net = net
        self.most = most
        self.leaf = 0
        self.leaves = max(1, len(net.programs))

    def node(self, program: int) -> dict[str, Any]:
        entry = self.net.programs[program]
        below = [self.net.functions[entry["target"]]] if entry["type"] == "Call" else entry.get("children", [])
        children = [self.node(child) for child in below]
        own = 0 if children else self._live()
        out = {"bytes": max([own, *(child["bytes"] for child in children)]), "children": children}
        if self.net.scale.named_liveness:
            out |= {"program": program, "name": entry.get("name", "")}
        return out

    def _live(self) -> int:
        self.leaf += 1
        way = min(1.0, self.leaf / self.leaves)
        hill = 1.0 - abs(2.0 * way - 1.1) ** 1.5
        return int(self.most * min(1.0, max(0.04, 0.9 * hill + 0.1 * np.sin(self.leaf * 1.7))))
