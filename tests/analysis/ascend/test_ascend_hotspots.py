"""The model of the hotspots panel."""

from __future__ import annotations

import numpy as np
import pytest

from app.analysis import hotspots
from app.analysis.relations import direct
from app.formats.ascend_bin import FORMAT
from app.profile.profile import Profile
from generators.ascend_bin import Program, block, core_names, device_instructions, source_blocks
from generators.reading import profile_of


@pytest.fixture(scope="module")
def profile() -> Profile:
    return profile_of(FORMAT, b"".join(source_blocks(Program(tuple(core_names(1)), 700, seed=2))))


def column(spots: hotspots.Hotspots, key: str) -> np.ndarray:
    return next(np.asarray(column.values) for column in spots.table.columns if column.key == key)


@pytest.mark.parametrize("core", ["core0.cubecore0", "core0.veccore1"])
def test_instructions_are_ranked_by_the_cycles_of_the_core(profile: Profile, core: str) -> None:
    spots = hotspots.instructions(profile, core)
    assert spots is not None
    cycles = column(spots, "cycles")
    assert spots.ranked_by == "cycles"
    assert cycles[spots.order].tolist() == sorted(cycles.tolist(), reverse=True)
    assert profile.instructions is not None
    place = profile.instructions.cores.index(core)
    stored = next(found for found in profile.instructions.columns if found.name == "Cycles")
    assert cycles.tolist() == stored.values[:, place].tolist()
    heat = spots.heats["cycles"].share
    assert heat.max() == 1
    assert heat.tolist() == pytest.approx((cycles / cycles.max()).tolist())
    assert spots.table.selects == "instruction"


def test_columns_stand_in_the_order_that_users_know(profile: Profile) -> None:
    spots = hotspots.instructions(profile)
    assert spots is not None
    keys = [column.key for column in spots.table.columns]
    assert keys[:6] == ["address", "pipe", "text", "file", "line", "instructions_executed"]
    assert keys[-2:] == ["cycles", "realstallcycles"]
    lines = hotspots.lines(profile)
    assert lines is not None
    assert [column.key for column in lines.table.columns][:6] == [
        "file",
        "line",
        "text",
        "instructions",
        "instructions_executed",
        "cycles",
    ]


def test_no_data_has_no_bar_and_comes_last(profile: Profile) -> None:
    spots = hotspots.instructions(profile, "core0.veccore0")
    assert spots is not None
    share = spots.heats["vector_utilization_percentage"].share
    pipes = next(column for column in spots.table.columns if column.key == "pipe")
    vector = np.array([pipes.value(row) == "VECTOR" for row in range(spots.table.rows)])
    assert np.isnan(share[~vector]).all()
    assert (share[vector] >= 0.2).all()
    assert (share[vector] <= 1).all()


def test_lines_are_ranked_and_related(profile: Profile) -> None:
    spots = hotspots.lines(profile, "core0.cubecore0")
    assert spots is not None
    hottest = int(spots.order[0])
    related = direct(profile, "line", "instruction", np.array([hottest]))
    assert len(related)
    assert hottest in direct(profile, "instruction", "line", related).tolist()
    counted = column(spots, "instructions")
    assert counted[hottest] == len(related)


def test_an_unknown_core_stands_for_the_first(profile: Profile) -> None:
    first, unknown = hotspots.lines(profile, "core0.cubecore0"), hotspots.lines(profile, "core77")
    assert first is not None
    assert unknown is not None
    assert first.order.tolist() == unknown.order.tolist()


def test_device_files_without_cycles_are_ranked_by_their_samples() -> None:
    spots = hotspots.instructions(profile_of(FORMAT, block(4, device_instructions(), version=0)))
    assert spots is not None
    assert spots.ranked_by == "stall_sampling_all_samples"
    samples = column(spots, "stall_sampling_all_samples")
    assert samples[spots.order].tolist() == sorted(samples.tolist(), reverse=True)


def test_files_without_tables_have_no_hotspots() -> None:
    empty = profile_of(FORMAT, block(5, b"{}"))
    assert hotspots.lines(empty) is None
    assert hotspots.instructions(empty) is None
    bare = profile_of(FORMAT, block(4, b'{"Instructions":[{"Address":"0x1"},{"Address":"0x2"}]}'))
    spots = hotspots.instructions(bare)
    assert spots is not None
    assert (spots.order.tolist(), spots.ranked_by) == ([0, 1], "")
