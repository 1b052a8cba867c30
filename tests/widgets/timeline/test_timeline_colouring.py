"""What colours go by: the choice, names without numbers, durations, and what the legend leaves."""

from __future__ import annotations

import time

import numpy as np
import pytest
from msgspec.structs import replace

from app.analysis.compare.names import stem
from app.analysis.timeline.name_groups import stems
from app.profile.arrays import sealed
from app.profile.strings import Strings
from app.profile.timeline import Timeline
from app.views.colours import KNOWN, contrast
from app.views.look import DARK, LIGHT, Look, Theme
from app.views.timeline.colour_choice import CHOICES, ColourBy
from app.views.timeline.colouring import WAITING, duration_edges, offered
from app.views.timeline.filters import acting_filters
from app.views.timeline.legend_entries import entries
from app.views.timeline.model import Model
from app.views.timeline.raster import Strips
from app.views.timeline.scene import Place
from app.views.timeline.shades import sequential
from app.views.timeline.state import Shown, restore, saved_state
from generators.timelines import random_timeline, timeline

KERNELS = timeline(
    [
        (
            "host",
            "t",
            [[(0.0, 1.0, "launch_1", "kernel"), (2.0, 1.0, "launch_2", "kernel"), (4.0, 1.0, "copy", "kernel")]],
        ),
        (
            "device",
            "s",
            [[(1.0, 20.0, "0-0-98-13-2(matmul)", "kernel"), (30.0, 300.0, "0-0-98-13-3(matmul)", "kernel")]],
        ),
    ]
)


def shown_of(line: Timeline = KERNELS, by: ColourBy = "auto") -> Shown:
    shown = Shown(Model.of(line), Look(), Place(1184, 428, 184, 42))
    shown.colour(by)
    while shown.contents.work():
        pass
    return shown


def labels(shown: Shown) -> list[str]:
    return [entry.label for entry in entries(shown.model, shown.contents.colours, shown.shades, shown.look)]


def slots(shown: Shown, *labels_: str) -> frozenset[int]:
    listed = entries(shown.model, shown.contents.colours, shown.shades, shown.look)
    return frozenset().union(*(entry.slots for entry in listed if entry.label in labels_))


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("0-0-98-13-2(matmul)", "matmul"),
        ("add_custom_0", "add_custom"),
        ("fusion.123", "fusion"),
        ("f(0x7ffe12)", "f"),
        ("foo(int, 3)", "foo(int, #)"),
        ("layer.0.attn", "layer.#.attn"),
        ("aten::add", "aten::add"),
        ("12", "12"),
        ("", ""),
    ],
)
def test_what_names_have_in_common(name: str, plain: str) -> None:
    assert stem(name) == plain


def test_names_that_differ_in_numbers_are_one_and_a_single_one_stays_whole() -> None:
    strings = Strings.of(["op_1", "op_22", "MTE1", "MTE2", "conv2d_7", "é_1", "é_2", "other"])
    group, names, labels_ = stems(strings, np.arange(8), KNOWN)
    assert names[3] == "conv#d"
    assert [labels_[number] for number in group.tolist()] == ["op", "op", "MTE1", "MTE2", "conv2d_7", "é", "é", "other"]


def test_where_one_category_says_nothing_names_do() -> None:
    shown = shown_of()
    assert shown.contents.colours.by == "name"
    assert labels(shown) == ["launch", "matmul", "copy"]
    assert shown_of(by="category").contents.colours.by == "category"
    assert labels(shown_of(by="category")) == ["kernel"]
    assert saved_state(shown) == {}


def test_processes_and_durations() -> None:
    assert labels(shown_of(by="process")) == ["device", "host"]
    shown = shown_of(by="duration")
    assert labels(shown) == [
        "under 3.00 µs",
        "3.00 µs to 10.0 µs",
        "10.0 µs to 30.0 µs",
        "30.0 µs to 100 µs",
        "100 µs to 300 µs",
        "300 µs and more",
    ]
    own = shown.contents.colours
    assert [own.names[slot] for slot in own.slot(np.arange(5))] == ["0.0", "0.0", "0.0", "10.0", "300.0"]


@pytest.mark.parametrize("durations", [[], [0.0], [1.0], [np.inf], [5e-324, 1e308], [1.0, 10.0], [2.0, 3.0]])
def test_steps_of_durations_rise(durations: list[float]) -> None:
    edges = duration_edges(np.array(durations, np.float64))
    assert len(edges) < 8
    assert list(edges) == sorted(set(edges))


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_every_step_of_durations_is_seen(theme: Theme) -> None:
    steps = sequential(8, theme)
    assert len(set(steps)) == 8
    assert all(contrast(step, theme.surface) >= theme.faintest for step in steps)


def test_what_tells_nothing_is_not_offered() -> None:
    assert offered(KERNELS) == set(CHOICES)
    bare = timeline([("p", "t", [[(0.0, 1.0, "a", "")]])])
    assert offered(bare) == {"auto", "name", "duration"}
    assert offered(timeline([])) == {"auto", "name", "duration"}
    for by in CHOICES:
        assert shown_of(timeline([]), by).contents.colours.wanted == by


@pytest.mark.parametrize("by", CHOICES)
def test_waits_keep_their_stripes(by: ColourBy) -> None:
    line = timeline([("p", "t", [[(0.0, 1.0, "wait_flag", "x"), (1.0, 1.0, "VADD", "y"), (3.0, 9.0, "VMUL", "z")]])])
    shown = shown_of(line, by)
    own = shown.contents.colours
    assert own.slot(np.arange(3)).tolist().count(WAITING) == 1
    assert labels(shown)[0] == "Waiting"
    shown.colour(by, slots(shown, "Waiting"))
    assert shown.contents.rows.origin is not None
    assert shown.contents.rows.origin.tolist() == [0]


def test_what_the_legend_leaves_is_a_filter_and_is_saved() -> None:
    shown = shown_of()
    shown.colour("auto", slots(shown, "matmul"))
    assert shown.contents.rows.origin is not None
    assert shown.contents.rows.origin.tolist() == [3, 4]
    assert [(one.kind, one.text) for one in acting_filters(shown)] == [("colours", "Only colour “matmul”")]
    saved = saved_state(shown)
    assert saved == {"colours": ["matmul"]}
    again = shown_of()
    restore(again, saved)
    assert again.contents.only_slots == shown.contents.only_slots
    other = shown_of(timeline([("p", "t", [[(0.0, 1.0, "a", "")]])]))
    restore(other, saved)
    assert not other.contents.only_slots  # nothing of it is there


def test_the_choice_is_saved_and_nonsense_is_ignored() -> None:
    shown = shown_of(by="process")
    assert saved_state(shown) == {"colour_by": "process"}
    again = shown_of()
    restore(again, saved_state(shown))
    assert again.contents.colours.by == "process"
    restore(again, {})
    assert again.contents.colours.wanted == "auto"
    restore(again, {"colour_by": 7, "colours": 3, "colour_slots": ["x", "999"]})
    assert (again.contents.colours.wanted, again.contents.only_slots) == ("auto", frozenset())


def test_the_same_timeline_read_again_has_the_same_colours() -> None:
    shown = shown_of(by="duration")
    shown.colour("duration", slots(shown, "under 3.00 µs"))
    again = shown_of()
    again.like(shown)
    assert again.contents.colours.by == "duration"
    assert again.contents.only_slots == shown.contents.only_slots


def test_a_baseline_has_the_colours_of_the_timeline_above() -> None:
    """Also where it would choose others alone, and with the same steps of durations."""
    other = timeline([("p", "t", [[(0.0, 7000.0, "launch_9", "a"), (7000.0, 1.0, "pine", "b")]])])
    above, below = shown_of(), shown_of(other)
    assert labels(below) == ["a", "b"]
    assert below.colour_like(above)
    assert not below.colour_like(above)
    fills = [dict(zip(one.contents.colours.names, one.shades.fill, strict=False)) for one in (above, below)]
    assert labels(below) == ["launch_9", "pine"]
    assert fills[0]["launch"] == fills[1]["launch"]
    above.colour("duration")
    above.colour("duration", slots(above, "300 µs and more"))
    below.colour_like(above)
    assert below.contents.colours.edges == above.contents.colours.edges
    assert below.shades.fill == above.shades.fill
    assert below.contents.rows.origin is not None
    assert below.contents.rows.origin.tolist() == [0]
    above.colour("process")
    above.colour("process", slots(above, "host"))
    below.colour_like(above)
    assert not len(below.contents.rows.start)  # it has no such process


def test_pictures_have_the_chosen_colours() -> None:
    shown = shown_of(by="process")
    strips = Strips(np.arange(2), np.arange(2), 2)
    picture = shown.contents.renderer.render(strips, shown.scene().pixels())
    names = [{shown.contents.colours.names[slot] for slot in set(row.tolist()) - {0}} for row in picture.raster.slot]
    assert names == [{"host"}, {"device"}]
    assert shown.scene().colours is shown.contents.colours


@pytest.mark.parametrize("by", CHOICES)
def test_a_million_slices_are_coloured_without_a_loop(by: ColourBy) -> None:
    line = random_timeline(1_000_000, 40)
    bare = replace(line, slices=replace(line.slices, category=sealed(np.full(len(line.slices.start), -1, np.int32))))
    model = Model.of(bare)
    begin = time.process_time()
    model.coloured(by)
    assert time.process_time() - begin < 1.0
