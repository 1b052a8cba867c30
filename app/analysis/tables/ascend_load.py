"""Compute workload, load of the cores, cache lines and sets, accesses to memory, on-chip memory plans."""

from __future__ import annotations

import numpy as np

from app.analysis.ascend import workload as formulas
from app.analysis.ascend.cores import levels
from app.analysis.ascend.typed_columns import count_column, line_shares, percent
from app.analysis.onchip import ends, peaks
from app.analysis.table import Coded, Column, Table
from app.language import tr
from app.profile.arrays import I32, I64, U64
from app.profile.ascend import BLOCK_TYPES, OPERATIONS, PERCENT_UNIT, SET_FIELDS, SPACES, CallStacks
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


SET_TITLES = {
    "load": tr("Loads"),
    "store": tr("Stores"),
    "line": tr("Cache line"),
    "hit": tr("Hits"),
    "miss": tr("Misses"),
    "allocate": tr("Allocations"),
    "evict_and_write": tr("Evictions with write"),
    "evict_without_write": tr("Evictions without write"),
}
"""Titles of the fields of a cache set."""


def cache_lines(profile: Profile) -> Table | None:
    """One row per cache line (0x0E)."""
    lines = profile.cache.lines if profile.cache else None
    if lines is None or not len(lines.line):
        return None
    columns = [Column("line", tr("Cache line"), lines.line, missing=lines.line < 0, role="key")]
    both = zip(("hit", "miss"), (tr("Hits"), tr("Misses")), (lines.hits, lines.misses), line_shares(lines), strict=True)
    for key, title, side, share in both:
        columns.append(count_column(key, title, side.count))
        columns.append(
            Column(
                f"{key}_share",
                tr("Share of {title}", title=title.lower()),
                share,
                "%",
                share_of=tr("the line's events"),
            )
        )
        ranges = np.diff(side.first_range)
        columns.append(
            Column(
                f"{key}_ranges",
                tr("{title}: address ranges", title=title),
                ranges,
                help=tr("Relative to the instructions that can cause them."),
            )
        )
    return Table("cache-lines", tr("Cache lines"), tuple(columns), "cache_line")


def cache_sets(profile: Profile) -> Table | None:
    """One row per cache set (0x0B)."""
    sets = profile.cache.sets if profile.cache else None
    if sets is None or not len(sets):
        return None
    events = (sets[:, 0].astype(np.float64)) + sets[:, 1]
    columns = [
        Column(field, SET_TITLES[field], sets[:, n], role="key" if field == "line" else "")
        for n, field in enumerate(SET_FIELDS)
    ]
    for number, field in enumerate(SET_FIELDS):
        if field != "line":
            share = percent(sets[:, number].astype(np.float64), events)
            title = tr("Share of {set_titles}", set_titles=SET_TITLES[field].lower())
            helped = tr("Count over loads and stores.")
            columns.append(Column(f"{field}_share", title, share, "%", helped, share_of=tr("loads and stores")))
    return Table("cache-sets", tr("Cache sets"), tuple(columns), "cache_set")


def memory_accesses(profile: Profile) -> Table | None:
    """One row per access (0x0A)."""
    accesses = profile.memory_accesses
    if accesses is None or not len(accesses.record):
        return None
    columns = [
        Column("record", tr("Record"), accesses.record, help=tr("Increases in the order of execution."), role="key"),
        Column("operation", tr("Operation"), _coded(accesses.operation.astype(np.int32), OPERATIONS)),
        Column("core", tr("Core"), accesses.core, missing=accesses.core < 0, role="key"),
        Column("block_type", tr("Block type"), _coded(accesses.block_type.astype(np.int32), BLOCK_TYPES)),
        Column("space", tr("Space"), _coded(accesses.space, SPACES)),
        Column("address", tr("Address"), accesses.address, hexadecimal=True),
        Column("size", tr("Size"), accesses.size, "B"),
        Column("pc", tr("Program counter"), accesses.pc, hexadecimal=True),
    ]
    if accesses.stacks is not None:
        columns += _innermost(accesses.stacks, accesses.pc)
    note = tr("No known tool writes it; it is read as described in the vendor's design document.")
    return Table("memory-accesses", tr("Memory accesses"), tuple(columns), "access", note=note)


def _coded(codes: I32, names: tuple[str, ...]) -> Coded:
    """Names of codes; unknown codes as numbers."""
    shift = int(min(codes.min(initial=0), 0))
    top = int(max(codes.max(initial=0), len(names) - 1))
    texts = [names[code] if 0 <= code < len(names) else str(code) for code in range(shift, top + 1)]
    return Coded((codes - shift).astype(np.int32), Strings.of(texts))


def _innermost(stacks: CallStacks, pc: U64) -> list[Column]:
    """Where each access comes from: the first frame of its call stack."""
    place: I64 = np.minimum(np.searchsorted(stacks.pc, pc), max(len(stacks.pc) - 1, 0))
    if not len(stacks.pc) or not len(stacks.function):
        return []
    known = (stacks.pc[place] == pc) & (stacks.first[place] < stacks.first[place + 1])
    frame = np.where(known, stacks.first[place], 0)
    line = np.where(known, stacks.line[frame], -1)
    return [
        Column("function", tr("Function"), Coded(np.where(known, stacks.function[frame], -1), stacks.strings)),
        Column("file", tr("File"), Coded(np.where(known, stacks.file[frame], -1), stacks.strings)),
        Column("line", tr("Line"), line, missing=line < 0, role="key"),
    ]


def blocks(profile: Profile) -> Table | None:
    """One row per block."""
    plan = profile.onchip
    if plan is None or not len(plan.blocks):
        return None
    own, texts = plan.blocks, plan.strings
    unknown = own.address < 0
    columns = (
        Column("scope", tr("Memory"), Coded(plan.scopes.name[own.scope], texts)),
        Column("buffer", tr("Buffer"), Coded(own.buffer, texts)),
        Column(
            "part",
            tr("Part"),
            own.part,
            help=tr("Number of the offset in its buffer; several offsets mean double buffering."),
            role="key",
        ),
        Column("address", tr("Address"), own.address, missing=unknown, hexadecimal=True),
        Column("size", tr("Size"), own.size, "B", tr("Extent in bits / 8.")),
        Column(
            "start",
            tr("First step"),
            own.start,
            help=tr("life_time_in_ir: steps of the intermediate code."),
            role="place",
        ),
        Column("end", tr("Last step"), own.end, help=tr("Inclusive."), role="place"),
        Column(
            "allocated",
            tr("Allocated"),
            own.allocated,
            missing=own.allocated < 0,
            help="alloc_time_in_ir.",
            role="place",
        ),
        Column("temporary", tr("Temporary"), own.temporary),
        Column("source", tr("Source"), Coded(own.source, texts)),
    )
    return Table("onchip-blocks", tr("On-chip blocks"), columns, "onchip_block")


def scopes(profile: Profile) -> Table | None:
    """One row per memory."""
    plan = profile.onchip
    if plan is None or not len(plan.scopes.name):
        return None
    texts, count = plan.strings, len(plan.scopes.name)
    columns = (
        Column("scope", tr("Memory"), Coded(plan.scopes.name, texts)),
        Column("blocks", tr("Blocks"), np.bincount(plan.blocks.scope, minlength=count)),
        Column("peak", tr("Peak"), peaks(plan), "B", tr("Most bytes in it at one step."), adds_up=False),
        Column(
            "end", tr("Highest address"), ends(plan), "B", tr("Largest address plus size of a block."), role="place"
        ),
        Column("status", tr("Status"), Coded(plan.scopes.status, texts)),
        Column("error", tr("Error"), Coded(plan.scopes.error, texts)),
    )
    return Table("onchip-memories", tr("On-chip memories"), columns)
