"""Profiles of every kind: against themselves nothing differs, and against each other everything adds up."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import pairwise, permutations
from pathlib import Path

import numpy as np
import pytest

from app.analysis.compare.as_table import as_table
from app.analysis.compare.causes import all_causes
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.plans import PLANS, plan_of
from app.analysis.compare.ranking import ranking
from app.analysis.compare.tables import ComparedTable
from app.analysis.export import export
from app.analysis.table import subset
from app.analysis.tables import TABLES, available
from app.cli.reading import opened
from app.profile.profile import Profile
from generators import ascend_report, memory_plan, poplar, poplar_beside, tensor_map
from generators import tensorflow_events as log
from generators.trees import write_json

BUNDLED = ("resnet-1472-tiles", "matmul_leakyrelu.bin", "resnet_inference.popef")


def read(path: Path, stack: ExitStack) -> list[Profile]:
    return stack.enter_context(opened([path])).profiles


@pytest.fixture(scope="module")
def profiles(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Profile]]:
    folder = tmp_path_factory.mktemp("every")
    (folder / "poplar").mkdir()
    poplar.write_pair(folder / "poplar", poplar.Scale(mode="VERTICES", compute_sets=3, tiles_per_ipu=4, loops=2))
    poplar_beside.write_all(folder / "poplar", database=False)
    ascend_report.write(folder / "OPPROF_1_A", ascend_report.device_files())
    (folder / "events.out.tfevents.1").write_bytes(log.log([log.run(graph="{}", ml_types={"dot": 1})]))
    (folder / "c.tensor_map.json").write_text(tensor_map.tensor_map(tensor_map.network(4)))
    write_json(folder / "memory_info.json", memory_plan.plan())
    bundled = [root / "resources" / "samples" / name for name in BUNDLED]
    made = [folder / name for name in ("poplar", "OPPROF_1_A", "events.out.tfevents.1", "c.tensor_map.json")]
    with ExitStack() as stack:
        yield [profile for path in (*bundled, *made, folder / "memory_info.json") for profile in read(path, stack)]


def test_against_itself_nothing_differs_and_every_row_is_matched(profiles: list[Profile]) -> None:
    seen = set()
    for profile in profiles:
        comparison = Comparison(profile, profile)
        assert comparison.limits == []
        assert not any(figure.changed for figure in comparison.figures)
        for table in comparison.tables():
            seen.add(table.id.partition("/")[0])
            assert table.matches.whole, table.id
            assert table.matches.of_before.tolist() == list(range(table.rows)), table.id
            assert not table.changed.any(), table.id
            assert not any(table.difference(column).values.any() for column in table.columns), table.id
        made = ranking(comparison)
        assert made.changes == ()
        assert not any(topic.rows for topic in made.topics)
    assert len(seen) > 60


def test_every_table_has_a_plan_of_columns_that_exist(profiles: list[Profile]) -> None:
    assert set(PLANS) <= {spec.id for spec in TABLES}
    for profile in profiles:
        for table in available(profile):
            plan = plan_of(table.id, table)
            keys = {column.key for column in table.columns}
            named = (*plan.names, *plan.key)
            assert plan.by_row or keys & set(named), table.id
            assert set(plan.repeats) <= set(plan.key), table.id


def adds_up(table: ComparedTable) -> None:
    for column in table.columns:
        total = table.total(column)
        if total is not None and (total.before is None or total.after is None):
            assert total.difference is None
            assert not table.difference(column).known.any()
        elif total is not None:
            assert total.before is not None
            assert total.after is not None
            size = abs(total.before) + abs(total.after)
            assert table.difference(column).values.sum() == pytest.approx(total.difference, abs=1e-9 * size + 1e-12)


def test_different_profiles_add_up_and_have_tables(profiles: list[Profile]) -> None:
    for before, after in pairwise([*profiles, profiles[0]]):
        comparison = Comparison(before, after)
        for table in comparison.tables():
            adds_up(table)
            made = as_table(table)
            assert made.rows == table.rows
            assert sum(text.count("\n") for text in export(made, "csv")) >= table.rows + 1
        ranking(comparison)


def test_a_table_of_fewer_rows_loses_just_these(profiles: list[Profile]) -> None:
    """Every third row is taken out of every table: the others find their partners."""
    for profile in profiles:
        for table in available(profile):
            if table.rows < 3 or plan_of(table.id, table).by_row or plan_of(table.id, table).tree is not None:
                continue
            rows = [row for row in range(table.rows) if row % 3]
            made = Comparison(profile, profile).compare(table.id, table, subset(table, np.array(rows)))
            assert not len(made.matches.only_after), table.id
            assert len(made.matches.only_before) == table.rows - len(rows), table.id
            adds_up(made)


def test_real_captures_against_each_other_add_up(shared_samples: Path) -> None:
    paths = [path for path in sorted(shared_samples.iterdir()) if path.suffix in (".bin", ".rep", ".popef", ".json")]
    with ExitStack() as stack:
        captured = [profile for path in paths for profile in read(path, stack)]
        for before, after in permutations(captured, 2):
            for table in Comparison(before, after).tables():
                adds_up(table)
        for profile in captured:
            for table in Comparison(profile, profile).tables():
                assert table.matches.whole, (profile.name, table.id)
                assert not table.changed.any(), (profile.name, table.id)


def test_causes_sum_to_the_difference(profiles: list[Profile]) -> None:
    figures = set()
    for before, after in permutations(profiles, 2):
        for causes in all_causes(Comparison(before, after)):
            figures.add(causes.figure)
            side = max(abs(causes.before), abs(causes.after))
            total = sum(row.difference for row in causes.rows)
            assert total == pytest.approx(causes.difference, abs=1e-9 * side)
            for row in causes.rows:
                parts = sum(part.difference for part in row.parts)
                assert not row.parts or parts == pytest.approx(row.difference, abs=1e-9 * side)
            shares = [causes.share(row) for row in causes.rows]
            assert sum(share for share in shares if share is not None) == pytest.approx(100.0)
    assert {"execution.cycles", "memory.max_tile_bytes", "memory.total_bytes"} <= figures
