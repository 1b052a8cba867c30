"""Reads the graph profile (Poplar profiling data format, 7.1): target, vertex types, compute sets, exchanges, and the
list of programs (7.1.7)."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np
from msgspec import Struct, field

from app.formats.poplar.memory import MemoryReader
from app.formats.poplar.report import (
    Fields,
    Handlers,
    Lenient,
    MatrixGroup,
    Report,
    Whole,
    indices,
    members,
    numbers,
    ragged,
    texts,
)
from app.formats.walk import Walk
from app.language import plural, tr
from app.profile.arrays import I32, I64, Integers, Ragged, sealed
from app.profile.poplar import (
    ComputeSets,
    ExchangeKind,
    ExchangeList,
    Exchanges,
    Graph,
    InstructionBytes,
    Programs,
    VertexTypes,
)
from app.profile.profile import Section, Target
from app.profile.strings import Interner, Strings


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


def read_vertex_types(walk: Walk, report: Report, path: str) -> VertexTypes:
    names: list[Strings] = []
    sizes: list[Integers] = []
    handlers = {
        "names": lambda _: names.append(texts(walk)),
        "sizes": lambda _: sizes.append(numbers(walk)),
    }
    members(walk, report, path, handlers)
    table = names[0] if names else Strings.of("" for _ in range(len(sizes[0]) if sizes else 0))
    if sizes and len(sizes[0]) != len(table):
        report.issue(
            "error",
            f"{path}.sizes",
            plural(
                "skipped: {count:,} size for {table_count:,} vertex types",
                "skipped: {count:,} sizes for {table_count:,} vertex types",
                count=len(sizes[0]),
                table_count=len(table),
            ),
        )
        sizes.clear()
    return VertexTypes(table, sizes[0] if sizes else None)


def read_compute_sets(walk: Walk, report: Report, path: str) -> tuple[ComputeSets, int | None]:
    """(the compute sets, the number of tiles in their estimates, None without any)."""
    names: list[Strings] = []
    lists: dict[str, Ragged] = {}
    group = MatrixGroup(walk, report)
    by_tile = ("cyclesByTile", "activeCyclesByTile")
    estimates = group.handlers((*by_tile, "activeCyclesByVertexType"))
    handlers = {
        "names": lambda _: names.append(texts(walk)),
        "vertexCounts": lambda _: lists.update(vertexCounts=ragged(walk)),
        "vertexTypes": lambda _: lists.update(vertexTypes=ragged(walk)),
        "cycleEstimates": lambda place: members(walk, report, place, estimates),
    }
    members(walk, report, path, handlers)
    sizes = [*map(len, names), *map(len, lists.values()), *map(len, group.matrices.values())]
    count = sizes[0] if sizes else 0
    group.check_rows(count, f"{path}.cycleEstimates", tr("compute sets"))
    tiles = group.check_columns(f"{path}.cycleEstimates", by_tile)
    _check_lists(lists, count, report, path)
    matrices = group.matrices
    section = ComputeSets(
        count=count,
        names=names[0] if names else Strings.of(()),
        vertex_counts=lists.get("vertexCounts"),
        vertex_types=lists.get("vertexTypes"),
        cycles=matrices.get("cyclesByTile"),
        active_cycles=matrices.get("activeCyclesByTile"),
        active_cycles_by_type=matrices.get("activeCyclesByVertexType"),
    )
    return section, tiles


def _check_lists(lists: dict[str, Ragged], count: int, report: Report, path: str) -> None:
    for key in [key for key, rows in lists.items() if len(rows) != count]:
        report.issue(
            "error",
            f"{path}.{key}",
            plural(
                "skipped: {count:,} row for {sets:,} compute sets",
                "skipped: {count:,} rows for {sets:,} compute sets",
                count=len(lists.pop(key)),
                sets=count,
            ),
        )
    if len(lists) == 2 and not np.array_equal(lists["vertexCounts"].first, lists["vertexTypes"].first):
        report.issue("error", f"{path}.vertexTypes", tr("skipped: its rows are not as long as those of vertexCounts"))
        del lists["vertexTypes"]


def read_exchanges(walk: Walk, report: Report, path: str, kind: ExchangeKind) -> tuple[ExchangeList, int | None]:
    """(the exchanges of one kind, the number of tiles in their data, None without any)."""
    cycles = "cyclesByTile" if kind == "internal" else "estimatedCyclesByTile"
    keys = {"bytesSentByTile": "sent", "bytesReceivedByTile": "received", cycles: "cycles", "codeBytesByTile": "code"}
    group = MatrixGroup(walk, report)
    members(walk, report, path, group.handlers(keys))
    count = max((len(matrix) for matrix in group.matrices.values()), default=0)
    group.check_rows(count, path, "exchanges")
    tiles = group.check_columns(path, keys)
    return ExchangeList(count=count, **{keys[key]: matrix for key, matrix in group.matrices.items()}), tiles


class ProgramRecord(msgspec.Struct, rename="camel", gc=False):
    """One program as stored in the file."""

    type: str = ""
    name: str = ""
    children: list[Whole] = []
    compute_set: Whole = -1
    exchange: Whole = -1
    external_exchange: Whole = -1
    host_exchange: Whole = -1
    target: Whole = -1
    memory_by_instruction: dict[str, Whole] = {}


_ROW_BYTES = 140
"""Memory per program while the columns are built."""
_KEYS = frozenset(field.encode_name for field in msgspec.structs.fields(ProgramRecord))


class ProgramList(Struct, frozen=True, eq=False):
    """The columns of Programs that come from the list itself."""

    strings: Strings
    type: I32
    name: I32
    children: Ragged
    compute_set: I32
    exchange: I32
    call: I32
    instructions: InstructionBytes | None

    def with_roots(self, control: I32, functions: I32) -> Programs:
        return Programs(
            strings=self.strings,
            type=self.type,
            name=self.name,
            children=self.children,
            compute_set=self.compute_set,
            exchange=self.exchange,
            call=self.call,
            control=control,
            functions=functions,
            instructions=self.instructions,
        )


def read_programs(walk: Walk, report: Report, path: str) -> ProgramList:
    """All programs. An unreadable record keeps its index and has no type."""
    lenient = Lenient()
    builder = _Programs()
    for batch in walk.records(ProgramRecord, lenient.of(ProgramRecord)):
        for key in sorted(batch.keys - _KEYS):
            report.unknown(f"{path}[].{key}")
        builder.add(batch.records, batch.ordinals)
        report.allow(builder.count, _ROW_BYTES)
    lenient.report(report, path)
    return builder.done(report, path)


class _Programs:
    def __init__(self) -> None:
        self.count = 0
        self.ids = Interner()
        self.at: list[I64] = []
        self.columns: dict[str, list[I64]] = {
            key: [] for key in ("type", "name", "compute_set", "exchange", "call", "length", "children")
        }
        self.named_as_steps = 0
        self.kinds: dict[str, int] = {}
        self.memory: list[tuple[int, dict[str, int]]] = []

    def add(self, records: list[ProgramRecord], ordinals: I64) -> None:
        ids = self.ids
        self.at.append(ordinals)
        self.count = max(self.count, int(ordinals[-1]) + 1) if len(ordinals) else self.count
        texts = [(ids(r.type) if r.type else -1, ids(r.name) if r.name else -1) for r in records]
        self._column("type", [kind for kind, _ in texts])
        self._column("name", [name for _, name in texts])
        self._column("compute_set", [r.compute_set for r in records])
        self._column("exchange", [r.exchange if r.exchange >= 0 else self._other(r) for r in records])
        self._column("call", [r.target for r in records])
        self._column("length", [len(r.children) for r in records])
        self._column("children", [child for r in records for child in r.children])
        for number, record in zip(ordinals.tolist(), records, strict=True):
            if record.memory_by_instruction:
                self.memory.append((number, record.memory_by_instruction))
                for kind in record.memory_by_instruction:
                    self.kinds.setdefault(kind, len(self.kinds))

    def _other(self, record: ProgramRecord) -> int:
        """The exchange index under the keys that steps use for exchanges between IPUs and with the host; -1 for
        none."""
        index = max(record.external_exchange, record.host_exchange)
        self.named_as_steps += index >= 0
        return index

    def done(self, report: Report, path: str) -> ProgramList:
        if self.named_as_steps:
            text = plural(
                "{count:,} exchange is listed under externalExchange or hostExchange: read as exchange",
                "{count:,} exchanges are listed under externalExchange or hostExchange: read as exchange",
                count=self.named_as_steps,
            )
            report.issue("warning", f"{path}[].exchange", text)
        call = self._scattered("call")
        return ProgramList(
            strings=self.ids.strings(),
            type=indices(self._scattered("type")),
            name=indices(self._scattered("name")),
            children=self._children(report, path),
            compute_set=indices(self._scattered("compute_set")),
            exchange=indices(self._scattered("exchange")),
            call=indices(call),
            instructions=self._instructions(report, path),
        )

    def _column(self, key: str, values: list[int]) -> None:
        self.columns[key].append(np.array(values, np.int64))

    def _joined(self, key: str) -> I64:
        parts = self.columns[key]
        return np.concatenate(parts) if parts else np.empty(0, np.int64)

    def _scattered(self, key: str, missing: int = -1) -> I64:
        """int64[count]: the column with a value for every program, ``missing`` where the file has none."""
        out = np.full(self.count, missing, np.int64)
        if self.at:
            out[np.concatenate(self.at)] = self._joined(key)
        return out

    def _children(self, report: Report, path: str) -> Ragged:
        lengths = self._scattered("length", 0)
        items = self._joined("children")
        owner = np.repeat(np.arange(self.count), lengths)
        good = (items >= 0) & (items < self.count)
        if not bool(np.all(good)):
            first = int(owner[np.flatnonzero(~good)[0]])
            text = plural(
                "{count:,} child is not the index of a program, and is skipped",
                "{count:,} children are not indices of programs, and are skipped",
                count=int(np.sum(~good)),
            )
            report.issue("error", f"{path}[{first}].children", text)
        lengths = np.bincount(owner[good], minlength=self.count).astype(np.int64)
        return Ragged.of(lengths, items[good].astype(np.int32))

    def _instructions(self, report: Report, path: str) -> InstructionBytes | None:
        if not self.memory:
            return None
        if len(self.kinds) > _MOST_KINDS:
            report.issue(
                "warning",
                f"{path}[].memoryByInstruction",
                tr("skipped: {count:,} different kinds", count=len(self.kinds)),
            )
            return None
        report.allow(len(self.memory), 300 + 8 * len(self.kinds))
        table = np.full((len(self.memory), len(self.kinds)), -1, np.int64)
        for row, (_, kinds) in enumerate(self.memory):
            for kind, size in kinds.items():
                table[row, self.kinds[kind]] = size
        numbers = np.array([number for number, _ in self.memory], np.int32)
        return InstructionBytes(tuple(self.kinds), sealed(numbers), sealed(table))


_MOST_KINDS = 64
