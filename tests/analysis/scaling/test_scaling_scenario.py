"""An application over replicas: curves, ceilings, fits, measured points, and the three kinds of data."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.analysis.scaling import amdahl
from app.analysis.scaling.amdahl import fit
from app.analysis.scaling.curve import accumulation_for, curve, powers_of_two, throughput
from app.analysis.scaling.host import Case, diagnose
from app.analysis.scaling.points import MOST_CHARACTERS, Measured, parse
from app.analysis.scaling.ring import Links
from app.analysis.scaling.scenario import OverLinks, Scenario, Timed, allreduce_seconds, update
from oracles.scaling_by_hand import speed_up, time_left

MS = 1e-3
near = pytest.approx

WORKED = Scenario(micro_batch_seconds=16 * MS, micro_batch=16, accumulation=16, allreduce=Timed(32 * MS))

scenarios = st.builds(
    Scenario,
    micro_batch_seconds=st.floats(1e-5, 1),
    allreduce=st.one_of(
        st.builds(Timed, st.floats(0, 1), st.one_of(st.none(), st.integers(1, 64))),
        st.builds(OverLinks, st.floats(0, 1e10)),
    ),
    micro_batch=st.integers(1, 64),
    accumulation=st.integers(1, 64),
    host_seconds=st.floats(0, 1e-2),
    transfer_seconds=st.floats(0, 1e-2),
    waiting_seconds=st.floats(0, 1e-2),
    optimiser_seconds=st.floats(0, 1e-2),
    links_seconds=st.floats(0, 1e-2),
    instances=st.integers(1, 8),
    prefetch=st.booleans(),
    constant_share=st.floats(0, 0.9),
    batch=st.one_of(st.none(), st.integers(1 << 12, 1 << 20)),
)


def test_the_scenario_gives_the_worked_numbers() -> None:
    found = curve(WORKED, [16]).at(16)
    assert found is not None
    assert found.update.seconds == near(288 * MS)
    assert found.update.samples == 4096
    assert found.throughput == near(14_222.2, abs=0.05)
    assert found.update.share(found.update.allreduce) == near(1 / 9)
    assert found.ideal == near(16_000)
    assert found.efficiency == near(8 / 9)
    assert found.speed_up == near(16 * 8 / 9)


def test_a_single_replica_has_nothing_to_reduce() -> None:
    assert allreduce_seconds(WORKED.allreduce, 1) == 0
    alone = update(WORKED, 1)
    assert alone is not None
    assert alone.throughput == near(1000)


def test_an_allreduce_that_was_measured_follows_the_ring_when_asked() -> None:
    assert allreduce_seconds(Timed(32 * MS), 128) == 32 * MS
    assert allreduce_seconds(Timed(30 * MS, 16), 16) == near(30 * MS)
    assert allreduce_seconds(Timed(30 * MS, 16), 2) == near(16 * MS)
    assert allreduce_seconds(OverLinks(100e6), 16) == near(2.930 * MS, abs=0.5e-6)
    assert allreduce_seconds(OverLinks(100e6, Links(domain=16)), 128) == near(4.68 * MS, abs=0.5e-5)


def test_a_constant_share_follows_amdahl() -> None:
    half = Scenario(micro_batch_seconds=1, constant_share=0.5)
    found = curve(half, [1, 4])
    four = found.at(4)
    assert four is not None
    assert four.speed_up == near(speed_up(0.5, 4)) == near(1.6)
    assert four.efficiency == near(0.4)
    assert found.ceiling == near(2 * found.alone)
    assert found.constant == near(0.5)


def test_the_host_saturates() -> None:
    """One instance needs 4 ms for a micro-batch, a replica 16 ms: beyond four replicas the host decides."""
    fed = Scenario(micro_batch_seconds=16 * MS, host_seconds=4 * MS, prefetch=True)
    rates = [point.throughput for point in curve(fed, [1, 2, 4, 8, 16]).points]
    assert rates == near([62.5, 125, 250, 250, 250])
    assert curve(fed, [1]).ceiling == near(250)
    eight = update(fed, 8)
    assert eight is not None
    assert eight.host == near(16 * MS)
    apart = Scenario(micro_batch_seconds=16 * MS, host_seconds=4 * MS)
    assert [p.throughput for p in curve(apart, [1, 4]).points] == near([50, 125])
    two = Scenario(micro_batch_seconds=16 * MS, host_seconds=4 * MS, prefetch=True, instances=2)
    assert [p.throughput for p in curve(two, [1, 8, 16]).points] == near([62.5, 500, 500])


def test_a_batch_that_stays_the_same_needs_less_accumulation() -> None:
    same = Scenario(micro_batch_seconds=16 * MS, micro_batch=16, allreduce=Timed(32 * MS), batch=4096)
    found = curve(same, powers_of_two([16], 512))
    assert [point.update.accumulation for point in found.points] == [256, 128, 64, 32, 16, 8, 4, 2, 1]
    assert found.points[-1].replicas == 256
    assert {point.update.samples for point in found.points} == {4096}
    assert found.ceiling == near(4096 / (32 * MS))
    with pytest.raises(ValueError, match="smaller than one micro-batch"):
        curve(Scenario(micro_batch_seconds=1, micro_batch=16, batch=8), [1])


@settings(max_examples=150)
@given(scenarios, st.integers(1, 4096))
def test_nothing_exceeds_its_ceiling(scenario: Scenario, replicas: int) -> None:
    found = curve(scenario, [replicas])
    for point in found.points:
        assert point.throughput <= found.ceiling * (1 + 1e-9)
        parts = point.update
        assert min(parts.host, parts.transfer, parts.ipu, parts.links, parts.waiting, parts.constant) >= 0
        assert parts.seconds > 0
        assert parts.links >= parts.allreduce


@settings(max_examples=60)
@given(scenarios)
def test_the_ceiling_is_what_very_many_replicas_reach(scenario: Scenario) -> None:
    if scenario.batch is not None:
        return
    found = curve(scenario, [1 << 18, 1 << 19])
    least = 0.0 if math.isinf(found.ceiling) else 1 / found.ceiling
    above = [1 / point.throughput - least for point in found.points]
    assert above[1] <= 0.6 * above[0] + 1e-9 * least + 1e-18


@given(
    st.floats(1e-4, 1),
    st.floats(0, 1),
    st.integers(1, 64),
    st.integers(1, 64),
    st.integers(2, 512),
)
def test_without_extras_it_is_the_printed_formula(micro: float, reduce: float, mbs: int, ga: int, r: int) -> None:
    plain = Scenario(micro_batch_seconds=micro, allreduce=Timed(reduce), micro_batch=mbs, accumulation=ga)
    found = update(plain, r)
    assert found is not None
    assert found.throughput == near(throughput(r, mbs, ga, micro, reduce))


def test_the_accumulation_that_is_needed() -> None:
    found = accumulation_for(WORKED, 16, 0.05)
    assert found is not None
    assert found.needed == 38
    assert found.limit == near(16_000)
    assert found.throughput == near(16 * 16 * 38 / (38 * 16 * MS + 32 * MS))
    assert accumulation_for(WORKED, 1, 0.05) is None
    assert accumulation_for(WORKED, 16, 0) is None


def test_replicas_shown_are_powers_of_two() -> None:
    assert powers_of_two() == (1, 2, 4, 8, 16, 32, 64)
    assert powers_of_two([6]) == (1, 2, 4, 6, 8, 16, 32, 64)
    assert powers_of_two([128])[-1] == 256
    with pytest.raises(ValueError, match="more than"):
        powers_of_two([1 << 40])


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"micro_batch_seconds": -1}, "micro batch: -1"),
        ({"host_seconds": math.inf}, "host: inf"),
        ({"constant_share": 1}, "nothing to scale"),
        ({"constant_share": 2}, "between 0 and 1"),
        ({"micro_batch": 0}, "micro-batch size: 0"),
        ({"batch": 0}, "batch of a weight update: 0"),
    ],
)
def test_a_scenario_that_cannot_be(fields: dict[str, float], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Scenario(**{"micro_batch_seconds": 1, **fields})  # type: ignore[arg-type]


def test_a_scenario_without_any_time_is_said() -> None:
    with pytest.raises(ValueError, match="all times are 0"):
        update(Scenario(micro_batch_seconds=0), 4)


# -- measured -------------------------------------------------------------------------------------------------


def test_a_fit_finds_the_constant_part() -> None:
    points = [Measured(count, 1 / (0.001 + 0.009 / count)) for count in (1, 2, 4, 8)]
    found = fit(points)
    assert found is not None
    assert (found.constant, found.scaling) == near((0.001, 0.009))
    assert found.ceiling == near(1000)
    assert found.constant_share == near(0.1)
    assert found.throughput(16) == near(1 / (0.001 + 0.009 / 16))
    assert found.worst == near(0, abs=1e-9)


@given(st.floats(1e-6, 10), st.floats(0.05, 0.95), st.integers(1, 16), st.sampled_from([2, 4, 8]))
def test_two_points_give_karp_and_flatt(time: float, constant: float, first: int, factor: int) -> None:
    later = time * time_left(constant, factor)
    found = fit([Measured(first, 1 / time), Measured(first * factor, 1 / later)])
    assert found is not None
    assert found.constant_share == near(amdahl.constant_share(time, first, later, first * factor), abs=1e-6)


def test_better_than_ideal_has_no_constant_part() -> None:
    found = fit([Measured(1, 100), Measured(2, 230)])
    assert found is not None
    assert found.constant == 0
    assert found.ceiling == math.inf
    slower = fit([Measured(1, 100), Measured(2, 90), Measured(4, 80)])
    assert slower is not None
    assert slower.scaling == 0
    assert slower.constant_share == 1


def test_one_count_of_replicas_cannot_be_fitted() -> None:
    assert fit([]) is None
    assert fit([Measured(4, 10), Measured(4, 11)]) is None


@given(st.lists(st.builds(Measured, st.integers(1, 1 << 20), st.floats(1e-6, 1e12)), min_size=2, max_size=20))
def test_a_fit_never_fails(points: list[Measured]) -> None:
    found = fit(points)
    if found is not None:
        assert found.constant >= 0
        assert found.scaling >= 0
        assert found.constant + found.scaling > 0


# -- pasted text ----------------------------------------------------------------------------------------------


def test_points_with_and_without_names() -> None:
    expected = (Measured(1, 1000, 2), Measured(16, 14222.2, 3))
    for text in ("replicas,throughput\n1,1000\n16,14222.2", "\n1 1000\n16 14222.2", "# r\n1;1000\n16;14222.2\n"):
        found = parse(text)
        assert found.problems == ()
        assert found.points == expected
    assert parse("1\t10\n\n2\t20\n").points == (Measured(1, 10, 1), Measured(2, 20, 3))


def test_columns_of_the_three_kinds_of_data() -> None:
    found = parse('"Replicas","Real [samples/s]","Synthetic"\n16,9000,16000\n1,950,1000\n')
    assert found.points == (Measured(1, 950, 3), Measured(16, 9000, 2))
    assert found.cases == (Case(16, 9000, None, 16000), Case(1, 950, None, 1000))
    assert parse("1 950 990 1000").cases == (Case(1, 950, 990, 1000),)
    assert parse("replicas;synthetic\n4;100").cases == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1,abc", "line 1: 'abc' is not a number"),
        ("1.5,10", "line 1: '1.5' is not a number of replicas"),
        ("0,10", "line 1: replicas: 0 is less than 1"),
        ("1,-10", "line 1: throughput: -10 is not above 0"),
        ("17", "line 1: there is only one column"),
        ("name,speed\n1,2", "line 1: the columns name, speed do not include replicas"),
        ("1,nan", "line 1: 'nan' is not a number"),
        ("1,1e400", "line 1: '1e400' is not a number"),
        ("replicas,throughput\n4,", "line 2: there is no throughput"),
        ("x" * (MOST_CHARACTERS + 1), "more than 1,048,576 characters"),
    ],
)
def test_lines_that_cannot_be_read_are_named(text: str, said: str) -> None:
    found = parse(text)
    assert found.points == ()
    assert said in found.problems[0]


def test_good_lines_survive_bad_ones() -> None:
    found = parse("replicas,throughput\n1,1000\noops\n4,3500\n")
    assert [point.replicas for point in found.points] == [1, 4]
    assert len(found.problems) == 1


@given(st.text(max_size=300))
def test_any_text_is_survived(text: str) -> None:
    found = parse(text)
    assert all(point.throughput > 0 and point.replicas >= 1 for point in found.points)


# -- host -----------------------------------------------------------------------------------------------------


def test_the_host_keeps_up() -> None:
    found = diagnose([Case(1, 990, 995, 1000), Case(16, 15_800, 15_900, 16_000)])
    assert found is not None
    assert (found.limit, found.grows) == ("none", False)


def test_loading_limits_and_the_loss_grows() -> None:
    found = diagnose([Case(16, 8000, 15_500, 16_000), Case(1, 970, 990, 1000)])
    assert found is not None
    assert (found.limit, found.grows) == ("loading", True)
    assert [loss.replicas for loss in found.losses] == [1, 16]
    assert found.losses[1].host == near(0.5)
    assert found.losses[1].transfer == near(0.03125)
    assert found.losses[1].loading == near(0.46875)
    assert "host I/O limits scaling" in found.text


def test_the_transfer_limits() -> None:
    found = diagnose([Case(4, 500, 510, 1000)])
    assert found is not None
    assert (found.limit, found.grows) == ("transfer", None)
    both = diagnose([Case(4, 300, 600, 1000)])
    assert both is not None
    assert both.limit == "both"


def test_two_cases_are_enough_one_is_not() -> None:
    found = diagnose([Case(4, 500, None, 1000), Case(1, 250, None, 250)])
    assert found is not None
    assert (found.limit, found.grows) == ("both", True)
    only_transfer = diagnose([Case(4, None, 800, 1000)])
    assert only_transfer is not None
    assert only_transfer.limit == "transfer"
    assert diagnose([Case(4, real=500, generated=600)]) is None
    assert diagnose([]) is None


def test_synthetic_data_cannot_be_slower() -> None:
    found = diagnose([Case(4, 900, 1100, 1000)])
    assert found is not None
    assert found.limit == "contradiction"
    with pytest.raises(ValueError, match="not above 0"):
        Case(4, real=0)
