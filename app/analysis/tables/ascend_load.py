"""Compute workload and load of the cores."""

from __future__ import annotations

import numpy as np

from app.analysis.ascend import workload as formulas
from app.analysis.ascend.counts import count_column, percent
from app.analysis.ascend.levels import levels
from app.analysis.table import Coded, Column, Table
from app.language import tr
from app.profile.ascend import PERCENT_UNIT
from app.profile.profile import Profile
from app.profile.strings import Strings

VALUE = tr("The unit is in the next column. For a share, this is the same figure as Share.")
SHARE = tr("100 · cycles / total cycles of the sub-block if the file has both; else the value in the file.")
LEVEL = tr(
    "int(10 · σ(z)), z = (value - mean) / sample standard deviation among sub-cores of its kind. 4 to 6 is the "
    "average; 0 if fewer than two are known or all are equal."
)


def workload(profile: Profile) -> Table | None:
    """One row per item of the workload graph or table."""
    own = profile.workload
    if own is None or not len(own.block):
        return None
    codes = np.where(own.is_share, PERCENT_UNIT, own.unit)
    distinct, unit = np.unique(codes, return_inverse=True)
    names = [formulas.UNITS.get(code, tr("unit {code}", code=code) if code >= 0 else "") for code in distinct.tolist()]
    units = Coded(unit.reshape(-1).astype(np.int32), Strings.of(names))
    shares = formulas.shares(profile)
    value = np.where(own.is_share, shares, own.value)
    columns = [
        Column("block", tr("Block"), Coded(own.block, own.strings), help=tr("NA is the mean of several cores.")),
        Column("sub_block", tr("Sub-block"), Coded(own.sub_block, own.strings)),
        Column("name", tr("Name"), Coded(own.name, own.strings)),
        Column("value", tr("Value"), value, help=VALUE, units=units),
        Column("unit", tr("Unit"), units),
        Column("share", tr("Share"), shares, "%", SHARE, share_of=tr("the cycles of the sub-block")),
        count_column("cycles", tr("Cycles"), own.cycles, "cycles", tr("The item's own cycles (origin_value).")),
        Column(
            "graph",
            tr("In graph"),
            own.in_graph,
            help=tr("Whether the item is in the workload graph (0x06), else in the table (0x07)."),
        ),
    ]
    if (own.item_advice >= 0).any():
        columns.append(Column("advice", tr("Advice"), Coded(own.item_advice, own.strings)))
    note = " ".join(dict.fromkeys((*own.graph_advice, *own.table_advice)))
    return Table("workload", tr("Compute workload"), tuple(columns), note=note)


def core_load(profile: Profile) -> Table | None:
    """One row per sub-core."""
    load = profile.core_load
    if load is None or not len(load.core):
        return None
    columns = [
        Column("core", tr("Core"), load.core, missing=load.core < 0, role="key"),
        Column("type", tr("Type"), Coded(load.type, load.strings)),
        Column("sub_core", tr("Sub-core"), Coded(load.sub_core, load.strings)),
    ]
    cells = (
        count_column("cycles", tr("Cycles"), load.cycles, "cycles"),
        count_column("throughput", tr("Throughput"), load.throughput, "B", tr("Bytes moved from and to main memory.")),
        Column("hit_rate", tr("L2 hit rate"), load.hit_rate, "%", share_of=tr("L2 requests"), stored=True),
    )
    for cell, values in zip(cells, (load.cycles, load.throughput, load.hit_rate), strict=True):
        level = levels(values, load.type)
        columns += [
            cell,
            Column(f"{cell.key}_level", tr("{cell}, level", cell=cell.title), level, help=LEVEL, missing=level < 0),
        ]
    if not np.isnan(load.simt_instructions).all():
        columns.append(count_column("simt_instructions", tr("SIMT VF instructions"), load.simt_instructions))
        columns.append(Column("simt_ipc", tr("Instructions per cycle"), load.simt_ipc, stored=True))
    return Table(
        "core-load", tr("Core load"), tuple(columns), "core", load.core.astype(np.int64), note=_lines(load.advice)
    )


def stall_reasons(profile: Profile) -> Table | None:
    """One row per reason."""
    stalls = profile.stall_reasons
    if stalls is None or not len(stalls.count):
        return None
    share = percent(stalls.count, np.full(len(stalls.count), np.nansum(stalls.count)))
    columns = (
        Column("reason", tr("Reason"), tuple(stalls.reasons)),
        count_column("count", tr("Samples"), stalls.count),
        Column(
            "share",
            tr("Share"),
            share,
            "%",
            tr("Samples of the reason / samples of all reasons."),
            share_of=tr("all samples"),
        ),
    )
    return Table("stall-reasons", tr("Top warp stall reasons"), columns)


def _lines(advice: str) -> str:
    return " ".join(advice.split())
