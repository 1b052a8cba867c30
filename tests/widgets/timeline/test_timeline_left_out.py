"""Slices and lanes that are left out of the picture, and arrows of whole categories."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from app.profile.arrays import sealed
from app.profile.timeline import Timeline
from app.views.look import Look
from app.views.timeline.body import draw_body
from app.views.timeline.filters import acting_filters
from app.views.timeline.find import Query
from app.views.timeline.flows import Centres, FlowLines
from app.views.timeline.lanes import matching
from app.views.timeline.layout import RowChoice
from app.views.timeline.model import Model
from app.views.timeline.scene import Place
from app.views.timeline.state import Shown, restore, saved_state
from app.views.timeline.view import View
from app.widgets.timeline import flow_arrows
from app.widgets.timeline.flow_arrows import arrows, drawn_of
from app.widgets.timeline.pick import first_seen, hit, neighbour
from generators.timelines import counter, random_timeline, timeline, with_flows

PLAIN = timeline(
    [
        (
            "core0",
            "SCALAR",
            [[(10.0, 10.0, "SET_FLAG", "a"), (30.0, 20.0, "LOAD", "a"), (60.0, 5.0, "SET_FLAG", "a")]],
        ),
        ("core0", "MTE2", [[(20.0, 40.0, "MMAD", "CUBE")], [(25.0, 5.0, "inner", "")]]),
        ("core1", "SCALAR", [[(0.0, 100.0, "whole", "a")]]),
    ]
)
FLOWS = with_flows(PLAIN, [(0, 3), (1, 5), (3, 5), (4, 1)])
CATEGORIES = ("SCALAR", "core1")  # any texts of the table will do


def categorised(line: Timeline, ids: list[int]) -> Timeline:
    return replace(line, flows=replace(line.flows, category=sealed(np.array(ids, np.int32))))


def text_id(line: Timeline, text: str) -> int:
    return int(line.strings.find(text)[0])


LINE = categorised(FLOWS, [text_id(FLOWS, CATEGORIES[place]) for place in (0, 1, 0, 0)])


def shown_of(line: Timeline = LINE) -> Shown:
    shown = Shown(Model.of(line), Look(), Place(1184, 428, 184, 28))
    shown.navigation.view = View(0.0, 100.0)  # ten pixels to a unit
    while shown.contents.work():
        pass
    return shown


def y_of(shown: Shown, row: int) -> float:
    placed = shown.layout.row_y(row)
    assert placed is not None
    return shown.place.body.y + placed[0] + placed[1] / 2 - shown.view.top


def test_hidden_slices_are_neither_drawn_nor_found_under_the_pointer() -> None:
    shown = shown_of()
    before = draw_body(shown.scene(), 1.0)
    shown.contents.hide(frozenset({"SET_FLAG"}))
    while shown.contents.work():
        pass
    after = draw_body(shown.scene(), 1.0)
    row = int(y_of(shown, 0) - shown.place.body.y)
    assert before.image[row, 150] != before.image[row, 50]
    assert after.image[row, 150] == after.image[row, 50]
    assert after.image[row, 350] == before.image[row, 350]
    assert sorted(after.labels.index.tolist()) == [1, 3, 4, 5]
    assert hit(shown, 184 + 150, y_of(shown, 0), None).index is None
    assert hit(shown, 184 + 350, y_of(shown, 0), None).index == 1
    assert hit(shown, 184 + 350, y_of(shown, 3), None).index == 5
    shown.contents.hide(frozenset())
    assert shown.contents.rows is shown.model.rows
    assert (draw_body(shown.scene(), 1.0).image == before.image).all()


def test_slices_of_other_names_are_not_drawn() -> None:
    shown = shown_of()
    names = [shown.model.name(index) for index in range(6)]
    shown.contents.keep(frozenset({"SET_FLAG"}))
    while shown.contents.work():
        pass
    drawn = draw_body(shown.scene(), 1.0).labels.index.tolist()
    assert sorted(drawn) == [index for index in range(6) if names[index] == "SET_FLAG"]
    shown.contents.hide(frozenset({"SET_FLAG"}))
    assert not draw_body(shown.scene(), 1.0).labels.index.tolist()
    again = Shown(shown.model, Look(), Place(800, 300))
    restore(again, saved_state(shown))
    assert (again.contents.only, again.contents.hidden) == (frozenset({"SET_FLAG"}), frozenset({"SET_FLAG"}))


def test_steps_and_searches_pass_over_what_is_hidden() -> None:
    shown = shown_of()
    assert (neighbour(shown, 1, -1), neighbour(shown, 1, 1)) == (0, 2)
    shown.contents.hide(frozenset({"SET_FLAG"}))
    assert (neighbour(shown, 1, -1), neighbour(shown, 1, 1)) == (None, None)
    assert (neighbour(shown, 0, 1), neighbour(shown, 0, -1)) == (1, None)
    assert (neighbour(shown, 2, -1), neighbour(shown, 2, 1)) == (1, None)
    assert first_seen(shown) == 1
    found = shown.contents.search(Query("a").matches(LINE))
    assert found is not None
    assert found.tolist() == [1, 3]
    shown.contents.hide(frozenset({"SET_FLAG", "LOAD", "MMAD", "inner", "whole"}))
    assert first_seen(shown) is None
    assert not draw_body(shown.scene(), 1.0).labels.index.tolist()


@given(st.sets(st.integers(0, 199), max_size=60), st.integers(0, 199), st.sampled_from([-1, 1]))
def test_the_next_that_is_drawn(names: set[int], index: int, direction: int) -> None:
    line = random_timeline(200, 4)
    unique = replace(
        line,
        strings=type(line.strings).of([f"n{number}" for number in range(200)]),
        slices=replace(line.slices, name=np.arange(200, dtype=np.int32)),
    )
    shown = Shown(Model.of(unique), Look(), Place(800, 300))
    shown.contents.hide(frozenset(f"n{number}" for number in names))
    row = index // 50
    candidates = [other for other in range(row * 50, row * 50 + 50) if other not in names]
    after = [other for other in candidates if other > index]
    before = [other for other in candidates if other < index]
    expected = (after[0] if after else None) if direction > 0 else (before[-1] if before else None)
    assert neighbour(shown, index, direction) == expected


def test_a_filter_leaves_lanes_by_their_words() -> None:
    tracks = counter(text_id(PLAIN, "core1"), text_id(PLAIN, "LOAD"), np.array([1.0]), np.array([2.0]))
    model = Model.of(replace(PLAIN, counters=tracks))
    assert matching(model, "  ") == (None, None)
    assert matching(model, "scalar CORE1") == (frozenset({2}), frozenset())
    assert matching(model, "core1") == (frozenset({2}), frozenset({0}))
    assert matching(model, "core0 x") == (frozenset(), frozenset())
    shown = shown_of(replace(PLAIN, counters=tracks))
    shown.lanes.set_filter("core1")
    assert [(band.kind, band.index) for band in shown.layout.bands] == [("process", 1), ("lane", 2), ("counter", 0)]
    shown.lanes.toggle_pin(0)
    assert shown.layout.bands[0].index == 0  # what is pinned stays
    shown.lanes.set_filter("nothing like it")
    assert len(shown.layout.bands) == 1
    shown.lanes.set_filter("")
    assert shown.lanes.choice == RowChoice(pins=(0,))


def test_lanes_are_hidden_one_by_one_and_named() -> None:
    tracks = counter(text_id(PLAIN, "core1"), text_id(PLAIN, "LOAD"), np.array([1.0]), np.array([2.0]))
    shown = shown_of(replace(PLAIN, counters=tracks))
    shown.lanes.toggle_pin(0)
    assert acting_filters(shown) == ()
    shown.lanes.hide_bands((shown.layout.lane_bands[0],))
    assert not shown.lanes.choice.pins
    shown.lanes.hide_bands((shown.layout.bands[shown.layout.bands.kinds.tolist().index(2)],))
    assert [(band.kind, band.index) for band in shown.layout.bands] == [
        ("process", 0),
        ("lane", 1),
        ("process", 1),
        ("lane", 2),
    ]
    shown.lanes.set_filter("core0")
    shown.contents.hide(frozenset({"inner"}))
    lanes, hidden, names = acting_filters(shown)
    assert (lanes.kind, lanes.text) == ("lanes", "Lanes with “core0”")
    assert hidden.tip == "2 lanes hidden\ncore0 / SCALAR\ncore1 / LOAD"
    assert names.tip == "1 name hidden\ninner"
    shown.contents.hide(frozenset(f"n{number}" for number in range(12)))
    assert acting_filters(shown)[2].tip.splitlines()[1:] == [*sorted(f"n{n}" for n in range(12))[:8], "and 4 more"]
    shown.contents.hide(frozenset({"inner"}))
    assert [band.index for band in shown.layout.bands] == [0, 1]
    hits = shown.search(Query("e").matches(PLAIN))  # not those on lanes that are left out
    assert hits is not None
    assert hits.tolist() == []
    shown.lanes.set_filter("")
    hits = shown.search(Query("o").matches(PLAIN))
    assert hits is not None
    assert hits.tolist() == [5]
    shown.lanes.show_lane(0)
    assert 0 in shown.layout.lane_bands
    saved = saved_state(shown)
    assert saved["hidden_counters"] == ["core1 / LOAD"]


def test_arrows_of_a_category_join_what_those_of_the_selection_join() -> None:
    shown = shown_of()
    shown.flows.show(CATEGORIES)
    scene = shown.scene()
    assert scene.flows is not None
    assert scene.centres is not None
    drawn = drawn_of(scene.flows, scene, scene.centres)
    assert (drawn.total, drawn.stands_for.tolist(), drawn.estimated) == (4, [1] * 4, False)
    lines = sorted(zip(drawn.x0.tolist(), drawn.y0.tolist(), drawn.x1.tolist(), drawn.y1.tolist(), strict=True))
    expected = sorted((a.x0, a.y0, a.x1, a.y1) for a in arrows(scene, (0, 1, 2, 3)))
    assert np.array(lines) == pytest.approx(np.array(expected))
    shown.flows.show(("core1", "no such"))
    scene = shown.scene()
    assert scene.flows is not None
    assert scene.flows.number.tolist() == [1]


@given(
    st.integers(0, 1000),
    st.floats(-50, 1050),
    st.floats(0.01, 900),
    st.integers(0, 300),
    st.sets(st.integers(0, 2), min_size=1),
    st.booleans(),
)
def test_arrows_in_sight_by_brute_force(
    seed: int, start: float, span: float, top: int, chosen: set[int], folded: bool
) -> None:
    random = np.random.default_rng(seed)
    line = random_timeline(300, 12)
    pairs = [(int(a), int(b)) for a, b in random.integers(0, 300, (80, 2))]
    line = categorised(with_flows(line, pairs), random.integers(0, 3, 80).tolist())
    shown = Shown(Model.of(line), Look(), Place(700, 220))
    if folded:
        shown.lanes.toggle_group(1)
        shown.lanes.toggle_pin(5)
    shown.lanes.set_filter("veccore" if seed % 2 else "SCALAR")
    shown.navigation.view = View(start, start + span, min(top, shown.layout.height))
    names = tuple(line.strings.get(place) for place in sorted(chosen))
    lines = FlowLines.of(shown.model, names)
    scene = shown.scene()
    lanes = len(line.lanes.thread)
    drawn = drawn_of(lines, scene, Centres.of(shown.layout, shown.model.rows.count, lanes))
    expected = 0
    flows = line.flows
    for number in range(80):
        early = min(flows.from_time[number], flows.to_time[number])
        late = max(flows.from_time[number], flows.to_time[number])
        if line.strings.get(int(flows.category[number])) not in names or late < start or early > start + span:
            continue
        ends = [shown.layout.row_y(int(flow[number]) // 25) for flow in (flows.from_slice, flows.to_slice)]
        if None in ends:
            continue
        ys = [scene.body.y + shown.layout.line(end[0] + end[1] // 2, shown.view.top) for end in ends if end is not None]
        expected += max(ys) >= scene.body.y and min(ys) <= scene.body.y + scene.body.height
    assert drawn.total == expected
    assert int(drawn.stands_for.sum()) == expected


def test_too_many_arrows_are_folded_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    line = random_timeline(5000, 10)
    random = np.random.default_rng(3)
    line = with_flows(line, [(int(a), int(b)) for a, b in random.integers(0, 5000, (4000, 2))])
    shown = shown_of(line)
    shown.navigation.view = View(-10.0, 1010.0)
    shown.flows.show((line.strings.get(0),))
    scene = shown.scene()
    assert scene.flows is not None
    assert scene.centres is not None
    drawn = drawn_of(scene.flows, scene, scene.centres)
    assert len(drawn.x0) == flow_arrows.MOST_DRAWN
    assert (drawn.total, drawn.estimated) == (4000, False)
    monkeypatch.setattr(flow_arrows, "MOST_LOOKED_AT", 1000)
    drawn = drawn_of(scene.flows, scene, scene.centres)
    assert (drawn.total, drawn.estimated) == (4000, True)
    assert len(drawn.x0) <= 1000


def test_what_is_left_out_and_drawn_comes_back() -> None:
    before, after = shown_of(), shown_of()
    before.lanes.set_filter("core0")
    before.contents.hide(frozenset({"SET_FLAG", "LOAD"}))
    before.flows.show(("core1",))
    restore(after, saved_state(before))
    assert after.lanes.filter == "core0"
    assert after.contents.hidden == {"SET_FLAG", "LOAD"}
    assert after.flows.names == ("core1",)
    assert after.lanes.choice == before.lanes.choice
    again = shown_of()
    again.like(before)
    assert saved_state(again) == saved_state(before)
