"""What identifies the rows of each table: names, keys, sequences, trees, and the single measurements behind them.

``plan_of`` returns the plan of a table; tables without an entry in ``PLANS`` are matched by the columns before their
figures.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, TypeAlias
from zlib import crc32

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.capture.kernels import kernel_type_order, kernel_types
from app.analysis.capture.ranks import SECOND
from app.analysis.compare.codes import is_text
from app.analysis.compare.names import Names
from app.analysis.poplar.program_figures import ProgramFigures
from app.analysis.poplar.step_statistics import by_path
from app.analysis.table import Coded, Column, Table
from app.analysis.timeline.times import lengthless
from app.analysis.trees import program_tree
from app.profile.arrays import F64, I64, Array
from app.profile.profile import Profile


class Tree(Struct, frozen=True, eq=False):
    """``parent``: int64[rows], the row above, negative for roots and for rows that are in no tree. ``order``:
    int64[rows], sorts siblings as they run."""

    parent: I64
    order: I64


class Samples(Struct, frozen=True, eq=False):
    """``row``: int64[samples], the row of the table; ``values``: float64, in the unit of ``column``, whose figure they
    add up to or are the median of."""

    column: str
    row: I64
    values: F64


TreeOf: TypeAlias = Callable[[Profile, Table], Tree | None]
SamplesOf: TypeAlias = Callable[[Profile, Table], Samples | None]


class Plan(Struct, frozen=True):
    """Keys of columns; those that one of the tables lacks are not used.

    ``names``: what a row is called (rule 2), ``arguments``: preferred to be the same as well. ``key``: what identifies
    rows without names (rule 1). ``within``: must be the same in every rule, such as the lane of a slice. ``loose``: of
    all these, those whose hashes and numbers never count; ``paths``: those that are paths of files, which may be in
    other folders. ``sequence``: the order of the rows is that in which they run, so that they are aligned (rule 3).
    ``slices``: they are slices of a timeline, which are matched lane by lane. ``tree``: the rows are a tree (rules 1
    and 4), in which ``kinds`` must be the same. ``by_row``: rows are identified by their number.
    ``ignored``: what is ignored in names, whatever the setting says. ``lines``: the rows are lines of texts, which this
    column has. ``contents``: rows without a partner are matched if their stored content is the same.

    ``repeats``: columns that tell repetitions of the same work apart (blocks, cores), whose spread is noise.
    ``samples``: the single measurements that a row sums up.
    """

    key: tuple[str, ...] = ()
    within: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    loose: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    sequence: bool = False
    slices: bool = False
    tree: TreeOf | None = None
    kinds: tuple[str, ...] = ()
    by_row: bool = False
    ignored: Names | Literal["path"] | None = None
    lines: str = ""
    contents: bool = False
    repeats: tuple[str, ...] = ()
    samples: SamplesOf | None = None


def _programs(profile: Profile, _: Table) -> Tree | None:
    """Programs below the control programs and functions that contain them."""
    tree = program_tree(profile, ProgramFigures())
    return None if tree is None else Tree(tree.walk.parent, tree.walk.place)


def _liveness(profile: Profile, _: Table) -> Tree | None:
    """The nodes of the liveness tree."""
    own = profile.liveness
    return None if own is None else Tree(own.parent.astype(np.int64), np.arange(len(own), dtype=np.int64))


def _step_names(profile: Profile, _: Table) -> Tree | None:
    """Prefixes of the names of steps."""
    sums = by_path(profile, None)
    if sums is None:
        return None
    return Tree(sums.paths.parent.astype(np.int64), np.arange(len(sums.paths), dtype=np.int64))


def _steps_of_compute_sets(profile: Profile, table: Table) -> Samples | None:
    """The cycles of the steps that ran each compute set."""
    steps = profile.steps
    if steps is None or table.keys is None:
        return None
    return _by_number("cycles", steps.compute_set.astype(np.int64), _known_cycles(steps.cycles), table.keys)


def _steps_of_programs(profile: Profile, table: Table) -> Samples | None:
    """The cycles of the steps of each program."""
    steps = profile.steps
    if steps is None:
        return None
    return _by_number("cycles", steps.program.astype(np.int64), _known_cycles(steps.cycles), np.arange(table.rows))


def _slices_of_names(profile: Profile, table: Table) -> Samples | None:
    """The durations of the slices of each name."""
    line = profile.timeline
    names = table.columns[0].values if table.columns else ()
    if line is None or not isinstance(names, Coded):
        return None
    without = lengthless(line)
    length = line.slices.duration if without is None else np.where(without, np.nan, line.slices.duration)
    return _by_number("total", line.slices.name.astype(np.int64), length, names.ids.astype(np.int64))


def _kernels_of_types(profile: Profile, _: Table) -> Samples | None:
    """The durations of the kernels of each rank, type and core."""
    own = profile.kernels
    if own is None:
        return None
    made = kernel_types(profile)
    row_of = np.argsort(kernel_type_order(profile))
    there = np.flatnonzero(own.duration >= 0)
    return Samples("total", row_of[made.of_row[there]], own.duration[there] / SECOND)


def _blocks_of_functions(profile: Profile, table: Table) -> Samples | None:
    """The lengths of the blocks of each function."""
    own, rows = profile.core_tasks, table.row_items
    if own is None or rows is None or profile.timeline is None:
        return None
    return _by_number(
        "total",
        rows.group_of_item.astype(np.int64),
        profile.timeline.slices.duration,
        rows.group_of_row.astype(np.int64),
    )


def _known_cycles(cycles: I64) -> F64:
    return np.where(cycles >= 0, cycles, np.nan)


def _by_number(column: str, number: I64, values: F64, of_row: I64) -> Samples:
    """Samples of the rows that stand for these numbers."""
    high = max(int(number.max(initial=-1)), int(of_row.max(initial=-1))) + 1
    row_of = np.full(high + 1, -1, np.int64)
    row_of[of_row[of_row >= 0]] = np.flatnonzero(of_row >= 0)
    row = row_of[np.where(number >= 0, number, high)]
    there = (row >= 0) & np.isfinite(values)
    return Samples(column, row[there], values[there])


_TILE: Final = Plan(key=("tile",))
_LANE: Final = ("process", "thread")
_BLOCK: Final = ("block", "type")
_LONE: Final = ("rank", "step", "src")

PLANS: Final[dict[str, Plan]] = {
    "target": Plan(names=("property",)),
    "tiles": _TILE,
    "memory-by-category": Plan(names=("category",)),
    "tile-memory": _TILE,
    "tile-memory-ipus": Plan(key=("ipu",)),
    "tile-memory-figures": Plan(names=("part",)),
    "compute-sets": Plan(names=("name",)),
    "vertex-types": Plan(names=("name",)),
    "vertex-cycles": Plan(names=("compute_set", "type")),
    "vertices": Plan(within=("compute_set", "type"), names=("compute_set", "type")),
    "thread-use": _TILE,
    "exchanges": Plan(within=("kind",), names=("name",)),
    "exchanges-per-tile": _TILE,
    "programs": Plan(names=("name",), kinds=("type",), tree=_programs, samples=_steps_of_programs),
    "liveness": Plan(names=("name",), kinds=("type",), tree=_liveness),
    "live-variables": Plan(names=("name",), arguments=("number",)),
    "steps": Plan(names=("type", "name", "sync"), sequence=True),
    "step-types": Plan(names=("type",)),
    "steps-by-type": Plan(names=("type",)),
    "steps-by-compute-set": Plan(names=("name",), samples=_steps_of_compute_sets),
    "steps-by-vertex-type": Plan(names=("type",)),
    "steps-by-name": Plan(names=("name",), arguments=("path",), tree=_step_names),
    "tile-time": _TILE,
    "tile-cycles": Plan(names=("kind",)),
    "scaling-measured": Plan(names=("figure",)),
    "optimisation": Plan(names=("metric",)),
    "report-files": Plan(names=("file",)),
    "notes": Plan(names=("key",)),
    "variables": Plan(names=("name",), arguments=("tile", "size")),
    "text": Plan(names=("text",), sequence=True),
    "slice-statistics": Plan(names=("name",), samples=_slices_of_names),
    "slice-paths": Plan(names=("path",), ignored="path"),
    "lanes": Plan(names=_LANE),
    "slices": Plan(within=_LANE, names=("name",), sequence=True, slices=True),
    "instants": Plan(within=_LANE, names=("name",), sequence=True, slices=True),
    "critical-path": Plan(within=("lane", "part"), names=("name",), sequence=True),
    "waits": Plan(within=("kind",), names=("waiting", "awaited", "released_by", "source")),
    "flow-statistics": Plan(names=("category",)),
    "flows": Plan(
        within=("from_process", "from_thread", "to_process", "to_thread"),
        names=("category", "from_slice", "to_slice"),
        sequence=True,
    ),
    "counters": Plan(names=("process", "counter", "series")),
    "counter-values": Plan(within=("process", "counter"), names=("process", "counter", "series"), sequence=True),
    "operator": Plan(names=("figure",)),
    "block-details": Plan(key=("block_id", "core_type"), repeats=("block_id",)),
    "sources": Plan(names=("path",), paths=("path",)),
    "source-lines": Plan(
        within=("file",), names=("text",), key=("line",), paths=("file",), sequence=True, lines="text"
    ),
    "instructions": Plan(names=("text", "pipe"), key=("address",), sequence=True, lines="text"),
    "workload": Plan(key=("block", "sub_block", "name", "unit"), repeats=("block",)),
    "core-load": Plan(key=("core", "type", "sub_core"), repeats=("core",)),
    "memory-paths": Plan(key=("block", "type", "path", "name"), repeats=("block",)),
    "memory-blocks": Plan(key=_BLOCK, repeats=("block",)),
    "memory-table": Plan(key=("block", "name"), repeats=("block",)),
    "roofline": Plan(names=("chart", "bandwidth_name", "compute_name")),
    "cache-lines": Plan(key=("line",)),
    "cache-sets": Plan(by_row=True),
    "memory-accesses": Plan(
        within=("core", "block_type"), names=("operation", "space", "function", "line", "size"), sequence=True
    ),
    "stall-reasons": Plan(names=("reason",)),
    "entries": Plan(names=("name",)),
    "raw-blocks": Plan(names=("type",), arguments=("path",)),
    "onchip-memories": Plan(names=("scope",)),
    "onchip-blocks": Plan(within=("scope",), names=("buffer",), arguments=("part", "source")),
    "blobs": Plan(within=("type",), names=("name",), loose=("executable",)),
    "executables": Plan(names=("name",), ignored="numbers", contents=True),
    "anchors": Plan(within=("executable",), names=("name",), arguments=("group",), loose=("executable",)),
    "tensors": Plan(names=("name",)),
    "feeds": Plan(names=("name",)),
    "opaques": Plan(within=("executable",), names=("name",), loose=("executable",)),
    "metadata": Plan(within=("executable",), names=("key",), loose=("executable",)),
    "options": Plan(within=("executable",), names=("kind", "name"), loose=("executable",)),
    "programs-map": Plan(within=("executable",), names=("name",), arguments=("index",), loose=("executable",)),
    "events": Plan(within=("device",), names=("type", "module"), sequence=True),
    "event-reports": Plan(within=("what",), names=("module", "content")),
    "modules": Plan(within=("device",), names=("module",)),
    "transfers": Plan(within=("direction",), names=("name",)),
    "transferred-tensors": Plan(within=("device", "direction"), names=("name",), sequence=True),
    "ml-types": Plan(within=("module",), names=("instruction",)),
    "skipped-records": Plan(names=("what",)),
    "mapped-tensors": Plan(within=("module", "computation"), names=("instruction", "name"), arguments=("output",)),
    "mapped-elements": Plan(within=("tile",), names=("instruction", "name")),
    "mapped-tiles": _TILE,
    "mapped-types": Plan(names=("type",)),
    "steps-of-training": Plan(key=("rank", "step")),
    "kernels": Plan(within=("rank",), names=("name", "type"), arguments=("input_shapes",), sequence=True),
    "kernel-types": Plan(within=("rank",), names=("type", "core"), samples=_kernels_of_types),
    "framework-operators": Plan(within=("rank",), names=("name",), arguments=("shapes",), sequence=True),
    "collectives": Plan(
        within=("rank", "kind"), names=("name",), arguments=("group",), loose=("name", "group"), sequence=True
    ),
    "collective-delays": Plan(
        within=("kind",), names=("name",), arguments=("group",), loose=("name", "group"), sequence=True
    ),
    "links": Plan(key=("rank", "src", "dst", "transport")),
    "memory-record": Plan(within=("rank", "component"), names=("component",), sequence=True),
    "memory-operators": Plan(within=("rank",), names=("name",), arguments=("size",), sequence=True),
    "calls": Plan(within=("rank", "level"), names=("name",)),
    "tasks": Plan(names=("function",), arguments=("ring", "task"), sequence=True),
    "task-blocks": Plan(names=("function",), arguments=("ring", "task"), sequence=True),
    "pypto-kernels": Plan(names=("name",), samples=_blocks_of_functions),
    "cores": Plan(key=("core", "kind"), repeats=("core",)),
    "dependencies": Plan(within=("source",), names=("from_function", "to_function"), sequence=True),
    "device-zones": Plan(within=("processor",), names=("name",), arguments=("line", "file"), paths=("file",)),
    "worker-cores": Plan(key=("device", "x", "y", "logical"), repeats=("x", "y")),
    "tile-events": Plan(within=("process",), names=("event",)),
    "operations": Plan(within=("device", "place"), names=("op_code",), sequence=True),
    "op-codes": Plan(names=("op_code",)),
    "noc-transfers": Plan(within=("source", "target"), names=("type",), arguments=("bytes",), sequence=True),
    "noc-cores": Plan(names=("core",)),
    "noc-links": Plan(key=("device", "x", "y"), names=("name",)),
    "report-operations": Plan(names=("name",), sequence=True),
    "l1-per-core": Plan(names=("core",)),
    "buffers": Plan(within=("type", "device"), names=("type",), arguments=("size", "address"), sequence=True),
    "tenstorrent-tensors": Plan(names=("shape", "dtype", "layout", "memory"), arguments=("number",)),
}


OF_PANELS: Final[dict[str, Plan]] = {
    "data": Plan(within=("kind",), names=("name",)),
    "scaling": Plan(key=("replicas",)),
}
"""Of tables that only panels show."""


def plan_of(table_id: str, *tables: Table | None) -> Plan:
    """The plan of a table by its id; without one, or if the tables have none of the columns that it names (a file may
    give its columns other names), by the columns that stand before the first figures."""
    known = PLANS.get(table_id) or PLANS.get(table_id.partition("/")[0]) or OF_PANELS.get(table_id)
    present = [table for table in tables if table is not None]
    if known is None or not _applies(known, present):
        return _leading(present)
    return _without_lone(known, present)


def _without_lone(plan: Plan, tables: list[Table]) -> Plan:
    """The plan without the numbers of ranks and training steps, where each table has only one: two captures of one
    rank are compared whatever the ranks."""
    numbers = [name for name in (*plan.key, *plan.within) if name in _LONE]
    lone = {name for name in numbers if len(tables) > 1 and all(_is_lone(table, name) for table in tables)}
    if not lone:
        return plan
    key, within = (tuple(name for name in names if name not in lone) for names in (plan.key, plan.within))
    return replace(plan, key=key, within=within, by_row=not (key or within or plan.names))


def _is_lone(table: Table, name: str) -> bool:
    values = next((column.values for column in table.columns if column.key == name), None)
    return isinstance(values, np.ndarray) and bool((values[1:] == values[:1]).all())


def _applies(plan: Plan, tables: list[Table]) -> bool:
    if plan.by_row or plan.sequence or plan.tree is not None or not tables:
        return True
    wanted = {*plan.key, *plan.within, *plan.names, *plan.arguments}
    return any(column.key in wanted for table in tables for column in table.columns)


def _leading(tables: list[Table]) -> Plan:
    """Keys and texts at the beginning: keys if there are any, else names; a table of figures alone is by rows."""
    keys: list[str] = []
    numbered = False
    for column in tables[0].columns:
        if not column.is_key and not is_text(column):
            break
        keys.append(column.key)
        numbered = numbered or column.is_key
    if not keys:
        return Plan(by_row=True)
    return Plan(key=tuple(keys)) if numbered else Plan(names=tuple(keys))


def row_identity(table: Table, plan: Plan) -> int:
    """A hash of the number of rows and of the columns by which the plan matches them."""
    wanted = {*plan.key, *plan.within, *plan.names, *plan.arguments, *plan.kinds}
    crc = crc32(f"{table.rows}".encode())
    for column in table.columns:
        if column.key in wanted:
            crc = _column_crc(column, crc)
    return crc


def _column_crc(column: Column, crc: int) -> int:
    values = column.values
    if isinstance(values, Coded):
        return _array_crc(values.ids, _array_crc(values.strings.ends, crc))
    if isinstance(values, tuple):
        return crc32("\0".join(values).encode("utf-8", "surrogatepass"), crc)
    return _array_crc(values, crc)


def _array_crc(values: Array, crc: int) -> int:
    return crc32(np.ascontiguousarray(values).view(np.uint8).data, crc) if len(values) else crc
