"""Main figures of Ascend operator files, of reports (recomputed from the sums of their tables), and of on-chip memory
plans."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

import numpy as np

from app.analysis.ascend import launch, paths
from app.analysis.ascend.cores import core_names
from app.analysis.ascend.launch import LAST, PACKING, WAVES, NotChecked, last_wave, waves
from app.analysis.figures import Figure, Value
from app.analysis.onchip import peaks, scope_names
from app.analysis.table import Unit
from app.language import tr
from app.profile.arrays import F64, distinct
from app.profile.ascend import Operator
from app.profile.ascend_report import ReportTables
from app.profile.profile import Profile


def figures(profile: Profile) -> list[Figure]:
    """The figures of the blocks that the file has."""
    return [*_operator(profile), *_blocks(profile), *_program(profile), *_details(profile)]


def _operator(profile: Profile) -> list[Figure]:
    base = profile.operator
    if base is None:
        return []
    seconds = None if base.duration_us is None else base.duration_us / 1e6
    rows: list[tuple[str, str, Value | None, Unit]] = [
        ("operator.name", tr("Operator"), base.name, ""),
        ("operator.type", tr("Operator type"), base.type, ""),
        ("operator.soc", tr("Chip"), base.soc, ""),
        ("operator.duration_s", tr("Duration"), seconds, "s"),
        ("operator.block_dim", tr("Blocks launched"), base.block_dim, ""),
    ]
    return [
        Figure(name, label, value, unit, tr("Base information (block 0x05)."))
        for name, label, value, unit in rows
        if value not in (None, "")
    ] + _waves(base)


def _waves(base: Operator) -> list[Figure]:
    """The number of waves in which the blocks run."""
    result = waves(base)
    if isinstance(result, NotChecked):
        shown = tr("not checked: {why}", why=result.why)
        return [Figure("operator.waves_not_checked", tr("Waves"), result.code, help=WAVES, shown=shown)]
    figures = [
        Figure("operator.cores", "", result.cores, help=tr("The {core_word} of the chip.", core_word=result.core_word)),
        Figure("operator.waves", tr("Waves"), result.count, help=WAVES),
        Figure("operator.last_wave_blocks", "", result.last, help=LAST),
        Figure(
            "operator.last_wave", tr("Last wave"), f"{result.last}/{result.cores}", help=LAST, shown=last_wave(result)
        ),
    ]
    if result.packing is not None:
        seconds = result.packing.perfect / 1e6
        figures.append(Figure("operator.perfect_packing_s", tr("Perfect packing (estimate)"), seconds, "s", PACKING))
    return figures


def _blocks(profile: Profile) -> list[Figure]:
    if profile.raw_blocks is None:
        return []
    counts = Counter(profile.raw_blocks.type.tolist())
    named = {f"0x{kind:02X}": count for kind, count in sorted(counts.items())}
    return [Figure("blocks", tr("Blocks of the file"), named, help=tr("Number of blocks of each type."))]


def _program(profile: Profile) -> list[Figure]:
    main: list[Figure] = []
    if profile.instructions is not None or profile.lines is not None:
        main.append(
            Figure(
                "cores",
                tr("Cores"),
                list(core_names(profile)),
                help=tr("Cores of the instructions, else of the lines."),
            )
        )
    if profile.sources is not None:
        count = len(profile.sources.paths)
        main.append(Figure("sources.count", tr("Source texts"), count, help=tr("Different paths (block 0x01).")))
    if profile.lines is not None:
        main.append(
            Figure(
                "lines.count", tr("Source lines"), len(profile.lines.line), help=tr("Lines with figures (block 0x03).")
            )
        )
    if profile.instructions is not None:
        count = len(profile.instructions.address)
        main.append(Figure("instructions.count", tr("Instructions"), count, help=tr("Rows of block 0x04.")))
    return main


def _details(profile: Profile) -> list[Figure]:
    main: list[Figure] = []
    if profile.workload is not None:
        count = len(profile.workload.block)
        main.append(Figure("workload.rows", tr("Workload items"), count, help=tr("Items of blocks 0x06 and 0x07.")))
    if profile.memory_paths is not None:
        paths = profile.memory_paths
        blocks, units = len(paths.blocks.block), len(paths.entry)
        main.append(
            Figure("memory_paths.blocks", tr("Blocks with memory paths"), blocks, help=tr("Entries of block 0x08."))
        )
        main.append(Figure("memory_paths.count", tr("Memory paths"), units, help=tr("Memory units of all entries.")))
    if profile.memory_tables is not None:
        count = len(profile.memory_tables)
        main.append(Figure("memory_tables.count", tr("Memory tables"), count, help=tr("Tables of all blocks (0x09).")))
    return [*main, *_roofline(profile), *_caches(profile)]


def _roofline(profile: Profile) -> list[Figure]:
    if profile.roofline is None:
        return []
    ratios = paths.ratios(profile.roofline)
    main = [Figure("roofline.lines", tr("Rooflines"), len(ratios), help=tr("Roofs with a point (block 0x0D)."))]
    if len(ratios) and not np.isnan(ratios).all():
        helped = tr("Largest value of performance / min(intensity · bandwidth, compute), recomputed.")
        best = float(np.nanmax(ratios))
        main.append(Figure("roofline.best_ratio", tr("Best roofline ratio"), best, help=helped))
    return main


def _caches(profile: Profile) -> list[Figure]:
    main: list[Figure] = []
    if profile.core_load is not None:
        cores = len(distinct(profile.core_load.core))
        main.append(
            Figure("core_load.cores", tr("Cores with load"), cores, help=tr("Different core ids (block 0x0C)."))
        )
    if profile.cache is not None and profile.cache.lines is not None:
        count = len(profile.cache.lines.line)
        main.append(Figure("cache.lines", tr("Cache lines"), count, help=tr("Records of block 0x0E.")))
    if profile.cache is not None and profile.cache.sets is not None:
        main.append(Figure("cache.sets", tr("Cache sets"), len(profile.cache.sets), help=tr("Records of block 0x0B.")))
    if profile.memory_accesses is not None:
        count = len(profile.memory_accesses.record)
        main.append(Figure("memory_accesses.count", tr("Memory accesses"), count, help=tr("Records of block 0x0A.")))
    return main


BYTES_PER_KB: Final = 1024
_PIPE: Final = re.compile(r"(ai[cv])_(cube|vec|mte\d|fixpipe|scalar)_ratio")
_OPERATIONS: Final = ("aic_cube_fops", "aiv_vec_fops")
_READ, _WRITTEN = "read_main_memory_datas(KB)", "write_main_memory_datas(KB)"
_CONFLICTS: Final = "aiv_vec_total_cflt_ratio"
FROM_SUMS: Final = tr("Sum of the pipe's times over the sum of the times of its cores (PipeUtilization).")
MEAN_RATIO: Final = tr("Mean of the ratios in the file (PipeUtilization), not weighted by the work of the cores.")
BALANCE: Final = tr("1 - population standard deviation / mean of the longest time of each block.")


def report_figures(profile: Profile) -> list[Figure]:
    """Figures of the whole operator. No row of the tables stands for it, and rates cannot be added up: they are
    recomputed from sums, and means are called so (Ascend operator reports, section 2.1)."""
    tables = profile.report_tables
    if tables is None:
        return []
    return [
        *_report_blocks(profile),
        *_pipes(tables),
        *_traffic(profile, tables),
        *_report_caches(profile),
        *_conflicts(tables),
    ]


def _report_blocks(profile: Profile) -> list[Figure]:
    base = profile.operator
    stored = launch.of_blocks(base) if base is not None else np.empty((0, 0))
    stored = stored[~np.isnan(stored).all(axis=1)] if stored.size else stored
    if not stored.size:
        return []
    longest = np.nanmax(stored, axis=1)
    mean = float(longest.mean())
    helped = tr("Mean of the longest time of each block.")
    made = [
        Figure("report.block_time_mean_s", tr("Mean block time"), mean / 1e6, "s", helped),
        Figure("report.block_time_min_s", "", float(longest.min()) / 1e6, "s", helped),
        Figure("report.block_time_max_s", tr("Longest block time"), float(longest.max()) / 1e6, "s", helped),
    ]
    if mean > 0:
        balance = 1.0 - float(longest.std()) / mean
        made.append(Figure("report.balance", tr("Balance of the blocks"), balance, help=BALANCE))
    return made


def _pipes(tables: ReportTables) -> list[Figure]:
    """The share of each pipe in the time of its cores, from sums and as the mean of the ratios."""
    made = []
    table = tables.named_like("PipeUtilization")
    for title in [column.name for column in table.columns] if table else ():
        match = _PIPE.fullmatch(title)
        if match is None:
            continue
        side, pipe = match[1], match[2]
        ratio, time, whole = (
            _column(tables, "PipeUtilization", name) for name in (title, f"{side}_{pipe}_time(us)", f"{side}_time(us)")
        )
        key = f"report.{side}_{pipe}"
        both = ~np.isnan(time) & ~np.isnan(whole) if time.size == whole.size else np.zeros(0, np.bool_)
        if both.any() and whole[both].sum() > 0:
            share = 100.0 * float(time[both].sum() / whole[both].sum())
            label = tr("{pipe} of {side}, from sums", pipe=pipe, side=side)
            made.append(Figure(f"{key}_share", label, share, "%", FROM_SUMS))
        if not np.isnan(ratio).all():
            made.append(Figure(f"{key}_mean_ratio", "", float(np.nanmean(ratio)), help=MEAN_RATIO))
    return made


def _traffic(profile: Profile, tables: ReportTables) -> list[Figure]:
    """Bytes moved, operations, and what a roofline is made from; the files have no peak of the chip, so no roof."""
    read, written = (_sum(_column(tables, "Memory", title)) for title in (_READ, _WRITTEN))
    operations = _sum(np.concatenate([_column(tables, "ArithmeticUtilization", title) for title in _OPERATIONS]))
    made = []
    for key, label, amount in (
        ("read", tr("Read from main memory"), read),
        ("written", tr("Written to main memory"), written),
    ):
        if amount is not None:
            helped = tr("Sum over all rows (Memory).")
            made.append(Figure(f"report.bytes_{key}", label, amount * BYTES_PER_KB, "B", helped))
    if operations is None:
        return made
    helped = tr("Sum of fops over all rows (ArithmeticUtilization).")
    made.append(Figure("report.operations", tr("Operations"), int(operations), help=helped))
    moved = BYTES_PER_KB * ((read or 0.0) + (written or 0.0))
    if moved > 0:
        helped = tr("Operations / bytes read from and written to main memory.")
        made.append(Figure("report.intensity", tr("Arithmetic intensity"), operations / moved, "Ops/Byte", helped))
    duration = profile.operator.duration_us if profile.operator is not None else None
    if duration:
        helped = tr("Operations / duration of the operator.")
        rate = operations / duration / 1e6
        made.append(Figure("report.performance_tops", tr("Performance"), rate, "TOps/s", helped))
    return made


def _report_caches(profile: Profile) -> list[Figure]:
    blocks = profile.memory_paths.blocks if profile.memory_paths is not None else None
    hits, total = (None, None) if blocks is None else (_sum(blocks.hit), _sum(blocks.total))
    if hits is None or not total:
        return []
    helped = tr("100 · hits / accesses of all blocks.")
    return [
        Figure("report.l2_hits", "", int(hits)),
        Figure("report.l2_accesses", "", int(total)),
        Figure("report.l2_hit_rate", tr("L2 hit rate"), 100.0 * hits / total, "%", helped),
    ]


def _conflicts(tables: ReportTables) -> list[Figure]:
    ratio = _column(tables, "ResourceConflictRatio", _CONFLICTS)
    if not ratio.size or np.isnan(ratio).all():
        return []
    helped = tr("Mean of aiv_vec_total_cflt_ratio over the rows (ResourceConflictRatio).")
    mean = 100.0 * float(np.nanmean(ratio))
    return [Figure("report.vector_conflicts_mean", tr("Mean vector conflicts"), mean, "%", helped)]


def _column(tables: ReportTables, name: str, title: str) -> F64:
    """float64[rows]: the figures of a column; empty without it."""
    table = tables.named_like(name)
    columns = table.columns if table is not None else ()
    wanted = title.lower()
    for column in columns:
        if column.name.lower() == wanted and column.strings is None:
            return column.of_core(0)
    return np.empty(0)


def _sum(values: F64) -> float | None:
    """The sum of what is known; None if nothing is."""
    known = values[~np.isnan(values)]
    return float(known.sum()) if len(known) else None


def onchip_figures(profile: Profile) -> list[Figure]:
    """The figures; empty for a profile without a plan."""
    plan = profile.onchip
    if plan is None:
        return []
    names, live = scope_names(plan), peaks(plan)
    main = [
        Figure("onchip.blocks", tr("Blocks"), len(plan.blocks), help=tr("One for each offset of each buffer.")),
        Figure("onchip.scopes", tr("Memories"), names, help=tr("Scopes, in the order of the file.")),
    ]
    if plan.kernel:
        main.insert(0, Figure("onchip.kernel", tr("Kernel"), plan.kernel, help=tr("KernelName of the header.")))
    if len(plan.blocks):
        text = tr("Most bytes in one memory at one step: blocks whose lifetime includes the step.")
        main.append(Figure("onchip.peak_bytes", tr("Peak"), int(np.max(live)), "B", text))
        by_scope = dict(zip(names, live.tolist(), strict=True))
        main.append(Figure("onchip.peaks", tr("Peak by memory"), by_scope, "B", text))
    return main
