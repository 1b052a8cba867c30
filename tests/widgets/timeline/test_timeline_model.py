"""A timeline made ready to be drawn."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.formats.ascend_trace import FORMAT
from app.views import colours
from app.views.colours import packed
from app.views.look import DARK, LIGHT, Look, Theme
from app.views.timeline import colouring
from app.views.timeline.contents import Track
from app.views.timeline.cover import Pixels
from app.views.timeline.legend_entries import entries, why_colours
from app.views.timeline.model import Model, grouped
from app.views.timeline.raster import SHADES
from app.views.timeline.shades import Shades
from app.views.timeline.times import Clock, parse
from generators.ascend_hostile import trace
from generators.reading import profile_of
from generators.timelines import counter, random_timeline, timeline

SMALL = timeline(
    [
        ("core0", "SCALAR", [[(0.0, 1.0, "ADD", "startup"), (2.0, 3.0, "LD", "startup")]]),
        ("core0", "CUBE", [[(1.0, 4.0, "MMAD", "CUBE")], [(2.0, 1.0, "MMAD", "")]]),
        ("core1", "SCALAR", [[(0.5, 9.5, "ADD", "startup")]]),
    ]
)


def test_counters_join_the_first_group_of_their_process_or_make_one() -> None:
    """Each of 20,000 processes used to be looked for among all of them."""
    events = [
        {"ph": "C", "pid": f"p{n % 20_000:05}", "name": f"c{n}", "ts": n, "args": {"v": 1}} for n in range(20_002)
    ]
    events.append({"ph": "X", "pid": "p00001", "tid": "t", "name": "s", "ts": 0, "dur": 1})
    read = profile_of(FORMAT, trace(events)).timeline
    assert read is not None
    groups = grouped(read)
    assert len(groups) == 20_000
    assert [(group.name, len(group.lanes), len(group.counters)) for group in groups[:3]] == [
        ("p00001", 1, 2),
        ("p00000", 0, 2),
        ("p00002", 0, 1),
    ]


def test_lanes_gather_under_their_process() -> None:
    model = Model.of(SMALL)
    assert [(group.name, group.lanes) for group in model.groups] == [("core0", (0, 1)), ("core1", (2,))]
    assert model.lane_of_row.tolist() == [0, 1, 1, 2]
    assert (model.start, model.end) == (0.0, 10.0)
    assert [model.lane_of(i) for i in range(5)] == [0, 0, 1, 1, 2]
    assert model.lane_label(1) == "core0 / CUBE"
    assert model.name(2) == "MMAD"


def test_counters_join_their_process_or_make_one() -> None:
    counters = counter(0, 1, np.array([0.0, 20.0]), np.array([1.0, 2.0]))
    line = timeline([("core0", "SCALAR", [[(0.0, 1.0, "ADD", "")]])], counters=counters)
    model = Model.of(line)
    assert model.groups[0].counters == (0,)
    assert model.end == 20.0
    alone = Model.of(timeline([], counters=counter(-1, -1, np.array([3.0]), np.array([1.0]))))
    assert alone.groups[0].lanes == ()
    assert alone.end > alone.start == 3.0


def test_nothing_at_all_still_has_an_extent() -> None:
    model = Model.of(timeline([]))
    assert (model.start, model.end, len(model.groups)) == (0.0, 1.0, 0)


def test_each_category_has_its_slot() -> None:
    model = Model.of(SMALL)
    slots = model.rows.slot(np.arange(5))
    assert [model.colours.names[slot] for slot in slots] == ["startup", "startup", "CUBE", "MMAD", "startup"]
    shades = Shades.of(model.colours.names, LIGHT)
    assert shades.fill[slots[0]] == colours.colour("SCALAR", LIGHT)
    assert shades.table[int(slots[0]) * SHADES] == packed(LIGHT.surface)
    assert shades.table[int(slots[0]) * SHADES + 15] == packed(shades.fill[slots[0]])


def test_without_categories_names_decide() -> None:
    model = Model.of(timeline([("p", "t", [[(0.0, 1.0, "a", ""), (1.0, 1.0, "b", "")]])]))
    assert [model.colours.names[slot] for slot in model.rows.slot(np.arange(2))] == ["a", "b"]


def fills(rows: list[tuple[str, str]], theme: Theme) -> dict[tuple[str, str], str]:
    """The colour of each slice by (name, category)."""
    line = timeline([("p", "t", [[(float(i), 1.0, *row) for i, row in enumerate(rows)]])])
    model = Model.of(line)
    shades = Shades.of(model.colours.names, theme)
    return {row: shades.fill[slot] for row, slot in zip(rows, model.rows.slot(np.arange(len(rows))), strict=True)}


def test_slices_without_a_category_have_the_colour_of_their_name() -> None:
    """The same for all slices of a name, whatever their order, and of one hue in both themes."""
    rows = [(name, "") for name in ("aten::add", "aten::mul", "step", "CUBE", "load")] + [("aten::add", "kernel")]
    light, dark = fills(rows, LIGHT), fills(rows, DARK)
    assert light == fills(rows[::-1], LIGHT)
    assert len(set(light.values())) == 6
    for row in rows:
        hues = {
            base
            for base in (*LIGHT.categories, *colours.KNOWN.values())
            if light[row] == colours.fitted(base, LIGHT) and dark[row] == colours.fitted(base, DARK)
        }
        assert len(hues) == 1
    assert light["CUBE", ""] == colours.colour("CUBE", LIGHT)


def test_what_colours_go_by_where_categories_are_missing() -> None:
    def labels(*rows: tuple[str, str]) -> list[str]:
        model = Model.of(timeline([("p", "t", [[(float(i), 1.0, *row) for i, row in enumerate(rows)]])]))
        listed = entries(model, model.colours, Shades.of(model.colours.names, LIGHT), Look())
        return [why_colours(model.colours), *(entry.label for entry in listed)]

    assert labels(("a", ""), ("b", "")) == ["The file has no categories, so slices are coloured by name.", "a", "b"]
    assert labels(("a", ""), ("b", "kernel")) == ["Slices without a category are coloured by name.", "a", "kernel"]
    assert labels(("a", "kernel"), ("b", "copy")) == ["", "copy", "kernel"]
    assert labels(("a", "kernel"), ("b", "kernel"))[0].startswith("Nearly all slices have one category")


def test_of_many_categories_those_that_take_the_most_time_are_named_first() -> None:
    def labels(count: int) -> list[str]:
        rows = [(float(100 * i), float(1 + i), "op", f"category {i:02}") for i in range(count)]
        model = Model.of(timeline([("p", "t", [rows])]))
        return [entry.label for entry in entries(model, model.colours, Shades.of(model.colours.names, LIGHT), Look())]

    assert labels(3) == ["category 00", "category 01", "category 02"]
    assert labels(20)[:2] == ["category 19", "category 18"]


def test_more_names_than_slots_share_the_last_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(colouring, "OWN_SLOTS", 3)
    line = timeline(
        [("p", "t", [[(float(i), 1.0, "often" if i % 2 else f"rare {chr(97 + i)}", "") for i in range(40)]])]
    )
    model = Model.of(line)
    slots = model.rows.slot(np.arange(40))
    assert "often" in model.colours.names
    assert len(model.colours.names) == 5
    assert slots.max() < 5 + colouring.SHARED_SLOTS
    assert (slots > 0).all()


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_every_shade_of_a_slice_differs_from_the_surface(theme: object) -> None:
    shades = Shades.of(Model.of(random_timeline(900, 9)).colours.names, theme)  # type: ignore[arg-type]
    for slot in range(1, len(shades.fill)):
        steps = shades.table[slot * SHADES : (slot + 1) * SHADES]
        assert len(set(steps.tolist())) == SHADES
        assert colours.contrast(shades.ink[slot], shades.fill[slot]) >= 4.5


def brute(time: list[float], value: list[float], left: float, right: float) -> float:
    ends = [*time[1:], float("inf")][: len(time)]
    return max(
        (v for t, e, v in zip(time, ends, value, strict=True) if t < right and e > left and e > t), default=float("nan")
    )


@given(
    st.lists(st.tuples(st.integers(1, 8), st.integers(0, 9)), max_size=40),
    st.integers(-10, 60),
    st.sampled_from([0.25, 1.0, 4.0, 64.0]),
)
def test_a_counter_shows_the_largest_value_in_a_pixel(steps: list[tuple[int, int]], begin: int, step: float) -> None:
    time = (np.cumsum([gap for gap, _ in steps]) / 2).tolist()
    value = [float(v) for _, v in steps]
    track = Track.of(counter(0, 0, np.array(time), np.array(value)), 0)
    pixels = Pixels(begin / 2, step, 20)
    edges = pixels.edges().tolist()
    expected = [brute(time, value, a, b) for a, b in pairwise(edges)]
    np.testing.assert_array_equal(track.columns(pixels), expected)


def test_a_spike_among_a_million_points_is_seen() -> None:
    value = np.zeros(1_000_000)
    value[654_321] = 7.0
    track = Track.of(counter(0, 0, np.arange(1e6), value), 0)
    shown = track.columns(Pixels(0.0, 1000.0, 1000))
    assert np.flatnonzero(shown == 7.0).tolist() == [654]
    assert track.at(654_321.5) == 7.0
    assert track.at(-1) is None


def test_times_read_in_their_own_unit_or_as_time() -> None:
    cycles = Clock("cycles", 1e-9)
    assert cycles.span(1234, Look()) == "1,234 cycles (1.23 µs)"
    assert cycles.span(1234, Look(cycles_as="time")) == "1.23 µs"
    assert Clock("cycles", None).span(1234, Look(cycles_as="time")) == "1,234 cycles"
    micro = Clock("µs", 1e-6)
    assert (micro.span(12.3456, Look()), micro.exactly(12.3456)) == ("12.3 µs", "12.3456 µs")


@pytest.mark.parametrize(
    ("time", "around", "finest", "text"),
    [
        (4913.2, (4910, 4920), 0.0, "4.9132 ms"),
        (4913.2, (0, 5000), 0.0, "4.91 ms"),
        (4913.2, (0, 5000), 0.03, "4.91320 ms"),
        (4913.2, (4913, 4914), 0.0, "4.91320 ms"),
        (0.0, (0, 5000), 0.0, "0 ms"),
        (4_913_200.0, (4_913_199, 4_913_201), 0.0, "4,913.20000 ms"),
    ],
)
def test_a_moment_is_as_precise_as_the_view(time: float, around: tuple[float, float], finest: float, text: str) -> None:
    assert Clock("µs", 1e-6).moment(time, Look(), around, finest) == text


def test_a_moment_in_cycles() -> None:
    cycles = Clock("cycles", 1 / 1.33e9)
    assert cycles.moment(4913.0, Look(), (4910, 4920)) == "4,913 cycles"
    assert cycles.moment(4913.26, Look(), (4910, 4920)) == "4,913.3 cycles"
    assert cycles.moment(1330.0, Look(cycles_as="time"), (1300, 1400)) == "1.0000 µs"


def test_both_ends_stand_in_one_unit() -> None:
    assert Clock("µs", 1e-6).stretch(4910, 4920, Look()) == "4.9100 – 4.9200 ms"
    assert Clock("µs", 1e-6).stretch(-5, 5, Look()) == "−5.0 – 5.0 µs"
    assert Clock("cycles", None).stretch(100, 2500, Look()) == "100 – 2,500 cycles"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12.5 us", 12.5),
        ("12.5µs", 12.5),
        ("3 ms", 3000),
        ("1,000", 1000),
        ("40ns", 0.04),
        ("x", None),
        ("3 cycles", None),
    ],
)
def test_typed_times(text: str, value: float | None) -> None:
    parsed = parse(text, Clock("µs", 1e-6), Look())
    assert parsed == (None if value is None else pytest.approx(value))


def test_typed_cycles() -> None:
    clock = Clock("cycles", 1e-9)
    assert parse("1,000", clock, Look()) == 1000
    assert parse("1 us", clock, Look()) == pytest.approx(1000)
    assert parse("1", clock, Look(cycles_as="time")) == pytest.approx(1000)
    assert parse("1 us", Clock("cycles", None), Look()) is None
    assert parse("nan", clock, Look()) is None
