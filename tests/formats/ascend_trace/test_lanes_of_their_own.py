"""Asynchronous slices and instants have lanes of their own, and what is not shown is counted by its phase: compared
with loops over the events themselves."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest

from app.analysis.tables import timeline as tables
from app.analysis.timeline.times import slice_lanes, slice_rows
from app.formats.ascend_trace import FORMAT
from app.formats.ascend_trace import lanes as lanes_module
from app.formats.collect import read
from app.formats.source import Source
from app.profile.profile import Profile
from app.profile.timeline import Timeline
from generators import torch_trace
from generators.torch_trace import Event, Style


def opened(path: Path, events: list[Event]) -> tuple[Profile, Timeline]:
    path.write_bytes(orjson.dumps(events))
    (profile,) = read(FORMAT, [path])
    assert profile.timeline is not None
    return profile, profile.timeline


def shown(made: Timeline) -> dict[tuple[str, str], list[tuple[str, float, float, int]]]:
    """By process and lane: (name, start, duration, row within the lane) of each slice."""
    lane, row = slice_lanes(made), slice_rows(made)
    found = defaultdict(list)
    for index, number in enumerate(lane.tolist()):
        name = made.strings[int(made.slices.name[index])]
        level = int(row[index] - made.lanes.first_row[number])
        place = made.strings[int(made.lanes.process[number])], made.strings[int(made.lanes.thread[number])]
        found[place].append((name, float(made.slices.start[index]), float(made.slices.duration[index]), level))
    return dict(found)


def event(ph: str, name: str, ts: float, key: Any = None, pid: Any = "p", tid: Any = "t", **more: Any) -> Event:
    keyed = {} if key is None else {"id": key}
    return {"ph": ph, "name": name, "ts": ts, "pid": pid, "tid": tid, **keyed, **more}


def test_asynchronous_slices_nest_by_category_and_id_whatever_their_thread(tmp_path: Path) -> None:
    events = [
        event("b", "load", 0, 1, cat="data", tid=1), event("b", "read", 2, 1, cat="data", tid=2),
        event("n", "chunk", 3, 1, cat="data", args={"bytes": 7}), event("e", "read", 5, 1, cat="data", tid=3),
        event("b", "load", 1, 2, cat="data"), event("e", "load", 9, 1, cat="data"),
        event("e", "load", 4, 2, cat="data"), event("b", "load", 0, 1, cat="net"), event("e", "", 8, 1, cat="net"),
        event("b", "load", 0, 1, pid="q", cat="data"), event("e", "load", 3, 1, pid="q", cat="data"),
        event("X", "work", 0, 10, dur=10),
    ]  # fmt: skip
    profile, made = opened(tmp_path / "t.json", events)
    assert shown(made) == {
        ("p", "t"): [("work", 0, 10, 0)],
        ("p", "data id 1"): [("load", 0, 9, 0), ("read", 2, 3, 1), ("chunk", 3, 0, 2)],
        ("p", "data id 2"): [("load", 1, 3, 0)],
        ("p", "net id 1"): [("load", 0, 8, 0)],
        ("q", "data id 1"): [("load", 0, 3, 0)],
    }
    assert profile.issues == ()
    chunk = int(made.instants.slice[0])
    assert len(made.instants.slice) == 1
    assert FORMAT.record is not None
    with Source(tmp_path / "t.json") as source:
        assert FORMAT.record(source, profile, int(made.slices.record[chunk]))["args"] == {"bytes": 7}


def test_old_operations_pair_by_name_and_may_overlap(tmp_path: Path) -> None:
    events = [
        event("S", "a", 0, "0x1", cat="io"), event("S", "b", 2, "0x1", cat="io"), event("T", "a", 3, "0x1", cat="io"),
        event("F", "a", 5, "0x1", cat="io"), event("p", "b", 6, "0x1", cat="io"), event("F", "b", 8, "0x1", cat="io"),
    ]  # fmt: skip
    profile, made = opened(tmp_path / "t.json", events)
    assert [entry[:3] for entry in shown(made)["p", "io id 0x1"]] == [
        ("a", 0, 5),
        ("b", 6, 0),
        ("b", 2, 6),
        ("a", 3, 0),
    ]
    assert len(made.instants.slice) == 2
    assert profile.issues == ()


def test_what_begins_in_one_process_may_end_in_another(tmp_path: Path) -> None:
    ids = {"id2": {"global": "0x7"}}
    events = [event("b", "call", 0, cat="ipc", **ids), event("e", "call", 4, pid="q", cat="ipc", **ids)]
    profile, made = opened(tmp_path / "t.json", events)
    assert shown(made) == {("p", "ipc id 0x7"): [("call", 0, 4, 0)]}
    assert profile.issues == ()


def test_instants_lie_on_the_lane_of_their_scope(tmp_path: Path) -> None:
    events = [
        event("X", "work", 0, dur=10, tid=7), event("i", "a", 3, s="t", tid=7), event("I", "b", 1, tid=7),
        event("i", "c", 2, s="p", tid=7), event("i", "d", 4, s="p", tid=8), event("R", "e", 5, tid=9),
        event("i", "f", 6, s="g", tid=7), {"ph": "i", "name": "g", "ts": 8, "s": "g", "pid": "", "tid": ""},
        {"ph": "M", "name": "thread_name", "pid": "p", "tid": 7, "args": {"name": "main"}},
    ]  # fmt: skip
    profile, made = opened(tmp_path / "t.json", events)
    assert list(shown(made).items()) == [
        (("p", "9 (instants)"), [("e", 5, 0, 0)]),
        (("p", "main"), [("work", 0, 10, 0)]),
        (("p", "main (instants)"), [("b", 1, 0, 0), ("a", 3, 0, 0)]),
        (("p", "Process instants"), [("c", 2, 0, 0), ("d", 4, 0, 0)]),
        (("All processes", "Global instants"), [("f", 6, 0, 0), ("g", 8, 0, 0)]),
    ]
    assert profile.issues == ()
    table = tables.instants(profile)
    assert table is not None
    assert table.selects == "slice"
    assert sorted(str(table.columns[0].value(row)) for row in range(table.rows)) == list("abcdefg")
    lanes = tables.lanes(profile)
    assert lanes is not None
    busy = {c.key: c for c in lanes.columns}["busy"]
    assert [busy.value(row) for row in range(lanes.rows)] == [None, 10.0, None, None, None]
    slices = tables.slices(profile)
    assert slices is not None
    lasting = {c.key: c for c in slices.columns}["duration"]
    assert [lasting.value(row) for row in range(slices.rows)] == [10.0], "instants are no slices"
    statistics = tables.slice_statistics(profile)
    assert statistics is not None
    figures = {c.key: c for c in statistics.columns}
    assert [figures["count"].value(row) for row in range(statistics.rows)] == [1]
    assert [figures[key].value(0) for key in ("total", "average", "minimum", "maximum", "share")] == [10] * 4 + [100]


def test_many_ids_share_lanes_where_they_do_not_overlap(tmp_path: Path) -> None:
    dice = random.Random(3)
    events, running = [], []
    for key in range(lanes_module.OWN_LANES * 5):
        start, length = dice.randint(0, 4000), dice.randint(1, 90)
        running.append((start, start + length))
        for ph, name, at in (("b", "o", start), ("b", "i", start), ("e", "i", start + length // 2)):
            events.append(event(ph, name, at, f"0x{key:x}", cat="req"))
        events.append(event("e", "o", start + length, f"0x{key:x}", cat="req"))
    _, made = opened(tmp_path / "t.json", events)
    lanes = shown(made)
    most = max(sum(a <= at < b for a, b in running) for at, _ in running)
    assert [lane for _, lane in lanes] == [f"req (lane {n + 1} of {most})" for n in range(most)]
    for placed in lanes.values():
        outer = sorted((start, start + length) for name, start, length, row in placed if name == "o")
        assert all(a[1] <= b[0] for a, b in pairwise(outer))
        assert {(name, row) for name, _, _, row in placed} <= {("o", 0), ("i", 1)} | {("i", 0)}
    assert sorted((s, s + d) for placed in lanes.values() for n, s, d, _ in placed if n == "o") == sorted(running)


def test_no_phase_is_left_out_silently(tmp_path: Path) -> None:
    phases = "XBEbneSTFpiIRstfCMNODPvVc()=?"
    dice = random.Random(5)
    events = [event(dice.choice(phases), "n", n, n % 5, dur=1, cat="c") for n in range(600)]
    profile, made = opened(tmp_path / "t.json", events)
    (issue,) = profile.issues
    written = Counter(e["ph"] for e in events)
    for phase in "NODPvVc()=?":  # none of these is ever shown
        assert f"{written[phase]:,} of phase {phase!r}" in issue.text
    said = int(issue.text.split()[0].replace(",", ""))
    instants, of_two = len(made.instants.slice), 2 * len(made.flows.category)
    of_two += 2 * (len(made.slices.start) - written["X"] - instants)
    assert written["X"] + instants + of_two + len(made.counters.time) + said == 600


@pytest.mark.parametrize("seed", range(12))
def test_the_pytorch_style_loses_nothing(tmp_path: Path, seed: int) -> None:
    events = orjson.loads(orjson.dumps(torch_trace.events(8, seed)))
    profile, made = opened(tmp_path / "t.json", torch_trace.events(8, seed))
    phases = Counter(e["ph"] for e in events)
    instants = phases["i"] + phases["I"] + phases["n"]
    assert phases["b"] == phases["e"] > 0
    assert len(made.slices.start) == phases["X"] + phases["b"] + instants
    assert len(made.instants.slice) == instants
    assert len(made.flows.category) == phases["s"]
    assert len(made.counters.time) == phases["C"]
    (issue,) = profile.issues
    assert issue.text == (
        f"{phases['O']} events are not shown: {phases['O']} × kind that is not drawn "
        f"({phases['O']} of phase 'O', object snapshot)"
    )
    names = Counter(made.strings[int(n)] for n in made.slices.name)
    assert names == Counter(e["name"] for e in events if e["ph"] in "XbiIn")
    lanes = set(shown(made))
    device = Style.of(seed).device.upper()
    assert {
        ("python3 (4711) [CPU]", "4711"),
        ("python3 (4711) [CPU]", "4711 (instants)"),
        ("python3 (4711) [CPU]", "Process instants"),
        ("python3 (4711) [CPU]", "data id 0"),
        ("python3 (4711) [CPU]", "data id 1"),
        (f"python3 (0) [{device} 0]", "stream 7"),
        ("Spans", "PyTorch Profiler"),
        ("All processes", "Global instants"),
    } == lanes


def test_ids_with_fractions_are_the_numbers_they_are(tmp_path: Path) -> None:
    events = [event("X", "a", 0, dur=1, pid=3.0, tid=7.0), event("X", "b", 2, dur=1, pid=3, tid="7")]
    _, made = opened(tmp_path / "t.json", events)
    assert shown(made) == {("3", "7"): [("a", 0, 1, 0), ("b", 2, 1, 0)]}
    assert np.diff(made.lanes.first_row).tolist() == [1]


def test_lanes_of_processes_are_counted_by_lane_not_by_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes_module, "MAX_LANES", 40)
    events = [event("i", "n", n, pid=n % 30, tid=n, s="p") for n in range(60)]
    profile, made = opened(tmp_path / "t.json", events)
    assert len(made.lanes.thread) == 30
    assert profile.issues == ()
    events += [event("i", "n", n, pid=30 + n, tid=n) for n in range(25)]
    profile, made = opened(tmp_path / "u.json", events)
    assert len(made.lanes.thread) == 40
    assert "15 events are not shown: 15 × lane beyond the first 40 (15 of phase 'i')" in profile.issues[0].text
