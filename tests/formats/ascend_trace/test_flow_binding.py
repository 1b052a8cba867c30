"""Arrows end at the slices that begin or end at their time, compared with a loop over the events themselves."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest

from app.formats.ascend_trace import FORMAT
from app.formats.collect import read
from app.profile.timeline import Timeline
from generators import torch_trace
from generators.torch_trace import Event, Style

NOWHERE = (-1.0, -1.0)


def timeline(path: Path, events: list[Event]) -> Timeline:
    path.write_bytes(orjson.dumps(events))
    (profile,) = read(FORMAT, [path])
    assert profile.timeline is not None
    return profile.timeline


def x(name: str, ts: float, dur: float, tid: str = "a") -> Event:
    return {"ph": "X", "name": name, "ts": ts, "dur": dur, "pid": "p", "tid": tid}


def end(ph: str, ts: float, tid: str = "a", key: int = 1, **more: Any) -> Event:
    return {"ph": ph, "cat": "go", "name": "go", "id": key, "ts": ts, "pid": "p", "tid": tid, **more}


def bound(made: Timeline) -> list[tuple[str, str]]:
    """The names of the slices each arrow leaves and reaches; "" where there is none."""
    names = [made.strings[int(name)] for name in made.slices.name] + [""]
    ends = zip(made.flows.from_slice.tolist(), made.flows.to_slice.tolist(), strict=True)
    return [(names[a], names[b]) for a, b in ends]


# -- the rule, as a loop over plain events ------------------------------------------------------------------


class Plain:
    """Which slice (its start and duration) each end of an arrow belongs to."""

    def __init__(self, events: list[Event]) -> None:
        self.slices = [event for event in events if event["ph"] == "X"]
        self.ends = [event for event in events if event["ph"] in "stf"]
        self.votes: Counter[str] = Counter()
        for point in self.ends:
            begun, ended = self.begun(point), self.ended(point)
            self.votes[point["ph"]] += bool(begun and not ended) - bool(ended and not begun)

    def on_lane(self, point: Event) -> list[Event]:
        return [s for s in self.slices if (s["pid"], s["tid"]) == (point["pid"], point["tid"])]

    def begun(self, point: Event) -> list[Event]:
        return [s for s in self.on_lane(point) if s["ts"] == point["ts"]]

    def ended(self, point: Event) -> list[Event]:
        return [s for s in self.on_lane(point) if s["ts"] + s["dur"] == point["ts"]]

    def slice_of(self, point: Event) -> tuple[float, float]:
        lane, time = self.on_lane(point), point["ts"]
        vote = self.votes[point["ph"]]
        begins_first = vote > 0 or (vote == 0 and point["ph"] != "s")
        touching = (self.begun(point), self.ended(point))
        choices = [*(touching if begins_first else touching[::-1])]
        if point["ph"] == "f" and point.get("bp") != "e":
            later = min((s["ts"] for s in lane if s["ts"] > time), default=None)
            choices.append([s for s in lane if s["ts"] == later])
        choices.append([s for s in lane if s["ts"] <= time <= s["ts"] + s["dur"]])
        for choice in choices:
            if choice:
                shortest = min(choice, key=lambda s: (s["dur"], -s["ts"]))
                return shortest["ts"], shortest["dur"]
        return NOWHERE


def check(made: Timeline, events: list[Event]) -> int:
    """Compares all arrows; how many there are."""
    plain = Plain(events)
    starts = {event["id"]: event for event in plain.ends if event["ph"] == "s"}
    stops = {event["id"]: event for event in plain.ends if event["ph"] != "s"}
    expected = sorted(
        (starts[key]["ts"], stops[key]["ts"], plain.slice_of(starts[key]), plain.slice_of(stops[key])) for key in starts
    )
    begin, length, zero = made.slices.start.tolist(), made.slices.duration.tolist(), float(made.origin)
    places = [(zero + a, b) for a, b in zip(begin, length, strict=True)] + [NOWHERE]
    columns = (made.flows.from_time, made.flows.to_time, made.flows.from_slice, made.flows.to_slice)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    assert sorted((zero + a, zero + b, places[c], places[d]) for a, b, c, d in rows) == expected
    return len(expected)


@pytest.mark.parametrize("seed", range(40))
def test_random_arrows_end_where_a_loop_over_the_events_says(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    deep = seed % 4 == 0  # more rows than are looked at one by one
    events = [
        x(f"s{n}", dice.randint(0, 60), dice.choice((0, 1, 3, 10, 60) if deep else (1, 2, 5)), dice.choice("ab"))
        for n in range(150 if deep else 25)
    ]
    edges = [s["ts"] + s["dur"] * dice.randint(0, 1) for s in events] + list(range(0, 70, 3))
    for key in range(40):
        events.append(end("s", dice.choice(edges), dice.choice("ab"), key))
        more = {"bp": "e"} if dice.random() < 0.5 else {}
        events.append(end("f", dice.choice(edges), dice.choice("ab"), key, **more))
    dice.shuffle(events)
    assert check(timeline(tmp_path / "t.json", events), events) == 40


@pytest.mark.parametrize("seed", range(12))
def test_launches_and_kernels_of_the_pytorch_style(tmp_path: Path, seed: int) -> None:
    style = Style.of(seed)
    plain = Style(style.device, 0, 0, "texts", style.bare, style.bp, style.shuffled)  # whole numbers: compared exactly
    events = orjson.loads(orjson.dumps(torch_trace.events(12, seed, plain)))
    made = timeline(tmp_path / "t.json", events)
    assert check(made, events) > 20
    assert {made.strings[int(made.slices.name[i])] for i in made.flows.from_slice} == {
        torch_trace.LAUNCHES[style.device]
    }
    assert {made.strings[int(made.slices.name[i])] for i in made.flows.to_slice} <= {*torch_trace.KERNELS[style.device]}


@pytest.mark.parametrize("seed", range(12))
def test_times_of_today_and_fractions_bind_alike(tmp_path: Path, seed: int) -> None:
    made = timeline(tmp_path / "t.json", torch_trace.events(12, seed))
    launch = torch_trace.LAUNCHES[Style.of(seed).device]
    assert len(made.flows.category) > 20
    assert {made.strings[int(made.slices.name[i])] for i in made.flows.from_slice} == {launch}
    assert np.allclose(made.slices.start[made.flows.to_slice], made.flows.to_time, rtol=0, atol=1e-6)
    assert np.allclose(made.slices.start[made.flows.from_slice], made.flows.from_time, rtol=0, atol=1e-6)


# -- single cases -------------------------------------------------------------------------------------------

NESTED = [x("outer", 0, 10), x("inner", 4, 6), x("leaf", 4, 2), x("next", 10, 5)]


@pytest.mark.parametrize(
    ("time", "leaves", "reaches"),
    [(0, "outer", "outer"), (4, "leaf", "leaf"), (6, "leaf", "leaf"), (8, "inner", "inner"), (10, "inner", "next")],
)
def test_nested_slices(tmp_path: Path, time: int, leaves: str, reaches: str) -> None:
    events = [*NESTED, x("far", 100, 5, "b")]
    out = timeline(tmp_path / "o.json", [*events, end("s", time), end("f", 100, "b", bp="e")])
    into = timeline(tmp_path / "i.json", [*events, end("s", 100, "b"), end("f", time, bp="e")])
    assert bound(out) == [(leaves, "far")]
    assert bound(into) == [("far", reaches)]


def test_an_end_before_a_gap_belongs_to_the_next_slice_unless_it_binds_to_what_encloses_it(tmp_path: Path) -> None:
    events = [x("first", 0, 10, "b"), x("around", 0, 20), x("next", 15, 2), end("s", 10, "b")]
    assert bound(timeline(tmp_path / "a.json", [*events, end("f", 12)])) == [("first", "next")]
    assert bound(timeline(tmp_path / "b.json", [*events, end("f", 12, bp="e")])) == [("first", "around")]
    assert bound(timeline(tmp_path / "c.json", [*events, end("t", 12)])) == [("first", "around")]
    assert bound(timeline(tmp_path / "d.json", [*events, end("f", 18)])) == [("first", "around")]  # nothing follows
    assert bound(timeline(tmp_path / "e.json", [*events, end("f", 30, bp="e")])) == [("first", "")]


def test_between_two_slices_the_side_counts_that_others_of_the_kind_touch(tmp_path: Path) -> None:
    """Launches begin where the last has ended, and arrows of launches leave their beginnings."""
    events = [x("one", 0, 5), x("two", 5, 5), x("three", 20, 5), x("kernel", 40, 5, "b"), x("kernel", 60, 5, "b")]
    tie = [end("s", 5, key=1), end("f", 40, "b", 1, bp="e")]
    clear = [end("s", 20, key=2), end("f", 60, "b", 2, bp="e")]
    assert bound(timeline(tmp_path / "t.json", [*events, *tie])) == [("one", "kernel")]
    assert bound(timeline(tmp_path / "u.json", [*events, *tie, *clear])) == [("two", "kernel"), ("three", "kernel")]


def test_ends_of_single_precision_touch_what_was_meant(tmp_path: Path) -> None:
    def single(value: float) -> float:
        return float(np.float32(value))

    events = [x("around", single(0.1), single(900.3))]
    for n in range(50):
        start, length = 300 + n * 10 / 1850, 9 / 1850
        events.append(x(f"s{n}", single(start), single(length)))
        events.append(end("s", single(start + length), key=n))
        events.append(end("t", single(start), key=n))
    assert bound(timeline(tmp_path / "t.json", events)) == [(f"s{n}", f"s{n}") for n in range(50)]
