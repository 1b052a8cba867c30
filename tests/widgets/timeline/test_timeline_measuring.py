"""How busy lanes are is measured in pieces that give what the whole gives, and said where more than all of the time is
used."""

from __future__ import annotations

import numpy as np
import pytest

from app.analysis.timeline.intervals import busy, parallel
from app.profile.selection import TimeRange
from app.views.look import Look
from app.views.timeline import contents
from app.views.timeline.contents import LaneUse, measure
from app.views.timeline.model import Model, slice_extent
from app.views.timeline.scene import Place
from app.views.timeline.state import Shown
from app.widgets.timeline.words import about_band
from generators.timelines import random_timeline, timeline

WIDE = timeline(
    [
        ("core0", "VECTOR", [[(0.0, 10.0, "a", "")], [(2.0, 8.0, "b", "")], [(4.0, 6.0, "c", "")]]),
        ("core0", "MTE2", [[(0.0, 4.0, "d", ""), (4.0, 4.0, "e", "")]]),
    ]
)


@pytest.mark.parametrize("stretch", [None, TimeRange(100.0, 700.0)])
def test_pieces_give_what_the_whole_gives(monkeypatch: pytest.MonkeyPatch, stretch: TimeRange | None) -> None:
    monkeypatch.setattr(contents, "AT_ONCE", 50)
    model = Model.of(random_timeline(3_000, 5))
    use = LaneUse.unknown(len(model.timeline.lanes.thread))
    steps = sum(1 for _ in measure(model, use, stretch))
    low, high = slice_extent(model.timeline) if stretch is None else (stretch.start, stretch.end)
    beside = parallel(model.timeline, stretch)
    assert use.busy == pytest.approx(busy(model.timeline, stretch) / (high - low), rel=1e-9)
    assert use.summed == pytest.approx(beside.summed / (high - low), rel=1e-9)
    assert use.at_once.tolist() == beside.at_once.tolist()
    assert steps > 2 * len(use.busy)


def test_slices_that_all_begin_together_are_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contents, "AT_ONCE", 2)
    line = timeline([("p", "t", [[(0.0, 4.0 - row, "s", "")] for row in range(4)])])
    use = LaneUse.unknown(1)
    assert sum(1 for _ in measure(Model.of(line), use, None)) == 1
    assert (use.busy.tolist(), use.summed.tolist(), use.at_once.tolist()) == ([1.0], [2.5], [4])


def test_the_name_of_a_lane_says_what_more_than_all_of_the_time_means() -> None:
    shown = Shown(Model.of(WIDE), Look(), Place(1184, 428, 184, 42))
    while shown.contents.work():
        pass
    said = {band.index: about_band(shown, band).splitlines() for band in shown.layout.bands if band.kind == "lane"}
    assert said[0][-2:] == [
        "busy 100.0 % of the time from the first to the last slice (union of its slices)",
        "up to 3 slices at once: their durations add up to 240.0 % of that time",
    ]
    assert said[1][-1] == "busy 80.0 % of the time from the first to the last slice (union of its slices)"
    shown.contents.measure(TimeRange(0.0, 4.0))
    while shown.contents.work():
        pass
    first = next(band for band in shown.layout.bands if band.kind == "lane")
    last = about_band(shown, first).splitlines()[-1]
    assert last == "up to 2 slices at once: their durations add up to 150.0 % of that time"
    assert np.isfinite(shown.contents.use.summed).all()


def test_a_lane_of_very_many_rows_is_not_searched_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contents, "AT_ONCE", 10)
    line = timeline([("p", "t", [[(float(row), 500.0, "s", "")] for row in range(200)])])
    use = LaneUse.unknown(1)
    assert sum(1 for _ in measure(Model.of(line), use, None)) == 1
    assert (use.busy.tolist(), use.at_once.tolist()) == ([1.0], [200])
