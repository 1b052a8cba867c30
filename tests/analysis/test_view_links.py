"""Links to a view: what is written is read, what a stranger writes is refused, things are located by what they are."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from app.analysis.view_links.text import LONGEST, MOST, BadLink, numbers_text, parse, written
from app.analysis.view_links.things import Located, chosen_of, located, ranges_of, things_named
from app.analysis.view_links.view_link import ChosenThings, ProfileRef, Thing, ViewLink
from app.profile.profile import Profile
from app.profile.selection import Ranges, Selection, TileRange, TimeRange
from app.profile.strings import Strings
from fakes.families import one_of_each
from fakes.shell import ascend

START = "tilesight:///runs/graph.json?v=1"
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
names = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0/\\"), min_size=1, max_size=20).filter(
    lambda name: name not in (".", "..")
)
paths = st.lists(names, min_size=1, max_size=4).map(lambda parts: Path("/", *parts))
refs = st.builds(
    ProfileRef,
    st.lists(paths, min_size=1, max_size=4).map(tuple),
    st.sampled_from(["", "0123456789abcdef" * 2]),
    st.sampled_from(["", "block=3", "process=a b&c", "range=0.5..7"]),
)
things = st.builds(Thing, st.lists(st.none() | texts, min_size=1, max_size=4).map(tuple), st.integers(0, 10**12))
chosen = st.builds(
    ChosenThings,
    st.sampled_from(["slice", "tile", "program"]),
    st.lists(st.integers(0, 10**9), min_size=1, max_size=40, unique=True).map(tuple),
    st.lists(things, max_size=1).map(tuple),
)
times = st.floats(-1e12, 1e12)
ranges = st.builds(
    Ranges,
    st.none() | st.tuples(times, times).map(lambda ends: TimeRange(min(ends), max(ends))),
    st.none() | st.sets(st.integers(0, 5000), min_size=1).map(lambda tiles: TileRange(tuple(sorted(tiles)))),
)
values = st.booleans() | st.integers(-(10**12), 10**12) | times | texts | st.lists(texts, min_size=1, max_size=4)
views = st.dictionaries(st.sampled_from(["zoom", "canvas.left", "bar.views", "table.filter"]), values)
panels = st.sampled_from(["", "timeline", "tile_memory"])
links = st.builds(ViewLink, refs, panels, st.none() | chosen, ranges, views, st.none() | refs)


@settings(max_examples=50)
@given(links)
def test_what_is_written_is_read(link: ViewLink) -> None:
    text = written(link)
    assert len(text) <= LONGEST
    assert text.isascii()
    assert text.isprintable()
    assert " " not in text
    assert parse(f" {text}\n") == link


@given(st.text(st.characters(codec="ascii"), max_size=120))
def test_any_text_is_a_link_or_refused(text: str) -> None:
    for before in ("", "tilesight:///", f"{START}&", f"{START}&select=slice:", f"{START}&view.x="):
        with suppress(BadLink):
            link = parse(before + text)
            assert all(path.is_absolute() and "\0" not in str(path) for path in link.profile.paths)
            assert parse(written(link)) == link


@pytest.mark.parametrize(
    "text",
    [
        "https://example.org/graph.json",
        "tilesight://server/share/graph.json",
        "tilesight:////server/share/graph.json",
        "tilesight:///%2Fserver/graph.json?v=1",
        "tilesight:///runs/graph.json?v=2",
        "tilesight:///runs/a%00.json?v=1",
        "tilesight:///runs/a%2.json?v=1",
        "tilesight:///runs/a b.json?v=1",
        f"{START}#part",
        f"{START}&run=rm",
        f"{START}&panel=timeline&panel=steps",
        f"{START}&panel=../../etc",
        f"{START}&select=slice:0-99999999",
        f"{START}&select=slice:-1",
        f"{START}&select=nothing:1",
        f"{START}&thing=a,0",
        f"{START}&select=slice:1&thing=0",
        f"{START}&content=abc",
        f"{START}&time=nan..1",
        f"{START}&time=2..1",
        f"{START}&tiles=5,4",
        f"{START}&file=%2F%2Fserver/share",
        f"{START}&baseline.content={'0' * 32}",
        f"{START}&view.x={'9' * LONGEST}",
        START + "&file=a" * 20,
        "",
    ],
)
def test_what_is_no_link_is_refused(text: str) -> None:
    with pytest.raises(BadLink):
        parse(text)


def test_a_link_can_be_read_by_people() -> None:
    link = ViewLink(
        ProfileRef((Path("/runs/a/graph.json"), Path("/runs/a/execution.json")), "0" * 32),
        "timeline",
        ChosenThings("slice", (4, 5, 6), (Thing(("core 0", "MTE2", None, "12.5"), 0),)),
        Ranges(TimeRange(0.5, 2.0), TileRange((0, 1, 2, 9))),
        {"canvas.start": 1.5, "canvas.pins": ["core 0, MTE2"], "bar.find": "12"},
        ProfileRef((Path("/runs/b.json"),)),
    )
    assert written(link) == (
        "tilesight:///runs/a/graph.json?v=1&file=execution.json&content=00000000000000000000000000000000&panel=timeline"
        "&select=slice:4-6&thing=core%200,MTE2,-,12.5,0&time=0.5..2.0&tiles=0-2,9&baseline=/runs/b.json"
        "&view.canvas.start=1.5&view.canvas.pins=core%200%2C%20MTE2,&view.bar.find='12"
    )


def test_a_long_selection_is_cut_instead_of_refused() -> None:
    text = written(ViewLink(ProfileRef((Path("/a"),)), chosen=ChosenThings("slice", tuple(range(0, 10**6, 2)))))
    link = parse(text)
    assert link.chosen is not None
    assert 100 < len(link.chosen.indices) < 10**6
    assert numbers_text(range(10**6), 100) == (f"0-{MOST - 1}", MOST)


def there_and_back(profile: Profile, selection: Selection, *, same: bool) -> Located:
    link = parse(written(ViewLink(ProfileRef((Path("/a"),)), chosen=chosen_of(profile, selection))))
    assert link.chosen is not None
    return located(profile, link.chosen, same=same)


def test_things_of_every_kind_and_family_are_located(tmp_path: Path) -> None:
    """By their indices where the content is the same, else by what they are."""
    seen = set()
    for profile, selection in one_of_each(tmp_path):
        for same in (True, False):
            place = there_and_back(profile, selection, same=same)
            assert place.selection is not None, selection
            assert (place.selection.indices, place.lost) == (selection.indices, 0)
        seen.add(selection.kind)
    assert {"program", "slice", "line", "instruction", "blob", "anchor", "tensor", "host_event", "tile", "core"} <= seen


def test_what_moved_is_located_and_what_is_missing_is_named() -> None:
    before = ascend()
    line = before.timeline
    assert line is not None
    renamed = Strings.of(["core0", "copy", "cube", "load", "save", "matmul"])
    after = replace(before, timeline=replace(line, strings=renamed))
    made = chosen_of(before, Selection("slice", (1, 2)))
    place = located(after, replace(made, indices=(7, 8)), same=False)  # other indices than then
    assert place.selection == Selection("slice", (1,), "link")
    assert (place.missing, place.lost) == (("core0 · copy · store",), 1)
    assert located(replace(before, timeline=None), made, same=True).selection is None


def test_hostile_numbers_select_and_limit_nothing() -> None:
    profile = ascend()
    assert located(profile, ChosenThings("slice", (4, 10**9)), same=True).selection is None
    assert located(profile, ChosenThings("slice", (0,), (Thing(("x",), 10**17),)), same=True).selection is None
    assert located(profile, ChosenThings("tile", (10**9,)), same=True).selection is None
    wide = Ranges(TimeRange(0, 1), TileRange((0, 10**9)))
    assert ranges_of(replace(profile, timeline=None), wide) == Ranges(None, TileRange((0,)))
    assert things_named(profile, "slice", [4]) is None
    assert things_named(profile, "slice", [3]) == chosen_of(profile, Selection("slice", (3,)))


def test_long_names_are_cut_but_identify() -> None:
    profile = ascend()
    line = profile.timeline
    assert line is not None
    long = ["core0", "copy", "~cube", "x" * 500 + "a", "x" * 500 + "b", "matmul"]
    profile = replace(profile, timeline=replace(line, strings=Strings.of(long)))
    for index in range(4):
        place = there_and_back(profile, Selection("slice", (index,)), same=False)
        assert place.selection == Selection("slice", (index,), "link")
