"""Figures, tables and findings of real captures, with the numbers that were worked out by hand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest

from app.analysis.capture.memory import peak
from app.analysis.capture.slices import collective_slices, kernel_slices, launching_slices
from app.analysis.capture.steps import step_times
from app.analysis.checks import check
from app.analysis.compare.comparison import Comparison
from app.analysis.figures import figures
from app.analysis.findings import outcomes
from app.analysis.findings.finding import Finding
from app.analysis.kinds import KINDS
from app.analysis.parts.offered import part_named, part_of
from app.analysis.tables import by_id
from app.analysis.verdicts import verdicts
from app.cli.reading import opened
from app.profile.profile import Profile

CAPTURES = Path(__file__).parents[4] / "shared" / "samples" / "ascend-pt"
MEGABYTE = 2**20

pytestmark = pytest.mark.skipif(not CAPTURES.exists(), reason="the captures are not part of the repository")


def read(*parts: str) -> Iterator[Profile]:
    with ExitStack() as stack:
        yield stack.enter_context(opened([CAPTURES.joinpath(*parts)])).profiles[0]


@pytest.fixture(scope="module")
def rank0() -> Iterator[Profile]:
    yield from read("text", "rank0_ascend_pt")


@pytest.fixture(scope="module")
def ranks() -> Iterator[Profile]:
    yield from read("text")


@pytest.fixture(scope="module")
def databases() -> Iterator[Profile]:
    yield from read("db")


def values(profile: Profile) -> dict[str, object]:
    return {figure.name: figure.value for figure in figures(profile)}


def finding(profile: Profile, rule: str) -> Finding:
    (outcome,) = (one for one in outcomes(profile) if one.rule.id == rule)
    return outcome.findings[0]


def test_figures_of_a_rank(rank0: Profile) -> None:
    known = values(rank0)
    assert known["capture.producer"] == "torch_npu"
    assert (known["capture.mode"], known["capture.level"], known["capture.ranks"]) == ("text", "Level1", [0])
    assert (known["capture.kernels"], known["capture.kernel_types"], known["capture.collectives"]) == (187, 33, 4)
    seconds = {name: known[f"capture.{name}_s"] for name in ("computing", "communication_exposed", "free", "stage")}
    wanted = {"computing": 8873.756, "communication_exposed": 101963.203, "free": 25744.050, "stage": 136581.0}
    assert seconds == {name: pytest.approx(value / 1e6, abs=0.03e-6) for name, value in wanted.items()}
    assert known["capture.preparing_s"] == pytest.approx(17902.5e-6, abs=0.25e-6)
    assert known["capture.memory_peak_reserved_bytes"] == 1452 * MEGABYTE
    assert known["capture.memory_peak_allocated_bytes"] == pytest.approx(1188.0 * MEGABYTE, rel=1e-4)


def test_the_files_agree_with_what_is_computed(rank0: Profile, ranks: Profile, databases: Profile) -> None:
    """Databases to the nanosecond."""
    for profile in (rank0, ranks, databases):
        assert check(profile) == []
        assert step_times(profile).exact.all()


def test_every_kernel_and_collective_has_its_slice(rank0: Profile, ranks: Profile, databases: Profile) -> None:
    for profile, kernels in ((rank0, 187), (ranks, 374), (databases, 374)):
        line = profile.timeline
        assert line is not None
        assert profile.kernels is not None
        found = kernel_slices(profile)
        assert len(set(found.tolist())) == kernels
        assert found.min() >= 0
        names = [line.strings.get(int(line.slices.name[slice_])) for slice_ in found.tolist()]
        assert names == [profile.kernels.strings.get(int(name)) for name in profile.kernels.name.tolist()]
        assert collective_slices(profile).min() >= 0
        launched = [len(launching_slices(profile, slice_)) for slice_ in found.tolist()]
        assert min(launched) >= 1, "each kernel leads on to the call that launched it"
        (part,) = KINDS["kernel"].parts(profile, np.array([5], np.int64))  # type: ignore[misc]
        assert part.pointers[0].selection.kind == "slice"


def test_findings_of_a_rank(rank0: Profile) -> None:
    exposed = finding(rank0, "trace.exposed-communication")
    assert exposed.evidence[0].value == pytest.approx(101.963e-3, abs=1e-6)
    assert exposed.evidence[1].value == pytest.approx(136.581e-3, abs=1e-6)
    assert finding(rank0, "ascend.capture.free").evidence[0].value == pytest.approx(25.744e-3, abs=1e-6)
    bound = finding(rank0, "ascend.capture.memory-bound")
    assert bound.saving is not None
    assert bound.saving.at_most == pytest.approx(4.281e-3, abs=1e-6)
    assert "25 kernels" in "".join(str(word) for word in bound.text)
    small = finding(rank0, "ascend.capture.small-packets")
    assert [round(float(one.value) / 1e6, 1) for one in small.evidence[:2]] == [163.4, 427.6]
    dynamic = finding(rank0, "ascend.capture.dynamic-shapes")
    assert [one.value for one in dynamic.evidence[:2]] == [187.0, 187.0]
    reserved = finding(rank0, "ascend.capture.memory-peak")
    assert [round(float(one.value) / MEGABYTE) for one in reserved.evidence[:2]] == [1452, 1188]


def test_what_holds_the_memory_at_the_peak(rank0: Profile) -> None:
    own = peak(rank0, 0)
    assert own is not None
    assert own.held / MEGABYTE == pytest.approx(486.6, abs=0.05)


def test_the_late_rank(ranks: Profile) -> None:
    known = values(ranks)
    assert (known["capture.ranks"], known["cluster.late_rank"], known["cluster.collectives"]) == ([0, 1], 1, 4)
    assert known["cluster.delay_s"] == pytest.approx(5.608e-3, abs=0.5e-6)
    assert str(known["cluster.delay_collective"]).startswith("hcom_allReduce__586_0")
    late = finding(ranks, "trace.late-rank")
    assert late.saving is not None
    assert late.saving.at_most == pytest.approx(5.608e-3, abs=0.5e-6)
    spreads = by_id(ranks, "collective-delays")
    assert spreads is not None
    (spread,) = (column for column in spreads.columns if column.key == "end_spread")
    assert all(6.6e-6 < float(str(spread.value(row))) < 15e-6 for row in range(4))
    told = next(one for one in verdicts(ranks) if one.about == "capture")
    assert "rank 1 late by " in told.short


def test_a_rank_is_compared_with_another(ranks: Profile) -> None:
    before, after = (part_of(ranks, part_named(ranks, f"rank={number}")) for number in (0, 1))
    table = Comparison(before, after).table("kernels")
    assert table is not None
    assert table.matches.whole


def test_the_late_rank_of_the_databases(databases: Profile) -> None:
    known = values(databases)
    assert (known["cluster.late_rank"], known["cluster.delay_s"]) == (1, pytest.approx(3.532626e-3, abs=1e-9))


def test_a_cluster_by_its_files_alone() -> None:
    for profile in read("cluster_analysis_output"):
        known = values(profile)
        assert known["capture.ranks"] == list(range(16))
        computing = known["cluster.computing_s"]
        assert isinstance(computing, dict)
        assert computing["0"] == pytest.approx(75174.57464453117e-6)
        made = {one.rule.id: one for one in outcomes(profile)}
        assert made["ascend.capture.uneven-ranks"].findings == (), "computing differs by 1.5 % of the mean step"
        (exposed,) = made["trace.exposed-communication"].findings
        assert (exposed.severity, exposed.saving) == ("info", None), "without kernels nothing bounds what it saves"
