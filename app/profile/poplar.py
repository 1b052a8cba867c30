"""Sections of Poplar reports: the compiled graph and its programs, memory and liveness by tile, the steps of a run, and
the files and notes beside a report. Layouts: Poplar profiling data format, 7.1 and 7.2."""

from __future__ import annotations

from typing import Annotated, ClassVar, Final, Literal, TypeAlias

import numpy as np
from msgspec import Struct

from app.language import Text
from app.profile.arrays import F64, I32, I64, Bool, Integers, Ragged, among, combine_at
from app.profile.bounds import Ends, Index, Offsets, Parents, Rows
from app.profile.strings import OptionalTextIds, Strings, TextIds


class Graph(Struct, frozen=True, eq=False, kw_only=True):
    """Counts as stated in the file (Poplar profiling data format, 7.1.3), None if not stated; ``optimisation``:
    internal figures of the compilation by name (7.1.2), empty if there are none."""

    SECTION: ClassVar[str] = "graph"
    compute_sets: int | None = None
    edges: int | None = None
    variables: int | None = None
    vertices: int | None = None
    optimisation: dict[str, float]


class VertexTypes(Struct, frozen=True, eq=False):
    """Poplar profiling data format, 7.1.4. ``names``: one per type; ``sizes``: integers [types], bytes of the vertex
    state, None if the file has none (or a different number of them)."""

    SECTION: ClassVar[str] = "vertex_types"
    names: Strings
    sizes: Annotated[Integers | None, Rows("names")] = None

    def __len__(self) -> int:
        return len(self.names)


class ComputeSets(Struct, frozen=True, eq=False, kw_only=True):
    """Poplar profiling data format, 7.1.5.

    ``count``: number of sets; ``names``: one per set (not unique; fewer if the file lacks them). ``vertex_counts`` and
    ``vertex_types``: row c has the number of vertices of each type in set c (types index VertexTypes; rows of both
    match). Estimates exist for the IPU model only, in cycles, as narrow integers: ``cycles`` and ``active_cycles``
    [sets, tiles], ``active_cycles_by_type`` [sets, vertex types].
    """

    SECTION: ClassVar[str] = "compute_sets"
    count: int
    names: Strings
    vertex_counts: Annotated[Ragged | None, Rows("count")] = None
    vertex_types: Annotated[Ragged | None, Rows("count")] = None
    cycles: Annotated[Integers | None, Rows("count")] = None
    active_cycles: Annotated[Integers | None, Rows("count")] = None
    active_cycles_by_type: Annotated[Integers | None, Rows("count")] = None

    def __len__(self) -> int:
        return self.count


ExchangeKind: TypeAlias = Literal["internal", "external", "host"]
EXCHANGE_KINDS: Final[tuple[ExchangeKind, ...]] = ("internal", "external", "host")


class ExchangeList(Struct, frozen=True, eq=False, kw_only=True):
    """Exchanges of one kind.

    ``count``: number of exchanges. The others are narrow integers per exchange and tile [count, tiles], None if the
    file has none: ``sent`` and ``received`` bytes, ``cycles`` (exact for internal exchanges, estimated for the others),
    ``code`` bytes (internal exchanges only; written by Poplar, but not in the vendor's description).
    """

    count: int
    sent: Annotated[Integers | None, Rows("count")] = None
    received: Annotated[Integers | None, Rows("count")] = None
    cycles: Annotated[Integers | None, Rows("count")] = None
    code: Annotated[Integers | None, Rows("count")] = None

    def __len__(self) -> int:
        return self.count


class Exchanges(Struct, frozen=True, eq=False, kw_only=True):
    """Poplar profiling data format, 7.1.6; None if the file lacks that list.

    Where all exchanges are numbered together (selection, tables), internal come first, then external, then host.
    """

    SECTION: ClassVar[str] = "exchanges"
    internal: ExchangeList | None = None
    external: ExchangeList | None = None
    host: ExchangeList | None = None

    def of(self, kind: ExchangeKind) -> ExchangeList | None:
        if kind == "internal":
            return self.internal
        return self.external if kind == "external" else self.host

    def first(self, kind: ExchangeKind) -> int:
        """The number of the first exchange of ``kind`` where all are numbered together."""
        before = EXCHANGE_KINDS[: EXCHANGE_KINDS.index(kind)]
        return sum(len(self.of(other) or ()) for other in before)

    def __len__(self) -> int:
        return sum(len(self.of(kind) or ()) for kind in EXCHANGE_KINDS)


EXCHANGE_OF_TYPE: Final[dict[str, ExchangeKind]] = {
    "DoExchange": "internal",
    "GlobalExchange": "external",
    "StreamCopy": "host",
}
"""The list of exchanges that the ``exchange`` of a program or step of that type indexes."""


class InstructionBytes(Struct, frozen=True, eq=False):
    """Bytes of exchange instructions by kind (programs of type DoExchange).

    ``kinds``: names of the kinds ("total" among them); ``program``: int32[rows], ascending; ``bytes``: int64[rows,
    kinds], -1 if a program does not state that kind.
    """

    kinds: tuple[str, ...]
    program: Annotated[I32, Index("type")]
    bytes: I64


class Programs(Struct, frozen=True, eq=False, kw_only=True):
    """Poplar profiling data format, 7.1.7; one entry per program, -1 for missing fields.

    ``type``, ``name``: int32 text ids in ``strings`` (names are paths with "/"). ``children``: rows of program indices,
    all within the list (a broken file may still contain cycles). ``compute_set``: int32; ``exchange``: int32 into the
    list for the type; ``call``: int32 into ``functions``. Compute set and exchange are as stored and may be out of
    range. ``control``, ``functions``: int32 program indices.
    """

    SECTION: ClassVar[str] = "programs"
    strings: Strings
    type: OptionalTextIds
    name: OptionalTextIds
    children: Annotated[Ragged, Index("type")]
    compute_set: I32
    exchange: I32
    call: I32
    control: Annotated[I32, Rows("control")]
    functions: Annotated[I32, Rows("functions")]
    instructions: InstructionBytes | None = None

    def __len__(self) -> int:
        return len(self.type)

    def of_type(self, *names: str) -> I64:
        """Indices of the programs of these types, ascending."""
        wanted = [index for index, text in enumerate(self.strings) if text in names]
        return np.flatnonzero(among(self.type, wanted)).astype(np.int64)


class Variables(Struct, frozen=True, eq=False, kw_only=True):
    """Poplar's lowered variables (vars.json, engine option debug.loweredVarDumpFile), in file order.

    ``number``: int64, the variable's id; ``name``, ``category``: int32 text ids; ``tile``, ``equivalence``: int32
    (variables of one equivalence class have the same layout); ``size``, ``offset``, ``alignment``: int64, bytes; each
    -1 if not stated. ``allocated``, ``constant``, ``always_live``, ``executable``, ``vertex_code``, ``interleaved``:
    bool. ``by_tile``: int64, the rows by ascending tile and, within a tile, descending size.
    """

    SECTION: ClassVar[str] = "variables"
    strings: Strings
    number: I64
    name: OptionalTextIds
    category: OptionalTextIds
    tile: I32
    equivalence: I32
    size: I64
    offset: I64
    alignment: I64
    allocated: Bool
    constant: Bool
    always_live: Bool
    executable: Bool
    vertex_code: Bool
    interleaved: Bool
    by_tile: Annotated[I64, Index("number")]

    def __len__(self) -> int:
        return len(self.number)


REGIONS: Final = ("interleaved", "nonInterleaved", "overflowed")


class Categories(Struct, frozen=True, eq=False):
    """Bytes by category of use.

    Part p is the share of category ``names[category[p]]`` in region ``REGIONS[region[p]]``; ``overlapped[p]`` says
    whether it shares addresses with variables that are never live at the same time; ``bytes[p]`` has its size per tile.
    ``category``, ``region``: int32[parts]; ``overlapped``: bool[parts]; ``bytes``: narrow integers [parts, tiles].
    ``totals``: [totalled, tiles], the sum that the file states for category ``names[total_of[i]]`` (``total_of``:
    int32[totalled]).
    """

    names: tuple[str, ...]
    category: Annotated[I32, Index("names")]
    region: Annotated[I32, Index(len(REGIONS))]
    overlapped: Bool
    bytes: Integers
    total_of: Annotated[I32, Index("names"), Rows("total_of")]
    totals: Annotated[Integers, Rows("total_of")]


class TileMemory(Struct, frozen=True, eq=False, kw_only=True):
    """Poplar profiling data format, 7.1.8. Arrays are integers [tiles], in bytes; None if not in the file.

    ``tiles``: length of the arrays; for a replicated graph only those of one replica. ``interleaved``,
    ``non_interleaved``, ``overflowed``: the regions, without and with the gaps between variables; ``total``: their sum
    without gaps; ``total_with_gaps``: what has to fit on the tile (the end of the last region, which is not a sum).
    ``always_live``: bytes that are live all the time; ``temporary_max``: the maximum of temporarily live bytes over the
    whole program.
    """

    SECTION: ClassVar[str] = "tile_memory"
    tiles: int
    interleaved: Integers | None = None
    interleaved_with_gaps: Integers | None = None
    non_interleaved: Integers | None = None
    non_interleaved_with_gaps: Integers | None = None
    overflowed: Integers | None = None
    overflowed_with_gaps: Integers | None = None
    total: Integers | None = None
    total_with_gaps: Integers | None = None
    categories: Categories | None = None
    always_live: Integers | None = None
    temporary_max: Integers | None = None


BYTE_KINDS: Final = (
    "codeBytes",
    "copyPtrBytes",
    "descriptorBytes",
    "edgePtrBytes",
    "paddingBytes",
    "vertexDataBytes",
)
"""The kinds that add up to ``totalBytes`` (Poplar profiling data format, 7.1.8)."""
TOTAL_BYTES: Final = "totalBytes"
SHARED_KINDS: Final = ("codeBytes", TOTAL_BYTES)
"""Kinds that must not be summed over sets or types, because shared code is counted in each of them."""


class ComputeSetBytes(Struct, frozen=True, eq=False):
    """``matrices``: kind of bytes -> narrow integers [compute sets, tiles], with the names and in the order of the
    file."""

    SECTION: ClassVar[str] = "compute_set_bytes"
    matrices: dict[str, Integers]


class VertexTypeBytes(Struct, frozen=True, eq=False):
    """``matrices``: kind of bytes -> narrow integers [vertex types, tiles], with the names and in the order of the
    file."""

    SECTION: ClassVar[str] = "vertex_type_bytes"
    matrices: dict[str, Integers]


class Liveness(Struct, frozen=True, eq=False, kw_only=True):
    """Nodes in preorder (each before its children, in file order).

    ``bytes``: int64, live at that node in addition to what is always live (-1 if not stated); it is not documented
    whether a parent includes its children, so use maxima, never sums. ``depth``: int32, 0 for roots; ``parent``: int32,
    -1 for roots; ``end``: int32, one past the last descendant (the first child of node n is n + 1 if end[n] > n + 1,
    the next child is at the end of the previous one). ``name``: int32 text ids and ``program``: int32, each -1 if not
    stated.
    """

    SECTION: ClassVar[str] = "liveness"
    strings: Strings
    bytes: I64
    depth: I32
    parent: Annotated[I32, Parents("bytes")]
    end: Annotated[I32, Ends("bytes")]
    name: OptionalTextIds
    program: I32

    def __len__(self) -> int:
        return len(self.bytes)


def program_steps(tree: Liveness) -> I64:
    """int64, ascending: the nodes that are the steps of the program, in execution order. These are the leaves, and
    nodes with more bytes than any descendant: it is not documented whether a node includes its descendants, and this
    way the maximum is among the steps in either case."""
    leaves = tree.end == np.arange(len(tree)) + 1
    return np.flatnonzero(leaves | (tree.bytes > most_below(tree))).astype(np.int64)


def most_below(tree: Liveness) -> I64:
    """int64[nodes]: the maximum of the bytes of all descendants, -1 where there are none."""
    most = np.full(len(tree), -1, np.int64)
    order = np.argsort(-tree.depth, kind="stable")
    starts = np.flatnonzero(np.diff(tree.depth[order], prepend=-1))
    for level in np.split(order, starts[1:]):
        inner = level[tree.parent[level] >= 0]
        combine_at(np.maximum, most, tree.parent[inner], np.maximum(tree.bytes[inner], most[inner]))
    return most


class LiveVariables(Struct, frozen=True, eq=False, kw_only=True):
    """Which variables are live at the nodes of the liveness tree.

    ``name``: int32 text ids, ``number``: int64, the variable's id in the file, ``size``: int64, bytes; each -1 if
    not stated. ``always``: bool, listed as always live.

    ``at``: a row of variables (int32, without duplicates) for every node of Liveness; ``stated``: bool[nodes], whether
    the file has a list for that node at all (it may be empty). ``first``, ``last``: int32, the first and the last
    program step (see ``program_steps``) whose node lists the variable, -1 for none; ``steps``: int32, the number of
    such steps.
    """

    SECTION: ClassVar[str] = "live_variables"
    strings: Strings
    name: OptionalTextIds
    number: I64
    size: I64
    always: Bool
    at: Annotated[Ragged, Index("name"), Rows("liveness")]
    stated: Annotated[Bool, Rows("liveness")]
    first: Annotated[I32, Index("liveness", -1)]
    last: Annotated[I32, Index("liveness", -1)]
    steps: I32

    def __len__(self) -> int:
        return len(self.name)


TILE_CYCLE_KINDS: Final = ("compute", "doExchange", "globalExchange", "streamCopy", "copySharedStructure", "sync")
"""The kinds that add up to cycles × tiles; activeCompute is a part of compute."""


class VertexCycles(Struct, frozen=True, eq=False):
    """Cycles of single vertices in their last execution. ``cycles``: int64[n]; ``compute_set``, ``type``: int32[n]
    indices, -1 if the file has none."""

    cycles: I64
    compute_set: I32
    type: I32


class Execution(Struct, frozen=True, eq=False, kw_only=True):
    """Poplar profiling data format, 7.2; None for what the file does not contain.

    ``mode``: profiling mode as spelled in the file ("" if it has none); ``cycles``: length of the run; ``tile_cycles``:
    cycles summed over all tiles by kind of activity, only for kinds that were measured; ``trace``: int32, indices of
    the programs in the order they ran; ``runs``: names of the runs it covers.
    """

    SECTION: ClassVar[str] = "execution"
    mode: str
    cycles: int | None = None
    tile_cycles: dict[str, int]
    trace: Annotated[I32 | None, Rows("trace")] = None
    runs: Strings | None = None
    vertices: VertexCycles | None = None


class MeasuredCycles(Struct, frozen=True, eq=False, kw_only=True):
    """Poplar profiling data format, 7.2.1; each field exists in one profiler mode only and is None in the others.

    ``compute_sets`` [sets, tiles], ``external_exchanges`` and ``host_exchanges`` [exchanges, tiles]: cycles as narrow
    integers. ``compute_sets_single`` [sets]: cycles of all tiles together, measured with a sync before and after. It is
    not documented whether a value is that of the last execution or the sum of all.
    """

    SECTION: ClassVar[str] = "measured_cycles"
    compute_sets: Integers | None = None
    compute_sets_single: Annotated[Integers | None, Rows("compute_sets_single")] = None
    external_exchanges: Annotated[Integers | None, Rows("external_exchanges")] = None
    host_exchanges: Annotated[Integers | None, Rows("host_exchanges")] = None


STEP_TYPES: Final = ("OnTileExecute", "DoExchange", "GlobalExchange", "StreamCopy", "CopySharedStructure", "Sync")
"""Known types, in display order."""


class Steps(Struct, frozen=True, eq=False, kw_only=True):
    """Poplar profiling data format, 7.2.3, in file order; -1 (NaN for balances) for missing fields.

    ``type``, ``name``, ``sync_type``: int32 text ids (types in the spelling of STEP_TYPES). ``program``,
    ``compute_set``: int32 indices; ``exchange``: int32 into the list of exchanges for the type. ``cycles`` (of the
    longest tile), ``cycles_from``, ``cycles_to`` (first and last cycle in which any tile ran it), ``overlapped``
    (cycles hidden under earlier steps): int64. ``active_tiles``: int32; ``data``: int64, bytes moved. ``tile_balance``,
    ``active_tile_balance``, ``data_balance``, ``thread_balance``: float64, 0..1. ``number``: of a stretch of a run, the
    number of each step in the whole.
    """

    SECTION: ClassVar[str] = "steps"
    strings: Strings
    type: OptionalTextIds
    name: OptionalTextIds
    sync_type: OptionalTextIds
    program: I32
    compute_set: I32
    exchange: I32
    cycles: I64
    cycles_from: I64
    cycles_to: I64
    overlapped: I64
    active_tiles: I32
    data: I64
    tile_balance: F64
    active_tile_balance: F64
    data_balance: F64
    thread_balance: F64
    number: I64 | None = None

    def __len__(self) -> int:
        return len(self.type)

    def of_type(self, *names: str) -> I64:
        """Indices of the steps of these types, ascending."""
        wanted = np.concatenate([self.strings.find(name) for name in names])
        return np.flatnonzero(among(self.type, wanted)).astype(np.int64)


class ReportFiles(Struct, frozen=True, eq=False):
    """One entry per file, in the order of the profile's paths. ``names``; ``kinds``: "graph", "execution", "both" or
    the kind of a companion file; ``what``: the kind as text; ``size``: int64, bytes; ``read``: bool, whether its
    contents are shown."""

    SECTION: ClassVar[str] = "report_files"
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    what: tuple[Text, ...]
    size: Annotated[I64, Rows("names")]
    read: Annotated[Bool, Rows("names")]

    def of_kind(self, *kinds: str) -> str | None:
        """The name of the first file of one of these kinds."""
        return next((name for name, kind in zip(self.names, self.kinds, strict=True) if kind in kinds), None)


class Notes(Struct, frozen=True, eq=False):
    """Values of ``framework.json`` and ``app.json``, in file order. ``files``: their names; ``file``: int32[notes],
    index into them; ``key``, ``value``: int32[notes] text ids (keys are paths with " / " between their parts; values
    are written as in JSON, texts without quotes)."""

    SECTION: ClassVar[str] = "notes"
    files: tuple[str, ...]
    strings: Strings
    file: Annotated[I32, Index("files")]
    key: TextIds
    value: TextIds

    def __len__(self) -> int:
        return len(self.file)


class Texts(Struct, frozen=True, eq=False):
    """Summaries printed by Poplar (graph.txt, execution.txt). ``names``: one per file, whose lines are
    ``lines[first[f]:first[f + 1]]``."""

    SECTION: ClassVar[str] = "texts"
    names: tuple[str, ...]
    first: Annotated[tuple[int, ...], Offsets("lines"), Rows("names")]
    lines: Strings
