"""Liveness of a Poplar graph: bytes at each node of the program tree."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.poplar.columns import masked, number
from app.analysis.poplar.live import NodePrograms, programs_of_nodes
from app.analysis.table import Coded, Column, Table
from app.language import tr
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.strings import Strings, joined

NOTE = tr("It is not documented whether a node includes the nodes below it: use the maximum, never a sum.")
BY_SHAPE = tr(
    "The file does not name the programs; they are derived from the tree, which has the same shape as the control "
    "programs."
)


class NodeNames(Struct, frozen=True, eq=False):
    """Texts of each node: ``name``, ``type``: int64[nodes] ids into ``strings``, -1 none."""

    strings: Strings
    name: I64
    type: I64


def liveness(profile: Profile) -> Table | None:
    """One row per node of the program tree, in execution order."""
    tree, memory = profile.liveness, profile.tile_memory
    if tree is None:
        return None
    programs = programs_of_nodes(profile)
    names = names_of_nodes(profile, programs)
    absent = tree.bytes < 0
    columns = [
        number(len(tree), tr("Node")),
        Column("name", tr("Name"), Coded(names.name, names.strings), role="name"),
        Column("type", tr("Type"), Coded(names.type, names.strings), role="kind"),
        Column("depth", tr("Depth"), tree.depth, help=tr("0 for control programs."), role="key"),
        Column(
            "bytes",
            tr("Temporarily live"),
            tree.bytes,
            "B",
            tr("Bytes live at this node in addition to those always live."),
            absent,
            adds_up=False,
        ),
    ]
    if memory is not None and memory.always_live is not None:
        always = int(memory.always_live.sum(dtype=np.int64))
        help_ = tr("Including the always-live bytes, over all tiles.")
        columns.append(Column("live", tr("Live"), tree.bytes + always, "B", help_, absent, adds_up=False))
    if programs is not None:
        columns.append(masked("program", tr("Program"), programs.program, role="key"))
    columns.append(
        Column("leaf", tr("Leaf"), tree.end == np.arange(len(tree)) + 1, help=tr("Whether the node has no children."))
    )
    note = f"{NOTE} {BY_SHAPE}" if programs is not None and programs.known == "shape" else NOTE
    return Table("liveness", tr("Liveness nodes"), tuple(columns), "liveness", note=note)


def names_of_nodes(profile: Profile, programs: NodePrograms | None) -> NodeNames:
    """The nodes' own names, else those of their programs."""
    tree, own = profile.liveness, profile.programs
    assert tree is not None
    none = np.full(len(tree), -1, np.int64)
    named = tree.name.astype(np.int64)
    if programs is None or own is None or not len(own):
        return NodeNames(tree.strings, named, none)
    known = programs.program >= 0
    first = len(tree.strings)

    def of_programs(column: I64) -> I64:
        ids = np.where(known, column[programs.program], -1)
        return np.where(ids >= 0, ids + first, -1)

    names = np.where(named >= 0, named, of_programs(own.name.astype(np.int64)))
    return NodeNames(joined(tree.strings, own.strings), names, of_programs(own.type.astype(np.int64)))
