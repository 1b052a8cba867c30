"""Rules about two profiles report what was planted, and nothing of a profile against itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from app.analysis.compare.comparison import Comparison
from app.analysis.findings import ranked
from app.analysis.findings.compared import compared_outcomes
from app.analysis.findings.thresholds import Thresholds
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.profile.profile import Profile
from generators import poplar

SCALE = poplar.Scale(mode="IPU_MODEL", estimates=True, compute_sets=4, tiles_per_ipu=4, loops=2)


def made(folder: Path, scale: poplar.Scale) -> Profile:
    folder.mkdir()
    (profile,) = read(FORMAT, poplar.write_pair(folder, scale))
    return profile


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    return made(tmp_path_factory.mktemp("reports") / "one", SCALE)


def slower(profile: Profile, share: float) -> Profile:
    """The run and one compute set take longer by that share of the run."""
    steps, run = profile.steps, profile.execution
    assert steps is not None
    assert run is not None
    assert run.cycles is not None
    rows = steps.compute_set == 2
    more = round(share * run.cycles / int(rows.sum()))
    cycles = steps.cycles.copy()
    cycles[rows] += more
    longer = replace(run, cycles=run.cycles + more * int(rows.sum()))
    return replace(profile, steps=replace(steps, cycles=cycles), execution=longer)


def test_a_profile_against_itself_has_no_findings(profile: Profile) -> None:
    for regression in (Thresholds().regression, 0.0):
        assert ranked(compared_outcomes(Comparison(profile, profile), Thresholds(regression=regression))) == []


def test_what_got_slower_names_the_step(profile: Profile) -> None:
    after = slower(profile, 0.1)
    ((rule, finding),) = ranked(compared_outcomes(Comparison(profile, after)))
    assert (rule.id, finding.severity) == ("compare.total", "warning")
    assert finding.title == "Time: more than in the baseline"
    assert profile.execution is not None
    assert after.execution is not None
    assert [evidence.value for evidence in finding.evidence[:2]] == [
        profile.execution.cycles,
        after.execution.cycles,
    ]
    assert finding.evidence[2].table in ("steps-by-compute-set", "steps", "programs", "steps-by-name")
    ((_, less),) = ranked(compared_outcomes(Comparison(after, profile)))
    assert (less.severity, less.title) == ("info", "Time: less than in the baseline")
    assert ranked(compared_outcomes(Comparison(profile, slower(profile, 0.01)))) == []
    assert ranked(compared_outcomes(Comparison(profile, slower(profile, 0.01)), Thresholds(regression=0.5)))


def fuller(profile: Profile, more: int, tile: int = 0) -> Profile:
    """As many bytes, but ``more`` of them on one tile."""
    memory = profile.tile_memory
    assert memory is not None
    assert memory.total_with_gaps is not None
    total = memory.total_with_gaps.astype(np.int64)
    total[tile] = total.max() + more
    return replace(profile, tile_memory=replace(memory, total_with_gaps=total))


def test_the_fullest_tile_is_watched_though_the_sum_is_the_same(profile: Profile) -> None:
    after = fuller(profile, 1 << 20)
    findings = {finding.title: finding for _, finding in ranked(compared_outcomes(Comparison(profile, after)))}
    fullest = findings["Bytes on the fullest tile: more than in the baseline"]
    assert fullest.severity == "warning"
    before, now = (evidence.value for evidence in fullest.evidence)
    assert isinstance(before, int)
    assert now == before + (1 << 20)
    assert "Memory: more than in the baseline" not in findings
    over = findings["Tiles out of memory: more than in the baseline"]  # from none: there is no percentage
    assert [evidence.value for evidence in over.evidence] == [0, 1]


def test_moved_bytes_are_watched(profile: Profile) -> None:
    steps = profile.steps
    assert steps is not None
    after = replace(profile, steps=replace(steps, data=np.where(steps.data > 0, 2 * steps.data, steps.data)))
    findings = {finding.title: finding for _, finding in ranked(compared_outcomes(Comparison(profile, after)))}
    moved = findings["Data moved: more than in the baseline"]
    assert {evidence.table for evidence in moved.evidence} == {"exchanges"}


def test_what_appeared_and_what_vanished(profile: Profile, tmp_path: Path) -> None:
    larger = made(tmp_path / "two", replace_scale(5))
    findings = {finding.title: finding for _, finding in ranked(compared_outcomes(Comparison(profile, larger)))}
    appeared = findings["Only in the comparison"]
    assert any(evidence.table == "compute-sets" for evidence in appeared.evidence)
    back = {finding.title for _, finding in ranked(compared_outcomes(Comparison(larger, profile)))}
    assert "Only in the baseline" in back


def replace_scale(compute_sets: int) -> poplar.Scale:
    return poplar.Scale(mode="IPU_MODEL", estimates=True, compute_sets=compute_sets, tiles_per_ipu=4, loops=2)
