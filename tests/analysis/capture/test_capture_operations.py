"""Collectives of several ranks, against loops over all of them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from app.analysis.capture.operations import FEWEST, largest_delay, operations, waited, waits_caused
from app.analysis.figures import figures
from app.analysis.tables import by_id
from app.profile.ascend_capture import POINT_TO_POINT
from app.profile.profile import Profile
from fakes import capture_sections as made
from fakes.capture_sections import Kernel, Operation


def rows_of(profile: Profile, table_id: str) -> list[dict[str, object]]:
    table = by_id(profile, table_id)
    assert table is not None
    return [{column.key: column.value(row) for column in table.columns} for row in range(table.rows)]


def by_hand(rows: list[Operation]) -> list[dict[str, object]]:
    """Delays by plain loops: the k-th of a name and group on each rank."""
    turns: dict[tuple[str, str, int], dict[int, Operation]] = {}
    for rank in sorted({row.rank for row in rows}):
        seen: dict[tuple[str, str], int] = {}
        for row in sorted((row for row in rows if row.rank == rank), key=lambda one: one.start):
            key = (row.name, row.group)
            turns.setdefault((*key, seen.get(key, 0)), {})[rank] = row
            seen[key] = seen.get(key, 0) + 1
    known = []
    for (name, _, _), own in turns.items():
        if len(own) < 2:
            continue
        starts = [row.start for row in own.values()]
        ends = [row.end for row in own.values()]
        delay, spread = max(starts) - min(starts), max(ends) - min(ends)
        late = next(rank for rank, row in own.items() if row.start == max(starts))
        named = spread <= delay and delay > 0
        known.append(
            {
                "first": min(starts),
                "name": name,
                "ranks": len(own),
                "late_rank": late if named else None,
                "delay": delay / 1e9,
                "end_spread": spread / 1e9,
                "wait_caused": sum(max(starts) - start for start in starts) / 1e9 if spread <= delay else None,
            }
        )
    return known


@pytest.mark.parametrize("seed", range(6))
def test_delays_are_those_of_loops(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = []
    for rank in range(4):
        at = 0
        for number in range(15):
            if rng.random() < 0.2:
                continue
            at += 1000
            start = at + int(rng.integers(200))
            end = at + 500 + int(rng.integers(150))
            name = f"hcom_allReduce__123_{number % 5}_1"
            rows.append(Operation(start, end, rank, name=name, group=f"9{number % 2}123"))
    order = rng.permutation(len(rows)).tolist()
    rows = [rows[place] for place in order]
    profile = made.profile(operations=rows, ranks=range(4))
    table = rows_of(profile, "collective-delays")
    known = by_hand(rows)

    def key(row: dict[str, object]) -> tuple[object, ...]:
        return (row["name"], row["delay"], row["end_spread"], row["ranks"])

    plain = [{name: value for name, value in row.items() if name in known[0]} for row in table]
    wanted = [{name: value for name, value in row.items() if name != "first"} for row in known]
    assert sorted(plain, key=key) == sorted(wanted, key=key)
    caused = [0.0] * 4
    for row in known:
        late = row["late_rank"]
        if isinstance(late, int):
            caused[late] += row["wait_caused"]  # type: ignore[operator]
    assert waits_caused(profile).tolist() == pytest.approx(caused)


def test_late_by_and_waits_of_rows() -> None:
    rows = [Operation(0, 100, 0), Operation(30, 100, 1), Operation(10, 100, 2), Operation(0, 5, 2, name="alone")]
    profile = made.profile(operations=rows, ranks=(0, 1, 2))
    late = operations(profile).late_by.tolist()
    assert late[:3] == [0.0, 30e-9, 10e-9]
    assert math.isnan(late[3])
    assert waited(profile)[:3].tolist() == pytest.approx([30e-9, 0.0, 20e-9])
    assert [row["late_by"] for row in rows_of(profile, "collectives")] == [0.0, 30e-9, 10e-9, None]


def test_a_row_without_a_group_has_the_only_one_of_its_name() -> None:
    rows = [Operation(0, 100, 0, group=""), Operation(30, 100, 1, group="9123")]
    assert len(operations(made.profile(operations=rows, ranks=(0, 1)))) == 1
    rows.append(Operation(30, 100, 1, group="8123"))
    assert len(operations(made.profile(operations=rows, ranks=(0, 1)))) == 0


def test_clocks_that_differ_name_nobody() -> None:
    rows = [Operation(0, 100, 0), Operation(30, 131, 1)]
    (row,) = rows_of(made.profile(operations=rows, ranks=(0, 1)), "collective-delays")
    assert (row["late_rank"], row["wait_caused"], row["delay"]) == (None, None, 30e-9)
    assert "cluster.late_rank" not in {one.name for one in figures(made.profile(operations=rows, ranks=(0, 1)))}


def shifted(clock: int, count: int) -> Profile:
    """Rank 1 comes 30 µs late to one collective of ``count``, by a clock that is ahead."""
    rows = []
    for number in range(count):
        name, at = f"hcom_allReduce__123_{number}_1", number * 1_000_000
        late = 30_000 if number == 1 else 10
        rows.append(Operation(at, at + 100_000, 0, name=name))
        rows.append(Operation(at + late + clock, at + 100_000 + number + clock, 1, name=name))
    return made.profile(operations=rows, ranks=(0, 1))


@pytest.mark.parametrize("clock", [200_000, -3_000_000])
def test_a_clock_that_is_ahead_is_shifted_and_that_is_said(clock: int) -> None:
    profile = shifted(clock, 5)
    own = operations(profile)
    assert own.shift[1] - own.shift[0] == pytest.approx(clock / 1e9, abs=5e-9)
    worst = largest_delay(profile)
    assert (own.late[worst], own.delay[worst]) == (1, pytest.approx(30e-6, abs=5e-9))
    table = by_id(profile, "collective-delays")
    assert table is not None
    assert "estimate" in table.note


def test_ends_of_few_collectives_or_some_microseconds_are_no_clock() -> None:
    assert not operations(shifted(200_000, FEWEST - 1)).shift.any()
    assert not operations(shifted(15_000, 5)).shift.any()


def test_point_to_point_operations_are_no_collective_that_is_late() -> None:
    rows = [
        Operation(0, 1000, 0, name="hcom_batchSendRecv__1_0_1", kind=POINT_TO_POINT),
        Operation(900, 1000, 1, name="hcom_batchSendRecv__1_0_1", kind=POINT_TO_POINT),
        Operation(2000, 3000, 0),
        Operation(1990, 3000, 1),
    ]
    profile = made.profile(operations=rows, ranks=(0, 1))
    known = {figure.name: figure.value for figure in figures(profile)}
    assert (known["cluster.late_rank"], known["cluster.delay_s"], known["cluster.collectives"]) == (0, 10e-9, 2)
    assert known["cluster.wait_caused_s"] == {"0": 10e-9, "1": 0.0}


def test_figures_of_several_ranks_are_maps() -> None:
    rows = [Kernel(0, 10, 0), Kernel(0, 30, 1)]
    known = {figure.name: figure.value for figure in figures(made.profile(rows, ranks=(4, 9)))}
    assert (known["capture.ranks"], known["capture.kernels"], known["capture.kernel_time_s"]) == ([4, 9], 2, 40e-9)
    assert known["cluster.computing_s"] == {"4": 10e-9, "9": 30e-9}
    assert "capture.computing_s" not in known
