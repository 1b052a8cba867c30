"""Memory paths, memory tables and rooflines."""

from __future__ import annotations

import numpy as np

from app.analysis.ascend import roofline as roofs
from app.analysis.ascend.counts import count_column
from app.analysis.ascend.paths import path_names
from app.analysis.ascend.ratios import hit_percent
from app.analysis.table import Coded, Column, Table
from app.language import tr
from app.profile.memory_paths import UNIT_NAMES
from app.profile.profile import Profile
from app.profile.strings import Strings

STORED_HIT = tr("As the file has it, in percent whatever it stores.")
HIT = "100 · hit / (hit + miss)."
REQUESTS = tr("As the file has it.")
THEORETICAL = tr("the path's theoretical bandwidth")
BANDWIDTH = tr("Bytes moved over the operator's duration.")


def memory_paths(profile: Profile, entry: int | None = None) -> Table | None:
    """One row per path of a block: of all blocks, or only of row ``entry`` of the blocks."""
    found = profile.memory_paths
    if found is None or not len(found.entry):
        return None
    rows = np.flatnonzero(found.entry == entry) if entry is not None else np.arange(len(found.entry))
    known, said = path_names(found.path[rows])
    columns = [
        Column("block", tr("Block"), Coded(found.blocks.block[found.entry[rows]], found.strings)),
        Column("type", tr("Operator type"), Coded(found.blocks.operator_type[found.entry[rows]], found.strings)),
        Column(
            "path",
            tr("Path"),
            found.path[rows],
            missing=found.path[rows] < 0,
            help=tr("The file's number of the path."),
            role="key",
        ),
        Column("name", tr("Name"), Coded(known, said[0])),
        Column("from", tr("From"), Coded(known, said[1])),
        Column("to", tr("To"), Coded(known, said[2])),
        count_column("request", tr("Requests"), found.request[rows]),
        Column("bandwidth", tr("Bandwidth"), found.bandwidth[rows], "GB/s", BANDWIDTH, stored=True),
        Column("peak", tr("Peak share"), found.peak[rows], "%", share_of=THEORETICAL, stored=True),
        Column(
            "display", tr("Display"), found.display[rows], help=tr("False: the diagram hides it until all are shown.")
        ),
    ]
    for key, title, suffix in (
        ("bandwidth_suffix", tr("Remark on the bandwidth"), found.bandwidth_suffix),
        ("request_suffix", tr("Remark on the requests"), found.request_suffix),
    ):
        if (suffix >= 0).any():
            columns.append(Column(key, title, Coded(suffix[rows], found.strings)))
    return Table("memory-paths", tr("Memory paths"), tuple(columns), "memory_path", rows.astype(np.int64))


def memory_blocks(profile: Profile) -> Table | None:
    """One row per block of the memory graph: its L2 cache and how busy its units are."""
    found = profile.memory_paths
    if found is None or not len(found.blocks.block):
        return None
    blocks = found.blocks
    columns = [
        Column("block", tr("Block"), Coded(blocks.block, found.strings)),
        Column("type", tr("Operator type"), Coded(blocks.operator_type, found.strings)),
        Column("chip", tr("Chip family"), Coded(blocks.soc, found.strings)),
        count_column("hit", "L2 hits", blocks.hit),
        count_column("miss", "L2 misses", blocks.miss),
        count_column("requests", "L2 requests", blocks.total, help=REQUESTS),
        Column("hit_rate", tr("L2 hit rate"), hit_percent(blocks.hit, blocks.miss), "%", HIT, share_of="L2 requests"),
        Column(
            "stored_hit_rate",
            tr("L2 hit rate in the file"),
            blocks.hit_rate,
            "%",
            STORED_HIT,
            share_of="L2 requests",
            stored=True,
        ),
    ]
    for place, unit in enumerate(UNIT_NAMES):
        if not np.isnan(blocks.unit_total_cycles[:, place]).all():
            key = unit.lower()
            busy, total = blocks.unit_cycles[:, place], blocks.unit_total_cycles[:, place]
            columns.append(count_column(f"{key}_cycles", tr("{unit} cycles", unit=unit), busy, "cycles"))
            columns.append(count_column(f"{key}_total", tr("{unit} total cycles", unit=unit), total, "cycles"))
            ratio = blocks.unit_ratio[:, place]
            columns.append(
                Column(
                    f"{key}_ratio",
                    tr("{unit} busy", unit=unit),
                    ratio,
                    "%",
                    share_of=tr("{unit} total cycles", unit=unit),
                    stored=True,
                )
            )
    columns.append(Column("advice", tr("Advice"), tuple("; ".join(lines) for lines in blocks.advice)))
    keys = np.array([block_number(found.strings.get(code)) for code in blocks.block.tolist()], np.int64)
    return Table("memory-blocks", tr("L2 cache and units of the blocks"), tuple(columns), "block", keys)


def block_number(name: str) -> int:
    """The number of a block by its name; -1 for the mean of several ("NA") and other texts."""
    return int(name) if name.isascii() and name.isdigit() and len(name) < 10 else -1


def roofline(profile: Profile) -> Table | None:
    """One row per roof with its point."""
    found = profile.roofline
    if found is None or not len(found.chart):
        return None
    ratio = 100.0 * roofs.ratios(found)
    stored = 100.0 * found.ratio
    recomputed = tr("100 · performance / min(intensity · bandwidth, compute).")
    bound = tr("Above 80 % of its roof: memory left of the ridge, compute right of it; else latency.")
    columns = (
        Column("chart", tr("Chart"), Coded(found.chart, Strings.of(found.titles))),
        Column("bandwidth_name", tr("Memory"), Coded(found.bandwidth_name, found.strings)),
        Column("bandwidth", tr("Bandwidth"), found.bandwidth, "TB/s", stored=True),
        Column("compute_name", tr("Computing unit"), Coded(found.compute_name, found.strings)),
        Column("compute", tr("Compute"), found.compute, "TOps/s", stored=True),
        Column("ridge", tr("Ridge"), roofs.ridges(found), "Ops/Byte", "compute / bandwidth."),
        Column("intensity", tr("Arithmetic intensity"), found.intensity, "Ops/Byte", stored=True),
        Column("performance", tr("Performance"), found.performance, "TOps/s", stored=True),
        Column("ratio", tr("Ratio"), ratio, "%", recomputed, share_of=tr("the roof above the point")),
        Column(
            "stored_ratio",
            tr("Ratio in the file"),
            stored,
            "%",
            tr("As the file has it."),
            share_of=tr("the roof above the point"),
        ),
        Column("bound", tr("Bound"), roofs.verdicts(found), help=bound),
    )
    return Table("roofline", tr("Roofline"), columns, "roof", note=found.advice)
