"""What identifies the rows of each table. Tables without an entry are matched by the columns before their figures."""

from __future__ import annotations

from typing import Final

from app.analysis.compare import samples_of, trees_of
from app.analysis.compare.codes import is_text
from app.analysis.compare.plan import Plan
from app.analysis.table import Table

_TILE: Final = Plan(key=("tile",))
_LANE: Final = ("process", "thread")
_BLOCK: Final = ("block", "type")

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
    "programs": Plan(names=("name",), kinds=("type",), tree=trees_of.programs, samples=samples_of.steps_of_programs),
    "liveness": Plan(names=("name",), kinds=("type",), tree=trees_of.liveness),
    "live-variables": Plan(names=("name",), arguments=("number",)),
    "steps": Plan(names=("type", "name", "sync"), sequence=True),
    "step-types": Plan(names=("type",)),
    "steps-by-type": Plan(names=("type",)),
    "steps-by-compute-set": Plan(names=("name",), samples=samples_of.steps_of_compute_sets),
    "steps-by-vertex-type": Plan(names=("type",)),
    "steps-by-name": Plan(names=("name",), arguments=("path",), tree=trees_of.step_names),
    "tile-time": _TILE,
    "tile-cycles": Plan(names=("kind",)),
    "scaling-measured": Plan(names=("figure",)),
    "optimisation": Plan(names=("metric",)),
    "report-files": Plan(names=("file",)),
    "notes": Plan(names=("key",)),
    "variables": Plan(names=("name",), arguments=("tile", "size")),
    "text": Plan(names=("text",), sequence=True),
    "slice-statistics": Plan(names=("name",), samples=samples_of.slices_of_names),
    "lanes": Plan(names=_LANE),
    "slices": Plan(within=_LANE, names=("name",), sequence=True),
    "instants": Plan(within=_LANE, names=("name",), sequence=True),
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
    return known if known is not None and _applies(known, present) else _leading(present)


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
