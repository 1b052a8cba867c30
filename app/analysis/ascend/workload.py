"""Utilisation of the computing units (the share of cycles in which they worked), and the workload of one block: its
shares, its tables and the advice on it."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.ascend.typed_columns import count_column
from app.analysis.sorting import natural_order
from app.analysis.table import Coded, Column, Table, Unit
from app.language import tr
from app.profile.arrays import F64, I32, I64, Bool, Integers, among, distinct
from app.profile.ascend import PERCENT_UNIT, MemoryPaths, Workload
from app.profile.profile import Profile
from app.profile.strings import Strings, taken

INSTRUCTIONS = 1
"""The unit code of instructions (Ascend operator files, section 2.8)."""
UNITS = {0: "µs", INSTRUCTIONS: "instructions", 2: "B", PERCENT_UNIT: "%", 4: "operations"}
"""Ascend operator files, section 2.8."""


def shares(profile: Profile, rows: I64 | None = None) -> F64:
    """float64[rows] percent of these rows (default: all), NaN where a row is no share: 100 · cycles / total cycles
    where the memory graph knows the sub-block's total, else what the file says."""
    workload = profile.workload
    if workload is None:
        return np.empty(0)
    totals = total_cycles(profile, rows)
    which = slice(None) if rows is None else rows
    with np.errstate(divide="ignore", invalid="ignore"):
        exact = np.where(totals > 0, 100.0 * workload.cycles[which] / totals, np.nan)
    return np.where(workload.is_share[which], np.where(np.isnan(exact), workload.value[which], exact), np.nan)


def total_cycles(profile: Profile, rows: I64 | None = None) -> F64:
    """float64[rows]: the cycles of the sub-block of each of these rows (default: all), as the memory graph has them;
    NaN unknown."""
    workload = profile.workload
    if workload is None:
        return np.empty(0)
    block, part = workload.block, workload.sub_block
    if rows is not None:
        block, part = block[rows], part[rows]
    paths = profile.memory_paths
    return _totals(workload.strings, block, part, paths) if paths else np.full(len(block), np.nan)


def sub_block_unit(sub_block: str) -> int:
    """Which column of the memory graph's unit cycles belongs to a sub-block: 0 cube, 1 vector, 2 vector 1; -1
    none."""
    lowered = sub_block.lower()
    if lowered.startswith(("cube", "aic")) and lowered != "aicore":
        return 0
    if lowered.startswith(("vector", "aiv")):
        return 2 if lowered.endswith("1") else 1
    return -1


def _totals(strings: Strings, block: Integers, sub_block: Integers, paths: MemoryPaths) -> F64:
    """float64[rows]: total cycles of each row's sub-block, NaN unknown. ``block``, ``sub_block``: int[rows], ids in
    ``strings``."""
    codes, row_of = np.unique(block, return_inverse=True)
    row_of = _rows_of(taken(strings, codes).tolist(), paths)[row_of]
    parts, unit_of = np.unique(sub_block, return_inverse=True)
    unit_of = np.array([sub_block_unit(strings.get(code)) for code in parts.tolist()], np.int64)[unit_of]
    known = (row_of >= 0) & (unit_of >= 0)
    totals = paths.blocks.unit_total_cycles
    if not len(totals):
        return np.full(len(row_of), np.nan)
    return np.where(known, totals[row_of, unit_of], np.nan)


def _rows_of(blocks: list[str], paths: MemoryPaths) -> I64:
    """int64[blocks]: the row of the memory graph for each block, the last of several; -1 none. One block is searched
    without decoding the texts of all."""
    if len(blocks) == 1:
        rows = np.flatnonzero(among(paths.blocks.block, paths.strings.find(blocks[0]) if blocks[0] else [-1]))
        return rows[-1:] if len(rows) else np.full(1, -1, np.int64)
    row_of = {text: row for row, text in enumerate(taken(paths.strings, paths.blocks.block).tolist())}
    return np.array([row_of.get(text, -1) for text in blocks], np.int64)


MEAN = "NA"
"""The block id that stands for the mean of several cores (Ascend operator files, section 2.8)."""

_COLUMNS: dict[int, tuple[str, str, Unit]] = {
    0: ("duration", tr("Duration"), "µs"),
    1: ("instructions", tr("Instructions"), ""),
    2: ("data_volume", tr("Data volume"), "B"),
    3: ("share", tr("Share"), "%"),
    4: ("operations", tr("Operations"), ""),
}


class Share(Struct, frozen=True):
    """One bar: ``percent`` of the cycles of ``sub_block``, NaN no data; ``cycles`` of ``total`` (NaN unknown); ``row``
    of the workload."""

    name: str
    sub_block: str
    percent: float
    cycles: float
    total: float
    row: int


class SubBlockTable(Struct, frozen=True, eq=False):
    """``table`` has one column per unit; ``absent`` (bool[rows] by column key) marks cells that have no entry in the
    file, which gives a name in some units only. A cell with an entry but without a figure is missing, not absent."""

    sub_block: str
    table: Table
    absent: dict[str, Bool]


def blocks(profile: Profile) -> list[str]:
    """Ids of all blocks, in natural order."""
    return natural_order(block_ids(profile))


def block_ids(profile: Profile) -> list[str]:
    """Ids of all blocks, in no particular order."""
    workload = profile.workload
    return [] if workload is None else taken(workload.strings, distinct(workload.block)).tolist()


def block_shares(profile: Profile, block: str) -> list[Share]:
    """The bars of a block, largest first, those without data last."""
    workload = profile.workload
    if workload is None:
        return []
    rows = _rows(workload, block, workload.is_share & workload.in_graph)
    percents, totals = shares(profile, rows), total_cycles(profile, rows)
    made = [
        Share(
            workload.strings.get(int(workload.name[row])),
            workload.strings.get(int(workload.sub_block[row])),
            percent,
            float(workload.cycles[row]),
            total,
            row,
        )
        for row, percent, total in zip(rows.tolist(), percents.tolist(), totals.tolist(), strict=True)
    ]
    return sorted(made, key=lambda share: -share.percent if share.percent == share.percent else np.inf)


def tables(profile: Profile, block: str) -> list[SubBlockTable]:
    """One table per sub-block of a block, in the order of the file. Rows are those of the workload table (0x07), or of
    the graph (0x06) if the file has no table."""
    workload = profile.workload
    if workload is None:
        return []
    rows = _rows(workload, block, ~workload.in_graph if not workload.in_graph.all() else workload.in_graph)
    codes = list(dict.fromkeys(workload.sub_block[rows].tolist()))
    percents = shares(profile, rows)
    parts = [workload.sub_block[rows] == code for code in codes]
    return [_table(workload, rows[part], block, percents[part]) for part in parts]


def sub_block_table(profile: Profile, block: str, sub_block: str) -> Table | None:
    """The table of one sub-block of a block; None if there is none."""
    return next((one.table for one in tables(profile, block) if one.sub_block == sub_block), None)


def advice(profile: Profile, block: str) -> list[str]:
    """The file's advice on computing: on the workload itself, on this block's items, and on the block in the memory
    graph, whose advice is on computing too (Ascend operator files, section 2.9)."""
    workload = profile.workload
    if workload is None:
        return []
    texts = [*workload.graph_advice, *workload.table_advice]
    items = workload.item_advice[_rows(workload, block, workload.item_advice >= 0)]
    texts += [workload.strings[code] for code in dict.fromkeys(items.tolist())]
    paths = profile.memory_paths
    if paths is not None:
        for place in np.flatnonzero(among(paths.blocks.block, paths.strings.find(block))).tolist():
            texts += paths.blocks.advice[place]
    split = (line.strip() for text in texts for line in text.splitlines())
    return list(dict.fromkeys(line for line in split if line))


def _rows(workload: Workload, block: str, wanted: Bool) -> I64:
    """Rows of ``block`` among those ``wanted``. "" stands for rows without an id: no text of the file is empty."""
    codes = workload.strings.find(block) if block else [-1]
    return np.flatnonzero(among(workload.block, codes) & wanted).astype(np.int64)


def _table(workload: Workload, rows: I64, block: str, percents: F64) -> SubBlockTable:
    """The table of ``rows``, whose shares are ``percents``. It has its own texts: those of the workload may be very
    many."""
    names = list(dict.fromkeys(workload.name[rows].tolist()))
    place = {code: number for number, code in enumerate(names)}
    units = np.where(workload.is_share, PERCENT_UNIT, workload.unit)
    sub_block = workload.strings.get(int(workload.sub_block[rows[0]]))
    columns = [Column("name", sub_block.upper() or "NAME", Coded(*_own_texts(names, workload.strings)))]
    absent: dict[str, Bool] = {}
    for unit in sorted(set(units[rows].tolist()), key=lambda code: (code < 0, code)):
        own = np.flatnonzero(units[rows] == unit)
        values, listed = np.full(len(names), np.nan), np.zeros(len(names), np.bool_)
        for number in own[::-1].tolist():  # the first of several entries of a name wins
            row = rows[number]
            values[place[int(workload.name[row])]] = percents[number] if unit == PERCENT_UNIT else workload.value[row]
            listed[place[int(workload.name[row])]] = True
        key, title, shown = (
            _COLUMNS.get(unit, (f"unit_{unit}", tr("Unit {unit}", unit=unit), "")) if unit >= 0 else _NO_UNIT
        )
        columns.append(_column(key, title, values, shown, sub_block))
        absent[key] = ~listed
    title = tr("Compute workload, block {block}, {sub_block}", block=block, sub_block=sub_block)
    return SubBlockTable(sub_block, Table(f"workload/{block}/{sub_block}", title, tuple(columns)), absent)


def _own_texts(codes: list[int], strings: Strings) -> tuple[I32, Strings]:
    """(ids, the texts of ``codes`` alone); id -1 for a code without a text."""
    ids = np.arange(len(codes), dtype=np.int32)
    return np.where(np.array(codes, np.int32) < 0, -1, ids).astype(np.int32), taken(strings, np.array(codes, np.int64))


_NO_UNIT: tuple[str, str, Unit] = ("value", tr("Value"), "")


def _column(key: str, title: str, values: F64, unit: Unit, sub_block: str) -> Column:
    if unit == "%":
        return Column(key, title, values, unit, share_of=tr("the cycles of {sub_block}", sub_block=sub_block))
    return Column(key, title, values, unit, stored=True) if unit == "µs" else count_column(key, title, values, unit)
