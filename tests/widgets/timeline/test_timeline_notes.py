"""Notes above the rows, pinned lanes, and how a timeline comes back as it was left."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.profile.file_state import TimeNote
from app.profile.selection import TimeRange
from app.views.colours import packed
from app.views.look import Look
from app.views.timeline.body import draw_body
from app.views.timeline.layout import RowChoice
from app.views.timeline.model import Model
from app.views.timeline.scene import MOST_LINES, RULER, Notes, Place, lines_of
from app.views.timeline.state import Shown, restore, saved_state
from app.views.timeline.view import View
from app.widgets.timeline.note_strip import note_at, note_boxes
from app.widgets.timeline.pick import hit
from app.widgets.timeline.words import describe
from generators.timelines import random_timeline, timeline

LINE = timeline(
    [
        ("core0", "SCALAR", [[(10.0, 10.0, "ADD", "startup"), (30.0, 20.0, "LOAD", "startup")]]),
        ("core0", "CUBE", [[(20.0, 40.0, "MMAD", "CUBE")], [(25.0, 5.0, "inner", "")]]),
        ("core1", "SCALAR", [[(0.0, 100.0, "whole", "startup")]]),
    ]
)


def shown_of(height: int = 428) -> Shown:
    shown = Shown(Model.of(LINE), Look(), Place(1184, height, 184, RULER))
    while shown.contents.work():
        pass
    shown.set_text(15)
    shown.navigation.view = View(0.0, 100.0)  # ten pixels to a unit
    return shown


def test_there_is_no_strip_without_notes() -> None:
    shown = shown_of()
    assert shown.place.notes == 0
    shown.set_notes((TimeNote(10, 20, "a"),), None)
    assert shown.place.notes == 19
    assert shown.place.body.y == RULER + 19
    shown.set_notes((), None)
    assert shown.place.body.y == RULER


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 8)), max_size=12))
def test_notes_on_one_line_do_not_overlap(spans: list[tuple[int, int]]) -> None:
    start = np.array([begin for begin, _ in spans], np.float64)
    end = np.array([begin + length for begin, length in spans], np.float64)
    line = lines_of(start, end)
    assert ((line >= 0) & (line < MOST_LINES)).all()
    for a in range(len(spans)):
        for b in range(a):
            if line[a] == line[b] < MOST_LINES - 1:
                assert start[a] >= end[b] or start[b] >= end[a]


def test_where_notes_stand_and_how_far_names_reach() -> None:
    shown = shown_of()
    notes = (
        TimeNote(60, 60, "a moment with a name that is long enough to be cut off somewhere"),
        TimeNote(10, 30, "x"),
    )
    shown.set_notes((*notes, TimeNote(70, 70, "b"), TimeNote(500, 510, "outside")), 1)
    boxes = {box.number: box for box in note_boxes(shown.scene())}
    assert set(boxes) == {0, 1, 2}
    assert (boxes[1].left, boxes[1].right, boxes[1].room) == (284, 484, 484)
    assert (boxes[0].left, boxes[0].right) == (784, 784)
    assert boxes[0].room == 884 - 2  # up to the next
    y = boxes[0].top + 3
    assert [note_at(shown.scene(), x, y) for x in (300, 500, 790, 870, 886)] == [1, None, 0, 0, 2]
    at = hit(shown, 300, y, None)
    assert (at.zone, at.note) == ("notes", 1)
    assert describe(shown, at).splitlines()[0] == "x"
    assert "20.0 µs long" in describe(shown, at)


def test_a_stretch_is_focused_and_a_moment_only_centred() -> None:
    shown = shown_of()
    shown.navigation.focus_stretch(TimeRange(20, 29))
    assert (shown.view.start, shown.view.end) == pytest.approx((19.5, 29.5))
    shown.navigation.focus_stretch(TimeRange(60, 60))
    assert (shown.view.start, shown.view.end) == pytest.approx((55, 65))
    shown.navigation.focus_stretch(TimeRange(60, 60))
    assert shown.view.span > 100


def test_lines_of_notes() -> None:
    assert Notes.of(()).lines == 0
    assert Notes.of((TimeNote(0, 9, "a"), TimeNote(1, 2, "b"))).line.tolist() == [0, 1]


def test_a_pinned_lane_stays_while_the_others_scroll() -> None:
    shown = shown_of(RULER + 80)
    shown.lanes.toggle_pin(2)
    layout = shown.layout
    assert layout.fixed == 24
    still = shown.scene().slice_box(4)
    shown.navigation.view = View(0.0, 100.0, 40)
    assert shown.scene().slice_box(4) == still
    assert still is not None
    assert still.y == RULER + 2
    image = draw_body(shown.scene(), 1.0).image
    fill = packed(shown.scene().shades.fill[shown.model.rows.slot(np.array([4]))[0]])
    assert set(image[5, 10:900].tolist()) == {fill}
    at = hit(shown, 5, still.y + 4, None)
    assert (at.zone, at.band is not None and at.band.index) == ("pin", 2)
    assert hit(shown, 90, still.y + 4, None).zone == "names"
    assert hit(shown, 500, still.y + 4, None).index == 4
    shown.lanes.toggle_pin(2)
    assert shown.layout.fixed == 0


def test_what_passes_under_pinned_lanes_is_cut() -> None:
    shown = shown_of(RULER + 80)
    shown.lanes.toggle_pin(2)
    top = shown.layout.row_y(0)
    assert top is not None
    # the first row is half under the pinned lane
    shown.navigation.view = View(0.0, 100.0, top[0] - shown.layout.fixed + 10)
    scene = shown.scene()
    box = scene.slice_box(1)
    assert box is not None
    assert box.y == scene.body.y + shown.layout.fixed
    assert 0 < box.height < 12
    labels = draw_body(scene, 1.0).labels
    assert 1 not in labels.index.tolist()
    shown.navigation.view = View(0.0, 100.0, top[0] - shown.layout.fixed + 30)
    assert shown.scene().slice_box(1) is None


def test_revealing_goes_below_the_pinned_lanes() -> None:
    shown = Shown(Model.of(random_timeline(4000, 40)), Look(), Place(800, 300))
    for lane in (30, 31):
        shown.lanes.toggle_pin(lane)
    first = shown.model.rows.first
    for lane in (0, 25, 39, 3):
        shown.navigation.reveal(int(first[lane]))
        box = shown.scene().slice_box(int(first[lane]))
        assert box is not None
        assert box.y >= shown.place.body.y + shown.layout.fixed
        assert box.height > 15
    top = shown.view.top
    shown.navigation.reveal(int(first[30]))
    assert shown.view.top == top


def test_as_it_was_left() -> None:
    before = shown_of(RULER + 80)
    before.navigation.view = View(-1.0, 101.0)
    assert saved_state(before) == {}
    before.lanes.toggle_pin(2)
    before.lanes.toggle_pin(0)
    before.lanes.toggle_lane(1)
    before.lanes.set_rows("tall")
    before.lanes.set_gutter(240)
    before.navigation.view = View(20.0, 40.0, 10)
    after = shown_of(RULER + 80)
    restore(after, saved_state(before))
    assert after.lanes.choice == before.lanes.choice == RowChoice(folded_lanes=frozenset({1}), pins=(2, 0))
    assert (after.view, after.lanes.rows_as, after.place.gutter) == (before.view, "tall", 240)
    assert saved_state(after) == saved_state(before)


@pytest.mark.parametrize(
    "found",
    [
        {"start": 5, "end": 1},
        {"start": "a", "end": None},
        {"start": float("nan"), "end": 1},
        {"start": -1e299, "end": 1e299, "top": -4},
        {"start": 1, "end": 1 + 1e-13, "top": 10**12},
        {"pins": ["core9 / X", 3, None, "core0 / CUBE", "core0 / CUBE"], "folded_lanes": 7, "rows": "huge"},
        {"folded_processes": {"core0": 1}, "gutter": 10**9, "unknown": []},
    ],
)
def test_what_does_not_fit_is_passed_over(found: dict[str, object]) -> None:
    shown = shown_of()
    restore(shown, found)
    assert shown.lanes.choice.pins in ((), (1,))
    assert shown.view.span > 0
    assert shown.view.start >= -2
    assert shown.view.end <= 102
    assert 0 <= shown.view.top <= shown.layout.height
    assert shown.lanes.rows_as == "normal"


def test_the_name_of_a_narrow_stretch_stands_beside_it() -> None:
    shown = shown_of()
    shown.set_notes((TimeNote(10, 13, "narrow"), TimeNote(30, 36, "wide")), None)
    boxes = {box.number: box for box in note_boxes(shown.scene())}
    assert (boxes[0].narrow, boxes[0].thin, boxes[0].name_at) == (True, False, boxes[0].right + 4)
    assert (boxes[1].narrow, boxes[1].room) == (False, boxes[1].right)
    y = boxes[0].top + 3
    assert [note_at(shown.scene(), x, y) for x in (290, 325, 460, 490)] == [0, 0, None, 1]
