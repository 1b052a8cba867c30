"""Live bytes along the program: the nodes of the curve, and the program that each node stands for."""

from __future__ import annotations

from typing import Literal

import numpy as np
from msgspec import Struct

from app.analysis.poplar.trees import call_targets, edges
from app.profile.arrays import F64, I64, Ragged
from app.profile.poplar import Liveness, Programs, program_steps
from app.profile.profile import Profile

MOST_EDGES = 1 << 23


class Curve(Struct, frozen=True, eq=False):
    """``nodes``: int64[program steps], in execution order; ``besides``: float64[program steps], bytes temporarily live
    at each, NaN if unknown. ``always``: bytes always live on all tiles, None if unknown; ``peak``: the program step
    with the most (the first of several), None if nothing is known."""

    nodes: I64
    besides: F64
    always: int | None
    peak: int | None


def curve(profile: Profile) -> Curve | None:
    """The curve; None without a liveness tree."""
    tree, memory = profile.liveness, profile.tile_memory
    if tree is None or not len(tree):
        return None
    nodes = program_steps(tree)
    known = tree.bytes[nodes] >= 0
    besides = np.where(known, tree.bytes[nodes], np.nan)
    always = None
    if memory is not None and memory.always_live is not None:
        always = int(memory.always_live.sum(dtype=np.int64))
    peak = int(np.argmax(tree.bytes[nodes])) if bool(np.any(known)) else None
    return Curve(nodes, besides, always, peak)


def below(tree: Liveness) -> Ragged:
    """The children of each node, in file order."""
    inner = np.flatnonzero(tree.parent >= 0)
    inner = inner[np.argsort(tree.parent[inner], kind="stable")]
    counts = np.bincount(tree.parent[inner], minlength=len(tree)).astype(np.int64)
    return Ragged.of(counts, inner.astype(np.int64))


Known = Literal["file", "shape"]


class NodePrograms(Struct, frozen=True, eq=False):
    """``program``: int64[nodes], -1 if unknown; ``known``: whether the file says so, or the tree has the exact shape of
    the control programs."""

    program: I64
    known: Known


def programs_of_nodes(profile: Profile) -> NodePrograms | None:
    """The program of each node; None if unknown. If no node names one, the tree is compared with the control programs
    (with the called function below a call, or in its place); the match counts only if every node fits."""
    tree, programs = profile.liveness, profile.programs
    if tree is None or not len(tree):
        return None
    if bool(np.any(tree.program >= 0)):
        count = len(programs) if programs is not None else 0
        return NodePrograms(np.where(tree.program < count, tree.program, -1).astype(np.int64), "file")
    if programs is None:
        return None
    for shape in (edges(programs), _calls_replaced(programs)):
        by_shape = None if shape is None else _laid_over(tree, programs, shape)
        if by_shape is not None:
            return NodePrograms(by_shape, "shape")
    return None


def _laid_over(tree: Liveness, programs: Programs, shape: Ragged) -> I64 | None:
    """int64[nodes] if every node has as many children as its program, level by level; else None."""
    nodes, own = np.flatnonzero(tree.parent < 0), programs.control.astype(np.int64)
    if len(nodes) != len(own) or not bool(np.all(own >= 0)):
        return None
    rows = below(tree)
    out = np.full(len(tree), -1, np.int64)
    while len(nodes):
        out[nodes] = own
        if not np.array_equal(_lengths(rows, nodes), _lengths(shape, own)):
            return None
        nodes, own = (of.gather(wanted).items.astype(np.int64) for of, wanted in ((rows, nodes), (shape, own)))
    return out


def _calls_replaced(programs: Programs) -> Ragged | None:
    """As ``edges``, but the children of a call are those of the function that it runs; None if that would take more
    than MOST_EDGES."""
    shape, targets = edges(programs), call_targets(programs)
    own = np.where(targets >= 0, targets, np.arange(len(programs)))
    lengths = _lengths(shape, own)
    return shape.gather(own) if int(lengths.sum()) <= MOST_EDGES else None


def _lengths(rows: Ragged, wanted: I64) -> I64:
    lengths: I64 = rows.first[wanted + 1] - rows.first[wanted]
    return lengths
