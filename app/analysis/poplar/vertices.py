"""Cycles of single vertices (profiler mode VERTICES), by vertex type and compute set."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.profile.arrays import F64, I64
from app.profile.poplar import VertexCycles


class VertexGroups(Struct, frozen=True, eq=False):
    """One entry per group of vertices. ``type``, ``compute_set``: int64, -1 if unknown (``compute_set`` of groups by
    type: that of the slowest vertex); ``count``, ``total``, ``least``, ``most``: int64, cycles; ``median``, ``mean``:
    float64; ``worst``: int64, the slowest vertex (the first of several)."""

    type: I64
    compute_set: I64
    count: I64
    total: I64
    least: I64
    median: F64
    mean: F64
    most: I64
    worst: I64

    def __len__(self) -> int:
        return len(self.type)

    @property
    def ratio(self) -> F64:
        """Maximum / mean; NaN if all took no cycles."""
        out = np.full(len(self), np.nan)
        np.divide(self.most, self.mean, out=out, where=self.mean > 0)
        return out


def by_type(vertices: VertexCycles) -> VertexGroups:
    """The vertices grouped by type, over all compute sets."""
    return _grouped(vertices, vertices.type.astype(np.int64))


def by_type_and_set(vertices: VertexCycles) -> VertexGroups:
    """The vertices grouped by type and compute set."""
    width = int(vertices.compute_set.max(initial=-1)) + 2
    return _grouped(vertices, (vertices.type.astype(np.int64) + 1) * width + vertices.compute_set + 1)


def of(vertices: VertexCycles, types: I64 | None = None, sets: I64 | None = None) -> I64:
    """int64: the vertices of these types and of these compute sets (None: of any)."""
    chosen = np.ones(len(vertices.cycles), np.bool_)
    if types is not None:
        chosen &= np.isin(vertices.type, types)
    if sets is not None:
        chosen &= np.isin(vertices.compute_set, sets)
    return np.flatnonzero(chosen).astype(np.int64)


def _grouped(vertices: VertexCycles, key: I64) -> VertexGroups:
    cycles = vertices.cycles
    order = np.lexsort((cycles, key))
    key, cycles = key[order], cycles[order]
    first = np.flatnonzero(np.concatenate(([True], key[1:] != key[:-1]))) if len(key) else np.empty(0, np.int64)
    count = np.diff(np.append(first, len(key))).astype(np.int64)
    last = first + count - 1
    total = np.add.reduceat(cycles, first) if len(first) else np.empty(0, np.int64)
    middle = (cycles[first + (count - 1) // 2] + cycles[first + count // 2]) / 2
    worst = order[_firsts_of_most(cycles, first, last)]
    return VertexGroups(
        type=vertices.type[worst].astype(np.int64),
        compute_set=vertices.compute_set[worst].astype(np.int64),
        count=count,
        total=total.astype(np.int64),
        least=cycles[first],
        median=middle.astype(np.float64),
        mean=total / np.maximum(count, 1),
        most=cycles[last],
        worst=worst.astype(np.int64),
    )


def _firsts_of_most(cycles: I64, first: I64, last: I64) -> I64:
    """The index of the first maximum in each group (equal ones are in file order)."""
    changes = np.flatnonzero(np.concatenate(([True], cycles[1:] != cycles[:-1]))) if len(cycles) else first
    place: I64 = changes[np.searchsorted(changes, last, "right") - 1] if len(cycles) else last
    return np.maximum(place, first)
