"""Processes begin as strips where their lanes do not fit, until a person chooses."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from app.profile.timeline import Timeline
from app.views.look import Look
from app.views.timeline.layout import HEAD
from app.views.timeline.model import Model
from app.views.timeline.scene import Place
from app.views.timeline.state import Shown, restore, saved_state
from generators.timelines import counter, random_timeline, timeline

LINE = random_timeline(4000, 40)
FITS, LOW = 1200, 300


def shown_of(line: Timeline = LINE, height: int = LOW) -> Shown:
    shown = Shown(Model.of(line), Look(), Place(1184, height, 184, 42))
    shown.lanes.fold_to_fit()
    return shown


def folded(shown: Shown) -> list[int]:
    return sorted(shown.lanes.choice.folded_groups)


def test_lanes_that_fit_are_open_and_others_are_strips() -> None:
    assert folded(shown_of(height=FITS)) == []
    shown = shown_of()
    assert folded(shown) == [0, 1, 2, 3]
    assert shown.layout.height == 4 * HEAD
    shown.lanes.resize(1184, FITS)
    shown.lanes.fold_to_fit()
    assert folded(shown) == []


def test_the_first_processes_that_have_room_stay_open() -> None:
    """All of them are seen, and the room is used."""
    large = [(f"p{at}", f"t{lane}", [[(0.0, 1.0, "a", "")]]) for at in (0, 1, 2) for lane in range(9 if at == 1 else 3)]
    shown = shown_of(timeline(large))
    assert folded(shown) == [1]
    assert shown.layout.height <= shown.place.body.height


def test_a_single_process_is_never_a_strip() -> None:
    assert folded(shown_of(random_timeline(4000, 40, processes=1))) == []


def test_counters_stand_below_and_count_for_nothing() -> None:
    lanes = [(f"p{at}", "t", [[(0.0, 1.0, "a", "")]]) for at in range(3)]
    line = timeline(lanes)
    tracks = counter(0, 0, *(LINE.slices.start[:1],) * 2)
    alone = [replace(tracks, process=tracks.process + 1 - 1)]
    assert folded(shown_of(replace(line, counters=alone[0]))) == []


def test_revealing_opens_one_process_for_good_and_is_not_saved() -> None:
    shown = shown_of()
    shown.navigation.reveal_lane(25)
    assert folded(shown) == [0, 1, 3]
    shown.lanes.fold_to_fit()
    assert folded(shown) == [0, 1, 3]
    assert "folded_processes" not in saved_state(shown)


def test_what_a_person_folds_stays_and_is_saved() -> None:
    shown = shown_of()
    shown.lanes.toggle_group(1)
    shown.lanes.fold_to_fit()
    assert folded(shown) == [0, 2, 3]
    again = Shown(Model.of(LINE), Look(), Place(1184, LOW, 184, 42))
    restore(again, saved_state(shown))
    again.lanes.fold_to_fit()
    assert folded(again) == [0, 2, 3]


def test_all_expanded_is_saved_too() -> None:
    shown = shown_of()
    assert saved_state(shown) == {}
    shown.lanes.fold_all(False)
    assert saved_state(shown) == {"unfolded": True}
    again = shown_of()
    restore(again, saved_state(shown))
    again.lanes.fold_to_fit()
    assert folded(again) == []


def test_a_filter_by_text_opens_what_it_finds() -> None:
    shown = shown_of()
    shown.lanes.set_filter("MTE2")
    assert folded(shown) == []
    shown.lanes.set_filter("")
    assert folded(shown) == [0, 1, 2, 3]


@pytest.mark.parametrize(("rows_as", "open_"), [("tall", False), ("all", True)])
def test_rows_that_fit_are_opened_and_higher_ones_fold_nothing(rows_as: str, open_: bool) -> None:
    shown = shown_of(height=600)
    assert folded(shown)
    shown.lanes.set_rows(rows_as)
    assert (folded(shown) == []) == open_
    wide = shown_of(height=FITS)
    wide.lanes.set_rows("tall")
    assert folded(wide) == []


def test_the_rest_of_a_file_folds_what_no_longer_fits() -> None:
    some = shown_of(random_timeline(400, 4, processes=2))
    assert folded(some) == []
    whole = Shown(Model.of(LINE), Look(), some.place)
    whole.like(some)
    assert folded(whole) == [0, 1, 2, 3]
