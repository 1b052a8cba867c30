"""Compute workload and load of the cores."""

from __future__ import annotations

import numpy as np

from app.analysis.ascend import workload as formulas
from app.analysis.ascend.counts import count_column
from app.analysis.ascend.levels import levels
from app.analysis.ascend.ratios import percent
from app.analysis.table import Coded, Column, Table
from app.profile.profile import Profile
from app.profile.strings import Strings
from app.profile.workload import PERCENT_UNIT

VALUE = "In the unit beside it. What is a share is the same figure as Share."
SHARE = "100 · cycles / total cycles of the sub-block where the file has both; else what the file says."
LEVEL = (
    "int(10 · σ(z)), z = (value - mean) / sample standard deviation among sub-cores of its kind; 4 to 6 is "
    "the average, 0 where fewer than two are known or all are equal."
)


def workload(profile: Profile) -> Table | None:
    """One row an item of the workload graph or table."""
    found = profile.workload
    if found is None or not len(found.block):
        return None
    codes = np.where(found.is_share, PERCENT_UNIT, found.unit)
    distinct, unit = np.unique(codes, return_inverse=True)
    names = [formulas.UNITS.get(code, f"unit {code}" if code >= 0 else "") for code in distinct.tolist()]
    units = Coded(unit.reshape(-1).astype(np.int32), Strings.of(names))
    shares = formulas.shares(profile)
    value = np.where(found.is_share, shares, found.value)
    columns = [
        Column("block", "Block", Coded(found.block, found.strings), help="NA is the mean of several cores."),
        Column("sub_block", "Sub-block", Coded(found.sub_block, found.strings)),
        Column("name", "Name", Coded(found.name, found.strings)),
        Column("value", "Value", value, help=VALUE, units=units),
        Column("unit", "Unit", units),
        Column("share", "Share", shares, "%", SHARE, share_of="the cycles of the sub-block"),
        count_column("cycles", "Cycles", found.cycles, "cycles", "The item's own cycles (origin_value)."),
        Column("graph", "In graph", found.in_graph, help="From the workload graph (0x06), else the table (0x07)."),
    ]
    if (found.item_advice >= 0).any():
        columns.append(Column("advice", "Advice", Coded(found.item_advice, found.strings)))
    note = " ".join(dict.fromkeys((*found.graph_advice, *found.table_advice)))
    return Table("workload", "Compute workload", tuple(columns), note=note)


def core_load(profile: Profile) -> Table | None:
    """One row a sub-core."""
    load = profile.core_load
    if load is None or not len(load.core):
        return None
    columns = [
        Column("core", "Core", load.core, missing=load.core < 0, role="key"),
        Column("type", "Type", Coded(load.type, load.strings)),
        Column("sub_core", "Sub-core", Coded(load.sub_core, load.strings)),
    ]
    cells = (
        count_column("cycles", "Cycles", load.cycles, "cycles"),
        count_column("throughput", "Throughput", load.throughput, "B", "Bytes moved to and from main memory."),
        Column("hit_rate", "L2 hit rate", load.hit_rate, "%", share_of="L2 requests", stored=True),
    )
    for cell, values in zip(cells, (load.cycles, load.throughput, load.hit_rate), strict=True):
        level = levels(values, load.type)
        columns += [cell, Column(f"{cell.key}_level", f"{cell.title}, level", level, help=LEVEL, missing=level < 0)]
    if not np.isnan(load.simt_instructions).all():
        columns.append(count_column("simt_instructions", "SIMT VF instructions", load.simt_instructions))
        columns.append(Column("simt_ipc", "Instructions per cycle", load.simt_ipc, stored=True))
    return Table("core-load", "Core load", tuple(columns), "core", load.core.astype(np.int64), note=_lines(load.advice))


def stall_reasons(profile: Profile) -> Table | None:
    """One row a reason."""
    found = profile.stall_reasons
    if found is None or not len(found.count):
        return None
    share = percent(found.count, np.full(len(found.count), np.nansum(found.count)))
    columns = (
        Column("reason", "Reason", tuple(found.reasons)),
        count_column("count", "Samples", found.count),
        Column("share", "Share", share, "%", "Samples of the reason over all samples.", share_of="all samples"),
    )
    return Table("stall-reasons", "Top warp stall reasons", columns)


def _lines(advice: str) -> str:
    return " ".join(advice.split())
