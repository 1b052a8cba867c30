"""Critical path, waits and what-if as records and tables: worked numbers, names that do not exist, rounding."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from app.analysis.compare.comparison import Comparison
from app.analysis.figures import figures
from app.analysis.figures import time as time_figures
from app.analysis.tables import by_id, critical_path, listed
from app.analysis.tables.timeline import lanes
from app.analysis.time.answers import BadChange, CriticalPath, PathParts, critical_path_of
from app.analysis.time.classes import BARRIER, REMARK, WORK, classes, lane_times
from app.analysis.time.memory import PeakWithout, TileWithout
from app.analysis.time.model import is_made, looked_at
from app.analysis.time.model import time_model as model_of
from app.analysis.time.waits import waits_of
from app.analysis.time.what_if import Estimate, WhatIf, balanced, scaled, without
from app.api import open as opened
from app.profile.arrays import Ragged
from app.profile.poplar import Liveness, LiveVariables, TileMemory, Variables, VertexTypes
from app.profile.profile import Origin, Profile, Target
from app.profile.selection import TimeRange
from app.profile.strings import Strings
from app.profile.timeline import Timeline
from generators.schedules import Task, as_timeline, flagged, pipeline
from generators.timelines import timeline

DENSE = Path(__file__).parents[3].parent / "shared" / "samples" / "ascend-ffn-dense.trace.json"
SAMPLES = Path(__file__).parents[3] / "resources" / "samples"
MATMUL, RUN = SAMPLES / "matmul_leakyrelu.bin", SAMPLES / "resnet-32-tiles-measured"
CORE = "core0.veccore0"
near = pytest.approx


def of(line: Timeline) -> Profile:
    return Profile(name="trace", origin=Origin("ascend-trace", (Path("trace.json"),)), timeline=line)


def parts_of(answer: CriticalPath) -> PathParts:
    assert answer.parts is not None
    return answer.parts


def saved(answer: WhatIf) -> Estimate:
    assert answer.saving is not None
    return answer.saving


def rows(profile: Profile, name: str) -> list[dict[str, object]]:
    table = by_id(profile, name)
    assert table is not None
    return [{column.key: column.value(row) for column in table.columns} for row in range(table.rows)]


@pytest.mark.skipif(not DENSE.is_file(), reason="the sample is not in the repository")
def test_tasks_with_dependencies() -> None:
    with opened(DENSE) as profile:
        answer = profile.critical_path()
        assert answer.span == near(111.54e-6)
        parts = parts_of(answer)
        sums = (parts.work, parts.data_wait, parts.resource_wait, parts.outside)
        assert [round(1e6 * own, 2) for own in sums] == [88.66, 21.66, 1.22, 0.0]
        assert sum(sums) == near(answer.span, rel=1e-9)
        assert len({piece.slice for piece in answer.path}) == 12
        assert answer.floor == near(92.32e-6)
        assert answer.replay_error == near(0, abs=1e-9)
        assert answer.inferred == 0
        for name, least in (("re:matmul", 21.98), ("matmul", 21.98), ("cast", 19.83)):
            made = profile.what_if({name: 0.5})
            assert round(1e6 * saved(made).estimate, 2) == least
            assert saved(made).at_most >= saved(made).estimate
        made = profile.what_if({"re:.": 1})
        assert made.slices == 114
        assert saved(made).estimate == near(0, abs=1e-12)


def test_one_buffer_with_flags() -> None:
    profile = of(flagged())
    answer = critical_path_of(profile, CORE)
    assert (answer.scope, answer.unit) == (CORE, "s")
    assert answer.span == near(17.22e-6)
    assert parts_of(answer).work == near(9.19e-6)
    assert parts_of(answer).data_wait == near(0.02e-6)
    assert parts_of(answer).resource_wait == near(7.91e-6)
    assert answer.floor == near(9.12e-6)
    assert {one.name: one.work for one in answer.by_name}["LOAD"] == near(8e-6)
    waits = rows(profile, "waits")
    assert [(row["waiting"], row["awaited"], row["released_by"], row["count"], row["inferred"]) for row in waits] == [
        (f"{CORE} / MTE3", f"{CORE} / VECTOR", "SET_FLAG.VECTOR.MTE3.0", 8, False),
        (f"{CORE} / VECTOR", f"{CORE} / MTE2", "SET_FLAG.MTE2.VECTOR.0", 8, False),
        (f"{CORE} / MTE2", f"{CORE} / MTE3", "STORE", 7, True),
    ]
    assert [row["on_path"] for row in waits] == [near(0.01), near(0.01), near(7.91)]
    path = rows(profile, "critical-path")
    assert sum(float(str(row["time"])) for row in path) == near(17.22)
    assert path[3] == {
        "order": 4,
        "slice": 2,
        "name": "LOAD",
        "lane": f"{CORE} / MTE2",
        "part": "resource_wait",
        "start": near(1.11),
        "time": near(1.13),
        "cause": "STORE (inferred)",
    }


def test_two_buffers() -> None:
    profile = of(as_timeline(pipeline(buffers=3), 0.1))
    for name, least in (("VADD", 0.30), ("lane:MTE2", 3.16), (f"lane:{CORE}/MTE2", 3.16), ("re:^LOAD$", 3.16)):
        made = scaled(profile, {name: 0.5})
        assert 1e6 * saved(made).estimate == near(least)
        assert saved(made).at_most >= saved(made).estimate - 1e-15
        assert (made.slices, made.confidence, saved(made).unit) == (8, "estimated", "s")
    both = scaled(profile, {"LOAD": 0.5, "lane:MTE2": 0.5})
    assert both.replayed == near(scaled(profile, {"LOAD": 0.25}).replayed)
    slower = scaled(profile, {"LOAD": 1.5})
    assert saved(slower).estimate == near(-4e-6)
    assert saved(slower).at_most == 0


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("VAD", "VADD"),
        ("lane:MTE", "MTE2"),
        ("re:[", "not a regular expression"),
        ("nothing of the kind", "slice-statistics"),
    ],
)
def test_a_change_of_nothing(name: str, says: str) -> None:
    with pytest.raises(BadChange, match=says):
        scaled(of(flagged()), {name: 0.5})


def test_a_core_that_does_not_exist() -> None:
    with pytest.raises(BadChange, match=CORE):
        critical_path_of(of(flagged()), "core0.veccore9")
    host = timeline([("host", "main", [[(0.0, 1.0, "call", ""), (1.0, 1.0, "cudaDeviceSynchronize", "")]])])
    assert critical_path_of(of(host), CORE).why  # nothing is launched


def test_what_a_file_must_have() -> None:
    empty = Profile(name="none", origin=Origin("popef", ()))
    instants = of(timeline([("host", "main", [[(0.0, 0.0, "mark", "")]])]))
    for profile in (empty, instants):
        answer = critical_path_of(profile)
        assert (answer.path, answer.span) == ((), None)
        assert answer.why
        assert scaled(profile, {"x": 0}).why
        assert by_id(profile, "critical-path") is None
        assert by_id(profile, "waits") is None


def test_busy_is_work_alone() -> None:
    line = timeline(
        [
            (CORE, "MTE2", [[(0.0, 4.0, "LOAD", "")]]),
            (CORE, "VECTOR", [[(0.0, 4.0, "WAIT_FLAG.MTE2.V.0", ""), (4.0, 1.0, "VADD", ""), (5.0, 5.0, "BAR", "")]]),
            ("host", "main", [[(0.0, 10.0, "aten::item", "")], [(2.0, 7.0, "cudaStreamSynchronize", "")]]),
        ]
    )
    table = lanes(of(line))
    assert table is not None
    cells = {column.key: [column.value(row) for row in range(table.rows)] for column in table.columns}
    assert cells["busy"] == [4.0, 1.0, 3.0]
    assert cells["waiting"] == [0.0, 9.0, 7.0]
    assert cells["busy_share"] == [40.0, 10.0, 30.0]
    part = lane_times(line, TimeRange(1.0, 5.0))
    assert part.work.tolist()[:3] == [3.0, 1.0, 1.0]
    assert part.waiting.tolist()[:3] == [0.0, 3.0, 3.0]
    named = {figure.name: figure.value for figure in figures(of(line))}
    assert named["timeline.busiest_lane"] == f"{CORE}/MTE2"


def test_main_figures_add_up() -> None:
    named = {figure.name: figure.value for figure in time_figures.figures(of(flagged()), whole=False)}
    filled = ("critical_work", "data_wait", "resource_wait", "outside")
    assert sum(float(str(named[f"time.{own}"])) for own in filled) == near(17.22e-6)
    assert float(str(named["time.at_most"])) == near(17.22e-6 - float(str(named["time.floor"])))
    assert named["time.bound_by"] == "latency"
    two = of(as_timeline(pipeline(buffers=3)))
    assert {figure.name: figure.value for figure in time_figures.figures(two, whole=False)}["time.bound_by"] == "MTE2"


def test_lists_of_large_timelines_do_not_wait_for_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(critical_path, "MANY", 10)
    monkeypatch.setattr(time_figures, "CHEAP", 10)
    profile = of(flagged())
    known = {table.id: table.rows for table in listed(profile)}
    assert known["critical-path"] is known["waits"] is None
    assert not any(figure.name.startswith("time.") for figure in figures(profile))
    assert not is_made(profile)
    model_of(profile)
    assert {table.id: table.rows for table in listed(profile)}["waits"] == 3
    assert any(figure.name.startswith("time.") for figure in figures(profile))


def test_figures_that_only_one_side_has_yet_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time_figures, "CHEAP", 10)
    sides = of(flagged()), of(flagged())

    def compared() -> list[str]:
        comparison = Comparison(*sides)
        return [figure.id for figure in comparison.figures if figure.id.startswith("time.")]

    model_of(sides[0])
    assert compared() == []
    model_of(sides[1])
    assert "time.floor" in compared()


def test_the_model_can_be_stopped() -> None:
    profile, looks = of(flagged()), 0

    def look() -> None:
        nonlocal looks
        looks += 1
        if looks == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        looked_at(profile, look)
    assert not is_made(profile)


def test_large_timelines_have_all_figures_where_time_is_no_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time_figures, "CHEAP", 10)
    profile = of(flagged())
    assert any(figure.name == "time.floor" for figure in figures(profile, whole=True))


def test_work_by_pipe_is_the_verdicts() -> None:
    """The table of waits, by pipe, has the times of the core's own waits."""
    line = flagged()
    (core,) = model_of(of(line)).cores
    times: dict[tuple[str, str], float] = {}
    for row in rows(of(line), "waits"):
        if row["kind"] == "wait":
            pair = str(row["waiting"]).rpartition(" / ")[2], str(row["awaited"]).rpartition(" / ")[2]
            times[pair] = times.get(pair, 0.0) + float(str(row["time"]))
    assert times == {(wait.waiting, wait.awaited): near(wait.time) for wait in waits_of(line, core)}


def test_the_path_of_one_core_is_a_table_too() -> None:
    profile = of(flagged())
    whole, own = rows(profile, "critical-path"), rows(profile, f"critical-path/{CORE}")
    assert [row["name"] for row in own] == [row["name"] for row in whole]
    assert by_id(profile, "critical-path/core9") is None


def test_where_the_path_is_in_the_source() -> None:
    with opened(MATMUL) as profile:
        path, waits, span = profile.table("critical-path"), profile.table("waits"), profile.critical_path().span
    for table in (path, waits):
        assert any(text and ".cpp:" in text for text in table["source"].tolist())
    assert float(np.sum(path["time"])) == near(span, rel=1e-9)


def test_cores_of_a_pool_have_no_order() -> None:
    """Two tasks on one core could run on another: no order of lanes is in the bound."""
    tasks = [Task("AIV_0", "a", 4.0), Task("AIV_0", "b", 4.0), Task("AIV_1", "c", 1.0, (1,))]
    line = as_timeline(tasks, process="Machine")
    bounds = []
    for own in (line, renamed(line)):
        made = scaled(of(own), {"a": 0.5})
        assert saved(made).estimate == near(2e-6)
        bounds.append(1e6 * saved(made).at_most)
    assert bounds == [near(9 - 5), near(2)]  # b, then c; with lanes in order the span falls to 7


def renamed(line: Timeline) -> Timeline:
    """The same on lanes that keep their order."""
    texts = [text.replace("AIV_", "stream ") for text in line.strings]
    return replace(line, strings=Strings.of(texts))


def test_steps_of_a_run_have_closed_forms() -> None:
    with opened(RUN) as profile:
        path, level = profile.critical_path(), profile.what_if(balanced=True)
        assert (path.path, path.unit, path.span) == ((), "cycles", profile.figures["execution.cycles"])
        assert [one.name for one in path.by_name] == ["OnTileExecute", "DoExchange", "StreamCopy"]
        assert sum(one.work for one in path.by_name) <= profile.figures["execution.cycles"]
        (bound,) = (one.saving for one in profile.findings() if one.rule == "poplar.compute-imbalance")
        assert bound is not None
        assert saved(level).at_most == bound.at_most
        name = "resnet/stage1/block1/conv1/Convolve"
        assert 0 < saved(profile.what_if(balanced=name)).at_most < saved(level).at_most
        gone = profile.what_if({"lane:StreamCopy": 0.0})
        assert saved(gone).estimate == saved(gone).at_most == path.by_name[2].work
        with pytest.raises(BadChange, match="Convolve"):
            balanced(profile._profile, "Convolv")
    assert balanced(of(flagged())).why


def test_memory_without_a_variable() -> None:
    profile = with_variables()
    answer = without(profile, "weights")
    assert answer.tiles == TileWithout(0, 130, 60, 1, 90, 100, False, True, 0)
    assert answer.peak == PeakWithout(170, "conv", 130, "main")
    assert without(profile, "input").tiles == TileWithout(0, 130, 10, 0, 120, 100, False, False, 20)
    with pytest.raises(BadChange, match="name of a variable, and none is named weight; did you mean weights"):
        without(profile, "weight")
    typed = replace(profile, vertex_types=VertexTypes(names=Strings.of(["popops::Add"])))
    with pytest.raises(BadChange, match=r"something else \(vertex type\); the table variables lists them"):
        without(typed, "popops::Add")
    with pytest.raises(BadChange, match="Poplar"):
        without(of(flagged()), "weights")


def with_variables() -> Profile:
    """Two tiles, and a program whose peak holds two variables."""
    names = Strings.of(["main", "conv", "weights", "input"])
    tree = Liveness(
        strings=names,
        bytes=np.array([70, 30, 70]),
        depth=np.array([0, 1, 1], np.int32),
        parent=np.array([-1, 0, 0], np.int32),
        end=np.array([3, 2, 3], np.int32),
        name=np.array([0, 0, 1], np.int32),
        program=np.full(3, -1, np.int32),
    )
    live = LiveVariables(
        strings=names,
        name=np.array([3, 2], np.int32),
        number=np.array([0, 1]),
        size=np.array([20, 50]),
        always=np.zeros(2, np.bool_),
        at=Ragged.of(np.array([0, 0, 2]), np.array([0, 1], np.int32)),
        stated=np.ones(3, np.bool_),
        first=np.zeros(2, np.int32),
        last=np.zeros(2, np.int32),
        steps=np.ones(2, np.int32),
    )
    none, never = np.full(3, -1, np.int64), np.zeros(3, np.bool_)
    placed = Variables(
        strings=names,
        number=none,
        name=np.array([2, 2, 3], np.int32),
        category=none.astype(np.int32),
        tile=np.array([0, 1, 0], np.int32),
        equivalence=none.astype(np.int32),
        size=np.array([60, 5, 10]),
        offset=none,
        alignment=none,
        allocated=~never,
        constant=never,
        always_live=never,
        executable=never,
        vertex_code=never,
        interleaved=never,
        by_tile=np.array([0, 2, 1]),
    )
    memory = TileMemory(tiles=2, total=np.array([130, 95]), always_live=np.array([100, 0]))
    target = Target(kind="IPU", ipus=1, tiles=2, tiles_per_ipu=2, bytes_per_tile=100)
    profile = Profile(name="graph", origin=Origin("poplar", ()), target=target)
    for section in (memory, tree, live, placed):
        profile = profile.with_section(section)
    return profile


def test_what_happens_in_front_of_a_pipe_is_no_work() -> None:
    line = timeline([(CORE, "VECTOR", [[(0.0, 3.0, "ccu_time", ""), (3.0, 1.0, "VADD", ""), (4.0, 1.0, "BAR.V", "")]])])
    assert classes(line).tolist() == [REMARK, WORK, BARRIER]
    (core,) = model_of(of(line)).cores
    assert core.work["VECTOR"] == 1.0


def test_shares_of_names_are_those_of_work() -> None:
    """As the table lanes: what waits has a total and no share, and what others hold counts once."""
    named = {str(row["name"]): row for row in rows(of(flagged()), "slice-statistics")}
    works = {name: row for name, row in named.items() if not name.startswith("WAIT_FLAG")}
    assert len(named) - len(works) == 2
    assert all(
        row["share"] is None and float(str(row["total"])) > 0 for row in named.values() if row not in [*works.values()]
    )
    busy = sum(float(str(row["busy"])) for row in rows(of(flagged()), "lanes"))
    assert works["LOAD"]["share"] == near(100 * 8.0 / busy)
    assert sum(float(str(row["share"])) for row in works.values()) == near(100)
    nested = timeline(
        [("core0.veccore0", "VECTOR", [[(0, 10, "outer", "")], [(1, 4, "inner", ""), (6, 2, "WAIT_FLAG", "")]])]
    )
    shares = {str(row["name"]): row["share"] for row in rows(of(nested), "slice-statistics")}
    assert shares == {"outer": near(50), "inner": near(50), "WAIT_FLAG": None}
