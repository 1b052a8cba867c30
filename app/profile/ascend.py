"""Sections of Ascend operator files: operator, sources and instructions, load of cores, memory, cache, and the blocks
as stored."""

from __future__ import annotations

from functools import partial
from typing import Annotated, ClassVar, Final, Literal, TypeAlias

import numpy as np
from msgspec import Struct, field

from app.profile.arrays import F64, I32, I64, U8, U32, U64, Array, Bool, Ragged, sealed
from app.profile.bounds import Index, Offsets, Rows
from app.profile.empty import no_rows
from app.profile.strings import OptionalTextIds, Strings

ValueKind: TypeAlias = Literal["int", "float", "text", "percent", "details", "json"]


class Details(Struct, frozen=True, eq=False):
    """The parts of percentages: cell ``c`` (row * width + core) has parts first[c] .. first[c + 1] - 1.

    ``first``: int64[cells + 1]; ``reason``: int32 ids into ``reasons``; ``count``: float64 samples.
    """

    reasons: Strings
    first: Annotated[I64, Offsets("reason"), Rows("values")]
    reason: Annotated[I32, Index("reasons")]
    count: F64

    def of_rows(self, rows: I64, width: int) -> Details:
        """The parts of the cells of these ``rows``, in this order."""
        cells = (rows[:, None] * width + np.arange(width)).ravel()
        parts = Ragged(self.first, np.arange(len(self.reason), dtype=np.int64)).gather(cells)
        return Details(self.reasons, parts.first, sealed(self.reason[parts.items]), sealed(self.count[parts.items]))


class TypedColumn(Struct, frozen=True, eq=False):
    """One column of the source or instruction table (Ascend operator files, section 2.6).

    ``values``: [rows, width]; width is 1 if all cores share the value, else one column per core. Integers are int32 or
    int64 with -1 for no data; ``float`` and ``percent`` (0..100) float64 with NaN; ``text`` and ``json`` (the cell as
    JSON text) int32 ids into ``strings`` with -1. ``details`` is a percentage whose parts are in ``details``.
    """

    name: str
    kind: ValueKind
    values: Annotated[Array, Index("strings", -1)]
    strings: Strings | None = None
    details: Details | None = None

    def of_core(self, core: int) -> Array:
        """The values of one core, [rows]; those of the first core if it has no column."""
        return self.values[:, core if 0 <= core < self.values.shape[1] else 0]

    def missing(self, core: int) -> Bool:
        """bool[rows]: where there is no data for that core."""
        values = self.of_core(core)
        return np.isnan(values) if values.dtype.kind == "f" else values < 0

    @property
    def numeric(self) -> bool:
        return self.strings is None


def column_named(columns: tuple[TypedColumn, ...], name: str) -> TypedColumn | None:
    """The column of that name, or None."""
    return next((column for column in columns if column.name == name), None)


def state_column(columns: tuple[TypedColumn, ...]) -> TypedColumn | None:
    """The column of register states (dtype 5), or None."""
    return next((column for column in columns if column.kind == "json"), None)


LIVE_REGISTERS: Final = "Live Registers"
"""The column of instructions that readers count from the register states: int32[rows, width], -1 without states."""


class Operator(Struct, frozen=True, eq=False):
    """Block type 0x05 (Ascend operator files, section 2.7). Fields that the file does not give are None or "".

    ``type`` is vector, cube, mix or AiCore (older names are normalised: aic is cube, aiv is vector), ``stored_type``
    the name in the file. ``duration_us`` is in microseconds, frequencies are in MHz. ``blocks`` is the block table, one
    row per block, each column one value wide, with the titles of the file.
    """

    SECTION: ClassVar[str] = "operator"
    name: str
    type: str
    stored_type: str
    soc: str
    block_dim: int | None = None
    mix_block_dim: int | None = None
    device_id: str = ""
    pid: str = ""
    duration_us: float | None = None
    frequency_mhz: float | None = None
    rated_frequency_mhz: float | None = None
    advice: tuple[str, ...] = ()
    blocks: tuple[TypedColumn, ...] = ()


class Sources(Struct, frozen=True, eq=False):
    """Block type 0x01 (Ascend operator files, section 2.2): each path once, with its last text."""

    SECTION: ClassVar[str] = "sources"
    paths: Strings
    texts: Strings


class Lines(Struct, frozen=True, eq=False):
    """Block type 0x03 (Ascend operator files, section 2.4), in file order.

    ``cores``: names, may be empty; ``file``: int32[lines], ids into ``paths``; ``line``: int32[lines], numbered from 1,
    -1 unknown. Line l was compiled to the instructions at addresses range_start[r] .. range_end[r] (int64, inclusive)
    for r in first_range[l] .. first_range[l + 1] - 1 (int64[lines + 1]).
    """

    SECTION: ClassVar[str] = "lines"
    cores: tuple[str, ...]
    paths: Strings
    file: Annotated[I32, Index("paths")]
    line: I32
    first_range: Annotated[I64, Offsets("range_start"), Rows("file")]
    range_start: Annotated[I64, Rows("range_start")]
    range_end: Annotated[I64, Rows("range_start")]
    columns: Annotated[tuple[TypedColumn, ...], Rows("file")] = ()


class Instructions(Struct, frozen=True, eq=False):
    """Block type 0x04 (Ascend operator files, section 2.5), by ascending address if the file declares its columns, else
    in file order.

    ``address``: int64, -1 unknown; ``by_address``: int64, the rows by ascending address; ``pipe``, ``text`` (the
    disassembly): int32 ids into ``strings``, -1 none; ``file`` (int32 id into ``strings``) and ``line`` (int32) are the
    innermost source location ("AscendC Inner Code"), -1 none. ``by_inner_code``: whether instructions are assigned to
    lines by that location (version byte 0) rather than by the lines' address ranges.
    """

    SECTION: ClassVar[str] = "instructions"
    cores: tuple[str, ...]
    strings: Strings
    address: I64
    by_address: Annotated[I64, Index("address")]
    pipe: OptionalTextIds
    text: OptionalTextIds
    file: OptionalTextIds
    line: I32
    by_inner_code: bool
    columns: Annotated[tuple[TypedColumn, ...], Rows("address")] = ()


PERCENT_UNIT = 3
"""The code of percentages among the units (Ascend operator files, section 2.8)."""


class Workload(Struct, frozen=True, eq=False):
    """Block types 0x06 and 0x07 (Ascend operator files, section 2.8), one row per item, in file order.

    ``block``, ``sub_block``, ``name``, ``item_advice``: int32 ids into ``strings``, -1 none (block "NA" is the mean of
    several cores); ``unit``: int32 code as stored, -1 none; ``value``: float64 as stored, except for shares of cycles
    (``is_share``), which are always converted to percentages; NaN for no data; ``cycles``: float64, the item's own
    cycles ("origin_value"), NaN none; ``in_graph``: bool, from 0x06, whose values are shares of the sub-block's cycles.
    """

    SECTION: ClassVar[str] = "workload"
    strings: Strings
    block: OptionalTextIds
    sub_block: OptionalTextIds
    name: OptionalTextIds
    unit: I32
    value: F64
    cycles: F64
    item_advice: OptionalTextIds
    in_graph: Bool
    graph_advice: tuple[str, ...] = ()
    table_advice: tuple[str, ...] = ()

    @property
    def is_share(self) -> Bool:
        """bool[rows]: which values are shares of cycles: those of the graph, and any in percent."""
        shares: Bool = self.in_graph | (self.unit == PERCENT_UNIT)
        return shares


class CoreLoad(Struct, frozen=True, eq=False):
    """Block type 0x0C (Ascend operator files, section 2.11), one row per sub-core, in file order.

    ``core``: int32 number, -1 unknown; ``type``, ``sub_core``: int32 ids into ``strings``, -1 none; float64 with NaN
    for no data: ``cycles``, ``throughput`` (bytes moved to and from main memory), ``hit_rate`` (L2, percent),
    ``simt_instructions``, ``simt_ipc`` (instructions per cycle).
    """

    SECTION: ClassVar[str] = "core_load"
    soc: str
    operator_type: str
    advice: str
    strings: Strings
    core: I32
    type: OptionalTextIds
    sub_core: OptionalTextIds
    cycles: F64
    throughput: F64
    hit_rate: F64
    simt_instructions: F64
    simt_ipc: F64


class MemoryBlocks(Struct, frozen=True, eq=False):
    """One row per block. ``block`` (its number, or "NA"), ``operator_type``, ``soc`` (the short family name: 910B,
    310P, 910A5): int32 ids into the section's strings, -1 none. Float64 with NaN for no data: the L2
    cache's ``hit``, ``miss``, ``total`` and ``hit_rate`` (percent, as stated in the file); for cube, vector 0 and
    vector 1 (columns of [blocks, 3]) ``unit_cycles``, ``unit_total_cycles`` and ``unit_ratio`` (percent)."""

    block: OptionalTextIds
    operator_type: OptionalTextIds
    soc: OptionalTextIds
    hit: F64
    miss: F64
    total: F64
    hit_rate: F64
    unit_cycles: F64
    unit_total_cycles: F64
    unit_ratio: F64
    advice: tuple[tuple[str, ...], ...]


class MemoryPaths(Struct, frozen=True, eq=False):
    """Block type 0x08 (Ascend operator files, section 2.9), one row per path of a block.

    ``entry``: int32 row of ``blocks``; ``path``: int32 number (section 3.1), -1 unknown; float64 with NaN for no data:
    ``request`` (count), ``bandwidth`` (GB/s), ``peak`` (percent of the path's theoretical bandwidth); ``display``:
    bool; ``bandwidth_suffix``, ``request_suffix``: int32 ids into ``strings``, -1 none.
    """

    SECTION: ClassVar[str] = "memory_paths"
    strings: Strings
    entry: Annotated[I32, Index("blocks.block")]
    path: I32
    request: F64
    bandwidth: F64
    peak: F64
    display: Bool
    bandwidth_suffix: OptionalTextIds
    request_suffix: OptionalTextIds
    blocks: MemoryBlocks = field(default_factory=partial(no_rows, MemoryBlocks))


UNIT_NAMES = ("Cube", "Vector", "Vector1")
"""The columns of ``unit_cycles``, ``unit_total_cycles`` and ``unit_ratio``, by the file's keys."""


class MemoryTables(Struct, frozen=True, eq=False):
    """Block type 0x09 (Ascend operator files, section 2.10), all tables concatenated.

    Table t has the rows first_row[t] .. first_row[t + 1] - 1 and the columns first_column[t] .. first_column[t + 1] -
    1; its cells, row by row, start at first_cell[t] (int64[tables + 1] each). ``block`` (of the table: row of
    ``block_name``), ``name``, ``row_name``, ``column_name``: int32; the names are ids into ``strings``, -1 none. A cell
    is either ``value`` (float64, NaN if it is not a number) or ``text`` (int32 id of its text, -1 for no data).
    ``block_name``, ``block_type``: int32 ids, one per block; ``advice``: one tuple per block.
    """

    SECTION: ClassVar[str] = "memory_tables"
    strings: Strings
    block_name: Annotated[OptionalTextIds, Rows("block_name")]
    block_type: Annotated[OptionalTextIds, Rows("block_name")]
    advice: tuple[tuple[str, ...], ...]
    block: Annotated[I32, Index("block_name")]
    name: OptionalTextIds
    first_row: Annotated[I64, Offsets("row_name"), Rows("block")]
    row_name: Annotated[OptionalTextIds, Rows("row_name")]
    first_column: Annotated[I64, Offsets("column_name"), Rows("block")]
    column_name: Annotated[OptionalTextIds, Rows("column_name")]
    first_cell: Annotated[I64, Offsets("value"), Rows("block")]
    value: Annotated[F64, Rows("value")]
    text: Annotated[OptionalTextIds, Rows("value")]

    def __len__(self) -> int:
        return len(self.block)

    @property
    def sound(self) -> bool:
        """Whether each table has as many cells as rows times columns."""
        cells = np.diff(self.first_row) * np.diff(self.first_column)
        return np.array_equal(cells, np.diff(self.first_cell))


class Roofline(Struct, frozen=True, eq=False):
    """Block type 0x0D (Ascend operator files, section 2.12), one row per roof with its point.

    ``chart``: int32, index of the chart; ``titles``: one text per chart; ``bandwidth_name``, ``compute_name``: int32
    ids into ``strings``, -1 none; float64 with NaN for no data: ``bandwidth`` (TB/s), ``compute`` (TOps/s), the point's
    ``intensity`` (Ops/Byte) and ``performance`` (TOps/s), ``ratio`` (a fraction, as stored).
    """

    SECTION: ClassVar[str] = "roofline"
    advice: str
    strings: Strings
    titles: tuple[str, ...]
    chart: Annotated[I32, Index("titles")]
    bandwidth_name: OptionalTextIds
    compute_name: OptionalTextIds
    bandwidth: F64
    compute: F64
    intensity: F64
    performance: F64
    ratio: F64


class CacheSide(Struct, frozen=True, eq=False):
    """Hits or misses of each cache line.

    ``count``, ``ratio`` (0..1): float64[lines], NaN for no data. The instructions that caused those of line l are at
    addresses range_start[r] .. range_end[r] (int64, inclusive) for r in first_range[l] .. first_range[l + 1] - 1
    (int64[lines + 1]).
    """

    count: F64
    ratio: F64
    first_range: Annotated[I64, Offsets("range_start"), Rows("count")]
    range_start: Annotated[I64, Rows("range_start")]
    range_end: Annotated[I64, Rows("range_start")]


class CacheLines(Struct, frozen=True, eq=False):
    """Block type 0x0E (Ascend operator files, section 2.13). ``line``: int64 ids, -1 unknown."""

    line: I64
    hits: CacheSide
    misses: CacheSide


class Cache(Struct, frozen=True, eq=False):
    """Activity of the lines and sets of the L2 cache. ``lines`` from 0x0E. ``sets`` from 0x0B:
    uint32[sets, 8], columns as in SET_FIELDS."""

    SECTION: ClassVar[str] = "cache"
    lines: CacheLines | None = None
    sets: U32 | None = None


SET_FIELDS = ("load", "store", "line", "hit", "miss", "allocate", "evict_and_write", "evict_without_write")


class CallStacks(Struct, frozen=True, eq=False):
    """Call stacks by program counter, innermost frame first. ``pc``: uint64, ascending; stack s has the frames first[s]
    .. first[s + 1] - 1 (int64); ``module`` (one per stack), ``function``, ``file`` (one per frame): int32 ids into
    ``strings``, -1 none; ``line``, ``column``: int32, -1 none."""

    strings: Strings
    pc: U64
    module: OptionalTextIds
    first: Annotated[I64, Offsets("function"), Rows("pc")]
    function: Annotated[OptionalTextIds, Rows("function")]
    file: Annotated[OptionalTextIds, Rows("function")]
    line: Annotated[I32, Rows("function")]
    column: Annotated[I32, Rows("function")]


class MemoryAccesses(Struct, frozen=True, eq=False):
    """Single memory accesses in chronological order: block type 0x0A (Ascend operator files, section 2.13).

    ``operation``, ``space``, ``block_type``: codes as stored (OPERATIONS, SPACES, BLOCK_TYPES); ``core``: int32;
    ``record``: int64; ``address``, ``size`` (bytes), ``pc``: uint64.
    """

    SECTION: ClassVar[str] = "memory_accesses"
    operation: U8
    core: I32
    space: I32
    block_type: U8
    record: I64
    address: U64
    size: U64
    pc: U64
    stacks: CallStacks | None = None


OPERATIONS = ("MALLOC", "FREE", "MEMCPY_BLOCKS", "LOAD", "STORE")
SPACES = ("PRIVATE", "GM", "L1", "L0A", "L0B", "L0C", "UB")
BLOCK_TYPES = ("AIV", "AIC")


class StallReasons(Struct, frozen=True, eq=False):
    """Block type 0x0F (Ascend operator files, section 2.13): ``count``, float64 samples of each reason, NaN for no
    data."""

    SECTION: ClassVar[str] = "stall_reasons"
    reasons: Strings
    count: Annotated[F64, Rows("reasons")]


class RawBlocks(Struct, frozen=True, eq=False):
    """All blocks of an Ascend operator file (section 1.1), known or not, in file order.

    ``type``, ``padding``, ``version``, ``reserved``: uint8 as stored; ``offset``: int64, position of the header;
    ``payload``: int64, position of the payload; ``size``: int64, payload bytes without padding; ``path``: int32 id into
    ``paths`` (source blocks), -1 none. ``inside``: the name of the operator file in a report that the blocks are those
    of, "" for a file of its own; ``file``: its number in the paths of the profile's origin. Positions count from the
    beginning of that file, of a pack from its own.
    """

    SECTION: ClassVar[str] = "raw_blocks"
    type: U8
    offset: I64
    payload: I64
    size: I64
    padding: U8
    version: U8
    reserved: U8
    path: Annotated[I32, Index("paths", -1)]
    paths: Strings
    inside: str = ""
    file: Annotated[int, Index("files")] = 0

    def __len__(self) -> int:
        return len(self.type)
