"""The panels: what the program knows of each before its code is imported, in the order of menus. A panel's drawing code
is imported when the panel is first shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Final

from app.analysis.popef.doubts import UNVERIFIED
from app.language import tr
from app.panels.spec import MakePanel, PanelSpec


def _panel(module: str, name: str) -> Callable[[], MakePanel]:
    """What imports the class ``name`` of a module in this package."""
    return partial(_imported, module, name)


def _imported(module: str, name: str) -> MakePanel:
    made: MakePanel = getattr(import_module(f"{__package__}.{module}"), name)
    return made


PANELS: tuple[PanelSpec, ...] = (
    PanelSpec(
        "summary",
        tr("Summary"),
        _panel("summary.panel", "SummaryPanel"),
        (),
        "",
        tr(
            "The most important findings, then the main figures of the profile. Tool tips state the "
            "source of each figure. Copy copies the whole page."
        ),
        words=("overview", "dashboard", "verdict", "metrics"),
        group="inspector",
    ),
    PanelSpec(
        "comparison",
        tr("Comparison"),
        _panel("comparison.panel", "ComparisonPanel"),
        (),
        "",
        tr(
            "How the shown profile differs from its baseline, and what explains it. Click to select "
            "an item, double-click to show its row in Tables. Tool tips of Matched rows explain each "
            "matching rule."
        ),
        words=("baseline", "difference", "diff", "before", "after", "regression", "compare"),
        group="findings",
    ),
    PanelSpec(
        "tree",
        tr("Program tree"),
        _panel("program_tree", "ProgramTree"),
        ("programs",),
        tr("a Poplar graph profile (graph.json or graph.cbor)"),
        tr(
            "What the compiled graph runs, from the control programs down, with the cycles and "
            "memory of each sub-tree. Functions appear below each call. Select a program to see its "
            "steps on the timeline and its tiles."
        ),
        also=("compute_sets", "compute_set_bytes", "exchanges", "steps", "execution", "target"),
        shows=("program",),
        words=("call tree", "control flow", "graph", "hierarchy"),
    ),
    PanelSpec(
        "timeline",
        tr("Timeline"),
        _panel("timeline.panel", "TimelinePanel"),
        ("timeline",),
        tr("execution steps, an operator's trace, or TensorFlow events"),
        tr("What ran when, in lanes. Drag to set the range that statistics follow; Ctrl+wheel or W and S zoom."),
        shows=("slice", "lane", "step"),
        words=("trace", "gantt", "tracing", "events over time", "pipeline"),
    ),
    PanelSpec(
        "statistics",
        tr("Statistics"),
        _panel("statistics.panel", "StatisticsPanel"),
        ("timeline",),
        tr("execution steps, an operator's trace, or TensorFlow events"),
        tr(
            "Count, total, average and share of the slices by name, and slices, lanes, gaps, flows, counters and notes "
            "as tables. Statistics follow the range and the selected lanes."
        ),
        words=(
            "slices by name",
            "flame graph",
            "flamegraph",
            "icicle",
            "totals",
            "summary table",
            "aggregation",
            "range",
            "gaps",
            "overlap",
            "notes",
        ),
        group="execution",
    ),
    PanelSpec(
        "steps",
        tr("Steps"),
        _panel("steps.panel", "StepsPanel"),
        ("steps",),
        tr("a Poplar execution profile (execution.json or execution.cbor) with steps"),
        tr(
            "The steps of a run: as a flame graph by name, as tables by name, compute set, vertex "
            "type and kind, and what each tile did when. Figures follow the range, if set."
        ),
        also=(
            "timeline",
            "compute_sets",
            "vertex_types",
            "programs",
            "target",
            "execution",
            "measured_cycles",
            "tile_memory",
            "exchanges",
        ),
        shows=("step",),
        words=("flame", "flame graph", "flamegraph", "icicle", "hot spots", "statistics", "tiles over time"),
        group="execution",
    ),
    PanelSpec(
        "tile_memory",
        tr("Tile memory"),
        _panel("tile_memory.panel", "TileMemoryPanel"),
        ("tile_memory",),
        tr("a Poplar graph profile (graph.json or graph.cbor) with memory per tile"),
        tr(
            "How full the memory of each tile is. Click a bar to select its tile, drag for several, "
            "or type them. Where a column of pixels covers several tiles, it shows the fullest, and "
            "lighter (or dotted) the emptiest."
        ),
        also=(
            "target",
            "compute_sets",
            "compute_set_bytes",
            "measured_cycles",
            "steps",
            "exchanges",
            "variables",
            "vertex_type_bytes",
        ),
        shows=("tile",),
        words=("memory usage", "out of memory", "OOM", "memory per tile", "always live"),
        group="memory",
    ),
    PanelSpec(
        "heat",
        tr("Heat table"),
        _panel("heat_table.panel", "HeatPanel"),
        (
            *("compute_sets", "exchanges", "compute_set_bytes", "vertex_type_bytes", "measured_cycles", "tensor_map"),
            *("core_memory", "noc_transfers"),
        ),
        tr("a Poplar graph profile with figures per compute set and tile, or amounts of worker cores"),
        tr(
            "Each row is a compute set, vertex type or exchange, each column a tile, each colour an "
            "amount. The margins summarise rows and columns. Where a pixel covers many cells, it "
            "shows the largest, so that a single hot tile stays visible."
        ),
        also=("target", "programs"),
        shows=("compute_set",),
        words=("heat map", "heatmap", "matrix", "tile balance"),
        group="memory",
    ),
    PanelSpec(
        "liveness",
        tr("Liveness"),
        _panel("liveness.panel", "LivenessPanel"),
        ("liveness",),
        tr("a Poplar graph profile with memory.liveness"),
        tr(
            "Live bytes at each program step, on top of always-live memory, and their variables. "
            "Peak selects the step with the most live bytes."
        ),
        also=("live_variables", "tile_memory", "programs", "target"),
        shows=("liveness",),
        words=("live memory", "peak memory", "allocation over time"),
        group="memory",
    ),
    PanelSpec(
        "vertex_types",
        tr("Vertex types"),
        _panel("vertex_types.panel", "VertexTypesPanel"),
        ("vertex_types",),
        tr("a Poplar graph profile (graph.json or graph.cbor)"),
        tr(
            "The vertex types of the graph: counts, bytes and cycles. If the file contains them, "
            "also the thread use of each tile and the duration of each vertex."
        ),
        also=("vertex_type_bytes", "compute_sets", "execution", "steps", "target"),
        shows=("vertex_type",),
        words=("codelets", "kernels", "threads"),
        group="execution",
    ),
    PanelSpec(
        "exchanges",
        tr("Exchanges"),
        _panel("exchanges.panel", "ExchangesPanel"),
        ("exchanges",),
        tr("a Poplar graph profile (graph.json or graph.cbor)"),
        tr(
            "Transfers between tiles, between IPUs and with the host: bytes, cycles and balance of "
            "each, and on which tiles. Select some in the list to see only these."
        ),
        also=("programs", "steps", "measured_cycles", "target"),
        shows=("exchange",),
        words=("communication", "transfers", "bandwidth"),
        group="execution",
    ),
    PanelSpec(
        "texts",
        tr("Report text"),
        _panel("report_texts", "ReportTextsPanel"),
        ("texts",),
        tr("a text summary (graph.txt, execution.txt) in the folder of the report"),
        tr("The summaries that Poplar printed, line by line, to search and copy."),
        words=("graph.txt", "execution.txt"),
        group="data",
    ),
    PanelSpec(
        "source",
        tr("Source"),
        _panel("source.panel", "SourcePanel"),
        ("sources", "lines", "instructions"),
        tr(
            "an Ascend operator file (visualize_data.bin) with source or instructions: a kernel built with debug "
            "lines (-g)"
        ),
        tr(
            "Source on the left, its instructions on the right, with bars for their cost on the "
            "selected core. Select a line to see its instructions, or an instruction to see its line."
        ),
        also=("target",),
        shows=("line", "instruction"),
        words=("code", "assembly", "disassembly", "hotspots", "hot spots"),
    ),
    PanelSpec(
        "operator",
        tr("Operator"),
        _panel("operator.panel", "OperatorPanel"),
        ("operator",),
        tr("an Ascend operator file (visualize_data.bin) with base information"),
        tr(
            "What was measured, on which chip, and how long each block took. With more blocks than cores they run "
            "in waves: a nearly empty last wave costs as much as a full one. In a single wave the longest block "
            "decides."
        ),
        shows=("block",),
        words=("base information", "kernel"),
        group="cores",
    ),
    PanelSpec(
        "workload",
        tr("Workload"),
        _panel("workload.panel", "WorkloadPanel"),
        ("workload",),
        tr("an Ascend operator file (visualize_data.bin) with the compute workload"),
        tr(
            "For one block: the share of its cycles that each compute unit worked or waited, largest "
            "first, and the instructions, data and time of each sub-block."
        ),
        also=("memory_paths", "target"),
        words=("compute workload", "pipe utilisation", "utilization"),
        group="limits",
    ),
    PanelSpec(
        "core_load",
        tr("Core load"),
        _panel("core_load.panel", "CoreLoadPanel"),
        ("core_load",),
        tr("an Ascend operator file (visualize_data.bin) with the load of the cores"),
        tr(
            "Each card is a core of the chip, each tile a sub-core. Colour and level compare it with "
            "others of its kind: 4 to 6 is average. Cards without tiles had no work."
        ),
        also=("target",),
        shows=("core",),
        words=("load balance", "occupancy"),
        group="cores",
    ),
    PanelSpec(
        "memory_paths",
        tr("Memory paths"),
        _panel("memory_paths.panel", "MemoryPathsPanel"),
        ("memory_paths", "memory_tables"),
        tr("an Ascend operator file (visualize_data.bin) with a memory graph (block 0x08)"),
        tr(
            "How much data moved between the memories of a block. The colour of an arrow shows its "
            "share of the path's peak bandwidth; click it for its figures. Ctrl+wheel zooms."
        ),
        shows=("memory_path",),
        words=("bandwidth", "memory chart", "data flow"),
        group="limits",
    ),
    PanelSpec(
        "roofline",
        tr("Roofline"),
        _panel("roofline.panel", "RooflinePanel"),
        ("roofline",),
        tr("an Ascend operator file (visualize_data.bin) with rooflines (block 0x0D)"),
        tr(
            "How close the operator comes to the limits of memory (slanted) and compute units "
            "(flat). A point far below its roof means waiting. Click an entry of the legend to hide "
            "its line."
        ),
        shows=("roof",),
        words=("arithmetic intensity", "bound"),
        group="limits",
    ),
    PanelSpec(
        "cache",
        tr("Cache"),
        _panel("cache.panel", "CachePanel"),
        ("cache",),
        tr("an Ascend operator file with cache lines (block 0x0E) or cache sets (block 0x0B)"),
        tr(
            "Each cell is a line of the L2 cache, 128 in a row. Click a cell to select it with the instructions "
            "that hit or missed it; Ctrl+wheel zooms."
        ),
        also=("instructions",),
        shows=("cache_line", "cache_hit", "cache_miss", "cache_set"),
        words=("L2", "hit rate", "misses"),
        group="limits",
    ),
    PanelSpec(
        "memory_accesses",
        tr("Memory accesses"),
        _panel("memory_accesses.panel", "MemoryAccessesPanel"),
        ("memory_accesses",),
        tr("an Ascend operator file with single memory accesses (block 0x0A)"),
        tr(
            "Each bar is an access, in order of execution: it starts at its address and is as tall "
            "as its size. Ctrl+wheel zooms, over an axis only that axis; drag pans."
        ),
        shows=("access",),
        words=("addresses", "loads and stores"),
        group="limits",
    ),
    PanelSpec(
        "stall_reasons",
        tr("Stall reasons"),
        _panel("stall_reasons", "StallReasonsPanel"),
        ("stall_reasons",),
        tr("an Ascend operator file with samples of stalled warps (block 0x0F; SIMT on A5)"),
        tr("Why warps did not issue an instruction when they were sampled, the most frequent reason first."),
        words=("warp stalls", "sampling"),
        group="limits",
    ),
    PanelSpec(
        "onchip",
        tr("On-chip memory"),
        _panel("onchip.panel", "OnchipPanel"),
        ("onchip",),
        tr("the memory plan of a Triton kernel (memory_info.json)"),
        tr(
            "Each box is a memory block: its width is its lifetime, its height its size. The dashed "
            "line marks the fullest step; hatched blocks are temporary."
        ),
        shows=("onchip_block",),
        words=("unified buffer", "UB", "allocation", "memory plan"),
        group="limits",
    ),
    PanelSpec(
        "blobs",
        tr("Blobs"),
        _panel("blobs.panel", "BlobsPanel"),
        ("blobs",),
        tr("a PopEF file (.popef)"),
        tr(
            "The blobs in file order: executables, metadata, tensors, feeds and opaque data, and how "
            "much of the file each takes. {unverified}",
            unverified=UNVERIFIED,
        ),
        shows=("blob",),
        words=("file layout", "sections"),
    ),
    PanelSpec(
        "anchors",
        tr("Anchors"),
        _panel("anchors.panel", "AnchorsPanel"),
        ("model",),
        tr("a PopEF file with metadata"),
        tr(
            "Inputs and outputs of the model: those that the user provides, and those with data in "
            "the file. Details explain each shape."
        ),
        shows=("anchor",),
        words=("inputs", "outputs"),
        group="model",
    ),
    PanelSpec(
        "tensors",
        tr("Tensors"),
        _panel("tensors", "TensorsPanel"),
        ("model",),
        tr("a PopEF file with tensors or feeds"),
        tr("Tensors and feeds with values in the file. Select one to see its values."),
        also=("blobs",),
        shows=("tensor",),
        words=("feeds", "weights", "values"),
        group="model",
    ),
    PanelSpec(
        "model",
        tr("Model"),
        _panel("model.panel", "ModelPanel"),
        ("model",),
        tr("a PopEF file (.popef)"),
        tr(
            "How a model runs: its metadata, the programs that load it, run with each call and save "
            "it, and its build options."
        ),
        also=("blobs",),
        words=("metadata", "options"),
        group="model",
    ),
    PanelSpec(
        "content",
        tr("Content"),
        _panel("content.panel", "ContentPanel"),
        ("blobs",),
        tr("a PopEF file (.popef)"),
        tr(
            "The values of the selected tensor or feed as a table, an image, a histogram or bytes; of executables "
            "and opaque data the bytes. Without a selection: the largest tensor."
        ),
        also=("model",),
        words=("hex", "bytes", "values", "image"),
    ),
    PanelSpec(
        "scaling",
        tr("Scaling"),
        _panel("scaling.panel", "ScalingPanel"),
        ("programs", "steps", "execution", "tile_memory"),
        tr("a Poplar profile (without one, Scaling in the Tools menu takes typed numbers)"),
        tr(
            "How throughput depends on the number of replicas. Type on the left what the run does "
            "not state; the sliders of What if show the effect of changes."
        ),
        also=("target", "exchanges", "compute_sets"),
        alone=True,
        words=("replicas", "scale-out", "Amdahl", "speedup"),
        group="data",
    ),
    PanelSpec(
        "host_events",
        tr("Host events"),
        _panel("host_events", "HostEventsPanel"),
        ("host_events",),
        tr("a TensorFlow event log with IPU events (events.out.tfevents.*)"),
        tr(
            "Compilations, engine loads, transfers and executions as TensorFlow logged them. "
            "Embedded reports open as separate profiles; an event without a report states why."
        ),
        shows=("host_event", "report"),
        words=("TensorFlow", "compile", "engine load"),
        group="execution",
    ),
    PanelSpec(
        "tensor_map",
        tr("Tensor map"),
        _panel("tensor_map.panel", "TensorMapPanel"),
        ("tensor_map",),
        tr("a tensor map of TensorFlow (*.tensor_map.json), or an event log that contains one"),
        tr(
            "Each row is a tensor, each column a tile, each colour bytes. Select a tensor for its "
            "tiles, or tiles for their tensors. An evenly spread tensor has imbalance 1."
        ),
        also=("tile_memory", "target"),
        shows=("mapped_tensor", "tile"),
        words=("tile mapping", "layout"),
        group="memory",
    ),
    PanelSpec(
        "training_steps",
        tr("Training steps"),
        _panel("capture", "TrainingStepsPanel"),
        ("training_steps", "kernels", "collectives"),
        tr("a capture of an NPU (a folder *_ascend_pt or PROF_*), or a cluster's step times"),
        tr(
            "How each rank spends each training step: computing, communication that nothing overlaps, "
            "and free time. A step that is mostly communication waits for other ranks or for links."
        ),
        also=("capture",),
        words=("iterations", "step trace", "overlap analysis", "exposed communication", "bubble", "ranks"),
        group="execution",
    ),
    PanelSpec(
        "kernels",
        tr("Kernels"),
        _panel("capture", "KernelsPanel"),
        ("kernels",),
        tr("a capture of an NPU with kernel details"),
        tr(
            "The kernels of the device by type, and each of them with its shapes and counters; the "
            "operators of the framework and the calls of the host."
        ),
        also=("capture", "calls", "framework_operators"),
        words=("operators", "op summary", "kernel details", "AI Core", "PMU", "API statistics"),
        group="execution",
    ),
    PanelSpec(
        "communication",
        tr("Communication"),
        _panel("capture", "CommunicationPanel"),
        ("collectives", "links"),
        tr("a capture of an NPU with collectives, or a cluster's communication"),
        tr(
            "Collectives with the time that they transfer and wait, how late each rank begins, and the bandwidth of "
            "the links between ranks."
        ),
        also=("capture",),
        words=("HCCL", "all-reduce", "bandwidth", "slow link", "slow rank", "late rank"),
        group="execution",
    ),
    PanelSpec(
        "device_memory",
        tr("Device memory"),
        _panel("capture", "DeviceMemoryPanel"),
        ("memory_record", "memory_operators"),
        tr("a capture of an NPU with profile_memory"),
        tr(
            "Memory of the device over time: allocated, reserved and active bytes of the framework's "
            "allocator, and what took them."
        ),
        also=("capture",),
        words=("out of memory", "OOM", "allocator", "peak memory", "fragmentation"),
        group="memory",
    ),
    PanelSpec(
        "core_tasks",
        tr("Tasks on cores"),
        _panel("core_tasks", "CoreTasksPanel"),
        ("core_tasks",),
        tr("a PyPTO run (dfx_outputs, chip_swimlane_records.json, tilefwk_prof_data.json)"),
        tr(
            "The tasks of a PyPTO program by function: how long cores work for it, and how long they wait before it "
            "for data or for the scheduler; each task and core, and what depends on what."
        ),
        also=("timeline",),
        shows=("slice", "lane"),
        words=("PyPTO", "swimlane", "AIC", "AIV", "dispatch", "PMU"),
        group="execution",
    ),
    PanelSpec(
        "floor_plan",
        tr("Floor plan"),
        _panel("tenstorrent", "FloorPlanPanel"),
        ("worker_cores",),
        tr("a Tenstorrent capture (device log, NoC traces or report of ttnn), or a trace of AMD AI Engine tiles"),
        tr(
            "The cores or tiles of a chip at their places, coloured by what they do: cycles in kernels, zones, L1, "
            "bytes sent or received, or how long an event of a tile is on. Lines beside bytes are what goes between "
            "two cores; the dot is where it arrives."
        ),
        also=("device_run", "timeline", "noc_transfers", "core_memory", "target"),
        needs=lambda profile: profile.worker_cores is not None and len(profile.worker_cores) > 0,
        shows=("worker_core",),
        words=("cores", "grid", "heat map", "harvested", "NoC", "Tensix", "AIE", "tiles"),
        group="cores",
    ),
    PanelSpec(
        "zones",
        tr("Zones"),
        _panel("tenstorrent", "ZonesPanel"),
        ("device_run",),
        tr("a Tenstorrent device log (profile_log_device.csv)"),
        tr(
            "The zones of the device log by name and processor, with the cores that run them. Zones contain others, so "
            "their cycles do not add up. Idle cores run firmware and no kernel."
        ),
        also=("worker_cores", "lines", "operations", "core_memory", "noc_transfers", "target"),
        needs=lambda profile: bool(profile.device_run),
        words=("device profiler", "RISC-V", "BRISC", "TRISC", "hot spots", "cores"),
        group="execution",
    ),
    PanelSpec(
        "operations",
        tr("Device operations"),
        _panel("tenstorrent", "OperationsPanel"),
        ("operations",),
        tr("operations of Tenstorrent (ops_perf_results.csv)"),
        tr(
            "The operations by name, and each of them with all columns of the file, beside what the device log says of "
            "the same run. Empty cells were not measured."
        ),
        also=("device_run", "worker_cores"),
        shows=("operation",),
        words=("ops_perf_results", "kernel duration", "op to op latency", "utilisation", "signpost", "gaps"),
        group="execution",
    ),
    PanelSpec(
        "noc",
        "NoC",
        _panel("tenstorrent", "NocPanel"),
        ("noc_transfers",),
        tr("a trace of the network on chip of Tenstorrent (noc_trace*.json, or of tt-npe)"),
        tr(
            "Transfers of the network on chip by the core that issues them, each of them, and the demand of links that "
            "tt-npe simulated."
        ),
        also=("worker_cores",),
        words=("network on chip", "transfers", "links", "npe", "multicast", "bandwidth"),
        group="execution",
    ),
    PanelSpec(
        "core_memory",
        tr("L1 memory"),
        _panel("tenstorrent", "CoreMemoryPanel"),
        ("core_memory",),
        tr("a report of ttnn (db.sqlite)"),
        tr(
            "L1 of the fullest core while each operation runs, against its size; the cores with their peaks and free "
            "stretches, buffers and tensors."
        ),
        also=("worker_cores",),
        shows=("memory_operation",),
        words=("buffers", "fragmentation", "out of memory", "ttnn", "SRAM", "circular buffer"),
        group="memory",
    ),
    PanelSpec(
        "details",
        tr("Details"),
        _panel("details", "DetailsPanel"),
        (),
        "",
        tr(
            "Properties of the selection, and links to related items: the steps of a program, the "
            "instruction of a slice, the tiles of a compute set."
        ),
        words=("properties", "inspector", "selection"),
        group="inspector",
    ),
    PanelSpec(
        "issues",
        tr("Issues"),
        _panel("issues", "IssuesPanel"),
        (),
        tr("a problem that the reader or a check reports"),
        tr(
            "Problems reported by the reader and the consistency checks: what could not be read, "
            "what is contradictory, and where."
        ),
        also=("issues",),
        needs=lambda profile: bool(profile.issues),
        words=("warnings", "errors", "problems", "diagnostics"),
        group="inspector",
    ),
    PanelSpec(
        "findings",
        tr("Findings"),
        _panel("findings.panel", "FindingsPanel"),
        (),
        "",
        tr(
            "What costs time or memory, according to rules over the figures of the profile. Each "
            "finding states its evidence and an upper bound of the saving. Click the evidence to "
            "select it in all panels."
        ),
        words=("advice", "bottleneck", "why slow", "rules", "expert"),
        group="findings",
    ),
    PanelSpec(
        "raw_blocks",
        tr("File blocks"),
        _panel("raw_blocks", "RawBlocksPanel"),
        ("raw_blocks", "entries"),
        tr("an Ascend operator file (visualize_data.bin) or a report (.rep, OPPROF folder)"),
        tr(
            "Every block of the file and every file of the report in order, of known and unknown "
            "types. Select one to see its first bytes; save it to use it in another tool."
        ),
        words=("raw", "binary", "entries", "files of the report", "pack"),
        group="data",
    ),
    PanelSpec(
        "tables",
        tr("Tables"),
        _panel("tables", "TablesPanel"),
        (),
        "",
        tr(
            "Every table of this profile: click a header to sort, filter, copy rows, export. The "
            "other panels highlight what is selected here."
        ),
        words=("data", "rows", "export", "CSV"),
        group="data",
    ),
    PanelSpec(
        "query",
        tr("Query"),
        _panel("query.panel", "QueryPanel"),
        (),
        "",
        tr(
            "SQL over the tables of this profile, and of the baseline as baseline.NAME. Ctrl+Enter "
            "runs the statement. Examples has queries for this profile. Click a row with the number "
            "of an item to select it in all panels."
        ),
        words=("SQL", "DuckDB", "select", "statement", "database"),
        group="data",
    ),
)

SPECS: Final = {spec.id: spec for spec in PANELS}
"""The panels by id."""
