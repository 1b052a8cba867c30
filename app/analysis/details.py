"""What is known of the things that a person points at: their figures, and what belongs to them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from app.analysis.ascend.cache_names import cache_line_name
from app.analysis.links import route, translate
from app.analysis.part import Part
from app.analysis.poplar.parts import parts
from app.analysis.poplar.program_figures import cheap, quick_figures
from app.analysis.poplar.tile_content import TileContents
from app.analysis.poplar.tile_content_parts import tile_parts
from app.analysis.search import names
from app.analysis.table import Coded, Column, Table
from app.analysis.tables import by_id
from app.analysis.tables.poplar_programs import with_figures
from app.analysis.timeline.places import told_zero
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection

TABLES: Final[dict[Kind, tuple[str, ...]]] = {
    "program": ("programs",),
    "slice": ("slices",),
    "step": ("steps",),
    "compute_set": ("compute-sets",),
    "vertex_type": ("vertex-types",),
    "exchange": ("exchanges",),
    "liveness": ("liveness",),
    "live_variable": ("live-variables",),
    "tile": ("tiles", "mapped-tiles"),
    "category": ("memory-by-category",),
    "variable": ("variables",),
    "lane": ("lanes",),
    "line": ("source-lines",),
    "instruction": ("instructions",),
    "block": ("block-details", "memory-blocks"),
    "core": ("core-load",),
    "memory_path": ("memory-paths",),
    "roof": ("roofline",),
    "cache_line": ("cache-lines",),
    "cache_hit": ("cache-lines",),
    "cache_miss": ("cache-lines",),
    "cache_set": ("cache-sets",),
    "access": ("memory-accesses",),
    "onchip_block": ("onchip-blocks",),
    "blob": ("blobs",),
    "anchor": ("anchors",),
    "tensor": ("tensors", "feeds"),
    "host_event": ("events",),
    "report": ("event-reports",),
    "mapped_tensor": ("mapped-tensors",),
}
"""The tables whose rows tell what is known of a thing, by kind."""

ROWS_OF: Final[dict[Kind, Kind]] = {"cache_hit": "cache_line", "cache_miss": "cache_line"}
"""Kinds that have the index of another, and its rows."""

WORDS: Final[dict[Kind, tuple[str, str]]] = {
    "program": ("program", "programs"),
    "slice": ("slice", "slices"),
    "step": ("step", "steps"),
    "compute_set": ("compute set", "compute sets"),
    "vertex_type": ("vertex type", "vertex types"),
    "exchange": ("exchange", "exchanges"),
    "liveness": ("liveness node", "liveness nodes"),
    "live_variable": ("live variable", "live variables"),
    "tile": ("tile", "tiles"),
    "category": ("memory category", "memory categories"),
    "variable": ("variable", "variables"),
    "lane": ("lane", "lanes"),
    "line": ("source line", "source lines"),
    "instruction": ("instruction", "instructions"),
    "block": ("block", "blocks"),
    "core": ("core", "cores"),
    "memory_path": ("memory path", "memory paths"),
    "roof": ("roof", "roofs"),
    "cache_line": ("cache line", "cache lines"),
    "cache_hit": ("cache line (hits)", "cache lines (hits)"),
    "cache_miss": ("cache line (misses)", "cache lines (misses)"),
    "cache_set": ("cache set", "cache sets"),
    "access": ("memory access", "memory accesses"),
    "onchip_block": ("on-chip block", "on-chip blocks"),
    "blob": ("blob", "blobs"),
    "anchor": ("anchor", "anchors"),
    "tensor": ("tensor", "tensors"),
    "host_event": ("host event", "host events"),
    "report": ("part of an event", "parts of events"),
    "mapped_tensor": ("mapped tensor", "mapped tensors"),
}
"""One and several of each kind."""

ADDED: Final = ("B", "cycles")
ADDED_KEYS: Final = ("duration", "total", "busy")
"""Columns whose sum over several things means something: amounts, not places in time or shares."""
PLACE_KEYS: Final = ("start", "end", "from", "to", "from_time", "to_time")
"""Places in time or memory: neither their sum nor their mean says anything, only where they begin and end."""
OWN_KEYS: Final = (
    *("total_cycles", "total_estimate", "live", "max_tile", "least", "median", "mean", "most", "peak"),
    "alignment",
    "sync_delay",
)
"""Not added although they are amounts: a program's total holds those of the programs in it, live bytes are those
of a moment, and the others describe one thing. (Columns say so themselves where it hangs on the table: ``adds_up``.)"""
BACKSLASH = "\\"
FAR = 3
"""Links over more stations than this say too little."""
NEAR: Final[frozenset[Kind]] = frozenset(("category", "variable"))
"""Kinds of which only direct links say anything: further ones lead to whatever else is on their tiles."""
MOST_ASKED = 2000
MOST_LINKED = 50_000


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """A thing as a row of a table; ``others``: how many further rows of it the table has."""

    table: Table
    row: int
    others: int = 0


@dataclass(frozen=True, slots=True)
class Several:
    """Figures of one column over ``asked`` things, ``known`` of which have one; ``total`` is None where adding says
    nothing, ``mean`` and ``median`` of places."""

    column: Column
    total: float | int | None
    mean: float | None
    median: float | None
    least: float | int
    most: float | int
    known: int
    asked: int


@dataclass(frozen=True, slots=True)
class Related:
    """Things of another kind that belong to the selection."""

    text: str
    selection: Selection


def counted(kind: Kind, count: int) -> str:
    """``1 tile``, ``12 compute sets``."""
    return f"{count:,} {WORDS[kind][count != 1]}"


def name_of(profile: Profile, kind: Kind, index: int) -> str:
    """What a thing is called; its kind and number where it has no name."""
    if kind == "line" and profile.lines is not None and 0 <= index < len(profile.lines.line):
        path = profile.lines.paths.get(int(profile.lines.file[index]))
        return f"{path.replace(BACKSLASH, '/').rsplit('/', 1)[-1]}:{int(profile.lines.line[index])}"
    for named in names(profile):
        if named.kind == kind:
            text_id = index if named.ids is None else int(named.ids[index]) if 0 <= index < len(named.ids) else -1
            text = named.strings.get(text_id)
            if text:
                return text
    return cache_line_name(profile, kind, index) or f"{WORDS[kind][0]} {index:,}"


def is_named_by(kind: Kind, name: str) -> bool:
    """Whether ``name`` says already what kind of thing it is: "tile 5", but not the name "variable/v0"."""
    word = WORDS[kind][0].partition(" (")[0]
    return name.startswith(word) and name[len(word) : len(word) + 2].strip()[:1].isdigit()


class Described:
    """Answers for one profile; a table that was made for one answer is kept for the next."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self._tables: dict[str, Table | None] = {}

    @cached_property
    def zero(self) -> float:
        """The moment that times of the timeline are told from."""
        return 0.0 if self.profile.timeline is None else told_zero(self.profile.timeline)

    @cached_property
    def _contents(self) -> TileContents:
        return TileContents(self.profile)

    def rows(self, kind: Kind, index: int) -> list[Row]:
        """The rows that tell of one thing, from each table that has any; of a slice also those of its step."""
        found = self._rows(kind, index)
        if kind == "slice" and self.profile.steps is not None:
            found += [
                row
                for step in translate(self.profile, Selection(kind, (index,)), "step")
                for row in self._rows("step", int(step))
            ]
        return found

    def parts(self, selection: Selection) -> Iterator[Part]:
        """What a single thing, or some tiles, are made of, part by part; each may take some milliseconds."""
        if selection.kind == "tile":
            yield from tile_parts(self._contents, np.array(selection.indices, np.int64))
        elif len(selection.indices) == 1:
            yield from parts(self.profile, selection.kind, selection.first)

    def _rows(self, kind: Kind, index: int) -> list[Row]:
        found = []
        for table in self._of(kind):
            places = _places(table, np.array([index], np.int64))
            if len(places):
                found.append(Row(table, int(places[0]), len(places) - 1))
        return found

    def several(self, selection: Selection) -> list[Several]:
        """Figures over all things of a selection, column by column."""
        wanted = np.array(selection.indices, np.int64)
        tables = self._of(selection.kind)
        if not tables:
            return []
        places = _places(tables[0], wanted)
        made = (_over(column, places) for column in tables[0].columns)
        return [several for several in made if several is not None]

    def related(self, selection: Selection) -> Iterator[Related]:
        """What belongs to the selection, kind by kind; each may take some milliseconds."""
        if len(selection.indices) > MOST_ASKED:
            return
        for kind in WORDS:
            far = 1 if {kind, selection.kind} & NEAR else FAR
            if kind == selection.kind or not 0 < len(route(selection.kind, kind)) <= far:
                continue
            found = translate(self.profile, selection, kind)
            if len(found):
                yield Related(self._call(kind, found), Selection(kind, tuple(found[:MOST_LINKED].tolist()), "details"))

    def _call(self, kind: Kind, found: I64) -> str:
        if len(found) > 1:
            more = "" if len(found) <= MOST_LINKED else f", the first {MOST_LINKED:,}"
            return counted(kind, len(found)) + more
        name = name_of(self.profile, kind, int(found[0]))
        return name if is_named_by(kind, name) else f"{WORDS[kind][0]}: {name}"

    def _of(self, kind: Kind) -> list[Table]:
        for table_id in TABLES[kind]:
            if table_id not in self._tables:
                self._tables[table_id] = _table(self.profile, table_id)
        made = (self._tables[table_id] for table_id in TABLES[kind])
        return [table for table in made if table is not None and table.selects == ROWS_OF.get(kind, kind)]


def _table(profile: Profile, table_id: str) -> Table | None:
    """The table; that of very many programs without the figures that take long (the tree has them by and by)."""
    if table_id == "programs" and not cheap(profile):
        return with_figures(profile, quick_figures(profile))
    return by_id(profile, table_id)


def _places(table: Table, wanted: I64) -> I64:
    if table.keys is None:
        return wanted[(wanted >= 0) & (wanted < table.rows)]
    return np.flatnonzero(np.isin(table.keys, wanted)).astype(np.int64)


def _over(column: Column, places: I64) -> Several | None:
    values = column.values
    if isinstance(values, Coded | tuple) or values.dtype.kind not in "iuf" or column.hexadecimal or not column.unit:
        return None
    chosen = values[places]
    known = np.ones(len(places), np.bool_) if column.missing is None else ~column.missing[places]
    if values.dtype.kind == "f":
        known &= ~np.isnan(chosen)
    chosen = chosen[known]
    if not len(chosen):
        return None
    place = column.key in PLACE_KEYS
    added = _added(column) and not place
    whole = chosen.astype(np.int64) if values.dtype.kind in "iu" else chosen
    total = whole.sum().item() if added else None
    mean = None if place else float(chosen.mean())
    median = None if place else float(np.median(chosen))
    return Several(column, total, mean, median, whole.min().item(), whole.max().item(), len(chosen), len(places))


def _added(column: Column) -> bool:
    if column.key in OWN_KEYS or not column.adds_up:
        return False
    return column.unit in ADDED or column.key in ADDED_KEYS
