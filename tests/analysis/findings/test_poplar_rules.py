"""Rules about Poplar programs report what was planted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from app.analysis.findings import outcomes
from app.analysis.findings.finding import Finding
from app.analysis.time.memory import next_peak
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.formats.poplar.timeline import Timed, timeline
from app.profile.arrays import Ragged
from app.profile.poplar import (
    Categories,
    ComputeSets,
    Execution,
    Liveness,
    LiveVariables,
    MeasuredCycles,
    Steps,
    TileMemory,
)
from app.profile.profile import Origin, Profile, Target
from app.profile.selection import Selection
from app.profile.strings import Strings

BARE = Profile(name="bare", origin=Origin("any", (Path("/bare"),)))
PEAK = "poplar.liveness-peak"
NETWORK = Path(__file__).parents[3] / "resources" / "samples" / "resnet-1472-tiles"


def found(profile: Profile, rule: str) -> Finding | None:
    """What that rule says; None if it has nothing to say, an error if it was not checked."""
    (outcome,) = (outcome for outcome in outcomes(profile) if outcome.rule.id == rule)
    assert not outcome.why
    return outcome.findings[0] if outcome.findings else None


def memory(total: list[int], with_gaps: list[int] | None = None, **categories: list[int]) -> Profile:
    names, none = tuple(categories), [0] * len(total)
    rows = [row for amounts in categories.values() for row in (none, amounts, none)]  # one for each region
    parts = Categories(
        names=names,
        category=np.repeat(np.arange(len(names), dtype=np.int32), 3),
        region=np.tile(np.arange(3, dtype=np.int32), len(names)),
        overlapped=np.zeros(3 * len(names), np.bool_),
        bytes=np.array(rows, np.int64).reshape(len(rows), len(total)),
        total_of=np.empty(0, np.int32),
        totals=np.empty((0, len(total)), np.int64),
    )
    return BARE.with_section(
        TileMemory(
            tiles=len(total),
            total=np.array(total),
            total_with_gaps=np.array(with_gaps or total),
            categories=parts if categories else None,
        )
    )


@pytest.mark.parametrize(
    ("rule", "category"),
    [
        ("poplar.code", "vertexCode"),
        ("poplar.constants", "constant"),
        ("poplar.rearranged-copies", "rearrangement"),
    ],
)
def test_a_category_that_takes_much(rule: str, category: str) -> None:
    finding = found(memory([100, 100], variable=[40, 40], **{category: [60, 60]}), rule)
    assert finding is not None
    assert [(evidence.key, evidence.value) for evidence in finding.evidence] == [(category, 60)]
    assert finding.saving is not None
    assert finding.saving.at_most == 60
    assert found(memory([100, 100], variable=[99, 99], **{category: [1, 1]}), rule) is None


def test_gaps_of_the_fullest_tile() -> None:
    finding = found(memory([80, 90], [100, 95]), "poplar.gaps")
    assert finding is not None
    assert finding.saving is not None
    assert finding.saving.at_most == 20
    assert found(memory([80, 94], [80, 95]), "poplar.gaps") is None


def test_tiles_that_hold_nothing() -> None:
    finding = found(memory([0, 5, 5, 0]), "poplar.unused-tiles")
    assert finding is not None
    assert [evidence.key for evidence in finding.evidence] == ["0", "3"]
    assert found(memory([5, 5]), "poplar.unused-tiles") is None


def steps(*rows: tuple[str, str, int, float, float], cycles: int = 1000) -> Profile:
    """Steps of (type, name, cycles, tile balance, thread balance), one after another."""
    strings = Strings.of(dict.fromkeys(text for row in rows for text in row[:2]))
    ids = {text: number for number, text in enumerate(strings)}
    count = len(rows)
    length = np.array([row[2] for row in rows], np.int64)
    end = np.cumsum(length)
    none, unknown = np.full(count, -1, np.int32), np.full(count, np.nan)
    own = Steps(
        strings=strings,
        type=np.array([ids[row[0]] for row in rows], np.int32),
        name=np.array([ids[row[1]] for row in rows], np.int32),
        sync_type=none,
        program=none,
        compute_set=none,
        exchange=none,
        cycles=length,
        cycles_from=end - length,
        cycles_to=end,
        overlapped=np.zeros(count, np.int64),
        active_tiles=none,
        data=np.full(count, -1, np.int64),
        tile_balance=np.array([row[3] for row in rows]),
        active_tile_balance=unknown,
        data_balance=unknown,
        thread_balance=np.array([row[4] for row in rows]),
    )
    run = Execution(mode="IPU", cycles=cycles, tile_cycles={})
    return BARE.with_section(run).with_section(own).with_section(timeline(Timed.of(own), None))


def test_imbalance_and_idle_threads_name_the_worst_step() -> None:
    profile = steps(("OnTileExecute", "even", 500, 1.0, 1.0), ("OnTileExecute", "odd", 400, 0.25, 0.1))
    imbalance, threads = found(profile, "poplar.compute-imbalance"), found(profile, "poplar.thread-use")
    assert imbalance is not None
    assert imbalance.saving is not None
    assert imbalance.saving.at_most == pytest.approx(400 * 0.75)
    assert imbalance.evidence[0].key == "odd"
    assert threads is None  # 500 of 900 cycles use all threads: 1 - 360 / 900
    level = steps(("OnTileExecute", "even", 900, 0.95, 0.95))
    assert found(level, "poplar.compute-imbalance") is None
    idle = found(steps(("OnTileExecute", "one", 900, 1.0, 1 / 6)), "poplar.thread-use")
    assert idle is not None
    assert idle.saving is not None
    assert idle.saving.at_most == pytest.approx(900 * 5 / 6)


@pytest.mark.parametrize(
    ("kind", "rule"), [("DoExchange", "poplar.exchange-bound"), ("StreamCopy", "poplar.host-bound")]
)
def test_what_nothing_hides(kind: str, rule: str) -> None:
    nan = float("nan")
    finding = found(steps(("OnTileExecute", "work", 600, 1, 1), (kind, "move", 400, nan, nan)), rule)
    assert finding is not None
    assert finding.saving is not None
    assert finding.saving.at_most == pytest.approx(400)
    assert found(steps(("OnTileExecute", "work", 980, 1, 1), (kind, "move", 10, nan, nan)), rule) is None


def test_exchanges_at_the_same_time_count_once() -> None:
    nan = float("nan")
    rows = [
        ("OnTileExecute", "work", 500, 1, 1),
        ("DoExchange", "a", 400, nan, nan),
        ("GlobalExchange", "b", 400, nan, nan),
    ]
    own = steps(*rows).steps
    assert own is not None
    together = replace(own, cycles_from=np.array([0, 500, 500]), cycles_to=np.array([500, 900, 900]))
    profile = steps(*rows).with_section(together).with_section(timeline(Timed.of(together), None))
    finding = found(profile, "poplar.exchange-bound")
    assert finding is not None
    assert finding.saving is not None
    assert finding.saving.at_most == pytest.approx(400)


def test_short_steps_and_rearrangement() -> None:
    many: list[Any] = [("OnTileExecute", "tiny", 10, 1.0, 1.0)] * 30
    profile = steps(*many, ("OnTileExecute", "conv/PreArrange/rearrange", 700, 1.0, 1.0))
    short, moved = found(profile, "poplar.small-steps"), found(profile, "poplar.rearrangement")
    assert short is not None
    assert [evidence.value for evidence in short.evidence] == [30, 300]
    assert moved is not None
    assert moved.saving is not None
    assert moved.saving.at_most == 700


def test_the_peak_names_the_innermost_node_and_its_largest_variables() -> None:
    strings = Strings.of(["main", "conv", "weights", "input"])
    tree = Liveness(
        strings=strings,
        bytes=np.array([70, 30, 70]),
        depth=np.array([0, 1, 1], np.int32),
        parent=np.array([-1, 0, 0], np.int32),
        end=np.array([3, 2, 3], np.int32),
        name=np.array([0, 0, 1], np.int32),
        program=np.full(3, -1, np.int32),
    )
    live = LiveVariables(
        strings=strings,
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
    base = TileMemory(tiles=1, always_live=np.array([100]))
    finding = found(BARE.with_section(base).with_section(tree).with_section(live), "poplar.liveness-peak")
    assert finding is not None
    assert finding.title == "Memory peaks at conv"
    assert [(evidence.key, evidence.value) for evidence in finding.evidence] == [
        ("conv", 70),
        ("", 100),
        ("weights", 50),
        ("input", 20),
        ("main", 30),
        ("weights", 40),
        ("input", 20),
    ]
    assert finding.saving is not None
    assert finding.saving.at_most == 40  # 70, and 30 at the next peak
    twins = replace(tree, bytes=np.array([70, 70, 70]))
    alone = BARE.with_section(base).with_section(twins)
    assert found(alone, "poplar.liveness-peak") is None  # equal peaks


def test_the_next_peak_bounds_what_the_peak_can_lose() -> None:
    tree = Liveness(
        strings=Strings.of(["main"]),
        bytes=np.array([5_000_000, 1, 5_000_000, 4_200_000]),
        depth=np.array([0, 1, 2, 1], np.int32),
        parent=np.array([-1, 0, 1, 0], np.int32),
        end=np.array([4, 3, 3, 4], np.int32),
        name=np.zeros(4, np.int32),
        program=np.full(4, -1, np.int32),
    )
    assert next_peak(tree, 2) == (3, 4_200_000)
    finding = found(BARE.with_section(TileMemory(tiles=1, always_live=np.array([9]))).with_section(tree), PEAK)
    assert finding is not None
    assert finding.saving is not None
    assert finding.saving.at_most == 800_000
    assert next_peak(replace(tree, bytes=np.array([5, 1, 5, 5])), 2) == (3, 5)


def test_what_must_leave_a_tile_that_is_too_full() -> None:
    limit = Target(kind="IPU", ipus=1, tiles=2, tiles_per_ipu=2, bytes_per_tile=100)
    profile = memory([130, 40], variable=[90, 40], vertexCode=[25, 0], constant=[15, 0]).with_section(limit)
    finding = found(profile, "poplar.out-of-memory")
    assert finding is not None
    said = [(one.key, one.figure, one.value) for one in finding.evidence if one.table == "memory-by-category"]
    assert said == [
        ("variable", "fits without it; it takes", 90),
        ("vertexCode", "without it, still over the limit by", 5),
        ("constant", "without it, still over the limit by", 15),
    ]
    assert "spread evenly" in "".join(map(str, finding.text))
    both = found(memory([130, 90]).with_section(limit), "poplar.out-of-memory")
    assert both is not None
    assert "spreading is not enough" in "".join(map(str, both.text))


def test_what_is_always_live_on_the_fullest_tile() -> None:
    base = memory([100, 90]).tile_memory
    assert base is not None
    finding = found(BARE.with_section(replace(base, always_live=np.array([80, 90]))), "poplar.always-live")
    assert finding is not None
    assert finding.saving is not None
    assert finding.saving.at_most == 80
    assert found(BARE.with_section(replace(base, always_live=np.array([20, 90]))), "poplar.always-live") is None


def test_figures_of_the_bundled_sample_hold() -> None:
    (profile,) = read(FORMAT, sorted(NETWORK.glob("*.json")))
    steps = profile.steps
    assert steps is not None
    lost = sum(
        cycles * (1 - balance)
        for cycles, balance, kind in zip(
            steps.cycles.tolist(), steps.tile_balance.tolist(), steps.type.tolist(), strict=True
        )
        if steps.strings.get(kind) == "OnTileExecute" and balance == balance
    )
    finding = found(profile, "poplar.compute-imbalance")
    assert finding is not None
    assert finding.saving is not None
    assert finding.saving.at_most == pytest.approx(lost)


def test_a_little_host_time_without_double_buffering() -> None:
    nan = float("nan")
    rows = [("OnTileExecute", "work", 940, 1.0, 1.0), ("StreamCopy", "in", 60, nan, nan)]
    finding = found(steps(*rows), "poplar.host-bound")
    assert finding is not None
    assert finding.severity == "info"
    assert finding.evidence[0].selection == Selection("step", (1,))
    much = found(
        steps(("OnTileExecute", "work", 600, 1.0, 1.0), ("StreamCopy", "in", 400, nan, nan)), "poplar.host-bound"
    )
    assert much is not None
    assert much.severity == "warning"


def test_the_longest_stretch_and_the_tile_that_sets_the_length_are_named() -> None:
    nan = float("nan")
    rows = [
        ("StreamCopy", "a", 100, nan, nan),
        ("OnTileExecute", "w", 600, 0.5, 1.0),
        ("StreamCopy", "b", 300, nan, nan),
    ]
    profile = steps(*rows)
    host = found(profile, "poplar.host-bound")
    assert host is not None
    longest = host.evidence[0]
    assert (longest.value, longest.selection) == (300, Selection("step", (2,)))
    own = profile.steps
    assert own is not None
    sets = ComputeSets(count=2, names=Strings.of(["first", "second"]))
    measured = MeasuredCycles(compute_sets=np.array([[1, 2, 3], [600, 100, 200]], np.int32))
    named = profile.with_section(replace(own, compute_set=np.array([-1, 1, -1], np.int32)))
    imbalance = found(named.with_section(sets).with_section(measured), "poplar.compute-imbalance")
    assert imbalance is not None
    assert (imbalance.evidence[1].value, imbalance.evidence[1].selection) == (600, Selection("tile", (0,)))


def test_a_compute_set_that_takes_much_of_the_run() -> None:
    rows = [("OnTileExecute", "hot", 300, 1.0, 1.0), ("OnTileExecute", "b", 100, 1.0, 1.0)] * 2
    profile = steps(*rows)
    own = profile.steps
    assert own is not None
    named = profile.with_section(replace(own, compute_set=np.array([0, 1, 0, 1], np.int32)))
    finding = found(named.with_section(ComputeSets(count=2, names=Strings.of(["hot", "b"]))), "poplar.hot-compute-set")
    assert finding is not None
    assert finding.title == "hot takes much of the run"
    assert finding.saving is not None
    assert finding.saving.at_most == 600


def test_transfers_hide_behind_computing_only() -> None:
    nan = float("nan")
    rows = [("StreamCopy", "in", 900, nan, nan), ("OnTileExecute", "work", 100, 1.0, 1.0)] * 20
    profile = steps(*rows, cycles=20_000).with_section(Target(kind="IPU", ipus=1))
    finding = found(profile, "poplar.host-bound")
    assert finding is not None
    assert finding.saving is not None
    assert finding.saving.at_most == 2000
    assert finding.confidence == "measured"


def test_steps_at_the_same_time_cannot_all_leave_the_run() -> None:
    own = steps(*[("OnTileExecute", "odd", 600, 0.5, 1.0)] * 3).steps
    assert own is not None
    beside = replace(own, cycles_from=np.array([0, 100, 200]), cycles_to=np.array([600, 700, 800]))
    profile = steps(*[("OnTileExecute", "odd", 600, 0.5, 1.0)] * 3).with_section(beside)
    finding = found(profile, "poplar.compute-imbalance")
    assert finding is not None
    assert finding.saving is not None
    assert finding.saving.at_most == 300  # the sum is 900
    late = replace(own, cycles_from=np.array([0, 100, 200]), cycles_to=np.array([800, 900, 1000]))
    finding = found(profile.with_section(late), "poplar.compute-imbalance")
    assert finding is not None
    assert finding.saving is not None
    assert (finding.saving.at_most, finding.confidence) == (700, "estimated")  # a balanced step takes 300


def test_work_of_threads_by_tile() -> None:
    profile = steps(("OnTileExecute", "one", 900, 1.0, 1 / 6))
    own = profile.steps
    assert own is not None
    sets = ComputeSets(count=1, names=Strings.of(["one"]), active_cycles=np.array([[150, 400]]))
    profile = profile.with_section(replace(own, compute_set=np.zeros(1, np.int32))).with_section(sets)
    finding = found(profile, "poplar.thread-use")
    assert finding is not None
    assert finding.saving is not None
    assert (finding.saving.at_most, finding.confidence) == (500, "measured")
    doubtful = profile.with_section(replace(sets, active_cycles=np.array([[150, 901]])))
    assert found(doubtful, "poplar.thread-use") is None
