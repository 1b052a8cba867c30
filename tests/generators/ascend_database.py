"""Seeded databases of the PyTorch profiler on Ascend (Ascend captures, section 3): a rank with training steps, kernels,
collectives on several planes, calls, operators of the framework, memory and counters, in the columns of older and newer
versions, and the analysis beside it. Several ranks of one seed have the same collectives; times differ.

``python -m generators.ascend_database FOLDER [RANKS] [KERNELS]`` writes rank folders.
"""

from __future__ import annotations

import json
import random
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

BEGIN: Final = 1_736_410_576_375_315_901
NONE: Final = 4294967295
GROUP: Final = "90.91.105.46%enp189s0f0_60000_0_1736410538306028"
GROUP_HASH: Final = "17148521525495523210"
TYPES: Final = (
    ("MatMulV2", "AI_CORE", "KERNEL_AICORE"),
    ("TransData", "AI_VECTOR_CORE", "KERNEL_AIVEC"),
    ("Add", "AI_VECTOR_CORE", "KERNEL_AIVEC"),
    ("TopKV2", "MIX_AIV", "KERNEL_AICORE"),
    ("Cast", "AI_CPU", "KERNEL_AICPU"),
)
PMU: Final = ("aic_total_time", "aic_mac_ratio", "aiv_total_time", "aiv_vec_ratio", "aiv_mte2_ratio")
PLANES: Final = 3
ENUMS: Final = {
    "ENUM_API_TYPE": {5000: "runtime", 5500: "hccl", 10000: "node", 15000: "model", 20000: "acl"}
    | {50001: "op", 50002: "queue", 50003: "trace", 50004: "mstx"},
    "ENUM_HCCL_DATA_TYPE": {0: "INT8", 3: "FP16", 4: "FP32", 65534: "N/A", 65535: "INVALID_TYPE"},
    "ENUM_HCCL_RDMA_TYPE": {0: "RDMA_SEND_NOTIFY", 1: "RDMA_SEND_PAYLOAD", 65535: "INVALID_TYPE"},
    "ENUM_HCCL_LINK_TYPE": {0: "ON_CHIP", 1: "HCCS", 7: "RESERVED", 65535: "INVALID_TYPE"},
    "ENUM_HCCL_TRANSPORT_TYPE": {0: "SDMA", 1: "RDMA", 2: "LOCAL", 65535: "INVALID_TYPE"},
}

Rows = list[tuple[Any, ...]]


class Tables:
    """Tables under construction: by name, the declarations of columns and the rows."""

    def __init__(self) -> None:
        self.columns: dict[str, list[str]] = {}
        self.rows: dict[str, Rows] = {}

    def make(self, name: str, columns: str) -> None:
        """Adds a table. ``columns``: names, with TEXT behind those that are no INTEGER."""
        self.columns[name] = [column.strip() for column in columns.split(",")]
        self.rows[name] = []

    def add(self, table: str, /, **values: Any) -> None:
        """Adds a row; columns that the version lacks are left out."""
        names = [column.split()[0] for column in self.columns[table]]
        self.rows[table].append(tuple(values.get(column) for column in names))

    def write(self, path: Path) -> None:
        """Writes the database."""
        path.unlink(missing_ok=True)
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA journal_mode=OFF")
            connection.execute("PRAGMA synchronous=OFF")
            for name, columns in self.columns.items():
                typed = [column if " " in column else f"{column} INTEGER" for column in columns]
                connection.execute(f"CREATE TABLE {name} ({', '.join(typed)})")
                marks = ", ".join("?" * len(columns))
                connection.executemany(f"INSERT INTO {name} VALUES ({marks})", self.rows[name])
            connection.commit()


class Texts:
    """STRING_IDS."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._ids: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        if text not in self._ids:
            self._ids[text] = len(self._ids)
            self._tables.rows["STRING_IDS"].append((self._ids[text], text))
        return self._ids[text]


class Rank:
    """One rank: ``main`` and ``analysis`` are the tables of its two databases."""

    def __init__(
        self,
        rank: int = 0,
        *,
        seed: int = 0,
        newer: bool = True,
        steps: int = 2,
        kernels: int = 12,
        collectives: int = 2,
        device: int = 4,
        other: int | None = None,
    ) -> None:
        """``other``: a second device, which every other step runs on."""
        self.rank, self.device = rank, device
        self._devices = (device, device if other is None else other)
        self.newer = newer
        self._shared = random.Random(seed)
        self._own = random.Random(f"{seed}/{rank}")
        self.main, self.analysis = Tables(), Tables()
        self._declare()
        self._text = Texts(self.main)
        self._task = self._connection = self._queued = self._operation = 0
        self._now = BEGIN + self._own.randrange(1_000_000)
        self._free = self._now
        self.kernels: list[tuple[int, int, int]] = []
        """(step, start, end) of each compute kernel."""
        self.collectives: list[tuple[int, int, int, str]] = []
        self.marked: list[tuple[int, int, int]] = []
        for step in range(steps):
            self.device = self._devices[step % 2]
            self._step(10 + step, kernels, collectives)
        if not steps:
            self._work(-1, kernels, collectives)
        self._beside()
        self._analyse()

    def write(self, folder: Path, analysis: bool = True) -> tuple[Path, ...]:
        """Writes both databases into ``folder``, and returns their paths."""
        folder.mkdir(parents=True, exist_ok=True)
        paths = [folder / f"ascend_pytorch_profiler_{self.rank}.db"]
        self.main.write(paths[0])
        if analysis:
            paths.append(folder / "analysis.db")
            self.analysis.write(paths[1])
        return tuple(paths)

    def _declare(self) -> None:
        make, newer = self.main.make, self.newer
        make("STRING_IDS", "id INTEGER PRIMARY KEY, value TEXT")
        for name, members in ENUMS.items():
            make(name, "id INTEGER PRIMARY KEY, name TEXT")
            self.main.rows[name] = list(members.items())
        make(
            "TASK",
            "startNs, endNs, deviceId, connectionId, globalTaskId, globalPid, taskType, contextId, streamId, taskId, "
            "modelId",
        )
        blocks = "blockNum, mixBlockNum" if newer else "blockDim, mixBlockDim"
        more = ", opState, hf32Eligible" if newer else ""
        make(
            "COMPUTE_TASK_INFO",
            f"name, globalTaskId INTEGER PRIMARY KEY, {blocks}, taskType, opType, inputFormats, inputDataTypes, "
            f"inputShapes, outputFormats, outputDataTypes, outputShapes, attrInfo{more}",
        )
        make("TASK_PMU_INFO", "globalTaskId, name, value NUMERIC")
        make(
            "COMMUNICATION_OP",
            "opName, startNs, endNs, connectionId, groupName, opId INTEGER PRIMARY KEY, relay, retry, dataType, "
            f"algType, count NUMERIC, opType{', deviceId' if newer else ''}",
        )
        make(
            "COMMUNICATION_TASK_INFO",
            "name, globalTaskId, taskType, planeId, groupName, notifyId, rdmaType, srcRank, dstRank, transportType, "
            f"size, dataType, linkType, opId{', isMaster, bandwidth NUMERIC' if newer else ''}",
        )
        make("CANN_API", "startNs, endNs, type, globalTid, connectionId INTEGER PRIMARY KEY, name")
        time = "startNs, endNs" if newer else "startNs TEXT, endNs TEXT"
        make(
            "PYTORCH_API",
            f"{time}, globalTid, connectionId, name, sequenceNumber, fwdThreadId, inputDtypes, inputShapes, "
            "callchainId, type",
        )
        make("CONNECTION_IDS", "id, connectionId")
        make("STEP_TIME", "id, startNs, endNs")
        make(
            "MEMORY_RECORD",
            "component, timestamp, totalAllocated, totalReserved, totalActive, streamPtr, deviceId",
        )
        make("OP_MEMORY", "name, size, allocationTime, releaseTime, activeReleaseTime, duration, deviceId")
        make("NPU_MEM", "type, ddr NUMERIC, hbm NUMERIC, timestampNs, deviceId")
        make("AICORE_FREQ", "deviceId, timestampNs NUMERIC, freq")
        make("HOST_INFO", "hostUid TEXT, hostName TEXT")
        make("RANK_DEVICE_MAP", "rankId, deviceId")
        make("META_DATA", "name TEXT, value TEXT")

    def _step(self, number: int, kernels: int, collectives: int) -> None:
        start = self._now
        self._now += self._own.randrange(500, 5_000)
        self._work(number, kernels, collectives)
        end = max(self._now, self._free) + self._own.randrange(1_000)
        self.main.add("STEP_TIME", id=number, startNs=start, endNs=end)
        self._python(start, end, f"ProfilerStep#{number}", "trace", None, 1)
        self.marked.append((number, start, end))
        self._now = self._free = end + self._own.randrange(1_000, 50_000)

    def _work(self, step: int, kernels: int, collectives: int) -> None:
        """Kernels on stream 2, and collectives that begin beside them."""
        kinds = [self._shared.choice(TYPES) for _ in range(kernels)]
        after = sorted(self._shared.randrange(kernels + 1) for _ in range(collectives))
        for at, kind in enumerate(kinds):
            for _ in range(after.count(at)):
                self._collective(step)
            self._kernel(step, at, kind)
        for _ in range(after.count(kernels)):
            self._collective(step)

    def _launch(self, name: str) -> int:
        """An operator of the framework, what it puts into the queue, and the call that launches; its connection."""
        self._connection += 1
        begin, own = self._now, self._own
        self._queued += 1
        first, second, third = (3 * self._queued + more for more in range(3))
        self._python(begin, begin + 400, name, "op", first, 1)
        self._python(begin + 100, begin + 200, "Enqueue", "queue", second, 1)
        self._python(begin + 250, begin + 380, f"Dequeue@{name}", "queue", third, 2)
        for number, connection in ((first, self._connection), (second, 10**6 + first), (third, 10**6 + first)):
            self.main.add("CONNECTION_IDS", id=number, connectionId=connection)
        self.main.add(
            "CANN_API",
            startNs=begin + 260,
            endNs=begin + 370,
            type=10000,
            globalTid=7 << 32 | 2,
            connectionId=self._connection,
            name=self._text("launch"),
        )
        self._now += own.randrange(450, 3_000)
        return self._connection

    def _python(self, start: int, end: int, name: str, kind: str, connection: int | None, thread: int) -> None:
        shown: Sequence[Any] = (start, end) if self.newer else (str(start), str(end))
        number = next(at for at, word in ENUMS["ENUM_API_TYPE"].items() if word == kind)
        self.main.add(
            "PYTORCH_API",
            startNs=shown[0],
            endNs=shown[1],
            globalTid=7 << 32 | thread,
            connectionId=connection,
            name=self._text(name),
            inputShapes=self._text("2,3") if kind == "op" else None,
            type=number,
        )

    def _add_task(self, start: int, end: int, connection: int, kind: str, context: int, stream: int, task: int) -> int:
        self.main.add(
            "TASK",
            startNs=start,
            endNs=end,
            deviceId=self.device,
            connectionId=connection,
            globalTaskId=self._task,
            globalPid=7,
            taskType=self._text(kind),
            contextId=context,
            streamId=stream,
            taskId=task,
            modelId=NONE,
        )
        self._task += 1
        return self._task - 1

    def _kernel(self, step: int, at: int, kind: tuple[str, str, str]) -> None:
        name, core, task_type = kind
        connection = self._launch(f"aclnn{name}")
        start = max(self._free, self._now) + self._own.randrange(300)
        end = start + self._own.randrange(1, 20_000)
        task = self._task % 65536
        context = 0 if core.startswith("MIX") else NONE
        if context != NONE:  # a task that holds it
            self._add_task(start - 50, end + 20, connection, task_type, NONE, 2, task)
        number = self._add_task(start, end, connection, task_type, context, 2, task)
        text = self._text
        self.main.add(
            "COMPUTE_TASK_INFO",
            name=text(f"aclnn{name}_{name}_{at}"),
            globalTaskId=number,
            **{"blockNum" if self.newer else "blockDim": 8 + at, "mixBlockNum" if self.newer else "mixBlockDim": 0},
            taskType=text(core),
            opType=text(name),
            inputFormats=text("ND;ND"),
            inputDataTypes=text("FLOAT;FLOAT"),
            inputShapes=text('"2,3;3,4"'),
            outputFormats=text("ND"),
            outputDataTypes=text("FLOAT"),
            outputShapes=text('"2,4"'),
            attrInfo=text("N/A"),
            opState=text("dynamic"),
            hf32Eligible=text("NO"),
        )
        for metric in PMU if core != "AI_CPU" else ():
            value = self._own.random() * (1 if "ratio" in metric else 20_000)
            self.main.add("TASK_PMU_INFO", globalTaskId=number, name=text(metric), value=value)
        self.kernels.append((step, start, end))
        self._free = end

    def _collective(self, step: int) -> None:
        """On planes whose tasks wait, then transfer, then tell the others; plane 1 is the main one."""
        self._operation += 1
        name = f"hcom_{'allReduce' if self._operation % 3 else 'receive'}__210_{self._operation}_1"
        connection = self._launch("HcclAllreduce")
        text, own = self._text, self._own
        start = max(self._free - own.randrange(4_000), self._now) + own.randrange(200)
        last = start
        task = self._task % 65536
        holder = self._task
        self._add_task(start - 30, start, connection, "AI_CORE", NONE, 4, task)
        for plane in range(PLANES):
            now = start + (plane != 1) * own.randrange(50)
            for context, kind in enumerate(("Notify_Wait", "Memcpy", "Notify_Record") * (1 + (plane == 1))):
                end = now + own.randrange(20, 3_000)
                sends = kind == "Memcpy"
                words = {"Notify_Wait": "Notify Wait", "Memcpy": "SDMA", "Notify_Record": "Write Value"}
                number = self._add_task(now, end, connection, words[kind], plane * 10 + context, 4, task)
                self.main.add(
                    "COMMUNICATION_TASK_INFO",
                    name=text(name),
                    globalTaskId=number,
                    taskType=text(kind),
                    planeId=plane,
                    groupName=text(GROUP),
                    notifyId=0,
                    rdmaType=65535,
                    srcRank=self.rank,
                    dstRank=1 - self.rank,
                    transportType=0,
                    size=1 << 20 if sends else 0,
                    dataType=4 if sends else 65535,
                    linkType=1 if sends else 65535,
                    opId=self._operation,
                    isMaster=int(plane == 1),
                    bandwidth=1.5,
                )
                last = max(last, end)
                now = end + own.randrange(100)
        row = list(self.main.rows["TASK"][holder])
        row[1] = last + 10
        self.main.rows["TASK"][holder] = tuple(row)
        self.main.add(
            "COMMUNICATION_OP",
            opName=text(name),
            startNs=start,
            endNs=last,
            connectionId=connection,
            groupName=text(GROUP),
            opId=self._operation,
            relay=0,
            retry=0,
            dataType=4,
            algType=text("MESH-RING"),
            count=4096,
            opType=text("hcom_allReduce_"),
            deviceId=self.device,
        )
        self.collectives.append((step, start, last, name))

    def _beside(self) -> None:
        """Memory, frequency, and who the rank is."""
        add, text = self.main.add, self._text
        now = BEGIN
        allocated = 900_000_000
        for number in range(20):
            self.device = self._devices[number % 2]
            now += self._own.randrange(1_000, 90_000)
            size = 512 * self._own.randrange(1, 4_000)
            allocated += size if number % 2 == 0 else -size
            for component in ("PTA", "PTA+GE"):
                add(
                    "MEMORY_RECORD",
                    component=text(component),
                    timestamp=now,
                    totalAllocated=allocated,
                    totalReserved=1_522_532_352,
                    totalActive=allocated,
                    deviceId=self.device,
                )
            release = now + 5_000 if number % 3 else None
            add("OP_MEMORY", name=text("aten::empty"), size=size, allocationTime=now, releaseTime=release)
            add("NPU_MEM", type=text("app"), ddr=0, hbm=2_212_077_568, timestampNs=now, deviceId=self.device)
        add("AICORE_FREQ", deviceId=self.device, timestampNs=BEGIN, freq=1800)
        add("AICORE_FREQ", deviceId=self.device, timestampNs=BEGIN + 10_000, freq=800)
        add("HOST_INFO", hostUid="3538958389648580163", hostName="node")
        add("RANK_DEVICE_MAP", rankId=-1, deviceId=-1)
        for device in dict.fromkeys(self._devices):
            add("RANK_DEVICE_MAP", rankId=self.rank if device == self._devices[0] else -1, deviceId=device)
        groups = json.dumps({GROUP: {"group_name": "dp", "group_rank": self.rank, "global_ranks": [0, 1]}})
        add("META_DATA", name="SCHEMA_VERSION", value="1.1.0" if self.newer else "1.0.0")
        add("META_DATA", name="parallel_group_info", value=groups)

    def _analyse(self) -> None:
        make, device = self.analysis.make, "deviceId, " if self.newer else ""
        numbers = (
            "computing, communication_not_overlapped, overlapped, communication, free, stage, bubble, "
            "communication_not_overlapped_and_exclude_receive, preparing"
        )
        make("StepTraceTime", f"{device}step TEXT, {numbers.replace(',', ' NUMERIC,')} NUMERIC")
        for number, start, _ in self.marked:
            self._trace(number, start)
        if not self.marked:
            self._trace(-1, None)
        times = "start_timestamp, elapse_time, transit_time, wait_time, synchronization_time, idle_time"
        make(
            "CommAnalyzerTime",
            f"hccl_op_name TEXT, group_name TEXT, {times.replace(',', ' NUMERIC,')} NUMERIC, step TEXT, type TEXT",
        )
        make(
            "CommAnalyzerBandwidth",
            "hccl_op_name TEXT, group_name TEXT, transport_type TEXT, transit_size NUMERIC, transit_time NUMERIC, "
            "bandwidth NUMERIC, large_packet_ratio NUMERIC, package_size NUMERIC, count NUMERIC, "
            "total_duration NUMERIC, step TEXT, type TEXT",
        )
        make(
            "CommAnalyzerMatrix",
            "hccl_op_name TEXT, group_name TEXT, src_rank TEXT, dst_rank TEXT, transport_type TEXT, "
            "transit_size NUMERIC, transit_time NUMERIC, bandwidth NUMERIC, step TEXT, type TEXT, op_name TEXT",
        )
        for number, (step, start, end, name) in enumerate(self.collectives, 1):
            self._communicated(number, f"step{step}" if step >= 0 else "step", start, end, name)

    def _trace(self, step: int, host: int | None) -> None:
        kernels = [(start, end) for own, start, end in self.kernels if own == step]
        collectives = [(start, end, name) for own, start, end, name in self.collectives if own == step]
        moments = [edge for pair in kernels for edge in pair]
        moments += [edge for start, end, _ in collectives for edge in (start, end)]
        if not moments:
            return
        pairs = [(start, end) for start, end, _ in collectives]
        computing, communication = length(kernels), length(pairs)
        both = length([*kernels, *pairs])
        exposed = both - computing
        bubble = sum(end - start for start, end, name in collectives if name.startswith("hcom_receive"))
        total = max(moments) - min(moments)
        preparing = min(moments) - host if host is not None else 0
        values = (computing, exposed, communication - exposed, communication, total - both, total - bubble, bubble)
        numbers = [value / 1000 for value in (*values, max(exposed - bubble, 0), preparing)]
        names = [column.split()[0] for column in self.analysis.columns["StepTraceTime"]]
        columns = dict(zip(names[-len(numbers) :], numbers, strict=True))
        text = str(step) if step >= 0 else ""
        self.analysis.add("StepTraceTime", step=text, deviceId=self.device, **columns)

    def _communicated(self, number: int, step: str, start: int, end: int, name: str) -> None:
        kinds: dict[int, str] = dict(self.main.rows["STRING_IDS"])
        infos = [dict(zip(self._names("COMMUNICATION_TASK_INFO"), row, strict=True)) for row in self._infos(number)]
        spans = {row[4]: (row[0], row[1]) for row in self.main.rows["TASK"]}
        main = sorted((*spans[one["globalTaskId"]], kinds[one["taskType"]]) for one in infos if one["planeId"] == 1)
        transit = sum(until - since for since, until, kind in main if kind == "Memcpy")
        wait = sum(until - since for since, until, kind in main if kind == "Notify_Wait")
        first = min(since for since, _, kind in main if kind == "Memcpy")
        early = sum(until - since for since, until, kind in main if kind == "Notify_Wait" and since < first)
        kind = "p2p" if "receive" in name else "collective"
        place = {"hccl_op_name": name, "group_name": GROUP_HASH, "step": step, "type": kind}
        self.analysis.add(
            "CommAnalyzerTime",
            **place,
            start_timestamp=start / 1000,
            elapse_time=(end - start) / 1e6,
            transit_time=transit / 1e6,
            wait_time=wait / 1e6,
            synchronization_time=early / 1e6,
            idle_time=(end - start - transit - wait) / 1e6,
        )
        moved = {"transit_size": 2.097152, "transit_time": transit / 1e6, "bandwidth": 2.097152e6 / transit}
        for transport, size, count in (("HCCS", 1.048576, 2), ("SDMA", 0, 0)):
            own = {"package_size": size, "count": count, "total_duration": transit / 1e6 if count else 0}
            self.analysis.add(
                "CommAnalyzerBandwidth", **place, transport_type=transport, large_packet_ratio=0, **moved, **own
            )
        ends = {"src_rank": str(self.rank), "dst_rank": str(1 - self.rank)}
        place |= {"hccl_op_name": f"{'receive' if kind == 'p2p' else 'allreduce'}-top{number}", "op_name": name}
        self.analysis.add("CommAnalyzerMatrix", **place, **ends, transport_type="HCCS", **moved)

    def _names(self, table: str) -> list[str]:
        return [column.split()[0] for column in self.main.columns[table]]

    def _infos(self, number: int) -> Rows:
        place = self._names("COMMUNICATION_TASK_INFO").index("opId")
        return [row for row in self.main.rows["COMMUNICATION_TASK_INFO"] if row[place] == number]


def length(spans: Sequence[tuple[int, int]]) -> int:
    """How long any of the spans runs."""
    total, reach = 0, None
    for start, end in sorted(spans):
        begin = start if reach is None else max(start, reach)
        total += max(end - begin, 0)
        reach = end if reach is None else max(reach, end)
    return total


def small(seed: int = 0, newer: bool = True) -> bytes:
    """The bytes of a small database of a rank."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        paths = Rank(seed=seed, newer=newer, steps=1, kernels=3, collectives=1).write(Path(folder), analysis=False)
        return paths[0].read_bytes()


def write_ranks(folder: Path, ranks: int = 2, *, seed: int = 0, newer: bool = True, kernels: int = 12) -> list[Path]:
    """Writes folders of ranks below ``folder``, which it returns."""
    made = []
    for rank in range(ranks):
        made.append(folder / f"rank{rank}_ascend_pt")
        Rank(rank, seed=seed, newer=newer, kernels=kernels).write(made[-1] / "ASCEND_PROFILER_OUTPUT")
    return made


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[2:]]
    write_ranks(Path(sys.argv[1]), *numbers[:1], kernels=numbers[1] if len(numbers) > 1 else 12)
