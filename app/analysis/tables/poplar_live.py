"""Liveness of a Poplar graph: bytes at each node of the program tree, and variables with their lifetimes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.poplar.columns import masked, number
from app.analysis.poplar.liveness import NodePrograms, peak_node, programs_of_nodes, variables_at
from app.analysis.table import Coded, Column, Role, Table
from app.language import plural, tr
from app.profile.arrays import I32, I64
from app.profile.poplar import LiveVariables, program_steps
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


ID: Final = "live-variables"
LIFE: Final = tr("Program steps count from 0, in execution order; they are those of the Liveness curve.")
HELPS: Final = {
    "first": tr("First program step at which it is live."),
    "last": tr("Last program step at which it is live."),
    "steps": tr(
        "Number of program steps at which it is live; fewer than from the first to the last if it is not live "
        "continuously."
    ),
}
LIVE: Final = Strings.of((tr("temporarily"), tr("always")))


class LiveTables:
    """Makes the tables of one profile."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile

    def all(self) -> Table | None:
        """Every variable that the file lists, in its order; None where it lists none."""
        own = self._profile.live_variables
        if own is None:
            return None
        rows = np.arange(len(own), dtype=np.int64)
        peak = self.peak
        there = np.zeros(len(own), np.bool_)
        if peak is not None:
            there[own.at.row(peak)] = True
        columns = [column for column in self._columns(own, rows) if column.key != "share"]  # never live at once
        columns.append(Column("at_peak", tr("Live at peak"), there | own.always))
        return Table(ID, tr("Live variables"), tuple(columns), "live_variable", note=LIFE)

    def at_peak(self) -> Table | None:
        """The variables that are live at the program peak."""
        return None if self.peak is None else self.at(np.array([self.peak], np.int64), f"{ID}/peak")

    def at(self, nodes: I64, table_id: str = f"{ID}/step", *, always: bool = True) -> Table | None:
        """The variables that are live at any of these nodes, largest first; None if the file does not say."""
        own, rows = self._profile.live_variables, variables_at(self._profile, nodes, always=always)
        if own is None or rows is None:
            return None
        columns = tuple(self._columns(own, rows))
        title = tr("Variables live at {where}", where=self.where(nodes))
        return Table(table_id, title, columns, "live_variable", rows, note=self._note(own, rows, nodes))

    @cached_property
    def peak(self) -> int | None:
        """The node of the program peak if its variables are listed, else the fullest whose variables are; None without
        any."""
        return peak_node(self._profile)

    @cached_property
    def _nodes(self) -> I64:
        """int64[program steps]: the node of each."""
        tree = self._profile.liveness
        return np.empty(0, np.int64) if tree is None else program_steps(tree)

    @cached_property
    def _names(self) -> NodeNames | None:
        if self._profile.liveness is None:
            return None
        return names_of_nodes(self._profile, programs_of_nodes(self._profile))

    def _columns(self, own: LiveVariables, rows: I64) -> list[Column]:
        size = own.size[rows]
        known = np.maximum(size, 0)
        total = int(known.sum())
        columns = [Column("name", tr("Variable"), Coded(own.name[rows], own.strings))]
        if bool(np.any(own.number >= 0)):
            columns.append(
                masked("number", tr("Number"), own.number[rows], help_=tr("Number in the file."), role="key")
            )
        columns.append(masked("size", tr("Size"), size, "B", tr("Size on all tiles together, as stated in the file.")))
        if total > 0:
            of = tr("the variables listed")
            columns.append(Column("share", tr("Share"), 100.0 * known / total, "%", "", size < 0, share_of=of))
        columns.append(Column("live", tr("Live"), Coded(own.always[rows].astype(np.int32), LIVE)))
        for key, title, values in self._life(own, rows):
            role: Role = "" if key == "steps" else "place"
            columns.append(masked(key, title, values, help_=f"{HELPS[key]} {LIFE}", role=role))
        columns += self._ends("begins", tr("Begins at"), own.first[rows]) + self._ends(
            "ends", tr("Ends at"), own.last[rows]
        )
        return columns

    def _life(self, own: LiveVariables, rows: I64) -> Iterator[tuple[str, str, I64]]:
        """First and last program step, and how many there are; variables that are always live are so at all steps."""
        count = len(self._nodes)
        always = own.always[rows] & (count > 0)
        listed = own.first[rows] >= 0
        whole = (("first", tr("First step"), own.first, 0), ("last", tr("Last step"), own.last, count - 1))
        for key, title, steps, lasting in whole:
            yield key, title, np.where(always, lasting, steps[rows]).astype(np.int64)
        steps_ = np.where(always, count, np.where(listed, own.steps[rows], -1))
        yield "steps", tr("Live steps"), steps_.astype(np.int64)

    def _ends(self, key: str, title: str, steps: I32) -> list[Column]:
        """The name of the program of a step, if it is known."""
        names = self._names
        if names is None or not len(self._nodes):
            return []
        node = self._nodes[np.clip(steps, 0, len(self._nodes) - 1)]
        ids = np.where(names.name[node] >= 0, names.name[node], names.type[node])
        return [
            Column(key, title, Coded(np.where(steps >= 0, ids, -1), names.strings), help=tr("Name of the program."))
        ]

    def where(self, nodes: I64) -> str:
        """The names of the nodes."""
        if len(nodes) != 1:
            return plural(
                "any of {count:,} program step",
                "any of {count:,} program steps",
                count=len(nodes),
            )
        node = int(nodes[0])
        place = int(np.searchsorted(self._nodes, node))
        is_step = place < len(self._nodes) and self._nodes[place] == node
        return tr("program step {place:,}", place=place) if is_step else tr("node {node:,}", node=node)

    def _note(self, own: LiveVariables, rows: I64, nodes: I64) -> str:
        """How much of the live bytes the variables account for."""
        tree, memory = self._profile.liveness, self._profile.tile_memory
        if tree is None or len(nodes) != 1:
            return ""
        parts = []
        lasting = own.always[rows]
        base = None if memory is None or memory.always_live is None else int(memory.always_live.sum(dtype=np.int64))
        bytes_ = int(tree.bytes[int(nodes[0])])
        of_step: list[tuple[str, I64, int | None]] = [
            (tr("Temporarily live"), rows[~lasting], bytes_ if bytes_ >= 0 else None)
        ]
        of_step += [(tr("Always live"), rows[lasting], base)] if bool(np.any(lasting)) else []
        for live, variables, live_bytes in of_step:
            count = plural("{count:,} variable", "{count:,} variables", count=len(variables))
            listed = _listed(own.size[variables], live_bytes)
            parts.append(tr("{live}: {count}, {listed}.", live=live, count=count, listed=listed))
        return " ".join(parts)


def _listed(sizes: I64, live: int | None) -> str:
    """How many of the ``live`` bytes (None: unknown) are those of variables of these ``sizes`` (-1: unknown)."""
    if len(sizes) and not bool(np.any(sizes >= 0)):
        return tr("no sizes") if live is None else tr("no sizes ({live:,} B in total)", live=live)
    listed = int(np.maximum(sizes, 0).sum())
    if live is None:
        return tr("{listed:,} B listed", listed=listed)
    return tr("{listed:,} of {live:,} B listed", listed=listed, live=live)


def live_variables(profile: Profile) -> list[Table]:
    """All variables, and those at the peak."""
    tables = LiveTables(profile)
    made = (tables.all(), tables.at_peak()) if profile.live_variables is not None else ()
    return [table for table in made if table is not None]


def at_node(profile: Profile, table_id: str) -> Table | None:
    """``live-variables/NODE``: at any liveness node."""
    tree, part = profile.liveness, table_id.removeprefix(f"{ID}/")
    if tree is None or not part.isascii() or not part.isdigit() or len(part) > 10 or int(part) >= len(tree):
        return None
    return LiveTables(profile).at(np.array([int(part)], np.int64), f"{ID}/{part}")
