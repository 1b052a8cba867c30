"""What measured cycles count, and balances that are recomputed from them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from app.analysis.checks import check
from app.analysis.figures import figures
from app.analysis.poplar.exchanges import differing, recomputed, row_balances
from app.analysis.poplar.numbers import counted
from app.analysis.tables import by_id
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.profile.poplar import Steps
from app.profile.profile import Profile
from fakes.matrices import by_id as matrix_by_id
from generators import poplar
from oracles.balance_by_hand import balance


def load(folder: Path, mode: str, **changes: object) -> Profile:
    scale = replace(poplar.Scale(mode=mode, loops=3, ipus=2, tiles_per_ipu=8), **changes)
    (profile,) = read(FORMAT, poplar.write_pair(folder, scale))
    return profile


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    return load(tmp_path_factory.mktemp("sets"), "COMPUTE_SETS")


def with_matrix(profile: Profile, matrix: np.ndarray) -> Profile:
    assert profile.measured_cycles is not None
    return replace(profile, measured_cycles=replace(profile.measured_cycles, compute_sets=matrix))


def runs_of(profile: Profile) -> np.ndarray:
    assert profile.steps is not None
    assert profile.compute_sets is not None
    index = profile.steps.compute_set
    return np.bincount(index[index >= 0], minlength=profile.compute_sets.count)


def matrix_of(profile: Profile) -> np.ndarray:
    assert profile.measured_cycles is not None
    assert profile.measured_cycles.compute_sets is not None
    return profile.measured_cycles.compute_sets.astype(np.int64)


def test_the_last_execution_is_told_from_the_sum_of_all(measured: Profile) -> None:
    runs, matrix = runs_of(measured), matrix_of(measured)
    found = counted(measured, "compute_sets")
    assert found is not None
    assert (found.counting, found.several) == ("last", int(np.sum(runs > 1)))
    assert "those of the last execution" in found.words
    total = counted(with_matrix(measured, matrix * runs[:, None]), "compute_sets")
    assert total is not None
    assert total.counting == "total"
    assert "sums over all executions" in total.words


def test_where_neither_fits_that_is_said(measured: Profile) -> None:
    runs, matrix = runs_of(measured), matrix_of(measured)
    odd = counted(with_matrix(measured, matrix + (matrix > 0)), "compute_sets")
    assert odd is not None
    assert (odd.counting, odd.last, odd.total) == ("neither", 0, 0)
    assert "it is unknown what the values count" in odd.words
    half = matrix.copy()
    half[::2] *= runs[::2, None]
    mixed = counted(with_matrix(measured, half), "compute_sets")
    assert mixed is not None
    assert mixed.counting == "mixed"
    assert mixed.last + mixed.total == mixed.several


def test_without_repeats_or_steps_nothing_can_tell(measured: Profile, tmp_path: Path) -> None:
    once = counted(load(tmp_path, "COMPUTE_SETS", loops=1), "compute_sets")
    assert once is not None
    assert once.counting in ("once", "last")
    alone = counted(replace(measured, steps=None), "compute_sets")
    assert alone is not None
    assert alone.counting == "unknown"
    assert "no steps" in alone.words
    assert counted(measured, "host_exchanges") is None
    assert counted(replace(measured, measured_cycles=None), "compute_sets") is None


@pytest.mark.parametrize(
    ("mode", "key"),
    [
        ("SINGLE_TILE_COMPUTE_SETS", "compute_sets_single"),
        ("EXTERNAL_EXCHANGES", "external_exchanges"),
        ("HOST_EXCHANGES", "host_exchanges"),
    ],
)
def test_every_measured_kind_is_decided(tmp_path: Path, mode: str, key: str) -> None:
    profile = load(tmp_path, mode, external_exchanges=4)
    found = counted(profile, key)  # type: ignore[arg-type]
    assert found is not None
    assert found.counting == "last"
    (figure,) = [figure for figure in figures(profile) if figure.name == "execution.measured"]
    assert list(figure.value.items()) == [(key.removesuffix("_single").replace("_", " "), "last")]  # type: ignore[union-attr]
    assert list(figure.display.values()) == ["last execution"]  # type: ignore[union-attr]


def test_titles_and_tables_say_what_is_counted(measured: Profile) -> None:
    matrix = matrix_by_id(measured, "measured-compute-sets")
    assert matrix is not None
    assert matrix.title == "Compute sets (last execution)"
    assert "as long as one step" in matrix.help
    table = by_id(measured, "compute-sets")
    assert table is not None
    column = next(column for column in table.columns if column.key == "max_measured")
    assert "last execution" in column.help


def _or_nan(value: float | None) -> float:
    return np.nan if value is None else value


def test_balances_of_rows_are_those_of_the_formula() -> None:
    random = np.random.default_rng(8)
    matrix = random.integers(0, 50, (30, 7))
    matrix[3], matrix[4, 1:] = 0, 0
    both = matrix + matrix[::-1]
    for rows, (tile, active) in ((matrix, row_balances(matrix)), (both, row_balances(matrix, matrix[::-1]))):
        wanted = [balance(row) for row in rows]
        assert [row for row, want in enumerate(wanted) if want.tile is None] == np.flatnonzero(
            ~rows.any(axis=1)
        ).tolist()
        assert tile.tolist() == pytest.approx([_or_nan(want.tile) for want in wanted], rel=1e-12, nan_ok=True)
        assert active.tolist() == pytest.approx([_or_nan(want.active) for want in wanted], rel=1e-12, nan_ok=True)
    assert row_balances(np.array([[10, 5]]))[0].tolist() == [0.75]
    assert [part.tolist() for part in row_balances(np.array([[10, 5, 0]]))] == [[0.5], [0.75]]


@pytest.mark.parametrize("mode", ["IPU_MODEL", "COMPUTE_SETS", "EXTERNAL_EXCHANGES", "HOST_EXCHANGES"])
def test_recomputed_balances_agree_with_a_file_that_adds_up(tmp_path: Path, mode: str) -> None:
    profile = load(tmp_path, mode, external_exchanges=4)
    again, steps = recomputed(profile), profile.steps
    assert again is not None
    assert steps is not None
    for stated, made in (
        (steps.tile_balance, again.tile),
        (steps.active_tile_balance, again.active_tile),
        (steps.data_balance, again.data),
    ):
        assert bool(np.any(~np.isnan(made)))
        assert not bool(np.any(differing(stated, made)))
    assert check(profile) == []
    table = by_id(profile, "steps")
    assert table is not None
    assert not any(column.key.endswith("_again") for column in table.columns)


def test_only_steps_that_the_values_are_of_are_recomputed(measured: Profile) -> None:
    """Measured sets: the last step of each; with sums only sets that ran once."""
    steps = measured.steps
    assert steps is not None
    again = recomputed(measured)
    assert again is not None
    compute = steps.of_type("OnTileExecute")
    known = compute[~np.isnan(again.tile[compute])]
    last = {int(steps.compute_set[row]): int(row) for row in compute}
    assert sorted(known.tolist()) == sorted(last.values())
    runs = runs_of(measured)
    sums = recomputed(with_matrix(measured, matrix_of(measured) * runs[:, None]))
    assert sums is not None
    left = compute[~np.isnan(sums.tile[compute])]
    assert all(runs[steps.compute_set[row]] == 1 for row in left.tolist())


def changed(steps: Steps, row: int, **by: float) -> Steps:
    columns = {}
    for key, amount in by.items():
        column = getattr(steps, key).copy()
        column[row] += amount
        columns[key] = column
    return replace(steps, **columns)


def test_a_balance_that_differs_is_shown_and_told(tmp_path: Path) -> None:
    profile = load(tmp_path, "IPU_MODEL")
    assert profile.steps is not None
    row = int(profile.steps.of_type("DoExchange")[2])
    steps = changed(profile.steps, row, tile_balance=-2e-6, data_balance=-0.01)
    odd = replace(profile, steps=steps)
    table = by_id(odd, "steps")
    assert table is not None
    cells = {column.key: column for column in table.columns}
    assert cells["tile_balance_again"].value(row) == pytest.approx(profile.steps.tile_balance[row])
    assert cells["data_balance_again"].value(row) == pytest.approx(profile.steps.data_balance[row])
    assert sum(cells["tile_balance_again"].value(other) is not None for other in range(table.rows)) == 1
    assert "active_balance_again" not in cells
    told = [issue for issue in check(odd) if "values per tile give" in issue.text]
    assert {issue.where.rpartition(".")[2] for issue in told} == {"tileBalance", "dataBalance"}
    tiny = replace(profile, steps=changed(profile.steps, row, tile_balance=5e-7))
    assert not any("values per tile give" in issue.text for issue in check(tiny))


def test_indices_outside_are_passed_over(tmp_path: Path) -> None:
    profile = load(tmp_path, "COMPUTE_SETS")
    assert profile.steps is not None
    steps = replace(profile.steps, compute_set=profile.steps.compute_set + 1000, exchange=profile.steps.exchange + 1000)
    again = recomputed(replace(profile, steps=steps))
    assert again is not None
    assert bool(np.all(np.isnan(again.tile)))
    assert bool(np.all(np.isnan(again.data)))
    assert recomputed(replace(profile, steps=None)) is None
