"""Memory paths, memory tables and rooflines."""

from __future__ import annotations

import numpy as np

from app.analysis.ascend import roofline as roofs
from app.analysis.ascend.counts import count_column
from app.analysis.ascend.paths import path_names
from app.analysis.ascend.ratios import hit_percent
from app.analysis.table import Coded, Column, Table
from app.profile.memory_paths import UNIT_NAMES
from app.profile.profile import Profile
from app.profile.strings import Strings

STORED_HIT = "As the file has it, in percent whatever it stores."
HIT = "100 · hit / (hit + miss)."
REQUESTS = "As the file has it."
THEORETICAL = "the path's theoretical bandwidth"
BANDWIDTH = "Bytes moved over the operator's duration."


def memory_paths(profile: Profile, entry: int | None = None) -> Table | None:
    """One row a path of a block: of all blocks, or of row ``entry`` of the blocks alone."""
    found = profile.memory_paths
    if found is None or not len(found.entry):
        return None
    rows = np.flatnonzero(found.entry == entry) if entry is not None else np.arange(len(found.entry))
    known, said = path_names(found.path[rows])
    columns = [
        Column("block", "Block", Coded(found.blocks.block[found.entry[rows]], found.strings)),
        Column("type", "Operator type", Coded(found.blocks.operator_type[found.entry[rows]], found.strings)),
        Column(
            "path",
            "Path",
            found.path[rows],
            missing=found.path[rows] < 0,
            help="The file's number of the path.",
            role="key",
        ),
        Column("name", "Name", Coded(known, said[0])),
        Column("from", "From", Coded(known, said[1])),
        Column("to", "To", Coded(known, said[2])),
        count_column("request", "Requests", found.request[rows]),
        Column("bandwidth", "Bandwidth", found.bandwidth[rows], "GB/s", BANDWIDTH, stored=True),
        Column("peak", "Peak share", found.peak[rows], "%", share_of=THEORETICAL, stored=True),
        Column("display", "Display", found.display[rows], help="False: the diagram hides it until all are shown."),
    ]
    for key, title, suffix in (
        ("bandwidth_suffix", "Remark on the bandwidth", found.bandwidth_suffix),
        ("request_suffix", "Remark on the requests", found.request_suffix),
    ):
        if (suffix >= 0).any():
            columns.append(Column(key, title, Coded(suffix[rows], found.strings)))
    return Table("memory-paths", "Memory paths", tuple(columns), "memory_path", rows.astype(np.int64))


def memory_blocks(profile: Profile) -> Table | None:
    """One row a block of the memory graph: its L2 cache and how busy its units are."""
    found = profile.memory_paths
    if found is None or not len(found.blocks.block):
        return None
    blocks = found.blocks
    columns = [
        Column("block", "Block", Coded(blocks.block, found.strings)),
        Column("type", "Operator type", Coded(blocks.operator_type, found.strings)),
        Column("chip", "Chip family", Coded(blocks.soc, found.strings)),
        count_column("hit", "L2 hits", blocks.hit),
        count_column("miss", "L2 misses", blocks.miss),
        count_column("requests", "L2 requests", blocks.total, help=REQUESTS),
        Column("hit_rate", "L2 hit rate", hit_percent(blocks.hit, blocks.miss), "%", HIT, share_of="L2 requests"),
        Column(
            "stored_hit_rate",
            "L2 hit rate in the file",
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
            columns.append(count_column(f"{key}_cycles", f"{unit} cycles", busy, "cycles"))
            columns.append(count_column(f"{key}_total", f"{unit} total cycles", total, "cycles"))
            ratio = blocks.unit_ratio[:, place]
            columns.append(
                Column(f"{key}_ratio", f"{unit} busy", ratio, "%", share_of=f"{unit} total cycles", stored=True)
            )
    columns.append(Column("advice", "Advice", tuple("; ".join(lines) for lines in blocks.advice)))
    keys = np.array([block_number(found.strings.get(code)) for code in blocks.block.tolist()], np.int64)
    return Table("memory-blocks", "L2 cache and units of the blocks", tuple(columns), "block", keys)


def block_number(name: str) -> int:
    """The number of a block by its name; -1 for the mean of several ("NA") and other texts."""
    return int(name) if name.isascii() and name.isdigit() and len(name) < 10 else -1


def roofline(profile: Profile) -> Table | None:
    """One row a roof with its point."""
    found = profile.roofline
    if found is None or not len(found.chart):
        return None
    ratio = 100.0 * roofs.ratios(found)
    stored = 100.0 * found.ratio
    recomputed = "100 · performance / min(intensity · bandwidth, compute)."
    bound = "Above 80 % of its roof: memory left of the ridge, compute right of it; else latency."
    columns = (
        Column("chart", "Chart", Coded(found.chart, Strings.of(found.titles))),
        Column("bandwidth_name", "Memory", Coded(found.bandwidth_name, found.strings)),
        Column("bandwidth", "Bandwidth", found.bandwidth, "TB/s", stored=True),
        Column("compute_name", "Computing unit", Coded(found.compute_name, found.strings)),
        Column("compute", "Compute", found.compute, "TOps/s", stored=True),
        Column("ridge", "Ridge", roofs.ridges(found), "Ops/Byte", "compute / bandwidth."),
        Column("intensity", "Arithmetic intensity", found.intensity, "Ops/Byte", stored=True),
        Column("performance", "Performance", found.performance, "TOps/s", stored=True),
        Column("ratio", "Ratio", ratio, "%", recomputed, share_of="the roof above the point"),
        Column(
            "stored_ratio", "Ratio in the file", stored, "%", "As the file has it.", share_of="the roof above the point"
        ),
        Column("bound", "Bound", roofs.verdicts(found), help=bound),
    )
    return Table("roofline", "Roofline", columns, "roof", note=found.advice)
