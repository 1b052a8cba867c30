"""Reads the graph profile (Poplar profiling data format, 7.1)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec import Struct, field

from app.formats.poplar.fields import Fields, indices
from app.formats.poplar.lists import read_compute_sets, read_exchanges, read_vertex_types
from app.formats.poplar.memory import MemoryReader
from app.formats.poplar.programs import ProgramList, read_programs
from app.formats.poplar.report import Handlers, Report
from app.formats.walk import Walk
from app.language import plural
from app.profile.arrays import I32, Ragged, sealed
from app.profile.poplar import ExchangeKind, ExchangeList, Exchanges, Graph
from app.profile.profile import Section, Target
from app.profile.strings import Strings


class GraphParts(Struct):
    """The data of a graph that pairing needs after its sections are delivered. ``entries``: the distinct lengths of its
    arrays per tile; ``set_types``: the vertex types of each compute set."""

    target: Target | None = None
    compute_sets: int | None = None
    set_names: Strings | None = None
    set_types: Ragged | None = None
    vertex_types: int | None = None
    program_list: ProgramList | None = None
    exchanges: dict[ExchangeKind, int] = field(default_factory=dict)
    entries: set[int] = field(default_factory=set)

    @property
    def programs(self) -> int | None:
        return None if self.program_list is None else len(self.program_list.type)


class GraphReader:
    """Reads the members of a graph profile and delivers each section when it is complete."""

    def __init__(self, walk: Walk, report: Report, deliver: Callable[[Section], None]) -> None:
        self.parts = GraphParts()
        self._walk = walk
        self._report = report
        self._deliver = deliver
        self._optimisation: dict[str, float] | None = None
        self._counts: dict[str, int | None] | None = None
        self._exchanges: dict[ExchangeKind, ExchangeList] = {}
        self._roots: dict[str, I32] = {}
        self._memory = MemoryReader(walk, report, deliver, self.parts.entries)

    def handlers(self) -> Handlers:
        return {
            "target": self._target,
            "graph": self._graph,
            "optimizationInfo": self._optimization,
            "vertexTypes": self._vertex_types,
            "computeSets": self._compute_sets,
            "exchanges": lambda path: self._exchange("internal", path),
            "externalExchanges": lambda path: self._exchange("external", path),
            "hostExchanges": lambda path: self._exchange("host", path),
            "programs": self._program_list,
            "controlPrograms": self._root_list,
            "functionPrograms": self._root_list,
            "memory": self._memory.read,
        }

    def finish(self) -> None:
        """Delivers the sections that combine several members."""
        if self._counts is not None or self._optimisation is not None:
            self._deliver(Graph(**(self._counts or {}), optimisation=self._optimisation or {}))
        if self._exchanges:
            self._deliver(Exchanges(**self._exchanges))
        programs = self.parts.program_list
        if programs is not None:
            control, functions = (self._known(key, len(programs.type)) for key in _ROOTS)
            self._deliver(programs.with_roots(control, functions))
        if self.parts.compute_sets is None and self._counts is not None:
            self.parts.compute_sets = self._counts["compute_sets"]

    def _target(self, path: str) -> None:
        fields = Fields.read(self._walk, self._report, path)
        self.parts.target = target_of(fields)
        fields.rest()
        self._deliver(self.parts.target)

    def _graph(self, path: str) -> None:
        fields = Fields.read(self._walk, self._report, path)
        self._counts = counts_of(fields)
        fields.rest()

    def _optimization(self, path: str) -> None:
        fields = Fields.read(self._walk, self._report, path)
        figures = {str(key): fields.number(key) for key in fields.data}
        self._optimisation = {key: value for key, value in figures.items() if value is not None}

    def _vertex_types(self, path: str) -> None:
        section = read_vertex_types(self._walk, self._report, path)
        self.parts.vertex_types = len(section)
        self._deliver(section)

    def _compute_sets(self, path: str) -> None:
        section, tiles = read_compute_sets(self._walk, self._report, path)
        self.parts.compute_sets = section.count
        self.parts.set_names, self.parts.set_types = section.names, section.vertex_types
        self._note(tiles)
        self._deliver(section)

    def _exchange(self, kind: ExchangeKind, path: str) -> None:
        self._exchanges[kind], tiles = read_exchanges(self._walk, self._report, path, kind)
        self.parts.exchanges[kind] = self._exchanges[kind].count
        self._note(tiles)

    def _program_list(self, path: str) -> None:
        self.parts.program_list = read_programs(self._walk, self._report, path)

    def _root_list(self, path: str) -> None:
        self._roots[path.rpartition(".")[2]] = indices(self._walk.numbers().astype(np.int64))

    def _known(self, key: str, programs: int) -> I32:
        """int32: the root programs under ``key``, -1 where an index is out of range (which is reported)."""
        roots = self._roots.get(key, np.empty(0, np.int32))
        good = (roots >= 0) & (roots < programs)
        if not bool(np.all(good)):
            first = int(np.flatnonzero(~good)[0])
            text = plural(
                "{count:,} entry is not the index of a program",
                "{count:,} entries are not indices of programs",
                count=int(np.sum(~good)),
            )
            self._report.issue("error", f"{key}[{first}]", text)
        return sealed(np.where(good, roots, -1).astype(np.int32))

    def _note(self, tiles: int | None) -> None:
        if tiles is not None:
            self.parts.entries.add(tiles)


def target_of(fields: Fields) -> Target:
    return Target(
        kind=fields.text("type") or "",
        clock_hz=fields.number("clockFrequency", 1.0, 1e12),
        ipus=fields.whole("numIPUs"),
        tiles=fields.whole("numTiles"),
        tiles_per_ipu=fields.whole("tilesPerIPU"),
        bytes_per_tile=fields.whole("bytesPerTile"),
        bytes_per_ipu=fields.whole("bytesPerIPU"),
        total_bytes=fields.whole("totalMemory"),
        min_sync_delay=fields.whole("minSyncDelay"),
        relative_sync_delay=fields.wholes("relativeSyncDelayByTile"),
    )


def counts_of(fields: Fields) -> dict[str, int | None]:
    """The counts of a ``Graph``."""
    return {
        "compute_sets": fields.whole("numComputeSets"),
        "edges": fields.whole("numEdges"),
        "variables": fields.whole("numVars"),
        "vertices": fields.whole("numVertices"),
    }


_ROOTS = ("controlPrograms", "functionPrograms")
