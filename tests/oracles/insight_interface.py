"""The interface of the vendor's design document, answered field by field with the data that panels and tables show.

A command takes the parameters in the document and returns the body of its response. Times are integer nanoseconds.
Values of operators are strings, and no data is "NA", as in the document. Ids are strings too: a process by its index
among the processes (from 1), a thread by its lane, a slice and a flow by its row; ``unit/units`` (ours) lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

import numpy as np
import orjson

from app.analysis import hotspots
from app.analysis.ascend import workload as computed
from app.analysis.ascend.cores import core_names
from app.analysis.ascend.diagram.figures import BoxFigures, PathFigures, figures_of
from app.analysis.ascend.typed_columns import key_of, parts_of
from app.analysis.details import Described
from app.analysis.source_view import source_view
from app.analysis.table import Table
from app.analysis.tables import by_id
from app.analysis.tables.ascend_memory import memory_tables
from app.analysis.timeline.intervals import lane_spans, union
from app.analysis.timeline.times import flows_of, lane_slices, within
from app.profile.ascend import TypedColumn
from app.profile.profile import Profile
from app.profile.selection import TimeRange
from app.profile.timeline import Timeline
from app.views.details.record import record_lines

Params: TypeAlias = Mapping[str, Any]
Body: TypeAlias = dict[str, Any]
Row: TypeAlias = dict[str, Any]

NA: Final = "NA"
WORKLOAD_UNITS: Final = {
    "duration": "Duration(μs)",
    "instructions": "Instructions",
    "data_volume": "Data Volume(byte)",
    "share": "PER",
    "operations": "Operations",
}
"""The document's names of the workload columns; PER is percent."""
TENSOR_FIELDS: Final = {
    "inputShapes": "input_shapes",
    "inputDataTypes": "input_data_types",
    "inputFormats": "input_formats",
    "outputShapes": "output_shapes",
    "outputDataTypes": "output_data_types",
    "outputFormats": "output_formats",
    "attrInfo": "attr_info",
}
"""Fields of the details of a slice, and the arguments of its event that they come from."""


def answer(profile: Profile, command: str, params: Params | None = None) -> Body:
    """The body of the response to ``command``; KeyError for an unknown one. Parameters that concern a server are
    ignored; unit/threadDetail also takes the decoded event as ``record``."""
    return QUERIES[command](profile, params or {})


# -- the file -------------------------------------------------------------------------------------------------


def import_action(profile: Profile, _: Params) -> Body:
    paths = [str(path) for path in profile.origin.paths]
    card = {"cardName": profile.name, "rankId": profile.name, "cardPath": paths[0] if paths else profile.name}
    return {
        "isCluster": False,
        "reset": True,
        "isSimulation": profile.origin.format.startswith("ascend-"),
        "isBinary": profile.origin.format == "ascend-bin",
        "isIpynb": False,
        "coreList": list(core_names(profile)),
        "sourceList": sorted(row["path"] for row in _rows(by_id(profile, "sources"))),
        "result": [{**card, "result": True}],
    }


# -- the timeline ---------------------------------------------------------------------------------------------


def units(profile: Profile, _: Params) -> Body:
    made: dict[str, Body] = {}
    for lane, row in enumerate(_rows(by_id(profile, "lanes"))):
        number = _process(profile.timeline, lane)
        unit = made.setdefault(number, {"processId": number, "processName": row["process"], "threads": []})
        unit["threads"].append({"threadId": str(lane), "threadName": row["thread"]})
    return {"units": list(made.values())}


def thread_traces_summary(profile: Profile, params: Params) -> Body:
    """The intervals in which any thread of the process is busy; intervals less than a pixel apart are merged."""
    timeline, process = profile.timeline, _text(params, "processId")
    if timeline is None:
        return {"data": []}
    lanes = [lane for lane in range(len(timeline.lanes.process)) if _process(timeline, lane) == process]
    own = [lane_spans(timeline, lane) for lane in lanes]
    begins = np.array([time for spans in own for time in _nanoseconds(timeline, spans.start)], np.float64)
    ends = np.array([time for spans in own for time in _nanoseconds(timeline, spans.end)], np.float64)
    pixel, order = max(_number(params, "timePerPx", 0), 0), np.argsort(begins, kind="stable")
    busy = union(begins[order], ends[order] + pixel)
    low, high = _number(params, "startTime", 0), _number(params, "endTime", np.inf)
    stretches = zip(busy.start.tolist(), (busy.end - pixel).tolist(), strict=True)
    return {"data": [{"startTime": int(a), "duration": int(b - a)} for a, b in stretches if a <= high and b >= low]}


def thread_traces(profile: Profile, params: Params) -> Body:
    """The slices of a thread, one list per row of stacking. Slices within a pixel are not merged here: ``pick`` of the
    timeline chooses which slice a pixel shows, and has its own tests."""
    timeline, lane = profile.timeline, _index(params, "threadId")
    threads = _rows(by_id(profile, "lanes"))
    if timeline is None or not 0 <= lane < len(threads) or _process(timeline, lane) != _text(params, "processId"):
        return {"data": []}
    factor = _factor(timeline)
    stretch = TimeRange(_number(params, "startTime", 0) / factor, _number(params, "endTime", np.inf) / factor)
    slices = _rows(by_id(profile, "slices"))
    data: list[list[Body]] = [[] for _ in range(threads[lane]["levels"])]
    own = lane_slices(timeline, np.array([lane]))
    for index in own[within(timeline, stretch)[own]].tolist():
        row = slices[index]
        begin, end = _nanoseconds(timeline, [row["start"], row["end"]])
        data[row["level"]].append(
            {
                "name": row["name"],
                "duration": end - begin,
                "startTime": begin,
                "endTime": end,
                "depth": row["level"],
                "threadId": str(lane),
                "cname": row.get("category") or "",
                "id": str(index),
            }
        )
    return {"data": data}


def flows(profile: Profile, params: Params) -> Body:
    """The flows that begin or end at a slice, by category."""
    timeline, index = profile.timeline, _index(params, "id")
    if timeline is None or index < 0:
        return {"unitAllFlows": []}
    table, slices, own = _rows(by_id(profile, "flows")), _rows(by_id(profile, "slices")), timeline.flows
    categories: dict[str, list[Body]] = {}
    for flow in flows_of(timeline, index).tolist():
        row = table[flow]
        ends = {
            "from": _flow_end(timeline, slices, row["from_time"], int(own.from_lane[flow]), int(own.from_slice[flow])),
            "to": _flow_end(timeline, slices, row["to_time"], int(own.to_lane[flow]), int(own.to_slice[flow])),
        }
        made = {"title": "flow", "cat": row["category"], "id": str(flow), **ends}
        categories.setdefault(row["category"], []).append(made)
    return {"unitAllFlows": [{"cat": category, "flows": made} for category, made in categories.items()]}


def thread_detail(profile: Profile, params: Params) -> Body:
    """The row of a slice and its event as the details panel shows them. ``record``: the event, decoded again from the
    file; without it arguments, shapes, types and formats are empty."""
    timeline, index = profile.timeline, _index(params, "id")
    rows = Described(profile).rows("slice", index)
    if timeline is None or not rows:
        return {"emptyFlag": True, "data": {}}
    row = _rows(rows[0].table)[rows[0].row]
    begin, end = _nanoseconds(timeline, [row["start"], row["end"]])
    record = params.get("record") or {}
    lines = record_lines(record)
    values = {key_of(line.label): line.value for line in lines if line.depth == 1}
    data = {
        "selfTime": _nanoseconds(timeline, [row.get("self", row["duration"])])[0],
        "args": orjson.dumps(record["args"]).decode() if record.get("args") else "",
        "title": row["name"],
        "duration": end - begin,
        "cat": next((line.value for line in lines if line.depth == 0 and line.label == "cat"), ""),
    }
    tensors = {field: values.get(key, "") for field, key in TENSOR_FIELDS.items()}
    return {"emptyFlag": False, "data": data | tensors}


def _flow_end(timeline: Timeline, slices: list[Row], time: float, lane: int, index: int) -> Body:
    """The begin or end of a flow, with the slice there."""
    row = slices[index] if index >= 0 else {"start": 0.0, "end": 0.0, "level": 0, "name": ""}
    begin, end = _nanoseconds(timeline, [row["start"], row["end"]])
    return {
        "pid": _process(timeline, lane) if lane >= 0 else "",
        "tid": str(lane) if lane >= 0 else "",
        "timestamp": _nanoseconds(timeline, [time])[0],
        "duration": end - begin,
        "depth": row["level"],
        "name": row["name"],
        "id": str(index) if index >= 0 else "",
        "metaType": "",
        "rankId": "",
    }


def _process(timeline: Timeline | None, lane: int) -> str:
    """The id of the process that a lane belongs to."""
    assert timeline is not None
    order = list(dict.fromkeys(timeline.lanes.process.tolist()))
    return str(order.index(int(timeline.lanes.process[lane])) + 1)


def _factor(timeline: Timeline) -> float:
    """Nanoseconds in a unit of the timeline; 1 where no clock is known."""
    if timeline.seconds_per_unit is None:
        return 1.0
    return 1000.0 if timeline.unit == "µs" else timeline.seconds_per_unit * 1e9


def _nanoseconds(timeline: Timeline, times: Any) -> list[int]:
    """Times as integer nanoseconds, each rounded separately (Ascend operator files, section 4.2)."""
    whole: list[int] = np.rint(np.asarray(times, np.float64) * _factor(timeline)).astype(np.int64).tolist()
    return whole


# -- sources and instructions ---------------------------------------------------------------------------------


def code_file(profile: Profile, params: Params) -> Body:
    return {"fileContent": source_view(profile, _text(params, "sourceName")).text}


def api_line(profile: Profile, params: Params) -> Body:
    """The measured lines of a source for one core (the first for an unknown name); no data is null."""
    core, lines = _text(params, "coreName"), profile.lines
    shown = hotspots.lines(profile, core)
    if lines is None or shown is None:
        return {"lines": []}
    place = list(core_names(profile)).index(core) if core in core_names(profile) else 0
    data = []
    for number, row in enumerate(_rows(shown.table)):
        if row["file"] == _text(params, "sourceName"):
            ranges = range(int(lines.first_range[number]), int(lines.first_range[number + 1]))
            data.append(
                {
                    "Line": row["line"],
                    **{column.name: _cell(lines.columns, column, row, number, place) for column in lines.columns},
                    "Address Range": [[hex(lines.range_start[at]), hex(lines.range_end[at])] for at in ranges],
                }
            )
    return {"lines": data}


def api_instructions(profile: Profile, _: Params) -> Body:
    """All instructions with their values for every core, as JSON text."""
    section = profile.instructions
    if section is None:
        return {"instructions": ""}
    views = [hotspots.instructions(profile, core) for core in section.cores or ("",)]
    of_cores = [_rows(view.table) for view in views if view is not None]
    records = []
    for number, row in enumerate(of_cores[0]):
        record = {
            "Address": "" if row["address"] is None else hex(row["address"]),
            "AscendC Inner Code": row["file"] if row["line"] is None else f"{row['file']}:{row['line']}",
            "Pipe": row["pipe"],
            "Source": row["text"],
        }
        for column in section.columns:
            cores = enumerate(of_cores[: column.values.shape[1]])
            record[column.name] = [_cell(section.columns, column, rows[number], number, core) for core, rows in cores]
        records.append(record)
    return {"instructions": orjson.dumps({"Cores": list(section.cores), "Instructions": records}).decode()}


def _cell(columns: tuple[TypedColumn, ...], column: TypedColumn, row: Row, number: int, core: int) -> Any:
    """A cell in the spelling of the file, a percentage with its parts."""
    value, key = row[key_of(column.name)], key_of(column.name)
    parts = parts_of(columns, core).get(key) if column.details is not None else None
    return value if parts is None or value is None else {"Percent": value / 100.0, "Details": dict(parts.of(number))}


# -- the operator ---------------------------------------------------------------------------------------------


def base_info(profile: Profile, _: Params) -> Body:
    """The operator; {} where the file has none. A mix operator has ``mixBlockDetail`` instead of ``blockDetail``."""
    facts = {row["figure"]: row["value"] for row in _rows(by_id(profile, "operator"))}
    if profile.operator is None:
        return {}
    kind = facts.get("Operator type", "").partition(" (")[0]
    return {
        "name": facts.get("Operator", ""),
        "soc": facts.get("Chip", ""),
        "opType": kind,
        "blockDim": facts.get("Blocks launched", "-1"),
        "mixBlockDim": facts.get("Subordinate blocks", "-1"),
        "duration": facts.get("Duration", NA),
        "mixBlockDetail" if kind == "mix" else "blockDetail": _block_detail(by_id(profile, "block-details")),
        "advice": [line for line in facts.get("Advice", "").split("; ") if line],
    }


def _block_detail(table: Table | None) -> Body:
    columns = table.columns if table is not None else ()
    rows = [[_said(column.value(row)) for column in columns] for row in range(table.rows if table is not None else 0)]
    return {
        "headerName": [_header(column.title, column.unit) for column in columns],
        "size": [str(len(rows) + 1), str(len(columns))],
        "row": [{"value": row} for row in rows],
    }


def compute_workload(profile: Profile, params: Params) -> Body:
    """The bars (chart) and the tables of the workload panel, of one block or of all."""
    workload, wanted = profile.workload, _text(params, "blockId")
    chart: list[Body] = []
    table: list[Body] = []
    blocks = computed.blocks(profile)
    for block in blocks:
        if wanted in ("", block):
            chart += _bars(profile, block)
            table += _figures_of_block(profile, block) if workload is not None and not workload.in_graph.all() else []
    return {
        "blockIdList": blocks,
        "chartData": {"detailDataList": chart, "advice": list(workload.graph_advice) if workload is not None else []},
        "tableData": {"detailDataList": table, "advice": list(workload.table_advice) if workload is not None else []},
    }


def _bars(profile: Profile, block: str) -> list[Body]:
    return [
        {
            "blockId": block,
            "blockType": share.sub_block,
            "name": share.name,
            "unit": WORKLOAD_UNITS["share"],
            "value": _figure(share.percent),
            "originValue": _figure(share.cycles),
        }
        for share in sorted(computed.block_shares(profile, block), key=lambda share: share.row)
    ]


def _figures_of_block(profile: Profile, block: str) -> list[Body]:
    return [
        {
            "blockId": block,
            "blockType": part.sub_block,
            "name": row["name"],
            "unit": WORKLOAD_UNITS.get(key, ""),
            "value": _figure(row[key]),
        }
        for part in computed.tables(profile, block)
        for number, row in enumerate(_rows(part.table))
        for key, absent in part.absent.items()
        if not absent[number]
    ]


# -- memory ---------------------------------------------------------------------------------------------------


def memory_graph(profile: Profile, params: Params) -> Body:
    """Paths, L2 cache and units of one block or of all. Both values of a path are returned, so "show as" has no effect.
    The hit ratio is 100 · hit / (hit + miss), regardless of the stored one."""
    rows, wanted = _rows(by_id(profile, "memory-blocks")), _text(params, "blockId")
    return {"coreMemory": [_core(profile, e, row) for e, row in enumerate(rows) if wanted in ("", row["block"])]}


def _core(profile: Profile, entry: int, row: Row) -> Body:
    """The diagram of a block with everything shown."""
    assert profile.memory_paths is not None
    figures = figures_of(profile.memory_paths, entry, show_all=True)
    cache = figures.boxes["hit_rate"]
    paths = sorted((*figures.shown.values(), *figures.elsewhere), key=lambda path: path.row)
    return {
        "advice": list(figures.advice),
        "blockId": row["block"],
        "l2Cache": {
            "hitRatio": _figure(cache.percent),
            "hit": _said(cache.part),
            "totalRequest": _said(row["requests"]),
            "miss": _said(cache.other),
        },
        "blockType": figures.operator_type,
        "chipType": figures.soc,
        "memoryUnit": [_path(path) for path in paths],
        "vector": _unit(figures.boxes["vector"]),
        "vector1": _unit(figures.boxes["vector1"]),
        "cube": _unit(figures.boxes["cube"]),
    }


def _path(path: PathFigures) -> Body:
    request = path.request
    return {
        "request": NA if request is None else int(request) if request.is_integer() else request,
        "display": path.display,
        "peakRatio": _figure(path.peak),
        "bandwidth": _figure(path.bandwidth),
        "memoryPath": str(path.path),
    }


def _unit(box: BoxFigures) -> Body:
    """The values of a unit; empty strings for one that the block does not have."""
    figures = {"cycle": _said(box.part), "totalCycles": _said(box.other), "ratio": _figure(box.percent)}
    return {key: "" if text == NA else text for key, text in figures.items()}


def memory_table(profile: Profile, params: Params) -> Body:
    """The tables of one block or of all, with the rows of that block. ``size``: numbers of rows and columns of
    values."""
    stored, wanted = profile.memory_tables, _text(params, "blockId")
    if stored is None:
        return {"memoryTable": []}
    tables, text, entries = memory_tables(profile), stored.strings.get, []
    for entry, code in enumerate(stored.block_name.tolist()):
        if wanted in ("", text(code)):
            own = (_table_of_block(table, text(code)) for table in tables)
            entries.append(
                {
                    "advice": list(stored.advice[entry]),
                    "blockId": text(code),
                    "tableOpType": text(int(stored.block_type[entry])),
                    "tableDetail": [detail for detail in own if detail["row"]],
                }
            )
    return {"memoryTable": entries}


def _table_of_block(table: Table, block: str) -> Body:
    of_block, name, *columns = table.columns
    rows = [row for row in range(table.rows) if of_block.value(row) == block]
    return {
        "headerName": ["", *(_header(column.title, column.unit) for column in columns)],
        "tableName": table.title,
        "size": [str(len(rows)), str(len(columns))],
        "row": [{"name": name.value(row), "value": [_said(column.value(row)) for column in columns]} for row in rows],
    }


# -- values ---------------------------------------------------------------------------------------------------


def _rows(table: Table | None) -> list[Row]:
    """The rows of a table as plain values by column key; none without a table."""
    if table is None:
        return []
    return [{column.key: column.value(row) for column in table.columns} for row in range(table.rows)]


def _header(title: str, unit: str) -> str:
    return f"{title}({unit})" if unit else title


def _figure(value: float | None) -> str:
    """A measured value with all its digits."""
    return NA if value is None or value != value else repr(float(value))


def _said(value: str | float | None) -> str:
    """A cell as text; whole numbers without a fraction."""
    if value is None:
        return NA
    if isinstance(value, str):
        return value
    return str(int(value)) if float(value).is_integer() else repr(value)


def _text(params: Params, key: str) -> str:
    return str(params.get(key, ""))


def _number(params: Params, key: str, default: float) -> float:
    value = params.get(key, default)
    return float(value) if isinstance(value, int | float) else default


def _index(params: Params, key: str) -> int:
    """An integer sent as a string; -1 for any other string."""
    text = _text(params, key)
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 18 else -1


QUERIES: Final[dict[str, Callable[[Profile, Params], Body]]] = {
    "import/action": import_action,
    "unit/units": units,
    "unit/threadTracesSummary": thread_traces_summary,
    "unit/threadTraces": thread_traces,
    "unit/flows": flows,
    "unit/threadDetail": thread_detail,
    "source/code/file": code_file,
    "source/api/line": api_line,
    "source/api/instructions": api_instructions,
    "source/details/baseInfo": base_info,
    "source/details/computeworkload": compute_workload,
    "source/details/memoryGraph": memory_graph,
    "source/details/memoryTable": memory_table,
}
