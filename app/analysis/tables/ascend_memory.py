"""Memory paths, memory tables and rooflines."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.analysis.ascend import roofline as roofs
from app.analysis.ascend.counts import count_column
from app.analysis.ascend.memory_titles import title_and_unit
from app.analysis.ascend.paths import path_names
from app.analysis.ascend.ratios import hit_percent
from app.analysis.ascend.typed_columns import key_of
from app.analysis.table import Coded, Column, Table
from app.profile.arrays import F64, I32
from app.profile.memory_paths import UNIT_NAMES
from app.profile.memory_tables import MemoryTables
from app.profile.profile import Profile
from app.profile.strings import Strings

STORED_HIT = "As the file has it, in percent whatever it stores."
HIT = "100 · hit / (hit + miss)."
THEORETICAL = "the path's theoretical bandwidth"
BANDWIDTH = "Bytes moved over the operator's duration."
SHIFTED = "A row has more values than the table has titles: values may stand under the wrong title, and have no unit."


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
        Column("path", "Path", found.path[rows], missing=found.path[rows] < 0, help="The file's number of the path."),
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


def memory_tables(profile: Profile, block: str | None = None) -> tuple[Table, ...]:
    """Each memory table of each block (or of the blocks called ``block``), named ``memory-table/BLOCK/NAME``."""
    found = profile.memory_tables
    if found is None:
        return ()
    taken: dict[str, int] = {}
    names = [found.strings.get(code) for code in found.block_name.tolist()]
    wanted = [number for number, own in enumerate(found.block.tolist()) if block is None or names[own] == block]
    return tuple(_one(found, number, taken) for number in wanted)


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


def _one(found: MemoryTables, number: int, taken: dict[str, int]) -> Table:
    strings = found.strings
    block = strings.get(int(found.block_name[found.block[number]]))
    title = strings.get(int(found.name[number]))
    table_id = f"memory-table/{block or found.block[number]}/{title}"
    taken[table_id] = taken.get(table_id, 0) + 1
    if taken[table_id] > 1:
        table_id = f"{table_id}/{taken[table_id]}"
    rows = found.row_name[found.first_row[number] : found.first_row[number + 1]]
    titles = found.column_name[found.first_column[number] : found.first_column[number + 1]]
    shape = (len(rows), len(titles))
    cells = slice(int(found.first_cell[number]), int(found.first_cell[number + 1]))
    value, text = found.value[cells].reshape(shape), found.text[cells].reshape(shape)
    names = [strings.get(int(code)) for code in titles]
    shifted = any(words.startswith("(column ") for words in names)
    columns = [Column("name", title or "Name", Coded(rows, strings))]
    for place, words in enumerate(names):
        columns.append(_column(words, value[:, place], text[:, place], strings, shifted=shifted))
    if not shifted:
        columns = _counted_rates(columns, names, value)
    notes = (SHIFTED if shifted else "", "; ".join(found.advice[found.block[number]]))
    return Table(table_id, f"{title}, block {block}", tuple(columns), note=" ".join(filter(None, notes)))


def _column(written: str, value: F64, text: I32, strings: Strings, *, shifted: bool) -> Column:
    """``shifted``: what stands under this title may be something else, so it has no unit."""
    title, unit = title_and_unit(written)
    if (text >= 0).any():
        words = tuple(
            strings.get(int(code)) if code >= 0 else _said(cell) for code, cell in zip(text, value, strict=True)
        )
        return Column(key_of(written), title, words)
    if shifted or unit in ("", "cycles"):
        return count_column(key_of(written), title, value, "" if shifted else unit)
    return Column(key_of(written), title, value, unit, stored=True)


def _counted_rates(columns: list[Column], names: list[str], value: F64) -> list[Column]:
    """The columns with hit rates recomputed from the counts of their row: some writers store fractions."""
    places = [names.index(word) if word in names else -1 for word in ("hit", "miss", "hit rate")]
    if -1 in places:
        return columns
    rate = hit_percent(value[:, places[0]], value[:, places[1]])
    column = columns[places[2] + 1]
    return [
        replace(one, values=rate, unit="%", help=HIT, share_of="requests", stored=False) if one is column else one
        for one in columns
    ]


def _said(cell: float) -> str:
    return "" if cell != cell else f"{cell:.15g}"
