"""Hit rates that earlier writers stored as texts are numbers with bars again."""

from __future__ import annotations

import numpy as np
import orjson
import pytest

from app.analysis.hotspots import instructions
from app.analysis.tables import by_id
from app.formats.ascend_bin import FORMAT
from app.profile.profile import Profile
from generators.ascend_bin import block
from generators.reading import profile_of


def made(cells: list[str]) -> Profile:
    rows = [{"Address": hex(4 * n + 4), "L2Cache Hit Rate": [cell]} for n, cell in enumerate(cells)]
    types = {"Instructions": {"Address": 3, "L2Cache Hit Rate": 3}}
    record = {"Cores": ["ALL"], "Instructions Dtype": types, "Instructions": rows}
    return profile_of(FORMAT, block(0x04, orjson.dumps(record), version=0))


def test_texts_become_percentages() -> None:
    profile = made(["87.5", "NA", "-1", "100%", "12"])
    found = instructions(profile)
    assert found is not None
    column = next(column for column in found.table.columns if column.key == "l2cache_hit_rate")
    assert (column.unit, [column.value(row) for row in range(5)]) == ("%", [87.5, None, None, 100.0, 12.0])
    assert found.heats["l2cache_hit_rate"].share[:1].tolist() == [0.875]
    table = by_id(profile, "instructions")
    assert table is not None
    shown = next(column for column in table.columns if column.key == "l2cache_hit_rate")
    assert np.isnan(np.asarray(shown.values, np.float64)[1])


@pytest.mark.parametrize("odd", ["high", "1,5"])
def test_other_texts_stay_texts(odd: str) -> None:
    found = instructions(made(["87.5", odd]))
    assert found is not None
    column = next(column for column in found.table.columns if column.key == "l2cache_hit_rate")
    assert [column.value(row) for row in range(2)] == ["87.5", odd]
