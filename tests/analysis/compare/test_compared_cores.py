"""Figures of cores are compared with those of the same core, however many cores each side has."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from app.analysis.compare.comparison import Comparison
from app.analysis.compare.matched import same_cores
from app.analysis.compare.ranking import ranking
from app.analysis.compare.sources import compared_instructions
from app.analysis.parts.rows import typed_cores
from app.profile.profile import Profile
from fakes.operators import read, whole
from generators.ascend_bin import Program

TWO = ("core0.veccore0", "core0.veccore1")


@pytest.fixture(scope="module")
def two() -> Profile:
    return read(whole(program=Program(TWO)))


def of_core(profile: Profile, core: int, names: tuple[str, ...]) -> Profile:
    """The profile with the figures of one core only."""
    rows, lines = profile.instructions, profile.lines
    assert rows is not None
    assert lines is not None
    chosen = np.array([core])
    return replace(
        profile,
        instructions=replace(rows, cores=names, columns=tuple(typed_cores(own, chosen) for own in rows.columns)),
        lines=replace(lines, cores=names, columns=tuple(typed_cores(own, chosen) for own in lines.columns)),
    )


@pytest.mark.parametrize("names", [TWO[:1], ()])
@pytest.mark.parametrize("table_id", ["instructions", "source-lines"])
@pytest.mark.parametrize("swapped", [False, True])
def test_one_core_is_compared_with_itself_among_two(
    two: Profile, names: tuple[str, ...], table_id: str, swapped: bool
) -> None:
    comparison = Comparison(of_core(two, 0, names), two)
    table = (comparison.swapped() if swapped else comparison).table(table_id)
    assert table is not None
    assert table.matches.whole
    assert not table.changed.any()
    same = table.column("cycles" if swapped else f"cycles.{TWO[0]}")
    other = table.column(f"cycles.{TWO[1]}")
    assert same is not None
    assert other is not None
    total, missing = table.total(same), table.total(other)
    assert total is not None
    assert missing is not None
    assert total.before == total.after
    assert total.difference == 0
    assert (missing.after if swapped else missing.before) is None
    assert missing.difference is None
    assert not table.difference(other).known.any()


def test_a_core_that_only_one_side_has_explains_nothing(two: Profile) -> None:
    made = ranking(Comparison(of_core(two, 0, TWO[:1]), two))
    rows = [row for topic in made.topics for row in topic.rows if row.table in ("instructions", "source-lines")]
    assert not rows


def test_the_other_core_is_compared_with_its_own_column(two: Profile) -> None:
    table = Comparison(of_core(two, 1, TWO[1:]), two).table("instructions")
    assert table is not None
    assert not table.changed.any()
    first = table.column(f"cycles.{TWO[0]}")
    assert first is not None
    assert first.before is None


def test_listings_of_the_window_show_the_same_core(two: Profile) -> None:
    comparison = Comparison(of_core(two, 0, ()), two)
    rows = compared_instructions(comparison, TWO[0])
    assert rows is not None
    assert rows.total is not None
    assert rows.total.difference == 0


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (TWO, TWO, {TWO[0]: TWO[0], TWO[1]: TWO[1]}),
        (("core0.veccore",), TWO, {"core0.veccore": TWO[0]}),
        (("core.veccore",), ("core1.veccore0",), {}),
        (("veccore",), ("core0.cubecore0", *TWO), {"veccore": TWO[0]}),
        ((), ("core0.cubecore0", *TWO), {}),
        (TWO, ("core1.veccore0",), {}),
    ],
)
def test_cores_of_a_kind_and_number_belong_together(
    before: tuple[str, ...], after: tuple[str, ...], expected: dict[str, str]
) -> None:
    assert same_cores(before, after) == expected
    assert same_cores(after, before) == {other: own for own, other in expected.items()}
