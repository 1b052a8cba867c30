"""Live bytes along the program: the curve, its peaks (in the two ways that Graphcore's own tools compute them), the
program that each node stands for, and the variables that are live there."""

from __future__ import annotations

from typing import Final, Literal

import numpy as np
from msgspec import Struct

from app.analysis.poplar.graph import call_targets, edges
from app.language import tr
from app.profile.arrays import F64, I64, Ragged, among, combine_at, distinct
from app.profile.poplar import Liveness, LiveVariables, Programs, program_steps
from app.profile.profile import Profile
from app.profile.strings import Strings

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


NO_VARIABLES: Final = tr(
    "This file does not list the variables of program steps (memory.liveness.notAlwaysLive.byProgram[].variables). "
    "Poplar's text summary lists them with the report option showVarStorage=true. vars.json (engine option "
    "debug.loweredVarDumpFile) lists all variables with their tiles."
)
FEW_NODES: Final = 1000
NONE: Final = np.empty(0, np.int64)


def variables_at(profile: Profile, nodes: I64, *, always: bool = True) -> I64 | None:
    """int64: the variables live at any of ``nodes``, largest first, including those always live if ``always``; None if
    the file lists variables for none of the nodes."""
    own = profile.live_variables
    if own is None:
        return None
    nodes = nodes[(nodes >= 0) & (nodes < len(own.at))]
    nodes = nodes[own.stated[nodes]]
    if not len(nodes):
        return None
    there = own.always.copy() if always else np.zeros(len(own), np.bool_)
    if len(nodes) <= FEW_NODES:
        for node in nodes.tolist():
            there[own.at.row(node)] = True
    else:
        chosen = np.zeros(len(own.at), np.bool_)
        chosen[nodes] = True
        there[own.at.items[np.repeat(chosen, own.at.lengths)]] = True
    return by_size(profile, np.flatnonzero(there).astype(np.int64))


def listed_nodes(profile: Profile, nodes: I64) -> I64:
    """``nodes`` if the file lists the variables of any, else the program steps below them."""
    own, tree = profile.live_variables, profile.liveness
    if own is None or tree is None or not len(nodes) or bool(np.any(own.stated[nodes])):
        return nodes
    steps = program_steps(tree)
    inside = np.zeros(len(tree) + 1, np.int64)
    combine_at(np.add, inside, nodes, 1)
    combine_at(np.add, inside, tree.end[nodes], -1)
    return steps[np.cumsum(inside[:-1])[steps] > 0]


def by_size(profile: Profile, variables: I64) -> I64:
    """The same variables, largest first."""
    own = profile.live_variables
    assert own is not None
    return variables[np.argsort(-own.size[variables], kind="stable")]


def fullest_node(profile: Profile, nodes: I64) -> int | None:
    """Of ``nodes`` and all below them, the one with the most live bytes among those whose variables are listed (the
    first of several); None without any."""
    own, tree = profile.live_variables, profile.liveness
    if own is None or tree is None or not len(own.at):
        return None
    inside = np.zeros(len(tree) + 1, np.int64)
    nodes = nodes[(nodes >= 0) & (nodes < len(tree))]
    combine_at(np.add, inside, nodes, 1)
    combine_at(np.add, inside, tree.end[nodes], -1)
    nodes_listed = np.flatnonzero((np.cumsum(inside[:-1]) > 0) & own.stated)
    return int(nodes_listed[np.argmax(tree.bytes[nodes_listed])]) if len(nodes_listed) else None


def peak_node(profile: Profile) -> int | None:
    """The node of the program peak, if its variables are listed; else the fullest node whose variables are."""
    tree, own = profile.liveness, profile.live_variables
    if tree is None or own is None or not len(tree):
        return None
    steps = program_steps(tree)
    top = int(steps[np.argmax(tree.bytes[steps])])
    return top if own.stated[top] else fullest_node(profile, steps)


def step_of_node(tree: Liveness, node: int) -> int | None:
    """The index of the node among the program steps, None if it is none."""
    steps = program_steps(tree)
    place = int(np.searchsorted(steps, node))
    return place if place < len(steps) and steps[place] == node else None


def name_of(profile: Profile, variable: int) -> str:
    """The variable's name, else its number."""
    own = profile.live_variables
    assert own is not None
    return own.strings.get(int(own.name[variable])) or tr("variable {number:,}", number=int(own.number[variable]))


def nodes_of_variables(profile: Profile, variables: I64) -> I64:
    """Nodes at which any of the variables is live; those always live are live at every one."""
    own, tree = profile.live_variables, profile.liveness
    variables = variables[(variables >= 0) & (variables < (0 if own is None else len(own)))]
    if own is None or tree is None or not len(variables):
        return NONE
    if bool(np.any(own.always[variables])):
        return program_steps(tree)
    steps = program_steps(tree)
    life = variables[own.first[variables] >= 0]
    of_steps = np.zeros(len(own.at), np.bool_)
    of_steps[steps] = True
    parts = [_listing(own, variables, node, node + 1) for node in np.flatnonzero(own.stated & ~of_steps).tolist()]
    if len(life):
        low, high = (steps[np.clip(of, 0, len(steps) - 1)] for of in (own.first[life].min(), own.last[life].max()))
        parts.append(_listing(own, life, int(low), int(high) + 1))
    return distinct(np.concatenate(parts)) if parts else NONE


def _listing(own: LiveVariables, variables: I64, start: int, end: int) -> I64:
    """Nodes from ``start`` up to, but excluding, ``end`` that list any of the variables."""
    items = own.at.items[own.at.first[start] : own.at.first[end]]
    if len(variables) == 1:
        hits = np.flatnonzero(items == variables[0])
    else:
        wanted = np.zeros(len(own), np.bool_)
        wanted[variables] = True
        hits = np.flatnonzero(wanted[items])
    nodes: I64 = np.searchsorted(own.at.first, hits + own.at.first[start], "right") - 1
    return nodes


def lowered_variables(profile: Profile, variables: I64) -> I64:
    """Rows of the lowered variables (vars.json) that have the name of any of ``variables``, or are parts of one
    (``name#0``)."""
    own, lowered = profile.live_variables, profile.variables
    variables = variables[(variables >= 0) & (variables < (0 if own is None else len(own)))][:MOST_NAMES]
    if own is None or lowered is None:
        return NONE
    names = {own.strings.get(int(own.name[variable])) for variable in variables.tolist()} - {""}
    ids = [text_ids for name in names for text_ids in (lowered.strings.find(name), _parts(lowered.strings, f"{name}#"))]
    wanted = np.concatenate(ids) if ids else NONE
    return np.flatnonzero(among(lowered.name, wanted)).astype(np.int64)


MOST_NAMES: Final = 64


def _parts(strings: Strings, begin: str) -> I64:
    """int64: ids of the longer texts that begin with ``begin``."""
    wanted = np.frombuffer(begin.encode("utf-8", "backslashreplace"), np.uint8)
    begins = np.concatenate((np.zeros(1, np.int64), strings.ends[:-1])) if len(strings.ends) else strings.ends
    same = np.flatnonzero(strings.ends - begins > len(wanted))
    for place, byte in enumerate(wanted.tolist()):
        same = same[strings.blob[begins[same] + place] == byte]
    return same.astype(np.int64)


PER_TILE = tr(
    "Sum over tiles of the always-live bytes plus the tile's own maximum. Tiles peak at different times, so this is "
    "an upper bound."
)
PROGRAM = tr(
    "Bytes that are always live on all tiles, plus the most temporarily live bytes at any one node of the program tree."
)


class Peaks(Struct, frozen=True):
    """Bytes; None if the file lacks the data. ``program`` never exceeds ``tiles``. ``worst_tile`` is the tile with the
    most live bytes, ``node`` the node of the program peak."""

    always_live: int | None
    tiles: int | None
    program: int | None
    worst_tile: int | None
    worst_tile_bytes: int | None
    node: int | None


def peaks(profile: Profile) -> Peaks | None:
    """The peaks; None for a profile without liveness."""
    memory, tree = profile.tile_memory, profile.liveness
    always = None if memory is None else memory.always_live
    temporary = None if memory is None else memory.temporary_max
    if always is None and temporary is None and tree is None:
        return None
    base = None if always is None else int(always.sum(dtype=np.int64))
    top = int(np.argmax(tree.bytes)) if tree is not None and len(tree) else None
    highest = int(tree.bytes[top]) if tree is not None and top is not None else -1
    live = None if always is None or temporary is None else always.astype(np.int64) + temporary
    worst = int(np.argmax(live)) if live is not None and len(live) else None
    return Peaks(
        always_live=base,
        tiles=None if live is None else int(live.sum()),
        program=None if base is None or highest < 0 else base + highest,
        worst_tile=worst,
        worst_tile_bytes=int(live[worst]) if live is not None and worst is not None else None,
        node=top if highest >= 0 else None,
    )


class LivePeak(Struct, frozen=True):
    """``node`` of the liveness tree and its ``name``; bytes: ``program`` in all, ``always`` of them always live,
    ``extra`` only there. ``variables``: rows of the live variables there, largest first."""

    node: int
    name: str
    program: int
    always: int
    extra: int
    variables: tuple[int, ...]
    largest: tuple[str, int] | None


def live_peak(profile: Profile, most: int = 5) -> LivePeak | None:
    """The peak of the program (``Peaks.program``), with at most so many variables; None without liveness of
    programs."""
    known, tree = peaks(profile), profile.liveness
    if known is None or tree is None or known.node is None or known.program is None or known.always_live is None:
        return None
    steps = program_steps(tree)
    node = int(steps[tree.bytes[steps].argmax()])  # of a node and its parents with the same bytes, the innermost
    rows = _variables(profile, node)[:most]
    live = profile.live_variables
    largest = None if live is None or not rows else (variable_name(profile, rows[0]), int(live.size[rows[0]]))
    extra = known.program - known.always_live
    return LivePeak(node, node_name(profile, node), known.program, known.always_live, extra, tuple(rows), largest)


def variable_name(profile: Profile, row: int) -> str:
    """The name of a live variable, else its number."""
    live = profile.live_variables
    return "" if live is None else live.strings.get(int(live.name[row])) or str(int(live.number[row]))


def _variables(profile: Profile, node: int) -> list[int]:
    """The variables that are live at a node and whose size is known, largest first."""
    live = profile.live_variables
    if live is None or not live.stated[node]:
        return []
    rows = live.at.row(node)
    rows = rows[live.size[rows] >= 0]
    return [int(row) for row in rows[np.argsort(-live.size[rows], kind="stable")]]


def node_name(profile: Profile, node: int) -> str:
    """The name of a node of the liveness tree, else of its program, else its number."""
    tree = profile.liveness
    assert tree is not None
    name = tree.strings.get(int(tree.name[node])) if tree.name[node] >= 0 else ""
    program, programs = int(tree.program[node]), profile.programs
    if not name and programs is not None and 0 <= program < len(programs) and programs.name[program] >= 0:
        name = programs.strings.get(int(programs.name[program]))
    return name or tr("node {node:,}", node=node)
