"""What all tiles did with their cycles: by the file, by the steps, in a range."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from app.analysis.poplar.runs import spent
from app.analysis.tables import by_id
from app.analysis.tables.poplar_steps import tile_cycles
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.profile.profile import Profile
from app.profile.selection import TimeRange
from generators import poplar
from generators.poplar_network import network
from generators.poplar_numbers import Numbers

SCALE = poplar.Scale(mode="COMPUTE_SETS", ipus=2, tiles_per_ipu=8, loops=3)


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    (profile,) = read(FORMAT, poplar.write_pair(tmp_path_factory.mktemp("spent"), SCALE))
    return profile


def test_steps_give_what_the_file_says(profile: Profile) -> None:
    found = spent(profile)
    assert found is not None
    assert found.left == 0
    for kind in ("compute", "doExchange", "globalExchange", "streamCopy", "sync"):
        assert found.of_steps[kind] == pytest.approx(found.stated[kind])
    table = by_id(profile, "tile-cycles")
    assert table is not None
    assert [column.key for column in table.columns] == [
        *("kind", "cycles", "average", "share", "steps_cycles", "steps_average", "steps_share")
    ]


def test_a_range_has_what_its_steps_took_on_each_tile(profile: Profile) -> None:
    steps = profile.steps
    assert steps is not None
    step = int(steps.of_type("OnTileExecute")[4])
    start, end = int(steps.cycles_from[step]), int(steps.cycles_to[step])
    cut = TimeRange(start, (start + end) / 2)
    found = spent(profile, cut)
    assert found is not None
    assert found.stated == {}
    own = Numbers(network(SCALE)).cycles(int(steps.compute_set[step]))
    assert found.of_steps["compute"] == pytest.approx(own.sum() / 2, rel=0.02)
    assert found.whole == (cut.end - cut.start) * SCALE.tiles
    assert sum(found.of_steps.values()) == pytest.approx(found.whole)
    table = tile_cycles(profile, cut)
    assert table is not None
    assert "the range" in table.note
    assert [column.key for column in table.columns] == ["kind", "steps_cycles", "steps_average", "steps_share"]


def test_steps_without_a_balance_leave_waiting_unknown(profile: Profile) -> None:
    assert profile.steps is not None
    balance = profile.steps.tile_balance.copy()
    balance[profile.steps.of_type("StreamCopy")] = np.nan
    found = spent(replace(profile, steps=replace(profile.steps, tile_balance=balance)))
    assert found is not None
    assert found.unknown == len(profile.steps.of_type("StreamCopy"))
    assert "streamCopy" not in found.of_steps
    assert "sync" not in found.of_steps


def test_without_an_execution_there_is_nothing(profile: Profile, tmp_path: Path) -> None:
    assert spent(replace(profile, execution=None, steps=None)) is None
    (alone,) = read(FORMAT, [poplar.write(tmp_path / "execution.json", poplar.execution(poplar.Scale()))])
    found = spent(alone)
    assert found is not None
    assert found.whole is None
    assert found.left is None
    assert found.of_steps == {}
