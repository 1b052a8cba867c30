"""The order of lanes and processes, which a user changes by dragging or by keys."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.views.look import Look
from app.views.timeline.bands import Band
from app.views.timeline.model import Model
from app.views.timeline.scene import Place
from app.views.timeline.state import Shown, restore, saved_state
from generators.timelines import random_timeline, timeline

LINE = timeline(
    [
        ("core0", "SCALAR", [[(0.0, 1.0, "a", "")]]),
        ("core0", "CUBE", [[(0.0, 2.0, "b", "")], [(1.0, 1.0, "c", "")]]),
        ("core0", "MTE2", [[(0.0, 3.0, "d", "")]]),
        ("core1", "SCALAR", [[(0.0, 4.0, "e", "")]]),
        ("core1", "VECTOR", [[(0.0, 4.0, "f", "")]]),
    ]
)


def shown_of(line: object = LINE) -> Shown:
    return Shown(Model.of(line), Look(), Place(800, 400))  # type: ignore[arg-type]


def stand(shown: Shown) -> list[tuple[str, int]]:
    return [(band.kind, band.index) for band in shown.layout.bands]


def lane(shown: Shown, index: int) -> Band:
    return shown.layout.lane_bands[index]


def test_a_lane_moves_within_its_process_and_back() -> None:
    shown = shown_of()
    filed = stand(shown)
    lanes = shown.lanes
    drop = lanes.drop_at(lane(shown, 2), lane(shown, 0).y)
    assert drop is not None
    assert (drop.before, drop.y) == (0, lane(shown, 0).y)
    lanes.move(lane(shown, 2), drop)
    assert [index for kind, index in stand(shown) if kind == "lane"] == [2, 0, 1, 3, 4]
    assert lanes.any_moved
    lower = lanes.drop_at(lane(shown, 2), lane(shown, 1).bottom + 500)  # far below: still in its process
    assert lower is not None
    assert (lower.after, lower.y) == (1, lane(shown, 1).bottom)
    lanes.move(lane(shown, 2), lower)
    assert stand(shown) == filed
    assert shown.lanes.choice.lane_order == ()
    assert lanes.drop_at(lane(shown, 1), lane(shown, 1).y + 1) is None  # it stays


def test_a_process_takes_its_lanes_along_and_pins_move_among_pins() -> None:
    shown = shown_of()
    heading = shown.lanes.heading(1)
    assert heading is not None
    drop = shown.lanes.next_drop(heading, -1)
    assert drop is not None
    shown.lanes.move(heading, drop)
    assert stand(shown)[:4] == [("process", 1), ("lane", 3), ("lane", 4), ("process", 0)]
    assert shown.lanes.heading(0) is not None
    shown.lanes.toggle_pin(0)
    shown.lanes.toggle_pin(4)
    pinned = lane(shown, 4)
    drop = shown.lanes.next_drop(pinned, -1)
    assert drop is not None
    shown.lanes.move(pinned, drop)
    assert shown.lanes.choice.pins == (4, 0)
    assert shown.lanes.next_drop(lane(shown, 4), -1) is None
    shown.lanes.restore_order()
    assert [index for kind, index in stand(shown) if kind == "process"] == [0, 1]


def test_the_order_is_remembered_by_name() -> None:
    shown, later = shown_of(), shown_of()
    for index, direction in ((2, -1), (2, -1), (3, 1)):
        drop = shown.lanes.next_drop(lane(shown, index), direction)
        assert drop is not None
        shown.lanes.move(lane(shown, index), drop)
    shown.lanes.hide_bands((lane(shown, 1),))
    saved = saved_state(shown)
    assert saved["lane_order"] == ["core0 / MTE2", "core0 / SCALAR", "core0 / CUBE", "core1 / VECTOR", "core1 / SCALAR"]
    assert saved["hidden_lanes"] == ["core0 / CUBE"]
    restore(later, saved)
    assert stand(later) == stand(shown)
    restore(later, {"lane_order": ["core1 / VECTOR", "gone", "core1 / SCALAR", "core1 / VECTOR", 3], "hidden_lanes": 1})
    assert [index for kind, index in stand(later) if kind == "lane"] == [0, 1, 2, 4, 3]
    again = shown_of()
    again.like(shown)
    assert stand(again) == stand(shown)


@given(
    st.lists(st.tuples(st.integers(0, 11), st.sampled_from([-1, 1]), st.booleans()), max_size=25),
    st.sets(st.integers(0, 2)),
    st.sets(st.integers(0, 11), max_size=3),
)
def test_rows_are_found_in_any_order(moves: list[tuple[int, int, bool]], folded: set[int], hidden: set[int]) -> None:
    shown = shown_of(random_timeline(200, 12))
    groups = len(shown.model.groups)
    for index, direction, whole in moves:
        band = shown.lanes.heading(index % groups) if whole else shown.layout.lane_bands.get(index)
        drop = None if band is None else shown.lanes.next_drop(band, direction)
        if band is not None and drop is not None:
            shown.lanes.move(band, drop)
    for group in folded:
        shown.lanes.toggle_group(group % groups)
    shown.lanes.hide(frozenset(hidden))
    layout = shown.layout
    lanes = [band.index for band in layout.bands if band.kind == "lane"]
    assert len(set(lanes)) == len(lanes)
    assert not hidden & set(lanes)
    assert [band.y for band in layout.bands[1:]] == [band.bottom for band in layout.bands[:-1]]
    for row in range(shown.model.rows.count):
        band, owner = layout.band_of_row(row), int(shown.model.lane_of_row[row])
        assert (band is None) == (owner in hidden and layout.lane_bands.get(owner) is None and band is None)
        if band is not None and band.kind == "lane":
            assert band.index == owner
            assert layout.row_at(layout.row_y(row)[0]) == row  # type: ignore[index]
    for owner in range(12):
        band = layout.lane_bands.get(owner)
        if band is not None and band.kind == "process":
            assert band.index == int(shown.model.group_of_lane[owner])
    order = shown.lanes.choice.lanes_of(shown.model.groups)
    assert sorted(order.tolist()) == sorted(shown.model.groups.lanes.tolist())
    assert (shown.model.group_of_lane[order] == np.sort(shown.model.group_of_lane[order])).all()
