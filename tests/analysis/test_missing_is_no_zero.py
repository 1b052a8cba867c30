"""What the files do not say is no figure, and no 0.0 %; figures of several things have a middle and a maximum beside
their mean. Expected numbers are made by loops over the plain trees and messages."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from statistics import mean, median
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from app.analysis.amounts import shares
from app.analysis.ascend.typed_columns import line_shares
from app.analysis.details import Described
from app.analysis.figures import figures
from app.analysis.poplar.parts import compute_set_parts
from app.analysis.tables import available, by_id
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.formats.tensorflow_events import FORMAT as EVENTS
from app.profile.ascend import CacheLines, CacheSide
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.views.timeline.contents import LaneUse, measure
from app.views.timeline.model import Model
from generators import poplar
from generators import tensorflow_events as log
from generators.reading import profile_of
from generators.tensorflow_events import (
    BEGAN,
    COMPILE_BEGIN,
    COMPILE_END,
    EXECUTE,
    LOAD_ENGINE,
    TO_DEVICE,
    Event,
    moved,
)
from generators.trees import plain, write_json

SCALE = poplar.Scale(mode="COMPUTE_SETS", compute_sets=6, loops=2)
LENGTHS = ("busy", "busy_share", "longest")
SPREAD = ("total", "average", "median", "minimum", "maximum", "share")


@pytest.fixture(scope="module")
def tree() -> Any:
    return {**plain(poplar.graph(SCALE)), **plain(poplar.execution(SCALE))}


@pytest.fixture(scope="module")
def run(tree: Any, tmp_path_factory: pytest.TempPathFactory) -> Profile:
    (profile,) = read(FORMAT, [write_json(tmp_path_factory.mktemp("run") / "graph.json", tree)])
    return profile


@pytest.fixture(scope="module")
def events() -> Profile:
    """Three executions, a load, a compilation, and transfers of which one does not state its size."""
    made = [
        Event(COMPILE_BEGIN, BEGAN),
        Event(COMPILE_END, BEGAN + 2.5, duration=2500),
        Event(LOAD_ENGINE, BEGAN + 3),
        *(Event(EXECUTE, BEGAN + 4 + place) for place in (0.0, 0.25, 2.0, 2.5)),
        Event(TO_DEVICE, BEGAN + 3.5, moved=moved(("x", 100))),
        Event(TO_DEVICE, BEGAN + 3.6, moved=moved(("x", 700))),
        Event(TO_DEVICE, BEGAN + 3.7, moved=moved(("x", 130))),
    ]
    return profile_of(EVENTS, log.log([made]), "events.out.tfevents.1.host")


def rows(profile: Profile, table_id: str, key: str) -> dict[Any, dict[str, Any]]:
    """The rows of a table by the cells of one column."""
    table = by_id(profile, table_id)
    assert table is not None
    cells = {column.key: column for column in table.columns}
    return {
        cells[key].value(row): {name: column.value(row) for name, column in cells.items()} for row in range(table.rows)
    }


def test_sync_steps_have_no_length(run: Profile, tree: Any) -> None:
    count = sum(step["type"] == "Sync" for step in tree["simulation"]["steps"])
    assert count > 0
    lane = rows(run, "lanes", "thread")["Sync"]
    assert lane["slices"] == count
    assert [lane[key] for key in LENGTHS] == [None] * 3
    named = rows(run, "slice-statistics", "name")["Sync"]
    assert named["count"] == count
    assert [named[key] for key in SPREAD] == [None] * 6
    table = by_id(run, "slices")
    assert table is not None
    assert "does not state how long" in table.note
    cells = {column.key: column for column in table.columns}
    for row in range(table.rows):
        known = cells["name"].value(row) != "Sync"
        assert (cells["duration"].value(row) is not None) == known
        assert (cells["end"].value(row) is not None) == known


def test_a_lane_without_lengths_has_no_share_beside_its_name(run: Profile, events: Profile) -> None:
    for profile, without in ((run, {"Sync"}), (events, {"Execute cluster_1", "Load cluster_1", "Host to device"})):
        assert profile.timeline is not None
        model = Model.of(profile.timeline)
        lanes = len(profile.timeline.lanes.thread)
        use = LaneUse(np.zeros(lanes), np.zeros(lanes), np.zeros(lanes), np.zeros(lanes, np.int64))
        for _ in measure(model, use, None):
            pass
        assert {model.thread(lane) for lane in np.flatnonzero(np.isnan(use.busy)).tolist()} == without


def test_executions_of_a_log_have_no_length(events: Profile) -> None:
    lanes = rows(events, "lanes", "thread")
    assert [lanes["Execute cluster_1"][key] for key in LENGTHS] == [None] * 3
    assert lanes["Compile cluster_1"]["busy"] == 2.5
    named = rows(events, "slice-statistics", "name")
    assert [named["Execute cluster_1"][key] for key in SPREAD] == [None] * 6
    assert named["Compile cluster_1"]["share"] == 100.0


def test_times_between_executions_have_a_median_and_a_maximum(events: Profile) -> None:
    gaps = [0.25, 1.75, 0.5]
    (row,) = rows(events, "modules", "module").values()
    assert (row["gap"], row["median_gap"], row["longest_gap"]) == (
        pytest.approx(mean(gaps), abs=1e-6),
        median(gaps),
        max(gaps),
    )


def test_bytes_that_no_transfer_states_are_no_zero(events: Profile) -> None:
    row = rows(events, "transfers", "name")["x"]
    assert [row[key] for key in ("bytes", "mean", "median", "maximum")] == [930, 310.0, 130.0, 700.0]
    names = {figure.name: figure.value for figure in figures(events)}
    assert names["events.bytes_to_device"] == 930
    assert "events.bytes_from_device" not in names


def test_figures_of_steps_that_state_nothing_are_missing(tree: Any, tmp_path: Path) -> None:
    bare = {**tree, "simulation": {**tree["simulation"], "steps": []}}
    for step in tree["simulation"]["steps"]:
        lost = ("cycles", "totalData") if step.get("computeSet", 1) == 1 else ()
        bare["simulation"]["steps"].append({key: value for key, value in step.items() if key not in lost})
    (profile,) = read(FORMAT, [write_json(tmp_path / "graph.json", bare)])
    sets = rows(profile, "compute-sets", "number")
    assert sets[1]["runs"] > 0
    assert sets[1]["run_cycles"] is None
    assert sets[2]["run_cycles"] > 0
    for row in rows(profile, "exchanges", "number").values():
        if row["runs"]:
            assert (row["run_cycles"], row["data"]) == (None, None)


def test_exchanges_that_move_nothing_have_a_bandwidth_of_zero(run: Profile) -> None:
    assert run.steps is not None
    moved = rows(replace(run, steps=replace(run.steps, data=np.zeros_like(run.steps.data))), "exchanges", "number")
    assert {row["bandwidth"] for row in moved.values() if row["runs"]} == {0.0}


def test_vertex_types_that_sets_do_not_list_have_no_steps(tree: Any, tmp_path: Path) -> None:
    scale = poplar.Scale(mode="IPU_MODEL", compute_sets=6, loops=2)
    whole = {**plain(poplar.graph(scale)), **plain(poplar.execution(scale))}
    for key in ("vertexTypes", "vertexCounts"):
        whole["computeSets"].pop(key)
    (profile,) = read(FORMAT, [write_json(tmp_path / "graph.json", whole)])
    for row in rows(profile, "steps-by-vertex-type", "type").values():
        assert row["active"] > 0
        assert not {"steps", "cycles", "vertices"} & row.keys()


def test_a_share_of_nothing_is_no_share() -> None:
    assert np.isnan(shares(np.zeros(3, np.int64))).all()
    assert shares(np.array([1, 3], np.int64)).tolist() == [25.0, 75.0]


def test_details_of_several_count_what_has_no_figure(run: Profile) -> None:
    assert run.timeline is not None
    slices = run.timeline.slices
    assert slices.untimed is not None
    marks, timed = np.flatnonzero(slices.untimed)[:2], np.flatnonzero(~slices.untimed)[:3]
    found = Described(run).several(Selection("slice", tuple(np.concatenate((marks, timed)).tolist())))
    (duration,) = (several for several in found if several.column.key == "duration")
    lengths = [float(slices.duration[index]) for index in timed]
    assert (duration.known, duration.asked) == (3, 5)
    assert (duration.total, duration.median, duration.most) == (sum(lengths), median(lengths), max(lengths))


def test_steps_of_a_compute_set_have_a_median(run: Profile, tree: Any) -> None:
    cycles = [step["cycles"] for step in tree["simulation"]["steps"] if step.get("computeSet") == 2]
    (part,) = (part for part in compute_set_parts(run, np.array([2])) if part.title == "Steps that ran it")
    facts = {fact.label: fact.words for fact in part.facts}
    amounts = [word.value for word in facts["Each step"] if not isinstance(word, str)]
    wanted = [max(cycles)] if min(cycles) == max(cycles) else [min(cycles), max(cycles), mean(cycles), median(cycles)]
    assert amounts == pytest.approx(wanted)


def test_a_cache_line_without_events_has_no_shares() -> None:
    none, two, ids = np.array([0.0, 3.0]), np.array([0.0, 1.0]), np.zeros(0, np.int64)
    first = np.zeros(3, np.int64)
    hits, misses = CacheSide(none, np.array([0.0, 0.75]), first, ids, ids), CacheSide(two, two / 4, first, ids, ids)
    shown = line_shares(CacheLines(np.arange(2), hits, misses))
    assert [[None if np.isnan(one) else one for one in column.tolist()] for column in shown] == [
        [None, 75.0],
        [None, 25.0],
    ]


def test_no_lane_is_the_busiest_where_nothing_has_a_length() -> None:
    profile = profile_of(EVENTS, log.log([[Event(EXECUTE, BEGAN), Event(EXECUTE, BEGAN + 1)]]), "events.out.tfevents.1")
    assert "timeline.busiest_lane" not in {figure.name for figure in figures(profile)}


def steps_without(*keys: str) -> Callable[[Any], object]:
    return lambda tree: [step.pop(key, None) for step in tree["simulation"]["steps"] for key in keys]


EXCHANGES = ("exchanges", "externalExchanges", "hostExchanges")
LOST: dict[str, Callable[[Any], object]] = {
    "cycles of steps": steps_without("cycles"),
    "places of steps": steps_without("cyclesFrom", "cyclesTo"),
    "data of steps": steps_without("totalData"),
    "programs of steps": steps_without("program"),
    "compute sets of steps": steps_without("computeSet"),
    "exchanges of steps": steps_without("exchange", "externalExchange", "hostExchange"),
    "active tiles of steps": steps_without("activeTiles"),
    "overlaps of steps": steps_without("cyclesOverlapped"),
    "steps": lambda tree: tree["simulation"].pop("steps"),
    "tile cycles": lambda tree: tree["simulation"].pop("tileCycles"),
    "trace": lambda tree: tree.pop("programTrace"),
    "measured": lambda tree: tree.pop("computeSetCyclesByTile"),
    "bytes sent": lambda tree: [tree[key].pop("bytesSentByTile") for key in EXCHANGES],
    "cycles of exchanges": lambda tree: tree["exchanges"].pop("cyclesByTile"),
    "estimates": lambda tree: tree["computeSets"].pop("cycleEstimates"),
    "vertices": lambda tree: tree["computeSets"].pop("vertexCounts"),
    "vertex types": lambda tree: tree["computeSets"].pop("vertexTypes"),
    "instructions": lambda tree: [program.pop("memoryByInstruction", None) for program in tree["programs"]],
    "a region": lambda tree: tree["memory"]["byTile"].pop("nonInterleaved"),
    "parts of categories": lambda tree: [one.pop("nonInterleaved") for one in tree["memory"]["byCategory"].values()],
    "code of compute sets": lambda tree: tree["memory"]["byComputeSet"].pop("codeBytes"),
    "temporary memory": lambda tree: tree["memory"]["liveness"].pop("notAlwaysLive"),
    "always live": lambda tree: tree["memory"]["liveness"].pop("alwaysLive"),
}


def zeros(profile: Profile) -> dict[str, int]:
    """How many cells of each column of numbers, and which figures, are zero."""
    found: dict[str, int] = {}
    for figure in figures(profile):
        values = figure.value if isinstance(figure.value, dict) else {"": figure.value}
        found |= {f"{figure.name} {key}": int(value == 0 and value is not False) for key, value in values.items()}
    for table in available(profile):
        for column in table.columns:
            if column.numeric and isinstance(column.values, np.ndarray):
                absent = np.zeros(table.rows, np.bool_) if column.missing is None else column.missing
                found[f"{table.id}.{column.key}"] = int(np.sum((column.values == 0) & ~absent))
    return found


@pytest.mark.parametrize("name", LOST)
def test_nothing_becomes_zero_because_a_file_does_not_have_it(name: str, tree: Any, tmp_path: Path) -> None:
    whole = json.loads(json.dumps({**tree, **plain(poplar.graph(replace(SCALE, estimates=True)))}))
    before, after = tmp_path / "whole.json", tmp_path / "less.json"
    write_json(before, whole)
    LOST[name](whole)
    write_json(after, whole)
    full, less = (zeros(read(FORMAT, [path])[0]) for path in (before, after))
    assert {key: count for key, count in less.items() if count > full.get(key, 0)} == {}


def test_a_sum_over_some_kinds_of_exchanges_says_which_are_not_in_it(tree: Any, tmp_path: Path) -> None:
    less = json.loads(json.dumps(tree))
    less["exchanges"].pop("bytesSentByTile")
    (profile,) = read(FORMAT, [write_json(tmp_path / "graph.json", less)])
    table = by_id(profile, "exchanges-per-tile")
    assert table is not None
    helps = {column.key: column.help for column in table.columns}
    assert helps["sent"] == "Without internal exchanges, which the file does not have."
    assert helps["received"] == ""
