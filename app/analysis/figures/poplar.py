"""Main figures of Poplar profiles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from app.analysis.figures import Figure
from app.analysis.memory import NO_GAPS, WITH_GAPS, replicas, used, verdict
from app.analysis.poplar import names
from app.analysis.poplar.liveness import PER_TILE, PROGRAM, peak_node, peaks
from app.analysis.poplar.names import EXCHANGE_TITLES
from app.analysis.poplar.numbers import WHAT, counted, sync_delays
from app.analysis.poplar.runs import not_measured, tile_cycles, tiles_of_run, type_totals
from app.analysis.table import Unit
from app.language import joined, tr
from app.profile.arrays import Integers
from app.profile.poplar import EXCHANGE_KINDS, TileMemory
from app.profile.profile import Profile

SYNC: Final = tr("Tiles of one IPU: minSyncDelay + relativeSyncDelayByTile; the same for every IPU.")
OPTIMISATION: Final = tr("optimizationInfo: figures of the compilation; their meaning is not documented.")


def figures(profile: Profile) -> list[Figure]:
    """The figures; empty for profiles of other formats. Those that the files lack are left out."""
    if profile.origin.format != "poplar":
        return []
    return [
        *_target(profile),
        *_graph(profile),
        *_memory(profile),
        *_liveness(profile),
        *_execution(profile),
        *_files(profile),
    ]


def _target(profile: Profile) -> Iterator[Figure]:
    target = profile.target
    if target is None:
        return
    if target.kind:
        yield Figure("target.kind", tr("Target"), target.kind)
    values: tuple[tuple[str, str, float | None, Unit], ...] = (
        ("target.ipus", tr("IPUs"), target.ipus, ""),
        ("target.tiles", tr("Tiles"), target.tiles, ""),
        ("target.tiles_per_ipu", tr("Tiles per IPU"), target.tiles_per_ipu, ""),
        ("target.bytes_per_tile", tr("Memory per tile"), target.bytes_per_tile, "B"),
        ("target.total_bytes", tr("Memory of all tiles"), target.total_bytes, "B"),
        ("target.clock_hz", tr("Clock"), target.clock_hz, "Hz"),
    )
    for name, label, value, unit in values:
        if value is not None:
            yield Figure(name, label, value, unit, tr("target, as stated in the graph profile."))
    delays = sync_delays(target)
    if delays is not None and len(delays):
        yield Figure("target.min_sync_delay", tr("Minimum sync delay"), int(delays.min()), "cycles", SYNC)
        yield Figure("target.max_sync_delay", tr("Maximum sync delay"), int(delays.max()), "cycles", SYNC)


def _graph(profile: Profile) -> Iterator[Figure]:
    graph, sets = profile.graph, profile.compute_sets
    count = graph.compute_sets if graph is not None and graph.compute_sets is not None else None
    if count is None and sets is not None:
        count = sets.count
    if count is not None:
        yield Figure(
            "graph.compute_sets",
            tr("Compute sets"),
            count,
            help=tr("graph.numComputeSets, else the length of the list."),
        )
    if graph is not None:
        counts = (
            ("graph.vertices", tr("Vertices"), graph.vertices),
            ("graph.edges", tr("Edges"), graph.edges),
            ("graph.variables", tr("Variables"), graph.variables),
        )
        for name, label, value in counts:
            if value is not None:
                yield Figure(name, label, value, help=tr("graph, as stated in the graph profile."))
        if graph.optimisation:
            options = dict(graph.optimisation)
            yield Figure("graph.optimisation", tr("Optimisation"), options, help=OPTIMISATION)
    if profile.vertex_types is not None:
        yield Figure("vertex_types.count", tr("Vertex types"), len(profile.vertex_types))
    if profile.programs is not None:
        yield Figure("programs.count", tr("Programs"), len(profile.programs))
    for kind in EXCHANGE_KINDS if profile.exchanges is not None else ():
        own = profile.exchanges.of(kind) if profile.exchanges is not None else None
        if own is not None:
            yield Figure(f"exchanges.{kind}", EXCHANGE_TITLES[kind], len(own))
    yield from _instructions(profile)


def _instructions(profile: Profile) -> Iterator[Figure]:
    sums = names.instruction_totals(profile)
    if sums is not None:
        total = int(sums.bytes.sum()) if sums.stated is None else sums.stated
        kinds = zip(sums.kinds, sums.bytes.tolist(), strict=True)
        by_kind = {names.TOTAL: total, **{kind: size for kind, size in kinds if size > 0}}
        help_ = tr(
            "memoryByInstruction by kind of instruction, summed over the programs with exchanges; only kinds with "
            "bytes."
        )
        yield Figure("exchanges.instruction_bytes", tr("Exchange instructions"), by_kind, "B", help_)


def _memory(profile: Profile) -> Iterator[Figure]:
    memory = profile.tile_memory
    if memory is None:
        return
    if memory.total is not None:
        yield Figure(
            "memory.total_bytes",
            tr("Memory used"),
            _sum(memory.total),
            "B",
            tr("{no_gaps} Sum over tiles.", no_gaps=NO_GAPS),
        )
    if memory.total_with_gaps is not None:
        total = _sum(memory.total_with_gaps)
        yield Figure(
            "memory.total_with_gaps_bytes",
            tr("Memory used with gaps"),
            total,
            "B",
            tr("Sum over tiles of what must fit on each, including the gaps due to alignment and memory regions."),
        )
    values = used(memory)
    if values is not None and len(values):
        tile = int(np.argmax(values))
        first = 0 if profile.target is None else profile.target.first_tile
        yield Figure(
            "memory.max_tile",
            tr("Fullest tile"),
            tile + first,
            help=tr("The tile with the most bytes including gaps; the first of several."),
            role="key",
        )
        yield Figure("memory.max_tile_bytes", tr("Bytes on the fullest tile"), int(values[tile]), "B", WITH_GAPS)
    yield from _fit(profile)
    yield from _categories(memory)


def _fit(profile: Profile) -> Iterator[Figure]:
    fit = verdict(profile)
    if fit is not None:
        help_ = tr("No tile needs more bytes including gaps than the target has, and nothing overflows.")
        yield Figure("memory.fits", tr("Fits in memory"), fit.fits, help=help_)
        over = tr("Number of tiles that need more bytes, including gaps, than a tile has.")
        yield Figure("memory.tiles_over", tr("Tiles out of memory"), fit.tiles_over, help=over)
        yield Figure("memory.headroom_bytes", tr("Headroom"), fit.headroom, "B", tr("Free bytes on the fullest tile."))
        first = 0 if profile.target is None else profile.target.first_tile
        worst = [tile.tile + first for tile in fit.worst]
        yield Figure(
            "memory.worst_tiles", tr("Fullest tiles"), worst, help=tr("Tiles by bytes including gaps, largest first.")
        )
    count = replicas(profile)
    if count is not None and count > 1:
        help_ = tr("Arrays per tile are those of one replica; the whole machine has this many replicas.")
        yield Figure("memory.replicas", tr("Replicas"), count, help=help_)
        if profile.tile_memory is not None and profile.tile_memory.total is not None:
            whole = count * _sum(profile.tile_memory.total)
            help_ = tr("Memory used x replicas; all other memory figures are those of one replica.")
            yield Figure("memory.all_replicas_bytes", tr("Memory used, all replicas"), whole, "B", help_)


def _categories(memory: TileMemory) -> Iterator[Figure]:
    table = memory.categories
    if table is None:
        return
    sums = dict.fromkeys(table.names, 0)
    stated = {table.names[of]: _sum(table.totals[row]) for row, of in enumerate(table.total_of.tolist())}
    parts = table.bytes.sum(axis=1, dtype=np.int64).tolist()
    for of, size in zip(table.category.tolist(), parts, strict=True):
        sums[table.names[of]] += size
    help_ = tr("byCategory total over all tiles (else the sum of its parts). Categories may share bytes.")
    yield Figure("memory.by_category", tr("Memory by category"), {**sums, **stated}, "B", help_)


def _liveness(profile: Profile) -> Iterator[Figure]:
    tops = peaks(profile)
    if tops is not None:
        if tops.always_live is not None:
            yield Figure("liveness.always_live_bytes", tr("Always live"), tops.always_live, "B", tr("Sum over tiles."))
        if tops.program is not None:
            yield Figure("liveness.peak_program_bytes", tr("Program peak"), tops.program, "B", PROGRAM)
        if tops.tiles is not None:
            yield Figure("liveness.peak_tiles_bytes", tr("Sum of tile peaks"), tops.tiles, "B", PER_TILE)
    if profile.liveness is not None:
        yield Figure("liveness.nodes", tr("Liveness nodes"), len(profile.liveness))
    own = profile.live_variables
    if own is not None:
        yield Figure(
            "liveness.variables", tr("Live variables"), len(own), help=tr("Variables listed in memory.liveness.")
        )
        lasting = int(own.always.sum())
        yield Figure(
            "liveness.always_live_variables",
            tr("Always-live variables"),
            lasting,
            help=tr("Variables listed as always live."),
        )
        peak = peak_node(profile)
        if peak is not None:
            count = int(own.at.lengths[peak])
            help_ = tr("Variables at the program step with the most live bytes.")
            yield Figure("liveness.peak_variables", tr("Variables live at peak"), count, help=help_)


def _execution(profile: Profile) -> Iterator[Figure]:
    run = profile.execution
    if run is None:
        return
    if run.mode:
        yield Figure("execution.mode", tr("Profiler mode"), run.mode)
    if run.cycles is not None:
        yield Figure("execution.cycles", tr("Run"), run.cycles, "cycles", "simulation.cycles")
        seconds = profile.target.seconds(run.cycles) if profile.target is not None else None
        if seconds is not None:
            yield Figure("execution.seconds", tr("Run time"), seconds, "s", tr("Cycles / clock of the target."))
    if profile.steps is not None:
        yield Figure("execution.steps", tr("Steps"), len(profile.steps))
    if run.trace is not None:
        yield Figure("execution.trace_length", tr("Programs run"), len(run.trace), help=tr("Length of programTrace."))
    if run.runs is not None and len(run.runs):
        yield Figure("execution.runs", tr("Runs"), run.runs.tolist(), help=tr("Names of the runs in the profile."))
    if run.tile_cycles:
        title, about = tr("Cycles of all tiles"), _tile_help(profile)
        yield Figure("execution.tile_cycles", title, dict(run.tile_cycles), "cycles", about, clocked=False)
    counting = {kind: one for kind in WHAT if (one := counted(profile, kind)) is not None}
    if counting:
        codes = {kind.removesuffix("_single").replace("_", " "): one.counting for kind, one in counting.items()}
        labels = {WHAT[kind]: one.label for kind, one in counting.items()}
        why = joined(" ", (one.words for one in counting.values()))
        yield Figure("execution.measured", tr("Measured cycles"), codes, help=why, shown=labels)
    if profile.steps is not None:
        totals = {
            total.type: {"steps": total.steps} | ({} if total.cycles is None else {"cycles": total.cycles})
            for total in type_totals(profile.steps)
        }
        help_ = tr("Sum of the steps' own cycles; steps overlap, so the sums may exceed the run.")
        yield Figure("execution.by_type", tr("Steps by type"), totals, help=help_)


def _tile_help(profile: Profile) -> str:
    if profile.execution is None:
        return ""
    check = tile_cycles(profile.execution, tiles_of_run(profile))
    if check.missing:
        options = not_measured(profile.execution.tile_cycles)
        parts = [
            tr("{kind} (needs {option})", kind=kind, option=options[kind]) if kind in options else kind
            for kind in check.missing
        ]
        return tr("Not measured: {parts}.", parts=", ".join(parts))
    if check.expected is None:
        return tr("Sums over all tiles.")
    shows = (
        tr("which is true")
        if check.holds
        else tr("which is false: {total:,}, expected {expected:,}", total=check.total, expected=check.expected)
    )
    return tr("All kinds except activeCompute add up to cycles x tiles, {shows}.", shows=shows)


def _files(profile: Profile) -> Iterator[Figure]:
    files = profile.report_files
    if files is not None:
        read = files.read.tolist()
        codes = {
            name: kind if seen else f"not-shown:{kind}"
            for name, kind, seen in zip(files.names, files.kinds, read, strict=True)
        }
        listed = {
            name: what if seen else tr("{what}, not shown", what=what)
            for name, what, seen in zip(files.names, files.what, read, strict=True)
        }
        yield Figure("report.files", tr("Report files"), codes, help=tr("Files in the same folder."), shown=listed)
    if profile.variables is not None:
        yield Figure("report.variables", tr("Lowered variables"), len(profile.variables), help="vars.json")


def _sum(values: Integers) -> int:
    return int(values.sum(dtype=np.int64))
