"""Databases of one rank: real ones, and generated ones of several versions."""

from __future__ import annotations

import random
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest

from app.formats.ascend_capture.database import read_database
from app.formats.ascend_capture.database_analysis import read_cluster
from app.formats.ascend_capture.database_texts import group_hash
from app.formats.ascend_capture.identity import RankData
from app.formats.errors import Cancelled
from app.formats.events import Event
from app.profile.ascend_capture import (
    Calls,
    Collectives,
    FrameworkOperators,
    Kernels,
    Links,
    MemoryOperators,
    MemoryRecord,
    Packets,
    TrainingSteps,
)
from app.profile.timeline import Timeline
from generators.ascend_database import BEGIN, GROUP, GROUP_HASH, PLANES, Rank, Tables, length

SectionT = TypeVar("SectionT")
REAL = Path(__file__).resolve().parents[4] / "shared/samples/ascend-pt/db"
VERSIONS = pytest.mark.parametrize("newer", [False, True])


def section(data: RankData, kind: type[SectionT]) -> SectionT:
    return next(one for one in data.sections if isinstance(one, kind))


def read(paths: Sequence[Path]) -> RankData:
    """What they hold; there are no issues."""
    issues: list[Event] = []
    data = read_database(paths, issues.append)
    assert issues == []
    return data


def nanoseconds(data: RankData, step: int) -> list[int]:
    """The identities of section 5, in the order of StepTraceTime, from kernels and collectives."""
    kernels, collectives = section(data, Kernels), section(data, Collectives)
    own, theirs = kernels.step == step, collectives.step == step
    starts, ends = kernels.start[own], (kernels.start + kernels.duration)[own]
    computes = list(zip(starts.tolist(), ends.tolist(), strict=True))
    communicates = list(zip(collectives.start[theirs].tolist(), collectives.end[theirs].tolist(), strict=True))
    computing, communication = length(computes), length(communicates)
    both = length([*computes, *communicates])
    total = max(end for _, end in (*computes, *communicates)) - min(start for start, _ in (*computes, *communicates))
    return [computing, both - computing, computing + communication - both, communication, total - both]


def lane_sums(timeline: Timeline, process: str) -> dict[str, int]:
    """Durations of the lanes of a process by the names of its threads."""
    made = {}
    for lane in range(len(timeline.lanes.process)):
        if timeline.strings[int(timeline.lanes.process[lane])] == process:
            a, b = timeline.slices.first[timeline.lanes.first_row[lane : lane + 2]].tolist()
            made[timeline.strings[int(timeline.lanes.thread[lane])]] = int(timeline.slices.duration[a:b].sum())
    return made


def arrows(timeline: Timeline) -> dict[str, int]:
    names, counts = np.unique(timeline.flows.category, return_counts=True)
    return {timeline.strings[name]: count for name, count in zip(names.tolist(), counts.tolist(), strict=True)}


def check_identities(data: RankData) -> None:
    steps = section(data, TrainingSteps)
    for row, step in enumerate(steps.step.tolist()):
        stated = [
            round(float(getattr(steps, field)[row]) * 1e9)
            for field in ("computing", "exposed", "overlapped", "communication", "free")
        ]
        assert nanoseconds(data, step) == stated
        first = min(
            int(one.start[one.step == step].min()) for one in (section(data, Kernels), section(data, Collectives))
        )
        assert steps.device_start[row] == first
        if steps.start[row] >= 0:
            assert round(float(steps.preparing[row]) * 1e9) == first - steps.start[row]


@pytest.mark.skipif(not REAL.is_dir(), reason="the real captures are not in the repository")
@pytest.mark.parametrize("rank", [0, 1])
def test_a_real_database(rank: int) -> None:
    folder = REAL / f"rank{rank}_ascend_pt/ASCEND_PROFILER_OUTPUT"
    data = read(sorted(folder.glob("*.db")))
    assert (data.facts.rank, data.facts.device, data.facts.producer) == (rank, rank, "torch_npu")
    kernels, collectives = section(data, Kernels), section(data, Collectives)
    assert (len(kernels), len(set(kernels.type.tolist())), len(collectives)) == (187, 33, 4)
    assert set(kernels.step.tolist()) == set(collectives.step.tolist()) == {50}
    check_identities(data)
    assert data.timeline is not None
    overlap = lane_sums(data.timeline, "Overlap Analysis")
    assert list(overlap.values()) == [nanoseconds(data, 50)[at] for at in (0, 3, 1, 4)]
    made = arrows(data.timeline)
    assert (made["HostToDevice"], made["async_task_queue"], made["fwdbwd"]) == (215, 159, 27)
    assert {column.name for column in kernels.pmu} >= {"aicore_time(us)", "aic_mac_ratio", "aiv_mte2_ratio"}
    assert np.isfinite(collectives.transit).all()
    assert len(section(data, MemoryOperators)) == 184
    operators = section(data, FrameworkOperators)
    assert len(operators) == 859
    on_device = int(kernels.duration.sum() + (collectives.end - collectives.start).sum())
    assert round(float(operators.device_self.sum()) * 1e9) == on_device
    assert (operators.host_self >= 0).all()
    assert operators.strings[int(operators.stack[0])].endswith("<string>(1): <module>")


@pytest.mark.skipif(not REAL.is_dir(), reason="the real captures are not in the repository")
@pytest.mark.parametrize("rank", [0, 1])
def test_times_of_real_collectives_by_their_tasks(rank: int) -> None:
    folder = REAL / f"rank{rank}_ascend_pt/ASCEND_PROFILER_OUTPUT"
    stated = section(read(sorted(folder.glob("*.db"))), Collectives)
    own = section(read([folder / f"ascend_pytorch_profiler_{rank}.db"]), Collectives)
    for field in ("transit", "wait", "synchronization", "idle"):
        assert np.abs(getattr(own, field) - getattr(stated, field)).max() < 2e-9


@VERSIONS
@pytest.mark.parametrize("steps", [0, 3])
@pytest.mark.parametrize("seed", range(4))
def test_steps_kernels_and_collectives(tmp_path: Path, newer: bool, steps: int, seed: int) -> None:
    rank = Rank(1, seed=seed, newer=newer, steps=steps)
    data = read(rank.write(tmp_path))
    check_identities(data)
    kernels, collectives = section(data, Kernels), section(data, Collectives)
    ends = (kernels.start + kernels.duration).tolist()
    assert list(zip(kernels.step.tolist(), kernels.start.tolist(), ends, strict=True)) == rank.kernels
    names = [collectives.strings[name] for name in collectives.name.tolist()]
    made = zip(collectives.step.tolist(), collectives.start.tolist(), collectives.end.tolist(), names, strict=True)
    assert sorted(made) == sorted(rank.collectives)
    assert {kernels.blocks[0], kernels.mix_blocks[0]} == {8, 0}
    assert kernels.strings.get(int(kernels.state[0])) == ("dynamic" if newer else "")
    assert kernels.strings[int(kernels.input_shapes[0])] == "2,3;3,4"
    assert section(data, TrainingSteps).step.tolist() == ([10, 11, 12] if steps else [-1])


@VERSIONS
def test_times_of_collectives_without_an_analysis(tmp_path: Path, newer: bool) -> None:
    rank = Rank(newer=newer, kernels=4, collectives=5)
    stated = section(read(rank.write(tmp_path / "both")), Collectives)
    own = section(read(rank.write(tmp_path / "one", analysis=False)), Collectives)
    for field in ("transit", "wait", "synchronization", "idle"):
        assert np.allclose(getattr(own, field), getattr(stated, field), rtol=0, atol=1e-12)
    assert own.kind.tolist() == stated.kind.tolist()
    assert {own.strings[group] for group in own.group.tolist()} == {GROUP_HASH}


def test_an_analysis_alone(tmp_path: Path) -> None:
    rank = Rank(steps=2)
    both = rank.write(tmp_path)
    alone, whole = read(both[1:]), read(both)
    assert alone.timeline is None
    collectives = section(alone, Collectives)
    assert np.abs(collectives.start - section(whole, Collectives).start).max() <= 250
    assert section(alone, TrainingSteps).computing.tolist() == section(whole, TrainingSteps).computing.tolist()
    packets, links = section(alone, Packets), section(alone, Links)
    assert (packets.size.tolist()[0], packets.count.tolist()[0]) == (1048576.0, 2)
    assert {packets.strings[one] for one in packets.transport.tolist()} == {"HCCS"}
    assert (links.source[0], links.target[0], links.size[0]) == (0, 1, 2097152.0)
    assert links.strings[int(links.name[0])] == "allreduce"


def test_other_tables(tmp_path: Path) -> None:
    rank = Rank(steps=1)
    data = read(rank.write(tmp_path))
    memory, operators, calls = section(data, MemoryRecord), section(data, MemoryOperators), section(data, Calls)
    assert [memory.strings[one] for one in sorted(set(memory.component.tolist()))] == ["APP", "PTA", "PTA+GE"]
    processes = memory.component == memory.strings.find("APP")[0]
    assert set(memory.reserved[processes].tolist()) == {2_212_077_568}
    assert (memory.allocated[processes] == -1).all()
    assert (operators.released_at == -1).sum() == 7
    assert (calls.strings[int(calls.level[0])], calls.strings[int(calls.name[0])]) == ("node", "launch")
    assert calls.count[0] == 14
    assert calls.shortest[0] == pytest.approx(110e-9)
    facts = data.facts
    assert (facts.rank, facts.device, facts.groups) == (0, 4, ((GROUP_HASH, "dp", "0, 1"),))


@VERSIONS
def test_the_timeline(tmp_path: Path, newer: bool) -> None:
    rank = Rank(newer=newer, steps=1, kernels=6, collectives=2)
    data = read(rank.write(tmp_path))
    line = data.timeline
    assert line is not None
    assert line.unit == "ns"
    assert BEGIN <= line.origin < BEGIN + 2_000_000
    assert line.origin == Decimal(rank.marked[0][1])
    pairs = zip(line.lanes.process.tolist(), line.lanes.thread.tolist(), strict=True)
    lanes = [f"{line.strings[process]}/{line.strings[thread]}" for process, thread in pairs]
    assert lanes[:3] == ["Python/Thread 1", "Python/Thread 2", "CANN/Thread 2"]
    assert lanes[3:5] == ["Ascend Hardware/Stream 2", "Ascend Hardware/Stream 4"]
    planes = [f"Communication/Plane {plane}" for plane in range(PLANES)]
    assert lanes[5 : 6 + PLANES] == ["Communication/Group 0 Communication", *planes]
    assert arrows(line) == {"HostToDevice": 8, "async_npu": 8, "async_task_queue": 8}
    flows = line.flows
    assert (line.slices.start[flows.to_slice] == flows.to_time).all()
    names = {line.strings[name] for name in line.slices.name[flows.from_slice].tolist()}
    assert names >= {"Node@launch", "Enqueue", "HcclAllreduce"}
    hardware = lane_sums(line, "Ascend Hardware")
    assert hardware["Stream 2"] == sum(end - start for _, start, end in rank.kernels)
    assert line.counters.value.tolist()[:2] == [1800.0, 800.0]


def test_the_step_of_what_was_launched_before_the_first(tmp_path: Path) -> None:
    rank = Rank(steps=1, kernels=3, collectives=0)
    task, name = rank.main.rows["TASK"], rank.main.columns["TASK"]
    assert name[0] == "startNs"
    early = list(task[0])
    early[:2] = BEGIN - 5_000, BEGIN - 4_000
    early[name.index("globalTaskId")], early[name.index("connectionId")] = 777, -1
    task.append(tuple(early))
    info = list(rank.main.rows["COMPUTE_TASK_INFO"][0])
    info[1] = 777
    rank.main.rows["COMPUTE_TASK_INFO"].append(tuple(info))
    kernels = section(read(rank.write(tmp_path, analysis=False)), Kernels)
    assert kernels.step.tolist() == [-1, 10, 10, 10]


@pytest.mark.parametrize("seed", range(5))
def test_what_operators_take_without_those_that_they_call(tmp_path: Path, seed: int) -> None:
    rank, dice = Rank(steps=1, kernels=2, collectives=0), random.Random(seed)
    rows, columns = rank.main.rows["PYTORCH_API"], [one.split()[0] for one in rank.main.columns["PYTORCH_API"]]
    rows[:] = [row for row in rows if row[columns.index("type")] != 50001]
    spans: list[tuple[int, int, int]] = []

    def nest(begin: int, end: int, thread: int, depth: int) -> None:
        spans.append((begin, end, thread))
        now = begin
        while depth and now < end:
            first = now + dice.randrange(3)
            now = first + dice.randrange(1, 40)
            if now <= end:
                nest(first, now, thread, depth - 1)

    for thread in (1, 2):
        nest(BEGIN, BEGIN + 200, thread, 3)
    dice.shuffle(spans)
    for begin, end, thread in spans:
        values = {"startNs": begin, "endNs": end, "globalTid": thread, "name": 0, "type": 50001}
        rank.main.add("PYTORCH_API", **values)
    operators = section(read(rank.write(tmp_path)), FrameworkOperators)
    assert np.rint(operators.host_total * 1e9).tolist() == [end - begin for begin, end, _ in spans]
    alone = 0
    for thread in (1, 2):
        alone += length([(begin, end) for begin, end, own in spans if own == thread])
    assert round(float(operators.host_self.sum()) * 1e9) == alone
    assert operators.host_self.min() > -1e-12


def test_the_number_of_a_group() -> None:
    assert group_hash(GROUP) == GROUP_HASH
    assert group_hash(GROUP_HASH) == GROUP_HASH
    assert group_hash("") == ""


def test_the_database_of_a_cluster(tmp_path: Path) -> None:
    path = tmp_path / "cluster_analysis.db"
    cluster(path)
    issues: list[Event] = []
    found = read_cluster(path, issues.append)
    assert issues == []
    steps, collectives, packets, links = found.sections
    assert isinstance(steps, TrainingSteps)
    assert (steps.rank.tolist(), steps.step.tolist()) == ([0, 9], [2, 2])
    assert steps.computing.tolist() == [pytest.approx(75174.5e-6), pytest.approx(75422e-6)]
    assert isinstance(collectives, Collectives)
    assert collectives.rank.tolist() == [9]
    assert collectives.start.tolist() == [1736410576431645250]
    assert collectives.end.tolist() == [1736410576433645250]
    assert isinstance(packets, Packets)
    assert packets.strings[int(packets.transport[0])] == "RDMA"
    assert isinstance(links, Links)
    assert (links.rank.tolist(), links.target.tolist()) == ([9], [0])
    assert found.groups == {GROUP_HASH: ("dp", "0, 9")}
    assert (found.devices, found.hosts) == ({0: 4, 9: 5}, {0: "77", 9: "78"})


def cluster(path: Path) -> None:
    """Writes a small one."""
    tables = Tables()
    numbers = "computing REAL, communication_not_overlapped REAL, overlapped REAL, communication REAL, free REAL"
    tables.make("ClusterStepTraceTime", f'step TEXT, type TEXT, "index" TEXT, {numbers}')
    for kind, index, computing in (("rank", "0", 75174.5), ("rank", "9", 75422.0), ("stage", "(0, 9)", 75422.0)):
        tables.rows["ClusterStepTraceTime"].append(("2", kind, index, computing, 1.0, 2.0, 3.0, 4.0))
    names = "step TEXT, rank_id INTEGER, hccl_op_name TEXT, group_name TEXT"
    times = "start_timestamp REAL, elapsed_time REAL, transit_time REAL, wait_time REAL"
    tables.make("ClusterCommunicationTime", f"{names}, {times}")
    operation: tuple[Any, ...] = ("step2", 9, "hcom_allReduce__210_0_1", GROUP_HASH)
    rows = tables.rows["ClusterCommunicationTime"]
    rows.append((*operation, 1736410576431645.25, 2.0, 0.5, 1.0))
    rows.append(("step2", 9, "Total Op Info", GROUP_HASH, 0, 2.0, 0.5, 1.0))
    sizes = "band_type TEXT, package_size REAL, count, total_duration REAL"
    tables.make("ClusterCommunicationBandwidth", f"{names}, {sizes}")
    tables.rows["ClusterCommunicationBandwidth"].append((*operation, "RDMA", 1.5, 3, 0.25))
    ends = "src_rank TEXT, dst_rank TEXT, transport_type TEXT, transit_size REAL, transit_time REAL, bandwidth REAL"
    tables.make("ClusterCommunicationMatrix", f"step TEXT, hccl_op_name TEXT, group_name TEXT, {ends}")
    link = ("step2", "allreduce-top1", GROUP_HASH, "9", "0", "HCCS", 1.5, 0.25, 6.0)
    tables.rows["ClusterCommunicationMatrix"].append(link)
    tables.make("CommunicationGroupMapping", "type TEXT, rank_set TEXT, group_name TEXT, group_id TEXT, pg_name TEXT")
    tables.rows["CommunicationGroupMapping"].append(("collective", "(0,9)", GROUP_HASH, GROUP, "dp"))
    tables.make("RankDeviceMap", "rankId, deviceId, hostUid")
    tables.rows["RankDeviceMap"] += [(0, 4, 77), (9, 5, 78)]
    tables.write(path)


def test_cancelling(tmp_path: Path) -> None:
    paths = Rank().write(tmp_path)
    calls: list[int] = []

    def tell(done: int) -> None:
        calls.append(done)
        if len(calls) > 4:
            raise Cancelled

    with pytest.raises(Cancelled):
        read_database(paths, lambda _: None, tell)
    assert len(calls) == 5


def test_progress(tmp_path: Path) -> None:
    paths = Rank(kernels=200).write(tmp_path)
    done: list[int] = []
    read_database(paths, lambda _: None, done.append)
    assert done == sorted(done)
    assert done[-1] <= sum(path.stat().st_size for path in paths)
    assert done[-1] > 0
