"""Figures of findings about samples and real captures, recomputed by plain Python from the tables of their profiles."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest

from app.analysis.findings import ranked
from app.analysis.findings.finding import Finding
from app.analysis.tables import by_id
from app.formats import ascend_bin, ascend_report, poplar
from app.formats.collect import read
from app.profile.profile import Profile
from app.store.findings import outcomes

SAMPLES = Path(__file__).parents[3] / "resources" / "samples"
CAPTURES = Path(__file__).parents[4] / "shared" / "samples"


def records(profile: Profile, table_id: str) -> list[dict[str, object]]:
    """The rows of a table as plain values."""
    table = by_id(profile, table_id)
    assert table is not None
    return [{column.key: column.value(row) for column in table.columns} for row in range(table.rows)]


def numbers(rows: list[dict[str, object]], key: str) -> list[float]:
    return [float(value) for row in rows if isinstance(value := row[key], int | float) and not math.isnan(value)]


def l2(profile: Profile) -> dict[str, float]:
    rows = records(profile, "memory-blocks")
    return {"hits of all blocks": sum(numbers(rows, "hit")), "misses of all blocks": sum(numbers(rows, "miss"))}


def uneven(profile: Profile) -> dict[str, float]:
    kinds: dict[str, list[float]] = {}
    for row in records(profile, "block-details"):
        for key in row:
            if "duration" in key:
                kinds.setdefault(key.rstrip("_ durationμsµ0123456789()"), []).extend(numbers([row], key))
    even = max(sum(own) / len(own) for own in kinds.values())
    longest = max(max(own) for own in kinds.values())
    return {"time": longest / 1e6, "time if the work were even": even / 1e6, "": (longest - even) / 1e6}


def scalar(profile: Profile) -> dict[str, float]:
    """The cube core of block 1 is the last one."""
    rows = {row["name"]: row for row in records(profile, "memory-table/Pipe Cube") if row["block"] == "1"}
    whole = 100 * numbers([rows["Scalar"]], "cycle")[0] / numbers([rows["Scalar"]], "active_rate")[0]
    (details,) = (row for row in records(profile, "block-details") if row["block_id"] == 1)
    span = max(numbers([details], key)[0] for key in details if "duration" in key) / 1e6
    work = {name: span * numbers([row], "cycle")[0] / whole for name, row in rows.items()}
    return {"work of SCALAR": work["Scalar"], "": span - work["FIXP"]}


def instruction_cache(profile: Profile) -> dict[str, float]:
    rows = [row for row in records(profile, "memory-table/Cache") if row["name"] == "iCache Total"]
    return {"hits of all blocks": sum(numbers(rows, "hit")), "misses of all blocks": sum(numbers(rows, "miss"))}


def conflicts(profile: Profile) -> dict[str, float]:
    sums: dict[str, float] = {}
    for row in records(profile, "workload"):
        if "conflict" in str(row["name"]).lower() and row["unit"] == "instructions":
            sums[str(row["name"])] = sums.get(str(row["name"]), 0.0) + numbers([row], "value")[0]
    return sums


def computing(profile: Profile) -> dict[str, float]:
    lost = 0.0
    for row in records(profile, "steps"):
        if row["type"] == "OnTileExecute" and numbers([row], "tile_balance"):
            lost += numbers([row], "cycles")[0] * (1 - numbers([row], "tile_balance")[0])
    return {"": lost}


def host(profile: Profile) -> dict[str, float]:
    spans = sorted(
        (numbers([row], "from")[0], numbers([row], "to")[0])
        for row in records(profile, "steps")
        if row["type"] == "StreamCopy"
    )
    total, reach = 0.0, -math.inf
    for start, end in spans:
        total += max(end - max(start, reach), 0.0)
        reach = max(reach, end)
    return {"busy, overlaps counted once": total}


MIX, VECTOR = "ascend-mix-910B4.bin", "ascend-vector-2024-05.bin"
CASES: list[tuple[Path, str, Callable[[Profile], dict[str, float]]]] = [
    (SAMPLES / "matmul_leakyrelu.bin", "ascend.l2-hits", l2),
    (SAMPLES / "matmul_leakyrelu.bin", "ascend.uneven-work", uneven),
    (SAMPLES / "matmul_leakyrelu.bin", "ascend.instruction-cache", instruction_cache),
    (SAMPLES / "resnet-1472-tiles", "poplar.compute-imbalance", computing),
    (SAMPLES / "resnet-1472-tiles", "poplar.host-bound", host),
    (CAPTURES / MIX, "ascend.scalar-bound", scalar),
    (CAPTURES / VECTOR, "ascend.l2-hits", l2),
    (CAPTURES / VECTOR, "ascend.conflicts", conflicts),
    (CAPTURES / "ascend-report-add_custom.rep", "ascend.uneven-work", uneven),
]


@pytest.fixture(scope="module")
def checked() -> Callable[[Path], tuple[Profile, dict[str, Finding]]]:
    """The profile of a sample and its findings by rule; each sample is read once."""
    known: dict[Path, tuple[Profile, dict[str, Finding]]] = {}

    def of(path: Path) -> tuple[Profile, dict[str, Finding]]:
        if path not in known:
            format_ = poplar if path.is_dir() else ascend_report if path.suffix == ".rep" else ascend_bin
            files = [path / "graph.json", path / "execution.json"] if path.is_dir() else [path]
            (profile,) = read(format_.FORMAT, files)
            known[path] = profile, {rule.id: finding for rule, finding in ranked(outcomes(profile))}
        return known[path]

    return of


@pytest.mark.parametrize(("path", "rule", "recompute"), CASES, ids=[f"{path.name}-{rule}" for path, rule, _ in CASES])
def test_figures_are_those_of_the_tables(
    checked: Callable[[Path], tuple[Profile, dict[str, Finding]]],
    path: Path,
    rule: str,
    recompute: Callable[[Profile], dict[str, float]],
) -> None:
    if not path.exists():
        pytest.skip("the capture is not here")
    profile, findings = checked(path)
    finding = findings[rule]
    stated = {evidence.figure: evidence.value for evidence in reversed(finding.evidence)}
    for figure, value in recompute(profile).items():
        own = stated[figure] if figure else finding.saving.at_most if finding.saving else math.nan
        assert own == pytest.approx(value, rel=1e-6), figure


@pytest.mark.parametrize("path", sorted({path for path, _, _ in CASES}), ids=lambda path: path.name)
def test_evidence_stands_in_tables_of_the_profile(
    checked: Callable[[Path], tuple[Profile, dict[str, Finding]]], path: Path
) -> None:
    if not path.exists():
        pytest.skip("the capture is not here")
    profile, findings = checked(path)
    tables = {evidence.table for finding in findings.values() for evidence in finding.evidence if evidence.table}
    assert {table for table in tables if by_id(profile, table) is None} <= {"issues"}
