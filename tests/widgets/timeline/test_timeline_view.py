"""What part of the timeline is shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.views.timeline import view as views
from app.views.timeline.view import Bounds, History, View

BOUNDS = Bounds(0.0, 100.0, 0.001, height=500, room=200)
some_views = st.builds(
    lambda start, span, top: views.clamped(View(start, start + span, top), BOUNDS),
    st.floats(-50, 150),
    st.floats(0.0001, 300),
    st.integers(-100, 900),
)


def inside(view: View) -> bool:
    return (
        view.start >= -1.0001
        and view.end <= 101.0001
        and view.span >= 0.001 * (1 - 1e-9)
        and 0 <= view.top <= BOUNDS.height - BOUNDS.room
    )


@given(some_views, st.floats(0.01, 100), st.floats(0, 1), st.floats(-3, 3), st.integers(-400, 400))
def test_no_gesture_leaves_the_bounds(view: View, factor: float, share: float, fraction: float, rows: int) -> None:
    at = view.start + share * view.span
    for changed in (
        view,
        views.zoomed(view, factor, at, BOUNDS),
        views.panned(view, fraction, BOUNDS),
        views.scrolled(view, rows, BOUNDS),
        views.around(view, at, at + 1, BOUNDS),
        views.revealing(view, at - 5, at + 5, BOUNDS),
    ):
        assert inside(changed)


@given(some_views, st.floats(1.01, 100), st.floats(0, 1))
def test_the_point_zoomed_at_stays_where_it_is(view: View, factor: float, share: float) -> None:
    at = view.start + share * view.span
    nearer = views.zoomed(view, factor, at, BOUNDS)
    assert nearer.x(at, 1000) == pytest.approx(view.x(at, 1000), abs=0.01 + 1e-6 / nearer.span)


def test_the_whole_has_a_little_air_and_zooming_out_ends_there() -> None:
    all_of_it = views.whole(BOUNDS)
    assert (all_of_it.start, all_of_it.end) == (-1.0, 101.0)
    assert views.zoomed(all_of_it, 0.1, 50, BOUNDS) == all_of_it


def test_a_slice_is_zoomed_to_with_air_on_both_sides() -> None:
    view = views.around(views.whole(BOUNDS), 40, 49, BOUNDS)
    assert (view.start, view.end) == (39.5, 49.5)
    point = views.around(view, 40, 40, BOUNDS)
    assert point.span == pytest.approx(0.001)
    assert point.start < 40 < point.end


def test_bringing_to_view_keeps_the_zoom() -> None:
    view = View(10, 20)
    assert views.revealing(view, 12, 15, BOUNDS) == view
    right = views.revealing(view, 30, 31, BOUNDS)
    assert right.span == pytest.approx(10)
    assert right.end == pytest.approx(31.5)
    assert views.revealing(view, 5, 6, BOUNDS).start == pytest.approx(4.5)
    assert views.revealing(view, 50, 90, BOUNDS).start == pytest.approx(49.5)
    assert views.revealing_rows(View(0, 1, 100), 20, 40, BOUNDS).top == 20
    assert views.revealing_rows(View(0, 1, 0), 280, 300, BOUNDS).top == 100


def test_times_and_pixels_are_inverse() -> None:
    view = View(10, 20)
    assert view.time(view.x(12.5, 800), 800) == pytest.approx(12.5)


def test_one_step_back_for_one_gesture() -> None:
    history, view = History(), View(0, 100)
    history.leave(view, "wheel", 0.0)
    history.leave(View(0, 50), "wheel", 0.1)
    history.leave(View(0, 25), "wheel", 0.2)
    now = View(0, 12)
    history.leave(now, "pan", 0.3)
    later = View(5, 17)
    assert history.back(later) == now
    assert history.back(now) == view
    assert history.back(view) == view
    assert history.forward(view) == now
    assert history.forward(now) == later
    assert history.forward(later) == later


def test_a_pause_starts_a_new_gesture_and_a_new_gesture_forgets_what_was_taken_back() -> None:
    history = History()
    history.leave(View(0, 100), "wheel", 0.0)
    history.leave(View(0, 50), "wheel", 5.0)
    assert history.back(View(0, 25)) == View(0, 50)
    history.leave(View(0, 50), "", 6.0)
    assert history.forward(View(1, 2)) == View(1, 2)
    assert history.back(View(1, 2)) == View(0, 50)


def test_history_does_not_grow_for_ever() -> None:
    history = History()
    for number in range(1000):
        history.leave(View(number, number + 1), "", float(number))
    assert len(history.past) == views.MOST_STEPS
