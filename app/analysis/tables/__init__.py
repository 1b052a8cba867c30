"""Every table of every panel, by name: the list that panels, `tables` and `export` share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from msgspec import Struct

from app.analysis.part import numbered
from app.analysis.table import Table
from app.analysis.tables import (
    ascend_load,
    ascend_memory,
    ascend_report,
    ascend_source,
    capture,
    capture_ranks,
    critical_path,
    issues,
    popef,
    poplar_exchanges,
    poplar_lists,
    poplar_live,
    poplar_memory,
    poplar_programs,
    poplar_report,
    poplar_steps,
    pypto,
    scaling,
    tensorflow,
    tenstorrent,
    timeline,
    timeline_counters,
)
from app.language import tr
from app.profile.profile import Profile

Made: TypeAlias = Table | Iterable[Table] | None


class ListedTable(Struct, frozen=True):
    """What a list says of a table; ``id`` is the name that `export --table` takes; ``rows``: None for one that takes
    seconds to make, which lists do not do. Lists hold these instead of tables, which together may need much memory."""

    id: str
    title: str
    rows: int | None


class TableSpec(Struct, frozen=True):
    """``make`` returns None if the profile has no data for the table, and must do so quickly. A spec that makes several
    tables (one for each kind of memory, say) returns them all, named ``id/part``; ``further`` resolves names that are
    not listed: those that tables had in earlier versions, or parts of which there are too many. ``slow``: whether the
    profile may have the table, and making it takes seconds: lists, searches and comparisons of everything leave it
    out."""

    id: str
    title: str
    make: Callable[[Profile], Made]
    further: Callable[[Profile, str], Table | None] | None = None
    slow: Callable[[Profile], bool] | None = None

    def tables(self, profile: Profile) -> Iterator[Table]:
        """The result of ``make`` as none, one or several tables; those of a part have the numbers of the whole."""
        made = self.make(profile)
        if made is not None:
            yield from (numbered(table, profile) for table in ((made,) if isinstance(made, Table) else made))

    def is_slow(self, profile: Profile) -> bool:
        """Whether making its table takes seconds."""
        return self.slow is not None and self.slow(profile)

    def listed(self, profile: Profile) -> Iterator[ListedTable]:
        """What lists say of its tables, which are made unless that is slow."""
        if self.is_slow(profile):
            yield ListedTable(self.id, self.title, None)
        else:
            yield from (ListedTable(table.id, table.title, table.rows) for table in self.tables(profile))


ISSUES = TableSpec("issues", tr("Issues"), issues.make)
TABLES: tuple[TableSpec, ...] = (
    TableSpec("target", tr("Target"), poplar_report.target),
    TableSpec("tiles", tr("Tiles"), poplar_memory.tiles),
    TableSpec("memory-by-category", tr("Memory by category"), poplar_memory.categories),
    TableSpec("tile-memory", tr("Memory by tile"), poplar_memory.by_tile, poplar_memory.tile_table_named),
    TableSpec("tile-memory-ipus", tr("Memory by IPU"), poplar_memory.by_ipus, poplar_memory.ipu_table_named),
    TableSpec(
        "tile-memory-figures", tr("Memory of tiles: figures"), poplar_memory.figures, poplar_memory.figures_table_named
    ),
    TableSpec("compute-sets", tr("Compute sets"), poplar_lists.compute_sets),
    TableSpec("vertex-types", tr("Vertex types"), poplar_lists.vertex_types),
    TableSpec("vertex-cycles", tr("Cycles of vertices"), poplar_lists.vertex_cycles),
    TableSpec("vertices", tr("Vertices"), poplar_lists.vertices),
    TableSpec("thread-use", tr("Thread use per tile"), poplar_lists.threads),
    TableSpec("exchanges", tr("Exchanges"), poplar_exchanges.exchanges),
    TableSpec("exchanges-per-tile", tr("Exchanges per tile"), poplar_exchanges.all_per_tile),
    TableSpec("programs", tr("Programs"), poplar_programs.programs),
    TableSpec("exchange-instructions", tr("Exchange instructions"), poplar_programs.exchange_instructions),
    TableSpec("liveness", tr("Liveness nodes"), poplar_live.liveness),
    TableSpec("live-variables", tr("Live variables"), poplar_live.live_variables, poplar_live.at_node),
    TableSpec("steps", tr("Steps"), poplar_report.steps),
    TableSpec("step-types", tr("Step types"), poplar_report.step_types),
    TableSpec("steps-by-type", tr("Steps by type"), poplar_steps.kinds),
    TableSpec("steps-by-compute-set", tr("Steps by compute set"), poplar_steps.compute_sets),
    TableSpec("steps-by-vertex-type", tr("Steps by vertex type"), poplar_steps.vertex_types),
    TableSpec("steps-by-name", tr("Steps by name"), poplar_steps.names),
    TableSpec("tile-time", tr("Busy tiles"), poplar_steps.tiles),
    TableSpec("tile-cycles", tr("Cycles of all tiles"), poplar_steps.tile_cycles),
    TableSpec("scaling-measured", tr("Scaling: measured times"), scaling.measured),
    TableSpec("optimisation", tr("Optimisation information"), poplar_report.optimisation),
    TableSpec("report-files", tr("Report files"), poplar_report.files),
    TableSpec("notes", tr("Notes of framework and application"), poplar_report.notes),
    TableSpec("variables", tr("Lowered variables"), poplar_report.variables),
    TableSpec("text", tr("Text summaries"), poplar_report.texts),
    TableSpec("slice-statistics", tr("Slices by name"), timeline.slice_statistics),
    TableSpec("slice-paths", tr("Slices by path"), timeline.paths, slow=timeline.many_paths),
    TableSpec("lanes", tr("Lanes"), timeline.lanes),
    TableSpec("slices", tr("Slices"), timeline.slices),
    TableSpec("instants", tr("Instants"), timeline.instants),
    TableSpec(
        "critical-path", tr("Critical path"), critical_path.path, critical_path.path_of_core, slow=critical_path.slow
    ),
    TableSpec("waits", tr("Waits"), critical_path.waits, slow=critical_path.slow),
    TableSpec("flow-statistics", tr("Flows by category"), timeline_counters.flow_statistics),
    TableSpec("flows", tr("Flows"), timeline_counters.flows),
    TableSpec("counters", tr("Counters"), timeline_counters.counters),
    TableSpec("counter-values", tr("Values of counters"), timeline_counters.counter_values),
    TableSpec("operator", tr("Operator"), ascend_report.operator),
    TableSpec("block-details", tr("Blocks of the operator"), ascend_report.block_details),
    TableSpec("sources", tr("Source texts"), ascend_source.sources),
    TableSpec("source-lines", tr("Source lines"), ascend_source.source_lines),
    TableSpec("instructions", tr("Instructions"), ascend_source.instructions),
    TableSpec("workload", tr("Compute workload"), ascend_load.workload),
    TableSpec("core-load", tr("Core load"), ascend_load.core_load),
    TableSpec("memory-paths", tr("Memory paths"), ascend_memory.memory_paths),
    TableSpec("memory-blocks", tr("L2 cache and units of the blocks"), ascend_memory.memory_blocks),
    TableSpec(
        "memory-table",
        tr("Memory tables"),
        ascend_memory.memory_tables,
        ascend_memory.memory_table_of_block,
    ),
    TableSpec("roofline", tr("Roofline"), ascend_memory.roofline),
    TableSpec("cache-lines", tr("Cache lines"), ascend_load.cache_lines),
    TableSpec("cache-sets", tr("Cache sets"), ascend_load.cache_sets),
    TableSpec("memory-accesses", tr("Memory accesses"), ascend_load.memory_accesses),
    TableSpec("stall-reasons", tr("Top warp stall reasons"), ascend_load.stall_reasons),
    TableSpec("entries", tr("Files of the report"), ascend_report.entries),
    TableSpec("raw-blocks", tr("Blocks of the file"), ascend_report.raw_blocks),
    TableSpec("report-table", tr("Tables of the report"), ascend_report.report_tables),
    TableSpec("onchip-memories", tr("On-chip memories"), ascend_load.scopes),
    TableSpec("onchip-blocks", tr("On-chip blocks"), ascend_load.blocks),
    TableSpec("blobs", tr("Blobs"), popef.blobs),
    TableSpec("executables", tr("Executables"), popef.executables),
    TableSpec("anchors", tr("Anchors"), popef.anchors),
    TableSpec("tensors", tr("Tensors"), popef.tensors),
    TableSpec("feeds", tr("Feeds"), popef.feeds),
    TableSpec("opaques", tr("Opaque blobs"), popef.opaques),
    TableSpec("metadata", tr("Metadata"), popef.metadata),
    TableSpec("options", tr("Options"), popef.options),
    TableSpec("programs-map", tr("Programs"), popef.programs),
    TableSpec("events", tr("Host events"), tensorflow.events),
    TableSpec("event-reports", tr("Reports inside events"), tensorflow.reports),
    TableSpec("modules", tr("Modules"), tensorflow.modules),
    TableSpec("transfers", tr("Transfers by tensor"), tensorflow.transfers),
    TableSpec("transferred-tensors", tr("Tensors of transfers"), tensorflow.transferred),
    TableSpec("ml-types", tr("Classes of instructions"), tensorflow.ml_types),
    TableSpec("skipped-records", tr("Other content"), tensorflow.skipped),
    TableSpec("mapped-tensors", tr("Mapped tensors"), tensorflow.tensors),
    TableSpec("mapped-elements", tr("Tensors on tiles"), tensorflow.places),
    TableSpec("mapped-tiles", tr("Mapped tensors by tile"), tensorflow.tiles),
    TableSpec("mapped-types", tr("Mapped tensors by type"), tensorflow.types),
    TableSpec("steps-of-training", tr("Training steps"), capture.steps),
    TableSpec("kernels", tr("Kernels"), capture.kernels),
    TableSpec("kernel-types", tr("Kernels by type"), capture.types),
    TableSpec("framework-operators", tr("Operators of the framework"), capture.framework_operators),
    TableSpec("collectives", tr("Communication operations"), capture_ranks.collectives),
    TableSpec("collective-delays", tr("Delays between ranks"), capture_ranks.delays),
    TableSpec("links", tr("Links between ranks"), capture_ranks.links),
    TableSpec("memory-record", tr("Memory over time"), capture.memory_record),
    TableSpec("memory-operators", tr("Memory of operators"), capture.memory_operators),
    TableSpec("calls", tr("Calls"), capture.calls),
    TableSpec("tasks", tr("Tasks"), pypto.tasks),
    TableSpec("task-blocks", tr("Blocks of tasks"), pypto.blocks),
    TableSpec("pypto-kernels", tr("Functions of tasks"), pypto.functions),
    TableSpec("cores", tr("Cores"), pypto.cores),
    TableSpec("dependencies", tr("Dependencies"), pypto.dependencies),
    TableSpec("device-zones", tr("Zones"), tenstorrent.device_zones),
    TableSpec("worker-cores", tr("Worker cores"), tenstorrent.cores),
    TableSpec("tile-events", tr("Events of tiles"), tenstorrent.tile_events),
    TableSpec("operations", tr("Device operations"), tenstorrent.operations),
    TableSpec("op-codes", tr("Operations by name"), tenstorrent.op_codes),
    TableSpec("noc-transfers", tr("NoC transfers"), tenstorrent.noc_transfers),
    TableSpec("noc-cores", tr("NoC transfers by core"), tenstorrent.noc_cores),
    TableSpec("noc-links", tr("NoC links"), tenstorrent.noc_links),
    TableSpec("report-operations", tr("Operations of the memory report"), tenstorrent.report_operations),
    TableSpec("l1-per-core", tr("L1 per core"), tenstorrent.l1_per_core),
    TableSpec("buffers", tr("Buffers"), tenstorrent.buffers),
    TableSpec("tenstorrent-tensors", tr("Tensors of the report"), tenstorrent.tensors),
    ISSUES,
)


def available(profile: Profile) -> list[Table]:
    """All tables that this profile has data for."""
    return list(each(profile))


def each(profile: Profile) -> Iterator[Table]:
    """As ``available``, one after the other: all of them together may need much memory."""
    for spec in specs(profile):
        yield from spec.tables(profile)


def listed(profile: Profile) -> Iterator[ListedTable]:
    """What lists say of all tables of a profile."""
    for spec in specs(profile):
        yield from spec.listed(profile)


def specs(*profiles: Profile) -> list[TableSpec]:
    """All specs in the order of lists: the issues are last, but first if one of the ``profiles`` has an error."""
    errors = any(issue.severity == "error" for profile in profiles for issue in profile.issues)
    return sorted(TABLES, key=lambda spec: not (errors and spec is ISSUES))


def is_listed(table_id: str) -> bool:
    """Whether a profile that has the table lists it, so that one that does not list it has none."""
    return all("/" not in table_id or spec.further is None or not table_id.startswith(f"{spec.id}/") for spec in TABLES)


def by_id(profile: Profile, table_id: str) -> Table | None:
    """The table with that name, or None. Only the spec responsible for it is evaluated."""
    for spec in TABLES:
        if table_id == spec.id or table_id.startswith(f"{spec.id}/"):
            for table in spec.tables(profile):
                if table.id == table_id:
                    return table
            other = spec.further(profile, table_id) if spec.further is not None else None
            if other is not None:
                return numbered(other, profile)
    return None
