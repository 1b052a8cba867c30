"""What a timeline shows and how gestures change it, without a screen."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from app.profile.selection import TimeRange
from app.profile.timeline import Instants, Timeline
from app.views.colours import packed
from app.views.look import Look
from app.views.timeline import contents
from app.views.timeline import view as views
from app.views.timeline.body import LABEL_WIDTH, draw_body
from app.views.timeline.find import Hits, Query
from app.views.timeline.layout import HEAD
from app.views.timeline.model import Model
from app.views.timeline.rows import Rows
from app.views.timeline.scene import LOW, Place, ruler_height
from app.views.timeline.state import Shown, saved_state
from app.views.timeline.view import View
from app.widgets.timeline.flow_arrows import arrows
from app.widgets.timeline.painting import scene_ruler
from app.widgets.timeline.pick import first_seen, hit, neighbour, pick, snapped
from app.widgets.timeline.words import describe, selected_words, total
from generators.timelines import counter, random_timeline, timeline, with_flows

WIDTH, HEIGHT, GUTTER, RULER = 1184, 428, 184, 42
SMALL = timeline(
    [
        ("core0", "SCALAR", [[(10.0, 10.0, "ADD", "startup"), (30.0, 20.0, "LOAD", "startup")]]),
        ("core0", "CUBE", [[(20.0, 40.0, "MMAD", "CUBE")], [(25.0, 5.0, "inner", "")]]),
        ("core1", "SCALAR", [[(0.0, 100.0, "whole", "startup")]]),
    ]
)


def shown_of(line: Timeline = SMALL, height: int = HEIGHT) -> Shown:
    shown = Shown(Model.of(line), Look(), Place(WIDTH, height, GUTTER, RULER))
    while shown.contents.work():
        pass
    shown.navigation.view = View(0.0, 100.0)  # ten pixels to a unit
    return shown


def middle(shown: Shown, index: int) -> tuple[float, float]:
    box = shown.scene().slice_box(index)
    assert box is not None
    return box.x + box.width / 2, box.y + box.height / 2


def test_slices_stand_where_their_times_say() -> None:
    scene = shown_of().scene()
    box = scene.slice_box(1)
    assert box is not None
    assert (box.x, box.width) == (GUTTER + 300, 200)
    assert box.y == RULER + HEAD + 2
    assert scene.time(GUTTER + 300) == 30.0


def test_what_is_wide_enough_is_labelled_where_it_is_seen() -> None:
    shown = shown_of()
    labels = draw_body(shown.scene(), 1.0).labels
    assert sorted(labels.index.tolist()) == [0, 1, 2, 3, 4]
    shown.navigation.view = View(45.0, 95.0)
    labels = draw_body(shown.scene(), 1.0).labels
    placed = dict(zip(labels.index.tolist(), zip(labels.x.tolist(), labels.width.tolist(), strict=True), strict=True))
    assert placed == {1: (0.0, 100.0), 2: (0.0, 300.0), 4: (0.0, 1000.0)}
    assert (labels.width >= LABEL_WIDTH).all()


def test_the_image_has_the_colours_of_the_slices() -> None:
    shown = shown_of()
    scene = shown.scene()
    image = draw_body(scene, 1.0).image
    row = HEAD + 2 + 5
    fill = packed(scene.shades.fill[shown.model.rows.slot(np.array([1]))[0]])
    assert set(image[row, 302:498].tolist()) == {fill}
    assert set(image[row, 210:299].tolist()) == {packed(scene.theme.surface)}
    assert image.flags.c_contiguous
    doubled = draw_body(scene, 2.0).image
    assert doubled.shape == (image.shape[0] * 2, image.shape[1] * 2)
    assert doubled[2 * row, 700] == fill


def test_folding_keeps_everything_in_sight() -> None:
    shown = shown_of()
    before = shown.layout.height
    shown.lanes.toggle_group(0)
    assert shown.layout.height < before
    image = draw_body(shown.scene(), 1.0).image[:HEAD]
    busy = (image != packed(shown.look.theme.surface)).any(0)
    assert busy[[150, 450, 550]].all()
    assert not busy[700]
    shown.lanes.open_row(1)
    assert shown.layout.height == before
    shown.lanes.fold_all(True)
    assert shown.layout.height == 2 * HEAD
    shown.lanes.fold_all(False)
    shown.lanes.toggle_lane(1)
    assert shown.layout.height < before


def test_rows_shrink_to_be_seen_at_once() -> None:
    shown = shown_of(random_timeline(3000, 100), height=500)
    assert shown.layout.height > 472
    shown.lanes.set_rows("all")
    assert shown.layout.height <= 472
    assert shown.view.top == 0


def test_the_pointer_finds_slices_ruler_names_and_edges() -> None:
    shown = shown_of()
    stretch = TimeRange(20.0, 80.0)
    at = hit(shown, *middle(shown, 3), stretch)
    assert (at.zone, at.index, at.count) == ("body", 3, 1)
    assert hit(shown, GUTTER + 50, 10, None).zone == "ruler"
    assert hit(shown, 20, 10, None).zone == "corner"
    assert hit(shown, GUTTER + 1, 200, None).zone == "border"
    assert hit(shown, GUTTER + 202, 200, stretch).zone == "start"
    assert hit(shown, GUTTER + 799, 200, stretch).zone == "end"
    names = hit(shown, 20, RULER + 5, None)
    assert names.zone == "names"
    assert names.band is not None
    assert names.band.kind == "process"
    empty = hit(shown, GUTTER + 5, middle(shown, 0)[1], None)
    assert (empty.index, empty.count, empty.row) == (None, 0, 0)


def test_a_slice_thinner_than_a_pixel_is_still_found_and_says_what_it_stands_for() -> None:
    row = [(50.0 + i * 0.001, 0.0005 if i != 40 else 0.0009, f"tiny {i}", "") for i in range(100)]
    shown = shown_of(timeline([("p", "t", [[(0.0, 1.0, "first", ""), *row, (99.0, 1.0, "last", "")]])]))
    x = shown.scene().x(50.05)
    y = middle(shown, 0)[1]
    at = hit(shown, x, y, None)
    assert at.index == 41
    assert at.count == 100
    assert "the longest of 100 slices in this pixel" in describe(shown, at)
    beside = hit(shown, x + 2, y, None)
    assert (beside.index, beside.count) == (100, 1)
    assert hit(shown, x + 6, y, None).index is None


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(1, 12)), min_size=1, max_size=30), st.integers(0, 40))
def test_a_pixel_stands_for_the_longest_of_its_slices(steps: list[tuple[int, int]], pixel: int) -> None:
    row: list[tuple[float, float, str, str]] = []
    end = 0.0
    for gap, length in steps:
        row.append((end + gap / 64, length / 64, "a", ""))
        end = row[-1][0] + row[-1][1]
    shown = shown_of(timeline([("p", "t", [row])]))
    moment = shown.view.start + (pixel + 0.5) * shown.view.span / shown.place.body.width
    half = shown.view.span / shown.place.body.width / 2
    inside = [place for place, (a, length, *_) in enumerate(row) if a < moment + half and a + length > moment - half]
    index, count = pick(shown, 0, moment)
    if inside:
        assert count == len(inside)
        assert index == max(inside, key=lambda place: (row[place][1], -place))
    else:
        assert count <= 1


def test_dragged_edges_go_to_the_ends_of_slices_nearby() -> None:
    shown = shown_of()
    y = middle(shown, 1)[1]
    assert snapped(shown, GUTTER + 303, y) == 30.0
    assert snapped(shown, GUTTER + 497, y) == 50.0
    assert snapped(shown, GUTTER + 400, y) == 40.0
    assert snapped(shown, GUTTER + 303, 5) == pytest.approx(30.3)


def test_words_tell_name_times_lane_and_category() -> None:
    shown = shown_of()
    said = describe(shown, hit(shown, *middle(shown, 1), None)).splitlines()
    assert said[0] == "LOAD"
    assert said[1] == "start 30 µs (exactly 30 µs)"
    assert said[2] == "duration 20.0 µs (exactly 20 µs)"
    assert said[3] == "lane core0 / SCALAR"
    assert "category" not in "".join(said)  # startup is SCALAR, which the lane says already
    assert "CUBE" in describe(shown, hit(shown, 20, middle(shown, 2)[1], None))
    assert "on 2 rows" in describe(shown, hit(shown, 20, middle(shown, 2)[1], None))
    assert describe(shown, hit(shown, 20, RULER + 5, None)).startswith("core0: 2 lanes")
    assert selected_words(shown, None, ()) == total(shown) == "5 slices on 3 lanes"
    assert selected_words(shown, 1, ()).startswith("LOAD\nstart 30")
    assert selected_words(shown, None, (0,)).splitlines()[0] == "core0 / SCALAR"


def test_counters_and_instants_are_drawn_and_told() -> None:
    counters = counter(0, 1, np.array([0.0, 50.0]), np.array([4.0, 8.0]))
    lanes: list[tuple[str, str, list[list[tuple[float, float, str, str]]]]] = [
        ("core0", "throughput", [[(0.0, 10.0, "a", "")]]),
        ("core0", "marks", [[(40.0, 0.0, "mark", "")]]),
    ]
    line = timeline(lanes, counters=counters)
    marks = Instants(np.array([1]))
    line = Timeline(**{name: getattr(line, name) for name in Timeline.__struct_fields__} | {"instants": marks})
    shown = shown_of(line)
    image = draw_body(shown.scene(), 1.0).image
    band = next(band for band in shown.layout.bands if band.kind == "counter")
    filled = (image[band.y : band.bottom] != packed(shown.look.theme.surface)).sum(0)
    assert filled[700] > filled[300] > 0
    assert "8" in describe(shown, hit(shown, GUTTER + 700, RULER + band.y + 20, None))
    lane = middle(shown, 1)[1]
    slot = int(shown.model.rows.slot(np.array([1]))[0])
    assert image[int(lane) - RULER, 400] == packed(shown.shades.fill[slot])  # a whole pixel, though it has no length
    while shown.contents.work():
        pass
    assert np.isnan(shown.contents.use.busy).tolist() == [False, True]
    said = describe(shown, hit(shown, GUTTER + 400, lane, None)).splitlines()
    assert said[:2] == ["mark", "instant at 40 µs (exactly 40 µs)"]


def test_a_search_leaves_the_rest_pale() -> None:
    shown = shown_of()
    plain = draw_body(shown.scene(), 1.0).image
    found = shown.contents.search(Query("load").matches(SMALL))
    assert found is not None
    assert found.tolist() == [1]
    while shown.contents.work():
        pass
    body = draw_body(shown.scene(), 1.0)
    row = HEAD + 2 + 5
    assert (body.image[row, 302:498] == plain[row, 302:498]).all()
    assert (body.image[row, 102:198] != plain[row, 102:198]).all()
    assert body.labels.index.tolist() == [1]
    assert shown.contents.search(None) is None
    assert (draw_body(shown.scene(), 1.0).image == plain).all()


def test_several_selected_slices_keep_their_colours_and_are_underlined() -> None:
    """A tile has hundreds of steps: they stay told apart by kind, what is not theirs recedes."""
    shown = shown_of()
    scene = shown.scene()
    plain = draw_body(scene, 1.0).image
    band, foot = HEAD + 2 + 5, shown.layout.row_y(0)
    assert foot is not None
    below = foot[0] + foot[1] - 3
    shown.contents.choose(np.array([0, 1, 2, 3, 4]))
    body = draw_body(shown.scene(), 1.0)
    assert (body.image[band] == plain[band]).all()
    selection = packed(scene.theme.selection)
    assert set(body.image[below, 302:498].tolist()) == {selection}
    assert set(body.image[below, 210:299].tolist()) == {packed(scene.theme.surface)}
    shown.contents.choose(np.array([1, 2]))
    body = draw_body(shown.scene(), 1.0)
    assert (body.image[band, 302:498] == plain[band, 302:498]).all()
    assert (body.image[band, 102:198] != plain[band, 102:198]).all()
    assert selection not in body.image[below, 102:198]
    labelled = dict(zip(body.labels.index.tolist(), body.labels.slot.tolist(), strict=True))
    assert labelled[1] == shown.model.rows.slot(np.array([1]))[0]
    assert (labelled[0], scene.shades.ink[0]) == (0, scene.theme.muted)
    doubled = draw_body(shown.scene(), 2.0).image
    assert doubled[2 * below, 700] == selection
    shown.contents.choose(np.array([], np.int64))
    assert (draw_body(shown.scene(), 1.0).image == plain).all()


def prepared(made: contents.Contents) -> Rows | None:
    """The rows of the selected slices when nothing is left to do."""
    while made.work():
        pass
    return None if made.chosen is None else made.chosen.rows


def test_very_many_selected_slices_are_prepared_in_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    made = shown_of().contents
    made.choose(np.array([0, 1, 2]))
    wanted = prepared(made)
    assert made.choose(np.array([], np.int64))
    assert prepared(made) is None
    monkeypatch.setattr(contents, "STRETCH", 2)
    assert made.choose(np.array([0, 1, 2]))
    rows = prepared(made)
    for name in ("start", "duration", "key", "first", "origin"):
        np.testing.assert_array_equal(getattr(rows, name), getattr(wanted, name))
    made.choose(np.array([1, 2, 3]))
    made.choose(np.array([1]))  # before they are prepared
    assert prepared(made) is None


def test_queries_ask_for_case_words_and_expressions() -> None:
    line = timeline([("p", "t", [[(0.0, 1.0, "MOV_UB", ""), (1.0, 1.0, "mov", ""), (2.0, 1.0, "MOV 2", "")]])])
    model = Model.of(line)

    def found(query: Query) -> list[int]:
        return np.flatnonzero(query.matches(model.timeline)).tolist()

    assert found(Query("mov")) == [0, 1, 2]
    assert found(Query("MOV", case=True)) == [0, 2]
    assert found(Query("mov", word=True)) == [1, 2]
    assert found(Query("^mov$", regex=True)) == [1]
    assert found(Query("")) == []


def test_hits_are_stepped_through_by_time_round_and_round() -> None:
    model = Model.of(SMALL)
    hits = Hits.of(model, np.array([0, 1, 2, 4]))
    assert hits.index.tolist() == [4, 0, 2, 1]
    assert [hits.place(i) for i in (4, 0, 2, 1, 3, None)] == [0, 1, 2, 3, None, None]
    assert hits.step(None, 1) == 4
    assert hits.step(None, -1) == 1
    assert hits.step(1, 1) == 4
    assert hits.step(4, -1) == 1
    assert hits.step(3, 1) == 1  # after it in time
    assert hits.step(3, -1) == 2
    assert Hits.of(model, np.empty(0, np.int64)).step(None, 1) is None


def test_very_many_hits_are_stepped_through_row_by_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.views.timeline.find.MOST_SORTED", 2)
    hits = Hits.of(Model.of(SMALL), np.array([0, 2, 4]))
    assert not hits.by_time
    assert [hits.step(i, 1) for i in (0, 1, 2, 3, 4)] == [2, 2, 4, 4, 0]


def test_focus_brings_to_view_and_then_shows_everything() -> None:
    shown = shown_of()
    shown.navigation.focus(np.array([3]))
    assert shown.view.start < 25 < 30 < shown.view.end
    assert shown.view.span < 6
    shown.navigation.focus(np.array([3]))
    assert shown.view.span > 100
    shown.navigation.back()
    assert shown.view.span < 6
    shown.navigation.back()
    assert (shown.view.start, shown.view.end) == (0.0, 100.0)
    shown.navigation.forward()
    assert shown.view.span < 6


@given(
    st.floats(-1e9, 1e9),
    st.floats(1e-3, 1e6),
    st.sampled_from([0.1, 1 / 1600, -0.3]),
    st.sampled_from([1.0, 1.7, 40.0]),
)
def test_at_the_end_of_the_timeline_nothing_moves(start: float, length: float, fraction: float, zoom: float) -> None:
    """Rounding is no gesture: it would be painted, and gone back to."""
    shown = Shown(Model.of(timeline([("p", "t", [[(start, length, "a", "")]])])), Look(), Place(WIDTH, HEIGHT))
    moved = shown.navigation
    moved.zoom_at(start, zoom)
    moved.pan(1e6 if fraction > 0 else -1e6)
    gestures = len(moved.history.past)
    for _ in range(3):
        assert not moved.go(views.panned(moved.view, fraction, moved.bounds))
    assert len(moved.history.past) == gestures


def test_neighbours_stay_on_the_row() -> None:
    shown = shown_of()
    assert neighbour(shown, 0, 1) == 1
    assert neighbour(shown, 1, 1) is None
    assert neighbour(shown, 0, -1) is None
    assert first_seen(shown) == 0


def test_how_busy_lanes_are_is_found_out_bit_by_bit() -> None:
    shown = shown_of()
    assert shown.contents.use.busy.tolist() == pytest.approx([0.3, 0.4, 1.0])
    shown.contents.measure(TimeRange(15.0, 35.0))
    while shown.contents.work():
        pass
    assert shown.contents.use.busy.tolist() == pytest.approx([0.5, 0.75, 1.0])
    assert "busy 75.0 % of the range" in describe(shown, hit(shown, 20, middle(shown, 2)[1], None))


def test_flows_of_a_slice_are_arrows() -> None:
    shown = shown_of(with_flows(SMALL, [(0, 2), (1, 4)]))
    scene = shown.scene()
    (arrow,) = arrows(scene, (0,))
    assert (arrow.x0, arrow.x1) == (GUTTER + 200, GUTTER + 200)
    assert arrow.y0 < arrow.y1
    assert len(arrows(scene, (0, 1))) == 2
    assert arrows(scene, ()) == []
    shown.lanes.fold_all(True)
    assert len(arrows(shown.scene(), (0,))) == 1


def test_the_same_timeline_read_again_keeps_its_state() -> None:
    before = shown_of()
    before.lanes.set_rows("compact")
    before.lanes.toggle_group(1)
    before.navigation.go(View(20.0, 40.0))
    before.navigation.go(View(20.0, 30.0))
    after = shown_of()
    after.like(before)
    assert (after.view.start, after.view.end) == (20.0, 30.0)
    assert after.lanes.rows_as == "compact"
    assert after.lanes.choice == before.lanes.choice
    after.navigation.back()
    assert (after.view.start, after.view.end) == (20.0, 40.0)


def test_the_heading_of_the_lanes_in_sight_stays() -> None:
    shown = shown_of(height=100)
    layout = shown.layout
    assert layout.sticky(0) is None
    pinned = layout.sticky(30)
    assert pinned is not None
    assert (pinned[0].index, pinned[1]) == (0, 30)
    second = layout.headings[1].y
    pushed = layout.sticky(second - 10)
    assert pushed is not None
    assert (pushed[0].index, pushed[1]) == (0, second - HEAD)
    shown.navigation.view = View(0.0, 100.0, 30)
    at = hit(shown, 20, RULER + 3, None)
    assert at.band is not None
    assert at.band.kind == "process"


def test_times_far_from_zero_keep_their_ticks_apart() -> None:
    line = timeline([("p", "t", [[(1.7e15, 100.0, "a", ""), (1.7e15 + 200, 0.5, "b", "")]])])
    shown = Shown(Model.of(line), Look(), Place(WIDTH, HEIGHT))
    marks = scene_ruler(shown.scene())
    assert "0" in marks.labels[0]
    assert len(set(marks.labels)) == len(marks.labels)


def test_many_slices_are_read_in_pieces_that_spare_the_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contents, "BUDGET", 0.0)
    shown = Shown(Model.of(random_timeline(200_000, 8)), Look(), Place(WIDTH, HEIGHT))
    turns = 0
    while shown.contents.work():
        turns += 1
    assert turns > 8
    assert shown.contents.renderer.pyramid.ready.all()


def part_and_whole() -> tuple[Timeline, Timeline]:
    """The first slices of a trace, and all of it, which has a lane before theirs and begins earlier."""
    part = timeline([("core1", "CUBE", [[(10.0, 10.0, "MMAD", "CUBE"), (30.0, 20.0, "MMAD", "CUBE")]])])
    whole = timeline(
        [
            ("core0", "SCALAR", [[(0.0, 900.0, "ADD", "startup")]]),
            ("core1", "CUBE", [[(110.0, 10.0, "MMAD", "CUBE"), (130.0, 20.0, "MMAD", "CUBE")]]),
        ]
    )
    return replace(part, origin=Decimal(1100)), replace(whole, origin=Decimal(1000))


def test_what_showed_all_of_a_portion_shows_all_of_the_whole() -> None:
    part, whole = (Shown(Model.of(one), Look(), Place(WIDTH, HEIGHT, GUTTER, RULER)) for one in part_and_whole())
    whole.like(part)
    assert whole.view == views.whole(whole.bounds)


def test_zoom_and_lanes_of_a_portion_stay_in_the_whole() -> None:
    part, whole = (Shown(Model.of(one), Look(), Place(WIDTH, HEIGHT, GUTTER, RULER)) for one in part_and_whole())
    part.lanes.toggle_pin(0)
    part.navigation.zoom_at(15.0, 2.0)
    before = part.view
    whole.like(part)
    assert (whole.view.start, whole.view.end) == pytest.approx((before.start + 100, before.end + 100))
    assert [whole.model.lane_label(lane) for lane in whole.lanes.choice.pins] == ["core1 / CUBE"]
    whole.navigation.back()
    assert whole.view.span == pytest.approx(2 * before.span, rel=0.1)


def test_a_low_timeline_has_a_ruler_of_one_line() -> None:
    assert ruler_height(15, LOW) == RULER
    shown = shown_of()
    shown.lanes.make_room(15, 0)
    assert shown.place.above == RULER // 2
    shown.lanes.resize(WIDTH, LOW - 1)
    assert 15 < shown.place.ruler < RULER
    assert shown.place.low
    assert shown.place.body.y == shown.place.ruler
    shown.lanes.resize(WIDTH, HEIGHT)
    assert shown.place.ruler == RULER


def test_counters_that_reach_far_beyond_the_slices_do_not_shrink_them() -> None:
    """Devices are sampled long before and after their work; all of that is in reach, and a view of everything stays."""
    far = counter(0, 0, np.array([-300.0, 50.0, 400.0]), np.array([1.0, 2.0, 1.0]))
    line = replace(SMALL, counters=far)
    shown = Shown(Model.of(line), Look(), Place(WIDTH, HEIGHT, GUTTER, RULER))
    assert (shown.view.start, shown.view.end) == (-1.0, 101.0)
    assert "start" not in saved_state(shown)
    again = Shown(Model.of(line), Look(), Place(WIDTH, HEIGHT, GUTTER, RULER))
    again.like(shown)
    assert again.view == shown.view
    assert shown.navigation.fit()
    assert (shown.view.start, shown.view.end) == (-307.0, 407.0)
    again.like(shown)
    assert again.view == shown.view
    assert saved_state(shown)["start"] == -307.0
    near = replace(SMALL, counters=counter(0, 0, np.array([-5.0, 105.0]), np.array([1.0, 2.0])))
    assert Shown(Model.of(near), Look(), Place(WIDTH, HEIGHT, GUTTER, RULER)).navigation.shows_everything
