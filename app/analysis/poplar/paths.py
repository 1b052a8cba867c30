"""Step names as paths: components separated by "/", common prefixes stored once."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.language import tr
from app.profile.arrays import I32, I64, combine_at, sealed
from app.profile.poplar import Steps
from app.profile.strings import Interner, Strings

MOST_LEVELS: Final = 24
"""Components deeper than this stay together in the last one."""
MOST_SPLIT: Final = 200_000
"""At most this many distinct names are split; further ones stay whole."""
WITHOUT: Final = tr("without name")


class Paths(Struct, frozen=True, eq=False):
    """A prefix tree of names. ``text``: int32[nodes] ids into ``strings``, the last component; ``parent``:
    int32[nodes], -1 for first components, always less than the node's own number; ``depth``: int32[nodes], 0 for first
    components; ``of_step``: int32[steps], the node of the step's whole name (of its type's if it has none)."""

    strings: Strings
    text: I32
    parent: I32
    depth: I32
    of_step: I32

    def __len__(self) -> int:
        return len(self.text)

    @property
    def levels(self) -> int:
        return int(self.depth.max(initial=-1)) + 1

    def at_depth(self, depth: int) -> I32:
        """int32[nodes]: the ancestor of each node at that depth (or itself); -1 for nodes that are less deep."""
        ancestors = np.where(self.depth == depth, np.arange(len(self), dtype=np.int32), -1).astype(np.int32)
        for level in range(depth + 1, self.levels):
            nodes = np.flatnonzero(self.depth == level)
            ancestors[nodes] = ancestors[self.parent[nodes]]
        return ancestors

    def full(self, node: int) -> str:
        """The path from the first component to this node's."""
        parts = []
        while node >= 0:
            parts.append(self.strings.get(int(self.text[node])))
            node = int(self.parent[node])
        return "/".join(reversed(parts))


def paths(steps: Steps) -> Paths:
    """The paths of all steps."""
    key = np.where(steps.name >= 0, steps.name, steps.type) + 1
    there = np.zeros(int(key.max(initial=0)) + 1, np.bool_)
    there[key] = True
    used = np.flatnonzero(there) - 1
    ids = Interner()
    nodes: dict[tuple[int, int], int] = {}
    text: list[int] = []
    parent: list[int] = []
    depth: list[int] = []
    leaf = np.empty(len(used), np.int32)
    for number, name in enumerate(used.tolist()):
        above = -1
        for part in _parts(steps.strings.get(name, WITHOUT), split=number < MOST_SPLIT):
            entry = above, ids(part)
            if entry not in nodes:
                nodes[entry] = len(text)
                text.append(entry[1])
                parent.append(above)
                depth.append(0 if above < 0 else depth[above] + 1)
            above = nodes[entry]
        leaf[number] = above
    columns = [sealed(np.array(column, np.int32)) for column in (text, parent, depth)]
    return Paths(ids.strings(), columns[0], columns[1], columns[2], sealed(leaf[(np.cumsum(there) - 1)[key]]))


def _parts(name: str, *, split: bool) -> list[str]:
    parts = [part for part in name.split("/") if part] if split else []
    if len(parts) > MOST_LEVELS:
        parts = [*parts[: MOST_LEVELS - 1], "/".join(parts[MOST_LEVELS - 1 :])]
    return parts or [name]


def below(tree: Paths, amounts: I64) -> I64:
    """int64[nodes]: the sum of the amounts of each node and of all below it."""
    sums = amounts.astype(np.int64)
    for level in range(tree.levels - 1, 0, -1):
        nodes = np.flatnonzero(tree.depth == level)
        combine_at(np.add, sums, tree.parent[nodes], sums[nodes])
    return sums
