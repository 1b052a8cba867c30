"""States of pipes, regions, marks and warps have lanes of their own and are no work of a pipe: against loops over the
events."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.analysis.tables import timeline as tables
from app.analysis.timeline.intervals import busy
from app.analysis.timeline.times import slice_lanes
from app.formats.ascend_report import FORMAT as REPORT
from app.formats.ascend_trace import FORMAT
from app.formats.collect import read
from app.profile.pipes import busy_pipes
from app.profile.profile import Profile
from app.profile.timeline import Timeline
from generators import device_trace
from generators.device_trace import Event

Lane = tuple[str, str]


def opened(path: Path, events: list[Event]) -> tuple[Profile, Timeline]:
    path.write_bytes(device_trace.text(events))
    (profile,) = read(FORMAT, [path])
    assert profile.timeline is not None
    return profile, profile.timeline


def lanes_of(made: Timeline) -> list[Lane]:
    texts = made.strings
    pairs = zip(made.lanes.process.tolist(), made.lanes.thread.tolist(), strict=True)
    return [(texts[process], texts[thread]) for process, thread in pairs]


def names_on(made: Timeline) -> dict[Lane, list[str]]:
    on = defaultdict(list)
    names = lanes_of(made)
    for lane, name in zip(slice_lanes(made).tolist(), made.slices.name.tolist(), strict=True):
        on[names[lane]].append(made.strings[name])
    return dict(on)


def instants_of(made: Timeline) -> set[str]:
    return {made.strings[int(made.slices.name[index])] for index in made.instants.slice.tolist()}


def test_pipe_states_are_instants_of_their_own_and_no_work(tmp_path: Path) -> None:
    events = device_trace.pipe_states(60, seed=3)
    profile, made = opened(tmp_path / "trace.json", events)
    work = Counter[str]()
    for event in events:
        if event.get("cat") == "pipe_state_busy":
            work[event["args"]["pipe"]] += event["dur"]
    share = dict(zip(lanes_of(made), busy(made).tolist(), strict=True))
    assert {lane: used for lane, used in share.items() if used} == {
        ("2", f"AIV0/{pipe}/status"): float(used) for pipe, used in work.items()
    }
    states = names_on(made)["2", "AIV0 (pipe states)"]
    assert states == [event["name"] for event in events if event.get("cat") == "PIPE_STATE"]
    assert len(made.instants.slice) == len(states) == 60
    assert np.all(made.slices.duration[made.instants.slice] == 0)
    lanes = tables.lanes(profile)
    assert lanes is not None
    names = [lanes.columns[1].value(row) for row in range(lanes.rows)]
    assert names[:2] == ["AIV0/PIPE_S/status", "AIV0 (pipe states)"]
    assert lanes.columns[3].value(1) is None


def test_the_masks_of_the_words_say_which_pipes_are_busy(tmp_path: Path) -> None:
    """Rebuilt from the names of the records, the busy times are those of the slices."""
    _, made = opened(tmp_path / "trace.json", device_trace.pipe_states(80, seed=9))
    rebuilt = defaultdict(list)
    since = dict[str, float]()
    for index in made.instants.slice.tolist():
        name, now = made.strings[int(made.slices.name[index])], float(made.slices.start[index])
        pipes = busy_pipes(name)
        assert pipes is not None
        for pipe in pipes:
            since.setdefault(pipe, now)
        for pipe in [pipe for pipe in since if pipe not in pipes]:
            rebuilt[pipe].append((since.pop(pipe), now))
    total = {pipe: sum(end - begin for begin, end in spans) for pipe, spans in rebuilt.items()}
    assert sorted(total.values()) == sorted(used for used in busy(made).tolist() if used)
    assert sum(map(len, rebuilt.values())) == len(made.slices.start) - len(made.instants.slice)


def test_a_long_record_of_that_category_is_an_ordinary_slice(tmp_path: Path) -> None:
    place = {"pid": 2, "tid": 1250, "ph": "X", "cat": "PIPE_STATE"}
    _, made = opened(tmp_path / "trace.json", [{"name": "marker_1", "ts": 5, "dur": 40, **place}])
    assert names_on(made) == {("2", "1250"): ["marker_1"]}
    assert not len(made.instants.slice)


@pytest.mark.parametrize("by_name", [False, True])
def test_regions_and_marks_have_lanes_beside_their_pipe(tmp_path: Path, by_name: bool) -> None:
    events = device_trace.pipe_trace(60, seed=1, threads_by_name=by_name)
    profile, made = opened(tmp_path / "trace.json", events)
    expected = defaultdict(list)
    for event in sorted(events, key=lambda event: (event["ts"], -event["dur"])):
        kind = (
            {"R": "regions", "M": "marks"}.get(event["name"][0]) if event["name"] != event["tid"] or by_name else None
        )
        kind = kind if event["name"].startswith(("Region", "MarkStamp")) else None
        lane = event["tid"] if kind is None else kind.capitalize() if by_name else f"{event['tid']} ({kind})"
        expected[event["pid"], lane].append(event["name"])
    shown = names_on(made)
    assert {lane: sorted(names) for lane, names in shown.items()} == {
        lane: sorted(names) for lane, names in expected.items()
    }
    assert instants_of(made) == {event["name"] for event in events if event["name"].startswith("MarkStamp")}
    assert not any(
        name.startswith(("Region", "MarkStamp"))
        for lane, names in shown.items()
        if lane[1] in device_trace.PIPES
        for name in names
    )
    assert profile.issues == ()


def test_no_lane_is_left_for_a_thread_that_has_regions_alone(tmp_path: Path) -> None:
    _, made = opened(tmp_path / "trace.json", device_trace.pipe_trace(30, groups=1, threads_by_name=True))
    assert np.all(np.diff(made.lanes.first_row) > 0)


def test_names_like_theirs_are_ordinary_slices_elsewhere(tmp_path: Path) -> None:
    """A host trace may call anything Region5."""
    names = ("Region5", "MarkStamp1", "TRACE_START", "Regional")
    events = [{"ph": "X", "name": name, "ts": n, "dur": 0.5, "pid": 1, "tid": "main"} for n, name in enumerate(names)]
    profile, made = opened(tmp_path / "trace.json", events)
    assert names_on(made) == {("1", "main"): list(names)}
    assert profile.issues == ()


def test_user_marks_are_a_lane_and_trace_points_are_shown_as_they_are(tmp_path: Path) -> None:
    events = device_trace.user_marks(12)
    profile, made = opened(tmp_path / "trace.json", events)
    shown = names_on(made)
    assert list(shown) == [("core0.veccore0", lane) for lane in ("SCALAR (trace points)", "VECTOR", "ALL", "USERMARK")]
    assert len(shown["core0.veccore0", "USERMARK"]) == 12
    assert instants_of(made) == {"TRACE_START", "TRACE_STOP"}
    assert [issue.severity for issue in profile.issues] == ["info"]
    assert "24 TRACE_START or TRACE_STOP events are shown" in profile.issues[0].text


def test_warps_follow_their_core_by_number(tmp_path: Path) -> None:
    events = [
        *device_trace.warps(12, core="core10.veccore0"), *device_trace.warps(12, core="core2.veccore0"),
        *device_trace.user_marks(2, core="core10.veccore0"), *device_trace.user_marks(2, core="core2.veccore0"),
    ]  # fmt: skip
    _, made = opened(tmp_path / "trace.json", events)
    lanes = lanes_of(made)
    assert list(dict.fromkeys(process for process, _ in lanes)) == [
        *("core2.veccore0", "warp.core2.veccore0", "core10.veccore0", "warp.core10.veccore0")
    ]
    warps = [thread for process, thread in lanes if process == "warp.core2.veccore0"]
    assert warps == [f"Warp {number}" for number in range(12)]


def test_warps_in_the_process_of_their_core_follow_its_pipes(tmp_path: Path) -> None:
    threads = ("WARP_10", "WARP_2", "VECTOR", "SCALAR")
    events = [{"ph": "X", "name": "i", "ts": 0, "dur": 1, "pid": "core0.veccore0", "tid": tid} for tid in threads]
    _, made = opened(tmp_path / "trace.json", events)
    assert [thread for _, thread in lanes_of(made)] == ["SCALAR", "VECTOR", "WARP_2", "WARP_10"]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_every_event_is_shown_once_wherever_it_lies(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    names = st.sampled_from(("Region1", "MarkStamp2", "TRACE_STOP", "VADD", "marker_3"))
    threads = st.sampled_from(("VECTOR", "Region1", "MarkStamp2", "host", "PIPE_V"))
    categories = st.sampled_from(("PIPE_STATE", "pipe_state_busy", None))
    times = st.floats(0, 50, width=32) | st.just(1.0)
    event = st.fixed_dictionaries(
        {
            "name": names,
            "tid": threads,
            "cat": categories,
            "ts": times,
            "dur": times,
            "pid": st.just("p"),
            "ph": st.just("X"),
        }
    )
    events = data.draw(st.lists(event, min_size=1, max_size=20))
    _, made = opened(tmp_path_factory.mktemp("any") / "trace.json", events)
    assert sorted(made.slices.record.tolist()) == list(range(len(events)))
    assert np.all(np.diff(made.lanes.first_row) > 0)
    for index, record in enumerate(made.slices.record.tolist()):
        moment = index in made.instants.slice
        assert made.slices.duration[index] == (0 if moment else events[record]["dur"])
        assert made.slices.start[index] == events[record]["ts"]


def test_the_real_trace_has_the_busy_times_of_the_format_page() -> None:
    path = Path(__file__).parents[4] / "shared" / "samples" / "ascend-report-add_custom.rep"
    if not path.exists():
        pytest.skip("the real report (../shared/samples) is not on this machine")
    made = read(REPORT, [path])[0].timeline
    assert made is not None
    assert len(made.slices.start) == 54
    assert len(made.instants.slice) == 36
    used = dict(zip((thread for _, thread in lanes_of(made)), busy(made).tolist(), strict=True))
    assert used == {
        "AIV0/PIPE_S/status": 993,
        "AIV0 (pipe states)": 0,
        "AIV0/PIPE_MTE2/status": 3560,
        "AIV0/PIPE_V/status": 600,
        "AIV0/PIPE_MTE3/status": 2520,
    }
    span = (made.slices.start + made.slices.duration).max() - made.slices.start.min()
    assert span == 4273
    assert [round(100 * time / span, 2) for time in used.values()] == [23.24, 0, 83.31, 14.04, 58.97]
