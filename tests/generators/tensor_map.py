"""Tensor maps of all four generations (IpuTraceEvent, section 3)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Tensor:
    """``tiles``: (tile, elements); ``total`` None: their sum."""

    instruction: str
    tiles: Sequence[tuple[int, int]] = ((0, 4),)
    shape: Sequence[int] = (4,)
    type: str = "float"
    output: int = 0
    constant: bool = False
    aliases: bool = False
    name: str = ""
    total: int | None = None

    @property
    def elements(self) -> int:
        return sum(count for _, count in self.tiles) if self.total is None else self.total


def tensor(made: Tensor, generation: int = 4) -> Any:
    """The JSON value of one tensor."""
    if generation == 1:
        tiles = [
            {"tile_id": tile, "num_intervals": 1, "num_elements": count, "element_type": made.type}
            for tile, count in made.tiles
        ]
        return {
            "inst_name": made.instruction,
            "output_index": made.output,
            "constant": int(made.constant),
            "has_aliases": int(made.aliases),
            "tiles": tiles,
            "tiles_used": len(tiles),
            "total_elements": made.elements,
        }
    places = [[tile, 1, count] if generation == 2 else [tile, count] for tile, count in made.tiles]
    flags = [int(made.constant), int(made.aliases)]
    listed = [made.instruction, made.output, list(made.shape), made.type, *flags, made.elements, places]
    return [*listed, made.name] if generation == 4 else listed


def tensor_map(
    computations: Mapping[str, Sequence[Tensor]], generation: int = 4, key: str = "mappings", indent: int | None = None
) -> str:
    """The text of a map."""
    mappings = {name: [tensor(made, generation) for made in tensors] for name, tensors in computations.items()}
    return json.dumps({key: mappings}, indent=indent)


def linear(elements: int, tiles: int, first: int = 0, machine: int = 1216) -> list[tuple[int, int]]:
    """Elements spread evenly over ``tiles`` tiles from ``first`` on, around the end of the machine."""
    each, rest = divmod(elements, tiles)
    placed = [((first + number) % machine, each + (number < rest)) for number in range(tiles)]
    return sorted(place for place in placed if place[1])


def network(layers: int = 12, seed: int = 7, machine: int = 1216) -> dict[str, list[Tensor]]:
    """Weights, activations, constants and scalars of a small network, some of them badly spread."""
    random = np.random.RandomState(seed)
    entry: list[Tensor] = []
    first = 0
    for layer in range(layers):
        size = int(random.randint(20_000, 2_000_000))
        tiles = int(random.randint(max(1, machine // 6), machine))
        kind = "half" if layer % 3 else "float"
        name = f"layer_{layer}/kernel/_{layer}"
        entry.append(
            Tensor(
                f"arg{layer}.{layer}", linear(size, tiles, first, machine), (size,), kind, 0, name=f"XLA_Args/{name}"
            )
        )
        first = (first + tiles) % machine
        heavy = sorted({int(tile): int(count) for tile, count in _skewed(random, machine, size // 4)}.items())
        shape = (sum(count for _, count in heavy),)
        entry.append(Tensor(f"fusion.{layer}", heavy, shape, kind, aliases=layer % 4 == 0))
        entry.append(Tensor(f"constant.{layer}", ((layer * 3, 1),), (64, 64), "float", constant=True))
    reduce = [Tensor(f"reduce.{n}", linear(64, 8, n * 8, machine), (64,), "int", output=n) for n in range(4)]
    return {"cluster_1__.42": entry, "region_0.7": reduce}


def _skewed(random: np.random.RandomState, machine: int, elements: int) -> list[tuple[int, int]]:
    share = np.sort(random.pareto(1.5, max(1, machine // 3)) + 0.1)[::-1]
    counts = np.maximum((share / share.sum() * elements).astype(int), 1)
    return list(zip(random.permutation(machine)[: len(counts)].tolist(), counts.tolist(), strict=True))
