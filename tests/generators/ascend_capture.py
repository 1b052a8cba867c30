"""Seeded captures of torch_npu and msprof: the folders of ranks that train together, with all their text files, and a
cluster's output. Every figure in them follows from one list of kernels and collectives."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct

BEGAN = 1_736_408_883_000_000_000
GROUP = "17522688603477080586"
TYPES = (
    ("MatMul", "AI_CORE"),
    ("TransData", "AI_VECTOR_CORE"),
    ("Conv2D", "MIX_AIC"),
    ("Cast", "AI_VECTOR_CORE"),
    ("TopK", "AI_CPU"),
)
PMU = (
    "aicore_time(us)", "aic_total_cycles", "aic_mac_ratio", "aic_mte2_ratio",
    "aiv_time(us)", "aiv_total_cycles", "aiv_vec_ratio", "aiv_mte2_ratio", "aiv_mte3_ratio", "cube_utilization(%)",
)  # fmt: skip
STREAM, LINKS = 2, 7
BEFORE = 1_500_000
"""Nanoseconds from the begin of a step on the host to its first kernel."""


class Kernel(Struct, frozen=True):
    """``start``, ``duration``: nanoseconds."""

    step: int
    name: str
    type: str
    core: str
    task: int
    start: int
    duration: int
    wait: int


class Collective(Struct, frozen=True):
    step: int
    name: str
    start: int
    duration: int


class Run(Struct, frozen=True):
    """``late``: by how many nanoseconds the last rank comes later to each collective; ``first_step``: None writes no
    steps; ``devices``: what is added to a rank's number to get its device; ``slow``: the ranks of a link with a third
    of the bandwidth of the others."""

    ranks: int = 2
    steps: int = 2
    kernels: int = 6
    seed: int = 1
    late: int = 5_000_000
    first_step: int | None = 50
    devices: int = 4
    began: int = BEGAN
    slow: tuple[int, int] | None = None

    def work(self, rank: int) -> tuple[list[Kernel], list[Collective]]:
        """What a rank does. Collectives of one number end at the same time on all ranks, within some microseconds."""
        dice = Random(self.seed)
        own = Random(self.seed * 1000 + rank)
        at, task = self.began, 100
        kernels: list[Kernel] = []
        collectives: list[Collective] = []
        for number in range(self.steps):
            step = -1 if self.first_step is None else self.first_step + number
            begin, end = at + 2_000_000, 0
            for place in range(self.kernels):
                kind, core = TYPES[place % len(TYPES)]
                duration, wait = dice.randint(3_000, 900_000), dice.randint(0, 40_000)
                start = (end or begin) + wait
                kernels.append(Kernel(step, f"{kind}{place}", kind, core, task, start, duration, wait if end else 0))
                end, task = start + duration, task + 1
            last = max(end, begin) + self.late + dice.randint(8_000_000, 9_000_000)
            start = max(end, begin) - 100_000 + (self.late if rank == self.ranks - 1 else 0)
            finish = last + own.randint(0, 9_000)
            collectives.append(Collective(step, f"hcom_allReduce__586_{number}_1", start, finish - start))
            at = last + 1_000_000
        return kernels, collectives


def files(run: Run) -> dict[str, bytes]:
    """Everything that the ranks of torch_npu and the analysis of the cluster write, by name."""
    made: dict[str, bytes] = {}
    for rank in range(run.ranks):
        made.update({f"rank{rank}_ascend_pt/{name}": content for name, content in torch_npu(run, rank).items()})
    made.update({f"cluster_analysis_output/{name}": content for name, content in cluster(run).items()})
    return made


def write(folder: Path, run: Run) -> list[Path]:
    """Writes ``files`` into a folder."""
    paths = []
    for name, content in files(run).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        paths.append(path)
    return paths


def torch_npu(run: Run, rank: int) -> dict[str, bytes]:
    """The files of one rank."""
    output = {
        "kernel_details.csv": kernel_details(run, rank),
        "step_trace_time.csv": step_trace_time(run, rank),
        "communication.json": _json(communication(run, rank)),
        "communication_matrix.json": _json(communication_matrix(run, rank)),
        "memory_record.csv": memory_record(run, rank),
        "operator_memory.csv": operator_memory(run),
        "api_statistic.csv": API_STATISTIC,
        "operator_details.csv": operator_details(run),
        "op_statistic.csv": op_statistic(run, rank),
        "npu_module_mem.csv": b"Component,Timestamp(us),Total Reserved(MB),Device\nSLOG,%s\t,0.5,NPU:%d\n"
        % (_us(run.began).encode(), rank + run.devices),
        "trace_view.json": _json(trace(run, rank)),
    }
    about = {
        f"profiler_info_{rank}.json": _json(profiler_info(run, rank)),
        "profiler_metadata.json": _json(profiler_metadata(run, rank)),
    }
    return {**about, **{f"ASCEND_PROFILER_OUTPUT/{name}": content for name, content in output.items()}}


def msprof(run: Run, rank: int, slices: int = 1) -> dict[str, bytes]:
    """The same as msprof writes it, in ``slices`` parts."""
    title = {"Name": "Op Name", "Type": "OP Type", "Accelerator Core": "Task Type"}
    title.update({name: f"Task {name}" for name in ("Start Time(us)", "Duration(us)", "Wait Time(us)")})
    rows = _kernel_rows(run, rank)
    plain = [{title.get(name, name): cell for name, cell in row.items() if name != "Step Id"} for row in rows]
    made: dict[str, bytes] = {}
    for part in range(slices):
        own = plain[part * len(plain) // slices : (part + 1) * len(plain) // slices]
        mark = f"slice_{part}_" if slices > 1 else ""
        made[f"mindstudio_profiler_output/op_summary_{mark}20250109151803.csv"] = table(own, "\n")
    made["mindstudio_profiler_output/api_statistic_20250109151803.csv"] = API_STATISTIC
    made["mindstudio_profiler_output/task_time_20250109151803.csv"] = (
        b"kernel_name,kernel_type,stream_id,task_id,task_time(us)\nMatMul0,KERNEL_AICORE,2,100,3.5\n"
    )
    made["mindstudio_profiler_output/msprof_20250109151803.json"] = _json(trace(run, rank))
    return made


API_STATISTIC = (
    b"Level,API Name,Time(us),Count,Avg(us),Min(us),Max(us),Variance\n"
    b"acl,aclnnMatmul,120.5,3,40.167,20.5,60,1.5\nnode,launch,60.25,3,20.083,10,30,0\nruntime,KernelLaunch,30,3,10,9,11,1\n"
)


def kernel_details(run: Run, rank: int, end: str = "\r\n") -> bytes:
    """kernel_details.csv."""
    return table(_kernel_rows(run, rank), end)


def _kernel_rows(run: Run, rank: int) -> list[dict[str, str]]:
    kernels, collectives = run.work(rank)
    made = [(each.start, _kernel_row(run, rank, each)) for each in kernels]
    made += [(each.start, _collective_row(run, rank, each)) for each in collectives]
    return [row for _, row in sorted(made, key=lambda pair: pair[0])]


def _kernel_row(run: Run, rank: int, each: Kernel) -> dict[str, str]:
    vector = each.core == "AI_VECTOR_CORE"
    cycles = str(each.duration * 50)
    cube = ("0.0", "0", "0.0", "0.0") if vector else (_us(each.duration), cycles, "0.81", "0.44")
    own = (_us(each.duration), cycles, "0.186", "0.552", "0.667") if vector else ("0.0", "0", "0.0", "0.0", "0.0")
    return {
        **_step(run, each.step),
        "Device_id": str(rank + run.devices),
        "Model ID": "4294967295",
        "Task ID": str(each.task),
        "Stream ID": str(STREAM),
        "Name": each.name,
        "Type": each.type,
        "OP State": "dynamic",
        "Accelerator Core": each.core,
        "Start Time(us)": _us(each.start) + "\t",
        "Duration(us)": _us(each.duration),
        "Wait Time(us)": _us(each.wait),
        "Block Dim": "32",
        "Mix Block Dim": "0",
        "HF32 Eligible": "NO",
        "Input Shapes": '"32,3,224,224;64"',
        "Input Data Types": "FLOAT;FLOAT16",
        "Input Formats": "NCHW;ND",
        "Output Shapes": '""',
        "Output Data Types": "FLOAT",
        "Output Formats": "ND",
        "Context ID": "N/A",
        **dict(zip(PMU, (*cube, *own, "0"), strict=True)),
    }


def _collective_row(run: Run, rank: int, each: Collective) -> dict[str, str]:
    names = list(_kernel_row(run, rank, Kernel(0, "", "", "", 0, 0, 0, 0)))
    row = dict.fromkeys(names, "N/A")
    known = {
        **_step(run, each.step),
        "Device_id": str(rank + run.devices),
        "Name": each.name,
        "Type": "hcom_allReduce_",
        "Accelerator Core": "HCCL",
        "Start Time(us)": _us(each.start) + "\t",
        "Duration(us)": _us(each.duration),
        "Wait Time(us)": "0",
    }
    return {**row, **known}


def _step(run: Run, step: int) -> dict[str, str]:
    return {} if run.first_step is None else {"Step Id": str(step)}


def steps(run: Run, rank: int) -> dict[int, dict[str, int]]:
    """The parts of each step in nanoseconds (Ascend captures, section 5)."""
    kernels, collectives = run.work(rank)
    made = {}
    for step in dict.fromkeys(each.step for each in kernels):
        work = union([(each.start, each.start + each.duration) for each in kernels if each.step == step])
        sent = union([(each.start, each.start + each.duration) for each in collectives if each.step == step])
        both = union([*work, *sent])
        span = both[-1][1] - both[0][0]
        exposed = length(both) - length(work)
        made[step] = {
            "Computing": length(work),
            "Communication(Not Overlapped)": exposed,
            "Overlapped": length(sent) - exposed,
            "Communication": length(sent),
            "Free": span - length(both),
            "Stage": span,
            "Bubble": 0,
            "Communication(Not Overlapped and Exclude Receive)": exposed,
            "Preparing": BEFORE,
        }
    return made


def union(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The union of intervals, ascending."""
    made: list[tuple[int, int]] = []
    for begin, end in sorted(spans):
        if made and begin <= made[-1][1]:
            made[-1] = (made[-1][0], max(made[-1][1], end))
        else:
            made.append((begin, end))
    return made


def length(spans: Sequence[tuple[int, int]]) -> int:
    return sum(end - begin for begin, end in spans)


def step_trace_time(run: Run, rank: int) -> bytes:
    """step_trace_time.csv."""
    rows = [
        {"Device_id": str(rank + run.devices), "Step": "" if step < 0 else str(step), **_micro(parts)}
        for step, parts in steps(run, rank).items()
    ]
    return table(rows, "\r\n")


def _micro(parts: Mapping[str, int]) -> dict[str, str]:
    return {name: repr(value / 1000) for name, value in parts.items()}


def communication(run: Run, rank: int) -> dict[str, Any]:
    """communication.json."""
    made: dict[str, Any] = {}
    for each in run.work(rank)[1]:
        key = "step" if each.step < 0 else f"step{each.step}"
        of_step = made.setdefault(key, {"p2p": {}, "collective": {}})
        of_step["collective"][f"{each.name}@{GROUP}"] = _operation(each)
    for of_step in made.values():
        of_step["collective"][f"Total Op Info@{GROUP}"] = _operation(run.work(rank)[1][0])
    return made


def _operation(each: Collective) -> dict[str, Any]:
    elapsed = each.duration / 1e6
    empty = {"Transit Size(MB)": 0, "Transit Time(ms)": 0, "Bandwidth(GB/s)": 0, "Size Distribution": {}}
    sent = {**empty, "Transit Size(MB)": 28.6, "Size Distribution": {"2.064384": [12, 1.578], "1.937312": [2, 0.237]}}
    return {
        "Communication Time Info": {
            "Start Timestamp(us)": each.start / 1000,
            "Elapse Time(ms)": elapsed,
            "Transit Time(ms)": elapsed / 4,
            "Wait Time(ms)": elapsed / 2,
            "Synchronization Time(ms)": elapsed / 4,
            "Idle Time(ms)": elapsed / 4,
        },
        "Communication Bandwidth Info": {"RDMA": empty, "HCCS": sent, "SDMA": {**sent, "Size Distribution": {}}},
    }


def communication_matrix(run: Run, rank: int) -> dict[str, Any]:
    """communication_matrix.json."""
    made: dict[str, Any] = {}
    for each in run.work(rank)[1]:
        key = "step" if each.step < 0 else f"step{each.step}"
        times = {other: 6.375 if (rank, other) == run.slow else 2.125 for other in range(run.ranks)}
        links = {
            f"{rank}-{other}": {
                "Transport Type": "LOCAL" if other == rank else "HCCS",
                "Transit Size(MB)": 37.5,
                "Transit Time(ms)": time,
                "Bandwidth(GB/s)": 37.5 / time,
                "Op Name": each.name,
            }
            for other, time in times.items()
        }
        made.setdefault(key, {"p2p": {}, "collective": {}})["collective"][f"allreduce-total@{GROUP}"] = links
    return made


def memory_record(run: Run, rank: int) -> bytes:
    """memory_record.csv."""
    rows = []
    for place in range(20):
        time = _us(run.began + place * 1_000_000) + "\t"
        device = {"Stream Ptr": "", "Device Type": f"NPU:{rank + run.devices}"}
        allocated = 900 + 7 * (place % 5)
        rows.append(_memory("APP", time, "", "2109.6015625", "") | device)
        rows.append(_memory("PTA", time, str(allocated), "1452.0", str(allocated)) | device)
        rows.append(_memory("PTA+GE", time, str(allocated), "1452.0", str(allocated)) | device)
    return table(rows, "\r\n")


def _memory(component: str, time: str, allocated: str, reserved: str, active: str) -> dict[str, str]:
    return {
        "Component": component,
        "Timestamp(us)": time,
        "Total Allocated(MB)": allocated,
        "Total Reserved(MB)": reserved,
        "Total Active(MB)": active,
    }


def operator_memory(run: Run) -> bytes:
    """operator_memory.csv: one operator gives its memory back, one keeps it, one took it before the capture."""
    time, later = _us(run.began + 1_000_000) + "\t", _us(run.began + 3_000_000) + "\t"
    rows = [
        _taken("aten::empty_strided", "18816.5", time, later),
        _taken("aten::empty", "0.5", time, ""),
        _taken("cann::matmul", "-64.0", "", later),
    ]
    return table(rows, "\r\n")


def _taken(name: str, size: str, at: str, until: str) -> dict[str, str]:
    times = {"Allocation Time(us)": at, "Release Time(us)": until, "Active Release Time(us)": until}
    return {"Name": name, "Size(KB)": size, **times, "Stream Ptr": "897357296", "Device Type": "NPU:4"}


def operator_details(run: Run) -> bytes:
    """operator_details.csv, whose cells hold line breaks."""
    title = {
        "Name": "aten::matmul",
        "Input Shapes": "32,3;\r\n64",
        "Call Stack": 'train.py(3): step;\r\nmain.py(1): "main"',
    }
    times = ("Host Self", "Host Total", "Device Self", "Device Total")
    row = {**title, **{f"{name} Duration(us)": str(place + 1.5) for place, name in enumerate(times)}}
    row |= {f"Device {name} Duration With AICore(us)": "2.5" for name in ("Self", "Total")}
    return table([row, {**row, "Name": "aten::add", "Call Stack": ""}] * run.kernels, "\n")


def op_statistic(run: Run, rank: int) -> bytes:
    """op_statistic.csv."""
    rows = []
    kernels = run.work(rank)[0]
    for kind, core in dict.fromkeys((each.type, each.core) for each in kernels):
        own = [each.duration for each in kernels if each.type == kind]
        rows.append({"OP Type": kind, "Core Type": core, "Count": str(len(own)), "Total Time(us)": _us(sum(own))})
    return table(rows, "\n")


def profiler_info(run: Run, rank: int) -> dict[str, Any]:
    """profiler_info_{rank}.json; the number of the rank is a text, as newer versions write it."""
    return {
        "config": {
            "common_config": {"activities": ["ProfilerActivity.NPU"], "record_shapes": True},
            "experimental_config": {
                "_profiler_level": "Level1",
                "_aic_metrics": "ACL_AICORE_PIPE_UTILIZATION",
                "_export_type": ["text"],
            },
        },
        "start_info": {"freq": 100, "start_monotonic": 172163581670080},
        "end_info": {"collectionTimeEnd": run.began + 1_000_000_000},
        "torch_npu_version": "2.1.0",
        "cann_version": "8.0.RC1",
        "rank_id": str(rank),
    }


def profiler_metadata(run: Run, rank: int) -> dict[str, Any]:
    """profiler_metadata.json."""
    return {
        "distributed_args": {"rank": rank, "world_size": run.ranks},
        "parallel_group_info": {GROUP: {"group_name": "dp", "global_ranks": [*range(run.ranks)]}},
        "ENV_VARIABLES": {},
    }


def trace(run: Run, rank: int) -> list[dict[str, Any]]:
    """trace_view.json: a step of the host, calls, tasks, collectives, what they overlap, arrows and a counter."""
    kernels, collectives = run.work(rank)
    events: list[dict[str, Any]] = []
    for step in dict.fromkeys(each.step for each in kernels):
        own = [each for each in kernels if each.step == step]
        begin, end = own[0].start - BEFORE, own[-1].start + own[-1].duration
        events.append(_slice(f"ProfilerStep#{max(step, 0)}", "Python", 11, begin, end - begin, {}))
    for each in kernels:
        events += _launch(each)
    sent = [_slice(each.name, "Communication", 1, each.start, each.duration, {}) for each in collectives]
    counter = {"ph": "C", "name": "AI Core Freq", "pid": _PIDS["AI Core Freq"], "tid": 0, "ts": _us(run.began)}
    return [*events, *sent, {**counter, "args": {"MHz": 1800}}, *_names()]


PROCESSES = ("Python", "CANN", "Ascend Hardware", "Communication", "Overlap Analysis", "AI Core Freq")
_PIDS = {name: 1000 + place for place, name in enumerate(PROCESSES)}


def _launch(each: Kernel) -> list[dict[str, Any]]:
    """A kernel with the operator and the call that launched it, and the arrow between them."""
    launched = each.start - 300_000 - each.task
    about = {"Model Id": 4294967295, "Task Type": each.core, "Physic Stream Id": STREAM, "Task Id": each.task}
    about |= {"Subtask Id": 4294967295, "connection_id": each.task}
    flow = {"cat": "HostToDevice", "name": "HostToDevice", "id": str((1 << 65) + each.task), "bp": "e"}
    return [
        _slice("aten::op", "Python", 11, launched - 20_000, 60_000, {"Call stack": "train.py(3): step"}),
        _slice("Node@launch", "CANN", 11, launched, 9_000, {"connection_id": each.task}),
        _slice(each.name, "Ascend Hardware", STREAM, each.start, each.duration, about),
        {"ph": "s", **flow, "pid": _PIDS["CANN"], "tid": 11, "ts": _us(launched)},
        {"ph": "f", **flow, "pid": _PIDS["Ascend Hardware"], "tid": STREAM, "ts": _us(each.start)},
        _slice("Computing", "Overlap Analysis", 0, each.start, each.duration, {}),
    ]


def _names() -> list[dict[str, Any]]:
    made = [
        {"ph": "M", "name": "process_name", "pid": pid, "tid": 0, "args": {"name": name}} for name, pid in _PIDS.items()
    ]
    lanes = (("Ascend Hardware", STREAM, f"Stream {STREAM}"), ("Communication", 1, "Group 0 Communication"))
    made += [
        {"ph": "M", "name": "thread_name", "pid": _PIDS[name], "tid": tid, "args": {"name": title}}
        for name, tid, title in lanes
    ]
    return made


def _slice(name: str, process: str, tid: int, begin: int, duration: int, args: dict[str, Any]) -> dict[str, Any]:
    place = {"pid": _PIDS[process], "tid": tid}
    return {"ph": "X", "name": name, **place, "ts": _us(begin), "dur": duration / 1000, "args": args}


def cluster(run: Run, groups: bool = True) -> dict[str, bytes]:
    """The files of cluster_analysis_output."""
    ranks = range(run.ranks)
    members = f"({', '.join(map(str, ranks))})"
    rows = []
    sent: dict[str, Any] = {}
    links: dict[str, Any] = {}
    for rank in ranks:
        for step, parts in steps(run, rank).items():
            rows.append({"Step": "" if step < 0 else str(step), "Type": "rank", "Index": str(rank), **_micro(parts)})
        for step_key, kinds in communication(run, rank).items():
            for name, about in kinds["collective"].items():
                sent.setdefault(step_key, {}).setdefault(name, {})[str(rank)] = about
        for step_key, kinds in communication_matrix(run, rank).items():
            for name, about in kinds["collective"].items():
                links.setdefault(step_key, {}).setdefault(name, {}).update(about)
    rows.append({**rows[0], "Type": "stage", "Index": members})
    made = {
        "cluster_step_trace_time.csv": table(rows, "\n"),
        "cluster_communication.json": _json({"p2p": {}, members: sent}),
        "cluster_communication_matrix.json": _json({"p2p": {}, members: links}),
    }
    if groups:
        made["communication_group.json"] = _json({"p2p": [], "collective": [[*ranks]]})
    return made


def table(rows: Sequence[Mapping[str, str]], end: str) -> bytes:
    """A table with the titles of its first row."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]), restval="", extrasaction="ignore", lineterminator=end)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def _us(nanoseconds: int) -> str:
    """Microseconds with three decimals."""
    return f"{nanoseconds // 1000}.{nanoseconds % 1000:03}"


def _json(value: object) -> bytes:
    return json.dumps(value, indent=1).encode()
