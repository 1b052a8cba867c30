"""Cycles of all tiles together are no duration; those of one tile on average are."""

from __future__ import annotations

from app.analysis.poplar.spent import Spent
from app.panels.steps.spent_picture import picture_of


def test_only_the_mean_of_a_tile_is_a_time() -> None:
    picture = picture_of(Spent({"compute": 4_000_000}, {"compute": 3_000_000.0}, 1000, 8e6, 0), None, 1e9)
    assert picture is not None
    first, mean, *_, steps = picture.bars[0].tip.splitlines()
    assert first == "compute: 4,000,000 cycles on all tiles, 50.0 %"
    assert mean == "4,000 cycles (4.00 µs) per tile on average"
    assert steps.startswith("From the steps: 3,000,000 cycles.")
