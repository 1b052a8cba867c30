"""Writes the text form of a database of a rank, row by row, as the PyTorch profiler formats it (Ascend captures,
section 2): the same run in both forms."""

from __future__ import annotations

import csv
import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

KINDS = ("inputShapes", "inputDataTypes", "inputFormats", "outputShapes", "outputDataTypes", "outputFormats")
TITLES = ("Input Shapes", "Input Data Types", "Input Formats", "Output Shapes", "Output Data Types", "Output Formats")
NONE = 4294967295
TRANSPORTS = ("RDMA", "HCCS", "PCIE", "SDMA", "SIO")
MB = 1 << 20


def write(main: Path, analysis: Path | None, folder: Path, rank: int) -> Path:
    """Writes the folder of a rank with the facts of its databases, and returns it."""
    output = folder / "ASCEND_PROFILER_OUTPUT"
    output.mkdir(parents=True)
    (folder / f"profiler_info_{rank}.json").write_text(json.dumps({"rank_id": rank, "config": {}}))
    with closing(sqlite3.connect(main)) as connection:
        connection.row_factory = sqlite3.Row
        _Writer(connection, output).write()
    if analysis is not None:
        with closing(sqlite3.connect(analysis)) as connection:
            connection.row_factory = sqlite3.Row
            _write_analysis(connection, output)
    return folder


def microseconds(time: int | None, tab: str = "\t") -> str:
    """A time in nanoseconds with three decimals, and the tab that keeps spreadsheets from rounding it."""
    return "" if time is None else f"{time // 1000}.{time % 1000:03}{tab}"


def rows_of(connection: sqlite3.Connection, table: str) -> list[dict[str, Any]]:
    """The rows of a table, none if it is not there."""
    try:
        return [dict(row) for row in connection.execute(f"SELECT * FROM {table}")]
    except sqlite3.OperationalError:
        return []


class _Writer:
    def __init__(self, connection: sqlite3.Connection, output: Path) -> None:
        self._connection = connection
        self._output = output
        self._texts = {row["id"]: row["value"] for row in rows_of(connection, "STRING_IDS")}

    def write(self) -> None:
        self._kernels()
        self._memory()
        self._calls()

    def _table(self, name: str, titles: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        with (self._output / name).open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([titles, *rows])

    def _kernels(self) -> None:
        infos = {row["globalTaskId"]: row for row in rows_of(self._connection, "COMPUTE_TASK_INFO")}
        counters = defaultdict[int, dict[str, float]](dict)
        for row in rows_of(self._connection, "TASK_PMU_INFO"):
            counters[row["globalTaskId"]][self._texts[row["name"]]] = row["value"]
        names = list(dict.fromkeys(name for one in counters.values() for name in one))
        tasks = rows_of(self._connection, "TASK")
        lines: list[tuple[int, int, list[Any]]] = []
        for task in tasks:
            info = infos.get(task["globalTaskId"])
            if info is not None:
                own = counters.get(task["globalTaskId"], {})
                cells = ["N/A" if name not in own else _counter(name, own[name]) for name in names]
                lines.append((task["startNs"], task["endNs"], [*self._kernel(task, info), *cells]))
        for row in rows_of(self._connection, "COMMUNICATION_OP"):
            name, kind = self._texts[row["opName"]], self._texts[row["opType"]]
            cells = [NONE, "N/A", "N/A", name, kind, "N/A", "HCCL", *(["N/A"] * (9 + len(names)))]
            lines.append((row["startNs"], row["endNs"], cells))
        lines.sort(key=lambda line: line[0])
        made, reach = [], None
        for start, end, cells in lines:
            wait = 0 if reach is None else max(start - reach, 0)
            reach = end if reach is None else max(reach, end)
            times = [microseconds(start), (end - start) / 1000, wait / 1000]
            made.append([self._step(start, tasks), *cells[:7], *times, *cells[7:]])
        blocks = ("Block Dim", "Mix Block Dim")
        if any("blockNum" in info for info in infos.values()):
            blocks = ("Block Num", "Mix Block Num")
        first = ("Step Id", "Model ID", "Task ID", "Stream ID", "Name", "Type", "OP State", "Accelerator Core")
        titles = [*first, "Start Time(us)", "Duration(us)", "Wait Time(us)", *blocks, *TITLES, "Context ID"]
        self._table("kernel_details.csv", [*titles, *map(_title, names)], made)

    def _kernel(self, task: dict[str, Any], info: dict[str, Any]) -> list[Any]:
        text = self._texts
        state = text[info["opState"]] if "opState" in info else "N/A"
        blocks = [info[new if new in info else old] for new, old in _BLOCKS]
        context = "N/A" if task["contextId"] == NONE else task["contextId"]
        who = [NONE, task["taskId"], task["streamId"], text[info["name"]], text[info["opType"]], state]
        return [*who, text[info["taskType"]], *blocks, *(text[info[kind]] for kind in KINDS), context]

    def _step(self, start: int, tasks: list[dict[str, Any]]) -> Any:
        """The last step on the device that has begun and not ended."""
        if not hasattr(self, "_ranges"):
            launches = {row["connectionId"]: row["startNs"] for row in rows_of(self._connection, "CANN_API")}
            self._ranges = []
            for step in rows_of(self._connection, "STEP_TIME"):
                own = [
                    task for task in tasks if step["startNs"] <= launches.get(task["connectionId"], -1) <= step["endNs"]
                ]
                if own:
                    last = max(step["endNs"], *(task["endNs"] for task in own))
                    self._ranges.append((min(task["startNs"] for task in own), last, step["id"]))
        known = [(first, number) for first, last, number in self._ranges if first <= start <= last]
        return max(known)[1] if known else ""

    def _memory(self) -> None:
        made = [
            ("APP", microseconds(row["timestampNs"]), "", (row["ddr"] + row["hbm"]) / MB, "", "", "NPU:0")
            for row in rows_of(self._connection, "NPU_MEM")
            if self._texts[row["type"]] == "app"
        ]
        for row in rows_of(self._connection, "MEMORY_RECORD"):
            sizes = [
                "" if row[name] is None else row[name] / MB
                for name in ("totalAllocated", "totalReserved", "totalActive")
            ]
            made.append((self._texts[row["component"]], microseconds(row["timestamp"]), *sizes, 1, "NPU:0"))
        totals = ("Total Allocated(MB)", "Total Reserved(MB)", "Total Active(MB)")
        titles = ("Component", "Timestamp(us)", *totals, "Stream Ptr", "Device Type")
        self._table("memory_record.csv", titles, made)
        operators = [
            (self._texts[row["name"]], row["size"] / 1024, *(microseconds(row[name]) for name in _RELEASES))
            for row in rows_of(self._connection, "OP_MEMORY")
        ]
        times = ("Allocation Time(us)", "Release Time(us)", "Active Release Time(us)")
        self._table("operator_memory.csv", ("Name", "Size(KB)", *times), operators)

    def _calls(self) -> None:
        levels = {row["id"]: row["name"] for row in rows_of(self._connection, "ENUM_API_TYPE")}
        spent = defaultdict[tuple[str, str], list[float]](list)
        for row in rows_of(self._connection, "CANN_API"):
            spent[levels[row["type"]], self._texts[row["name"]]].append((row["endNs"] - row["startNs"]) / 1000)
        titles = ("Level", "API Name", "Time(us)", "Count", "Avg(us)", "Min(us)", "Max(us)", "Variance")
        rows = [
            (*key, sum(each), len(each), sum(each) / len(each), min(each), max(each), 0) for key, each in spent.items()
        ]
        self._table("api_statistic.csv", titles, rows)


_BLOCKS = (("blockNum", "blockDim"), ("mixBlockNum", "mixBlockDim"))
_RELEASES = ("allocationTime", "releaseTime", "activeReleaseTime")


def _counter(name: str, value: float) -> float:
    return round(value / 1000 if name.endswith("_time") else value, 3)


def _title(name: str) -> str:
    titles = {"aic_total_time": "aicore_time(us)", "aiv_total_time": "aiv_time(us)"}
    return titles.get(name, f"{name}(us)" if name.endswith("_time") else name)


def _write_analysis(connection: sqlite3.Connection, output: Path) -> None:
    steps = rows_of(connection, "StepTraceTime")
    titles = (
        ("Step", "step"),
        ("Computing", "computing"),
        ("Communication(Not Overlapped)", "communication_not_overlapped"),
        ("Overlapped", "overlapped"),
        ("Communication", "communication"),
        ("Free", "free"),
        ("Stage", "stage"),
        ("Bubble", "bubble"),
        ("Communication(Not Overlapped and Exclude Receive)", "communication_not_overlapped_and_exclude_receive"),
        ("Preparing", "preparing"),
    )
    with (output / "step_trace_time.csv").open("w", newline="", encoding="utf-8") as file:
        rows = [[row[column] for _, column in titles] for row in steps]
        csv.writer(file).writerows([[title for title, _ in titles], *rows])
    (output / "communication.json").write_text(json.dumps(_communication(connection)))
    (output / "communication_matrix.json").write_text(json.dumps(_matrix(connection)))


def _tree() -> defaultdict[str, dict[str, dict[str, Any]]]:
    return defaultdict(lambda: {"p2p": {}, "collective": {}})


def _communication(connection: sqlite3.Connection) -> Any:
    tree = _tree()
    for row in rows_of(connection, "CommAnalyzerTime"):
        times = {
            "Start Timestamp(us)": row["start_timestamp"],
            "Elapse Time(ms)": row["elapse_time"],
            "Transit Time(ms)": row["transit_time"],
            "Wait Time(ms)": row["wait_time"],
            "Synchronization Time(ms)": row["synchronization_time"],
            "Idle Time(ms)": row["idle_time"],
        }
        empty = {transport: {"Transit Size(MB)": 0, "Size Distribution": {}} for transport in TRANSPORTS}
        title = f"{row['hccl_op_name']}@{row['group_name']}"
        about = {"Communication Time Info": times, "Communication Bandwidth Info": empty}
        tree[row["step"]][row["type"]][title] = about
    for row in rows_of(connection, "CommAnalyzerBandwidth"):
        title = f"{row['hccl_op_name']}@{row['group_name']}"
        about = tree[row["step"]][row["type"]][title]["Communication Bandwidth Info"][row["transport_type"]]
        about["Transit Size(MB)"] = row["transit_size"]
        if row["count"]:
            about["Size Distribution"][str(row["package_size"])] = [row["count"], row["total_duration"]]
    return tree


def _matrix(connection: sqlite3.Connection) -> Any:
    tree = _tree()
    for row in rows_of(connection, "CommAnalyzerMatrix"):
        links = tree[row["step"]][row["type"]].setdefault(f"{row['hccl_op_name']}@{row['group_name']}", {})
        links[f"{row['src_rank']}-{row['dst_rank']}"] = {
            "Transport Type": row["transport_type"],
            "Transit Size(MB)": row["transit_size"],
            "Transit Time(ms)": row["transit_time"],
            "Bandwidth(GB/s)": row["bandwidth"],
            "Op Name": row["op_name"],
        }
    return tree
