"""Rules about PopEF models report what was planted, and nothing else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.analysis.checks import check
from app.analysis.findings import ranked
from app.analysis.findings.finding import Finding
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.store.findings import outcomes
from fakes.popef_files import written
from generators.popef import Anchor, Model, executable, feed, metadata, tensor

F32 = 3


def model(folder: Path, *blobs: bytes, anchors: tuple[Anchor, ...] = ()) -> Profile:
    """A model with an input of the main program, a weight, and these blobs and anchors, checked as by the reader."""
    own = Model(
        anchors=(Anchor("input", programs=(5,)), Anchor("weight", programs=(0,)), *anchors),
        flow=((0,), (5,), ()),
    )
    weight = tensor("weight", (2,), F32, np.array([1, 2], "<f4").tobytes())
    profile = written(folder / "model.popef", executable("1", b"x"), metadata(own), weight, *blobs)
    for issue in check(profile):
        profile = profile.with_issue(issue)
    return profile


def only(profile: Profile, rule: str) -> Finding:
    ((own, finding),) = ranked(outcomes(profile))
    assert own.id == rule
    return finding


def test_a_sound_model_is_clean(tmp_path: Path) -> None:
    made = outcomes(model(tmp_path))
    assert ranked(made) == []
    assert not any(outcome.why for outcome in made)


def test_a_name_that_leads_nowhere(tmp_path: Path) -> None:
    stray = tensor("stray", (2,), F32, np.array([3, 4], "<f4").tobytes())
    finding = only(model(tmp_path, stray), "popef.links")
    assert finding.severity == "warning"
    assert "stray" in str(finding.evidence[0].value)


def test_a_payload_that_is_too_short(tmp_path: Path) -> None:
    short = tensor("more", (4,), F32, np.array([1, 2], "<f4").tobytes())
    finding = only(model(tmp_path, short, anchors=(Anchor("more", shape=(4,), programs=(5,)),)), "popef.sizes")
    assert finding.severity == "error"


def test_a_weight_without_data_and_a_feed_without_tensors(tmp_path: Path) -> None:
    finding = only(model(tmp_path, anchors=(Anchor("lost", programs=(0,)),)), "popef.missing-data")
    assert [(evidence.key, evidence.selection) for evidence in finding.evidence] == [
        ("lost", Selection("anchor", (2,)))
    ]
    empty = model(tmp_path, feed("input", (2,), F32, 0))
    assert only(empty, "popef.missing-data").evidence[0].table == "feeds"


@pytest.mark.parametrize(
    ("values", "title", "value"),
    [
        ((1, float("nan"), float("inf")), "1 tensor contains values that are not numbers", 2),
        ((0, 0, 0), "1 tensor is all zero", 3),
        ((7, 7, 7), "1 tensor has the same value everywhere", 7),
    ],
)
def test_suspicious_values(tmp_path: Path, values: tuple[float, ...], title: str, value: float) -> None:
    odd = tensor("odd", (3,), F32, np.array(values, "<f4").tobytes())
    finding = only(model(tmp_path, odd, anchors=(Anchor("odd", shape=(3,), programs=(5,)),)), "popef.values")
    assert (finding.title, finding.evidence[0].value) == (title, value)
    assert finding.evidence[0].selection == Selection("tensor", (1,))


def test_all_tensors_of_a_feed_are_read(tmp_path: Path) -> None:
    numbers = np.array([[1, 2], [3, np.nan]], "<f4")
    profile = model(tmp_path, feed("input", (2,), F32, 2, numbers.tobytes()))
    assert only(profile, "popef.values").evidence[0].value == 1


def test_a_file_that_has_changed_is_not_judged(tmp_path: Path) -> None:
    profile = model(tmp_path)
    (tmp_path / "model.popef").write_bytes(b"")
    (outcome,) = (outcome for outcome in outcomes(profile) if outcome.why)
    assert outcome.rule.id == "popef.values"
    assert "changed" in outcome.why
