"""Several devices in one database: each is a rank of its own, and nothing is added up over them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.analysis.capture.slices import collective_slices, kernel_slices
from app.analysis.capture.steps import step_times
from app.formats.ascend_capture import FORMAT
from app.formats.collect import read
from app.profile.ascend_capture import DATABASE
from app.profile.profile import Profile
from generators.ascend_database import Rank, length

DEVICES = (4, 6)


@pytest.fixture(params=[False, True])
def both(tmp_path: Path, request: pytest.FixtureRequest) -> tuple[Rank, Profile]:
    rank = Rank(3, steps=4, collectives=3, newer=request.param, device=DEVICES[0], other=DEVICES[1])
    (profile,) = read(FORMAT, rank.write(tmp_path, analysis=False))
    return rank, profile


def test_each_is_a_rank(both: tuple[Rank, Profile]) -> None:
    rank, profile = both
    capture, kernels, collectives = profile.capture, profile.kernels, profile.collectives
    assert capture is not None
    assert kernels is not None
    assert collectives is not None
    devices = dict(zip(capture.device.tolist(), range(2), strict=True))
    assert sorted(devices) == list(DEVICES)
    assert capture.rank[devices[4]] == 3
    assert capture.mode.tolist() == [DATABASE, DATABASE]
    starts = {start: devices[DEVICES[step % 2]] for step, start, _ in rank.kernels}
    assert dict(zip(kernels.start.tolist(), kernels.rank.tolist(), strict=True)) == starts
    sent = {start: devices[DEVICES[step % 2]] for step, start, _, _ in rank.collectives}
    assert dict(zip(collectives.start.tolist(), collectives.rank.tolist(), strict=True)) == sent
    record, operators = profile.memory_record, profile.memory_operators
    assert record is not None
    assert operators is not None
    assert np.bincount(record.rank).tolist() == [30, 30]
    assert not operators.rank.any(), "their device is not stated"
    assert profile.calls is not None
    assert not profile.calls.rank.any()


def test_times_of_steps_are_those_of_one_device(both: tuple[Rank, Profile]) -> None:
    rank, profile = both
    assert profile.capture is not None
    devices = dict(zip(profile.capture.device.tolist(), range(2), strict=True))
    times = step_times(profile)
    found = {(own, step): value for own, step, value in zip(times.rank, times.step, times.computing, strict=True)}
    for step in range(10, 14):
        own = [(start, end) for number, start, end in rank.kernels if number == step]
        assert found[devices[DEVICES[step % 2]], step] == pytest.approx(length(own) * 1e-9)
        assert not found[devices[DEVICES[1 - step % 2]], step] > 0


def test_lanes_are_those_of_one_device(both: tuple[Rank, Profile]) -> None:
    _, profile = both
    line = profile.timeline
    assert line is not None
    processes = {line.strings[text] for text in line.lanes.process.tolist()}
    names = ("Ascend Hardware", "Communication", "Overlap Analysis")
    assert {f"{name} (NPU {device})" for name in names for device in DEVICES} <= processes
    assert not processes & set(names)
    tracks = {line.strings[text] for text in line.counters.process.tolist()}
    assert {"NPU MEM (NPU 4)", "NPU MEM (NPU 6)"} <= tracks
    assert bool((kernel_slices(profile) >= 0).all())
    assert bool((collective_slices(profile) >= 0).all())


def test_of_very_many_devices_none_is_told_apart(tmp_path: Path) -> None:
    rank = Rank(kernels=80)
    rows = rank.main.rows["TASK"]
    rank.main.rows["TASK"] = [(*row[:2], place, *row[3:]) for place, row in enumerate(rows)]
    (profile,) = read(FORMAT, rank.write(tmp_path, analysis=False))
    assert profile.capture is not None
    assert len(profile.capture) == 1
    assert profile.kernels is not None
    assert len(profile.kernels) == len(rank.kernels)
    (issue,) = profile.issues
    assert "more than 64 devices" in issue.text
