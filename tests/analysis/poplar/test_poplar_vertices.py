"""Cycles of single vertices and thread use, against loops over the generated numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from app.analysis.poplar.vertices import by_type, by_type_and_set, has_estimates, of, thread_use
from app.analysis.tables import by_id
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.profile.poplar import VertexCycles
from app.profile.profile import Profile
from generators import poplar


def load(folder: Path, **changes: object) -> Profile:
    (profile,) = read(FORMAT, poplar.write_pair(folder, replace(poplar.Scale(loops=4), **changes)))
    return profile


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    return load(tmp_path_factory.mktemp("vertices"), mode="VERTICES")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    return load(tmp_path_factory.mktemp("model"), mode="IPU_MODEL")


def test_groups_are_those_of_a_loop(measured: Profile) -> None:
    assert measured.execution is not None
    own = measured.execution.vertices
    assert own is not None
    for found, key in (
        (by_type(own), lambda v: (int(own.type[v]),)),
        (by_type_and_set(own), lambda v: (int(own.type[v]), int(own.compute_set[v]))),
    ):
        want: dict[tuple[int, ...], list[int]] = {}
        for vertex in range(len(own.cycles)):
            want.setdefault(key(vertex), []).append(vertex)
        assert len(found) == len(want)
        for row in range(len(found)):
            vertices = want[key(int(found.worst[row]))]
            cycles = [int(own.cycles[v]) for v in vertices]
            assert found.count[row] == len(vertices)
            assert found.total[row] == sum(cycles)
            assert (found.least[row], found.most[row]) == (min(cycles), max(cycles))
            assert found.median[row] == float(np.median(cycles))
            assert found.mean[row] == pytest.approx(sum(cycles) / len(cycles))
            assert found.worst[row] == vertices[cycles.index(max(cycles))]
            assert found.type[row] == own.type[vertices[0]]


def test_equal_groups_and_ends() -> None:
    cycles = np.array([5, 5, 5, 9, 9, 1], np.int64)
    types = np.array([1, 0, 1, 0, 0, -1], np.int32)
    found = by_type(VertexCycles(cycles, np.full(6, -1, np.int32), types))
    assert found.type.tolist() == [-1, 0, 1]
    assert found.worst.tolist() == [5, 3, 0]
    assert found.median.tolist() == [1.0, 9.0, 5.0]
    nothing = by_type(VertexCycles(np.empty(0, np.int64), np.empty(0, np.int32), np.empty(0, np.int32)))
    assert len(nothing) == 0


def test_vertices_are_chosen_by_type_and_set(measured: Profile) -> None:
    assert measured.execution is not None
    own = measured.execution.vertices
    assert own is not None
    assert len(of(own)) == len(own.cycles)
    wanted = of(own, types=np.array([0]), sets=np.array([0, 1]))
    want = [v for v in range(len(own.cycles)) if own.type[v] == 0 and own.compute_set[v] in (0, 1)]
    assert wanted.tolist() == want


def test_the_tables_of_vertices(measured: Profile) -> None:
    table = by_id(measured, "vertex-cycles")
    assert table is not None
    cells = {column.key: column for column in table.columns}
    totals = [int(cells["total"].value(row) or 0) for row in range(table.rows)]
    assert totals == sorted(totals, reverse=True)
    assert measured.vertex_types is not None
    assert cells["type"].value(0) == measured.vertex_types.names[table.key(0)]
    each = by_id(measured, "vertices")
    assert each is not None
    assert measured.execution is not None
    assert measured.execution.vertices is not None
    assert each.rows == len(measured.execution.vertices.cycles)


def test_an_execution_alone_numbers_what_it_cannot_name(measured: Profile) -> None:
    alone = replace(measured, vertex_types=None, compute_sets=None)
    table = by_id(alone, "vertex-cycles")
    assert table is not None
    cells = {column.key: column for column in table.columns}
    assert cells["type"].value(0) == table.key(0)
    assert isinstance(cells["compute_set"].value(0), int)


def test_huge_numbers_of_types_need_no_memory(measured: Profile) -> None:
    assert measured.execution is not None
    odd = VertexCycles(
        np.array([1, 2], np.int64), np.array([2**31 - 2, 0], np.int32), np.array([2**31 - 2, 1], np.int32)
    )
    profile = replace(measured, execution=replace(measured.execution, vertices=odd))
    table = by_id(profile, "vertex-cycles")
    assert table is not None
    assert sorted(str(table.columns[0].value(row)) for row in range(2))[0] == "None"


def test_files_without_measured_vertices_have_no_such_tables(model: Profile) -> None:
    assert by_id(model, "vertex-cycles") is None
    assert by_id(model, "vertices") is None


def test_thread_use_is_that_of_a_loop(model: Profile) -> None:
    found = thread_use(model)
    sets, steps = model.compute_sets, model.steps
    assert found is not None
    assert sets is not None
    assert sets.cycles is not None
    assert sets.active_cycles is not None
    assert steps is not None
    runs = [int(np.sum(steps.compute_set == c)) for c in range(sets.count)]
    assert max(runs) > 1
    for tile in range(sets.cycles.shape[1]):
        cycles = sum(runs[c] * int(sets.cycles[c, tile]) for c in range(sets.count))
        active = sum(runs[c] * int(sets.active_cycles[c, tile]) for c in range(sets.count))
        assert (found.cycles[tile], found.active[tile]) == (cycles, active)
        if cycles:
            assert found.share[tile] == pytest.approx(100 * active / cycles)
        else:
            assert np.isnan(found.share[tile])
    once = thread_use(model, np.array([2]), all_runs=False)
    assert once is not None
    assert once.cycles.tolist() == sets.cycles[2].tolist()
    table = by_id(model, "thread-use")
    assert table is not None
    assert table.selects == "tile"


def test_thread_use_needs_both_estimates(model: Profile, measured: Profile) -> None:
    assert has_estimates(model)
    assert not has_estimates(measured)
    assert thread_use(measured) is None
    assert by_id(measured, "thread-use") is None


def test_one_thread_of_six_is_a_sixth(model: Profile) -> None:
    """The vendor's own sample: 8,094 cycles, 1,349 of them active."""
    assert model.compute_sets is not None
    sets = replace(
        model.compute_sets,
        count=1,
        cycles=np.array([[8094, 0]], np.uint16),
        active_cycles=np.array([[1349, 0]], np.uint16),
    )
    found = thread_use(replace(model, compute_sets=sets, steps=None))
    assert found is not None
    assert found.share[0] == pytest.approx(100 / 6)
    assert np.isnan(found.share[1])
