"""Traces read into timelines."""

from __future__ import annotations

import gc
import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest

from app.formats.ascend_trace import FORMAT
from app.formats.ascend_trace.read import read_ranges
from app.formats.collect import Collector, read
from app.formats.errors import Cancelled, FormatError
from app.formats.events import Began
from app.formats.json.problems import Problems
from app.formats.records import record
from app.formats.source import Source
from app.profile.profile import Profile
from app.profile.timeline import Timeline
from generators import ascend_trace


def opened(tmp_path: Path, events: Any, **top: Any) -> Profile:
    path = tmp_path / "t.json"
    path.write_bytes(orjson.dumps({**top, "traceEvents": events}) if isinstance(events, list) else events)
    (profile,) = read(FORMAT, [path])
    return profile


def timeline(tmp_path: Path, events: Any) -> Timeline:
    made = opened(tmp_path, events).timeline
    assert made is not None
    return made


def x(name: str, ts: float, dur: float, tid: Any = "VECTOR", pid: Any = "core0", **more: Any) -> dict[str, Any]:
    return {"ph": "X", "name": name, "ts": ts, "dur": dur, "pid": pid, "tid": tid, **more}


def lanes(made: Timeline) -> list[tuple[str, str]]:
    pairs = zip(made.lanes.process.tolist(), made.lanes.thread.tolist(), strict=True)
    return [(made.strings[p], made.strings[t]) for p, t in pairs]


def slices(made: Timeline) -> list[tuple[str, float, float, int]]:
    """(name, start, duration, row) in their order."""
    rows = np.repeat(np.arange(len(made.slices.first) - 1), np.diff(made.slices.first)).tolist()
    columns = (made.slices.name.tolist(), made.slices.start.tolist(), made.slices.duration.tolist(), rows)
    return [(made.strings[n], s, d, r) for n, s, d, r in zip(*columns, strict=True)]


def texts(profile: Profile) -> str:
    return "\n".join(f"{issue.severity} {issue.where}: {issue.text}" for issue in profile.issues)


def test_generated_trace_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    told = ascend_trace.write(path, events=6000, cores=2, seed=3)
    (profile,) = read(FORMAT, [path])
    made = profile.timeline
    assert made is not None
    assert profile.issues == ()
    assert made.unit == "µs"
    assert made.seconds_per_unit == 1e-6
    assert len(made.slices.start) == told.slices
    assert len(made.flows.category) == told.flows
    assert len(made.counters.time) == told.counter_points
    assert set(lanes(made)) == told.lanes
    assert {made.strings[int(c)] for c in made.flows.category} == told.categories
    plain = [event for event in orjson.loads(path.read_bytes())["traceEvents"] if event["ph"] == "X"]
    assert Counter(made.strings[int(n)] for n in made.slices.name) - Counter(e["name"] for e in plain) == Counter(
        {"SET_FLAG": told.flows, "WAIT_FLAG": told.flows}
    )
    with Source(path) as source:
        for index in range(0, told.slices, 97):
            event = record(source, profile, int(made.slices.record[index]))
            assert event["ts"] == made.slices.start[index]
            assert event["name"] == made.strings[int(made.slices.name[index])]
            if event["ph"] == "X":
                assert int(event["args"]["pc_addr"], 16) == made.slices.address[index]
                assert event["cname"] == made.strings[int(made.slices.category[index])]
    names = {made.strings[int(made.slices.name[i])] for i in made.flows.from_slice}
    assert names == {"SET_FLAG"}
    assert {made.strings[int(made.slices.name[i])] for i in made.flows.to_slice} == {"WAIT_FLAG"}
    ends = made.slices.start + made.slices.duration
    assert np.allclose(ends[made.flows.to_slice], made.flows.to_time, rtol=1e-6)


def test_the_same_seed_gives_the_same_trace() -> None:
    first = b"".join(ascend_trace.chunks(2000, 1, 7))
    assert first == b"".join(ascend_trace.chunks(2000, 1, 7))
    assert first != b"".join(ascend_trace.chunks(2000, 1, 8))
    assert json.loads(first)["profilingType"] == "op"


def test_begins_and_ends_nest(tmp_path: Path) -> None:
    def mark(ph: str, ts: float, name: str = "", **more: Any) -> dict[str, Any]:
        return {"ph": ph, "ts": ts, "pid": 1, "tid": 2, **({"name": name} if name else {}), **more}

    made = timeline(
        tmp_path,
        [
            mark("B", 0, "main"),
            mark("B", 1, "f"),
            mark("E", 3),
            mark("B", 3, "g"),
            mark("E", 4, "g"),
            mark("E", 9, "main"),
        ],
    )
    assert slices(made) == [("main", 0, 9, 0), ("f", 1, 2, 1), ("g", 3, 1, 1)]
    assert lanes(made) == [("1", "2")]
    assert made.slices.record.tolist() == [0, 1, 3]


def test_flags_pair_by_id_in_any_order(tmp_path: Path) -> None:
    def flag(ph: str, name: str, ts: float, key: str, tid: str) -> dict[str, Any]:
        return {"ph": ph, "name": name, "ts": ts, "id": key, "pid": "core0", "tid": tid}

    events = [
        flag("E", "SET_FLAG", 5, "a", "MTE2"),
        flag("B", "WAIT_FLAG", 7, "a", "VECTOR"),
        flag("B", "SET_FLAG", 1, "b", "MTE2"),
        flag("B", "SET_FLAG", 4, "a", "MTE2"),
        flag("E", "WAIT_FLAG", 9, "a", "VECTOR"),
        flag("E", "SET_FLAG", 6, "b", "MTE2"),
        flag("B", "SET_FLAG", 8, "lost", "MTE2"),
        {"ph": "s", "id": "a", "cat": "MTE2ToVECTOR", "ts": 5, "pid": "core0", "tid": "MTE2"},
        {"ph": "t", "id": "a", "cat": "MTE2ToVECTOR", "ts": 9, "pid": "core0", "tid": "VECTOR"},
    ]
    profile = opened(tmp_path, events)
    made = profile.timeline
    assert made is not None
    assert slices(made) == [("SET_FLAG", 1, 5, 0), ("SET_FLAG", 4, 1, 1), ("WAIT_FLAG", 7, 2, 2)]
    assert made.flows.from_slice.tolist() == [1]
    assert made.flows.to_slice.tolist() == [2]
    assert "1 event is not shown: 1 × begin or end without its partner (1 of phase 'B')" in texts(profile)


def flow(ph: str, key: Any, ts: float, tid: str, **more: Any) -> dict[str, Any]:
    return {"ph": ph, "id": key, "ts": ts, "pid": "core0", "tid": tid, "name": "go", **more}


def test_flows_have_exactly_two_ends(tmp_path: Path) -> None:
    events = [
        x("a", 0, 10, "MTE2"), x("inner", 2, 3, "MTE2"), x("b", 20, 5, "VECTOR"),
        flow("s", 1, 3, "MTE2", cat="one"), flow("t", 1, 21, "VECTOR", cat="one"),
        flow("s", 1, 6, "MTE2", cat="two"), flow("f", 1, 30, "VECTOR", cat="two", bp="e"),
        flow("s", 2, 6, "MTE2"), flow("t", 2, 7, "MTE2"), flow("f", 2, 8, "MTE2"),
        flow("s", 3, 6, "MTE2"),
        flow("s", 4, 6, "MTE2"), flow("s", 4, 7, "MTE2"),
        flow("s", "5", 9, "MTE2", cat="here"), flow("f", 5, 20, "VECTOR", cat="there"),
    ]  # fmt: skip
    profile = opened(tmp_path, events)
    made = profile.timeline
    assert made is not None
    named = [made.strings[int(c)] for c in made.flows.category]
    assert named == ["one", "two", "here"]
    assert made.flows.from_time.tolist() == [3, 6, 9]
    at = [made.strings[int(made.slices.name[i])] if i >= 0 else None for i in made.flows.from_slice]
    assert at == ["inner", "a", "a"]
    assert [made.strings[int(made.slices.name[i])] if i >= 0 else None for i in made.flows.to_slice] == ["b", None, "b"]
    assert "6 × flow end without exactly one partner" in texts(profile)


def test_lane_order(tmp_path: Path) -> None:
    events = [x("a", 0, 1, tid, pid) for pid in ("core10", "core2", "z") for tid in ("VECTOR", "SCALAR", "odd", "MTE1")]
    events += [
        {"ph": "M", "name": "process_sort_index", "pid": "z", "args": {"sort_index": -3}},
        {"ph": "M", "name": "thread_sort_index", "pid": "core2", "tid": "VECTOR", "args": {"sort_index": 0.5}},
    ]
    made = timeline(tmp_path, events)
    threads = ["odd", "SCALAR", "MTE1", "VECTOR"]
    expected = [("z", t) for t in threads]
    expected += [("core2", t) for t in ("odd", "VECTOR", "SCALAR", "MTE1")]
    expected += [("core10", t) for t in threads]
    assert lanes(made) == expected


def test_numbers_and_names_of_lanes(tmp_path: Path) -> None:
    events = [
        x("a", 0, 1, 7, 3), x("a", 1, 1, "7", "3"), x("a", 0, 1, 7, 4), x("a", 0, 1, 10, 4), x("a", 0, 1, 9, 5),
        {"ph": "M", "name": "process_name", "pid": 3, "args": {"name": "core0.cubecore0"}},
        {"ph": "M", "name": "process_name", "pid": 4, "args": {"name": "worker"}},
        {"ph": "M", "name": "process_name", "pid": 5, "args": {"name": "worker"}},
        {"ph": "M", "name": "process_labels", "pid": 5, "args": {"labels": "busy"}},
        {"ph": "M", "name": "thread_name", "pid": 3, "tid": 7, "args": {"name": "MTE2"}},
    ]  # fmt: skip
    made = timeline(tmp_path, events)
    assert lanes(made) == [
        ("core0.cubecore0", "MTE2"), ("worker (4)", "7"), ("worker (4)", "10"), ("worker (5) [busy]", "9"),
    ]  # fmt: skip


def test_counters_have_a_track_per_series(tmp_path: Path) -> None:
    events = [
        {"ph": "C", "name": "GM_TO_UB", "pid": "MTE Throughput", "ts": 5, "args": {"throughput(MB/s)": 7, "b": "2.5"}},
        {"ph": "C", "name": "GM_TO_UB", "pid": "MTE Throughput", "ts": 3, "args": {"throughput(MB/s)": 9}},
        {"ph": "C", "name": "bad", "pid": "MTE Throughput", "ts": 3, "args": {"what": "x"}},
        {"ph": "C", "name": "heap", "pid": 1, "id": 2, "ts": 3, "args": {"kb": 1}},
    ]
    profile = opened(tmp_path, events)
    made = profile.timeline
    assert made is not None
    c = made.counters
    names = [
        (made.strings[int(p)], made.strings[int(n)], made.strings[int(s)])
        for p, n, s in zip(c.process, c.name, c.series, strict=True)
    ]
    assert names == [
        ("1", "heap[2]", "kb"),
        ("MTE Throughput", "GM_TO_UB", "b"),
        ("MTE Throughput", "GM_TO_UB", "throughput(MB/s)"),
    ]
    assert c.first.tolist() == [0, 1, 2, 4]
    assert c.time.tolist() == [3, 5, 3, 5]
    assert c.value.tolist() == [1, 2.5, 9, 7]
    assert "1 × counter without a number" in texts(profile)


def test_instants(tmp_path: Path) -> None:
    events = [{"ph": ph, "name": ph, "ts": ts, "pid": "p", "tid": "t"} for ph, ts in (("i", 4), ("I", 2))]
    made = timeline(tmp_path, events)
    assert slices(made) == [("I", 2, 0, 0), ("i", 4, 0, 0)]
    assert made.instants.slice.tolist() == [0, 1]
    assert lanes(made) == [("p", "t (instants)")]


def test_odd_events_are_counted_and_the_rest_is_shown(tmp_path: Path) -> None:
    events: list[Any] = [
        x("good", 1, 2),
        x("text", "3.5", "1", pc="", cname=None),  # type: ignore[arg-type]
        {"ph": "X", "name": None, "ts": 9, "dur": 1, "pid": "core0", "tid": "VECTOR", "args": None},
        {"ph": "X", "name": "no time", "dur": 1, "pid": "core0", "tid": "VECTOR"},
        {"ph": "X", "name": "no length", "ts": 1, "pid": "core0", "tid": "VECTOR"},
        x("backwards", 5, -1),
        x("nowhere", 1, 1, "", ""),
        {"ph": "b", "name": "async", "ts": 1, "pid": 1, "tid": 1},
        {"ph": "P", "name": "sampled", "ts": 1, "pid": 1, "tid": 1},
        5,
        {"ph": "X", "name": "address", "ts": 20, "dur": 1, "pid": "core0", "tid": "VECTOR", "args": {"pc_addr": "zz"}},
        x("huge", 1e300, 1),
    ]
    profile = opened(tmp_path, events)
    made = profile.timeline
    assert made is not None
    assert [s[0] for s in slices(made)] == ["good", "text", "", "address"]
    assert made.slices.address.tolist() == [-1, -1, -1, -1]
    assert made.slices.record.tolist() == [0, 1, 2, 10]
    told = texts(profile)
    assert "7 events are not shown" in told
    for reason in (
        "2 × no time (2 of phase 'X')",
        "2 × no duration (2 of phase 'X')",
        "1 × no process and thread (1 of phase 'X')",
        "1 × begin or end without its partner (1 of phase 'b')",
        "1 × kind that is not drawn (1 of phase 'P', sample)",
    ):
        assert reason in told
    assert "warning t.json: byte" in told


def test_groups_share_a_row(tmp_path: Path) -> None:
    events = [
        x("long", 0, 20),
        x("cache_time", 0, 2, group_id=4),
        x("ld", 8, 1, args={"group_id": 4}),
        x("other", 4, 2),
    ]
    made = timeline(tmp_path, events)
    assert slices(made) == [("long", 0, 20, 0), ("cache_time", 0, 2, 1), ("ld", 8, 1, 1), ("other", 4, 2, 2)]


def test_events_behind_much_else(tmp_path: Path) -> None:
    other = {"stackFrames": [{"traceEvents": [1, 2]}] * 9000, "note": '"traceEvents":['}
    text = orjson.dumps({**other, "traceEvents": [x("a", 1, 2)], "after": [{}]})
    assert [s[0] for s in slices(timeline(tmp_path, text))] == ["a"]


@pytest.mark.parametrize("text", [b"[%b", b"[%b]", b"\xef\xbb\xbf [%b,\n", b"[%b, ]"])
def test_bare_arrays_may_lack_their_end(tmp_path: Path, text: bytes) -> None:
    body = b",\n".join(orjson.dumps(x("a", i, 1)) for i in range(5))
    profile = opened(tmp_path, text % body)
    assert profile.timeline is not None
    assert len(profile.timeline.slices.start) == 5
    assert profile.issues == ()


def test_a_cut_trace_shows_its_whole_events(tmp_path: Path) -> None:
    text = b"".join(ascend_trace.chunks(3000, 1, 1))
    whole = timeline(tmp_path, text)
    profile = opened(tmp_path, text[: len(text) // 2])
    made = profile.timeline
    assert made is not None
    assert len(whole.slices.start) * 0.4 < len(made.slices.start) < len(whole.slices.start) * 0.6
    cut = [issue for issue in profile.issues if issue.severity == "error"]
    assert len(cut) == 1
    assert "the trace is truncated here" in cut[0].text


def test_several_ranges_make_one_timeline(tmp_path: Path) -> None:
    parts = [b"junk" * 3, orjson.dumps({"traceEvents": [x("a", 1, 2), x("b", 3, 1)]}), b"\0" * 7,
             orjson.dumps({"traceEvents": [x("c", 9, 2), x("d", 0, 1, "CUBE")]}), b"[1]"]  # fmt: skip
    path = tmp_path / "v.bin"
    path.write_bytes(b"".join(parts))
    ends = np.cumsum([len(part) for part in parts]).tolist()
    sink = Collector("ascend-bin")
    sink(Began("ascend-bin", (path,)))
    seen: list[int] = []
    with Source(path) as source:
        made = read_ranges(
            source, [(ends[0], ends[1]), (ends[2], ends[3]), (0, ends[0])], Problems(sink, "v.bin"), seen.append, 2
        )
        assert made is not None
        assert [s[0] for s in slices(made)] == ["d", "a", "b", "c"]
        profile = sink.profiles[0].with_section(made)
        assert [record(source, profile, int(r))["name"] for r in made.slices.record] == ["d", "a", "b", "c"]
    assert made.pieces is not None
    assert made.pieces.file == 2
    assert seen == sorted(seen)
    assert "this is not a trace" in texts(sink.profiles[0])


def test_cancelling_leaves_the_collector_on(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    ascend_trace.write(path, 5000, 1)

    def stop(*_: object) -> None:
        raise Cancelled

    gc.enable()  # the tests run without (guards.collector)
    with Source(path) as source, pytest.raises(Cancelled):
        FORMAT.read([source], stop)
    assert gc.isenabled()


@pytest.mark.parametrize(
    "text", [b"{}", b'{"traceEvents":5}', b"", b"nonsense", "{}".encode("utf-16"), b'{"a":{"traceEvents":[{}]}}']
)
def test_what_is_no_trace_is_refused(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "t.json"
    path.write_bytes(text)
    with pytest.raises(FormatError):
        read(FORMAT, [path])


@pytest.mark.parametrize(
    ("head", "sure"),
    [
        (b'{"displayTimeUnit":"ns","profilingType":"op","traceEvents":[{"ph"', 3),
        (b'\xef\xbb\xbf\n{ "traceEvents" : [ {', 3),
        ('{"traceEvents":['.encode("utf-16"), 3),
        (b'[{"name":"a","ph":"X","ts":1', 2),
        (b'[{"name":"a"},{"b":1}]', 0),
        (b'{"displayTimeUnit":"ms","metadata":{"a":[', 2),
        (b'{"graph":[1]}', 0),
        (b"[[1,2]]", 0),
        (b"\x00\x01", 0),
        (b"", 0),
    ],
)
def test_sniff(head: bytes, sure: int) -> None:
    assert FORMAT.sniff(head, Path("x.json")) == sure
