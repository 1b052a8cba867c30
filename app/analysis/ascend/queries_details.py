"""The design document's questions about the operator and its workload, answered from the model. Figures are texts,
as the document has them; no data is "NA"."""

from __future__ import annotations

from typing import Any

from app.analysis.ascend import workload as formulas
from app.analysis.ascend.workload_view import blocks as workload_blocks
from app.profile.profile import Profile
from app.profile.typed import TypedColumn
from app.profile.workload import PERCENT_UNIT

Body = dict[str, Any]

NA = "NA"
UNITS = {0: "Duration(μs)", 1: "Instructions", 2: "Data Volume(byte)", 3: "PER", 4: "Operations"}
"""What the document calls the units of the workload; PER is percent."""


def said(value: float | int | None) -> str:
    """A figure as text: all its digits, NA for none."""
    return NA if value is None or value != value else repr(value)


def base_info(profile: Profile) -> Body:
    """source/details/baseInfo; {} where the file has none. A mix operator has ``mixBlockDetail`` instead."""
    base = profile.operator
    if base is None:
        return {}
    rows = len(base.blocks[0].values) if base.blocks else 0
    detail = {
        "headerName": [column.name for column in base.blocks],
        "size": [str(rows + 1), str(len(base.blocks))],
        "row": [{"value": [_cell(column, row) for column in base.blocks]} for row in range(rows)],
    }
    return {
        "name": base.name,
        "soc": base.soc,
        "opType": base.type,
        "blockDim": str(-1 if base.block_dim is None else base.block_dim),
        "mixBlockDim": str(-1 if base.mix_block_dim is None else base.mix_block_dim),
        "duration": said(base.duration_us),
        "mixBlockDetail" if base.type == "mix" else "blockDetail": detail,
        "advice": list(base.advice),
    }


def compute_workload(profile: Profile, block: str = "") -> Body:
    """source/details/computeworkload: shares (chart) and other figures (table), of one block or of all. A share is a
    percentage, whatever unit the file stores it in."""
    found = profile.workload
    if found is None:
        return {
            "blockIdList": [],
            "chartData": {"detailDataList": [], "advice": []},
            "tableData": {"detailDataList": [], "advice": []},
        }
    shares = formulas.shares(profile)
    chart, table = [], []
    for row in range(len(found.block)):
        name = found.strings.get(int(found.block[row]))
        if block not in ("", name):
            continue
        graph = bool(found.in_graph[row])
        unit = PERCENT_UNIT if graph else int(found.unit[row])
        value = float(shares[row]) if unit == PERCENT_UNIT else float(found.value[row])
        item = {
            "blockId": name,
            "blockType": found.strings.get(int(found.sub_block[row])),
            "name": found.strings.get(int(found.name[row])),
            "unit": UNITS.get(unit, ""),
            "value": said(value),
        }
        if graph:
            chart.append({**item, "originValue": said(float(found.cycles[row]))})
        else:
            table.append(item)
    return {
        "blockIdList": workload_blocks(profile),
        "chartData": {"detailDataList": chart, "advice": list(found.graph_advice)},
        "tableData": {"detailDataList": table, "advice": list(found.table_advice)},
    }


def _cell(column: TypedColumn, row: int) -> str:
    value = column.of_core(0)[row].item()
    if column.strings is not None:
        return column.strings.get(value) if value >= 0 else ""
    return said(value if value == value and value >= 0 else None)
