"""Memory paths, memory tables and rooflines."""

from __future__ import annotations

import numpy as np

from app.analysis.ascend import roofline as roofs
from app.analysis.ascend.counts import count_column, hit_percent
from app.analysis.ascend.paths import path_names
from app.analysis.table import Coded, Column, Table
from app.language import tr
from app.profile.ascend import UNIT_NAMES
from app.profile.profile import Profile
from app.profile.strings import Strings

STORED_HIT = tr("As stored in the file, in percent for any kind of value.")
HIT = "100 · hit / (hit + miss)."
REQUESTS = tr("As stored in the file.")
THEORETICAL = tr("the path's theoretical bandwidth")
BANDWIDTH = tr("Bytes moved / duration of the operator.")


def memory_paths(profile: Profile, entry: int | None = None) -> Table | None:
    """One row per path of a block: of all blocks, or only of row ``entry`` of the blocks."""
    paths = profile.memory_paths
    if paths is None or not len(paths.entry):
        return None
    rows = np.flatnonzero(paths.entry == entry) if entry is not None else np.arange(len(paths.entry))
    known, names = path_names(paths.path[rows])
    columns = [
        Column("block", tr("Block"), Coded(paths.blocks.block[paths.entry[rows]], paths.strings)),
        Column("type", tr("Operator type"), Coded(paths.blocks.operator_type[paths.entry[rows]], paths.strings)),
        Column(
            "path",
            tr("Path"),
            paths.path[rows],
            missing=paths.path[rows] < 0,
            help=tr("Number of the path in the file."),
            role="key",
        ),
        Column("name", tr("Name"), Coded(known, names[0])),
        Column("from", tr("From"), Coded(known, names[1])),
        Column("to", tr("To"), Coded(known, names[2])),
        count_column("request", tr("Requests"), paths.request[rows]),
        Column("bandwidth", tr("Bandwidth"), paths.bandwidth[rows], "GB/s", BANDWIDTH, stored=True),
        Column("peak", tr("Peak share"), paths.peak[rows], "%", share_of=THEORETICAL, stored=True),
        Column(
            "display",
            tr("Shown by default"),
            paths.display[rows],
            help=tr("No: the diagram shows it only with all paths."),
        ),
    ]
    for key, title, suffix in (
        ("bandwidth_suffix", tr("Remark on the bandwidth"), paths.bandwidth_suffix),
        ("request_suffix", tr("Remark on the requests"), paths.request_suffix),
    ):
        if (suffix >= 0).any():
            columns.append(Column(key, title, Coded(suffix[rows], paths.strings)))
    return Table("memory-paths", tr("Memory paths"), tuple(columns), "memory_path", rows.astype(np.int64))


def memory_blocks(profile: Profile) -> Table | None:
    """One row per block of the memory graph: its L2 cache and how busy its units are."""
    paths = profile.memory_paths
    if paths is None or not len(paths.blocks.block):
        return None
    blocks = paths.blocks
    columns = [
        Column("block", tr("Block"), Coded(blocks.block, paths.strings)),
        Column("type", tr("Operator type"), Coded(blocks.operator_type, paths.strings)),
        Column("chip", tr("Chip family"), Coded(blocks.soc, paths.strings)),
        count_column("hit", tr("L2 hits"), blocks.hit),
        count_column("miss", tr("L2 misses"), blocks.miss),
        count_column("requests", tr("L2 requests"), blocks.total, help=REQUESTS),
        Column(
            "hit_rate", tr("L2 hit rate"), hit_percent(blocks.hit, blocks.miss), "%", HIT, share_of=tr("L2 requests")
        ),
        Column(
            "stored_hit_rate",
            tr("L2 hit rate in the file"),
            blocks.hit_rate,
            "%",
            STORED_HIT,
            share_of=tr("L2 requests"),
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
    keys = np.array([block_number(paths.strings.get(code)) for code in blocks.block.tolist()], np.int64)
    return Table("memory-blocks", tr("L2 cache and units of the blocks"), tuple(columns), "block", keys)


def block_number(name: str) -> int:
    """The number of a block by its name; -1 for the mean of several ("NA") and other texts."""
    return int(name) if name.isascii() and name.isdigit() and len(name) < 10 else -1


def roofline(profile: Profile) -> Table | None:
    """One row per roof with its point."""
    own = profile.roofline
    if own is None or not len(own.chart):
        return None
    ratio = 100.0 * roofs.ratios(own)
    stored = 100.0 * own.ratio
    recomputed = tr("100 · performance / min(intensity · bandwidth, compute).")
    bound = tr(
        "Above 80 % of its roof: memory-bound left of the ridge, compute-bound right of it; otherwise latency-bound."
    )
    columns = (
        Column("chart", tr("Chart"), Coded(own.chart, Strings.of(own.titles))),
        Column("bandwidth_name", tr("Memory"), Coded(own.bandwidth_name, own.strings)),
        Column("bandwidth", tr("Bandwidth"), own.bandwidth, "TB/s", stored=True),
        Column("compute_name", tr("Computing unit"), Coded(own.compute_name, own.strings)),
        Column("compute", tr("Compute"), own.compute, "TOps/s", stored=True),
        Column("ridge", tr("Ridge"), roofs.ridges(own), "Ops/Byte", tr("compute / bandwidth.")),
        Column("intensity", tr("Arithmetic intensity"), own.intensity, "Ops/Byte", stored=True),
        Column("performance", tr("Performance"), own.performance, "TOps/s", stored=True),
        Column("ratio", tr("Ratio"), ratio, "%", recomputed, share_of=tr("the roof at this intensity")),
        Column(
            "stored_ratio",
            tr("Ratio in the file"),
            stored,
            "%",
            tr("As stored in the file."),
            share_of=tr("the roof at this intensity"),
        ),
        Column("bound", tr("Bound"), roofs.verdicts(own), help=bound),
    )
    return Table("roofline", tr("Roofline"), columns, "roof", note=own.advice)
