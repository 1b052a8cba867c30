"""One rank of several as a profile, and two of them compared."""

from __future__ import annotations

import numpy as np
import pytest

from app.analysis.compare.causes import all_causes
from app.analysis.compare.comparison import Comparison
from app.analysis.figures import figures
from app.analysis.parts.offered import NoPart, part_named, part_of, parts
from app.analysis.tables import by_id
from app.profile.profile import Profile
from app.profile.timeline import Timeline
from fakes import capture_sections as made
from fakes.capture_sections import Kernel, Operation
from generators.timelines import timeline


def two_ranks() -> Profile:
    rows = [
        Kernel(1000 * place, 100 + 10 * rank * place, rank, name=f"{name}_{place}", type=name)
        for rank in (0, 1)
        for place, name in enumerate(("MatMul", "Add", "Mul"))
    ]
    operations = [Operation(500, 900, 0), Operation(700, 900, 1)]
    lanes = [(f"Rank {rank} · Ascend Hardware", "Stream 2", [[(float(rank), 1.0, "MatMul_0", "")]]) for rank in (3, 5)]
    profile = made.profile(rows, operations, ranks=(3, 5), pmu={"aiv_vec_ratio": [0.1 * n for n in range(6)]})
    return profile.with_section(timeline([*lanes, ("Notes", "t", [[(0.0, 1.0, "all", "")]])]))


def test_each_rank_is_a_part_with_what_is_its_own() -> None:
    profile = two_ranks()
    offered = {one.kind: one for one in parts(profile)}
    assert [(part.name, part.amount) for part in offered["rank"].parts] == [
        ("rank=3", 2100e-9),
        ("rank=5", 2120e-9),
    ]
    part = part_of(profile, part_named(profile, "rank=5"))
    known = {figure.name: figure.value for figure in figures(part)}
    assert (known["capture.ranks"], known["capture.kernels"], known["capture.computing_s"]) == ([5], 3, 330e-9)
    assert part.kernels is not None
    assert part.kernels.rank.tolist() == [0, 0, 0]
    assert np.allclose(part.kernels.pmu[0].values[:, 0], [0.3, 0.4, 0.5])
    assert isinstance(part.timeline, Timeline)
    assert [part.timeline.strings.get(int(one)) for one in part.timeline.lanes.process] == ["Ascend Hardware"]
    table = by_id(part, "kernels")
    assert table is not None
    assert table.columns[0].value(0) == 5
    with pytest.raises(NoPart):
        part_named(profile, "rank=4")


def test_a_capture_of_one_rank_has_no_such_parts() -> None:
    assert "rank" not in {one.kind for one in parts(made.profile([Kernel(0, 5)]))}


def test_two_ranks_are_compared_kernel_by_kernel() -> None:
    profile = two_ranks()
    before, after = (part_of(profile, part_named(profile, f"rank={number}")) for number in (3, 5))
    comparison = Comparison(before, after)
    for table_id, rows in (("kernels", 3), ("kernel-types", 3), ("steps-of-training", 1), ("collectives", 1)):
        table = comparison.table(table_id)
        assert table is not None
        assert table.matches.whole, table_id
        assert table.rows == rows
    table = comparison.table("kernels")
    assert table is not None
    (column,) = (column for column in table.columns if column.key == "duration")
    assert np.allclose(sorted(table.difference(column).values.tolist()), [0.0, 10e-9, 20e-9])


def test_the_time_of_steps_is_explained_by_its_parts() -> None:
    before = made.profile([Kernel(0, 50), Kernel(60, 40, type="Mul")], [Operation(90, 120)])
    after = made.profile([Kernel(0, 50), Kernel(80, 45, type="Mul")], [Operation(110, 150)])
    known = {causes.figure: causes for causes in all_causes(Comparison(before, after))}
    parts = {row.cause: row.difference for row in known["capture.stage_s"].rows}
    assert parts == {
        "Computing": pytest.approx(5e-9),
        "Free": pytest.approx(20e-9),
        "Exposed communication": pytest.approx(5e-9),
    }
    assert sum(parts.values()) == pytest.approx(known["capture.stage_s"].difference)
    assert [row.cause for row in known["capture.kernel_time_s"].rows] == ["Mul"]


def test_two_captures_of_one_rank_are_compared_whatever_its_number_and_step() -> None:
    before = made.profile([Kernel(0, 5, step=7), Kernel(10, 6, step=7)], ranks=(0,))
    after = made.profile([Kernel(0, 5, step=9), Kernel(10, 9, step=9)], ranks=(6,))
    comparison = Comparison(before, after)
    for table_id in ("kernels", "kernel-types", "steps-of-training"):
        table = comparison.table(table_id)
        assert table is not None
        assert table.matches.whole, table_id


def test_ranks_of_two_runs_are_compared_with_their_own_kind() -> None:
    def run(slow: int) -> Profile:
        return made.profile([Kernel(0, 5, 0), Kernel(0, 5 + slow, 1)], ranks=(0, 1))

    table = Comparison(run(0), run(4)).table("kernels")
    assert table is not None
    (column,) = (column for column in table.columns if column.key == "duration")
    assert table.difference(column).values.tolist() == [0.0, pytest.approx(4e-9)]
