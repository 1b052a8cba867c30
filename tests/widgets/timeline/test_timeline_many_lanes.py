"""A hundred thousand lanes, processes and counters cost what is seen of them: no object for each."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.profile.timeline import Timeline
from app.views.look import Look
from app.views.timeline import bands
from app.views.timeline import lanes as lanes_part
from app.views.timeline.bands import Band
from app.views.timeline.contents import Track
from app.views.timeline.layout import RowChoice, Sizes, lay_out
from app.views.timeline.model import Model, Process, Processes
from app.views.timeline.scene import Place
from app.views.timeline.state import Shown
from app.widgets.timeline.pick import neighbour_band
from generators.ascend_hostile import counters, lanes, trace
from generators.reading import profile_of

MANY = 20_000


def read(raw: bytes) -> Timeline:
    from app.formats.ascend_trace import FORMAT

    timeline = profile_of(FORMAT, raw).timeline
    assert timeline is not None
    return timeline


def processes(n: int) -> bytes:
    return trace([{"ph": "X", "pid": f"p{i}", "tid": "t", "name": "s", "ts": i, "dur": 1} for i in range(n)])


@pytest.mark.parametrize("make", [counters, lanes, processes])
def test_objects_are_made_of_what_is_seen(make: object, monkeypatch: pytest.MonkeyPatch) -> None:
    assert callable(make)
    timeline = read(make(MANY))
    made = {"bands": 0, "tracks": 0, "groups": 0}
    one_band, one_track, one_group = bands._band, Track.of, Processes.__getitem__

    def band(fields: list[int]) -> Band:
        made["bands"] += 1
        return one_band(fields)

    def track(*arguments: object) -> Track:
        made["tracks"] += 1
        return one_track(*arguments)  # type: ignore[arg-type]

    def group(groups: Processes, index: int) -> Process:
        made["groups"] += 1
        return one_group(groups, index)

    monkeypatch.setattr(bands, "_band", band)
    monkeypatch.setattr(Track, "of", track)
    monkeypatch.setattr(Processes, "__getitem__", group)
    shown = Shown(Model.of(timeline), Look(), Place(1200, 800))
    scene = shown.scene()
    for seen in scene.layout.in_view(scene.view.top, 800):
        assert seen.kind != "counter" or scene.tracks[seen.index].high >= 0
    neighbour_band(shown, MANY // 2, 1)
    scene.layout.band_of_row(MANY // 2)
    assert scene.layout.sticky(MANY) is None or scene.layout.headings
    assert all(count < 100 for count in made.values()), made
    assert len(scene.layout.bands) >= MANY


def test_rows_are_laid_out_when_something_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def counted(*arguments: object) -> object:
        calls.append(arguments)
        return lay_out(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(lanes_part, "lay_out", counted)
    shown = Shown(Model.of(read(counters(10))), Look(), Place(1200, 800))
    shown.set_text(16)
    shown.set_notes((), None)
    shown.lanes.resize(1000, 700)
    assert len(calls) == 1
    shown.lanes.set_rows("tall")
    assert len(calls) == 2


@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 3), st.integers(0, 3)), max_size=6),
    st.frozensets(st.integers(0, 5)),
    st.frozensets(st.integers(0, 12)),
    st.lists(st.integers(0, 12), unique=True, max_size=4),
    st.none() | st.frozensets(st.integers(0, 20)),
)
def test_bands_are_those_of_a_loop(
    made: list[tuple[bool, int, int]],
    folded_groups: frozenset[int],
    folded_lanes: frozenset[int],
    pins: list[int],
    left: frozenset[int] | None,
) -> None:
    """The same stacking, told as a loop over groups, lanes and counters."""
    groups, lane, track = [], 0, 0
    for named, own, tracks in made:
        groups.append(Process("core" * named, tuple(range(lane, lane + own)), tuple(range(track, track + tracks))))
        lane, track = lane + own, track + tracks
    first_row = np.cumsum([0, *(1 + number % 3 for number in range(lane))])
    choice = RowChoice(folded_groups, folded_lanes, tuple(pin for pin in pins if pin < lane), left, left)
    layout = lay_out(Processes.of(groups), first_row, choice, Sizes(20), 400)
    headed = len(groups) > 1 or any(group.name for group in groups)
    expected = [("lane", pin) for pin in choice.pins]
    for number, group in enumerate(groups):
        own_lanes = [one for one in group.lanes if one not in choice.pins and (left is None or one in left)]
        own_tracks = [one for one in group.counters if left is None or one in left]
        if headed and (own_lanes or own_tracks):
            expected.append(("process", number))
        if headed and number in folded_groups:
            assert all(layout.lane_bands[one].index == number for one in own_lanes)
            continue
        expected += [("lane", one) for one in own_lanes] + [("counter", one) for one in own_tracks]
        assert all(layout.lane_bands[one].kind == "lane" for one in own_lanes)
    assert [(band.kind, band.index) for band in layout.bands] == expected
    assert [band.y for band in layout.bands[1:]] == [band.bottom for band in layout.bands[:-1]]
    for band in layout.bands:
        if band.kind == "lane":
            assert (band.first_row, band.rows) == (int(first_row[band.index]), 1 + band.index % 3)
            assert band.folded == (band.index in folded_lanes and band.rows > 1)
            assert band.y <= band.rows_y < band.bottom
