"""Two parts of a profile are matched by what they have in common, and each is shown with its own names and numbers."""

from __future__ import annotations

import numpy as np
import pytest

from app.analysis.compare.as_table import as_table, partner_fields, row_names
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.operators import compared_figures, compared_shares
from app.analysis.compare.tables import ComparedTable
from app.analysis.export import export
from app.analysis.figures import figures
from app.analysis.parts.offered import part_named, part_of
from app.analysis.table import Table
from app.analysis.tables import by_id
from app.formats.collect import read
from app.formats.registry import plan
from app.profile.profile import Profile
from generators import ascend_sample, poplar, poplar_replicas
from generators.trees import plain, write_json

SCALE = poplar.Scale(mode="IPU_MODEL", estimates=True, compute_sets=6, ipus=2, tiles_per_ipu=8, loops=5)


@pytest.fixture(scope="module")
def operator(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    path = tmp_path_factory.mktemp("operator") / "operator.bin"
    path.write_bytes(ascend_sample.operator())
    jobs, _ = plan([path])
    return read(jobs[0].format, jobs[0].paths)[0]


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    tree = {**plain(poplar.graph(SCALE)), **plain(poplar.execution(SCALE))}
    jobs, _ = plan([write_json(tmp_path_factory.mktemp("network") / "graph.json", tree)])
    return read(jobs[0].format, jobs[0].paths)[0]


def two(profile: Profile, before: str, after: str) -> Comparison:
    return Comparison(part_of(profile, part_named(profile, before)), part_of(profile, part_named(profile, after)))


def compared(comparison: Comparison, name: str) -> ComparedTable:
    made = comparison.table(name)
    assert made is not None
    assert made.matches.whole
    return made


def cells(table: Table | None, key: str) -> list[object]:
    assert table is not None
    column = next(column for column in table.columns if column.key == key)
    return [column.value(row) for row in range(table.rows)]


def test_tiles_of_an_ipu_have_their_own_numbers(network: Profile) -> None:
    comparison = two(network, "ipu=0", "ipu=1")
    for name in ("tiles", "tile-memory", "exchanges-per-tile", "thread-use"):
        table = compared(comparison, name)
        assert cells(table.before, "tile") == list(range(8)), name
        assert cells(table.after, "tile") == list(range(8, 16)), name
        assert set(cells(table.after, "ipu")) == {1}, name
        assert not table.differs(table.column("tile") or table.columns[0]).any(), "which part it is, is no difference"
        both = as_table(table)
        assert cells(both, "tile_before") == list(range(8))
        assert cells(both, "tile_after") == list(range(8, 16))
        assert (set(cells(both, "ipu_before")), set(cells(both, "ipu_after"))) == ({0}, {1})
    assert row_names(compared(comparison, "tiles"), np.array([3]))[0].startswith("Tile 3 → Tile 11")


def test_rows_of_a_part_are_exported_with_the_numbers_of_the_whole(network: Profile) -> None:
    table = by_id(part_of(network, part_named(network, "ipu=1")), "tiles")
    assert table is not None
    lines = "".join(export(table, "csv")).splitlines()
    assert [line.split(",")[:2] for line in lines[1:3]] == [["8", "1"], ["9", "1"]]
    assert table.key(0) == 0, "what rows stand for are the tiles of the part"


def test_steps_of_an_iteration_have_their_own_numbers(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = poplar_replicas.write(tmp_path_factory.mktemp("training"), poplar_replicas.Replicas(updates=4))
    jobs, _ = plan([path])
    (profile,) = read(jobs[0].format, jobs[0].paths)
    table = compared(two(profile, "iteration=2", "iteration=3"), "steps")
    before, after = cells(table.before, "step"), cells(table.after, "step")
    assert len(before) == len(after)
    assert after[0] == before[-1] + 1  # type: ignore[operator]
    assert not table.changed.any()
    assert profile.steps is not None
    names = [profile.steps.strings.get(int(profile.steps.name[step])) for step in after]  # type: ignore[call-overload]
    assert names == [text or "" for text in cells(table.after, "name")]


def test_a_block_is_called_as_in_the_file(operator: Profile) -> None:
    comparison = two(operator, "block=0", "block=1")
    for name, key in (("workload", "block"), ("memory-paths", "block"), ("block-details", "block_id")):
        table = compared(comparison, name)
        sides = [{str(cell) for cell in cells(side, key)} for side in (table.before, table.after)]
        assert sides == [{"0"}, {"1"}], name
        assert not table.differs(table.column(key) or table.columns[0]).any()
        both = as_table(table)
        assert [{str(cell) for cell in cells(both, f"{key}_{side}")} for side in ("before", "after")] == [{"0"}, {"1"}]
    assert row_names(compared(comparison, "workload"), np.array([0]))[0].startswith("0 → 1 · ")
    fields = partner_fields(compared(comparison, "workload"), 0).fields
    assert ("0", "1") in [(field.before, field.after) for field in fields if field.column.key == "block"]
    same = compared(Comparison(comparison.after, comparison.after), "workload")
    assert not same.changed.any()
    assert set(cells(as_table(same), "block")) == {"1"}, "one column where both sides are the same"


def test_panels_of_a_block_find_it_in_the_baseline(operator: Profile) -> None:
    comparison = two(operator, "block=0", "block=1")
    shares = compared_shares(comparison.baseline, comparison.after, "1")
    assert shares
    assert all(share.before is not None and share.after is not None for share in shares)
    before, after = comparison.baseline.memory_paths, comparison.after.memory_paths
    assert after is not None
    made = compared_figures(before, after, 0).baseline
    assert made is not None
    assert made.paths
    whole = Comparison(operator, operator)
    assert whole.baseline is operator


def test_cores_and_lanes_are_called_as_in_the_file(operator: Profile) -> None:
    comparison = two(operator, "core=0", "core=1")
    for side, core in (("before", 0), ("after", 1)):
        lanes = cells(getattr(compared(comparison, "lanes"), side), "process")
        assert lanes
        assert all(str(name).startswith(f"core{core}.") for name in lanes)
        assert set(cells(getattr(compared(comparison, "core-load"), side), "core")) == {core}
    one = two(operator, "sub-core=core0.veccore0", "sub-core=core0.veccore1")
    assert set(cells(compared(one, "lanes").after, "process")) == {"core0.veccore1"}


def test_a_part_and_a_whole_profile_match_by_the_names_of_the_file(operator: Profile) -> None:
    part = part_of(operator, part_named(operator, "block=1"))
    table = Comparison(operator, part).table("workload")
    assert table is not None
    assert table.after is not None
    assert len(table.matches.only_after) == 0
    assert {table.before.columns[0].value(row) for row in table.rows_before[table.rows_after >= 0]} == {"1"}  # type: ignore[union-attr]


def test_the_fullest_tile_of_an_ipu_has_its_own_number_and_no_difference(network: Profile) -> None:
    comparison = two(network, "ipu=0", "ipu=1")
    memory = network.tile_memory
    assert memory is not None
    assert memory.total_with_gaps is not None
    fullest = [int(np.argmax(own)) for own in np.split(memory.total_with_gaps, 2)]
    figure = next(figure for figure in comparison.figures if figure.id == "memory.max_tile")
    assert (figure.before, figure.after) == (fullest[0], fullest[1] + 8)
    assert (figure.difference, figure.percent) == (None, None)
    worst = next(figure.value for figure in figures(comparison.after) if figure.name == "memory.worst_tiles")
    assert set(worst) <= set(range(8, 16))  # type: ignore[arg-type]
