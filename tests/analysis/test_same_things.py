"""What was selected is found again in another reading of the file."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from app.analysis.kinds import KINDS as SPECS
from app.analysis.kinds.spec import Trait
from app.analysis.same_things import matching, same_things
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection
from app.profile.strings import Strings
from app.profile.timeline import Slices
from fakes.families import one_of_each
from fakes.shell import ascend

KINDS: tuple[Kind, ...] = get_args(Kind)


def test_only_numbers_of_the_machine_are_known_by_nothing_else() -> None:
    assert {kind for kind, spec in SPECS.items() if spec.traits is None} == {"tile", "block", "core", "cache_set"}


def longer() -> Profile:
    """The trace of ``ascend`` with a slice more at the beginning of each lane: another "load" in the first."""
    profile = ascend()
    line = profile.timeline
    assert line is not None
    old, at = line.slices, [0, 3]
    grown = Slices(
        start=np.insert(old.start, at, [0.0, 1.0]),
        duration=np.insert(old.duration, at, [1.0, 1.0]),
        name=np.insert(old.name, at, [3, 3]),
        category=np.insert(old.category, at, [3, 3]),
        record=np.insert(old.record, at, [8, 9]),
        address=np.insert(old.address, at, [-1, -1]),
        first=np.array([0, 4, 6]),
    )
    return replace(profile, timeline=replace(line, slices=grown))


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ((1,), (2,)),  # "load" at 20
        ((2, 3), (3, 5)),
        ((0,), (0,)),  # the first of two that are equal in all that they are known by
    ],
)
def test_a_slice_is_known_by_lane_name_and_start(chosen: tuple[int, ...], expected: tuple[int, ...]) -> None:
    selected = Selection("slice", chosen, "timeline")
    assert same_things(ascend(), longer(), selected) == Selection("slice", expected, "timeline")


def test_what_is_there_no_longer_is_not_selected() -> None:
    assert same_things(longer(), ascend(), Selection("slice", (4,))) is None  # the new one of the second lane
    assert same_things(longer(), ascend(), Selection("slice", (4, 5))) == Selection("slice", (3,))
    assert same_things(ascend(), replace(ascend(), timeline=None), Selection("slice", (1,))) is None
    assert same_things(ascend(), longer(), Selection("slice", (4711,))) is None
    assert same_things(ascend(), longer(), Selection("tile", (17,))) == Selection("tile", (17,))


def test_everything_is_found_in_the_same_file(tmp_path: Path) -> None:
    """Each kind that a table of any family selects."""
    seen = set()
    for profile, selection in one_of_each(tmp_path):
        assert same_things(profile, profile, selection) == selection
        seen.add(selection.kind)
    assert {"program", "slice", "line", "instruction", "blob", "anchor", "tensor", "host_event"} <= seen


texts = st.lists(st.sampled_from("ab"), max_size=12)


@given(texts, texts)
def test_equal_things_are_matched_in_their_order(before: list[str], after: list[str]) -> None:
    strings = [Strings.of(dict.fromkeys(found)) for found in (before, after)]
    ids = [np.array([list(dict.fromkeys(f)).index(t) for t in f], np.int64) for f in (before, after)]
    rows = np.arange(len(before))
    found = matching([Trait(ids[0], strings[0])], [Trait(ids[1], strings[1])], rows).tolist()
    expected = []
    for row, text in enumerate(before):
        same = [place for place, other in enumerate(after) if other == text]
        ordinal = before[:row].count(text)
        expected += same[ordinal : ordinal + 1]
    assert found == expected
