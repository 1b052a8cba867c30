"""The design document's questions about memory, answered from the model. Figures are texts, as the document has
them."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.analysis.ascend.queries_details import NA, said
from app.analysis.ascend.ratios import hit_percent, percent
from app.profile.memory_paths import MemoryBlocks, MemoryPaths
from app.profile.memory_tables import MemoryTables
from app.profile.profile import Profile

Body = dict[str, Any]


def memory_graph(profile: Profile, block: str = "") -> Body:
    """source/details/memoryGraph: paths, L2 cache and units of one block or of all. Both figures of a path are given,
    so "show as" is the asker's own matter. The hit ratio is 100 · hit / (hit + miss), whatever the file stores."""
    found = profile.memory_paths
    if found is None:
        return {"coreMemory": []}
    names = [found.strings.get(code) for code in found.blocks.block.tolist()]
    return {"coreMemory": [_core(found, entry) for entry, name in enumerate(names) if block in ("", name)]}


def memory_table(profile: Profile, block: str = "") -> Body:
    """source/details/memoryTable: the tables of one block or of all. ``size`` is rows and columns of values."""
    found = profile.memory_tables
    if found is None:
        return {"memoryTable": []}
    names = [found.strings.get(code) for code in found.block_name.tolist()]
    return {"memoryTable": [_tables(found, entry) for entry, name in enumerate(names) if block in ("", name)]}


def _core(found: MemoryPaths, entry: int) -> Body:
    blocks, text = found.blocks, found.strings.get
    hit, miss = float(blocks.hit[entry]), float(blocks.miss[entry])
    return {
        "advice": list(blocks.advice[entry]),
        "blockId": text(int(blocks.block[entry])),
        "l2Cache": {
            "hitRatio": said(float(hit_percent(np.array([hit]), np.array([miss]))[0])),
            "hit": _count(hit),
            "totalRequest": _count(float(blocks.total[entry])),
            "miss": _count(miss),
        },
        "blockType": text(int(blocks.operator_type[entry])),
        "chipType": text(int(blocks.soc[entry])),
        "memoryUnit": [_path(found, row) for row in np.flatnonzero(found.entry == entry).tolist()],
        "vector": _unit(blocks, entry, 1),
        "vector1": _unit(blocks, entry, 2),
        "cube": _unit(blocks, entry, 0),
    }


def _path(found: MemoryPaths, row: int) -> Body:
    request = float(found.request[row])
    return {
        "request": int(request) if request.is_integer() else NA if request != request else request,
        "display": bool(found.display[row]),
        "peakRatio": said(float(found.peak[row])),
        "bandwidth": said(float(found.bandwidth[row])),
        "memoryPath": str(int(found.path[row])),
    }


def _unit(blocks: MemoryBlocks, entry: int, unit: int) -> Body:
    """Empty texts for a unit that the block does not have."""
    cycles, total = float(blocks.unit_cycles[entry, unit]), float(blocks.unit_total_cycles[entry, unit])
    ratio = float(blocks.unit_ratio[entry, unit])
    if ratio != ratio:
        ratio = float(percent(np.array([cycles]), np.array([total]))[0])
    return {
        "cycle": _count(cycles, ""),
        "totalCycles": _count(total, ""),
        "ratio": "" if ratio != ratio else said(ratio),
    }


def _tables(found: MemoryTables, entry: int) -> Body:
    return {
        "advice": list(found.advice[entry]),
        "blockId": found.strings.get(int(found.block_name[entry])),
        "tableOpType": found.strings.get(int(found.block_type[entry])),
        "tableDetail": [_table(found, number) for number in np.flatnonzero(found.block == entry).tolist()],
    }


def _table(found: MemoryTables, number: int) -> Body:
    text = found.strings.get
    rows = found.row_name[found.first_row[number] : found.first_row[number + 1]].tolist()
    titles = found.column_name[found.first_column[number] : found.first_column[number + 1]].tolist()
    first, width = int(found.first_cell[number]), len(titles)
    return {
        "headerName": ["", *map(text, titles)],
        "tableName": text(int(found.name[number])),
        "size": [str(len(rows)), str(width)],
        "row": [
            {"name": text(code), "value": [_cell(found, first + row * width + place) for place in range(width)]}
            for row, code in enumerate(rows)
        ],
    }


def _cell(found: MemoryTables, cell: int) -> str:
    code = int(found.text[cell])
    return found.strings.get(code) if code >= 0 else _count(float(found.value[cell]))


def _count(value: float, none: str = NA) -> str:
    """A number without a useless fraction."""
    return none if value != value else str(int(value)) if value.is_integer() else repr(value)
