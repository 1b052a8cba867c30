"""Memory use of some tiles, by loops over the plain values of graph.json and vars.json."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Tree = Any
REGIONS = ("interleaved", "nonInterleaved", "overflowed")
Amounts = dict[str, list[int]]
"""Bytes of each item on each of the tiles, in their order, for items with any bytes there."""


def used(graph: Tree, tiles: Sequence[int]) -> int:
    total = 0
    for tile in tiles:
        total += graph["memory"]["byTile"]["totalIncludingGaps"][tile]
    return total


def categories(graph: Tree, tiles: Sequence[int], part: str) -> Amounts:
    """``part``: nonOverlapped or overlapped."""
    out: Amounts = {}
    for name, regions in graph["memory"]["byCategory"].items():
        arrays = [regions[region][part] for region in REGIONS]
        out[name] = [sum(array[tile] for array in arrays) for tile in tiles]
    return out


def rows(matrix: Sequence[Sequence[int]], tiles: Sequence[int]) -> dict[int, list[int]]:
    """Rows of a matrix with nonzero values on the tiles, by index."""
    out = {}
    for number, row in enumerate(matrix):
        cells = [row[tile] for tile in tiles]
        if any(cells):
            out[number] = cells
    return out


def variables(vars_: Tree, tiles: Sequence[int]) -> Amounts:
    """Variables on the tiles by name."""
    out: Amounts = {}
    for entry in vars_["vars"]:
        info = entry["info"]
        if info.get("tile") in tiles:
            cells = out.setdefault(info["name"], [0] * len(tiles))
            cells[list(tiles).index(info["tile"])] += info["sizeBytes"]
    return out


def room(vars_: Tree, tiles: Sequence[int]) -> int:
    """The number of distinct addresses that variables occupy."""
    total = 0
    for tile in tiles:
        stretches = sorted(
            (entry["info"]["offset"], entry["info"]["offset"] + entry["info"]["sizeBytes"])
            for entry in vars_["vars"]
            if entry["info"].get("tile") == tile
        )
        reach = 0
        for begin, end in stretches:
            total += max(0, end - max(begin, reach))
            reach = max(reach, end)
    return total
