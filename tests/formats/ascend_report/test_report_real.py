"""The real report: every cell is in a table unchanged, and the figures of the format page hold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.analysis import tables
from app.analysis.figures import figures
from app.formats.ascend_report import FORMAT
from app.formats.collect import read
from app.profile.profile import Profile
from oracles import report_by_hand as by_hand

CSVS = (
    *("ArithmeticUtilization", "L2Cache", "Memory", "MemoryL0", "MemoryUB"),
    *("OpBasicInfo", "PipeUtilization", "ResourceConflictRatio"),
)


@pytest.fixture(scope="module")
def sample() -> Path:
    path = Path(__file__).parents[4] / "shared" / "samples" / "ascend-report-add_custom.rep"
    if not path.exists():
        pytest.skip("the real report (../shared/samples) is not on this machine")
    return path


@pytest.fixture(scope="module")
def profile(sample: Path) -> Profile:
    return read(FORMAT, [sample])[0]


@pytest.fixture(scope="module")
def files(sample: Path) -> dict[str, bytes]:
    return by_hand.entries(sample)


@pytest.mark.parametrize("name", CSVS)
def test_every_cell_of_the_real_report_is_in_a_table_unchanged(
    name: str, profile: Profile, files: dict[str, bytes]
) -> None:
    table = tables.by_id(profile, f"report-table/{name}")
    assert table is not None
    rows = by_hand.rows(files[f"{name}.csv"])
    assert table.rows == len(rows)
    filled = {title: any(row[title] not in ("NA", "N/A", "") for row in rows) for title in rows[0]}
    assert [column.title for column in table.columns] == sorted(filled, key=lambda title: not filled[title])
    for number, row in enumerate(rows):
        for column in table.columns:
            written, value = row[column.title], column.value(number)
            if written in ("NA", "N/A", ""):
                assert value is None
            elif isinstance(value, str):
                assert value == written
            else:
                assert value is not None
                assert (f"{value:.6f}" if "." in written else str(value)) == written


def test_figures_are_those_of_plain_arithmetic(profile: Profile, files: dict[str, bytes]) -> None:
    made = {figure.name: figure.value for figure in figures(profile)}
    pipes, memory = files["PipeUtilization.csv"], files["Memory.csv"]
    times = by_hand.numbers(pipes, "aiv_time(us)")
    mean = sum(times) / 8
    assert made["report.block_time_mean_s"] == pytest.approx(mean / 1e6, rel=1e-12)
    spread = (sum((time - mean) ** 2 for time in times) / 8) ** 0.5
    assert made["report.balance"] == pytest.approx(1 - spread / mean, rel=1e-12)
    for pipe in ("vec", "mte2", "mte3", "scalar"):
        share = 100 * by_hand.total(pipes, f"aiv_{pipe}_time(us)") / sum(times)
        assert made[f"report.aiv_{pipe}_share"] == pytest.approx(share, rel=1e-12)
    moved = 1024 * by_hand.total(memory, "read_main_memory_datas(KB)", "write_main_memory_datas(KB)")
    operations = by_hand.total(files["ArithmeticUtilization.csv"], "aiv_vec_fops")
    assert made["report.intensity"] == pytest.approx(operations / moved, rel=1e-12)


def test_the_figures_of_the_format_page_hold(profile: Profile) -> None:
    made = {figure.name: figure.value for figure in figures(profile)}
    wanted = {
        "report.block_time_min_s": 0.881818e-6,
        "report.block_time_max_s": 1.098182e-6,
        "report.block_time_mean_s": 0.979621e-6,
        "report.balance": 0.928302,
        "report.aiv_vec_mean_ratio": 0.067158,
        "report.aiv_mte2_mean_ratio": 0.381240,
        "report.aiv_mte3_mean_ratio": 0.162150,
        "report.aiv_scalar_mean_ratio": 0.332443,
        "report.aiv_vec_share": 6.6817,
        "report.aiv_mte2_share": 37.9708,
        "report.aiv_mte3_share": 16.1627,
        "report.aiv_scalar_share": 33.5395,
        "report.bytes_read": 129 * 1024,
        "report.bytes_written": 64 * 1024,
        "report.l2_hits": 7,
        "report.l2_accesses": 1160,
        "report.l2_hit_rate": 0.603448,
        "report.operations": 17_920,
        "report.intensity": 0.090674,
        "report.performance_tops": 9.955356e-3,
        "report.vector_conflicts_mean": 2.3630,
        "operator.duration_s": 1.800036e-6,
        "operator.block_dim": 8,
    }
    assert {name: made[name] for name in wanted} == {
        name: pytest.approx(value, rel=2e-5, abs=0.0) for name, value in wanted.items()
    }


def test_the_sections_of_the_real_report(profile: Profile) -> None:
    base, load, paths = profile.operator, profile.core_load, profile.memory_paths
    assert base is not None
    assert load is not None
    assert paths is not None
    assert (base.name, base.type, base.frequency_mhz, base.block_dim) == ("add_custom", "vector", 1650.0, 8)
    assert load.cycles.sum() == 12_931
    chosen = (paths.entry == 0) & (paths.path == 12)
    assert paths.bandwidth[chosen].tolist() == [pytest.approx(16 * 1024 / 0.910303e-6 / 2**30, rel=1e-6)]
    assert paths.blocks.hit.sum() == 7
    assert paths.blocks.unit_cycles[:, 1].tolist() == [108.0] * 8
    peaks = [
        float(np.nanmax(paths.bandwidth[paths.path == path] / paths.peak[paths.path == path])) for path in (12, 13)
    ]
    assert [100 * peak for peak in peaks] == [pytest.approx(220.06, abs=0.01), pytest.approx(186.80, abs=0.01)]
