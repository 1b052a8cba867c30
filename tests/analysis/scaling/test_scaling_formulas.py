"""The scaling model against every number that was worked out by hand, and against what it must obey."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.scaling import amdahl, curve, reduce, ring
from app.analysis.scaling.model import startup_share
from app.analysis.scaling.ring import Links
from oracles.scaling_by_hand import allreduce_share, efficiency, speed_up, time_left

MS = 1e-3
HUNDRED_MB = 100e6
near = pytest.approx

counts = st.integers(1, 1 << 14)
times = st.floats(1e-6, 1e3)


# -- throughput -----------------------------------------------------------------------------------------------


def test_sixteen_replicas_worked_by_hand() -> None:
    assert curve.update_seconds(16, 16 * MS, 32 * MS) == near(288 * MS)
    assert curve.update_batch(16, 16, 16) == 4096
    assert curve.throughput(16, 16, 16, 16 * MS, 32 * MS) == near(14_222.2, abs=0.05)
    assert allreduce_share(16, 16 * MS, 32 * MS) == near(0.111, abs=0.0005)


def test_more_accumulation_worked_by_hand() -> None:
    assert curve.update_seconds(32, 16 * MS, 32 * MS) == near(544 * MS)
    assert curve.throughput(16, 16, 32, 16 * MS, 32 * MS) == near(15_058.8, abs=0.05)
    assert curve.throughput_limit(16, 16, 16 * MS) == near(16_000)


def test_a_hundred_and_twenty_eight_replicas_worked_by_hand() -> None:
    sixteen = curve.throughput(16, 16, 16, 16 * MS, 32 * MS)
    many = curve.throughput(128, 16, 16, 16 * MS, 64 * MS)
    assert curve.update_seconds(16, 16 * MS, 64 * MS) == near(320 * MS)
    assert many == near(102_400)
    assert many / sixteen == near(7.2)
    assert efficiency(sixteen, 16, many, 128) == near(0.9)


def test_accumulation_for_a_share_is_the_least_that_will_do() -> None:
    assert curve.accumulation_for_share(1 / 9, 16 * MS, 32 * MS) == 16
    assert curve.accumulation_for_share(0.05, 16 * MS, 32 * MS) == 38
    assert curve.accumulation_for_share(1.0, 16 * MS, 32 * MS) == 1


@given(st.floats(0.001, 0.999), times, times)
def test_that_accumulation_keeps_the_share_and_one_less_does_not(share: float, micro: float, reduce_: float) -> None:
    needed = curve.accumulation_for_share(share, micro, reduce_)
    assert allreduce_share(needed, micro, reduce_) <= share * (1 + 1e-6)
    if needed > 1:
        assert allreduce_share(needed - 1, micro, reduce_) > share * (1 - 1e-6)


@given(counts, counts, counts, times, times)
def test_throughput_stays_below_its_limit(r: int, mbs: int, ga: int, micro: float, reduce_: float) -> None:
    limit = curve.throughput_limit(r, mbs, micro)
    assert 0 < curve.throughput(r, mbs, ga, micro, reduce_) <= limit * (1 + 1e-12)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: curve.throughput(0, 1, 1, 1, 1), "replicas: 0 is less than 1"),
        (lambda: curve.throughput(1, 1, 1, math.nan, 1), "time of a micro-batch: nan"),
        (lambda: curve.throughput(1, 1, 1, 0, 0), "both 0"),
        (lambda: curve.throughput(1, 1, 1, -1, 0), "time of a micro-batch: -1 is less than 0"),
        (lambda: curve.accumulation_for_share(0, 1, 1), "no gradient accumulation"),
        (lambda: curve.accumulation_for_share(0.5, 0, 1), "must be above 0"),
        (lambda: amdahl.constant_share(1, 4, 1, 4), "same number of replicas"),
        (lambda: ring.seconds(1, 2, 0), "bandwidth of a link: 0 is not above 0"),
        (lambda: reduce.batch_norm(6, 3, 4), "groups of 4"),
    ],
)
def test_what_cannot_be_is_said(call: object, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        call()  # type: ignore[operator]


# -- Amdahl ---------------------------------------------------------------------------------------------------


def test_the_formula_wins_over_the_printed_example() -> None:
    assert speed_up(0.5, 4) == near(1.6)
    assert time_left(0.5, 4) == near(0.625)
    assert speed_up(0.2, 4) == near(2.5)
    assert "1.6x" in amdahl.NOTE
    assert "2.5x" in amdahl.NOTE


@given(st.floats(0, 1), st.floats(1, 1e6), counts, st.integers(2, 64))
def test_karp_and_flatt_find_the_share_again(constant: float, time: float, first: int, factor: int) -> None:
    second = time * time_left(constant, factor)
    assert amdahl.constant_share(time, first, second, first * factor) == near(constant, abs=1e-9)


def test_a_share_out_of_reason_shows_in_the_measurements() -> None:
    assert amdahl.constant_share(10, 1, 4, 2) < 0
    assert amdahl.constant_share(10, 1, 12, 2) > 1


# -- ring and phases ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("replicas", "megabytes", "milliseconds"),
    [(2, 100, 1.5625), (4, 150, 2.344), (16, 187.5, 2.930), (64, 196.875, 3.076)],
)
def test_ring_worked_by_hand(replicas: int, megabytes: float, milliseconds: float) -> None:
    assert ring.bytes_each_way(HUNDRED_MB, replicas) == near(megabytes * 1e6)
    assert ring.seconds(HUNDRED_MB, replicas, ring.LINK_RATE) == near(milliseconds * MS, abs=0.5e-6)
    assert ring.steps(replicas).reduce_scatter == ring.steps(replicas).allgather == replicas - 1


def test_one_replica_sends_nothing() -> None:
    assert ring.steps(1).total == 0
    assert ring.seconds(HUNDRED_MB, 1, ring.LINK_RATE) == 0


def test_a_replica_of_several_ipus_runs_as_many_rings() -> None:
    assert ring.seconds(HUNDRED_MB, 4, 64e9, 2) == near(ring.seconds(HUNDRED_MB, 4, 64e9) / 2)


def test_three_phases_worked_by_hand() -> None:
    found = reduce.three_phases(HUNDRED_MB, 16, 8, Links(sharing=1))
    assert found.reduce_scatter + found.allgather == near(2.930 * MS, abs=0.5e-6)
    assert found.across == near(0.4375 * MS)
    assert found.seconds == near(3.367 * MS, abs=0.5e-6)
    shared = reduce.three_phases(HUNDRED_MB, 16, 8, Links())
    assert shared.across == near(1.75 * MS)
    assert shared.seconds == near(4.68 * MS, abs=0.5e-5)


def test_replicas_beyond_a_domain_go_over_gateways() -> None:
    one = reduce.allreduce(HUNDRED_MB, 64, Links())
    assert one.across == 0
    assert one.seconds == near(ring.seconds(HUNDRED_MB, 64, 64e9))
    assert reduce.allreduce(HUNDRED_MB, 128, Links(domain=16)) == reduce.three_phases(HUNDRED_MB, 16, 8, Links())
    assert reduce.allreduce(HUNDRED_MB, 8, Links(domain=16), 4) == reduce.three_phases(HUNDRED_MB, 4, 2, Links(), 4)


def test_merging_saves_the_steps_that_fall_away() -> None:
    assert reduce.merged_saving(10, 16, 1e-6) == near(9 * 30 * 1e-6)
    assert reduce.merged_saving(1, 16, 1e-6) == 0


def test_distributed_batch_norm_reduces_twice_a_layer() -> None:
    groups = reduce.batch_norm(16, 53)
    assert (groups.groups, groups.span, groups.allreduces, groups.steps) == (8, 2, 106, 212)
    assert reduce.batch_norm(16, 53, 1).steps == 0


# -- machines -------------------------------------------------------------------------------------------------


def test_machines_are_powers_of_two_up_to_one_domain() -> None:
    assert [(machine.name, machine.machines, machine.ipus) for machine in ring.MACHINES] == [
        ("Pod4", 1, 4),
        ("Pod8", 2, 8),
        ("Pod16", 4, 16),
        ("Pod32", 8, 32),
        ("Pod64", 16, 64),
    ]
    assert ring.MACHINES[-1].ipus == ring.LARGEST_DOMAIN
    assert ring.machine_for(5) == ring.MACHINES[1]
    assert ring.machine_for(65) is None
    assert (ring.domains(64), ring.domains(128), ring.domains(128, 16)) == (1, 2, 8)
    assert [count for count in range(20) if ring.is_power_of_two(count)] == [1, 2, 4, 8, 16]


def test_rates_carry_their_doubts() -> None:
    assert (ring.LINK_RATE, ring.GATEWAY_RATE, ring.HOST_RATE) == (64e9, 25e9, 12.5e9)
    assert "32 GB/s" in ring.LINK_NOTE
    assert "200 GBps" in ring.GATEWAY_NOTE


def test_startup_weighs_more_when_training_gets_shorter() -> None:
    assert startup_share(600, 5400) == near(0.1)
    assert startup_share(600, 600) == near(0.5)
    assert startup_share(0, 0) == 0
