"""Main figures of Ascend operator files."""

from __future__ import annotations

from collections import Counter

import numpy as np

from app.analysis.ascend import roofline
from app.analysis.ascend.base_info import LAST, PACKING, WAVES, last_wave
from app.analysis.ascend.cores import core_names
from app.analysis.ascend.waves import NotChecked, waves
from app.analysis.figures.figure import Figure, Value
from app.analysis.table import Unit
from app.language import tr
from app.profile.arrays import distinct
from app.profile.ascend import Operator
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
    ratios = roofline.ratios(profile.roofline)
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
