"""Formulas on worked numbers: those of the format page, and some done by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import orjson
import pytest

from app.analysis.ascend import launch, paths, workload
from app.analysis.ascend.cores import levels
from app.analysis.ascend.typed_columns import hit_percent, percent
from app.formats.ascend_bin import FORMAT
from app.profile.profile import Profile
from generators.ascend_bin import block
from generators.reading import profile_of


def read(*blocks: tuple[int, Any]) -> Profile:
    return profile_of(FORMAT, b"".join(block(kind, orjson.dumps(record)) for kind, record in blocks))


def f64(*values: float) -> Any:
    return np.array(values, np.float64)


def test_hit_ratio_is_hits_over_requests() -> None:
    assert hit_percent(f64(13, 13, 66845), f64(64, 32, 6976)) == pytest.approx([16.883117, 28.888889, 90.550114])
    assert np.isnan(hit_percent(f64(0, math.nan), f64(0, 5))).all()
    assert percent(f64(1), f64(4)).tolist() == [25]
    assert np.isnan(percent(f64(1), f64(0))).all()


def test_levels_of_two_cores_reach_three_to_six() -> None:
    assert levels(f64(1, 9), np.zeros(2, np.int32)).tolist() == [3, 6]
    assert levels(f64(219790, 408574, 220004, 409526), np.zeros(4, np.int32)).tolist() == [2, 7, 2, 7]


def test_levels_are_the_logistic_of_the_deviation() -> None:
    values = f64(1, 2, 3, 4, 100)
    z = (values - values.mean()) / values.std(ddof=1)
    expected = [int(10 / (1 + math.exp(-one))) for one in z]
    assert levels(values, np.zeros(5, np.int32)).tolist() == expected == [3, 3, 3, 3, 8]


def test_levels_of_equal_single_and_unknown_values() -> None:
    kinds = np.array([0, 0, 1, 2, 2], np.int32)
    assert levels(f64(5, 5, 7, math.nan, 3), kinds).tolist() == [0, 0, 0, -1, 0]
    assert levels(f64(), np.zeros(0, np.int32)).tolist() == []


def test_levels_are_among_sub_cores_of_one_kind() -> None:
    kinds = np.array([0, 1, 0, 1], np.int32)
    assert levels(f64(1, 1000, 2, 2000), kinds).tolist() == [3, 3, 6, 6]


ROOFS = [
    {"bw": 1.6, "bw_name": "GM", "computility": 320.0, "point": [100, 80], "ratio": "0.500000"},  # left of the ridge
    {"bw": 1.6, "bw_name": "GM", "computility": 320.0, "point": [400, 300], "ratio": "0.937500"},  # right of it
    {"bw": 1.6, "bw_name": "GM", "computility": 320.0, "point": [100, 144], "ratio": "0.9"},
    {"bw": 1.6, "bw_name": "GM", "computility": 320.0, "point": [100, 320], "ratio": "NA"},  # above the roof
    {"bw": 0, "bw_name": "GM", "computility": 320.0, "point": [100, 320]},  # cannot be drawn
]


def test_roofline_ratio_ridge_and_bound() -> None:
    found = read((0x0D, {"multiple_rooflines": [{"title": "GM/L2", "rooflines": ROOFS}]})).roofline
    assert found is not None
    assert paths.ratios(found)[:4] == pytest.approx([0.5, 0.9375, 0.9, 2.0])
    assert paths.ceiling(found)[:2].tolist() == [160, 320]
    assert paths.ridges(found)[0] == 200
    assert paths.drawable(found).tolist() == [True, True, True, True, False]
    assert np.isnan(paths.ratios(found)[4])
    verdicts = ("latency bound", "compute bound", "memory bound", "memory bound", "")
    assert paths.verdicts(found) == verdicts


def test_charts_are_grouped_by_title_and_unknown_ones_are_kept() -> None:
    titles = ("GM/L2", "HBM/L2", "Memory Unit(Vector)", "Memory Pipe Cube", "Memory Transfer(Cube)", "Pipe Line Vector")
    groups = ["Memory unit"] * 3 + ["Memory transfer"] * 2 + ["Pipeline"]
    assert [paths.group(title) for title in titles] == groups
    assert paths.group("Next year's chart") == "Other"


def item(block_id: Any, sub: str, value: Any, cycles: float | None = None, unit: int = 3) -> dict[str, Any]:
    made = {"block_id": block_id, "block_type": sub, "name": "Active", "unit": unit, "value": value}
    return made if cycles is None else {**made, "origin_value": cycles}


def shares(*items: dict[str, Any], memory: Any = None) -> list[float]:
    blocks: list[tuple[int, Any]] = [(6, {"subblock_detail": list(items)})]
    if memory is not None:
        blocks.append((8, {"core_memory_map": memory}))
    return [float(share) for share in workload.shares(read(*blocks))]


def test_shares_of_the_first_generation_are_fractions_whatever_their_unit_says() -> None:
    inner = {"name": "ALL_ACTIVE", "unit": 1, "value": 0.34}
    assert shares({"block_id": 0, "block_type": "vector", "data_detail": inner}) == pytest.approx([34])


def test_numbers_up_to_one_without_texts_are_fractions() -> None:
    assert shares(item(0, "vector", 0.66, 6656.0), item(1, "vector", 1.0, 9000.0)) == pytest.approx([66, 100])


def test_one_value_above_one_makes_all_percentages() -> None:
    assert shares(item(0, "vector", 0.66, 6656.0), item(8, "vector", 52.31, 3348.0)) == pytest.approx([0.66, 52.31])


def test_texts_as_block_ids_are_of_the_generation_that_stores_percentages() -> None:
    assert shares(item("0", "vector0", 0.4, 5.0)) == pytest.approx([0.4])


def test_known_total_cycles_give_the_exact_share() -> None:
    memory = [
        {
            "core_no": "0",
            "Cube": {"cycle": 46050, "total_cycles": 413123, "ratio": 11.1},
            "Vector": {"total_cycles": 219790},
            "Vector1": {"total_cycles": 408574},
        }
    ]
    items = (
        item("0", "cube0", 11.15, 46050.0),
        item("0", "vector0", 3.0, 6592.0),
        item("0", "vector1", 1.61, 6592.0),
        item("1", "cube0", 7.0, 46050.0),
    )
    assert shares(*items, memory=memory) == pytest.approx([11.146801, 2.999227, 1.613416, 7.0], abs=1e-6)


def test_only_shares_have_shares() -> None:
    profile = read((7, {"subblock_detail": [item("0", "cube0", "80", unit=1), item("0", "cube0", "3", unit=3)]}))
    assert workload.shares(profile)[1] == 3
    assert np.isnan(workload.shares(profile)[0])
    assert len(workload.shares(read((5, {})))) == 0


@pytest.mark.parametrize(
    ("sub_block", "unit"),
    [
        ("cube0", 0),
        ("cube", 0),
        ("aic", 0),
        ("vector", 1),
        ("vector0", 1),
        ("aiv0", 1),
        ("vector1", 2),
        ("AiCore", -1),
        ("", -1),
    ],
)
def test_sub_blocks_and_their_units(sub_block: str, unit: int) -> None:
    assert workload.sub_block_unit(sub_block) == unit


def operator(duration: float, *blocks: float) -> Profile:
    items = [{"block_id": n, "duration": [value]} for n, value in enumerate(blocks)]
    return read((5, {"duration": duration, "block_detail": items}))


def test_a_block_longer_than_its_operator_makes_the_unit_doubtful() -> None:
    assert launch.doubtful(_operator(operator(13.7, 608.14, 3.88)))
    assert not launch.doubtful(_operator(operator(13.7, 13.7, 3.88)))
    assert not launch.doubtful(_operator(operator(13.7)))
    assert launch.block_names(_operator(operator(1, 1, 1))) == ("0", "1")


def _operator(profile: Profile) -> Any:
    assert profile.operator is not None
    return profile.operator


def test_path_names() -> None:
    assert paths.name(0) == "GM → L2"
    assert paths.name(11) == "L0C → Cube"
    assert paths.ends(23) == ("UB", "L0C")
    assert paths.ends(38) == ("L1", "L0B")
    assert paths.name(30) == "path 30"
    assert paths.name(-1) == ""
    assert sorted(paths.PATHS) == [*range(26), *range(35, 56)]
