"""Memory of tiles, broken down, is in the lists that `tables` and `export` have."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from app.analysis.tables import available, by_id
from app.cli import main
from app.formats import collect, registry
from app.profile.profile import Profile
from app.resources import resource

SAMPLE = resource("samples", "resnet-1472-tiles")


@pytest.fixture(scope="module")
def profile() -> Profile:
    jobs, _ = registry.plan([SAMPLE])
    return collect.read(jobs[0].format, jobs[0].paths)[0]


def test_breakdowns_are_listed_tile_by_tile_and_add_up(profile: Profile) -> None:
    listed = {table.id: table for table in available(profile) if table.id.startswith("tile-memory")}
    assert {"tile-memory", "tile-memory/region", "tile-memory/category", "tile-memory-figures/region"} <= set(listed)
    assert profile.tile_memory is not None
    table = listed["tile-memory/region"]
    columns = {column.key: np.asarray(column.values) for column in table.columns}
    assert table.rows == profile.tile_memory.tiles
    parts = [np.asarray(column.values) for column in table.columns if column.sums and column.key != "total"]
    assert np.array_equal(np.sum(parts, axis=0), columns["total"])
    assert profile.tile_memory.total_with_gaps is not None
    assert np.array_equal(columns["total"], profile.tile_memory.total_with_gaps)


def test_no_two_tables_have_the_same_title(profile: Profile) -> None:
    titles = [table.title for table in available(profile)]
    assert len(titles) == len(set(titles))


def test_ipus_are_listed_where_there_are_several(profile: Profile) -> None:
    assert _ipus(profile) == 1
    assert not any(table.id.startswith("tile-memory-ipus") for table in available(profile))
    assert profile.target is not None
    two = replace(profile, target=replace(profile.target, tiles_per_ipu=736, ipus=2))
    table = by_id(two, "tile-memory-ipus/region")
    assert table is not None
    assert table.rows == _ipus(two) == 2


def _ipus(profile: Profile) -> int:
    assert profile.target is not None
    assert profile.tile_memory is not None
    return profile.tile_memory.tiles // (profile.target.tiles_per_ipu or profile.tile_memory.tiles)


def test_other_figures_and_memory_without_gaps_are_found_by_name(profile: Profile) -> None:
    table = by_id(profile, "tile-memory/region/without-gaps")
    assert table is not None
    assert table.id == "tile-memory/region/without-gaps"
    assert "without gaps" in table.title
    sync = by_id(profile, "tile-memory-figures/sync-delay")
    assert sync is not None
    assert not any(column.sums for column in sync.columns)
    for name in ("tile-memory/nothing", "tile-memory-figures/nothing"):
        assert by_id(profile, name) is None


def test_the_command_line_exports_them(tmp_path: Path) -> None:
    out = tmp_path / "figures.csv"
    assert main(["export", str(SAMPLE), "--table", "tile-memory-figures/region", "-o", str(out)]) == 0
    assert out.read_text().startswith("part,total [B],mean [B]")
    out = tmp_path / "tiles.csv"
    assert main(["export", str(SAMPLE), "--table", "tile-memory/region", "--tiles", "3-5", "-o", str(out)]) == 0
    assert len(out.read_text().splitlines()) == 4
