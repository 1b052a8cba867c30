"""Bars, tables and advice of one block."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import orjson
import pytest

from app.analysis.ascend import workload as view
from app.formats.ascend_bin import FORMAT
from app.profile.profile import Profile
from generators.ascend_bin import block, small
from generators.reading import profile_of


@pytest.fixture
def mix(shared_samples: Path) -> Profile:
    return profile_of(FORMAT, (shared_samples / "ascend-mix-910B4.bin").read_bytes())


def rows(part: view.SubBlockTable) -> list[list[object]]:
    return [[column.value(row) for column in part.table.columns] for row in range(part.table.rows)]


def test_bars_are_sorted_and_say_their_cycles(mix: Profile) -> None:
    assert view.blocks(mix) == ["0", "1"]
    found = view.block_shares(mix, "0")
    assert [share.name for share in found][:2] == ["Cube Wait", "Cube All Active"]
    assert (found[0].cycles, found[0].total) == (105108.0, 413123.0)
    assert found[0].percent == pytest.approx(25.44, abs=0.005)
    assert [share.percent for share in found] == sorted((share.percent for share in found), reverse=True)


def test_one_table_a_sub_block_with_one_column_a_unit(mix: Profile) -> None:
    cube, vector0, vector1 = view.tables(mix, "0")
    assert [column.title for column in cube.table.columns] == ["CUBE0", "Instructions", "Data volume"]
    assert rows(cube) == [
        ["Cube All Active", 80, None],
        ["Cube FP", 80, None],
        ["Cube INT", 0, None],
        ["Cube Compute Data Size", None, 377241600],
    ]
    assert cube.absent["instructions"].tolist() == [False, False, False, True]
    assert [column.title for column in vector0.table.columns] == ["VECTOR0", "Duration", "Instructions", "Data volume"]
    assert ["Vector Wait", 17.0, None, None] in rows(vector0)
    assert vector1.table.rows == vector0.table.rows == 15


def test_advice_on_computing_comes_with_the_block_of_the_memory_graph(mix: Profile) -> None:
    assert view.advice(mix, "0") == ["aicore compute usage lower than 20%", "aivector compute usage lower than 20%"]


@pytest.mark.parametrize("generation", [1, 2, 3])
def test_every_generation_has_bars_between_0_and_100(generation: int) -> None:
    profile = profile_of(FORMAT, small(generation))
    for name in view.blocks(profile):
        found = view.block_shares(profile, name)
        assert found
        assert all(0 <= share.percent <= 100 for share in found)
        assert view.tables(profile, name)


def test_odd_items_keep_their_place() -> None:
    def item(**own: object) -> dict[str, object]:
        return {"block_id": "NA", "block_type": "AiCore", **own}

    items = [
        item(name="Vector", unit=1, value="NA"),
        item(name="Vector", unit=0, value="2.5", advice="look at the waits"),
        item(name="Vector", unit=9, value="4"),
        item(name="Scalar", unit=4, value="7"),
    ]
    payload = orjson.dumps({"advice": ["first", "first"], "subblock_detail": items})
    profile = profile_of(FORMAT, block(0x07, payload))
    assert view.blocks(profile) == [view.MEAN]
    (part,) = view.tables(profile, view.MEAN)
    assert [column.title for column in part.table.columns][1:] == ["Duration", "Instructions", "Operations", "Unit 9"]
    assert rows(part) == [["Vector", 2.5, None, None, 4], ["Scalar", None, None, 7, None]]
    assert part.absent["instructions"].tolist() == [False, True]
    assert view.block_shares(profile, view.MEAN) == []
    assert view.advice(profile, view.MEAN) == ["first", "look at the waits"]


def test_without_a_table_the_graph_is_the_table(mix: Profile) -> None:
    items = [{"block_id": "0", "block_type": "vector", "name": "All", "unit": 3, "value": 40.5, "origin_value": 81.0}]
    profile = profile_of(FORMAT, block(0x06, orjson.dumps({"advice": [], "subblock_detail": items})))
    (part,) = view.tables(profile, "0")
    assert rows(part) == [["All", 40.5]]
    assert np.isnan(view.block_shares(profile, "0")[0].total)
    assert view.blocks(profile_of(FORMAT, block(0x05, b'{"name":"x"}'))) == []
