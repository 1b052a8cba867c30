"""The variables that are live at nodes of the liveness tree, and their locations."""

from __future__ import annotations

from typing import Final

import numpy as np

from app.language import tr
from app.profile.arrays import I64, combine_at, distinct
from app.profile.poplar import Liveness, LiveVariables, program_steps
from app.profile.profile import Profile
from app.profile.strings import Strings

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
        low, high = steps[int(own.first[life].min())], steps[int(own.last[life].max())]
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
    return np.flatnonzero(np.isin(lowered.name, wanted)).astype(np.int64)


MOST_NAMES: Final = 64


def _parts(strings: Strings, begin: str) -> I64:
    """int64: ids of the longer texts that begin with ``begin``."""
    wanted = np.frombuffer(begin.encode("utf-8", "backslashreplace"), np.uint8)
    begins = np.concatenate((np.zeros(1, np.int64), strings.ends[:-1])) if len(strings.ends) else strings.ends
    same = np.flatnonzero(strings.ends - begins > len(wanted))
    for place, byte in enumerate(wanted.tolist()):
        same = same[strings.blob[begins[same] + place] == byte]
    return same.astype(np.int64)
