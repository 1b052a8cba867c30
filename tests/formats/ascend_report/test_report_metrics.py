"""Metric tables become the sections of a profile."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from app.analysis import tables
from app.analysis.ascend import launch, workload
from app.profile.arrays import sealed
from app.profile.profile import Profile, Section
from fakes.report_members import read_metrics
from generators.ascend_metrics import CHIPS, DURATION, GB, Chip, Metrics


def profile_of(chip: Chip, *, comma: bool = True) -> tuple[Metrics, Profile]:
    run = Metrics(chip)
    profile, issues, names = read_metrics(run.files(comma=comma))
    assert not issues
    assert names == set(run.files())
    return run, profile


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("comma", [True, False])
def test_every_cell_is_in_a_table_unchanged(chip: Chip, comma: bool) -> None:
    run, profile = profile_of(chip, comma=comma)
    for name, content in run.files(comma=False).items():
        table = tables.by_id(profile, f"report-table/{name.removesuffix('.csv')}")
        assert table is not None
        header, *lines = [line.split(",") for line in content.decode().splitlines()]
        columns = {column.title: column for column in table.columns}
        assert list(columns) == sorted(
            header, key=lambda title: all(line[header.index(title)] == "NA" for line in lines)
        )
        for row, line in enumerate(lines):
            for title, cell in zip(header, line, strict=True):
                value = columns[title].value(row)
                if cell == "NA":
                    assert value is None
                else:
                    assert value == cell or float(value or 0) == float(cell)


@pytest.mark.parametrize("chip", CHIPS)
def test_pipes_are_shares_of_their_own_core(chip: Chip) -> None:
    """In a mix, too, where the file's ratios are fractions of the operator."""
    run, profile = profile_of(chip)
    titles = {"vec": "Vector", "cube": "Cube", "scalar": "Scalar", "fixpipe": "FIXP"}
    for row, (block, sub) in enumerate(run.rows):
        bars = {
            bar.name: bar
            for bar in workload.block_shares(profile, block if chip != "310p" else "NA")
            if bar.sub_block == (sub or "AiCore")
        }
        for pipe, cycles in run.busy[row].items():
            bar = bars[titles.get(pipe, pipe.upper())]
            assert bar.cycles == cycles
            assert bar.percent == pytest.approx(100 * cycles / run.cycles[row], rel=2e-4)


@pytest.mark.parametrize("chip", ["mix", "a2"])
def test_other_ratios_are_shares_of_the_own_core(chip: Chip) -> None:
    run, profile = profile_of(chip)
    own = profile.workload
    assert own is not None
    for row, (block, sub) in enumerate(run.rows):
        unit, name = ("vec", "Vector fp16") if sub.startswith("vec") else ("cube", "Cube fp16")
        wanted = 100 * run.busy[row][unit] / 2 / run.cycles[row]
        values = [
            float(own.value[place])
            for place in range(len(own.block))
            if (own.strings[own.block[place]], own.strings[own.sub_block[place]], own.strings[own.name[place]])
            == (block, sub, name)
        ]
        assert values == [pytest.approx(wanted, rel=1e-3)]


@pytest.mark.parametrize("chip", CHIPS)
def test_operator_and_blocks(chip: Chip) -> None:
    run, profile = profile_of(chip)
    base = profile.operator
    assert base is not None
    assert (base.name, base.type, base.duration_us, base.block_dim) == ("made_up", run.kind, DURATION, 4)
    assert (base.mix_block_dim, base.pid, base.frequency_mhz) == (8 if chip == "mix" else None, "4711", 1650)
    stored = launch.of_blocks(base)
    assert stored.shape == (1 if chip == "310p" else 4, 3 if chip == "mix" else 1)
    assert stored.ravel().tolist() == [run.time(row) for row in range(len(run.rows))]
    assert launch.block_names(base) == (("0",) if chip == "310p" else ("0", "1", "2", "3"))


@pytest.mark.parametrize("chip", CHIPS)
def test_core_load(chip: Chip) -> None:
    run, profile = profile_of(chip)
    load = profile.core_load
    assert load is not None
    assert load.cycles.tolist() == run.cycles
    assert load.throughput.tolist() == [1024.0 * (moved["in"] + moved["out"]) for moved in run.moved]
    victims = 2 if chip == "a5" else 0
    wanted = [100 * hit / (hit + miss + victims) for hit, miss in run.hits]
    assert load.hit_rate.tolist() == pytest.approx(wanted, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("chip", CHIPS)
def test_memory_paths(chip: Chip) -> None:
    run, profile = profile_of(chip)
    paths = profile.memory_paths
    assert paths is not None
    made = {
        (paths.strings[paths.blocks.block[entry]], path): bandwidth
        for entry, path, bandwidth in zip(
            paths.entry.tolist(), paths.path.tolist(), paths.bandwidth.tolist(), strict=True
        )
    }
    for row, (block, sub) in enumerate(run.rows):
        if chip == "310p":
            continue
        seconds = (DURATION if chip == "mix" else run.time(row)) * 1e-6
        read = run.moved[row]["in"] * 1024 / seconds / GB
        second = 4 if sub == "vector1" else 0
        assert made[block, 12 + second if sub.startswith("vec") else 2] == pytest.approx(read, rel=1e-5)
        if sub == "cube0":
            assert [made[block, path] for path in (6, 37, 7, 38, 11, 8)] == [1.5, 2.5, 3.5, 4.5, 5.5, 6.5]
    family = paths.strings[paths.blocks.soc[0]]
    assert family == {"a5": "910A5", "310p": "310P"}.get(chip, "910B")


def test_columns_in_another_order_and_unknown_ones_make_no_difference() -> None:
    run = Metrics("mix")
    randomly = random.Random(1)
    shuffled = {}
    for name, content in run.files(comma=False).items():
        lines = [line.split(",") for line in content.decode().splitlines()]
        order = list(range(len(lines[0]) + 1))
        randomly.shuffle(order)
        mixed = [[*line, "new_column" if not row else "7"] for row, line in enumerate(lines)]
        shuffled[name] = "".join(",".join(line[place] for place in order) + "\n" for line in mixed).encode()
    plain, _, _ = read_metrics(run.files())
    other, _, _ = read_metrics(shuffled)
    for name in ("workload", "memory-paths", "memory-blocks", "core-load", "block-details"):
        first, second = tables.by_id(plain, name), tables.by_id(other, name)
        assert first is not None
        assert second is not None
        figures = [
            sorted(str([column.value(row) for column in table.columns]) for row in range(table.rows))
            for table in (first, second)
        ]
        assert figures[0] == figures[1]
    table = tables.by_id(other, "report-table/Memory")
    assert table is not None
    assert "new_column" in [column.title for column in table.columns]


def test_figures_of_an_operator_file_stay_and_a_difference_is_reported() -> None:
    run, profile = profile_of("a2")
    base, load, paths = profile.operator, profile.core_load, profile.memory_paths
    assert base is not None
    assert load is not None
    assert paths is not None
    _, same, _ = read_metrics(run.files(), {"operator": base, "core_load": load, "memory_paths": paths})
    assert not same
    cycles = load.cycles.copy()
    cycles[1] += 5
    bandwidth = paths.bandwidth.copy()
    bandwidth[0] *= 1.01
    known: dict[str, Section] = {
        "operator": replace(base, duration_us=DURATION + 1),
        "core_load": replace(load, cycles=sealed(cycles)),
        "memory_paths": replace(paths, bandwidth=sealed(bandwidth)),
    }
    made, issues, _ = read_metrics(run.files(), known)
    assert made.operator is None
    assert made.core_load is None
    assert made.workload is not None
    assert len(issues) == 3
    assert {issue.severity for issue in issues} == {"warning"}


@pytest.mark.parametrize(("decimals", "shift", "count"), [(2, 0.0, 0), (6, 0.004, 3), (2, 0.02, 3)])
def test_figures_differ_by_more_than_the_decimals_that_they_have(decimals: int, shift: float, count: int) -> None:
    run, profile = profile_of("a2")
    base = profile.operator
    assert base is not None
    duration = base.blocks[-1]
    values = np.round(duration.values + shift * np.arange(4).reshape(-1, 1).clip(0, 1), decimals)
    _, issues, _ = read_metrics(
        run.files(), {"operator": replace(base, blocks=(*base.blocks[:-1], replace(duration, values=sealed(values))))}
    )
    assert len([issue for issue in issues if "duration of row" in issue.text]) == count


def test_a_damaged_file_is_an_issue_and_the_others_are_read() -> None:
    files = {**Metrics("a2").files(), "Memory.csv": b"", "summary.jsonl": b"{"}
    profile, issues, names = read_metrics(files)
    assert sorted(issue.where for issue in issues) == ["Memory.csv", "summary.jsonl"]
    assert "Memory.csv" not in names
    assert profile.workload is not None


def test_names_with_a_time_stamp_are_known() -> None:
    files = {name.replace(".csv", "_20260711102038123.csv"): content for name, content in Metrics("a2").files().items()}
    profile, _, _ = read_metrics({f"device0/made_up/0/{name}": content for name, content in files.items()})
    assert profile.operator is not None
    assert profile.operator.name == "made_up"
    assert profile.workload is not None


@given(st.sampled_from(CHIPS), st.integers(0, 1 << 30))
@settings(deadline=None, max_examples=60)
def test_damaged_tables_never_raise(chip: Chip, seed: int) -> None:
    randomly = random.Random(seed)
    files = Metrics(chip, seed % 5).files(comma=bool(seed % 2))
    name = randomly.choice(list(files))
    content = bytearray(files[name])
    for _ in range(randomly.randrange(1, 6)):
        at = randomly.randrange(len(content))
        content[at : at + randomly.randrange(8)] = randomly.choice(
            [b"", b",", b'"', b"\n", b"NA", b"-1", b"1e308", b"\xff", b"vector1", b"inf", b"99999999999999999999"]
        )
    files[name] = bytes(content[: randomly.randrange(len(content) + 1)] if seed % 3 == 0 else content)
    with np.errstate(over="ignore", invalid="ignore"):
        profile, _, _ = read_metrics(files)
        for table in tables.each(profile):
            for row in range(min(table.rows, 3)):
                assert len([column.value(row) for column in table.columns]) == len(table.columns)


def test_memory_tables_name_ways_and_sub_blocks() -> None:
    _, profile = profile_of("mix")
    table = tables.by_id(profile, "memory-table/Transfers")
    assert table is not None
    first = [str(table.columns[1].value(row)) for row in range(table.rows) if table.columns[0].value(row) == "0"]
    assert "cube0: GM → L1" in first
    assert "vector1: GM → UB" in first
    assert "cube0: L1 → GM (estimate)" in first
