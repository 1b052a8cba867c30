"""What is left out where only pipes are shown: compared with the words of the format pages."""

from __future__ import annotations

import pytest

from app.analysis.figures import figures
from app.analysis.timeline.pipes import has_pipes, noise
from app.formats.ascend_trace import FORMAT
from app.profile.pipes import core_of, is_work, pipe_of, split_lane
from app.profile.timeline import Timeline
from generators import ascend_trace, device_trace
from generators.reading import profile_of
from generators.timelines import timeline

NOISE = (
    *("SET_FLAG", "WAIT_FLAG", "set_event", "wait_event", "SET_FLAGI.S.V", "WAIT_FLAG.MTE2.V", "HSET_FLAG.S.M Xt"),
    *("HWAIT_FLAG.V.S", "TRY_WAIT", "TRY_WAITI", "BAR", "BAR.V", "PIPE_BARRIER", "pipe_barrier_all", "cache_time"),
    *("ccu_time", "barrier"),
)
WORK = ("VADD", "MMAD", "SET_FLAGSHIP", "BARRACUDA", "WAITING", "run_time", "MOV_OUT_TO_UB_ALIGN", "SETTLE", "", "NOP")


def of_trace(text: bytes) -> Timeline:
    made = profile_of(FORMAT, text).timeline
    assert made is not None
    return made


def test_flags_barriers_and_waits_are_noise_on_any_lane() -> None:
    names = [*NOISE, *WORK]
    row = [(float(start), 0.5, name, "") for start, name in enumerate(names)]
    line = timeline([("core0", "VECTOR", [row]), ("core0", "unknown", [row])])
    left_out = noise(line)
    shown = {line.strings[int(name)] for name in line.slices.name[~left_out.slices]}
    assert shown == set(WORK)
    assert left_out.lanes.tolist() == [False, False]
    assert left_out.text == f"0 lanes and {2 * len(NOISE)} slices hidden"


@pytest.mark.parametrize(
    ("lane", "hidden"),
    [
        ("SCALAR", True), ("SCALARLDST", True), ("FLOWCTRL", True), ("CACHEMISS", True), ("EVENT", True), ("ALL", True),
        ("AIV0/PIPE_S/status", True), ("AIV0 (pipe states)", True), ("Pipe states", True), ("SCALAR (instants)", True),
        ("VECTOR", False), ("AIV0/PIPE_MTE2/status", False), ("VECTOR (regions)", False), ("SCALAR (marks)", False),
        ("Regions", False), ("USERMARK", False), ("WARP_3", False), ("Warp 0", False), ("RVECEX", False),
        ("host", False), ("SCALAR (trace points)", False),
    ],
)  # fmt: skip
def test_lanes_that_are_no_work_of_a_pipe_are_left_out(lane: str, hidden: bool) -> None:
    line = timeline([("core0", "CUBE", [[(0.0, 1.0, "MMAD", "")]]), ("core0", lane, [[(0.0, 1.0, "x", "")]])])
    left_out = noise(line)
    assert left_out.lanes.tolist() == [False, hidden]
    assert left_out.slices.tolist() == [False, hidden]
    assert left_out.text == ("1 lane and 1 slice hidden" if hidden else "0 lanes and 0 slices hidden")


def test_only_timelines_with_pipes_that_work_have_it() -> None:
    assert has_pipes(of_trace(b"".join(ascend_trace.chunks(200, 1))))
    assert has_pipes(of_trace(device_trace.text(device_trace.pipe_states())))
    assert not has_pipes(timeline([("host", "main", [[(0.0, 1.0, "BAR", "")]])]))
    assert not has_pipes(timeline([("core0", "SCALAR", [[(0.0, 1.0, "ADD", "")]])]))


def test_everything_of_a_simulator_is_counted_once() -> None:
    line = of_trace(b"".join(ascend_trace.chunks(3_000, 2)))
    left_out = noise(line)
    threads = [line.strings[int(thread)] for thread in line.lanes.thread]
    quiet = [lane for lane, thread in enumerate(threads) if thread in ("SCALAR", "FLOWCTRL")]
    assert left_out.lanes.nonzero()[0].tolist() == quiet
    assert left_out.lane_count == len(quiet)
    first = line.slices.first[line.lanes.first_row]
    on_quiet = sum(int(first[lane + 1] - first[lane]) for lane in quiet)
    names = [line.strings[int(name)] for name in line.slices.name]
    flags = sum(name in ("SET_FLAG", "WAIT_FLAG") for name in names)
    assert left_out.slices.sum() == on_quiet + flags


def test_names_of_lanes() -> None:
    assert [pipe_of(name) for name in ("VECTOR", "AIV0/PIPE_FIX/status", "PIPE_M_busy", "PIPE_MTE9", "vector")] == [
        *("VECTOR", "FIXP", "CUBE", "", "")
    ]
    assert core_of("AIV1/PIPE_S/status") == "AIV1"
    assert core_of("SCALAR") == "SCALAR"
    assert split_lane("MTE2 (regions)") == ("MTE2", "regions")
    assert split_lane("Marks") == ("", "marks")
    assert split_lane("main (worker)") == ("main (worker)", "")
    assert [is_work(name) for name in ("VECTOR", "VECTOR (regions)", "USERMARK", "Regions", "main (worker)")] == [
        *(True, False, False, False, True)
    ]


def test_the_busiest_lane_is_no_region() -> None:
    events = [
        {"ph": "X", "name": name, "pid": "core0.veccore0", "tid": "VECTOR", "ts": 10, "dur": length}
        for name, length in (("VADD", 5), ("Region1", 80))
    ]
    events.append({"ph": "X", "name": "USER_DEFINE_1", "pid": "core0.veccore0", "tid": "USERMARK", "ts": 0, "dur": 90})
    profile = profile_of(FORMAT, device_trace.text(events))
    made = {figure.name: figure.value for figure in figures(profile)}
    assert made["timeline.busiest_lane"] == "core0.veccore0/VECTOR"
