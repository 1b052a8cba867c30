"""Times of training steps, against a clock that ticks every nanosecond."""

from __future__ import annotations

import math

import numpy as np
import pytest

from app.analysis.capture.floors import floors
from app.analysis.capture.steps import collective_steps, kernel_steps, step_times
from app.analysis.figures import figures
from app.analysis.tables import by_id
from app.profile.ascend_capture import POINT_TO_POINT
from app.profile.profile import Profile
from fakes import capture_sections as made
from fakes.capture_sections import Kernel, Operation, Step


def ticks(rows: list[tuple[int, int]]) -> set[int]:
    return {tick for start, end in rows for tick in range(start, end)}


def by_hand(kernels: list[Kernel], operations: list[Operation], rank: int, step: int) -> dict[str, float]:
    """Nanoseconds of one step, tick by tick."""
    own = [row for row in kernels if (row.rank, row.step) == (rank, step)]
    other = [row for row in operations if (row.rank, row.step) == (rank, step)]
    computing = ticks([(row.start, row.start + row.duration) for row in own])
    communication = ticks([(row.start, row.end) for row in other])
    begin = min([row.start for row in own] + [row.start for row in other])
    end = max([row.start + row.duration for row in own] + [row.end for row in other])
    bubble = sum(row.end - row.start for row in other if row.name.startswith("hcom_receive"))
    return {
        "computing": len(computing),
        "communication": len(communication),
        "overlapped": len(communication & computing),
        "exposed": len(communication - computing),
        "free": end - begin - len(computing | communication),
        "bubble": bubble,
        "stage": end - begin - bubble,
        "span": end - begin,
    }


@pytest.mark.parametrize("seed", range(8))
def test_steps_are_what_a_clock_would_count(seed: int) -> None:
    rng = np.random.default_rng(seed)

    def place() -> tuple[int, int, int, int]:
        rank, step = int(rng.integers(3)), int(rng.integers(2))
        return rank, step, int(rng.integers(300)), int(rng.integers(40))

    kernels, operations = [], []
    for _ in range(60):
        rank, step, start, length = place()
        kernels.append(Kernel(start, length, rank, step))
    for number in range(20):
        rank, step, start, length = place()
        name = "hcom_receive__1_0" if number % 3 == 0 else "hcom_batchSendRecv__1_0"
        operations.append(Operation(start, start + length, rank, step, name=name, kind=POINT_TO_POINT))
    own = step_times(made.profile(kernels, operations, ranks=(0, 1, 2)))
    assert own.exact.all()
    assert list(zip(own.rank.tolist(), own.step.tolist(), strict=True)) == sorted(
        {(row.rank, row.step) for row in kernels} | {(row.rank, row.step) for row in operations}
    )
    for row in range(len(own)):
        known = by_hand(kernels, operations, int(own.rank[row]), int(own.step[row]))
        assert {name: getattr(own, name)[row] for name in known} == {name: value / 1e9 for name, value in known.items()}


def test_identities_of_the_definitions_hold() -> None:
    own = step_times(made.profile([Kernel(0, 10), Kernel(30, 5)], [Operation(5, 20), Operation(22, 28)]))
    assert (own.computing + own.exposed + own.free).tolist() == pytest.approx((own.stage + own.bubble).tolist())
    assert (own.exposed + own.overlapped).tolist() == pytest.approx(own.communication.tolist())


def test_kernels_without_a_step_belong_to_the_range_on_the_device_that_they_start_in() -> None:
    rows = [Kernel(start, 5, rank, step=-1) for rank in (0, 1) for start in (5, 100, 119, 120, 500)]
    steps = [
        Step(0, 7, device=(100, 120)),
        Step(0, 6, device=(5, 20)),
        Step(1, 9, device=(90, 110)),
        Step(1, 8, device=(110, 119)),
    ]
    profile = made.profile(rows, ranks=(0, 1), training_steps=made.steps_of(steps))
    assert kernel_steps(profile).tolist() == [6, 7, 7, 7, -1, -1, 9, 8, -1, -1]
    assert step_times(profile).step.tolist() == [6, 7, 8, 9], "what is outside the steps belongs to none"
    assert collective_steps(profile).tolist() == []


def test_a_capture_without_steps_is_one() -> None:
    own = step_times(made.profile([Kernel(0, 5, step=-1), Kernel(20, 5, step=-1)]))
    assert (own.step.tolist(), own.free.tolist()) == ([-1], [15e-9])
    table = by_id(made.profile([Kernel(0, 5, step=-1)]), "steps-of-training")
    assert table is not None
    assert table.columns[1].value(0) is None


def test_ranks_without_kernels_have_the_producers_times() -> None:
    steps = [Step(0, 1, computing=1.0, exposed=2.0, communication=3.0, free=0.5), Step(1, 1, computing=9.0)]
    profile = made.profile([Kernel(0, 5, rank=1)], ranks=(0, 1), training_steps=made.steps_of(steps))
    own = step_times(profile)
    assert own.exact.tolist() == [False, True]
    assert (own.computing.tolist(), own.span[0]) == ([1.0, 5e-9], 3.5)
    assert math.isnan(own.stage[0])
    table = by_id(profile, "steps-of-training")
    assert table is not None
    assert "producer" in table.note


def test_kernels_alone_do_not_say_that_a_rank_did_not_communicate() -> None:
    steps = [Step(0, 1, computing=1.0, exposed=2.0, communication=3.0, free=0.5)]
    own = step_times(made.profile([Kernel(0, 5)], training_steps=made.steps_of(steps)))
    assert (own.exact.tolist(), own.exposed.tolist()) == ([False], [2.0])


def test_preparing_counts_from_the_host() -> None:
    profile = made.profile([Kernel(500, 5)], training_steps=made.steps_of([Step(start=100)]))
    assert step_times(profile).preparing.tolist() == [400e-9]


def test_unknown_times_count_nowhere() -> None:
    rows = [Kernel(0, 5), Kernel(-made.ZERO - 1, 5), Kernel(3, -1)]
    assert step_times(made.profile(rows)).computing.tolist() == [5e-9]


def test_figures_of_one_rank_are_sums_over_its_steps() -> None:
    profile = made.profile([Kernel(0, 10, step=1), Kernel(100, 30, step=2, stream=3)], [Operation(5, 15, step=1)])
    known = {figure.name: figure.value for figure in figures(profile)}
    assert (known["capture.steps"], known["capture.kernels"], known["capture.kernel_types"]) == (2, 2, 1)
    assert (known["capture.computing_s"], known["capture.communication_exposed_s"]) == (40e-9, 5e-9)
    assert "cluster.late_rank" not in known


def naive_floor(profile: Profile, kernels: list[Kernel]) -> float:
    streams = {row.stream for row in kernels}
    return max(
        len(ticks([(row.start, row.start + row.duration) for row in kernels if row.stream == stream]))
        for stream in streams
    )


@pytest.mark.parametrize("seed", range(4))
def test_the_floor_of_a_step_is_its_busiest_stream(seed: int) -> None:
    rng = np.random.default_rng(seed)
    kernels = [
        Kernel(int(rng.integers(200)), int(rng.integers(1, 30)), stream=int(rng.integers(1, 4))) for _ in range(30)
    ]
    profile = made.profile(kernels)
    assert floors(profile).tolist() == [naive_floor(profile, kernels) / 1e9]


def test_what_a_collective_waits_is_no_work() -> None:
    """Rank 1 comes 40 ns late, so that rank 0 works at least 60 of its 100; where other ranks are unknown, only the
    transit counts."""
    operations = [Operation(0, 100, 0), Operation(40, 100, 1)]
    known = made.profile([Kernel(0, 7, 0), Kernel(0, 7, 1)], operations, ranks=(0, 1), groups=(("9123", "0, 1"),))
    assert floors(known).tolist() == [60e-9, 20e-9]
    operations = [Operation(0, 100, 0, transit=11e-9), Operation(40, 100, 1)]
    more = made.profile([Kernel(0, 7, 0), Kernel(0, 7, 1)], operations, ranks=(0, 1), groups=(("9123", "0, 1, 2"),))
    assert floors(more).tolist() == [11e-9, 7e-9]
