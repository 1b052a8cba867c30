"""Real captures, where they are beside the repository: counts and figures of Ascend captures, sections 4, 5 and 8."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.formats.collect import read
from app.formats.registry import plan
from app.profile.arrays import distinct
from app.profile.ascend_capture import DATABASE, TEXT, Collectives
from app.profile.profile import Profile


@pytest.fixture
def sample(shared_samples: Path) -> Path:
    folder = shared_samples / "ascend-pt"
    if not folder.is_dir():
        pytest.skip("the captures of torch_npu are not on this machine")
    return folder


def opened(folder: Path) -> list[Profile]:
    jobs, refused = plan([folder])
    assert not refused
    assert {job.format.id for job in jobs} == {"ascend-capture"}
    return [profile for job in jobs for profile in read(job.format, job.paths)]


@pytest.mark.parametrize("rank", [0, 1])
@pytest.mark.parametrize("form", ["text", "db"])
def test_counts_of_one_rank(sample: Path, form: str, rank: int) -> None:
    (profile,) = opened(sample / form / f"rank{rank}_ascend_pt")
    assert [issue.text for issue in profile.issues if issue.severity != "info"] == []
    kernels, collectives, steps, capture = (
        profile.kernels,
        profile.collectives,
        profile.training_steps,
        profile.capture,
    )
    assert kernels is not None
    assert collectives is not None
    assert steps is not None
    assert capture is not None
    assert (len(kernels), len(distinct(kernels.type)), len(collectives)) == (187, 33, 4)
    assert steps.step.tolist() == [50]
    assert capture.rank.tolist() == [rank]
    assert capture.mode.tolist() == [TEXT if form == "text" else DATABASE]
    assert profile.timeline is not None


def test_step_50_of_the_text_files(sample: Path) -> None:
    (profile,) = opened(sample / "text" / "rank0_ascend_pt")
    steps, record, kernels = profile.training_steps, profile.memory_record, profile.kernels
    assert steps is not None
    assert record is not None
    assert kernels is not None
    assert steps.exposed[0] == pytest.approx(0.101963203)
    assert steps.free[0] == pytest.approx(0.02574405)
    assert steps.computing[0] == pytest.approx(0.008873756)
    assert kernels.duration.sum() / 1e9 == pytest.approx(0.008873756, abs=3e-8)
    assert steps.start[0] < kernels.start[0] < steps.end[0]
    own = np.isin(record.component, record.strings.find("PTA"))
    assert record.reserved[own].max() == 1452 << 20
    assert round(record.allocated[own].max() / 2**20) == 1188


@pytest.mark.parametrize(("form", "delay"), [("text", 5.608e-3), ("db", 3.533e-3)])
def test_two_ranks_are_one_profile_in_which_the_second_comes_late(sample: Path, form: str, delay: float) -> None:
    (profile,) = opened(sample / form)
    collectives, timeline = profile.collectives, profile.timeline
    assert collectives is not None
    assert timeline is not None
    names = [collectives.strings.get(each) for each in collectives.name.tolist()]
    first = [row for row, name in enumerate(names) if name.endswith("_0_1")]
    assert [int(collectives.rank[row]) for row in first] == [0, 1]
    assert (collectives.start[first[1]] - collectives.start[first[0]]) / 1e9 == pytest.approx(delay, abs=1e-6)
    assert abs(collectives.end[first[1]] - collectives.end[first[0]]) < 16_000
    processes = {timeline.strings.get(each).split(" · ")[0] for each in timeline.lanes.process.tolist()}
    assert processes == {"Rank 0", "Rank 1"}


def test_runs_that_are_not_the_same_stay_apart(sample: Path) -> None:
    profiles = opened(sample)
    ranks = [profile.capture.rank.tolist() for profile in profiles if profile.capture is not None]
    assert sorted(ranks, key=len) == [[0, 1], [0, 1], [*range(16)]]
    cluster = max(profiles, key=lambda profile: len(profile.capture or ()))
    assert cluster.timeline is None
    assert isinstance(cluster.collectives, Collectives)
