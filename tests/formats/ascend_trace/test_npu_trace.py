"""trace_view.json of torch_npu: areas in the order of their metadata, flows from host calls to kernels, exact times."""

from __future__ import annotations

from collections import Counter, defaultdict
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from app.analysis.figures import figures
from app.analysis.timeline.times import linked
from app.formats.ascend_trace import FORMAT
from app.formats.ascend_trace.slices import flows as paired
from app.formats.collect import read
from app.profile.profile import Profile
from app.profile.timeline import Timeline
from generators import npu_trace

STEPS = 12


@pytest.fixture(scope="module")
def events() -> list[dict[str, Any]]:
    return list(npu_trace.events(STEPS))


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    path = tmp_path_factory.mktemp("npu") / "trace_view.json"
    npu_trace.write(path, STEPS)
    (made,) = read(FORMAT, [path])
    return made


@pytest.fixture(scope="module")
def line(profile: Profile) -> Timeline:
    assert profile.timeline is not None
    return profile.timeline


def test_areas_and_threads_have_names_and_order_of_the_metadata(profile: Profile, line: Timeline) -> None:
    assert profile.issues == ()
    pairs = zip(line.lanes.process.tolist(), line.lanes.thread.tolist(), strict=True)
    assert [f"{line.strings[process]} / {line.strings[thread]}" for process, thread in pairs] == [
        f"Python [CPU] / Thread {npu_trace.MAIN}",
        f"Python [CPU] / Thread {npu_trace.QUEUE}",
        f"CANN [CPU] / Thread {npu_trace.MAIN}",
        f"CANN [CPU] / Thread {npu_trace.QUEUE}",
        "Ascend Hardware [NPU] / Stream 2",
        "Ascend Hardware [NPU] / Stream 17",
        "Communication [NPU] / Group 4 Communication",
        "Communication [NPU] / Plane 0",
        *(f"Overlap Analysis [NPU] / {name}" for name in npu_trace.OVERLAP),
    ]


def test_times_have_the_nanoseconds_of_their_texts(line: Timeline, events: list[dict[str, Any]]) -> None:
    slices = [event for event in events if event["ph"] == "X"]
    first = min(Decimal(event["ts"]) for event in slices)
    assert line.origin == first
    assert line.unit == "µs"
    expected = Counter((event["name"], float(Decimal(event["ts"]) - first), event["dur"]) for event in slices)
    columns = (line.slices.name.tolist(), line.slices.start.tolist(), line.slices.duration.tolist())
    assert Counter((line.strings[n], s, d) for n, s, d in zip(*columns, strict=True)) == expected


def test_every_flow_leads_from_a_call_to_what_it_starts(line: Timeline, events: list[dict[str, Any]]) -> None:
    ends: defaultdict[tuple[str, Any], dict[str, list[dict[str, Any]]]] = defaultdict(lambda: {"s": [], "f": []})
    for event in events:
        if event["ph"] in "sf":
            ends[event["cat"], event["id"]][event["ph"]].append(event)
    expected = Counter(category for (category, _), both in ends.items() for _ in both["f"])
    flows, names = line.flows, line.slices.name
    assert Counter(line.strings[int(category)] for category in flows.category) == expected
    assert set(expected) == {"async_npu", "async_task_queue", "HostToDevice", "MsTx", "fwdbwd"}
    seen: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
    for category, source, target in zip(
        flows.category.tolist(), flows.from_slice.tolist(), flows.to_slice.tolist(), strict=True
    ):
        assert min(source, target) >= 0
        seen[line.strings[category]].add((line.strings[int(names[source])], line.strings[int(names[target])]))
    operators = dict(zip(npu_trace.OPERATORS, npu_trace.KERNELS, strict=True))
    assert seen["async_npu"] == set(operators.items())
    assert seen["HostToDevice"] == {("Node@launch", kernel) for kernel in npu_trace.KERNELS}
    assert seen["async_task_queue"] == {("Enqueue", f"Dequeue@{kernel}") for kernel in npu_trace.KERNELS}
    assert {source for source, _ in seen["MsTx"]} == {"tx"}
    assert len(seen["fwdbwd"]) == 1


def test_from_the_call_the_keys_lead_to_the_kernel_and_back(line: Timeline) -> None:
    hardware = [line.strings[int(name)] for name in line.slices.name]
    launch = hardware.index("Node@launch")
    kernel = linked(line.flows, launch, 1)
    assert kernel is not None
    assert hardware[kernel] in npu_trace.KERNELS
    assert linked(line.flows, kernel, -1) is not None


def test_categories_are_colours(line: Timeline) -> None:
    known = {line.strings[int(category)] for category in line.slices.category if category >= 0}
    assert known == {"cpu_op", "enqueue", "dequeue"}


def test_the_shares_of_overlap_analysis_are_those_of_its_lanes(profile: Profile, events: list[dict[str, Any]]) -> None:
    pid = npu_trace.pid_of("Overlap Analysis")
    parts = [event for event in events if event["ph"] == "X" and event["pid"] == pid]
    begin = min(Decimal(event["ts"]) for event in parts)
    span = max(Decimal(event["ts"]) + Decimal(str(event["dur"])) for event in parts) - begin
    shares = next(figure.value for figure in figures(profile) if figure.name == "timeline.overlap_percent")
    assert isinstance(shares, dict)
    assert list(shares) == ["Computing", "Communication", "Communication(Not Overlapped)", "Free"]
    for name, share in shares.items():
        busy = sum(Decimal(str(event["dur"])) for event in parts if event["name"] == name)
        assert share == pytest.approx(float(100 * busy / span))
    assert shares["Computing"] + shares["Communication(Not Overlapped)"] + shares["Free"] == pytest.approx(100)


@pytest.mark.parametrize(
    ("phases", "arrows"),
    [("sff", 2), ("sf", 1), ("st", 1), ("stf", 0), ("ssf", 0), ("s", 0), ("ff", 0), ("fsfff", 4)],
)
def test_one_call_starts_several_tasks(phases: str, arrows: int) -> None:
    count = len(phases)
    kind = np.array(list(phases))
    zeros = np.zeros(count, np.int32)
    made = paired(zeros, zeros, kind == "s", kind == "f")
    assert len(made.first) == arrows
    assert sorted({*made.first.tolist(), *made.second.tolist(), *made.alone.tolist()}) == list(range(count))
    assert all(kind[start] == "s" for start in made.first)
    assert all(kind[end] != "s" for end in made.second)
