"""Where lanes stand, and what each pixel line shows."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.views.timeline.body import lines
from app.views.timeline.layout import FOLDED, MOST_FIXED, SMALL_HEAD, Layout, RowChoice, Sizes, lay_out, lay_out_to_fit
from app.views.timeline.model import Process, Processes

FIRST_ROW = np.array([0, 1, 3, 3, 4])
GROUPS = Processes.of((Process("core0", (0, 1), (0,)), Process("core1", (3,), ())))


def usual(choice: RowChoice | None = None, row_height: int = 20) -> Layout:
    return lay_out(GROUPS, FIRST_ROW, choice or RowChoice(), Sizes(row_height))


def one(name: str) -> Processes:
    return Processes.of((Process(name, (0,), ()),))


def test_bands_follow_one_another() -> None:
    layout = usual()
    assert [(band.kind, band.index) for band in layout.bands] == [
        ("process", 0),
        ("lane", 0),
        ("lane", 1),
        ("counter", 0),
        ("process", 1),
        ("lane", 3),
    ]
    assert [band.y for band in layout.bands[1:]] == [band.bottom for band in layout.bands[:-1]]
    assert layout.height == layout.bands[-1].bottom


def test_pixels_find_their_row_and_rows_their_pixels() -> None:
    layout = usual()
    for row in range(4):
        placed = layout.row_y(row)
        assert placed is not None
        y, height = placed
        assert [layout.row_at(y), layout.row_at(y + height - 1)] == [row, row]
    assert layout.row_at(0) == -1
    assert layout.at(-1) is None
    assert layout.at(layout.height) is None


def test_what_is_folded_keeps_a_line_for_each_row() -> None:
    layout = usual(RowChoice(folded_groups=frozenset({0}), folded_lanes=frozenset({1})))
    assert [(band.kind, band.index) for band in layout.bands] == [("process", 0), ("process", 1), ("lane", 3)]
    assert layout.row_at(layout.bands[0].rows_y) == -1
    shown = lines(layout, 0, layout.height)
    assert shown.strips.rows.tolist() == [0, 1, 2, 3]
    assert set(shown.line.tolist()) == {0, 1, 2, 3, 4}


def test_many_rows_folded_share_lines() -> None:
    layout = lay_out(one("core"), np.array([0, 40]), RowChoice(folded_lanes=frozenset({0})), Sizes(20))
    shown = lines(layout, 0, layout.height)
    assert shown.strips.shared
    assert shown.strips.count == FOLDED
    assert np.bincount(shown.strips.strip).sum() == 40


def test_a_lone_nameless_process_has_no_heading() -> None:
    assert [band.kind for band in lay_out(one(""), np.array([0, 1]), RowChoice(), Sizes(20)).bands] == ["lane"]
    assert lay_out(Processes.of(()), np.array([0]), RowChoice(), Sizes(20)).height == 0


@given(st.integers(0, 300), st.integers(1, 200), st.sampled_from([3, 8, 20, 28]), st.booleans())
def test_each_line_shows_the_row_that_stands_there(top: int, height: int, row_height: int, folded: bool) -> None:
    layout = usual(RowChoice(folded_groups=frozenset({1})) if folded else None, row_height)
    shown = lines(layout, top, height)
    assert len(shown.line) == height
    for number, strip in enumerate(shown.line.tolist()):
        row = layout.row_at(top + number)
        if row < 0:
            band = layout.at(top + number)
            assert strip == shown.strips.count or (band is not None and band.folded)
        elif strip < shown.strips.count:
            assert shown.strips.rows[strip] == row
        else:
            assert layout.row_at(top + number + 1) != row  # only the last line of a row is left empty


def test_rows_shrink_until_all_fit() -> None:
    few = lay_out_to_fit(GROUPS, FIRST_ROW, RowChoice(), 800, Sizes(20))
    assert few.bands[1].row_height == 20
    assert lay_out_to_fit(GROUPS, FIRST_ROW, RowChoice(), 800, Sizes(48)).bands[1].row_height == 48
    some = lay_out_to_fit(GROUPS, FIRST_ROW, RowChoice(), 150, Sizes(20))
    assert some.height <= 150
    assert 8 < some.bands[1].row_height < 20
    first = np.arange(253)
    groups = Processes.of(
        Process(f"core{number}", tuple(range(number * 63, number * 63 + 63)), ()) for number in range(4)
    )
    many = lay_out_to_fit(groups, first, RowChoice(), 872, Sizes(20))
    assert many.height <= 872
    tight = lay_out_to_fit(groups, first, RowChoice(), 820, Sizes(20))
    assert tight.height <= 820
    assert tight.headings[0].height == SMALL_HEAD
    assert lay_out_to_fit(groups, first, RowChoice(), 100, Sizes(20)).height > 100  # no smaller than can be told apart


def test_rows_make_room_for_large_texts() -> None:
    assert Sizes.of("normal", 15) == Sizes(20, 24, 48)
    large = Sizes.of("normal", 26)
    assert large.row >= 28
    assert large.head > large.row
    assert large.counter > 2 * 26
    assert Sizes.of("tall", 15).row == 28
    assert Sizes.of("compact", 40).row == 8


def test_pinned_lanes_stand_first_and_stay() -> None:
    layout = lay_out(GROUPS, FIRST_ROW, RowChoice(pins=(3, 0)), Sizes(20), 400)
    assert [(band.kind, band.index) for band in layout.bands] == [
        ("lane", 3),
        ("lane", 0),
        ("process", 0),
        ("lane", 1),
        ("counter", 0),
    ]
    assert layout.fixed == layout.bands[1].bottom
    assert [band.pinned for band in layout.bands] == [True, True, False, False, False]
    assert [layout.line(band.y, 30) for band in layout.bands[:3]] == [0, 24, 48 - 30]
    assert [band.index for band in layout.in_view(60, 100) if band.pinned] == [3, 0]
    assert layout.under(10, 60) == 10
    assert layout.under(layout.fixed, 60) == layout.fixed + 60


def test_too_many_pins_scroll_with_the_others() -> None:
    first = np.arange(41)
    groups = Processes.of((Process("core", tuple(range(40)), ()),))
    layout = lay_out(groups, first, RowChoice(pins=tuple(range(20))), Sizes(20), 200)
    assert 0 < layout.fixed <= MOST_FIXED * 200
    assert layout.fixed == 5 * 24
    assert sum(band.pinned for band in layout.bands) == 20
    assert lay_out(groups, first, RowChoice(pins=(1,)), Sizes(20), 20).fixed == 0


def test_a_filter_leaves_lanes_out_and_processes_that_have_none_left() -> None:
    layout = lay_out(GROUPS, FIRST_ROW, RowChoice(lanes=frozenset({1}), counters=frozenset()), Sizes(20), 400)
    assert [(band.kind, band.index) for band in layout.bands] == [("process", 0), ("lane", 1)]
    assert layout.row_y(0) is None
    assert layout.row_y(3) is None
    assert layout.row_y(1) is not None


@given(
    st.integers(0, 200),
    st.integers(60, 200),
    st.sampled_from([3, 8, 20]),
    st.permutations([0, 1, 3]).map(lambda pins: tuple(pins[:2])),
    st.booleans(),
)
def test_each_line_shows_its_row_under_pinned_lanes_too(
    top: int, height: int, row_height: int, pins: tuple[int, ...], folded: bool
) -> None:
    choice = RowChoice(folded_groups=frozenset({0}) if folded else frozenset(), pins=pins)
    layout = lay_out(GROUPS, FIRST_ROW, choice, Sizes(row_height), height)
    shown = lines(layout, top, height)
    for number, strip in enumerate(shown.line.tolist()):
        pixel = layout.under(number, top)
        row, band = layout.row_at(pixel), layout.at(pixel)
        if row < 0:
            assert strip == shown.strips.count or (band is not None and band.folded)
        elif strip < shown.strips.count:
            assert shown.strips.rows[strip] == row
        else:
            assert layout.row_at(pixel + 1) != row
    for row in range(4):
        placed = layout.row_y(row)
        assert placed is not None
        band = layout.band_of_row(row)
        assert band is not None
        assert band.folded or layout.row_at(placed[0]) == row
