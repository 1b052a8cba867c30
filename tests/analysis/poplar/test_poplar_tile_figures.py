"""Figures per tile besides memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from app.analysis.tile_figures import FIGURES, available
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.profile.profile import Profile
from generators import poplar

BY_ID = {figure.id: figure for figure in FIGURES}


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    scale = poplar.Scale(ipus=2, tiles_per_ipu=8, loops=2)
    (profile,) = read(FORMAT, poplar.write_pair(tmp_path_factory.mktemp("figures"), scale))
    return profile


def values(profile: Profile, figure: str) -> np.ndarray:
    made = BY_ID[figure].make(profile)
    assert made is not None
    return made


def test_all_are_offered_by_a_full_file(profile: Profile) -> None:
    assert [figure.id for figure in available(profile)] == [figure.id for figure in FIGURES]
    for figure in available(profile):
        made = figure.make(profile)
        assert made is not None
        assert len(made) == 16


def test_sync_delays_are_alike_on_every_ipu(profile: Profile) -> None:
    """113 + the tile's own, which the target gives for one IPU."""
    delays = values(profile, "sync-delay")
    assert delays.tolist() == [113 + tile % 8 for tile in range(16)]
    assert profile.target is not None
    odd = replace(profile, target=replace(profile.target, relative_sync_delay=np.arange(3)))
    assert BY_ID["sync-delay"].make(odd) is None
    huge = replace(profile, target=replace(profile.target, ipus=10**9))
    assert len(values(huge, "sync-delay")) == 8


def test_compute_cycles_count_runs_or_are_measured(profile: Profile) -> None:
    sets, steps = profile.compute_sets, profile.steps
    assert sets is not None
    assert sets.cycles is not None
    assert steps is not None
    runs = [int(np.sum(steps.compute_set == number)) for number in range(sets.count)]
    want = sum(runs[number] * sets.cycles[number].astype(np.int64) for number in range(sets.count))
    assert values(profile, "compute-cycles").tolist() == want.tolist()


def test_measured_cycles_say_what_they_count(profile: Profile, tmp_path: Path) -> None:
    figure = BY_ID["compute-cycles"]
    assert figure.label(profile) == "estimate, all runs"
    assert "last execution" not in figure.about(profile)
    scale = poplar.Scale(mode="COMPUTE_SETS", loops=2)
    (measured,) = read(FORMAT, poplar.write_pair(tmp_path, scale))
    assert figure.label(measured) == "measured, last execution"
    assert "as long as one step" in figure.about(measured)
    assert measured.measured_cycles is not None
    assert measured.measured_cycles.compute_sets is not None
    want = measured.measured_cycles.compute_sets.sum(axis=0, dtype=np.int64)
    assert values(measured, "compute-cycles").tolist() == want.tolist()


def test_exchange_bytes_are_both_ways(profile: Profile) -> None:
    own = profile.exchanges
    assert own is not None
    lists = [part for part in (own.internal, own.external, own.host) if part is not None]
    want = sum(
        part.sent.sum(axis=0, dtype=np.int64) + part.received.sum(axis=0, dtype=np.int64)
        for part in lists
        if part.sent is not None and part.received is not None
    )
    assert values(profile, "exchange-bytes").tolist() == want.tolist()


def test_a_bare_file_offers_none(profile: Profile) -> None:
    bare = Profile(name="x", origin=profile.origin)
    assert available(bare) == []
    for figure in FIGURES:
        assert figure.make(bare) is None
